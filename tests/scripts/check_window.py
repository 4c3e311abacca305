#!/usr/bin/env python3
"""Drives the real window under Xvfb with xdotool: mouse and keys go in, and what happened is checked by what the
window reports (--verbose) and by its screenshots.

usage: check_window.py MOTE-PROGRAM SCENES-DIR
"""
import json
import os
import re
import shutil
import subprocess
import sys
import threading

from harness import Bad, arguments_of, need, need_healthy, run, run_cases, start
from pictures import difference, read_png

SKIPPED = 77
WIDTH, HEIGHT = 200, 150

SCENE = {
    "time": {"end": 1000, "step": 0.001, "fps": 50},
    "gravity": [0, 0, 0],
    "bodies": [{"name": "ball", "radius": 0.3, "velocity": [0.001, 0, 0],
                "mesh": {"type": "points", "positions": [[0, 0, 1]]}},
               {"name": "others", "radius": 0.1,
                "mesh": {"type": "points", "positions": [[0.8, 0, 0.5], [-0.8, 0.3, 0.5]]}}],
    "colliders": [{"shape": {"type": "plane"}}],
    "view": {"size": [WIDTH, HEIGHT], "camera": {"eye": [0.5, -4, 1.6], "target": [0, 0, 1]}}}


class Display:
    """An X server of its own."""

    def __enter__(self):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-nolisten",
                                        "tcp"], pass_fds=[writer], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as lines: # up to its end: a closed pipe would kill the server
            number = lines.readline().strip()
        need(number != "", "Xvfb did not start")
        os.environ.pop("WAYLAND_DISPLAY", None)
        self.environment = {**os.environ, "DISPLAY": f":{number}"}
        # X and graphics libraries leave a few bytes behind, in modules that are unloaded when leaks are counted
        options = self.environment.get("ASAN_OPTIONS", "")
        self.environment["ASAN_OPTIONS"] = options + (":" if options else "") + "detect_leaks=0"
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


