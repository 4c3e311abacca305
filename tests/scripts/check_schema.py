#!/usr/bin/env python3
"""Validates the shipped scenes with the schema the program prints, and shows that the schema refuses bad ones.

usage: check_schema.py MOTE SCENES-DIR
"""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema


def variants(scene):
    """Scenes that must not pass: one thing wrong in each."""
    def changed(edit):
        other = copy.deepcopy(scene)
        edit(other)
        return other
    yield "unknown key", changed(lambda s: s.update(colour=1))
    yield "missing time", changed(lambda s: s.pop("time"))
    yield "unknown integrator", changed(lambda s: s.update(integrator="rk5"))
    yield "wrong type", changed(lambda s: s.update(gravity="down"))
    yield "short vector", changed(lambda s: s.update(gravity=[0, 0]))
    yield "out of range", changed(lambda s: s["time"].update(step=-1))
    yield "unknown parameter", changed(lambda s: s.update(integrator={"type": "rk4", "stages": 5}))
    yield "wrong choice", changed(lambda s: s.update(up="w"))


def main():
    mote, scenes = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([mote, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    passed = failed = 0
    files = sorted(scenes.glob("*.json"))
    for path in files:
        scene = json.loads(path.read_text())
        problems = list(validator.iter_errors(scene))
        for problem in problems:
            print(f"{path.name}: {problem.json_path}: {problem.message}")
        passed, failed = passed + (not problems), failed + bool(problems)
        for what, bad in variants(scene):
            if validator.is_valid(bad):
                print(f"{path.name}: the schema accepts a scene with: {what}")
                failed += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not files else 0)


main()
