#!/usr/bin/env python3
"""Puts extreme numbers into every numeric field of a scene: no crash, no endless loop, no NaN in what a run writes.

The fields come from the program's own schema. Small base scenes hold an example of each section and of each place where
a method may stand; the walk puts every method of the family there, so that a new one is covered by being listed. Each
combination of a field and a value goes through `mote check` and, where that says yes, through a run of one frame. Either
may refuse; neither may end by a signal, take more than CPU_SECONDS, or write numbers that are not finite and call that
success.

usage: check_extremes.py MOTE SCENES-DIR [--all] [--only TEXT] [--values] [--jobs N] [--no-memory-limit]
  --all              every combination, not the sample (long)
  --only TEXT        those whose name contains TEXT
  --values           passed and failed of each value
  --no-memory-limit  for programs with a sanitizer, which reserve more address space than there is memory
"""
import argparse
import concurrent.futures
import copy
import csv
import glob
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile

import numpy

from harness import Bad, need, need_healthy, read_json, shorten

CPU_SECONDS = 10
MEMORY_BYTES = 4 << 30
SAMPLE = 80  # combinations that the ordinary tests take at random, beside those of FOUND
SEED = 20110

# Combinations that crashed, never ended or wrote NaN once.
FOUND = ["fluid time.end = 1e+18", "time.step=fixed.size = 1e-155", "time.step=cfl.max = 1e-149", "fluid.spacing = 1e+308",
         "phase.fill=box.min[0] = -1e+18", "collider.shape=mesh.scale[*] = 1e+30", "emitter.width = 1e+30",
         "body.model=fem.material=hooke.axes[*] = -1e+308", "phase.density = 1e+149", "domain.min[*] = -1e+149"]

# Of the magnitudes that a scene may have (1e-150 to 1e150) the ends, and some beyond.
VALUES = [0, -0.0, 1, -1, 1e-30, 1e30, 1e18, -1e18, 9000000000000001, 2 ** 31, 2 ** 53, 1e149, -1e149, 1e-149,
          1e155, 1e-155, 5e-324, -1e-310, 1e308, -1e308]

ORDINARY = [1, 0.1, 2, 3, 5, 100, 0.01, 0, 1e-3, 1e4]

