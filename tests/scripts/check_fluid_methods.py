#!/usr/bin/env python3
"""Random small fluids over presets, solvers, boundaries, kernels, dimensions, fills, colliders, phases and viscosities;
from scene 1000 on with a random viscosity model, surface tension and vorticity method as well.

Every scene is run to its end and must have finite positions and velocities, no particle outside of its container or
deep inside of an obstacle, and no more energy than its start and its moving collider gave it. Every seventh scene has the
same state hash on 1, 2, 3 and 8 threads, every seventh is resumed from a checkpoint in its middle and ends in the same
bits. A scene follows from its number alone: --only K runs one again, --keep DIR saves the scenes.

usage: check_fluid_methods.py MOTE [--count N] [--first K] [--only K] [--keep DIR]
"""
import ast
import csv
import glob
import json
import math
import os
import random
import struct
import sys
import zipfile

from harness import need, need_exit, read_json, run, run_cases

STEP, STEPS = 0.002, 100
SECONDS = 20  # of processor time for a run; most take less than one
GRAVITY = 9.81

# Published boundaries that gain energy in quiescent fluid (docs/fluid_accuracy.md, Boundaries). They are run for
# everything else.
GAINS_ENERGY = {"akinci2012", "density_map", "volume_map"}

# Solvers that gain energy with the shifting of `accurate`; `mote check` warns about it.
GAINS_BY_SHIFTING = {"iisph", "pbf", "wcsph"}

# isph is stable up to this ratio of densities (docs/fluid_accuracy.md).
RATIO_ISPH = 2

# Growth of the total energy that is allowed beside the work of colliders, in the energy that the scene has: that of its
# speed and that of a fall through its own height.
GROWTH = 0.03

# Positive definite kernels for wide supports, the others where they do not pair (docs/fluids.md, Kernels).
# Terms that add energy, or whose potential is not part of the energy. They are run for everything else.
FEEDS = {"confinement", "akinci2013"}
TERMS = 1000  # the first scene with them
VISCOSITIES = ["corotational", "laplacian", "morris1997", "mueller2003", "xsph", "implicit_corotational", "weiler2018",
               "takahashi2015", "peer2015"]
LAWS = [None, {"type": "power_law", "exponent": 0.5, "most": 10}, {"type": "carreau1972", "exponent": 0.6, "time": 0.5}]

KERNELS = [("cubic", 2), ("wendland_c2", 2.5), ("wendland_c2", 3), ("wendland_c4", 3), ("quintic", 3)]
BOUNDARIES = ["continuum", "fluid_layers", "samples", "geometric", "akinci2012", "density_map", "volume_map"]
PRESSURES = ["dfsph", "iisph", "pbf", "isph", "wcsph"]


class Tank:
    """A container along the axes and what is left of it along periodic axes."""

    def __init__(self, rng, flat):
        self.flat = flat
        self.size = [rng.choice([0.6, 0.8, 1.0]), rng.choice([0.6, 1.0]), rng.choice([0.4, 0.6])]
        if flat:
            self.size[2] = 2
        self.low = [0, 0, -1 if flat else 0]
        self.high = [self.low[k] + self.size[k] for k in range(3)]
        self.up = 1 if flat else 2

    def box(self, low, high):
        """A box from fractions of the container; all of it across the plane in two dimensions."""
        corners = []
        for part in (low, high):
            corner = [self.low[k] + part[k] * self.size[k] for k in range(3)]
            corners.append(corner[:2] + [self.high[2] if part is high else self.low[2]] if self.flat else corner)
        return {"type": "box", "min": corners[0], "max": corners[1]}


def fills_of(rng, tank, kind, most):
    """Boxes of fluid that do not overlap, in the order of the phases."""
    up = tank.up
    if kind == "full" or kind == "periodic":
        levels = [0, 1]
    elif kind == "pool":
        levels = [0, rng.choice([0.3, 0.5, 0.7])]
    else:  # a column beside a wall
        low, high = [0, 0, 0], [rng.choice([0.3, 0.5]), 1, 1]
        high[up] = rng.choice([0.5, 0.8])
        return [tank.box(low, high)]
    layers = min(rng.choice([1, 1, 2, 3]), most)
    boxes = []
    for k in range(layers):
        low, high = [0, 0, 0], [1, 1, 1]
        low[up] = levels[0] + (levels[1] - levels[0]) * k / layers
        high[up] = levels[0] + (levels[1] - levels[0]) * (k + 1) / layers
        boxes.append(tank.box(low, high))
    return boxes


