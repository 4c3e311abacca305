#!/usr/bin/env python3
"""Exit code 2 (bad usage or input) leaves nothing behind, and a resume that fails keeps what was there.

Every command is given bad input of many kinds, in a directory with the results of an earlier run. It must refuse with a
message that names the file it is about, and every file, directory and time of change must be as before.

usage: check_leftovers.py MOTE
"""
import glob
import json
import os
import shutil
import sys

from harness import arguments_of, need, need_exit, need_in, run, run_cases

SCENE = {
    "time": {"end": 0.1, "step": 0.001, "fps": 100},
    "bodies": [{"name": "rope", "density": 0.1, "radius": 0.01,
                "mesh": {"type": "rope", "start": [0, 0, 2], "end": [1, 0, 2], "segments": 10},
                "model": {"type": "spring", "k": 20, "damping_spring": 0.02}, "pins": [{"set": "start"}]}],
}
FLUID = {
    "time": {"end": 0.1, "step": 0.001},
    "fluid": {"spacing": 0.1, "phases": [{"fill": [{"type": "box", "min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}]}]},
}
FIRST_ORDER = dict(SCENE, dynamics="first_order", integrator="explicit_euler")
PINNED = dict(SCENE, bodies=[dict(SCENE["bodies"][0], pins=[{"nodes": list(range(11))}])])

CHECKPOINT = "out/scene.checkpoint.000000045.npz"

# what is refused: the words of the command, and the file that the message must name ("": it is about none)
REFUSED = [
    (["run"], ""),
    (["run", "missing.json"], "missing.json"),
    (["run", "half.json"], "half.json"),
    (["run", "out"], "out"),
    (["run", "scene.json", "-o", "out", "--set", "time.step=-1"], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", "time.step"], ""),
    (["run", "scene.json", "-o", "out", "--set", "nothing[="], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", "time.step=10"], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", "time.fps=1e12"], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", 'output.fields=["nothing"]'], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", 'output.formats=["vtp", "vtp"]'], "scene.json"),
    (["run", "scene.json", "-o", "out", "--set", 'bodies[0].pins=[{"set": "nowhere"}]'], "scene.json"),
    (["run", "scene.json", "-o", "out", "--until", "-1"], ""),
    (["run", "scene.json", "-o", "out", "--checkpoint-every", "-1"], ""),
    (["run", "scene.json", "-o", "new/" + "deep/" * 800], "scene.json"),
    (["run", "scene.json", "-o", "out", "--threads", "100000"], "scene.json"),
    (["run", "fluid.json", "--static"], "fluid.json"),
    (["run", "fluid.json", "--static", "-o", "out", "--report", "new.json"], "fluid.json"),
    (["run", "first_order.json", "--static"], "first_order.json"),
    (["resume", "missing.npz"], "missing.npz"),
    (["resume", "empty"], "empty"),
    (["resume", "scene.json"], "scene.json"),
    (["resume", "damaged.npz"], "damaged.npz"),
    (["resume", "damaged.npz", "-o", "out"], "damaged.npz"),
    (["resume", CHECKPOINT, "--scene", "fluid.json"], "fluid.json"),
    (["resume", CHECKPOINT, "--scene", "missing.json"], "missing.json"),
    (["resume", CHECKPOINT, "--set", "time.step=-1"], "scene"),
    (["resume", CHECKPOINT, "--set", "nothing=1"], "scene"),
    (["resume", CHECKPOINT, "--set", "bodies[0].mesh.segments=11"], CHECKPOINT),
    (["resume", CHECKPOINT, "--set", "bodies[0].density=2"], CHECKPOINT),
    (["resume", CHECKPOINT, "--until", "0.01"], "scene"),
    (["resume", "out", "--set", 'output.fields=["nothing"]'], "scene"),
    (["modes", "missing.json"], "missing.json"),
    (["modes", "fluid.json", "-o", "new"], "fluid.json"),
    (["modes", "fluid.json", "--static", "-o", "out"], "fluid.json"),
    (["modes", "first_order.json", "-o", "new"], "first_order.json"),
    (["modes", "pinned.json", "-o", "new"], "pinned.json"),
    (["modes", "scene.json", "--count", "1000", "-o", "new"], "scene.json"),
    (["modes", "scene.json", "--static", "--set", "time.end=-1", "-o", "new"], "scene.json"),
    (["surface", "missing.json"], "missing.json"),
    (["surface", "scene.json", "-o", "new", "--field", "nothing"], "scene.json"),
    (["surface", "scene.json", "-o", "new", "--method", "nothing"], "scene.json"),
    (["surface", "scene.json", "-o", "new", "--format", "nothing"], "scene.json"),
    (["surface", "scene.json", "-o", "new", "--set", "time.step=-1"], "scene.json"),
    (["surface", "empty", "-o", "new"], "empty"),
    (["surface", "out", "-o", "new", "--field", "nothing"], "out"),
    (["surface", "damaged.vtp", "-o", "new"], "damaged.vtp"),
    (["surface", "missing.vtp", "-o", "new"], "missing.vtp"),
    (["render", "missing.json", "-o", "new.png"], "missing.json"),
    (["render", "scene.json", "-o", "new.xyz"], ""),
    (["render", "scene.json", "-o", "new/", "--size", "0x0"], ""),
    (["render", "scene.json", "-o", "new/", "--field", "nothing"], "scene.json"),
    (["render", "out", "-o", "new.png", "--frame", "999"], ""),
    (["render", "damaged", "-o", "new/"], "damaged"),
    (["plot", "missing"], "missing"),
    (["plot", "empty", "-o", "new"], "empty"),
    (["plot", "out", "-o", "new", "--size", "1x1"], ""),
    (["plot", "damaged", "-o", "new"], "damaged"),
    (["validate", "nothing", "-o", "new"], ""),
    (["validate", "-o"], ""),
    (["bench", "nothing"], ""),
    (["check", "missing.json"], "missing.json"),
    (["check", "half.json"], "half.json"),
    (["check", "scene.json", "--set", "time.step=-1"], "scene.json"),
    (["info", "missing.npz"], "missing.npz"),
    (["info", "damaged.npz"], "damaged.npz"),
]


def write_json(directory, name, content):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        json.dump(content, file)


def prepare(mote, directory):
    """A run with its checkpoints, and damaged pieces of it."""
    for name, content in (("scene", SCENE), ("fluid", FLUID), ("first_order", FIRST_ORDER), ("pinned", PINNED)):
        write_json(directory, name + ".json", content)
    out = os.path.join(directory, "out")
    need_exit(run(mote, ["run", "scene.json", "-o", "out", "--quiet", "--checkpoint-every", "0.045", "--keep", "9"],
                  directory), 0)
    os.mkdir(os.path.join(directory, "empty"))
    shutil.copytree(out, os.path.join(directory, "damaged"))
    for source, target, part in ((os.path.join(directory, "scene.json"), "half.json", 0.5),
                                 (os.path.join(directory, CHECKPOINT), "damaged.npz", 0.5),
                                 (os.path.join(out, "scene.000000.vtp"), "damaged.vtp", 0.5),
                                 (os.path.join(out, "scene.000000.vtp"), "damaged/scene.000000.vtp", 0.5),
                                 (os.path.join(out, "scene.csv"), "damaged/scene.csv", 0.02)):
        with open(source, "rb") as file:
            content = file.read()
        with open(os.path.join(directory, target), "wb") as file:
            file.write(content[:int(part * len(content))])


def tree(directory):
    """Everything below, with the times of change; links are not followed."""
    found = {}
    for top, directories, files in os.walk(directory):
        for name in directories + files:
            path = os.path.join(top, name)
            info = os.lstat(path)
            found[os.path.relpath(path, directory)] = (info.st_mode, info.st_size, info.st_mtime_ns, info.st_ino)
    return found


def need_same_tree(before, after, what):
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    need(not changed, f"{what}: these came, went or changed: {changed[:8]}")


def refused(mote):
    def check(directory):
        prepare(mote, directory)
        before = tree(directory)
        for arguments, file in REFUSED:
            what = " ".join(arguments)[:200]
            done = run(mote, arguments, directory)
            need_same_tree(before, tree(directory), what)
            need(done.returncode == 2, f"{what}: exit code {done.returncode}; stderr {done.stderr!r}")
            graphics = arguments[0] == "render" and any(word in done.stderr for word in ("OpenGL", "libmote_view", "rendering:"))
            need(graphics or file in done.stderr, f"{what}: {file!r} is not in {done.stderr!r}")
        print(f"     {len(REFUSED)} commands refused")
    return check


def begun(mote):
    """Bad input that is met on the way, after files were written, is a failure: exit code 1, and what is there is whole."""
    def check(directory):
        prepare(mote, directory)
        with open(os.path.join(directory, "out", "scene.000003.vtp"), "r+b") as file:
            file.truncate(100)
        done = run(mote, ["surface", "out", "-o", "new", "--format", "vtp", "--spacing", "0.1", "--quiet"], directory)
        need_exit(done, 1)
        need_in("scene.000003.vtp", done.stderr, "the message")
        made = sorted(os.listdir(os.path.join(directory, "new")))
        need(made == [f"scene.surface.{k:06d}.vtp" for k in range(3)] + ["scene.surface.pvd"], f"there are {made}")
    return check


def contents(paths):
    found = {}
    for path in paths:
        with open(path, "rb") as file:
            found[path] = file.read()
    return found


def failing_resume(mote):
    """The numbers fail, at once or after some frames: the frames beyond these stay, and so do index and tables if there
    are none."""
    def check(directory):
        prepare(mote, directory)
        out = os.path.join(directory, "out")
        kept = contents(glob.glob(os.path.join(out, "scene.*")))
        for k, rewritten in (("1e60", 0), ("2000", 1)):
            done = run(mote, ["resume", CHECKPOINT, "--quiet", "--set", f"bodies[0].model.k={k}"], directory)
            need_exit(done, 1)
            need_in(CHECKPOINT, done.stderr, "the message")
            there = contents(glob.glob(os.path.join(out, "scene.*")))
            need(there.keys() >= kept.keys(), f"k = {k}: gone are {sorted(kept.keys() - there.keys())}")
            changed = [os.path.basename(path) for path, content in kept.items() if there[path] != content]
            frames = [name for name in changed if name.endswith(".vtp")]
            need(bool(frames) == bool(rewritten) and len(frames) < 5, f"k = {k}: changed are {frames}")
            need(rewritten or changed in ([], ["scene.scene.json"]), f"k = {k}: changed are {changed}")
    return check


def changed_resume(mote):
    """A resume that comes to its end removes what the run had beyond it."""
    def check(directory):
        prepare(mote, directory)
        need_exit(run(mote, ["resume", CHECKPOINT, "--quiet", "--until", "0.07"], directory), 0)
        frames = sorted(glob.glob(os.path.join(directory, "out", "scene.0*.vtp")))
        need(frames[-1].endswith(".000007.vtp") and len(frames) == 8, f"the frames are {frames}")
    return check


def main():
    mote, = arguments_of("check_leftovers.py MOTE", 1)
    sys.exit(run_cases([("refused", refused(mote)), ("begun", begun(mote)), ("failing resume", failing_resume(mote)),
                        ("changed resume", changed_resume(mote))]))


main()
