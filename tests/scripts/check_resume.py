#!/usr/bin/env python3
"""Runs that are killed and resumed end in the same bits as those that are left alone.

For every integrator, on a scene with springs, pair forces, contacts, a moved pin and oriented particles: the run, which would
never end by itself, is killed by SIGKILL several times, resumed each time on another number of threads, and led to an end
a little after its last checkpoint. There it must have the state_hash, the frames, the index and the table of an uninterrupted
run to that end. A kill comes when the run has come to something: another checkpoint, a frame after it, half a checkpoint. How
far it is by then depends on the machine, what is compared does not. Whatever lies under a checkpoint's name is whole
at every moment.

usage: check_resume.py MOTE [--kills N] [--all-threads] [--few-integrators]
"""
import glob
import json
import os
import random
import subprocess
import sys

from harness import Bad, need, need_exit, need_in, read_json, run, run_cases, start, wait_until

FOREVER = 1e5  # [s]

NUMPY_CHECK = """
import json, sys
import numpy
z = numpy.load(sys.argv[1])
header = json.loads(bytes(z['header.json']))
for system in header['systems']:
    for c in system['columns']:
        a = z[system['name'] + '/' + c['name']]
        assert a.shape[0] == system['rows'] and a.nbytes == c['bytes'], c['name']
assert numpy.isfinite(z['forces/x']).all() and z['run/table'].shape[0] == header['run']['written'] + 1
"""

SCENE = {
    "gravity": [0, 0, -9.81],
    "time": {"end": 0.3, "step": 0.0004, "fps": 250},
    "bodies": [
        {"name": "sheet", "mesh": {"type": "cloth", "columns": 20, "rows": 20, "origin": [0, 0, 0.5]}, "density": 1.25,
         "radius": 0.02, "model": {"type": "spring", "k": 2, "damping_spring": 0.002, "damping_viscous": 0.0005},
         "pins": [{"set": "u0v0", "motion": {"type": "translate", "velocity": [0, 0, 0.2]}}]},
        {"name": "grains", "mesh": {"type": "hexagonal", "nx": 5, "ny": 5, "nz": 2, "spacing": 0.1,
                                    "origin": [0.2, 0.2, 0.6]},
         "mass": 0.5, "radius": 0.04, "velocity": [0.1, 0, -1], "oriented": True, "angular_velocity": [3, 2, 1]}],
    "forces": [{"type": "lennard_jones", "e": 1e-5, "r0": 0.045}, {"type": "drag", "linear": 1e-4},
               {"type": "damping_viscous", "range": 0.06, "g": 0.001}],
    "colliders": [
        {"name": "ball", "shape": {"type": "sphere", "center": [0.5, 0.5, 0.2], "radius": 0.25}, "friction": 0.3,
         "restitution": 0.4, "motion": {"type": "rotate", "speed": 2}},
        {"name": "floor", "shape": {"type": "plane"}, "restitution": 0.5}],
    "output": {"formats": ["vtp"], "fields": ["id", "v", "body"]},
}


def results(directory):
    """All result files by name, without the report and the checkpoints."""
    found = {}
    for path in sorted(glob.glob(os.path.join(directory, "*"))):
        name = os.path.basename(path)
        if name != "report.json" and ".checkpoint." not in name and not name.endswith(".times.csv"):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def need_same(expected, directory, what):
    found = results(directory)
    need(sorted(found) == sorted(expected), f"{what}: files {sorted(found)} instead of {sorted(expected)}")
    for name, text in expected.items():
        need(found[name] == text, f"{what}: {name} differs")


def checkpoints(directory):
    return sorted(glob.glob(os.path.join(directory, "*.checkpoint.*.npz")))


def number_of(path):
    """The steps of a checkpoint, or the number of a frame."""
    return int(path.split(".")[-2])


def newest(paths):
    return max(map(number_of, paths), default=-1)


def frames(out):
    return glob.glob(os.path.join(out, "scene.[0-9]*.vtp"))