def volume_of(box, flat):
    sides = [box["max"][k] - box["min"][k] for k in range(2 if flat else 3)]
    return math.prod(sides)


def pressure_of(rng, name, speed, height):
    """Sound ten times as fast as the flow; the pressures of isph are of both signs."""
    if name == "wcsph":
        return {"type": name, "state": {"type": "tait", "stiffness": 100 * (speed ** 2 + 2 * GRAVITY * height)}}
    return name


class Ball:
    """An obstacle in the middle of the tank, still or moving."""

    def __init__(self, rng, tank, spacing):
        self.radius = max(0.12 * tank.size[0], 2 * spacing)
        self.start = [0.5 * (tank.low[k] + tank.high[k]) for k in range(3)]
        self.kind = rng.choice(["still", "translate", "oscillate"])
        self.speed = [0, 0, 0]
        self.end, self.reach, self.rate = 0, 0.1 * tank.size[0], rng.choice([1, 4])
        if self.kind == "translate":
            fall = rng.choice([0.3, 1.0])
            self.speed[tank.up] = -fall
            self.end = 0.5 * (self.start[tank.up] - tank.low[tank.up] - self.radius) / fall

    def collider(self):
        collider = {"name": "ball", "shape": {"type": "sphere", "center": self.start, "radius": self.radius}}
        if self.kind == "translate":
            collider["motion"] = {"type": "translate", "velocity": self.speed, "end": self.end}
        elif self.kind == "oscillate":
            collider["motion"] = {"type": "oscillate", "amplitude": [self.reach, 0, 0], "frequency": self.rate}
        return collider

    def center(self, time):
        if self.kind == "oscillate":
            return [self.start[0] + self.reach * math.sin(2 * math.pi * self.rate * time), *self.start[1:]]
        return [self.start[k] + self.speed[k] * min(time, self.end) for k in range(3)]

    def velocity(self, time):
        if self.kind == "oscillate":
            omega = 2 * math.pi * self.rate
            return [omega * self.reach * math.cos(omega * time), 0, 0]
        return self.speed if time < self.end else [0, 0, 0]


def methods_of(rng, fluid, speed, height):
    """Half of the scenes have only the defaults of their preset."""
    if rng.random() < 0.5:
        return
    name = rng.choice(PRESSURES)
    if name in GAINS_BY_SHIFTING:
        fluid["quality"] = "splash"
    fluid["pressure"] = pressure_of(rng, name, speed, height)
    fluid["boundary"] = rng.choice(BOUNDARIES)
    fluid["kernel"], fluid["support"] = rng.choice(KERNELS)
    if name == "isph":
        fluid["shifting"] = "lind2012"


def terms_of(rng, fluid):
    """A viscosity model, surface tension in three dimensions, a vorticity method; at times all of them."""
    name = rng.choice(VISCOSITIES)
    nu = rng.choice([1e-6, 1e-4, 1e-3, 1e-2])
    if name.startswith(("implicit", "weiler", "takahashi")):
        nu = rng.choice([1e-4, 1e-2, 1])
    fluid["viscosity"] = {"type": name} if name in ("xsph", "peer2015") else {"type": name, "nu": nu}
    if name in ("corotational", "implicit_corotational", "weiler2018", "takahashi2015") and rng.random() < 0.5:
        fluid["viscosity"]["law"] = rng.choice(LAWS)
        if not fluid["viscosity"]["law"]:
            del fluid["viscosity"]["law"]
    else:
        for phase in fluid["phases"]:
            phase.pop("viscosity", None)
    if rng.random() < 0.4:
        # micropolar is explicit, and eddies grow where its transfer is above twice the viscosity
        slow = min(nu, 1e-3) * (0.05 if "law" in fluid["viscosity"] else 1)
        fluid["vorticity"] = rng.choice([{"type": "micropolar", "transfer": slow}, {"type": "confinement", "strength": 0.02}])
    if fluid["dimension"] == 3 and rng.random() < 0.4:
        fluid["surface_tension"] = {"type": "akinci2013", "gamma": 0.1, "adhesion": rng.choice([0, 0.1])}


def feeds_energy(fluid):
    return any(fluid.get(key, {}).get("type") in FEEDS for key in ("vorticity", "surface_tension"))


