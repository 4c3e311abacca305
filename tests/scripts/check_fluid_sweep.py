#!/usr/bin/env python3
"""Random fluids in random tanks: no NaN, no leak, no particle outside.

Blocks of any size and place, tanks from 0.8 to 4 m long in steps of 1 cm, spacings, solvers, viscosities from none to 1000
times that of water and initial speeds up to 10 m/s, 5,000 particles and two simulated seconds each. Every scene follows from
its number, so a scene that fails is run again with --only. In two dimensions every fourth one.

usage: check_fluid_sweep.py MOTE [--count N] [--only K] [--first K] [--keep DIR] [--seconds S]
"""
import json
import os
import random
import sys
import time

from harness import Bad, need, need_exit, read_json, run, run_cases

LEAST, MOST = 5000, 7000
# wcsph with another set of constants, and the solver for flows that fill their container (docs/fluids.md)
LEFT_OUT = ("mueller2003", "isph")


def solver_of(rng, known, speed, height):
    """A compressible fluid must be stiff enough for its speed: sound five times as fast keeps densities within 4 %."""
    name = rng.choice(known)
    if name == "wcsph":
        return {"type": name, "state": {"type": "tait", "stiffness": 25 * (speed ** 2 + 2 * 9.81 * height)}}
    return {"type": name}


def number_in(length, spacing):
    return int(length / spacing)


def scene_of(number, known):
    """A scene with at least 5,000 particles in a tank that they do not fill."""
    rng = random.Random(number)
    flat = number % 4 == 3
    length = rng.randint(80, 400) / 100
    depth = 2 if flat else rng.randint(20, 100) / 100
    height = rng.choice([1, 1.5, 2])
    while True:
        if flat:
            wide, high = rng.uniform(0.3, 0.9) * length, rng.uniform(0.3, 0.8) * height
            spacing = (wide * high / rng.uniform(LEAST + 500, MOST)) ** 0.5
            count = number_in(wide, spacing) * number_in(high, spacing)
        else:
            wide, deep, high = rng.uniform(0.2, 0.8) * length, rng.uniform(0.5, 1) * depth, rng.uniform(0.3, 0.8) * height
            spacing = (wide * deep * high / rng.uniform(LEAST + 500, MOST)) ** (1 / 3)
            deep = min(deep, depth - spacing)
            count = number_in(wide, spacing) * number_in(deep, spacing) * number_in(high, spacing)
        wide, high = min(wide, length - spacing), min(high, height - spacing)
        if count >= LEAST and spacing < 0.25 * min(length, depth, height):
            break
    half = spacing / 2
    x = rng.choice([half, length - half - wide, rng.uniform(half, length - half - wide)])
    z = rng.choice([half, half, rng.uniform(half, height - half - high)])
    speed = rng.choice([0, rng.uniform(0, 10)])
    direction = [rng.gauss(0, 1), 0 if flat else rng.gauss(0, 1), rng.gauss(0, 1)]
    norm = sum(d * d for d in direction) ** 0.5
    velocity = [speed * d / norm for d in direction]
    viscosity = rng.choice([None, 1e-6, 10 ** rng.uniform(-6, -3), 1e-3])
    if flat:
        box = {"type": "box", "min": [x, z, -1], "max": [x + wide, z + high, 1]}
        tank = {"type": "box", "min": [0, 0, -1], "max": [length, height, 1]}
        velocity = [velocity[0], velocity[2], 0]
    else:
        y = rng.uniform(half, depth - half - deep)
        box = {"type": "box", "min": [x, y, z], "max": [x + wide, y + deep, z + high]}
        tank = {"type": "box", "min": [0, 0, 0], "max": [length, depth, height]}
    fluid = {"dimension": 2 if flat else 3, "spacing": spacing, "relax": True, "pressure": solver_of(rng, known, speed, height),
             "phases": [{"name": "water", "velocity": velocity, "fill": [box]}]}
    if viscosity:
        fluid["viscosity"] = {"type": "laplacian", "nu": viscosity}
    return {"up": "y" if flat else "z", "time": {"end": 2, "step": {"type": "cfl", "factor": 0.4, "max": 0.005}, "fps": 2},
            "fluid": fluid, "colliders": [{"name": "tank", "shape": tank, "inside": True}],
            "output": {"formats": ["ply"], "fields": ["id"]}}


LOOK = """
import sys
import numpy
z = numpy.load(sys.argv[1])
x, low, high = z['fluid/x'], *(numpy.array([float(w) for w in a.split(',')]) for a in sys.argv[2:4])
assert numpy.isfinite(x).all() and numpy.isfinite(z['fluid/v']).all(), 'not finite'
outside = ((x < low - 1e-9) | (x > high + 1e-9)).any(axis=1)
assert not outside.any(), f'{outside.sum()} particles outside, the first at {x[outside][0]}'
print(len(x))
"""


def check_scene(mote, number, known, seconds, keep):
    def check(directory):
        scene = scene_of(number, known)
        path, out = os.path.join(directory, f"sweep{number}.json"), os.path.join(directory, "out")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene, file, indent=1)
        if keep:
            with open(os.path.join(keep, f"sweep{number}.json"), "w", encoding="utf-8") as file:
                json.dump(scene, file, indent=1)
        begin = time.monotonic()
        done = run(mote, ["run", path, "-o", out, "--quiet", "--checkpoint-every", "1000"], directory, seconds=seconds)
        need_exit(done, 0)
        report = read_json(os.path.join(out, "report.json"))
        need(report["outcome"] == "done" and abs(report["time"] - 2) < 1e-9, f"it ended at t = {report['time']} s")
        need(report["particles"]["fluid"] >= LEAST, f"only {report['particles']['fluid']} particles")
        need(report["fluid"]["culled"] == 0, f"{report['fluid']['culled']} particles were left out")
        last = [name for name in os.listdir(out) if ".checkpoint." in name]
        tank = scene["colliders"][0]["shape"]
        corners = [",".join(str(c) for c in tank[end]) for end in ("min", "max")]
        look = run("/usr/bin/python3", ["-c", LOOK, os.path.join(out, last[0]), *corners], directory)
        need(look.returncode == 0, look.stderr.strip().splitlines()[-1] if look.stderr else "numpy failed")
        f = report["fluid"]
        print(f"     {number}: {scene['fluid']['pressure']['type']}, {report['particles']['fluid']} particles, "
              f"{report['steps']} steps, {time.monotonic() - begin:.0f} s, density error {f['density_error_avg']:.2g} "
              f"(largest {f['density_error_max']:.2g}), penetrations {f['penetrations']}", flush=True)
        need(f["penetrations"] == 0, f"{f['penetrations']} times a particle went through a wall and was put back")
    return check


def option(name, usual):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else usual


def main():
    mote = os.path.abspath(sys.argv[1])
    done = run(mote, ["list", "pressure", "--json"], ".")
    known = sorted(m["name"] for m in json.loads(done.stdout)[0]["methods"] if m["name"] not in LEFT_OUT)
    if not known:
        raise Bad("no pressure solvers")
    first, count = int(option("--first", "0")), int(option("--count", "200"))
    numbers = [int(option("--only", "0"))] if "--only" in sys.argv else range(first, first + count)
    keep, seconds = option("--keep", None), int(option("--seconds", "3600"))
    sys.exit(run_cases([(f"scene {k}", check_scene(mote, k, known, seconds, keep)) for k in numbers]))


main()
