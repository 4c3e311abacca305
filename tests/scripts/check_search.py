#!/usr/bin/env python3
"""`mote search` on a scene, its results and a file, compared with numpy; and what it refuses.

usage: check_search.py MOTE SCENES
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

PROBLEMS = []


def check(condition, what):
    if not condition:
        PROBLEMS.append(what)


def search(mote, *arguments, code=0, text=None):
    run = subprocess.run([mote, "search", *map(str, arguments)], capture_output=True, text=True, input=text)
    check(run.returncode == code, f"search {arguments}: exit code {run.returncode}, not {code}: {run.stderr}")
    return run


def answers(mote, *arguments, text=None):
    return [json.loads(line) for line in search(mote, *arguments, "--json", text=text).stdout.splitlines()]


def check_scene(mote, scene):
    everything, = answers(mote, scene, "--at", "0,0,0", "--nearest", 10000)
    ids = numpy.array([p["id"] for p in everything["particles"]])
    x = numpy.array([p["x"] for p in everything["particles"]])
    box = 3.468e-9
    for at in ([0, 0, 0], [1e-9, 2e-9, 3.4e-9], [-1e-10, 0, 5e-9]):
        d = x - at
        d -= box * numpy.round(d / box)
        distance = numpy.sqrt((d * d).sum(1))
        within, = answers(mote, scene, "--at", ",".join(map(str, at)), "--radius", 5e-10)
        expected = set(ids[distance <= 5e-10])
        check({p["id"] for p in within["particles"]} == expected, f"at {at}: {within}, not {expected}")
        nearest, = answers(mote, scene, "--nearest", 3, "--points", "-", text=" ".join(map(str, at)) + "\n")
        found = [p["distance"] for p in nearest["particles"]]
        check(numpy.allclose(found, numpy.sort(distance)[:3], atol=1e-20), f"nearest to {at}: {nearest}")
    edited, = answers(mote, scene, "--at", "0,0,0", "--nearest", 1, "--remove", 0, "--insert", "1e-11,0,0")
    check(edited["particles"][0]["id"] == len(ids), f"after an insertion: {edited}")


def check_results(mote, scene, folder):
    subprocess.run([mote, "run", scene, "-o", folder, "--quiet", "--set", "time.end=2e-13", "--set", "time.fps=1e13"],
                   check=True, capture_output=True)
    from_scene = answers(mote, scene, "--at", "0,0,0", "--nearest", 4)
    from_results = answers(mote, folder, "--at", "0,0,0", "--nearest", 4, "--time", 0)
    check([p["id"] for p in from_scene[0]["particles"]] == [p["id"] for p in from_results[0]["particles"]],
          f"{from_scene} and {from_results} differ")
    file = sorted(pathlib.Path(folder).glob("*.vtp"))[0]
    check(answers(mote, file, "--at", "0,0,0", "--exists")[0]["exists"], "the first particle is missing in its file")


def check_refusals(mote, scene):
    for arguments, what in ((["--at", "0,0"], "not a position"), (["--at", "0,0,0"], "which query"),
                            (["--radius", 1], "where?"), (["--at", "0,0,0", "--radius", -1], "--radius"),
                            (["--at", "0,0,0", "--nearest", 1, "--radius", 1], "which query"),
                            (["--at", "0,0,0", "--nearest", 1, "--remove", 99999], "no point with the id 99999"),
                            (["--at", "0,0,0", "--nearest", 1, "--system", "dust"], "no system 'dust'"),
                            (["--at", "0,0,0", "--nearest", 1, "--method", "heap"], "heap")):
        run = search(mote, scene, *arguments, code=2)
        check(what in run.stderr, f"{arguments}: '{run.stderr}' without '{what}'")


def main():
    mote, scene = sys.argv[1], pathlib.Path(sys.argv[2]) / "argon_melt.json"
    check_scene(mote, scene)
    with tempfile.TemporaryDirectory() as folder:
        check_results(mote, scene, folder)
    check_refusals(mote, scene)
    for problem in PROBLEMS:
        print(problem)
    sys.exit(bool(PROBLEMS))


main()