def scene_of(number):
    """The scene, its tank and its obstacle."""
    rng = random.Random(number)
    flat, tank_kind = rng.random() < 0.5, rng.choice(["full", "pool", "pool", "column", "column", "periodic"])
    tank = Tank(rng, flat)
    fills = fills_of(rng, tank, tank_kind, 3 if flat else 2)
    volume = sum(volume_of(box, flat) for box in fills)
    spacing = (volume / rng.uniform(300, 1800)) ** (1 / 2 if flat else 1 / 3)
    if tank_kind == "periodic":  # supports must be below half a period
        spacing = min(spacing, min(tank.size) / 6.5)
    speed = rng.choice([0, 0, rng.uniform(0, 3)]) if tank_kind != "full" else 0
    height = tank.size[tank.up]
    direction = [rng.gauss(0, 1), rng.gauss(0, 1), 0 if flat else rng.gauss(0, 1)]
    norm = math.hypot(*direction)
    densities = [1000] + [rng.choice([1000, 900, 500, 100, 10]) for _ in fills[1:]]
    phases = [{"name": f"p{k}", "density": densities[k], "velocity": [speed * d / norm for d in direction],
               "fill": [box]} for k, box in enumerate(fills)]
    if tank_kind == "periodic":
        flow = {"type": "taylor_green", "speed": rng.choice([0.3, 1]), "length": tank.size[0]}
        for phase in phases:
            phase["flow"] = flow
    fluid = {"dimension": 2 if flat else 3, "spacing": spacing, "quality": rng.choice(["splash", "accurate"]), "phases": phases}
    viscosity = rng.choice([None, 1e-6, 1e-6, 1e-4, 1e-2])
    if viscosity and rng.random() < 0.3:
        for phase in phases:
            phase["viscosity"] = viscosity * rng.choice([1, 3])
    elif viscosity:
        fluid["viscosity"] = viscosity
    methods_of(rng, fluid, speed, height)
    if number >= TERMS:
        terms_of(rng, fluid)
    if fluid.get("pressure", "isph" if fluid["quality"] == "accurate" else "dfsph") == "isph":
        for phase in phases:
            phase["density"] = max(phase["density"], 1000 / RATIO_ISPH)
    scene = {"_": tank_kind, "up": "y" if flat else "z",
             "time": {"end": STEPS * STEP, "step": {"type": "cfl", "max": STEP}, "fps": 1 / STEP},
             "fluid": fluid, "output": {"formats": []}}
    ball = None
    if tank_kind == "periodic":
        scene["domain"] = {"min": tank.low, "max": tank.high, "periodic": "xy" if flat else "xyz"}
        scene["gravity"] = [0, 0, 0]
        tank = None
    else:
        scene["colliders"] = [{"name": "tank", "inside": True, "shape": {"type": "box", "min": tank.low, "max": tank.high}}]
        if tank_kind != "full" and rng.random() < 0.5:
            ball = Ball(rng, tank, spacing)
            scene["colliders"].append(ball.collider())
            scene["observables"] = [{"type": "collider_load", "collider": "ball"}]
    return scene, tank, ball


def column(archive, name):
    """A column of doubles of a checkpoint, as a flat tuple."""
    with archive.open(name + ".npy") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + size].decode())
    need(head["descr"] == "<f8", f"{name} is of type {head['descr']}")
    count = math.prod(head["shape"])
    return struct.unpack(f"<{count}d", data[10 + size:10 + size + 8 * count])


