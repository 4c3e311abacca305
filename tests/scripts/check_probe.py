#!/usr/bin/env python3
"""`mote probe` on a scene, its results and a file; the observable `probe` with its tables and images; refusals.

usage: check_probe.py MOTE SCENES
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

PROBLEMS = []


def check(condition, what):
    if not condition:
        PROBLEMS.append(what)


def run(mote, *arguments, code=0):
    done = subprocess.run([mote, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr}")
    return done


def table(text):
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(text.splitlines())]


def write_scene(scenes, folder):
    scene = json.loads((scenes / "taylor_green.json").read_text())
    scene["fluid"]["spacing"] = 0.05
    scene["time"].update({"end": 0.04, "fps": 50})
    line = {"type": "line", "from": [0, 0.25, 0], "to": [1, 0.25, 0], "count": 5}
    plane = {"type": "plane", "corner": [0, 0, 0], "side": [0.6, 0.8, 0], "other_side": [-0.8, 0.6, 0],
             "columns": 4, "rows": 3}
    scene["observables"] = [{"type": "probe", "operator": "curl", "at": line},
                            {"type": "probe", "column": "pressure", "operator": "gradient", "at": plane}]
    scene["output"] = {"checkpoint_every": 0.02}
    path = folder / "vortices.json"
    path.write_text(json.dumps(scene))
    return path


def check_values(mote, scene):
    rows = table(run(mote, "probe", scene, "--at", "0.25,0.25,0", "--at", "0.1,0.3,0", "--field", "curl:v",
                     "--field", "divergence:v").stdout)
    check(len(rows) == 2, f"two positions: {rows}")
    for row in rows:
        exact = 4 * math.pi * math.sin(2 * math.pi * row["x_m"]) * math.sin(2 * math.pi * row["y_m"])
        check(abs(row["curl_v_z"] - exact) < 1.2, f"{row}: a vorticity of {exact} is expected")
        check(abs(row["weight"] - 1) < 0.05, f"{row}: a weight of 1 is expected")


def check_run(mote, scene, folder):
    """The observable, the command on its frames and the images of a resumed run agree."""
    out = folder / "out"
    run(mote, "run", scene, "-o", out, "--quiet")
    last = table((out / "vortices.probe.csv").read_text())[-1]
    line = table(run(mote, "probe", out, "--line", "0,0.25,0,1,0.25,0,5", "--field", "curl:v").stdout)
    for k, row in enumerate(line):
        # frames are single precision and have no densities
        check(abs(row["curl_v_z"] - last[f"curl_v_z@{k}"]) < 0.2, f"{row} and {last} differ")
    images = sorted(path.name for path in (out / "images").iterdir())
    check(images == ["vortices.probe2.000000.vti", "vortices.probe2.000001.vti", "vortices.probe2.000002.vti",
                     "vortices.probe2.pvd"], f"images: {images}")
    before = {path.name: path.read_bytes() for path in (out / "images").iterdir()}
    (out / "images" / "vortices.probe2.000002.vti").unlink()
    steps = sorted(out.glob("vortices.checkpoint.*.npz"))[0]
    run(mote, "resume", steps, "--quiet")
    for name, data in before.items():
        check((out / "images" / name).read_bytes() == data, f"{name} differs after a resumed run")


def check_files(mote, scene, folder):
    file = folder / "grid.vti"
    run(mote, "probe", scene, "--grid", "0,0,0,1,1,0,3,4,1", "--field", "v", "-o", file)
    check(b'WholeExtent="0 2 0 3 0 0"' in file.read_bytes(), "the extent of a grid is missing")
    run(mote, "probe", scene, "--plane", "0,0,0,1,0,0,0,1,0,3,3", "-o", folder / "plane.csv")
    check(len(table((folder / "plane.csv").read_text())) == 9, "a plane of nine positions")


def check_refusals(mote, scene, folder):
    for arguments, what in ((["--at", "0,0"], "not 3 numbers"), ([], "where?"),
                            (["--at", "0,0,0", "--field", "velocity"], "there is no column 'velocity'"),
                            (["--at", "0,0,0", "--field", "curl:density"], "does not apply"),
                            (["--at", "0,0,0", "--field", "rot:v"], "no operator 'rot'"),
                            (["--at", "0,0,0", "--grid", "0,0,0,1,1,1,2,2,2"], "only one of"),
                            (["--grid", "0,0,0,1,1,0,2,2,2"], "not above"),
                            (["--plane", "0,0,0,1,0,0,1,1,0,3,3"], "not orthogonal"),
                            (["--at", "0,0,0", "-o", folder / "x.vti"], "single points are no image"),
                            (["--at", "0,0,0", "-o", folder / "x.txt"], "allowed: .csv, .vti"),
                            (["--at", "0,0,0", "--form", "symmetric", "--correction", "least_squares"], "least_squares"),
                            (["--at", "0,0,0", "--kernel", "viscosity"], "options.kernel")):
        done = run(mote, "probe", scene, *arguments, code=2)
        check(what in done.stderr, f"{arguments}: '{done.stderr}' without '{what}'")


def main():
    mote, scenes = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scene = write_scene(scenes, folder)
        check_values(mote, scene)
        check_run(mote, scene, folder)
        check_files(mote, scene, folder)
        check_refusals(mote, scene, folder)
    for problem in PROBLEMS:
        print(problem)
    sys.exit(bool(PROBLEMS))


main()