# A good value for a parameter that has no default, by its name; by type otherwise (see `example_of`).
EXAMPLES = {
    "min": [-0.3, -0.3, -0.3], "max": [0.3, 0.3, 0.3], "start": [0, 0, 0], "end": [0.5, 0, 0], "spacing": 0.2,
    "positions": [[0, 0, 0], [0.3, 0, 0.1]], "times": [0, 1], "normal": [0, 0, 1], "axis": [0, 0, 1],
    "side": [0.4, 0, 0], "other_side": [0, 0.4, 0], "between": ["a", "b"], "young": 1e4, "range": 0.5, "radius": 0.3,
    "temperature": 300, "size": 0.005,
}
METHOD_EXAMPLES = {
    "keyframes": {"type": "keyframes", "times": [0, 1], "positions": [[0, 0, 0], [0.1, 0, 0]],
                  "rotations": [[0, 0, 0], [0, 0, 0.1]]},
    "sequence": {"type": "sequence", "motions": [{"type": "still"}, {"type": "still"}], "times": [0, 1]},
    "torus": {"type": "torus", "radius": 1.5, "tube": 1.2},
    "hull": {"type": "hull", "points": [[-1, -1, -1], [1, -1, -1], [0, 1, -1], [0, 0, 1]]},
    "cylinder": {"type": "cylinder", "start": [0, 0, -0.5], "end": [0, 0, 0.5], "radius": 0.5},
    "capsule": {"type": "capsule", "start": [0, 0, -0.5], "end": [0, 0, 0.5], "radius": 0.5},
    "cone": {"type": "cone", "start": [0, 0, -0.5], "end": [0, 0, 0.5], "radius": 0.5},
    "ellipsoid": {"type": "ellipsoid", "radii": [0.5, 0.4, 0.6]},
    "transform": {"type": "transform", "shape": {"type": "sphere", "radius": 0.5}},
    "union": {"type": "union", "shapes": [{"type": "sphere", "radius": 0.5}]},
    "intersection": {"type": "intersection", "shapes": [{"type": "sphere", "radius": 0.5}]},
    "difference": {"type": "difference", "shape": {"type": "sphere", "radius": 0.5},
                   "subtract": [{"type": "sphere", "radius": 0.1}]},
    "oriented": {"type": "oriented", "range": 0.5, "coplanarity": 1},
    "hooke": {"type": "hooke", "young": [1e4, 2e4, 1e4], "shear": [4e3, 4e3, 4e3]},
    "lattice": {"type": "lattice", "nx": 2, "ny": 2, "nz": 2, "spacing": 0.3},
    "hexagonal": {"type": "hexagonal", "nx": 2, "ny": 2, "nz": 2, "spacing": 0.3},
    "cfl": {"type": "cfl", "factor": 0.4, "min": 1e-3, "max": 0.005},
    "translate": {"type": "translate", "velocity": [0.1, 0, 0]},
    "lennard_jones": {"type": "lennard_jones", "e": 1e-3, "r0": 0.3},
}
# Keys that a key needs beside it.
NEEDED = {
    "neighbor_radius": {"neighbors": True}, "ground_height": {"ground": True}, "tolerance": {"iterations": 3},
    "line_search": {"iterations": 3}, "slip": {"friction": 0.3}, "ambient": {"loss": 1}, "seed": {"temperature": 1},
    "gust_period": {"gust": 1}, "turbulence_length": {"turbulence": 0.5}, "rolling_friction": {"friction": 0.3},
}
# Files that a family's methods read, below the directory of scenes.
FILES = {"mesh": "meshes/block.msh", "shape": "meshes/gem.obj"}

POINTS = {"type": "points", "positions": [[0, 0, 0.5], [0.3, 0, 0.5], [0, 0.3, 0.7], [0.4, 0.4, 0.5]]}
GROUND = {"name": "ground", "shape": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}}
TIME = {"end": 0.02, "step": {"type": "fixed", "size": 0.005}, "fps": 100}
OUTPUT = {"formats": [{"type": "ply"}]}


