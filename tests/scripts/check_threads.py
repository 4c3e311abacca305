#!/usr/bin/env python3
"""A hanging cloth of 60,000 particles: the same state_hash on 1, 2, 3 and 8 threads, and the work was shared.

usage: check_threads.py MOTE SCENES-DIR
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(mote, scene, threads, directory):
    report = directory / f"{threads}.json"
    command = [mote, "run", scene, "-o", directory / "out", "--threads", str(threads), "--report", report, "--quiet",
               "--set", "bodies[0].mesh.columns=300", "--set", "bodies[0].mesh.rows=200",
               "--set", "time.step=0.00001", "--until", "0.001", "--set", "time.fps=500"]
    subprocess.run(command, check=True)
    return json.loads(report.read_text())


def main():
    mote, scene = sys.argv[1], pathlib.Path(sys.argv[2]) / "hanging_cloth.json"
    with tempfile.TemporaryDirectory() as temporary:
        reports = {n: run(mote, scene, n, pathlib.Path(temporary)) for n in (1, 2, 3, 8)}
    good = True
    for threads, report in reports.items():
        shared = sum(blocks > 0 for blocks in report["worker_blocks"])
        print(f"{threads} threads: {report['state_hash']}, {report['particles']['solid']} particles, "
              f"{report['steps']} steps, blocks of each worker {report['worker_blocks']}")
        good = good and report["state_hash"] == reports[1]["state_hash"] and report["particles"]["solid"] == 60000
        good = good and (threads == 1 or shared >= 2)
    print("1 passed, 0 failed" if good else "0 passed, 1 failed")
    sys.exit(0 if good else 1)


main()
