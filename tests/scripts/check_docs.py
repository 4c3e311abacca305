#!/usr/bin/env python3
"""The code in README.md and docs works: scenes run, commands exist, C compiles, links lead somewhere.

usage: check_docs.py MOTE SOURCE-DIR C-COMPILER [examples|links|validation]

Examples are limited to a few steps: `run`, `surface` and `resume` end early, `render` and `view` are only read, and names of
`validate` and `bench` are looked up. doc_blocks.py describes how a page marks its blocks.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

import jsonschema
from doc_blocks import blocks_of, commands_of, members_of, values_of
from harness import Bad, need, need_exit, run, run_cases

PICTURE_LIMIT = 150000  # bytes
STEPS = 3  # of a fixed size; scenes with other steps run for a thousandth of their duration
LONG = ("view", "render", "validate", "bench", "modes")
PRIVATE = ("state of rest", "strewn", "boils", "jumps apart", "comes back from", "room of vectors", "numbers a row", "the peer",
           "if left out", "more fluid than room", "ball on a hill", "rides on", "inner friction")  # the field has other words
MADE = re.compile(r"docs/(reference/.*|gallery)\.md")  # by the program; gallery scenes have tests of their own


def pages_of(root):
    yield root / "README.md"
    yield root / "CONTRIBUTING.md"
    yield from sorted((root / "docs").rglob("*.md"))


def help_of(mote, command, known={}):
    """The flags of a command."""
    if command not in known:
        done = subprocess.run([mote, command, "--help"], capture_output=True, text=True)
        need(done.returncode == 0, f"there is no command '{command}'")
        known[command] = set(re.findall(r"^\s+(-\S+)", done.stdout, re.M))
    return known[command]


def listed(mote, command, known={}):
    """The names that `mote validate` or `mote bench` knows."""
    if command not in known:
        text = subprocess.run([mote, command, "--list"], capture_output=True, text=True).stdout
        known[command] = [word.rstrip(":") for word in re.findall(r"^\s*(\S+)", text, re.M)]
    return known[command]


def check_flags(mote, words):
    known = help_of(mote, words[0])
    for word in words[1:]:
        flag = word.split("=", 1)[0]
        need(not re.match(r"--?[a-z]", flag) or flag in known or flag == "--help",
             f"`mote {words[0]}` has no flag {flag}")


def check_name(mote, words):
    """The names of a suite, or what a name with a slash begins with."""
    names = listed(mote, words[0])
    for word in words[1:2]:
        need(word.startswith("-") or any(word == n.rstrip("/") or word.startswith(n.rstrip("/") + "/") or
                                         n.startswith(word + "/") for n in names),
             f"`mote {words[0]}` does not know '{word}'")


def duration(text, words):
    """A few steps of the scene, as `--set` changes it."""
    time = json.loads(text)["time"]
    step = next((float(w.partition("=")[2]) for w in words if w.startswith("time.step=")), time.get("step"))
    step = step.get("size") if isinstance(step, dict) else step
    return repr(STEPS * step if step else time["end"] / 1000)


class Page:
    """The blocks of one page, run in a directory of its own."""

    def __init__(self, mote, root, compiler, schema, path):
        self.mote, self.root, self.compiler, self.schema, self.path = mote, root, compiler, schema, path
        self.name = str(path.relative_to(root))

    def check(self, directory):
        self.directory, self.unused, problems = pathlib.Path(directory), set(), []
        (self.directory / "scenes").symlink_to(self.root / "scenes")
        for block in blocks_of(self.path, self.name):
            try:
                self.check_block(block)
            except (Bad, ValueError, LookupError, jsonschema.ValidationError) as error:
                problems.append(f"{block}: {getattr(error, 'message', error)}")
        for scene in sorted(self.unused):  # the others have been run
            try:
                self.call("check", scene)
            except Bad as error:
                problems.append(f"{self.name}: {scene}: {error}")
        need(not problems, "; ".join(problems))

    def check_block(self, block):
        if block.language == "json":
            self.check_json(block)
        elif block.language == "sh":
            for words in commands_of(block):
                self.check_command(words)
        elif block.language == "c":
            self.check_c(block)
        elif block.language == "python":
            self.check_python(block)

    def check_json(self, block):
        if block.is_scene():
            file = self.directory / (block.use or "unnamed.json")
            file.write_text(block.text, encoding="utf-8")
            if block.use:
                self.unused.add(file.name)
            else:
                self.call("run", file.name, "-o", "out/unnamed", "--until", duration(block.text, []), "--quiet")
        elif block.use == "output":
            values_of(block.text) if block.text.lstrip().startswith("{") else members_of(block.text)
        elif block.use == "scene":
            self.check_members(self.schema["properties"], block)
        else:
            names = [f"{kind}.{block.use}" for kind in ("section", "family")]
            name = next((n for n in names if n in self.schema["$defs"]), None)
            need(name, f"'{block.use}' is neither a section nor a family of the schema")
            if block.text.startswith('"'):
                self.check_members(self.schema["$defs"][name]["properties"], block)
            else:
                for value in values_of(block.text):
                    self.validate({"$ref": f"#/$defs/{name}"}, value)

    def check_members(self, properties, block):
        for key, value in members_of(block.text):
            need(key in properties, f"there is no key '{key}'")
            self.validate(properties[key], value)

    def validate(self, part, value):
        schema = {**part, "$defs": self.schema["$defs"]}
        jsonschema.Draft202012Validator(schema).validate(value)

    def call(self, *words):
        done = run(self.mote, list(words), str(self.directory))
        need_exit(done, 0)
        return done

    def check_command(self, words):
        if words[0].startswith("-"):
            self.call(*words)
            return
        check_flags(self.mote, words)
        if words[0] in ("validate", "bench"):
            check_name(self.mote, words)
        operand = words[1] if len(words) > 1 else ""
        scene = self.directory / operand
        if operand.endswith(".json") and words[0] not in ("check", "info"):
            need(scene.exists(), f"`mote {words[0]} {operand}`: the page has no such scene")
        if words[0] in LONG or "--static" in words:
            return
        limit = []
        if words[0] in ("run", "surface") and operand.endswith(".json"):
            words = [w for k, w in enumerate(words) if w not in ("--until", "--frames") and
                     words[k - 1] not in ("--until", "--frames")]
            limit = ["--until", duration(scene.read_text(encoding="utf-8"), words)]
        elif words[0] == "resume":
            words = [w for k, w in enumerate(words) if w != "--until" and words[k - 1] != "--until"]
        if words[0] == "check" and operand in self.unused:
            return  # below
        self.unused.discard(operand)
        self.call(*words, *limit)

    def check_c(self, block):
        """Programs are compiled, linked and run; statements are compiled."""
        program = block.use == "program"
        lines = ["#include <mote/mote.h>", "#include <stdio.h>", *block.declarations.splitlines()]
        lines.sort(key=lambda line: not line.startswith("#include"))
        lines.insert(sum(line.startswith("#include") for line in lines), "int main(void)\n{")
        head = "" if program else "\n".join(lines) + "\n"
        source = self.directory / "example.c"
        source.write_text(head + block.text + ("" if program else "\nreturn 0;\n}\n"), encoding="utf-8")
        library = pathlib.Path(self.mote).parent
        includes = [f"-I{self.root / folder}" for folder in ("include", "src")]
        target = ["-o", "example", f"-L{library}", "-lmote", f"-Wl,-rpath,{library}"] if program else ["-fsyntax-only"]
        flags = os.environ.get("MOTE_CONSUMER_FLAGS", "").split()
        done = subprocess.run([self.compiler, "-std=c11", "-Werror=implicit-function-declaration",
                               "-Werror=incompatible-pointer-types", *flags, *includes, "example.c", *target],
                              cwd=self.directory, capture_output=True, text=True)
        need(done.returncode == 0, f"does not compile: {done.stderr[:400]}")
        if program:
            need_exit(run(str(self.directory / "example"), [], str(self.directory)), 0)

    def check_python(self, block):
        compile(block.text, str(block), "exec")
        if not block.use:
            done = subprocess.run([sys.executable, "-c", block.text], cwd=self.directory, capture_output=True, text=True)
            need(done.returncode == 0, f"fails: {done.stderr[-400:]}")


def anchors_of(path):
    """The anchors of a page as GitHub makes them from headings."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    names = [re.sub(r"[^\w\- ]", "", title.replace("`", "")).strip().lower().replace(" ", "-")
             for title in re.findall(r"^#+ (.*)$", text, re.M)]
    return set(names)


def links_of(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"\w+:", target):
            yield target


def check_links(path, reached):
    """Every relative link of a page leads to a file, and to a heading if it names one."""
    for target in links_of(path):
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        file = (path.parent / name).resolve() if name else path
        need(file.exists(), f"the link {target} leads nowhere")
        need(not anchor or anchor in anchors_of(file), f"the link {target} names no heading of {file.name}")
        need(file.suffix != ".png" or "pictures" not in file.parts or file.stat().st_size <= PICTURE_LIMIT,
             f"{file.name} is larger than {PICTURE_LIMIT} bytes")
        if file.suffix == ".md":
            reached.add(file)


def check_words(path):
    text = " ".join(path.read_text(encoding="utf-8").split())
    found = [phrase for phrase in PRIVATE if phrase in text]
    need(not found, f"it uses {found}; the literature has other terms for this")


def check_reached(root):
    """Every page can be reached from the index, and every picture belongs to a page."""
    docs, reached = root / "docs", set()
    check_links(docs / "README.md", reached)
    todo = set(reached)
    while todo:
        found = set()
        check_links(todo.pop(), found)
        todo |= found - reached
        reached |= found
    lost = [p for p in docs.rglob("*.md") if p.resolve() not in reached and p.name != "README.md"]
    need(not lost, f"not reached from docs/README.md: {', '.join(str(p.relative_to(docs)) for p in lost)}")
    text = "".join(p.read_text(encoding="utf-8") for p in pages_of(root))
    unused = [p.name for p in (docs / "pictures").iterdir() if p.name not in text]
    need(not unused, f"no page shows {', '.join(unused)}")


def check_length(root):
    """The README stays short: one scene of at most twelve lines, three pictures."""
    path = root / "README.md"
    scenes = [b for b in blocks_of(path, "README.md") if b.is_scene()]
    need(len(scenes) == 1 and len(scenes[0].text.splitlines()) <= 12, "it needs one scene of at most twelve lines")
    pictures = re.findall(r"!\[", path.read_text(encoding="utf-8"))
    need(len(pictures) == 3, f"it has {len(pictures)} pictures instead of 3")
    commands = re.findall(r"^make (\S+)", (root / ".ci" / "run").read_text(), re.M) if (root / ".ci").exists() else []
    for command in commands:
        need(f"`make {command}`" in path.read_text(encoding="utf-8"), f"it does not explain `make {command}`")


def check_validation(mote, root):
    """docs/validation.md has every case, and the quantities and limits of the fast ones as the program states them."""
    text = (root / "docs" / "validation.md").read_text(encoding="utf-8")
    there = {name.rstrip("/") for name in re.findall(r"^### `(.*)`$", text, re.M)}
    known = {name.rstrip("/") for name in listed(mote, "validate") if "/" in name}
    need(known - there == set(), f"lacks {sorted(known - there)}; scripts/validation_page.py writes it")
    need(there - known == set(), f"has {sorted(there - known)}, which `mote validate` does not know")
    for case in ("frame", "solids/patch", "integrators/cost", "fluids/operators", "particles/crystal"):
        lines = subprocess.run([mote, "validate", case, "--json"], capture_output=True, text=True).stdout.splitlines()
        need(lines, f"`mote validate {case}` prints nothing")
        for row in map(json.loads, lines):
            cell = row["quantity"].replace("|", "\\|")
            need(f"| {cell} |" in text, f"lacks the quantity '{row['quantity']}' of {row['case']}")
            need(re.search(rf"^\| {re.escape(cell)} \|.*\| {re.escape(limit_of(row))} \|", text, re.M),
                 f"has another limit than {limit_of(row)} for '{row['quantity']}' of {row['case']}")


def limit_of(row):
    return "none" if row["allowed"] is None else f"{row['allowed']:.3g}"


def main():
    mote, root, compiler = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    part = sys.argv[4] if len(sys.argv) > 4 else ""
    cases = []
    if part in ("", "examples"):
        schema = json.loads(subprocess.run([mote, "schema"], check=True, capture_output=True, text=True).stdout)
        pages = [Page(mote, root, compiler, schema, path) for path in pages_of(root)]
        cases += [(f"examples of {p.name}", p.check) for p in pages
                  if not MADE.fullmatch(p.name) and p.name != "CONTRIBUTING.md"]
    if part in ("", "links"):
        cases += [(f"links of {p.relative_to(root)}", lambda _, p=p: check_links(p, set())) for p in pages_of(root)]
        cases += [(f"words of {p.relative_to(root)}", lambda _, p=p: check_words(p)) for p in pages_of(root)
                  if not re.search(r"docs/(reference/|validation|gallery)", str(p))]
        cases += [("pages that can be reached", lambda _: check_reached(root)),
                  ("length of README.md", lambda _: check_length(root))]
    if part in ("", "validation"):
        cases += [("docs/validation.md", lambda _: check_validation(mote, root))]
    return run_cases(cases)


if __name__ == "__main__":
    sys.exit(main())