def base_scenes():
    """Scenes that take milliseconds; together they hold every section and every place of a method."""
    fluid = {"dimension": 2, "spacing": 0.1, "support": 2, "kernel": {"type": "cubic"}, "neighbors": {"type": "grid"},
             "pressure": {"type": "dfsph"}, "viscosity": {"type": "laplacian", "nu": 0.001},
             "boundary": {"type": "samples"},
             "phases": [{"name": "water", "flow": {"type": "rotation", "angular_velocity": [0, 0, 1]},
                         "fill": [{"type": "box", "min": [0.1, 0.1, -1], "max": [0.6, 0.6, 1]}]}],
             "emitters": [{"center": [0.5, 0.9, 0], "direction": [0, -1, 0], "width": 0.2, "speed": 1}],
             "remove": [{"shape": {"type": "box", "min": [5, 5, 5], "max": [6, 6, 6]}}]}
    tank = {"name": "tank", "shape": {"type": "box", "min": [0, 0, -1], "max": [1, 1, 1]}, "inside": True,
            "friction": {"type": "coulomb", "mu": 0.1}, "motion": {"type": "translate", "velocity": [0.1, 0, 0]}}
    yield {"up": "y", "time": TIME, "fluid": fluid, "colliders": [tank], "output": OUTPUT,
                    "observables": [{"type": "collider_load"}],
                    "view": {"size": [640, 480], "camera": {}, "color": {}, "surface": {"type": "zhu_bridson"}}}
    yield {"up": "y", "time": {**TIME, "step": METHOD_EXAMPLES["cfl"]},
                          "fluid": {**fluid, "emitters": [], "pressure": {"type": "isph"},
                                    "shifting": {"type": "lind2012"}},
                          "colliders": [{**tank, "motion": {"type": "still"}}], "output": OUTPUT}
    yield {"up": "y", "time": {**TIME, "step": 0.0002},
                          "fluid": {**fluid, "emitters": [], "pressure": {"type": "wcsph", "state": {"type": "tait"}}},
                          "colliders": [tank], "output": OUTPUT}
    yield {"time": TIME, "output": OUTPUT,
                          "fluid": {"spacing": 0.2, "pressure": {"type": "dfsph"},
                                    "phases": [{"fill": [{"type": "sphere", "center": [0, 0, 0.5], "radius": 0.4}]}],
                                    "emitters": [{"shape": "disc", "center": [0, 0, 2], "direction": [0, 0, -1],
                                                  "radius": 0.3, "flow_rate": 0.2}]},
                          "colliders": [{"shape": {"type": "sphere", "center": [0, 0, -1], "radius": 0.6}}]}
    yield {"time": TIME, "fluid": {"spacing": 0.2, "phases": [{"fill": [
        {"type": "box", "min": [0, 0, 0], "max": [0.6, 0.6, 0.6]}]}]},
        "output": {"formats": [{"type": "ply"}], "surface": {"type": "zhu_bridson"}}}
    yield {"time": TIME, "output": OUTPUT, "neighbors": {"type": "verlet_list", "over": {"type": "grid"}},
                     "integrator": {"type": "symplectic_euler"},
                     "species": [{"name": "a", "e": 1e-3, "r0": 0.3}, {"name": "b", "e": 2e-3, "r0": 0.3}],
                     "bodies": [{"mesh": POINTS, "radius": 0.1, "species": "a"},
                                {"mesh": {"type": "points", "positions": [[1, 1, 1]]}, "oriented": True,
                                 "radius": 0.1, "species": "b"}],
                     "forces": [{"type": "damping_point", "g": 0.1}, {"type": "drag", "linear": 0.1},
                                {"type": "damping_viscous", "g": 0.1, "range": 0.5},
                                {"type": "lennard_jones", "pairs": [
                                    {"type": "species_pair", "between": ["a", "b"], "e": 1e-3, "r0": 0.3}]},
                                {"type": "heat", "conductivity": 0.1, "range": 0.5, "specific_heat": 1,
                                 "initial": 300, "sources": [
                                     {"type": "hold", "temperature": 400,
                                      "region": {"type": "sphere", "radius": 0.6}}]}],
                     "colliders": [{**GROUND, "friction": {"type": "coulomb", "mu": 0.1},
                                    "motion": {"type": "oscillate", "amplitude": [0, 0, 0.1], "frequency": 1}}],
                     "observables": [{"type": "mean_square_displacement"},
                                     {"type": "radial_distribution", "range": 0.5}]}
    yield {"time": TIME, "output": OUTPUT, "gravity": [0, 0, 0],
           "bodies": [{"mesh": POINTS, "charge": 1e-7, "mass": 1},
                      {"mesh": {"type": "points", "positions": [[1, 1, 1]]}, "charge": -1e-7, "mass": 1}],
           "forces": [{"type": "coulomb"}, {"type": "newton"}]}
    yield {"time": TIME, "output": {**OUTPUT, "wrap": True}, "gravity": [0, 0, 0],
                       "domain": {"min": [0, 0, 0], "max": [2, 2, 2]},
                       "bodies": [{"mesh": {"type": "lattice", "nx": 3, "ny": 3, "nz": 3, "spacing": 0.6},
                                   "temperature": 1}],
                       "forces": [{"type": "lennard_jones", "e": 1e-3, "sigma": 0.3}],
                       "observables": [{"type": "radial_distribution", "range": 0.9}]}
    yield {"time": TIME, "output": OUTPUT,
                   "integrator": {"type": "implicit_euler", "solver": {"type": "cg"}},
                   "bodies": [{"mesh": {"type": "rope", "start": [3, 0, 3], "end": [0, 0, 0], "segments": 4}, "mass": 1,
                               "model": {"type": "spring", "k": 100},
                               "pins": [{"nodes": [0], "motion": {"type": "translate", "velocity": [0, 0, 0.1]}},
                                        {"region": {"type": "sphere", "center": [0, 0, 0], "radius": 0.1}}]}]}
    yield {"time": TIME, "output": {"formats": [{"type": "ply"}, {"type": "vtu"}]},
                   "integrator": {"type": "implicit_euler", "solver": {"type": "cholesky"}},
                   "body_contact": {"stiffness": 1},
                   "observables": [{"type": "section_force", "point": [0.1, 0, 0], "normal": [1, 0, 0]}],
                   "bodies": [{"mesh": {"type": "beam", "segments": 3, "across": 2, "high": 2}, "density": 1000,
                               "model": {"type": "fem", "material": {"type": "corotated", "young": 1e5}, "yield": 0.1},
                               "pins": [{"set": "start"}], "skin": {},
                               "loads": [{"set": "end", "force": [0, 0, -1], "pressure": 1},
                                         {"region": {"type": "sphere", "center": [1, 0, 0], "radius": 0.5},
                                          "force": [0, 0, -1]},
                                         {"nodes": [0, 1], "force": [0, 0, -1]}]},
                              {"mesh": {"type": "block", "min": [0, 0, 0.5], "max": [0.3, 0.3, 0.8], "nx": 2, "ny": 2,
                                        "nz": 2, "tetrahedra": 5}, "density": 1000,
                               "model": {"type": "fem", "material": {"type": "corotated", "young": 1e5}}}],
                   "colliders": [{**GROUND, "shape": {"type": "plane", "point": [0, 0, -1], "normal": [0, 0, 1]}}]}
    yield {"time": {**TIME, "step": 0.001}, "output": OUTPUT,
                    "bodies": [{"mesh": {"type": "cloth", "columns": 3, "rows": 3}, "density": 1, "radius": 0.05,
                                "model": {"type": "elements", "length": 10, "area": 10}}],
                    "forces": [{"type": "drag", "quadratic": 0.1}], "colliders": [
                        {"shape": {"type": "sphere", "center": [0.5, 0.5, -0.3], "radius": 0.25}}]}
    yield {"time": TIME, "output": OUTPUT, "rigid": {},
                     "bodies": [{"name": "box", "model": "rigid", "density": 1000,
                                 "shape": {"type": "box", "min": [0, 0, 0.1], "max": [0.3, 0.3, 0.4]}},
                                {"name": "ball", "model": {"type": "rigid"}, "density": 1000,
                                 "shape": {"type": "sphere", "center": [0.1, 0.1, 0.7], "radius": 0.1}}],
                     "joints": [{"type": "hinge", "bodies": ["box", "ball"], "point": [0, 0, 0.5], "axis": [0, 1, 0]}],
                     "colliders": [GROUND]}
    yield {"time": TIME, "output": OUTPUT, "integrator": "implicit_euler",
                     "bodies": [{"mesh": {"type": "fill", "spacing": 0.2, "shape": {"type": "sphere", "radius": 0.3}},
                                 "density": 1000,
                                 "model": {"type": "fem", "material": {"type": "linear", "young": 1e5}}}]}
    yield {"time": TIME, "output": OUTPUT,
                     "bodies": [{"mesh": {"type": "beam", "segments": 3, "across": 2, "high": 2}, "density": 1000,
                                 "model": {"type": "fast_corotated", "young": 1e5}, "pins": [{"set": "start"}]}]}