def check_particles(path, scene, tank, ball):
    with zipfile.ZipFile(path) as archive:
        x, v = column(archive, "fluid/x"), column(archive, "fluid/v")
        time = json.loads(archive.read("header.json"))["time"]
    need(all(math.isfinite(c) for c in x) and all(math.isfinite(c) for c in v), "not finite")
    if not tank:
        return
    outside = sorted({k // 3 for k in range(len(x)) if not tank.low[k % 3] - 1e-9 <= x[k] <= tank.high[k % 3] + 1e-9})
    need(not outside, f"{len(outside)} particles outside: {[x[3 * k:3 * k + 3] for k in outside[:1]]}")
    if ball:
        center, deep = ball.center(time), ball.radius - 0.5 * scene["fluid"]["spacing"]
        inside = [k for k in range(len(x) // 3) if math.dist(x[3 * k:3 * k + 3], center) < deep]
        need(not inside, f"{len(inside)} particles inside of the ball: {[x[3 * k:3 * k + 3] for k in inside[:1]]}")


def work_of(out, ball):
    """Of the moving collider on the fluid, summed over the frames before each one."""
    path = glob.glob(os.path.join(out, "*collider_load*.csv"))
    if not ball or not path:
        return None
    with open(path[0], encoding="utf-8", newline="") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    work, sums = 0.0, [0.0]
    for before, now in zip(rows, rows[1:]):
        u = ball.velocity(0.5 * (before[0] + now[0]))
        work -= sum(u[k] * now[1 + k] for k in range(3)) * (now[0] - before[0])
        sums.append(work)
    return sums


def find_growth(out, name, scene, ball):
    """The largest growth of the energy, when that was, and the largest work of the obstacle, in the energy of the scene."""
    fluid = scene["fluid"]
    with open(os.path.join(out, f"{name}.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    total = [float(row["total_J"]) for row in rows]
    mass = sum(p["density"] * volume_of(p["fill"][0], fluid["dimension"] == 2) for p in fluid["phases"])
    up = 1 if fluid["dimension"] == 2 else 2
    low = min(p["fill"][0]["min"][up] for p in fluid["phases"])
    high = max(p["fill"][0]["max"][up] for p in fluid["phases"])
    fall = 0 if "gravity" in scene else GRAVITY * (high - low)
    scale = float(rows[0]["kinetic_J"]) + mass * fall
    work = work_of(out, ball) or [0.0] * len(rows)
    growth = [(t - total[0] - w) / (scale + abs(w)) for t, w in zip(total, work)]
    worst = max(range(len(growth)), key=growth.__getitem__)
    return growth[worst], float(rows[worst]["time_s"]), max(map(abs, work)) / scale


def label(scene):
    fluid = scene["fluid"]
    pressure = fluid.get("pressure", "-")
    pressure = pressure["type"] if isinstance(pressure, dict) else pressure
    ball = [c.get("motion", {"type": "still"})["type"] for c in scene.get("colliders", []) if c["name"] == "ball"]
    terms = " ".join(fluid[key]["type"] for key in ("vorticity", "surface_tension") if key in fluid)
    return (f"{fluid['dimension']}D {scene['_']} {fluid['quality']} {pressure} {fluid.get('boundary', '-')} "
            f"{fluid.get('kernel', '-')} {len(fluid['phases'])} phases nu {fluid.get('viscosity', '-')} {terms} "
            f"ball {ball[0] if ball else '-'}")


def check_scene(mote, number, keep):
    def go(directory, out, *extra, threads="1"):
        done = run(mote, ["run", f"methods{number}.json", "-o", out, "--quiet", "--threads", threads, *extra], directory,
                   seconds=SECONDS)
        need_exit(done, 0)
        return read_json(os.path.join(directory, out, "report.json"))

    def check(directory):
        scene, tank, ball = scene_of(number)
        for folder in filter(None, (directory, keep)):
            with open(os.path.join(folder, f"methods{number}.json"), "w", encoding="utf-8") as file:
                json.dump(scene, file, indent=1)
        out, half = os.path.join(directory, "out"), STEP * STEPS / 2
        report = go(directory, "out", "--checkpoint-every", str(half), "--keep", "9")
        need(report["outcome"] == "done", f"it ended at t = {report['time']} s: {report['failure']}")
        checkpoints = sorted(glob.glob(os.path.join(out, "*.npz")))
        growth, when, work = find_growth(out, f"methods{number}", scene, ball)
        fluid = report["fluid"]
        print(f"     {number}: {label(scene)}: {report['particles']['fluid']} particles, {report['steps']} steps, growth "
              f"{growth:.4f} at {when:.3f} s, work {work:.3f}, density error {fluid['density_error_avg']:.2g}, "
              f"penetrations {fluid['penetrations']}, culled {fluid['culled']}", flush=True)
        for path in checkpoints:
            check_particles(path, scene, tank, ball)
        need(scene["fluid"].get("boundary") in GAINS_ENERGY or feeds_energy(scene["fluid"]) or growth < GROWTH, f"energy grows by {growth:.3f} at {when} s")
        if number % 7 == 0:
            for threads in ("2", "3", "8"):
                other = go(directory, "out" + threads, threads=threads)
                need(other["state_hash"] == report["state_hash"], f"{threads} threads give other bits than one")
        if number % 7 == 1:
            done = run(mote, ["resume", checkpoints[0], "-o", "again", "--quiet", "--threads", "2"], directory, seconds=SECONDS)
            need_exit(done, 0)
            again = read_json(os.path.join(directory, "again", "report.json"))
            need(0 < again["resumed"]["steps"] < again["steps"], "it was not resumed in its middle")
            need(again["state_hash"] == report["state_hash"], "a resumed run ends in other bits")
    return check


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main():
    mote = os.path.abspath(sys.argv[1])
    first, count = int(option("--first", "0")), int(option("--count", "300"))
    numbers = [int(option("--only", "0"))] if "--only" in sys.argv else range(first, first + count)
    keep = option("--keep", None)
    sys.exit(run_cases([(f"scene {k}", check_scene(mote, k, keep)) for k in numbers]))


main()
