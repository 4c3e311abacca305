#!/usr/bin/env python3
"""A dam break of 51,200 particles with every pressure solver: the same state_hash on 1, 2, 3 and 8 threads, the work was shared,
and a run that is resumed on another number of threads ends in the same bits.

usage: check_fluid_threads.py MOTE SCENES-DIR [SOLVER ...]
"""
import glob
import json
import os
import sys

from harness import need, need_exit, read_json, run, run_cases

UNTIL = "0.02"


def hash_of(mote, scene, solver, threads, directory, extra=()):
    out = os.path.join(directory, f"out{threads}{len(extra)}")
    done = run(mote, ["run", scene, "-o", out, "--quiet", "--threads", str(threads), "--until", UNTIL,
                      "--set", f"fluid.pressure={solver}", "--set", "time.fps=100", *extra], directory, seconds=900)
    need_exit(done, 0)
    return read_json(os.path.join(out, "report.json")), out


def check_solver(mote, scene, solver):
    def check(directory):
        reports = {n: hash_of(mote, scene, solver, n, directory)[0] for n in (1, 2, 3, 8)}
        for threads, report in reports.items():
            need(report["state_hash"] == reports[1]["state_hash"], f"{threads} threads give other bits than one")
            need(report["particles"]["fluid"] == 51200 and report["steps"] >= 4, "not the scene that it should be")
            need(threads == 1 or sum(b > 0 for b in report["worker_blocks"]) >= 2, "one worker did it all")
        _, out = hash_of(mote, scene, solver, 2, directory, ["--checkpoint-every", "0.01"])
        first = sorted(glob.glob(os.path.join(out, "*.npz")))[0]
        again = os.path.join(directory, "again")
        need_exit(run(mote, ["resume", first, "-o", again, "--quiet", "--threads", "3"], directory, seconds=900), 0)
        resumed = read_json(os.path.join(again, "report.json"))
        need(0 < resumed["resumed"]["steps"] < resumed["steps"], "it was not resumed in the middle")
        need(resumed["state_hash"] == reports[1]["state_hash"], "a resumed run ends in other bits")
        print(f"     {solver}: {reports[1]['steps']} steps, {reports[1]['state_hash']}", flush=True)
    return check


def main():
    mote, scene = os.path.abspath(sys.argv[1]), os.path.join(os.path.abspath(sys.argv[2]), "large", "dam_break_50k.json")
    done = run(mote, ["list", "pressure", "--json"], ".")
    known = [m["name"] for m in json.loads(done.stdout)[0]["methods"]]
    chosen = sys.argv[3:] or known
    sys.exit(run_cases([(name, check_solver(mote, scene, name)) for name in chosen]))


main()
