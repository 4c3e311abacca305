#!/usr/bin/env python3
"""The command line as a user meets it: check_cli.py MOTE-PROGRAM SCENES-DIR

Usage errors, the files of a run, --set, threads, signals, closed pipes, progress, failures, list, explain, schema,
check, and every scene of the directory. Each case has a directory of its own. Standard library only.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys

from harness import (arguments_of, catches, closed_pipe, files_in, finish, full_pipe, need, need_exit, need_healthy,
                     need_in, parse_json, read_all, read_json, run, run_cases, shorten, start, wait_until)
from run_results import FRAME, check_report, check_results, need_hash, need_keys

# a point slides over the ground: friction, collider and integrator all show in the result
SLIDE = {
    "time": {"end": 0.1, "step": 0.001, "fps": 50},
    "bodies": [{"name": "stone", "velocity": [2, 1, -1], "radius": 0.01,
                "mesh": {"type": "points", "positions": [[0, 0, 0.02], [0.1, 0, 0.5]]}}],
    "colliders": [{"name": "ground", "shape": {"type": "plane"}, "friction": 0.1, "restitution": 0.5}],
}

# a rope that swings for longer than anybody waits
LONG = {
    "time": {"end": 1e6, "step": 0.0002, "fps": 50},
    "bodies": [{"name": "rope", "density": 0.1,
                "mesh": {"type": "rope", "start": [0, 0, 2], "end": [1, 0, 2], "segments": 100},
                "model": {"type": "spring", "k": 20, "damping_spring": 0.02}, "pins": [{"set": "start"}]}],
}

# stiff springs and a step far beyond what they bear
EXPLODING = {
    "time": {"end": 10, "step": 0.01, "fps": 100},
    "bodies": [{"name": "bomb", "density": 0.1, "velocity": [0, 0.1, 0],
                "mesh": {"type": "rope", "start": [0, 0, 2], "end": [1, 0, 2], "segments": 10},
                "model": {"type": "spring", "k": 1e9}, "pins": [{"set": "start"}]}],
}


def changed(scene, path, value):
    """A copy of a scene with one value changed; path is a list of keys and indices."""
    copy = json.loads(json.dumps(scene))
    place = copy
    for step in path[:-1]:
        place = place[step]
    if isinstance(place, list) and path[-1] == len(place):
        place.append(value)
    else:
        place[path[-1]] = value
    return copy


def write_scene(directory, scene, name="scene"):
    path = os.path.join(directory, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
    return path


class Program:
    """The program under test."""

    def __init__(self, path):
        self.path = path

    def __call__(self, directory, *arguments, code=0, environment=None):
        done = run(self.path, list(arguments), directory, environment=environment)
        need_exit(done, code)
        return done

    def refuse(self, directory, *arguments, says=()):
        """Exit code 2, one message on stderr, nothing on stdout, no file made."""
        before = files_in(directory)
        done = self(directory, *arguments, code=2)
        need(done.stdout == "", f"stdout is not empty: {shorten(done.stdout)!r}")
        need(done.stderr.startswith("mote: "), f"stderr does not begin with 'mote: ': {done.stderr!r}")
        for part in says:
            need_in(part, done.stderr, "stderr")
        need(files_in(directory) == before, "files were made")

    def summary(self, directory, scene, *flags):
        """What a run with --json prints, and where it wrote."""
        path = write_scene(directory, scene)
        done = self(directory, "run", path, "-o", "out", "--json", *flags)
        return parse_json(done.stdout, "stdout")

    def hash_of(self, directory, scene, *flags):
        return self.summary(directory, scene, *flags)["state_hash"]

    def start(self, directory, *arguments, **streams):
        return start(self.path, list(arguments), directory, **streams)


# ---- usage


COMMANDS = ("run", "view", "render", "resume", "info", "check", "plot", "surface", "search", "list", "explain", "schema",
            "validate", "bench")


def flags_in(text):
    """The flags that a help explains, and what stands for their values ("" without one)."""
    return {found[1]: found[2] or "" for found in re.finditer(r"^  (--?[a-z-]+)(?: (\S+))?(?:  |$)", text, re.M)}


def usage_cases(mote):
    def no_arguments(directory):
        done = mote(directory, code=2)
        need(done.stdout == "", "stdout is not empty")
        need_in("mote run SCENE", done.stderr, "stderr")

    def help_text(directory):
        for word in ("help", "--help", "-h"):
            done = mote(directory, word)
            need(done.stderr == "", "stderr is not empty")
            for part in (*(f"mote {command}" for command in COMMANDS), "COMMAND --help", "Exit codes"):
                need_in(part, done.stdout, "the help")
            need("--set" not in done.stdout, "the flags of the commands are in it")

    def help_of_commands(directory):
        """Each has a help of its own, in which just the flags stand that it takes."""
        scene, known = write_scene(directory, SLIDE), set()
        for command in COMMANDS:
            text = mote(directory, command, "--help").stdout
            need(text.startswith(f"usage: mote {command}"), f"the help of {command} is {shorten(text)!r}")
            for words in (["help", command], [command, "-h"], [command, scene, "--nonsense", "--help"]):
                need(mote(directory, *words).stdout == text, f"{words} gives another text")
            flags = flags_in(text)
            known |= set(flags)
            for flag, value in flags.items():
                if value:  # it is known, and asks for its value
                    mote.refuse(directory, command, flag, says=[f"{command}: {flag} needs a value", value])
                else:
                    mote.refuse(directory, command, flag + "=1", says=[f"{command}: {flag} takes no value"])
        need({"-o", "--set", "--threads", "--orbit", "--repeat", "--spacing"} <= known, f"only {known} are known")
        for command in COMMANDS:
            own = flags_in(mote(directory, command, "--help").stdout)
            for flag in sorted(known - set(own)):
                mote.refuse(directory, command, flag, says=["unknown flag", flag, f"mote {command} --help"])
        mote.refuse(directory, "help", "fly", says=["'fly'"])

    def version(directory):
        text = mote(directory, "--version").stdout
        need(re.match(r"^mote \d+\.\d+\.\d+\b.*\n$", text), f"the version is {text!r}")

    def refusals(directory):
        scene = write_scene(directory, SLIDE)
        for arguments, says in (
                (["fly"], ["fly", "help"]),
                (["run"], ["a scene is missing"]),
                (["check"], ["a scene is missing"]),
                (["explain"], ["a name is missing"]),
                (["run", scene, "--sett", "time.end=1"], ["--sett"]),
                (["run", "--fast", scene], ["--fast"]),
                (["check", scene, "--threads", "2"], ["--threads"]),
                (["list", "-o", "x"], ["-o"]),
                (["run", scene, scene], ["scene.json"]),
                (["run", scene, "--threads", "0"], ["--threads", "'0'", "1"]),
                (["run", scene, "--threads", "-1"], ["--threads", "'-1'"]),
                (["run", scene, "--threads", "two"], ["--threads", "'two'"]),
                (["run", scene, "--threads", "1.5"], ["--threads", "'1.5'", "whole"]),
                (["run", scene, "--threads", "100000"], ["threads", "100000", "1 to "]),
                (["run", scene, "--frames", "-2"], ["--frames", "'-2'"]),
                (["run", scene, "--frames", "1e99"], ["--frames", "'1e99'"]),
                (["run", scene, "--until", "soon"], ["--until", "'soon'"]),
                (["run", scene, "--until", "-1"], ["--until", "'-1'"]),
                (["run", scene, "--until", "nan"], ["--until", "'nan'"]),
                (["run", scene, "--until", "1s"], ["--until", "'1s'"]),
                (["run", scene, "--until", ""], ["--until"]),
                (["run", scene, "--set", "time.end"], ["--set", "time.end", "'='"]),
                (["bench", "--threads", "0"], ["--threads", "'0'", "1 to 256"]),
                (["bench", "springs", "lj"], ["'springs'", "'lj'"]),
                (["bench", "--fast"], ["bench: unknown flag '--fast'"]),
                (["bench", "spring"], ["'spring'", "did you mean 'springs'"]),
                (["validate", "-o"], ["validate: -o needs a value"]),
                (["validate", "frames"], ["'frames'", "did you mean 'frame'"]),
                (["schema", "x"], ["'x'"])):
            mote.refuse(directory, *arguments, says=says)

    def missing_values(directory):
        scene = write_scene(directory, SLIDE)
        for flag in ("-o", "--set", "--threads", "--until", "--frames", "--report"):
            mote.refuse(directory, "run", scene, flag, says=[flag, "value"])
            mote.refuse(directory, "run", flag, "--quiet", scene, says=[flag, "value"])

    return [("no_arguments", no_arguments), ("help", help_text), ("help_of_commands", help_of_commands),
            ("version", version), ("usage_errors", refusals), ("missing_values", missing_values)]


# ---- a run and its files


def run_files(mote, directory):
    done = mote(directory, "run", write_scene(directory, SLIDE), "-o", "deep/out")
    out = os.path.join(directory, "deep", "out")
    need(check_results(out, "scene") == 6, "six frames were expected")
    report = read_json(os.path.join(out, "report.json"))
    check_report(report)
    need(report["scene"] == "scene" and report["frames"] == 6 and report["steps"] == 100, "wrong scene or counts")
    need(abs(report["time"] - 0.1) < 1e-9, f"it ended at {report['time']}")
    need(report["particles"]["free"] == 2 and report["particles"]["solid"] == 0, "two free particles were expected")
    need(len(os.listdir(out)) == 11, f"there are other files: {sorted(os.listdir(out))}")
    for part in ("done", report["state_hash"], "scene.pvd", "report.json"):
        need_in(part, done.stdout, "stdout")
    need(done.stderr == "", f"stderr is not empty: {done.stderr!r}")


def run_usual_directory(mote, directory):
    write_scene(directory, SLIDE)
    mote(directory, "run", "scene.json", "--quiet")
    need(check_results(os.path.join(directory, "out", "scene"), "scene") == 6, "six frames were expected")


def run_json(mote, directory):
    summary = mote.summary(directory, SLIDE)
    report = read_json(os.path.join(directory, "out", "report.json"))
    need_keys(summary, ("outcome", "time", "steps", "frames", "files", "wall_s", "state_hash", "index",
                        "first_file", "report"), "stdout")
    need(summary["outcome"] == "done" and "failure" not in summary, "the outcome is not 'done'")
    for name in ("state_hash", "steps", "frames", "time"):
        need(summary[name] == report[name], f"{name} differs between stdout and report.json")
    for name in ("index", "first_file", "report"):
        need(os.path.isfile(os.path.join(directory, summary[name])), f"{name} names no file: {summary[name]}")


def run_quiet(mote, directory):
    done = mote(directory, "run", write_scene(directory, SLIDE), "-o", "out", "--quiet")
    need(done.stdout == "" and done.stderr == "", f"it says {done.stdout + done.stderr!r}")


def run_until_and_frames(mote, directory):
    for flags, frames, steps in ((["--frames", "3"], 4, 60), (["--frames", "0"], 1, 0), (["--frames", "99"], 6, 100),
                                 (["--until", "0.05"], 4, 50), (["--until", "0"], 1, 0), (["--until", "0.2"], 11, 200),
                                 (["--until", "0.05", "--frames", "1"], 2, 20)):
        out = "out" + "".join(flags)
        mote(directory, "run", write_scene(directory, SLIDE), "-o", out, "--quiet", *flags)
        found = check_results(os.path.join(directory, out), "scene")
        report = read_json(os.path.join(directory, out, "report.json"))
        check_report(report)
        need(found == frames == report["frames"], f"{flags}: {found} frames instead of {frames}")
        need(report["steps"] == steps, f"{flags}: {report['steps']} steps instead of {steps}")


def run_report(mote, directory):
    mote(directory, "run", write_scene(directory, SLIDE), "-o", "out", "--report", "mine.json", "--quiet")
    check_report(read_json(os.path.join(directory, "mine.json")))
    need(not os.path.exists(os.path.join(directory, "out", "report.json")), "there is a second report")


def run_twice(mote, directory):
    first, again = mote.summary(directory, SLIDE), mote.summary(directory, SLIDE)
    need(first["state_hash"] == again["state_hash"], "the same scene gave another state_hash")
    need(check_results(os.path.join(directory, "out"), "scene") == 6, "six frames were expected")
    mote.summary(directory, SLIDE, "--frames", "2")
    frames = [name for name in os.listdir(os.path.join(directory, "out")) if name.endswith(".vtp")]
    need(len(frames) == 3, f"a shorter run left frames of the longer one: {sorted(frames)}")


def run_refused_keeps_results(mote, directory):
    """A bad scene must not touch what an earlier run has written."""
    def contents():
        out = os.path.join(directory, "out")
        return {name: open(os.path.join(out, name), "rb").read() for name in os.listdir(out)}

    mote.summary(directory, SLIDE)
    before = contents()
    for change in ("time.step=-1", "bodies[0].pins=[{\"set\": \"nowhere\"}]", "output.fields=[\"nothing\"]"):
        mote.refuse(directory, "run", "scene.json", "-o", "out", "--set", change)
        need(contents() == before, f"--set {change} changed the results of an earlier run")


def run_formats(mote, directory):
    mote.summary(directory, SLIDE, "--set", "output.formats[1]=ply", "--set", 'output.fields=["mass", "a"]')
    present = os.listdir(os.path.join(directory, "out"))
    for kind in ("vtp", "ply"):
        need(sum(name.endswith("." + kind) for name in present) == 6, f"six .{kind} were expected")


def run_cases_of(mote):
    cases = (run_files, run_usual_directory, run_json, run_quiet, run_until_and_frames, run_report, run_twice,
             run_refused_keeps_results, run_formats)
    return [(case.__name__, lambda directory, case=case: case(mote, directory)) for case in cases]


# ---- --set


def need_same(mote, directory, scene, flags, wanted):
    """--set on a scene does what the same change in the file does, and does change something."""
    sets = [word for flag in flags for word in ("--set", flag)]
    found = mote.hash_of(directory, scene, *sets)
    need(found == mote.hash_of(directory, wanted), f"{flags} is not the same as the change in the file")
    need(found != mote.hash_of(directory, scene), f"{flags} changes nothing")


def set_values(mote, directory):
    """Plain values, and short forms and defaults on the way that have to be written out first."""
    verlet = changed(SLIDE, ["integrator"], "velocity_verlet")
    rk4 = changed(SLIDE, ["integrator"], "rk4")
    fixed = changed(SLIDE, ["time", "step"], {"type": "fixed", "size": 0.001})
    cfl = {"type": "cfl", "factor": 0.3, "max": 0.004}
    ball = {"shape": {"type": "sphere", "center": [0.2, 0.05, 0.4], "radius": 0.06}}
    for scene, flags, path, value in (
            (SLIDE, ["gravity=[0, 0, -1.62]"], ["gravity"], [0, 0, -1.62]),
            (SLIDE, ["up=y"], ["up"], "y"),
            (SLIDE, ["colliders[0].restitution=0.25"], ["colliders", 0, "restitution"], 0.25),
            (SLIDE, ["bodies[0].velocity[1]=3"], ["bodies", 0, "velocity"], [2, 3, -1]),
            (SLIDE, ["bodies[0].mesh.positions[1][2]=0.3"], ["bodies", 0, "mesh", "positions", 1], [0.1, 0, 0.3]),
            (SLIDE, ["colliders[0].friction.mu=0.7"], ["colliders", 0, "friction"], 0.7),
            (SLIDE, ["colliders[0].friction=0.7"], ["colliders", 0, "friction"], 0.7),
            (SLIDE, ["colliders[0].friction={\"type\": \"scale\", \"factor\": 0.5}"], ["colliders", 0, "friction"],
             {"type": "scale", "factor": 0.5}),
            (SLIDE, ["time.step=0.002"], ["time", "step"], 0.002),
            (SLIDE, ["time.step.size=0.002"], ["time", "step"], 0.002),
            (fixed, ["time.step=0.002"], ["time", "step"], 0.002),
            (fixed, ["time.step.size=0.002"], ["time", "step"], {"type": "fixed", "size": 0.002}),
            (SLIDE, ["time.step=" + json.dumps(cfl)], ["time", "step"], cfl),
            (SLIDE, ["integrator.type=rk4"], ["integrator"], "rk4"),
            (verlet, ["integrator.type=rk4"], ["integrator"], "rk4"),
            (rk4, ["integrator=velocity_verlet"], ["integrator"], {"type": "velocity_verlet"}),
            (SLIDE, ["colliders[1]=" + json.dumps(ball)], ["colliders", 1], ball),
            (SLIDE, ["colliders[1].shape=" + json.dumps(ball["shape"])], ["colliders", 1], ball),
            (SLIDE, ["colliders=[]"], ["colliders"], []),
            (SLIDE, ["forces[0].type=drag", "forces[0].linear=0.5"], ["forces"], [{"type": "drag", "linear": 0.5}]),
            (SLIDE, ["forces[0]={\"type\": \"drag\", \"linear\": 1}", "forces[0].linear=0.5"], ["forces"],
             [{"type": "drag", "linear": 0.5}]),
            (SLIDE, ["bodies[1].mesh={\"type\": \"points\", \"positions\": [[5, 5, 5]]}"], ["bodies", 1],
             {"mesh": {"type": "points", "positions": [[5, 5, 5]]}})):
        need_same(mote, directory, scene, flags, changed(scene, path, value))


def set_strings(mote, directory):
    scene = write_scene(directory, SLIDE)
    for value, name in (("ball", "ball"), ('"ball"', "ball"), ("a=b", "a=b"), ('"7"', "7"),
                        ("caf\u00e9 au lait", "caf\u00e9 au lait")):
        done = mote(directory, "check", scene, "--set", f"bodies[0].name={value}")
        need_in(f"body {name}: 2 particles", done.stdout, "stdout")
    mote.refuse(directory, "check", scene, "--set", "bodies[0].name=7", says=["bodies[0].name", "expected a string"])


def set_left_out_list(mote, directory):
    """A list that was left out starts as its default."""
    scene = changed(SLIDE, ["bodies", 0], {"mesh": SLIDE["bodies"][0]["mesh"]})
    wanted = changed(scene, ["bodies", 0, "velocity"], [0, 3, 0])
    need_same(mote, directory, scene, ["bodies[0].velocity[1]=3"], wanted)


def set_comment(mote, directory):
    same = mote.hash_of(directory, SLIDE, "--set", "_=a remark", "--set", "colliders[0]._=[1, 2]")
    need(same == mote.hash_of(directory, SLIDE), "a comment changes the result")


def set_bad_paths(mote, directory):
    scene = write_scene(directory, SLIDE)
    for path in ("", ".", "time.", ".time", "time..step", "colliders[", "colliders[]", "colliders[x]", "colliders[-1]",
                 "colliders[0", "colliders]", "colliders[0]friction", "a" * 100, ".".join("a" * 50)):
        mote.refuse(directory, "run", scene, "--set", path + "=1", says=["--set", f"'{path}'", "time.step.size"])
    for path, says in (("colliders[2]", "one past its end"), ("colliders[7].friction", "one past its end"),
                       ("colliders[99999999999999999999999].friction", "one past its end"),
                       ("[0]", "list"), ("time[0]", "list"), ("time[0].end", "list"), ("colliders.friction", "object"),
                       ("colliders.friction.mu", "object"), ("time.end.unit", "plain value"),
                       ("bodies[0].name.first", "plain value")):
        mote.refuse(directory, "run", scene, "--set", path + "=1", says=["--set", path, says])
    for path in ("colour", "time.stepp", "bodies[0].mesh.rows", "colliders[0].friction.nu", "nothing.at.all"):
        mote.refuse(directory, "run", scene, "--set", path + "=1", says=[path.split(".at")[0], "unknown key"])


def set_bad_values(mote, directory):
    scene = write_scene(directory, SLIDE)
    for change, says in (("time.end=long", ["time.end", "expected a number"]),
                         ("time.end=", ["time.end", "expected a number"]),
                         ("time.end=null", ["time.end", "found null"]),
                         ("time={\"end\": 1, \"end\": 2}", ["time", "duplicate object key"]),
                         ("integrator.type=rk5", ["integrator.type", "'rk5'", "did you mean 'rk4'?"]),
                         ("colliders[0].inside=yes", ["colliders[0].inside", "true or false"])):
        mote.refuse(directory, "run", scene, "--set", change, says=says)


def set_cases(mote):
    cases = (set_values, set_strings, set_left_out_list, set_comment, set_bad_paths, set_bad_values)
    return [(case.__name__, lambda directory, case=case: case(mote, directory)) for case in cases]


# ---- threads


def threads_case(mote, scenes):
    """The same bits on any number of threads, with enough particles that the work is shared, in contact too."""
    flags = ["--set", "bodies[0].mesh.columns=300", "--set", "bodies[0].mesh.rows=200",
             "--set", "bodies[0].mesh.origin=[-0.5, -0.5, 0.652]", "--set", "time.step=2e-5", "--until", "2e-4",
             "--set", "output.formats=[]", "--quiet"]

    def case(directory):
        hashes = {}
        for threads in (1, 2, 3, 8):
            out = f"out{threads}"
            mote(directory, "run", os.path.join(scenes, "cloth_on_sphere.json"), "-o", out, "--threads", str(threads),
                 *flags)
            report = read_json(os.path.join(directory, out, "report.json"))
            check_report(report)
            need(report["threads"] == threads, f"{report['threads']} threads instead of {threads}")
            need(report["particles"]["solid"] == 60000, f"there are {report['particles']}")
            need(report["steps"] == 10, f"{report['steps']} steps instead of 10")
            busy = sum(blocks > 0 for blocks in report["worker_blocks"])
            need(busy >= min(2, threads), f"only {busy} of {threads} workers did anything: {report['worker_blocks']}")
            hashes[threads] = report["state_hash"]
        need(len(set(hashes.values())) == 1, f"the state differs: {hashes}")

    return ("threads_same_bits", case)


# ---- stopping, progress


def frames_in(directory):
    return sum(bool(FRAME.match(name)) for name in os.listdir(directory)) if os.path.isdir(directory) else 0


def stopped_case(mote, number):
    def case(directory):
        scene, out = write_scene(directory, LONG), os.path.join(directory, "out")
        process = mote.start(directory, "run", scene, "-o", "out", "--json", stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        try:
            wait_until(process, lambda: frames_in(out) >= 3, "three frames")
            process.send_signal(number)
            stdout, stderr = finish(process)
        finally:
            process.kill()
        need_healthy(process.returncode, stderr)
        frames = check_results(out, "scene")
        report = read_json(os.path.join(out, "report.json"))
        check_report(report, "stopped")
        need(report["frames"] == frames, f"the report counts {report['frames']} of {frames} frames")
        summary = parse_json(stdout, "stdout")
        need(summary["outcome"] == "stopped", f"the outcome is {summary['outcome']!r}")
        need(summary["state_hash"] == report["state_hash"], "state_hash differs between stdout and report.json")
        need(process.returncode == 0, f"exit code {process.returncode} instead of 0; stderr {stderr!r}")

    return case


# with a collider in a periodic domain static and modal solves begin with a warning
BLOCK = {
    "time": {"end": 1, "step": 0.01},
    "domain": {"min": [-5, -5, -5], "max": [5, 5, 5]},
    "colliders": [{"shape": {"type": "sphere", "center": [0, 0, -3], "radius": 0.5}}],
    "bodies": [{"mesh": {"type": "block", "nx": 4, "ny": 4, "nz": 4}, "density": 100,
                "model": {"type": "spring", "k": 1000}, "pins": [{"nodes": list(range(16))}]}],
}


def stop_in_solve(mote, directory, *arguments):
    """A signal while the solve waits for its warning to be read: then it has begun, and cannot be done."""
    scene = write_scene(directory, BLOCK)
    ours, theirs = full_pipe()
    process = mote.start(directory, arguments[0], scene, *arguments[1:], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    try:
        wait_until(process, lambda: catches(process, signal.SIGTERM), "it listens to signals")
        process.send_signal(signal.SIGTERM)
        stderr = read_all(ours).lstrip(".")
        stdout, _ = finish(process)
    finally:
        process.kill()
    need_healthy(process.returncode, stderr)
    return process.returncode, stdout, stderr


def stop_static(mote, directory):
    """Both frames, the index and the report are there, as after a signal to a run."""
    code, _, stderr = stop_in_solve(mote, directory, "run", "--static", "-o", "out")
    out = os.path.join(directory, "out")
    need(code == 0, f"exit code {code} instead of 0; stderr {stderr!r}")
    check_report(read_json(os.path.join(out, "report.json")), "stopped")
    need(check_results(out, "scene") == 2, "two frames were expected")


def stop_modes(mote, directory):
    """No frequencies, so exit code 1; and no files."""
    for flags in ([], ["--static"]):
        code, stdout, stderr = stop_in_solve(mote, directory, "modes", "-o", "out", *flags)
        need(code == 1 and stdout == "", f"exit code {code}, stdout {stdout!r}")
        need_in("scene.json: stopped", stderr, "stderr")
        need(files_in(directory) == ["scene.json"], f"there are {files_in(directory)}")


def closed_pipes(mote, directory):
    """Nobody reads what a run has to say: it goes on all the same, and its files are whole."""
    scene = write_scene(directory, EXPLODING)
    for streams in (["stderr"], ["stdout"], ["stdout", "stderr"]):
        pipe = closed_pipe()
        other = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = mote.start(directory, "run", scene, "-o", "out", "--frames", "0", **{**other, **dict.fromkeys(streams, pipe)})
        os.close(pipe)
        process.wait()
        need(process.returncode == 0, f"{streams}: exit code {process.returncode}")
        check_report(read_json(os.path.join(directory, "out", "report.json")))
        need(check_results(os.path.join(directory, "out"), "scene") == 1, "one frame was expected")
        for name in files_in(os.path.join(directory, "out")):
            os.remove(os.path.join(directory, "out", name))


class Reader:
    """Collects what arrives at a descriptor."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.data = b""

    def pump(self):
        """Waits for more; False at the end."""
        try:
            more = os.read(self.descriptor, 65536)
        except OSError: # what Linux says when the other side of a terminal is closed
            return False
        self.data += more
        return bool(more)


