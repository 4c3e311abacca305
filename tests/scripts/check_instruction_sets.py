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


def portable_integrators(mote):
    families = json.loads(subprocess.run([mote, "list", "integrator", "--json"], check=True, capture_output=True,
                                         text=True).stdout)
    return [m["name"] for m in families[0]["methods"] if "portable" in m["capabilities"]]


# What makes a scene portable that is not: sine and cosine are the C library's.
REPLACED = {
    "jelly_block": ["colliders[0].motion={\"type\": \"translate\", \"velocity\": [0.3, 0, 0]}"],
    "swinging_rope": ["bodies[0].pins[0].motion={\"type\": \"keyframes\", \"times\": [0, 1, 2],"
                      " \"positions\": [[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0.1]]}"],
}


def run(mote, scene, directory, sets):
    command = [mote, "run", scene, "-o", directory / "out", "--frames", "4", "--json"]
    command += [word for value in sets for word in ("--set", value)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": ""})
    report = json.loads((directory / "out" / "report.json").read_text())
    return report["instruction_set"], json.loads(done.stdout)["state_hash"], report["outcome"]


def variants(mote, scenes, unportable):
    """Every scene as it is (or made portable), and one with every integrator in turn."""
    for scene in sorted(scenes.glob("*.json")):
        sets = REPLACED.get(scene.stem, [])
        if not sets and unportable & set(methods_of(json.loads(scene.read_text()))):
            print(f"{scene.name}: uses methods that are not marked portable")
        else:
            yield scene, sets
    for name in portable_integrators(mote):
        yield scenes / "hanging_cloth.json", [f"integrator={name}", "time.step=0.0001", "time.fps=500"]


def main():
    build, scenes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    compared = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        here = pathlib.Path(temporary)
        # beside the program lies only the baseline library: the loader has nothing else to pick
        shutil.copy(build / "mote", here / "mote")
        shutil.copy(build / "libmote.so.0", here / "libmote.so.0")
        for scene, sets in variants(build / "mote", scenes, not_portable(build / "mote")):
            plain, wide = run(here / "mote", scene, here, sets), run(build / "mote", scene, here, sets)
            if plain[0] == wide[0]:
                print(f"both runs used {wide[0]}: this processor has no AVX2, nothing to compare")
                sys.exit(0)
            same = plain[1:] == wide[1:] and wide[2] == "done"
            print(f"{scene.name} {' '.join(sets)}: {plain}, {wide}: {'same' if same else 'DIFFERENT'}")
            compared, failed = compared + 1, failed + (not same)
    print(f"{compared - failed} passed, {failed} failed")
    sys.exit(1 if failed or not compared else 0)


main()
