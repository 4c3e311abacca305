#!/usr/bin/env python3
"""No parameter is silent: sets every parameter of every method and section to another allowed value, in a scene where
it should matter, and sees the outcome change; or, where the tables below say so, the error or the warning that says why
not, or (parameters of speed and memory) the same state to the last bit.

The parameters come from the program's own tables, so a new one is covered by being listed: what it is set to follows
from its type, range and default, and where its method stands from its family. Tables below add what cannot be known
from these: values that are required, scenes in which it matters.

usage: check_parameters.py OUTCOME MOTE SCENES-DIR [--pictures] [--only TEXT] [--verbose]
  --pictures   those that are seen in a picture; otherwise all others
  --only TEXT  those whose name contains TEXT
  --verbose    the most expensive ones
"""
import argparse
import copy
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from parameter_cases import (AROUND, BASES, FILES, HOW, METHODS, PLACES, SAID, SAME, SECTIONS,
                             UNUSED, VALUES)

def method_of(family, name):
    """An object of the method with the values that it needs, and changes of the scene around it."""
    own = dict(METHODS.get(f"{family}.{name}", METHODS.get(name, {}))) if f"{family}.{name}" in METHODS or name in METHODS else {}
    around = own.pop("", {})
    return {"type": name, **own}, around


# What the tables do not cover yet is only noted, so that adding a method stays one file and one line.
UNKNOWN = "note: "


# ---- values ----

def other_value(p, current):
    """Another allowed value of a parameter, from its table; None: not known."""
    kind, default = p["type"], current if current is not None else p["default"]
    if p["list"]:
        return None
    if kind == "bool":
        return not default
    if kind == "string" and p["choices"]:
        return [c for c in p["choices"].split("|") if c != default]
    if kind in ("int", "real") or (kind == "curve" and isinstance(default, (int, float))):
        return other_number(p, default)
    if kind == "vec3" and isinstance(default, list):
        return [default[0] + 0.05, default[1] + 0.03, default[2] + 0.02]
    return None


def other_number(p, default):
    low, high = -1e300, 1e300
    if p["range"]:
        bounds = re.match(r"([\[(])\s*([^,]+),\s*([^\])]+)([\])])", p["range"])
        low, high = float(bounds.group(2)), float(bounds.group(3))
    if default is None:
        return None
    if p["type"] == "int":
        return default + 1 if default + 1 <= high else default - 1
    for value in (1.7 * default, 0.6 * default, 0.3, 0.5 * (low + high)):
        if value != default and low < value < high:
            return value
    return None


# ---- paths ----

def steps_of(path):
    return [int(s) if s.isdigit() else s for s in re.findall(r"[^.\[\]]+", path)]


def at_path(scene, path):
    """What stands there; None: nothing."""
    at = scene
    for step in steps_of(path):
        there = step < len(at) if isinstance(step, int) else step in at
        if not there:
            return None
        at = at[step]
    return at


def put(scene, path, value):
    """Sets a value, None removes it; objects and lists on the way are made, short forms written out."""
    at, way = scene, steps_of(path)
    for step, following in zip(way, way[1:]):
        fresh = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            while len(at) <= step:
                at.append(copy.deepcopy(fresh))
        elif step not in at:
            at[step] = fresh
        elif isinstance(at[step], str) and not isinstance(following, int):
            at[step] = {"type": at[step]}
        at = at[step]
    last = way[-1]
    if isinstance(last, int):
        while len(at) <= last:
            at.append(None)
    if value is None:
        at.pop(last) if isinstance(last, int) else at.pop(last, None)
    else:
        at[last] = copy.deepcopy(value)


def absolute_files(value, folders):
    """Names of files, "meshes/gem.obj", in the folders where they are."""
    if isinstance(value, dict):
        return {k: absolute_files(v, folders) for k, v in value.items()}
    if isinstance(value, list):
        return [absolute_files(v, folders) for v in value]
    first = value.split("/")[0] if isinstance(value, str) else None
    return str(folders[first] / value) if first in folders else value


# ---- outcomes ----