def kill_once(mote, command, out, rng):
    """Starts the program and kills it when it has come further, in one of several ways."""
    before = newest(checkpoints(out))
    process = start(mote, command, os.path.dirname(out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_until(process, lambda: newest(checkpoints(out)) > before, "another checkpoint")
    further = newest(checkpoints(out))
    event = rng.choice(("at once", "a frame", "half a checkpoint"))
    if event == "a frame":
        written = {path: os.stat(path).st_mtime_ns for path in frames(out)}
        wait_until(process, lambda: any(os.stat(path).st_mtime_ns != written.get(path) for path in frames(out)), event)
    elif event == "half a checkpoint":  # or, if none was seen, the next whole one
        wait_until(process, lambda: glob.glob(os.path.join(out, "*.npz.*.tmp")) or newest(checkpoints(out)) > further, event)
    process.kill()
    _, stderr = process.communicate()
    need(process.returncode == -9, f"a piece ended with {process.returncode}: {stderr[:400]!r}")


def need_finished(out, plain):
    reports = [read_json(os.path.join(directory, "report.json")) for directory in (out, plain)]
    for name in ("state_hash", "outcome", "time", "steps"):
        need(reports[0][name] == reports[1][name], f"{name} {reports[0][name]} instead of {reports[1][name]}")
    need_same(results(plain), out, "after the kills")


def kill_and_resume(mote, scene, out, rng, kills, threads, every):
    """Kills the run so many times and takes it to an end three frames after its last checkpoint, which is returned."""
    for _ in range(kills):
        on = ["--threads", str(rng.choice(threads)), "--quiet"]
        kill_once(mote, ["resume", out, *on] if checkpoints(out) else
                  ["run", scene, "-o", out, *on, "--checkpoint-every", f"{every}"], out, rng)
        for path in checkpoints(out):
            need_exit(run(mote, ["info", path], os.path.dirname(out)), 0)
    last = max(checkpoints(out), key=number_of)
    fps = read_json(scene)["time"]["fps"]
    end = (int(json.loads(run(mote, ["info", last, "--json"], os.path.dirname(out)).stdout)["time"] * fps) + 4) / fps
    done = run(mote, ["resume", out, "--threads", str(rng.choice(threads)), "--quiet", "--until", f"{end}"],
               os.path.dirname(out))
    need_exit(done, 0)
    return end


# What the other scene lacks: a box that repeats itself, lists that are kept by age and not by place, temperatures.
BOX = {
    "observables": ["mean_square_displacement"],
    "gravity": [0, 0, 0],
    "time": {"end": 0.3, "step": 0.001, "fps": 100},
    "domain": {"min": [0, 0, 0], "max": [9.5, 9.5, 9.5]},
    "neighbors": {"type": "cached", "steps": 7, "skin": 0.3},
    "bodies": [{"name": "gas", "mesh": {"type": "hexagonal", "nx": 8, "ny": 8, "nz": 8, "spacing": 1.15, "displacement": 0.1},
                "mass": 500, "radius": 0.4, "velocity": [3, 0, 0]}],
    "forces": [{"type": "lennard_jones", "e": 1, "r0": 1, "r_a": 1.5, "r_b": 2},
               {"type": "heat", "conductivity": 5, "range": 1.5, "specific_heat": 1, "initial": 300, "loss": 0.2,
                "strength": [[0, 1], [250, 0.5]]}],
    "output": {"formats": ["vtp"], "fields": ["id", "v", "temperature"]},
}


# A fluid that comes in, is led, is resorted, meets a moving ball and leaves.
FLUID = {
    "time": {"end": 0.3, "step": {"type": "cfl", "max": 0.004}, "fps": 50},
    "fluid": {
        "spacing": 0.04, "relax": True, "pressure": "dfsph", "viscosity": {"type": "laplacian", "nu": 0.001},
        "phases": [{"fill": [{"type": "box", "min": [0.02, 0.02, 0.02], "max": [0.62, 0.62, 0.82]}]}],
        "emitters": [{"shape": "disc", "center": [0.9, 0.3, 0.9], "direction": [0, 0, -1], "radius": 0.12, "speed": 2}],
        "remove": [{"shape": {"type": "box", "min": [1, 0, 0], "max": [1.2, 0.64, 0.3]}}]},
    "colliders": [
        {"name": "tank", "shape": {"type": "box", "min": [0, 0, 0], "max": [1.2, 0.64, 1]}, "inside": True},
        {"name": "ball", "shape": {"type": "sphere", "center": [0.8, 0.3, 0.15], "radius": 0.1},
         "motion": {"type": "oscillate", "amplitude": [0.05, 0, 0], "frequency": 2}}],
    "output": {"formats": ["vtp"], "fields": ["id", "v", "density"]},
}


def settings(integrator, step, base=None):
    scene = json.loads(json.dumps(base or SCENE))
    if "bodies" in scene:  # a fluid alone has none
        scene["integrator"] = integrator
    if step == "cfl" and base is not FLUID:
        scene["time"]["step"] = {"type": "cfl", "factor": 0.02, "max": 0.0005}
    return scene


def check_integrator(mote, integrator, step, kills, threads, seed, base=None):
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        wanted = settings(integrator, step, base)
        wanted["time"]["end"] = FOREVER
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(wanted, file)
        plain, killed = os.path.join(directory, "plain"), os.path.join(directory, "killed")
        rng = random.Random(f"{integrator} {step} {seed}")
        end = kill_and_resume(mote, scene, killed, rng, kills, threads, 2.3 / wanted["time"]["fps"])
        need_exit(run(mote, ["run", scene, "-o", plain, "--quiet", "--until", f"{end}"], directory), 0)
        need(len(frames(plain)) > 4, f"only {len(frames(plain))} frames")
        need_finished(killed, plain)
    return check


def checkpointing_changes_nothing(mote):
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(settings("rk4", "fixed"), file)
        plain, kept = os.path.join(directory, "plain"), os.path.join(directory, "kept")
        need_exit(run(mote, ["run", scene, "-o", plain, "--quiet"], directory), 0)
        need_exit(run(mote, ["run", scene, "-o", kept, "--quiet", "--checkpoint-every", "0.01", "--keep", "3"],
                      directory), 0)
        need_same(results(plain), kept, "with checkpoints")
        need(len(checkpoints(kept)) == 3, f"{len(checkpoints(kept))} checkpoints are kept instead of 3")
        a, b = (read_json(os.path.join(d, "report.json")) for d in (plain, kept))
        need(a["state_hash"] == b["state_hash"], "checkpoints change the state")
        for path in checkpoints(kept):
            done = subprocess.run(["/usr/bin/python3", "-c", NUMPY_CHECK, path], capture_output=True, text=True,
                                  check=False)
            need(done.returncode == 0, f"numpy does not read {path}: {done.stderr[-400:]}")
    return check


def a_finished_run_goes_further(mote):
    """--until beyond the end: the files are those of a run that was to go that far from the start."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(settings("abm4", "fixed"), file)
        long, short = os.path.join(directory, "long"), os.path.join(directory, "short")
        need_exit(run(mote, ["run", scene, "-o", long, "--quiet", "--until", "0.2"], directory), 0)
        need_exit(run(mote, ["run", scene, "-o", short, "--quiet", "--until", "0.11", "--checkpoint-every", "0.05"],
                      directory), 0)
        need_exit(run(mote, ["resume", short, "--quiet", "--until", "0.2"], directory), 0)
        need_same(results(long), short, "further")
        done = run(mote, ["resume", short, "--until", "0.05"], directory)
        need_exit(done, 2)
        need_in("beyond the end", done.stderr, "the message")
    return check


def changed_parameters(mote):
    """--set where it makes sense is taken and reported; where it does not it is refused with a reason."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(settings("abm4", "fixed"), file)
        out = os.path.join(directory, "out")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--until", "0.04", "--checkpoint-every", "0.02"],
                      directory), 0)
        before = read_json(os.path.join(out, "report.json"))
        file = checkpoints(out)[-1]
        fine = [["bodies[0].model.k=3"], ["time.step=0.0002"], ["gravity=[0,0,0]", "time.end=0.1"],
                ["forces[1].linear=0.01"], ["colliders[0].friction=0"]]
        for changes in fine:
            sets = [word for change in changes for word in ("--set", change)]
            other = os.path.join(directory, "other")
            need_exit(run(mote, ["resume", file, "-o", other, "--quiet", "--until", "0.06", *sets], directory), 0)
            report = read_json(os.path.join(other, "report.json"))
            need(report["resumed"]["changes"] == changes, f"the report says {report['resumed']}")
            need(report["resumed"]["scene_hash"] == before["scene_hash"], "the report lacks the first scene's hash")
            need(report["time"] > 0.05, "it did not go on")
        refused = [("integrator=gear", "column"), ("bodies[0].mesh.columns=21", "particles"),
                   ("bodies[0].density=2", "initial state"), ("bodies[0].name=other", "body"),
                   ("bodies[1].oriented=false", "oriented particles"), ("time.nonsense=1", "unknown key"),
                   ("bodies[0].pins=[]", "initial state")]
        for change, reason in refused:
            done = run(mote, ["resume", file, "-o", os.path.join(directory, "no"), "--quiet", "--set", change], directory)
            need_exit(done, 2)
            need_in(reason, done.stderr, f"the answer to {change}")
            need(not os.path.exists(os.path.join(directory, "no")), f"{change}: something was written")
        need_exit(run(mote, ["resume", file, "--quiet", "--scene", scene, "-o", os.path.join(directory, "x")], directory), 0)
        changed = os.path.join(directory, "changed.json")
        with open(changed, "w", encoding="utf-8") as stream:
            json.dump(dict(settings("abm4", "fixed"), gravity=[0, 0, -1]), stream)
        for sets in ([], ["--set", "time.end=0.2"]):  # a change beside --set would not be in the report
            done = run(mote, ["resume", file, "--quiet", "--scene", changed, *sets], directory)
            need_exit(done, 2)
            need_in("belongs to the scene", done.stderr, "the message")
    return check