def watch(mote, directory, flags, until):
    """Runs the long scene on a terminal until `until` of the process and of what it shows, stops it; what it showed."""
    scene = write_scene(directory, LONG)
    ours, theirs = pty.openpty()
    process = mote.start(directory, "run", scene, "-o", "out", *flags, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    reader = Reader(ours)
    try:
        until(process, reader)
        process.send_signal(signal.SIGINT)
        while reader.pump():
            pass
        finish(process)
    finally:
        process.kill()
        os.close(ours)
    return reader.data.decode("utf-8", "replace")


def progress_on_terminal(mote, directory):
    """A bar that is drawn over itself, with the time left, and wiped away at the end."""
    def three_times(_, reader):
        while reader.data.count(b"\r") < 3:
            need(reader.pump(), f"it ended after {reader.data!r}")

    text = watch(mote, directory, [], three_times)
    need(re.search(r"\r\[[#.]+\] +\d+ %.*step \d+.* left", text), f"this is no bar: {shorten(text)!r}")
    need(text.endswith("\r\x1b[K"), f"the bar is not wiped away: {text[-80:]!r}")


def progress_quiet_on_terminal(mote, directory):
    for flags in (["--quiet"], ["--json"]):
        out = os.path.join(directory, "out")
        text = watch(mote, directory, flags,
                     lambda process, _: wait_until(process, lambda: frames_in(out) >= 3, "three frames"))
        need(text == "", f"{flags} shows {shorten(text)!r}")
        for name in os.listdir(out):
            os.remove(os.path.join(out, name))


def progress_in_pipe(mote, directory):
    """Plain lines, now and then."""
    scene = write_scene(directory, LONG)
    process = mote.start(directory, "run", scene, "-o", "out", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    reader = Reader(process.stderr.fileno())
    try:
        while b"left\n" not in reader.data:
            need(reader.pump(), f"it ended after {reader.data!r}")
        process.send_signal(signal.SIGINT)
        stdout, rest = finish(process)
    finally:
        process.kill()
    text = reader.data.decode("utf-8", "replace") + rest
    need("\r" not in text and "\x1b" not in text, f"control characters in a pipe: {shorten(text)!r}")
    need(re.search(r"^t = .* of .* s, step \d+, frame \d+ of \d+, .* left$", text, re.M), f"stderr is {text!r}")
    need_in("stopped at t = ", stdout, "stdout")


def stop_cases(mote):
    cases = [("stop_" + number.name.lower(), stopped_case(mote, number))
             for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)]
    for case in (stop_static, stop_modes, closed_pipes, progress_on_terminal, progress_quiet_on_terminal, progress_in_pipe):
        cases.append((case.__name__, lambda directory, case=case: case(mote, directory)))
    return cases


# ---- failures


def fail_output_in_the_way(mote, directory):
    """Exit code 1 and the path; what was in the way stays."""
    scene = write_scene(directory, SLIDE)
    with open(os.path.join(directory, "way"), "w", encoding="utf-8") as file:
        file.write("precious")
    for out in ("way", "way/deeper"):
        done = mote(directory, "run", scene, "-o", out, code=1)
        need_in("mote: way", done.stderr, "stderr")
        need("report way" not in done.stdout, f"stdout names a report that does not exist: {done.stdout!r}")
    done = mote(directory, "run", scene, "-o", "out", "--report", "way/report.json", code=1)
    need_in("way/report.json: could not be created", done.stderr, "stderr")
    need(not os.path.exists(os.path.join(directory, "out")), "it ran although the report cannot be written")
    with open(os.path.join(directory, "way"), encoding="utf-8") as file:
        need(file.read() == "precious", "the file in the way was written over")
    need("way.tmp" not in os.listdir(directory), "an unfinished file is left")


def fail_numbers(mote, directory):
    """What was computed is kept; the message has the step, the particle and the likely cause."""
    scene = write_scene(directory, EXPLODING)
    done = mote(directory, "run", scene, "-o", "out", code=1)
    report = read_json(os.path.join(directory, "out", "report.json"))
    check_report(report, "failed")
    for text, what in ((done.stderr, "stderr"), (report["failure"], "failure")):
        need(re.search(r"step \d+, t = \S+ s: particle \d+ of 'bomb'", text), f"{what} is {text!r}")
        for part in ("Likely cause", "time.step", "not finite"):
            need_in(part, text, what)
    need_in("failed at t = ", done.stdout, "stdout")
    frames = check_results(os.path.join(directory, "out"), "scene")
    need(frames >= 1 and frames == report["frames"], f"{frames} frames, the report says {report['frames']}")


def fail_numbers_json(mote, directory):
    scene = write_scene(directory, EXPLODING)
    done = mote(directory, "run", scene, "-o", "out", "--json", code=1)
    summary = parse_json(done.stdout, "stdout")
    need(summary["outcome"] == "failed", f"the outcome is {summary['outcome']!r}")
    need_in("Likely cause", summary["failure"], "failure")
    quiet = mote(directory, "run", scene, "-o", "out2", "--quiet", code=1)
    need(quiet.stdout == "", "stdout is not empty")
    need_in("Likely cause", quiet.stderr, "stderr")


def fail_cases(mote):
    cases = (fail_output_in_the_way, fail_numbers, fail_numbers_json)
    return [(case.__name__, lambda directory, case=case: case(mote, directory)) for case in cases]


# ---- list, explain, schema, check


def families_of(mote, directory):
    return parse_json(mote(directory, "list", "--json").stdout, "list --json")


def list_all(mote, directory):
    families = families_of(mote, directory)
    text, marked = mote(directory, "list").stdout, mote(directory, "list", "--markdown").stdout
    for family in families:
        need(family["methods"], f"{family['family']} has no methods")
        need_in(f"{family['family']}: ", text, "list")
        need_in(f"## {family['family']}", marked, "list --markdown")
        for method in family["methods"]:
            need_in(f"  {method['name']} ", text, "list")
            need(method["summary"].endswith("."), f"the summary of {method['name']} is no sentence")
    names = {family["family"] for family in families}
    need({"integrator", "step", "mesh", "model", "shape", "friction", "motion", "format"} <= names, f"only {names}")


def list_one(mote, directory):
    text = mote(directory, "list", "integrator").stdout
    for name in ("symplectic_euler", "velocity_verlet", "rk4"):
        need_in(name, text, "list integrator")
    need("coulomb" not in text, "other families are listed")
    one = parse_json(mote(directory, "list", "integrator", "--json").stdout, "list integrator --json")
    need([family["family"] for family in one] == ["integrator"], f"the families are {one}")
    mote.refuse(directory, "list", "integrater", says=["'integrater'", "did you mean 'integrator'?"])
    mote.refuse(directory, "list", "nonsense", says=["'nonsense'", "integrator", "shape", "motion"])


def explain(mote, directory):
    for name, parts in (("rk4", ["rk4 (integrator)", "In a scene"]),
                        ("integrator.rk4", ["rk4 (integrator)"]),
                        ("step.cfl.factor", ["factor", "default 0.4", "(0, inf)"]),
                        ("wind.scale", ["scale", "curve"]), ("body.copies", ["copies", "list of copies"]),
                        ("integrator", ["integrator: ", "symplectic_euler (integrator)", "rk4 (integrator)"]),
                        ("collider", ["collider: ", "restitution", "in [0, 1]", "project|none"]),
                        ("scene", ["gravity", "required"]),
                        ("time.step", ["step", "auto", "cfl"]),
                        ("time.step.size", ["size", "required", "[s]"]),
                        ("bodies[0].pins[1].motion.frequency", ["frequency", "Hz"]),
                        ("colliders.friction.mu", ["mu", "default 0"])):
        done = mote(directory, "explain", name)
        for part in parts:
            need_in(part, done.stdout, f"explain {name}")
        parse_json(mote(directory, "explain", name, "--json").stdout, f"explain {name} --json")
        need(mote(directory, "explain", name, "--markdown").stdout.strip(), "the Markdown is empty")


def explain_unknown(mote, directory):
    mote.refuse(directory, "explain", "simplectic_euler", says=["did you mean 'symplectic_euler'?"])
    mote.refuse(directory, "explain", "colider", says=["did you mean 'collider'?"])
    mote.refuse(directory, "explain", "self contact", says=["see body_contact.self"])
    for name in ("time.stepp", "time.step.nothing", "bodies[0]x", "nonsense", "q" * 5000):
        mote.refuse(directory, "explain", name, says=["there is no method or section", "mote list"])
    mote.refuse(directory, "explain", "", says=["an argument is empty"])


def explain_everything(mote, directory):
    """Each method that is listed can be explained, with all its parameters."""
    for family in families_of(mote, directory):
        for method in family["methods"]:
            name = f"{family['family']}.{method['name']}"
            text = mote(directory, "explain", name).stdout
            for parameter in method["parameters"]:
                need_in(f"  {parameter['name']} ", text, f"explain {name}")


def schema(mote, scenes, directory):
    found = parse_json(mote(directory, "schema").stdout, "schema")
    need_in("2020-12", found.get("$schema", ""), "$schema")
    need(found.get("type") == "object" and "time" in found.get("required", []), "it is not the schema of a scene")
    for name in scene_names(scenes):
        for key in read_json(os.path.join(scenes, name)):
            need(key in found["properties"] or key == "_", f"the schema does not know {key} of {name}")


def check_scene(mote, scenes, directory):
    path = os.path.join(scenes, "hanging_cloth.json")
    nodes = 41 * 41
    done = mote(directory, "check", path)
    for part in ("hanging_cloth.json is valid", f"{nodes} particles", f"{2 * 40 * 40} triangles",
                 f"body sheet: {nodes} particles"):
        need_in(part, done.stdout, "stdout")
    found = parse_json(mote(directory, "check", path, "--json").stdout, "check --json")
    need(found["particles"] == nodes and found["bodies"] == 1 and found["scene"] == "hanging_cloth", f"it is {found}")
    need_hash(found["scene_hash"], "scene_hash")
    need(mote(directory, "check", path, "--quiet").stdout == "", "--quiet says something")
    more = parse_json(mote(directory, "check", path, "--json", "--set", "bodies[0].mesh.rows=10").stdout, "stdout")
    need(more["particles"] == 410, f"--set rows=10 gives {more['particles']} particles")
    need(more["scene_hash"] != found["scene_hash"], "--set leaves the scene_hash as it was")
    need(files_in(directory) == [], f"files were made: {files_in(directory)}")


def check_unstable(mote, directory):
    """A step beyond what damping bears is no fine scene: check and run say so, before it explodes."""
    scene = write_scene(directory, {
        "time": {"end": 0.015, "step": 0.003}, "integrator": "symplectic_euler",
        "forces": [{"type": "damping_point", "g": 1000}],
        "bodies": [{"mesh": {"type": "points", "positions": [[0, 0, 0]]}}]})
    text = mote(directory, "check", scene).stdout
    need("fine" not in text, f"it is fine: {text!r}")
    need_in("scene.json is valid", text, "check")
    for part in ("verdict: possibly unstable", "0.002 s", "time.step"):
        need_in(part, text.splitlines()[-1], "the last line")
    report = mote(directory, "run", scene, "-o", "out").stderr
    need_in("stability limit of 0.002 s of 'symplectic_euler'", report, "stderr")
    calm = mote(directory, "check", scene, "--set", "time.step=0.001").stdout
    need_in("verdict: stable", calm.splitlines()[-1], "the last line")


def catalog_cases(mote, scenes):
    cases = [(case.__name__, lambda directory, case=case: case(mote, directory))
             for case in (list_all, list_one, explain, explain_unknown, explain_everything, check_unstable)]
    return cases + [("schema", lambda directory: schema(mote, scenes, directory)),
                    ("check", lambda directory: check_scene(mote, scenes, directory))]


# ---- validate


def validate_without_peer(mote, directory):
    """Where the program to compare with is missing, no figure of it is shown and nothing is said to have passed."""
    away = {"PATH": directory}
    done = mote(directory, "validate", "particles/drift", "-o", "out", environment=away)
    need(re.search(r"^particles/drift +skipped: .*lmp", done.stdout, re.M), f"stdout is {done.stdout!r}")
    need(not re.search(r"\d|yes", done.stdout.split("\n", 1)[1]), f"there is a figure: {done.stdout!r}")
    with open(os.path.join(directory, "out", "particles.csv"), encoding="utf-8") as file:
        need_in(',"skipped: ', file.read(), "particles.csv")
    line = mote(directory, "validate", "particles/drift", "--json", environment=away).stdout
    need(set(parse_json(line, "--json")) == {"case", "skipped"}, f"--json prints {line!r}")


# ---- bench


def bench_without_foreign_ratios(mote, directory):
    """Figures of other machines stand in the notes, with their machine; no ratio is made of them."""
    for case, machine in (("thesis", "SGI O2"), ("dam/50k/dt1ms", "")):
        done = mote(directory, "bench", case, "--quick", "--threads", "1", "--json")
        for line in done.stdout.splitlines():
            row = parse_json(line, case)
            need(row["baseline"] is None and row["ratio"] is None, f"{case} compares: {line}")
            need_in(machine, row["note"], f"the note of {case}")


# ---- the scenes that come with the program


def scene_names(scenes):
    return sorted(name for name in os.listdir(scenes) if name.endswith(".json"))


def scene_case(mote, scenes, name):
    def case(directory):
        path = os.path.join(scenes, name)
        need("_" in read_json(path), "the scene does not explain itself")
        mote(directory, "run", path, "-o", "out", "--frames", "2", "--quiet")
        frames = check_results(os.path.join(directory, "out"), name[:-5])
        report = read_json(os.path.join(directory, "out", "report.json"))
        check_report(report)
        need(frames == 3, f"{frames} frames instead of 3")
        need(report["steps"] > 0 and report["scene"] == name[:-5], "no steps, or another scene")

    return case


def scene_cases(mote, scenes):
    return [("scene_" + name[:-5], scene_case(mote, scenes, name)) for name in scene_names(scenes)]


def main():
    path, scenes = arguments_of("check_cli.py MOTE-PROGRAM SCENES-DIR", 2)
    mote = Program(path)
    return run_cases(usage_cases(mote) + run_cases_of(mote) + set_cases(mote) + [threads_case(mote, scenes)] +
                     stop_cases(mote) + fail_cases(mote) + catalog_cases(mote, scenes) +
                     [("validate_without_peer", lambda directory: validate_without_peer(mote, directory)),
                      ("bench_without_foreign_ratios", lambda directory: bench_without_foreign_ratios(mote, directory))] +
                     scene_cases(mote, scenes))


if __name__ == "__main__":
    sys.exit(main())
