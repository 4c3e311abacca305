#!/usr/bin/env python3
"""Runs every shipped scene for some frames and opens what it wrote with VTK. With --first only one frame after the start,
and without VTK: for sanitized builds, which look at the program.

usage: check_results.py MOTE SCENES-DIR [--first]
"""
import os
import sys

from harness import need, need_exit, read_json, run, run_cases


def read_back(index):
    """VTK is loaded once for all scenes, and not at all where it is not asked for."""
    from check_vtp import Bad, check_index
    try:
        check_index(index)
    except Bad as bad:
        need(False, str(bad))


def check_scene(mote, scene, frames, with_vtk):
    def check(directory):
        name = os.path.splitext(os.path.basename(scene))[0]
        out = os.path.join(directory, "out")
        done = run(mote, ["run", scene, "-o", out, "--frames", str(frames), "--quiet"], directory)
        need_exit(done, 0)
        need(not done.stdout, f"it prints {done.stdout!r}")
        report = read_json(os.path.join(out, "report.json"))
        need(report["frames"] == frames + 1 and report["outcome"] == "done" and report["steps"] > 0,
             f"{report['frames']} frames, outcome {report['outcome']}, {report['steps']} steps")
        if with_vtk:
            read_back(os.path.join(out, f"{name}.pvd"))
    return check


def main():
    first = "--first" in sys.argv
    mote, scenes = (os.path.abspath(path) for path in sys.argv[1:3])
    found = sorted(name for name in os.listdir(scenes) if name.endswith(".json"))
    frames = 1 if first else 5
    sys.exit(run_cases([(name, check_scene(mote, os.path.join(scenes, name), frames, not first)) for name in found]))


main()