# ---- the schema ----

class Schema:
    """The program's JSON Schema, as sections and families of methods."""

    def __init__(self, program, scenes):
        text = subprocess.run([program, "schema"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.root = json.loads(text)
        self.scenes = scenes

    def definition(self, entry):
        """The name and body of what an entry refers to; None for plain values."""
        if "$ref" not in entry:
            return None, None
        name = entry["$ref"].split("/")[-1]
        return name, self.root["$defs"][name]

    def methods(self, family):
        """name: properties and required names of each method of a family."""
        choices = family.get("anyOf") or family.get("oneOf")
        return {c["properties"]["type"]["const"]: c for c in choices if "properties" in c}

    def example_of(self, owner, name, entry):
        """A value that is likely good for a required parameter."""
        if name == "file":
            return os.path.join(self.scenes, FILES["mesh" if owner == "file" else "shape"])
        if name in EXAMPLES:
            value = EXAMPLES[name]
            wants_list, is_list = entry.get("type") == "array", isinstance(value, list)
            if wants_list == is_list and "$ref" not in entry:
                return copy.deepcopy(value)
        family, body = self.definition(entry)
        if family:
            first = next(iter(self.methods(body)))
            return self.method_example(body, first)
        kind = kind_of(entry)
        return {"vector": [0.1, 0.2, 0.3], "numbers": [0, 1], "vectors": [[0, 0, 0], [0.1, 0, 0]]}.get(kind, 1)

    def method_example(self, family, method):
        if method in METHOD_EXAMPLES:
            return copy.deepcopy(METHOD_EXAMPLES[method])
        entry = self.methods(family)[method]
        example = {"type": method}
        for name in entry.get("required", []):
            if name != "type":
                example[name] = self.example_of(method, name, entry["properties"][name])
        if method == "fill":
            example["shape"] = {"type": "sphere", "radius": 0.3}
        return example


def kind_of(entry):
    """number, integer, vector, numbers, vectors or curve; None for what is no number."""
    kind = entry.get("type")
    if kind in ("number", "integer"):
        return "number"
    if "anyOf" in entry and any(e.get("type") == "number" for e in entry["anyOf"]):
        return "curve"
    if kind == "array" and "items" in entry:
        inner = kind_of(entry["items"])
        if inner == "number":
            return "vector" if entry.get("minItems") == entry.get("maxItems") == 3 else "numbers"
        return "vectors" if inner == "vector" else None
    return None


def variants(entry, old):
    """(label, function of a value that gives what the field becomes): where an extreme number goes in a field."""
    kind = kind_of(entry)
    if kind == "number":
        yield "", lambda v: v
    elif kind == "vector":
        start = old if isinstance(old, list) else entry.get("default", [0.1, 0.2, 0.3])
        yield "[0]", lambda v: [v, start[1], start[2]]
        yield "[2]", lambda v: [start[0], start[1], v]
        yield "[*]", lambda v: [v, v, v]
    elif kind == "numbers":
        start = old if isinstance(old, list) and old else [0, 1]
        yield "[-1]", lambda v: [*start[:-1], v]
    elif kind == "vectors":
        start = old if isinstance(old, list) and old else [[0, 0, 0], [0.1, 0, 0]]
        yield "[-1][0]", lambda v: [*start[:-1], [v, *start[-1][1:]]]
    elif kind == "curve":
        yield "", lambda v: v
        yield "[1][1]", lambda v: [[0, 1], [1, v]]
        yield "[1][0]", lambda v: [[0, 1], [v, 0.5]]


# ---- the walk ----

# Places where a method is never accepted: a plane has no volume to fill, a fluid needs new lists in every step.
NEVER = (".shape=plane", "phase.fill=plane", "fluid.neighbors=cached", "fluid.neighbors=verlet_list", ".over=cached",
         ".over=verlet_list")


class Case:
    """A field, and the scenes in which it may stand, likely ones first."""

    def __init__(self, name):
        self.name = name
        self.stands = []  # (scene, path, what makes the field's value of a number)
        self.base = None

    def find_base(self, trial):
        """The first of the scenes that the program accepts with an ordinary number in the field; others of the same
        object are left out if need be, for some exclude each other. The first as it is if there is none."""
        if self.base:
            return self.base
        for scene, path, make in self.stands:
            for candidate in candidates(scene, path, make):
                if trial.accepts(candidate):
                    self.base = candidate, path, make
                    return self.base
        self.base = self.stands[0]
        trial.unreached.append(self.name)
        return self.base


def candidates(scene, path, make):
    yield from (put(scene, path, make(value)) for value in ORDINARY)
    for other in at(scene, path[:-1]):
        if other not in ("type", path[-1]):
            less = copy.deepcopy(scene)
            del at(less, path[:-1])[other]
            yield from (put(less, path, make(value)) for value in ORDINARY[:3])
    key = next((part for part in reversed(path) if isinstance(part, str)), None)
    if key in NEEDED:
        more = copy.deepcopy(scene)
        at(more, path[:path.index(key)]).update(NEEDED[key])
        yield from (put(more, path, make(value)) for value in ORDINARY)


class Walk:
    """Collects the cases of every numeric field."""

    def __init__(self, schema):
        self.schema = schema
        self.cases = {}

    def scene(self, scene):
        self.properties("fluid" if "fluid" in scene else "forces", scene, [], self.schema.root, "scene")

    def properties(self, group, scene, path, entry, owner):
        """All fields of one object of the scene, and what is below it."""
        here = at(scene, path)
        for key, field in entry["properties"].items():
            if key in ("_", "type"):
                continue
            place = f"{group} {owner}" if owner in ("scene", "time") else owner
            for label, make in variants(field, here.get(key)):
                name = f"{place}.{key}{label}"
                self.cases.setdefault(name, Case(name)).stands.append((scene, path + [key], make))
            if key in here:
                self.below(group, scene, path + [key], field, f"{owner}.{key}")

    def below(self, group, scene, path, field, place):
        """Sections and methods; of a method's family each stands there in turn."""
        value = at(scene, path)
        # shapes hold shapes, motions motions
        if any(f"{key}=" in place for key in ("shape", "fill", "region", "motion")):
            return
        if field.get("type") == "array" and "$ref" in field.get("items", {}):
            for k in range(len(value) if isinstance(value, list) else 0):
                self.below(group, scene, path + [k], field["items"], place)
            return
        definition, body = self.schema.definition(field)
        if definition is None:
            return
        if definition.startswith("section."):
            self.properties(group, scene, path, body, definition.split(".")[1])
            return
        chosen = value["type"] if isinstance(value, dict) else value
        for method, entry in self.schema.methods(body).items():
            same = method == chosen and isinstance(value, dict)
            other = scene if same else put(scene, path, self.schema.method_example(body, method))
            self.properties(group, other, path, entry, f"{place}={method}")


def at(scene, path):
    for key in path:
        scene = scene[key]
    return scene


def put(scene, path, value):
    scene = copy.deepcopy(scene)
    at(scene, path[:-1])[path[-1]] = value
    return scene


def text_of(path):
    return "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)[1:]


# ---- one combination ----

def limited(no_memory_limit):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not no_memory_limit:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    return limit


ENDS = ("refused", "stopped", "ran")


class Trial:
    def __init__(self, program, no_memory_limit):
        self.program = program
        self.limit = limited(no_memory_limit)
        self.unreached = []

    def call(self, directory, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=directory, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=self.limit,
                              encoding="utf-8", errors="replace", check=False)
        need(done.returncode not in (-24, -9), f"{arguments[0]}: no answer after {CPU_SECONDS} s of CPU time")
        need_healthy(done.returncode, done.stderr)
        need(done.returncode in (0, 1, 2), f"{arguments[0]}: exit code {done.returncode}")
        need(done.returncode == 0 or done.stderr.strip(), f"{arguments[0]}: exit code {done.returncode} without a reason")
        return done

    def accepts(self, scene):
        with tempfile.TemporaryDirectory(prefix="mote-") as directory:
            write(directory, scene)
            try:
                return self.call(directory, "check", "scene.json", "--quiet").returncode == 0
            except Bad:
                return False

    def run(self, scene):
        """check, then one frame; says how it ended."""
        with tempfile.TemporaryDirectory(prefix="mote-") as directory:
            write(directory, scene)
            if self.call(directory, "check", "scene.json").returncode != 0:
                return "refused"
            done = self.call(directory, "run", "scene.json", "-o", "out", "--frames", "1", "--threads", "1", "--quiet")
            if done.returncode != 0:
                return "stopped"
            need_finite(os.path.join(directory, "out"))
            return "ran"


def write(directory, scene):
    with open(os.path.join(directory, "scene.json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)


def need_finite(directory):
    read_json(os.path.join(directory, "report.json"))  # which refuses NaN and infinities
    for path in glob.glob(os.path.join(directory, "*.csv")):
        with open(path, encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            for row in rows:
                for name, text in zip(names, row):
                    need(math.isfinite(float(text or 0)), f"{os.path.basename(path)}: {name} is {text}")
    for path in glob.glob(os.path.join(directory, "*.ply")):
        need_finite_ply(path)


def need_finite_ply(path):
    """The numbers of the vertices of a binary file."""
    types = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "u1"}
    with open(path, "rb") as file:
        data = file.read()
    head, body = data.split(b"end_header\n", 1)
    fields, count, element = [], 0, ""
    for line in head.decode().splitlines():
        words = line.split()
        if words[0] == "element":
            element = words[1]
            count = int(words[2]) if element == "vertex" else count
        elif words[0] == "property" and element == "vertex":
            fields.append((words[2], types[words[1]]))
    rows = numpy.frombuffer(body, numpy.dtype(fields), count)
    for name, kind in fields:
        if "f" in kind:
            bad = numpy.flatnonzero(~numpy.isfinite(rows[name]))
            need(bad.size == 0, f"{os.path.basename(path)}: {name} of row {bad[:1]} is {rows[name][bad[:1]]}")


def show(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def combinations(schema):
    walk = Walk(schema)
    for scene in base_scenes():
        walk.scene(scene)
    return [(case, value) for case in walk.cases.values() for value in VALUES]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("scenes")
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--values", action="store_true")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--no-memory-limit", action="store_true")
    asked = arguments.parse_args()
    trial = Trial(os.path.abspath(asked.program), asked.no_memory_limit)
    schema = Schema(trial.program, os.path.abspath(asked.scenes))
    everything = combinations(schema)
    names = [f"{case.name} = {show(value)}" for case, value in everything]
    chosen = [c for c, name in zip(everything, names) if asked.only in name]
    if not asked.all and len(chosen) > SAMPLE:
        found = [c for c, name in zip(everything, names) if name in FOUND]
        need(len(found) == len(FOUND), "one of FOUND is no combination")
        chosen = found + random.Random(SEED).sample(chosen, SAMPLE)

    def attempt(combination):
        case, value = combination
        try:
            scene, path, make = case.find_base(trial)
            return case.name, value, trial.run(put(scene, path, make(value)))
        except (Bad, OSError, ValueError, LookupError) as error:
            return case.name, value, error if isinstance(error, Bad) else repr(error)

    ends = dict.fromkeys(ENDS, 0)
    by_value = {show(value): [0, 0] for value in VALUES}  # passed, failed
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as workers:
        for name, value, end in workers.map(attempt, chosen):
            by_value[show(value)][end not in ENDS] += 1
            if end in ENDS:
                ends[end] += 1
            else:
                failed += 1
                print(f"FAIL {name} = {show(value)}: {shorten(str(end))}", flush=True)
    passed = sum(ends.values())
    for name in sorted(trial.unreached):
        if not any(part in name for part in NEVER):
            failed += 1
            print(f"FAIL {name}: accepted in no base scene with an ordinary number; teach base_scenes or the examples")
    for value, (good, bad) in by_value.items() if asked.values else ():
        print(f"{value}: {good} passed, {bad} failed")
    print(f"{len(chosen)} of {len(everything)} combinations: " + ", ".join(f"{ends[k]} {k}" for k in ENDS))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