class Outcomes:
    """The program that answers for scenes, and what it has answered."""

    def __init__(self, program, scenes):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.known, self.asked, self.costs, self.name = {}, 0, [], ""
        self.scratch = tempfile.TemporaryDirectory()
        made = pathlib.Path(self.scratch.name) / "made"
        made.mkdir()
        for name, text in FILES.items():
            (made / name).write_text(text)
        self.folders = {"meshes": scenes, "made": made.parent}

    def of(self, scene, how, steps):
        question = {"scene": absolute_files(scene, self.folders)}
        key = json.dumps([question, how, steps], sort_keys=True)
        if key not in self.known:
            self.known[key] = self.ask(question, how, steps)
            self.costs.append((self.known[key]["seconds"], self.name))
            self.asked += 1
        return self.known[key]

    def ask(self, question, how, steps):
        """The answer of the program to one scene."""
        folder = pathlib.Path(self.scratch.name) / str(self.asked)
        if how == "run":
            question["directory"] = str(folder)
        elif how == "picture":
            question["picture"] = str(folder) + ".png"
        else:
            question["steps"] = steps
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the program ended on {json.dumps(question)}")
        answer = json.loads(line)
        if how == "run":
            answer["bits"], answer["warnings"] = digest(folder)
        elif how == "picture" and not answer["error"]:
            answer["bits"] = hashlib.sha256(pathlib.Path(question["picture"]).read_bytes()).hexdigest()
        return answer


def digest(folder):
    """A hash of the files of a run, and its warnings; without the copy of the scene, times, and wall times."""
    total = hashlib.sha256()
    warnings = []
    for path in sorted(folder.rglob("*")) if folder.exists() else []:
        if path.name == "report.json":
            report = json.loads(path.read_text())
            warnings = [w["text"] for w in report["warnings"]]
            kept = {k: report[k] for k in ("frames", "steps", "checkpoints", "fluid", "implicit", "energy", "state_hash")}
            total.update(json.dumps(kept, sort_keys=True).encode())
        elif path.is_file() and path.suffix != ".json":
            total.update(path.name.encode() + (b"" if path.suffix == ".npz" else path.read_bytes()))
    return total.hexdigest(), warnings


# ---- the walk ----

def same_energies(a, b):
    return all(abs(x - y) <= 1e-9 * (abs(x) + abs(y)) for x, y in zip(a["energies"], b["energies"]))


def check_value(outcomes, name, scene, path, value, how, steps):
    """Why a parameter is silent; None: it is not."""
    outcomes.name = name
    before = outcomes.of(scene, how, steps)
    changed = copy.deepcopy(scene)
    put(changed, path, value)
    after = outcomes.of(changed, how, steps)
    shown = json.dumps(value)
    if before["error"]:
        return f"the scene fails without it: {before['error']}"
    expected = SAID.get(name) or SAID.get(f"{name}={value}")
    if expected:
        texts = ([after["error"]] if after["error"] else []) + after["warnings"]
        return None if any(expected in t for t in texts) else f"{shown} is not answered with '{expected}' but {texts}"
    if after["error"]:
        return f"{shown} is refused: {after['error']}"
    if name.startswith(SAME) and name not in SAID:
        return None if same_energies(before, after) else f"{shown} changes the state, and should not"
    return None if before["bits"] != after["bits"] else f"{shown} changes nothing"


def check_parameter(outcomes, name, p, scene, path, current, how, steps):
    given = VALUES.get(name)
    if isinstance(given, dict) and "value" in given:
        scene = copy.deepcopy(BASES[given["base"]] if "base" in given else scene)
        for at, value in given.get("set", {}).items():
            put(scene, at, value)
        steps = given.get("steps", steps)
        how, path = given.get("how", how), given.get("path", path)
        given = given["value"]
    value = given if given is not None else other_value(p, current)
    if value is None:
        return [UNKNOWN + "no other value is known; add one to VALUES of parameter_cases.py"]
    values = value if isinstance(value, list) and p["type"] == "string" and not p["list"] else [value]
    return [w for w in (check_value(outcomes, name, scene, path, v, how, steps) for v in values) if w]