SORTED_CHECK = """
import sys
import numpy
id = numpy.load(sys.argv[1])['forces/id']
assert (numpy.diff(id) < 0).any(), 'the rows are in their first order'
"""


def resorted_rows(mote):
    """Rows that were resorted on the way (every 512 steps, from 8192 rows on) come back in the order they had."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        wanted = json.loads(json.dumps(BOX))
        wanted["bodies"][0]["mesh"].update(nx=21, ny=21, nz=21, spacing=1.8)
        wanted["domain"]["max"] = [40, 40, 40]
        wanted["forces"] = wanted["forces"][:1]
        wanted["time"] = {"end": 0.53, "step": 0.001, "fps": 20}
        wanted["output"]["fields"] = ["id"]
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(wanted, file)
        out, more = os.path.join(directory, "out"), os.path.join(directory, "more")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.52"], directory), 0)
        first = checkpoints(out)[0]
        done = subprocess.run(["/usr/bin/python3", "-c", SORTED_CHECK, first], capture_output=True, text=True, check=False)
        need(number_of(first) == 520 and done.returncode == 0, f"{first}: {done.stderr[-400:]}")
        need_exit(run(mote, ["resume", first, "-o", more, "--quiet"], directory), 0)
        a, b = (read_json(os.path.join(d, "report.json")) for d in (out, more))
        need(a["state_hash"] == b["state_hash"], "resorted rows come back otherwise")
    return check


def frame_times(directory, name):
    with open(os.path.join(directory, name + ".csv"), encoding="utf-8") as file:
        return [float(line.split(",")[0]) for line in file.readlines()[1:]]


def changed_frames(mote):
    """Another time.fps: the run goes to its end, with frames at the new times; the scene beside them is the one that is run."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(dict(settings("abm4", "fixed"), time={"end": 0.2, "step": 0.0005, "fps": 100}), file)
        out = os.path.join(directory, "out")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--until", "0.1", "--checkpoint-every", "0.05"],
                      directory), 0)
        file = checkpoints(out)[-1]
        for change, fps in (("time.fps=10", 10), ("time.fps=200", 200),
                            ('time={"end":0.2,"step":0.0005,"fps":20}', 20)):
            other = os.path.join(directory, f"fps{fps}")
            need_exit(run(mote, ["resume", file, "-o", other, "--quiet", "--until", "0.2", "--set", change], directory), 0)
            report = read_json(os.path.join(other, "report.json"))
            need(abs(report["time"] - 0.2) < 1e-9, f"{change}: it ended at t = {report['time']}")
            after = [t for t in frame_times(other, "scene") if t > 0.1 + 1e-9]
            due = [k / fps for k in range(int(0.1 * fps) + 1, int(0.2 * fps) + 1)]
            need(len(after) == len(due) and all(abs(a - b) < 3e-4 for a, b in zip(after, due)), f"{change}: {after}")
            need(read_json(os.path.join(other, "scene.scene.json"))["time"]["fps"] == fps, f"{change}: an old scene")
    return check