class Window:
    """The program with its window; what it reports is collected line by line."""

    def __init__(self, program, display, directory, *arguments):
        self.environment = display.environment
        self.process = start(program, ["view", *arguments, "--verbose"], directory, environment=self.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.ended = False
        self.changed = threading.Condition()
        self.seen = 0
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def wait(self, pattern):
        """The next line, after those waited for before, that matches."""
        with self.changed:
            while True:
                for k in range(self.seen, len(self.lines)):
                    match = re.search(pattern, self.lines[k])
                    if match:
                        self.seen = k + 1
                        return match
                need(not self.ended, f"no line like {pattern!r} in {self.lines[-8:]}")
                self.changed.wait()

    def tool(self, *arguments):
        done = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True,
                              check=False)
        need(done.returncode == 0, f"xdotool {arguments}: {done.stderr}")
        return done.stdout

    def focus(self):
        found = self.tool("search", "--sync", "--onlyvisible", "--name", "mote").split()
        need(found, "the window was not found")
        self.handle = found[0]
        self.tool("windowfocus", "--sync", self.handle)

    def key(self, name):
        self.tool("key", name)

    def move(self, x, y):
        self.tool("mousemove", "--window", self.handle, str(x), str(y))

    def drag(self, button, right, down):
        self.move(WIDTH // 2, HEIGHT // 2)
        self.tool("mousedown", str(button))
        for k in range(1, 6):
            self.move(WIDTH // 2 + right * k // 5, HEIGHT // 2 + down * k // 5)
        self.tool("mouseup", str(button))

    def close(self):
        self.key("q")
        code = self.process.wait()
        stderr = self.process.stderr.read()
        need_healthy(code, stderr)
        need(code == 0, f"exit code {code}; stderr {stderr!r}")

    def kill(self):
        self.process.kill()
        self.process.wait()


def write_scene(directory, **changes):
    path = os.path.join(directory, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**SCENE, **changes}, file)
    return path


def open_window(program, display, directory, *arguments):
    window = Window(program, display, directory, *arguments)
    try:
        match = window.wait(r"opened scene, (\d+) x (\d+) pixels")
        need((int(match[1]), int(match[2])) == (WIDTH, HEIGHT), f"the window has {match[0]}")
        window.focus()
    except Bad:
        window.kill()
        raise
    return window


def screenshot(window, directory):
    window.key("p")
    name = window.wait(r"screenshot (\S+)")[1]
    picture = read_png(os.path.join(directory, name))
    need(picture.shape == (HEIGHT, WIDTH, 3), f"the screenshot is {picture.shape}")
    return picture


def number(match):
    return float(match[1])


def session_case(check, *flags):
    """A case that drives a window of the scene."""
    def bound(program, display):
        def case(directory):
            window = open_window(program, display, directory, write_scene(directory), *flags)
            try:
                check(window, directory)
                window.close()
            finally:
                window.kill()

        return case

    return bound


def pause_on_the_way(window):
    """Pauses a window that plays from the start; if no time has passed yet, it plays on for a while. The time."""
    while True:
        window.key("space")
        paused = number(window.wait(r"paused at t = (\S+) s"))
        if paused > 0:
            return paused
        window.key("space")
        window.wait(r"playing from t = 0 s")


def time_and_steps(window, directory):
    """It plays by itself; paused, time stands still; a step is a step; reset goes to the start."""
    window.wait(r"playing from t = 0 s")
    paused = pause_on_the_way(window)
    need((screenshot(window, directory) == screenshot(window, directory)).all(), "it moves while it is paused")
    window.key("plus")
    stepped = number(window.wait(r"step to t = (\S+) s"))
    need(abs(stepped - paused - 0.001) < 1e-9, f"from {paused} a step goes to {stepped}")
    window.key("s")
    need(number(window.wait(r"saved t = (\S+) s")) == stepped, "another time was saved")
    window.key("Right")
    need(number(window.wait(r"step to t = (\S+) s")) > stepped, "the arrow makes no step")
    window.key("l")
    need(number(window.wait(r"loaded t = (\S+) s")) == stepped, "another time came back")
    window.key("r")
    need(number(window.wait(r"reset to t = (\S+) s")) == 0, "the start is not at 0")
    window.key("space")
    window.wait(r"playing from t = 0 s")
    pause_on_the_way(window)


def mouse_moves_the_camera(window, directory):
    window.wait(r"paused at t = 0 s")
    first = screenshot(window, directory)
    need(first.std() > 5, "the screenshot is empty")
    need((first == screenshot(window, directory)).all(), "two screenshots of the same thing differ")
    before = first
    for button, right, down in ((1, 60, 0), (1, 0, 30), (3, 40, 20)):
        window.drag(button, right, down)
        window.wait(r"camera at")
        after = screenshot(window, directory)
        need(difference(before, after)[1] > 0.005, f"button {button} does not move the camera")
        before = after
    window.tool("click", "4")
    window.wait(r"camera at")
    need(difference(before, screenshot(window, directory))[1] > 0.005, "the wheel does not zoom")


def pick_a_particle(window, _):
    window.wait(r"paused at t = 0 s")
    window.move(WIDTH // 2, HEIGHT // 2)
    window.tool("click", "1")
    match = window.wait(r"picked id (\d+) at (\S+) (\S+) (\S+)")
    need(match[1] == "0" and [float(match[k]) for k in (2, 3, 4)] == [0, 0, 1], f"it picked {match[0]}")
    window.move(3, 3)
    window.tool("click", "1")
    window.wait(r"picked nothing")


def tools_act_on_particles(window, _):
    window.wait(r"paused at t = 0 s")

    def use(tool, *more):
        window.move(WIDTH // 2, HEIGHT // 2)
        window.tool("keydown", "ctrl")
        window.tool("mousedown", "1")
        for x, y in more:
            window.move(x, y)
        window.tool("mouseup", "1")
        window.tool("keyup", "ctrl")
        return window.wait(tool)

    use(r"took 1 particles", (WIDTH // 2 + 40, HEIGHT // 2))
    window.wait(r"released")
    window.key("t")
    window.wait(r"tool push")
    use(r"took 1 particles", (WIDTH // 2 + 40, HEIGHT // 2))
    need(number(window.wait(r"pushed 1 particles by (\S+) m/s")) > 0.01, "the push has no speed")
    window.key("t")
    window.wait(r"tool delete")
    use(r"deleted 1 particles")
    window.key("t")
    window.wait(r"tool heat")
    use(r"no particle for the tool")
    window.key("t")
    window.wait(r"tool add")
    use(r"added a particle at")
    window.tool("click", "1")
    window.wait(r"picked id 3")


def keys_change_the_picture(window, directory):
    window.wait(r"paused at t = 0 s")
    before = screenshot(window, directory)
    for key, says in (("v", r"style spheres"), ("v", r"style points"), ("V", r"style spheres"), ("c", r"field id"),
                      ("o", r"orthographic"), ("f", r"everything in view")):
        window.key(key)
        window.wait(says)
        after = screenshot(window, directory)
        if key != "v" or "points" in says:
            need((before != after).any(), f"{key} changes nothing")
        before = after
    for key, says in (("w", r"mesh wire"), ("w", r"mesh smooth"), ("m", r"id from 0 to 2"), ("i", r"inspect on"),
                      ("h", r"help on"), ("F1", r"help off"), ("n", r"numbers off"), ("C", r"field auto")):
        window.key(key)
        window.wait(says)


def stored_results(program, display):
    def case(directory):
        scene = write_scene(directory, time={"end": 0.2, "step": 0.001, "fps": 10})
        done = run(program, ["run", scene, "-o", "out", "--quiet"], directory)
        need(done.returncode == 0, done.stderr)
        window = open_window(program, display, directory, "out")
        try:
            window.wait(r"playing from t = 0 s")
            need(abs(number(window.wait(r"the last frame, at t = (\S+) s")) - 0.2) < 1e-6, "the end is elsewhere")
            window.key("Left")
            need(abs(number(window.wait(r"step to t = (\S+) s")) - 0.1) < 1e-6, "it does not go back")
            window.key("plus")
            need(abs(number(window.wait(r"step to t = (\S+) s")) - 0.2) < 1e-6, "it does not go on")
            window.key("r")
            need(number(window.wait(r"reset to t = (\S+) s")) == 0, "it does not start again")
            need(screenshot(window, directory).std() > 5, "nothing is seen")
            window.close()
        finally:
            window.kill()

    return case


def damaged_results(program, display):
    """A frame that cannot be read stops the play with its name; the one before it stays."""
    def case(directory):
        scene = write_scene(directory, time={"end": 0.3, "step": 0.001, "fps": 10})
        done = run(program, ["run", scene, "-o", "out", "--quiet"], directory)
        need(done.returncode == 0, done.stderr)
        frame = os.path.join(directory, "out", "scene.000002.vtp")
        os.truncate(frame, os.path.getsize(frame) // 2)
        window = open_window(program, display, directory, "out")
        try:
            window.wait(r"scene.000002.vtp: .*truncated")
            need("no column" not in " ".join(window.lines), f"another mistake is reported: {window.lines}")
            need(screenshot(window, directory).std() > 5, "nothing is seen")
            window.key("Left")
            need(number(window.wait(r"step to t = (\S+) s")) == 0, "it does not go back from the frame before")
            window.close()
        finally:
            window.kill()

    return case


def scene_that_ends(program, display):
    def case(directory):
        scene = write_scene(directory, time={"end": 0.01, "step": 0.001, "fps": 10})
        window = open_window(program, display, directory, scene)
        try:
            need(abs(number(window.wait(r"the scene ends here, at t = (\S+) s")) - 0.01) < 0.002, "it ends elsewhere")
            window.key("space")
            window.wait(r"playing from t = 0.01")
            window.key("Escape")
            need(window.process.wait() == 0, "Escape does not end it well")
        finally:
            window.kill()

    return case


def can_open(program, display):
    """Whether this machine can open a window at all."""
    import tempfile
    with tempfile.TemporaryDirectory() as directory:
        window = Window(program, display, directory, write_scene(directory), "--paused")
        try:
            window.wait(r"opened")
            window.focus()
            window.close()
            return None
        except Bad as problem:
            window.kill()
            stderr = window.process.stderr.read()
            if "OpenGL" in stderr or "rendering:" in stderr or "libmote_view" in stderr:
                return stderr
            raise Bad(f"{problem}; {stderr}") from problem
        finally:
            window.kill()


def main():
    program, _ = arguments_of("check_window.py MOTE-PROGRAM SCENES-DIR", 2)
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} missing; scripts/install.sh test installs them")
        return SKIPPED
    with Display() as display:
        reason = can_open(program, display)
        if reason:
            print(f"skipped: {reason}")
            return SKIPPED
        cases = [("time_and_steps", session_case(time_and_steps)),
                 ("mouse_moves_the_camera", session_case(mouse_moves_the_camera, "--paused")),
                 ("pick_a_particle", session_case(pick_a_particle, "--paused")),
                 ("tools_act_on_particles", session_case(tools_act_on_particles, "--paused")),
                 ("keys_change_the_picture", session_case(keys_change_the_picture, "--paused")),
                 ("stored_results", stored_results), ("damaged_results", damaged_results),
                 ("scene_that_ends", scene_that_ends)]
        return run_cases([(name, case(program, display)) for name, case in cases])


if __name__ == "__main__":
    sys.exit(main())
