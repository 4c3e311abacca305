#!/usr/bin/env python3
"""Runs every shipped scene for some frames and opens what it wrote with VTK.

usage: check_results.py MOTE SCENES-DIR
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def check(mote, scene, directory):
    run = subprocess.run([mote, "run", scene, "-o", directory, "--frames", "5", "--quiet"], capture_output=True,
                         text=True)
    if run.returncode != 0 or run.stdout:
        return f"exit {run.returncode}: {run.stderr}{run.stdout}"
    if scene.stat().st_size == 0 or not (directory / "report.json").exists():
        return "no report"
    report = json.loads((directory / "report.json").read_text())
    if report["frames"] != 6 or report["outcome"] != "done":
        return f"{report['frames']} frames, outcome {report['outcome']}"
    opened = subprocess.run([sys.executable, HERE / "check_vtp.py", directory / f"{scene.stem}.pvd"],
                            capture_output=True, text=True)
    return "" if opened.returncode == 0 else opened.stdout + opened.stderr


def main():
    mote, scenes = sys.argv[1], pathlib.Path(sys.argv[2])
    passed = failed = 0
    for scene in sorted(scenes.glob("*.json")):
        with tempfile.TemporaryDirectory() as temporary:
            problem = check(mote, scene, pathlib.Path(temporary) / "out")
        print(f"{scene.name}: {problem or 'ok'}")
        passed, failed = passed + (not problem), failed + bool(problem)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
