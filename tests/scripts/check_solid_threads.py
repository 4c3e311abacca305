#!/usr/bin/env python3
"""A block of 53,240 tetrahedra that lands on a slope, by every implicit scheme and an explicit one, with finite elements and with
elements that keep their size: the same state_hash on 1, 2, 3 and 8 threads, the work was shared, and a run that is resumed on
another number of threads ends in the same bits.

usage: check_solid_threads.py MOTE [INTEGRATOR ...]
"""
import glob
import json
import os
import sys

from harness import need, need_exit, read_json, run, run_cases

STEPS = {"velocity_verlet": 0.0002, "linear_implicit": 0.01, "implicit_euler": 0.01, "implicit_midpoint": 0.002,
         "bdf2": 0.005, "newmark": 0.002}
MODELS = {
    "fem": {"type": "fem", "damping_stiffness": 0.001,
            "material": {"type": "corotated", "young": 1e5, "poisson": 0.3}},
    "elements": {"type": "elements", "length": 140, "volume": 19200, "damping_length": 0.03, "damping_volume": 4},
}


def write_scene(directory, integrator, model):
    step = STEPS[integrator]
    scene = {
        "time": {"end": 8 * step, "step": step, "fps": 0.5 / step}, "integrator": integrator,
        "bodies": [{"density": 1000, "velocity": [0.1, 0, -1], "model": MODELS[model],
                    "mesh": {"type": "block", "min": [0, 0, 0.0001], "max": [1, 1, 1.0001], "nx": 23, "ny": 23, "nz": 23,
                             "tetrahedra": 5}}],
        "colliders": [{"shape": {"type": "plane", "normal": [0.05, 0, 1]}, "friction": 0.3}],
    }
    path = os.path.join(directory, "block.json")
    with open(path, "w") as file:
        json.dump(scene, file)
    return path


def report_of(mote, scene, threads, directory, extra=()):
    out = os.path.join(directory, f"out{threads}{len(extra)}")
    need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--threads", str(threads), *extra], directory, seconds=900), 0)
    return read_json(os.path.join(out, "report.json")), out


def check_block(mote, integrator, model):
    def check(directory):
        scene = write_scene(directory, integrator, model)
        reports = {n: report_of(mote, scene, n, directory)[0] for n in (1, 2, 3, 8)}
        for threads, report in reports.items():
            need(report["state_hash"] == reports[1]["state_hash"], f"{threads} threads give other bits than one")
            need(report["particles"]["solid"] == 23**3 and report["steps"] == 8, "not the scene that it should be")
            need(threads == 1 or sum(b > 0 for b in report["worker_blocks"]) >= 2, "one worker did it all")
        _, out = report_of(mote, scene, 2, directory, ["--checkpoint-every", str(3 * STEPS[integrator])])
        first = sorted(glob.glob(os.path.join(out, "*.npz")))[0]
        again = os.path.join(directory, "again")
        need_exit(run(mote, ["resume", first, "-o", again, "--quiet", "--threads", "3"], directory, seconds=900), 0)
        resumed = read_json(os.path.join(again, "report.json"))
        need(0 < resumed["resumed"]["steps"] < resumed["steps"], "it was not resumed in the middle")
        need(resumed["state_hash"] == reports[1]["state_hash"], "a resumed run ends in other bits")
        print(f"     {integrator}, {model}: {reports[1]['state_hash']}", flush=True)
    return check


def main():
    mote = os.path.abspath(sys.argv[1])
    chosen = sys.argv[2:] or list(STEPS)
    sys.exit(run_cases([(f"{name}, {model}", check_block(mote, name, model)) for name in chosen for model in MODELS]))


main()