def check_method(outcomes, family, method, only, results):
    if family not in PLACES:
        results[family] = [UNKNOWN + "the family has no place in PLACES of parameter_cases.py"]
        return
    base, path = PLACES[family]
    own, around = method_of(family, method["name"])
    around = {**AROUND.get(family, {}), **around}
    scene = copy.deepcopy(BASES[around.pop("base", base)])
    path = around.pop("path", path)
    how, steps = HOW.get(family, "steps"), around.pop("steps", 12)
    for at, value in around.items():
        put(scene, at, value)
    put(scene, path, own)
    for p in method["parameters"]:
        name = f"{family}.{method['name']}.{p['name']}"
        if only in name:
            results[name] = check_parameter(outcomes, name, p, scene, f"{path}.{p['name']}", own.get(p["name"]), how, steps)


def sections(mote):
    """Name and parameters of every section: those of the schema, and the scene itself."""
    schema = json.loads(subprocess.run([mote, "schema"], check=True, capture_output=True, text=True).stdout)
    for name in ["scene"] + [key.split(".")[1] for key in schema["$defs"] if key.startswith("section.")]:
        text = subprocess.run([mote, "explain", name, "--json"], check=True, capture_output=True, text=True).stdout
        yield next(d for d in json.loads(text) if d.get("section") == name)


def check_section(outcomes, section, only, results):
    name = section["section"]
    if name not in SECTIONS:
        results[name] = [UNKNOWN + "the section has no place in SECTIONS of parameter_cases.py"]
        return
    base, path = SECTIONS[name]
    scene = copy.deepcopy(BASES[base])
    around = dict(AROUND.get(name, {}))
    how, steps = HOW.get(name, "picture" if base == "picture" else "steps"), around.pop("steps", 12)
    for at, value in around.items():
        put(scene, at, value)
    own = at_path(scene, path) or {}
    for p in section["parameters"]:
        full = f"{name}.{p['name']}"
        if p["type"] != "section" and only in full:
            where = f"{path}.{p['name']}" if path else p["name"]
            results[full] = check_parameter(outcomes, full, p, scene, where, own.get(p["name"]), how, steps)


def check_unused(outcomes, results):
    """Parameters that have no effect beside others are warned about or refused, and only then."""
    for base, changes, text in UNUSED:
        scene = copy.deepcopy(BASES[base])
        before = outcomes.of(scene, "steps", 1)
        for at, value in changes.items():
            put(scene, at, value)
        after = outcomes.of(scene, "steps", 1)
        said = after["warnings"] + ([after["error"]] if after["error"] else [])
        warned = any(text in answer for answer in said)
        early = any("no effect" in warning for warning in before["warnings"])
        results[f"{base} with {json.dumps(changes)}"] = (
            ["warned about without it"] if early else [] if warned else [f"no '{text}' in {said}"])


def can_draw(outcomes):
    answer = outcomes.of(BASES["picture"], "picture", 0)
    if answer["error"]:
        print(f"skipped: {answer['error']}")
    return not answer["error"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("outcome")
    parser.add_argument("mote")
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    families = json.loads(subprocess.run([options.mote, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    outcomes = Outcomes(options.outcome, options.scenes.resolve())
    results = {}
    if options.pictures and not can_draw(outcomes):
        sys.exit(77)
    for family in families:
        for method in family["methods"]:
            if not options.pictures:
                check_method(outcomes, family["family"], method, options.only, results)
    for section in sections(options.mote):
        if options.pictures == (SECTIONS.get(section["section"], [""])[0] == "picture"):
            check_section(outcomes, section, options.only, results)
    if not options.pictures and not options.only:
        check_unused(outcomes, results)
    problems = 0
    for name, found in results.items():
        for why in found:
            print(f"{name}: {why}")
            problems += not why.startswith(UNKNOWN)
    if options.verbose:
        for seconds, name in sorted(outcomes.costs, reverse=True)[:40]:
            print(f"{1000 * seconds:8.1f} ms  {name}")
    cost = sum(seconds for seconds, _ in outcomes.costs)
    print(f"{len(results)} parameters, {outcomes.asked} outcomes in {cost:.1f} s, {problems} problems")
    sys.exit(1 if problems or not results else 0)


if __name__ == "__main__":
    main()
