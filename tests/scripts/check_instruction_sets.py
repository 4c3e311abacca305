#!/usr/bin/env python3
"""The baseline and the AVX2 library give the same bits for every shipped scene whose methods are all portable.

usage: check_instruction_sets.py BUILD-DIR SCENES-DIR
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def methods_of(value):
    """Every method name in a scene: strings, and the types of objects."""
    if isinstance(value, dict):
        for part in value.values():
            yield from methods_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from methods_of(part)
    elif isinstance(value, str):
        yield value


def not_portable(mote):
    families = json.loads(subprocess.run([mote, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    return {m["name"] for f in families for m in f["methods"] if "portable" not in m["capabilities"]}


def run(mote, scene, directory):
    command = [mote, "run", scene, "-o", directory / "out", "--frames", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": ""})
    report = json.loads((directory / "out" / "report.json").read_text())
    return report["instruction_set"], json.loads(done.stdout)["state_hash"]


def main():
    build, scenes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    compared = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        here = pathlib.Path(temporary)
        # beside the program lies only the baseline library: the loader has nothing else to pick
        shutil.copy(build / "mote", here / "mote")
        shutil.copy(build / "libmote.so.0", here / "libmote.so.0")
        unportable = not_portable(build / "mote")
        for scene in sorted(scenes.glob("*.json")):
            if unportable & set(methods_of(json.loads(scene.read_text()))):
                print(f"{scene.name}: uses methods that are not marked portable")
                continue
            (plain, plain_hash), (wide, wide_hash) = run(here / "mote", scene, here), run(build / "mote", scene, here)
            if plain == wide:
                print(f"both runs used {wide}: this processor has no AVX2, nothing to compare")
                sys.exit(0)
            same = plain_hash == wide_hash
            print(f"{scene.name}: {plain} {plain_hash}, {wide} {wide_hash}: {'same' if same else 'DIFFERENT'}")
            compared, failed = compared + 1, failed + (not same)
    print(f"{compared - failed} passed, {failed} failed")
    sys.exit(1 if failed or not compared else 0)


main()