def newest_by_its_step(mote):
    """Whatever the directory is called, and however many there are."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(settings("heun", "fixed"), file)
        out = os.path.join(directory, "a.checkpoint.7")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.01", "--keep", "9"], directory), 0)
        newest = checkpoints(out)[-1]
        done = run(mote, ["resume", out], directory)
        need_exit(done, 0)
        need_in(os.path.basename(newest), done.stdout.splitlines()[0], "what it went on from")
    return check


def stopped_runs(mote):
    """SIGTERM: the step is finished, a checkpoint and a report written, exit 0; it goes on as if nothing had been."""
    def check(directory):
        scene = os.path.join(directory, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(dict(settings("beeman", "fixed"), time={"end": FOREVER, "step": 0.0004, "fps": 50}), file)
        plain, out = os.path.join(directory, "plain"), os.path.join(directory, "out")
        process = start(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "1000"], directory)
        wait_until(process, lambda: len(frames(out)) > 2, "two frames")
        process.terminate()
        need(process.wait() == 0, f"exit code {process.returncode}")
        report = read_json(os.path.join(out, "report.json"))
        need(report["outcome"] == "stopped", "it was not stopped on its way")
        need(len(checkpoints(out)) == 1, "no checkpoint was left")
        end = (int(report["time"] * 50) + 2) / 50
        need_exit(run(mote, ["resume", out, "--quiet", "--until", f"{end}"], directory), 0)
        need_exit(run(mote, ["run", scene, "-o", plain, "--quiet", "--until", f"{end}"], directory), 0)
        need_same(results(plain), out, "after SIGTERM")
    return check


def integrators(mote, directory):
    done = run(mote, ["list", "integrator", "--json"], directory)
    return [(m["name"], "variable_step" in m["capabilities"]) for m in json.loads(done.stdout)[0]["methods"]]


def main():
    mote = os.path.abspath(sys.argv[1])
    kills = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 2
    teams = [[1], [2], [1, 2]] if "--all-threads" in sys.argv else [[1, 2]]
    cases = [("checkpointing changes nothing", checkpointing_changes_nothing(mote)),
             ("a finished run goes further", a_finished_run_goes_further(mote)),
             ("changed parameters", changed_parameters(mote)), ("changed frames", changed_frames(mote)),
             ("resorted rows", resorted_rows(mote)),
             ("newest by its step", newest_by_its_step(mote)), ("stopped runs", stopped_runs(mote))]
    known = integrators(mote, ".")
    if len(known) < 17:
        raise Bad(f"only {len(known)} integrators")
    few = ("rk4", "implicit_euler") if "--few-integrators" in sys.argv else [name for name, _ in known]
    for name, varies in known:
        if name not in few:
            continue
        for threads in teams:
            cases.append((f"{name}, threads {threads}", check_integrator(mote, name, "fixed", kills, threads, 1)))
        if varies and ("--all-threads" in sys.argv or name in ("rk4", "symplectic_euler", "heun")):
            cases.append((f"{name}, cfl", check_integrator(mote, name, "cfl", kills, [1, 2], 1)))
    for name, step, search in (("beeman", "fixed", BOX["neighbors"]), ("heun", "cfl", BOX["neighbors"]),
                               ("abm4", "fixed", "verlet_list")):
        cases.append((f"box, {name}, {step}", check_integrator(mote, name, step, kills, [1, 2], 1, dict(BOX, neighbors=search))))
    cases.append(("fluid, cfl", check_integrator(mote, "symplectic_euler", "cfl", kills, [1, 2], 1, FLUID)))
    sys.exit(run_cases(cases))


main()
