#!/usr/bin/python3
"""Densities and pressures in frames belong to the positions beside them: check_fluid_frames.py MOTE

A block of fluid that two blows squeeze, without walls, in the plane. Every frame's densities must be the sum of the
kernel over the positions of that frame, whatever the solver; those of an equation of state give its pressures; and a run
that writes them ends in the same state as one that does not.
"""

import json
import math
import os
import sys

from harness import arguments_of, need, need_exit, read_json, run, run_cases

SPACING, SUPPORT, DENSITY = 0.05, 0.1, 1000
SOLVERS = ("wcsph", "mueller2003", "dfsph", "iisph", "pbf")


def scene_of(solver, fields):
    half = {"density": DENSITY, "velocity": [2, 0, 0], "fill": [{"type": "box", "min": [-0.4, 0, -1], "max": [0, 0.4, 1]}]}
    other = {"density": DENSITY, "velocity": [-2, 0, 0], "fill": [{"type": "box", "min": [0, 0, -1], "max": [0.4, 0.4, 1]}]}
    return {"up": "y", "gravity": [0, 0, 0], "time": {"end": 0.02, "step": {"type": "cfl", "max": 0.002}, "fps": 200},
            "fluid": {"dimension": 2, "spacing": SPACING, "kernel": "cubic", "pressure": solver,
                      "viscosity": {"type": "laplacian", "nu": 0.05}, "phases": [half, other]},
            "output": {"formats": [{"type": "ply", "ascii": True}], "fields": fields}}


def cubic(q):
    norm = 40 / (7 * math.pi * SUPPORT**2)
    return norm * (6 * q**3 - 6 * q**2 + 1 if q <= 0.5 else 2 * (1 - q) ** 3 if q < 1 else 0)


def poly6(q):
    return 4 / (math.pi * SUPPORT**2) * (1 - q * q) ** 3 if q < 1 else 0


def read_frame(path):
    """Rows of numbers by the names of their properties."""
    with open(path, encoding="utf-8") as file:
        header, body = file.read().split("end_header\n")
    names = [line.split()[-1] for line in header.splitlines() if line.startswith("property")]
    return [dict(zip(names, map(float, line.split()))) for line in body.splitlines()]


def check_frame(rows, solver):
    kernel, mass = poly6 if solver == "mueller2003" else cubic, DENSITY * SPACING**2
    for a in rows:
        density = sum(mass * kernel(math.hypot(a["x"] - b["x"], a["y"] - b["y"]) / SUPPORT) for b in rows)
        need(abs(a["density"] / density - 1) < 2e-5, f"a density is {a['density']} and should be {density}")
        if solver == "wcsph":
            pressure = max(0, 1000 * DENSITY / 7 * ((density / DENSITY) ** 7 - 1))
            need(abs(a["pressure"] - pressure) < 30, f"a pressure is {a['pressure']} and should be {pressure}")


def state_of(mote, directory, name, scene):
    with open(os.path.join(directory, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)
    need_exit(run(mote, ["run", name + ".json", "-o", name, "--quiet", "--threads", "1"], directory), 0)
    return read_json(os.path.join(directory, name, "report.json"))


def check(mote, solver, directory):
    report = state_of(mote, directory, "shown", scene_of(solver, ["density", "pressure"]))
    frames = [read_frame(os.path.join(directory, "shown", f"shown.{k:06d}.ply")) for k in range(report["frames"])]
    for rows in frames:
        check_frame(rows, solver)
    changed = max(abs(a["density"] - b["density"]) for a, b in zip(frames[0], frames[-1]))
    need(changed > 1e-3 * DENSITY, "no density has changed, so nothing was seen")
    plain = state_of(mote, directory, "plain", scene_of(solver, ["v"]))
    need(plain["state_hash"] == report["state_hash"], "writing densities has changed the run")


def main():
    (mote,) = arguments_of("check_fluid_frames.py MOTE", 1)
    return run_cases([(s, lambda directory, s=s: check(mote, s, directory)) for s in SOLVERS])


sys.exit(main())
