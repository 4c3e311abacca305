#!/usr/bin/env python3
"""Pictures by `mote render`: of scenes and of stored results, folders, films, and every mistake.

usage: check_render.py MOTE-PROGRAM SCENES-DIR
"""
import json
import os
import shutil
import stat
import subprocess
import sys

from harness import Bad, arguments_of, need, need_exit, need_in, parse_json, run, run_cases
from pictures import difference, read_png

SKIPPED = 77
SMALL = ["--size", "160x90"]

BALLS = {
    "time": {"end": 0.2, "step": 0.002, "fps": 20},
    "bodies": [
        {"name": "balls", "radius": 0.1, "velocity": [1, 0, 0],
         "mesh": {"type": "points", "positions": [[0, 0, 1], [0, 0.5, 1.2], [0.4, 0.2, 0.8]]}},
        {"name": "sheet", "density": 0.2, "mesh": {"type": "cloth", "origin": [0, -1, 0.5], "columns": 9, "rows": 9},
         "model": {"type": "spring", "k": 10}}],
    "colliders": [{"shape": {"type": "plane"}},
                  {"shape": {"type": "box", "min": [-1, -0.2, 0], "max": [-0.7, 0.1, 0.3]},
                   "motion": {"type": "translate", "velocity": [0, 1, 0]}}],
    # a range of values colours particles by speed, where several bodies would have a colour each
    "view": {"color": {"min": 0}}}


def write_scene(directory, scene=None, name="scene.json"):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene or BALLS, file)
    return path


class Mote:
    def __init__(self, program):
        self.program = program

    def __call__(self, directory, *arguments, code=0, seconds=120):
        done = run(self.program, arguments, directory, seconds)
        need_exit(done, code)
        return done

    def draw(self, directory, what, output, *flags):
        done = self(directory, "render", what, "-o", output, *SMALL, "--json", *flags)
        summary = parse_json(done.stdout, "stdout")
        return read_png(os.path.join(directory, output)), summary

    def refuse(self, directory, *arguments, says):
        before = sorted(os.listdir(directory))
        done = self(directory, "render", *arguments, code=2)
        for part in says:
            need_in(part, done.stderr, "stderr")
        need(done.stderr.startswith("mote: "), f"stderr does not begin with 'mote: ': {done.stderr!r}")
        need(done.stdout == "", f"stdout is not empty: {done.stdout!r}")
        need(sorted(os.listdir(directory)) == before, f"files were made: {os.listdir(directory)}")


# ---- pictures


def scene_to_picture(mote, directory):
    scene = write_scene(directory)
    picture, summary = mote.draw(directory, scene, "a.png")
    need(picture.shape == (90, 160, 3), f"the picture is {picture.shape}")
    need(picture.std() > 5, "the picture is empty")
    need(abs(summary["time"] - 0.2) < 1e-9 and summary["frames"] == 1, f"not the last frame: {summary}")
    need(summary["field"] == "speed" and summary["unit"] == "m/s" and summary["min"] < summary["max"],
         f"the colours are {summary}")
    need(sorted(os.listdir(directory)) == ["a.png", "scene.json"], "render left other files")
    again, _ = mote.draw(directory, scene, "b.png")
    need((picture == again).all(), "the same picture drawn twice differs")


def moments_differ(mote, directory):
    scene = write_scene(directory)
    first, summary = mote.draw(directory, scene, "a.png", "--frame", "0", "--orbit=30,20,1")
    need(summary["time"] == 0, f"frame 0 is at {summary['time']}")
    third, summary = mote.draw(directory, scene, "b.png", "--frame", "3", "--orbit=30,20,1")
    need(abs(summary["time"] - 0.15) < 1e-9, f"frame 3 is at {summary['time']}")
    need(difference(first, third)[1] > 0.01, "two moments look the same")
    timed, summary = mote.draw(directory, scene, "c.png", "--time", "0.15", "--orbit=30,20,1")
    need((timed == third).all(), "--time 0.15 is not frame 3")
    wanted, summary = mote.draw(directory, scene, "d.png", "--set", "view.time=0.1")
    need(abs(summary["time"] - 0.1) < 1e-9, f"view.time is not heeded: {summary['time']}")


def flags_change_the_picture(mote, directory):
    scene = write_scene(directory)
    usual, _ = mote.draw(directory, scene, "a.png", "--frame", "2")
    for k, flags in enumerate((["--style", "cubes"], ["--style", "none"], ["--mesh", "none"], ["--mesh", "wire"],
                               ["--field", "v.x"], ["--field", "none"], ["--map", "coolwarm"], ["--range", "0,50"],
                               ["--eye", "3,3,2"], ["--fov", "70"], ["--orthographic"], ["--orbit=100,10,1.5"],
                               ["--target", "0,0,0"], ["--no-legend"], ["--no-shadows"], ["--surface", "metaball"],
                               ["--set", "view.particle_size=2"], ["--set", "view.springs=true"],
                               ["--set", "view.colliders=false"], ["--set", "view.background=[1, 1, 1]"],
                               ["--set", "view.neighbors=true", "--set", "view.neighbor_radius=0.3"])):
        other, _ = mote.draw(directory, scene, f"{k}.png", "--frame", "2", *flags)
        need((usual != other).any(), f"{flags} changes nothing")


def every_style(mote, directory):
    scene = write_scene(directory)
    seen = []
    for style in ("auto", "points", "stars", "axes", "crosses", "discs", "hexagons", "wire_discs",
                  "wire_hexagons", "spheres", "cubes", "none"):
        picture, _ = mote.draw(directory, scene, f"{style}.png", "--frame", "0", "--style", style)
        need(all((picture != other).any() for other in seen), f"{style} looks like another style")
        seen.append(picture)


def legend_of_what_is_colored(mote, directory):
    """There is a legend where something has its colours, and none where only axes are drawn."""
    scene = write_scene(directory)
    for style, wanted in (("spheres", True), ("axes", False), ("none", False)):
        flags = ["--frame", "1", "--style", style, "--mesh", "none", "--field", "v"]
        corner, _ = mote.draw(directory, scene, "a.png", *flags)
        bare, _ = mote.draw(directory, scene, "b.png", *flags, "--no-legend")
        there = (corner[:45, 80:] != bare[:45, 80:]).any()
        need(there == wanted, f"{style}: the legend is {'there' if there else 'missing'}")
    usual, _ = mote.draw(directory, scene, "a.png", "--style", "none", "--mesh", "none", "--set", "view.springs=true")
    colored, _ = mote.draw(directory, scene, "b.png", "--style", "none", "--mesh", "none", "--set",
                           "view.springs=true", "--field", "x.x", "--map", "heat", "--no-legend")
    need((usual != colored).any(), "springs do not take the colours of a field")


def surface_instead_of_a_mesh(mote, directory):
    """Without its mesh a body is as any particles: coloured by speed, and a surface encloses it."""
    cloth = {**BALLS, "bodies": BALLS["bodies"][-1:]}
    scene = write_scene(directory, cloth)
    particles, summary = mote.draw(directory, scene, "a.png", "--mesh", "none")
    need(summary.get("field") == "speed", f"it is not coloured: {summary}")
    surface, _ = mote.draw(directory, scene, "b.png", "--mesh", "none", "--surface", "metaball")
    need(difference(particles, surface)[1] > 0.005, "no surface is drawn")


def up_is_up(mote, directory):
    """The same scene with another axis up gives the same picture."""
    def turned(shift):
        def turn(v):
            return [v[(k - shift) % 3] for k in range(3)]

        return {"up": "zxy"[shift], "time": {"end": 0, "step": 0.1},
                "bodies": [{"radius": 0.2, "mesh": {"type": "points", "positions":
                                                    [turn([0, 0, 1]), turn([0.5, 0, 0.5]), turn([0, 1, 0.3])]}}],
                "colliders": [{"shape": {"type": "plane", "normal": turn([0, 0, 1])}}]}

    pictures = [mote.draw(directory, write_scene(directory, turned(k)), f"{k}.png")[0] for k in range(3)]
    need(pictures[0].std() > 5, "the picture is empty")
    for picture in pictures[1:]:
        mean, clear = difference(pictures[0], picture)
        need(mean < 1.5 and clear < 0.02, f"it differs by {mean:.2f} grey levels, {clear:.3f} of the pixels")


# ---- stored results


def results_case(mote, formats):
    def case(directory):
        scene = write_scene(directory)
        flags = ["--set", f"output.formats={json.dumps(formats)}"]
        mote(directory, "run", scene, "-o", "out", "--quiet", *flags)
        for frame in (0, 4):
            ran, summary = mote.draw(directory, scene, "ran.png", "--frame", str(frame))
            stored, other = mote.draw(directory, "out", "stored.png", "--frame", str(frame))
            mean, clear = difference(ran, stored)
            need(mean < 0.5 and clear < 0.002, f"frame {frame} differs by {mean:.3f} levels, {clear:.4f} of the pixels")
            for key in ("field", "unit", "frames", "width"):
                need(summary[key] == other[key], f"{key} is {other[key]}, not {summary[key]}")
            need(abs(summary["max"] - other["max"]) < 1e-5, "the ranges of the colours differ")

    return case


def results_with_flags(mote, directory):
    """What --set changed when the scene was run is known when it is drawn."""
    scene = write_scene(directory)
    mote(directory, "run", scene, "-o", "out", "--quiet", "--set", "view.style=cubes", "--set", "colliders=[]")
    ran, _ = mote.draw(directory, scene, "ran.png", "--style", "cubes", "--set", "colliders=[]")
    stored, _ = mote.draw(directory, "out", "stored.png")
    need(difference(ran, stored)[0] < 0.5, "the view of the run is not that of its results")
    by_index, _ = mote.draw(directory, "out/scene.pvd", "index.png")
    need((by_index == stored).all(), "the index shows something else than its directory")
    again = mote(directory, "check", "out/scene.scene.json", "--json")
    need(parse_json(again.stdout, "stdout")["scene"] == "scene", "the stored scene has another name")


def results_of_a_fluid(mote, directory):
    """Its particles come in another order than in the scene, and nearer to each other: the surface is the same."""
    scene = os.path.join(directory, "scene.json")
    with open(scene, "w") as file:
        json.dump({"time": {"end": 0.4, "step": {"type": "cfl", "max": 0.01}, "fps": 10},
                   "fluid": {"spacing": 0.05, "pressure": "dfsph", "phases": [
                       {"fill": [{"type": "box", "min": [0.025, 0.025, 0.025], "max": [0.425, 0.425, 0.625]}]}]},
                   "colliders": [{"inside": True, "shape": {"type": "box", "min": [0, 0, 0], "max": [1, 0.45, 1]}}],
                   "view": {"surface": "anisotropic", "size": [320, 240]}}, file)
    mote(directory, "run", scene, "-o", "out", "--quiet")
    ran, _ = mote.draw(directory, scene, "ran.png")
    stored, _ = mote.draw(directory, "out", "stored.png")
    mean, clear = difference(ran, stored)
    need(ran.std() > 5, "the picture is empty")
    need(mean < 0.5 and clear < 0.002, f"it differs by {mean:.3f} levels, {clear:.4f} of the pixels")


def results_moved(mote, directory):
    """A result directory can be taken elsewhere, and the scene it came from may go."""
    scene = write_scene(directory)
    mote(directory, "run", scene, "-o", "out", "--quiet")
    before, _ = mote.draw(directory, "out", "before.png")
    os.remove(scene)
    shutil.move(os.path.join(directory, "out"), os.path.join(directory, "elsewhere"))
    after, _ = mote.draw(directory, "elsewhere", "after.png")
    need((before == after).all(), "it looks different elsewhere")


def results_without_scene(mote, directory):
    mote(directory, "run", write_scene(directory), "-o", "out", "--quiet")
    os.remove(os.path.join(directory, "out", "scene.scene.json"))
    picture, summary = mote.draw(directory, "out", "a.png")
    need(picture.std() > 5 and summary["field"] == "speed", "nothing is seen without the scene")
    os.remove(os.path.join(directory, "out", "scene.pvd"))
    again, _ = mote.draw(directory, "out", "b.png")
    need((picture == again).all(), "without an index it looks different")


# ---- many pictures


def folder_of_pictures(mote, directory):
    done = mote(directory, "render", write_scene(directory), "-o", "frames/", *SMALL, "--json")
    names = sorted(os.listdir(os.path.join(directory, "frames")))
    need(names == [f"scene.{k:06}.png" for k in range(5)], f"there are {names}")
    summary = parse_json(done.stdout, "stdout")
    need(summary["frames"] == 5 and summary["first_file"].endswith("scene.000000.png"), f"it says {summary}")
    pictures = [read_png(os.path.join(directory, "frames", name)) for name in names]
    need(all((a != b).any() for a, b in zip(pictures, pictures[1:])), "two pictures are the same")
    mote(directory, "run", "scene.json", "-o", "out", "--quiet")
    mote(directory, "render", "out", "-o", "stored/", *SMALL, "--quiet")
    for name, picture in zip(names, pictures):
        mean, _ = difference(picture, read_png(os.path.join(directory, "stored", name)))
        need(mean < 0.5, f"{name} differs from the stored one by {mean:.2f}")
    mote(directory, "render", "out", "-o", "slow", *SMALL, "--quiet", "--fps", "10")
    need(len(os.listdir(os.path.join(directory, "slow"))) == 3, "10 pictures a second of 0.2 s are not 3")


def film(mote, directory):
    mote(directory, "render", write_scene(directory), "-o", "a.mp4", "--size", "161x91", "--quiet", "--speed", "0.5",
         "--fps", "30")
    need(sorted(os.listdir(directory)) == ["a.mp4", "scene.json"], f"there are {os.listdir(directory)}")
    probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                            "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames", "-of", "json",
                            os.path.join(directory, "a.mp4")], capture_output=True, text=True, check=False)
    stream = json.loads(probe.stdout)["streams"][0]
    wanted = {"codec_name": "h264", "width": 160, "height": 90, "pix_fmt": "yuv420p", "r_frame_rate": "30/1",
              "nb_read_frames": "13"}
    need(all(stream[key] == value for key, value in wanted.items()), f"the film is {stream}")


# ---- mistakes


def mistakes_in_flags(mote, directory):
    scene = write_scene(directory)
    for flags, says in ((["--style", "blobs"], ["view.style", "'blobs'", "allowed: auto"]),
                        (["--style", "sphere"], ["did you mean 'spheres'"]),
                        (["--mesh", "soft"], ["view.mesh", "smooth"]),
                        (["--map", "jet"], ["view.color.map", "viridis"]),
                        (["--surface", "metabal"], ["view.surface", "did you mean 'metaball'"]),
                        (["--field", "mas"], ["'mas'", "did you mean 'mass'"]),
                        (["--field", "v.q"], ["v.q", "0 to 2"]),
                        (["--range", "1"], ["--range", "'1'", "0,1.5"]),
                        (["--range", "2,1"], ["view.color.max", "above min"]),
                        (["--size", "10"], ["--size", "1280x720"]),
                        (["--size", "1x1"], ["view.size[0]", "[16, 16384]"]),
                        (["--eye", "1,2"], ["--eye", "1,2.5,-3"]),
                        (["--eye", "1,1,1", "--target", "1,1,1"], ["view.camera.eye"]),
                        (["--fov", "0"], ["field_of_view", "[1, 150]"]),
                        (["--frame", "5"], ["no frame 5", "0 to 4"]),
                        (["--frame", "-1"], ["--frame"]),
                        (["--time", "9"], ["beyond the end", "0.2"]),
                        (["--fps", "0"], ["fps"]),
                        (["--speed", "0"], ["speed"]),
                        (["--orbit", "a,b,c"], ["--orbit"]),
                        (["--colour", "red"], ["unknown flag '--colour'"]),
                        (["--no-legend=yes"], ["takes no value"]),
                        (["--style"], ["needs a value"])):
        mote.refuse(directory, scene, "-o", "a.png", *flags, says=says)
    mote.refuse(directory, scene, says=["no output given"])
    mote.refuse(directory, "-o", "a.png", says=["a scene or results are missing"])


def mistakes_in_outputs(mote, directory):
    scene = write_scene(directory)
    mote.refuse(directory, scene, "-o", "a.jpg", says=["'.jpg'", ".png"])
    mote.refuse(directory, scene, "-o", "nowhere/a.png", says=["nowhere/a.png", "create the directory"])
    mote.refuse(directory, scene, "-o", "scene.json/", says=["scene.json"])
    mote.refuse(directory, scene, "-o", "/dev/null/a.png", says=["/dev/null/a.png"])
    for output in ("a.mp4", "frames/"):
        mote.refuse(directory, scene, "-o", output, "--frame", "1", says=["single image"])
        mote.refuse(directory, scene, "-o", output, "--time", "0.1", says=["single image"])
    if os.geteuid() != 0:
        os.mkdir(os.path.join(directory, "locked"), stat.S_IRUSR | stat.S_IXUSR)
        mote.refuse(directory, scene, "-o", "locked/a.png", says=["locked/a.png", "permissions"])


def mistakes_in_results(mote, directory):
    os.mkdir(os.path.join(directory, "empty"))
    mote.refuse(directory, "empty", "-o", "a.png", says=["empty", "no frames"])
    mote.refuse(directory, "nowhere", "-o", "a.png", says=["nowhere"])
    mote.refuse(directory, "nowhere/x.pvd", "-o", "a.png", says=["nowhere"])
    mote(directory, "run", write_scene(directory), "-o", "out", "--quiet", "--frames", "2")
    frame = os.path.join(directory, "out", "scene.000002.vtp")
    mote.refuse(directory, frame, "-o", "a.png", says=["single frame", "--frame N"])
    with open(frame, "r+b") as file:
        file.truncate(os.path.getsize(frame) // 2)
    mote.refuse(directory, "out", "-o", "a.png", says=["scene.000002.vtp", "truncated"])
    mote.refuse(directory, "out", "-o", "a.png", "--field", "mass", says=["'mass'", "allowed: none, x"])
    os.remove(frame)
    mote.refuse(directory, "out", "-o", "a.png", says=["scene.000002.vtp", "cannot be opened"])
    mote(directory, "run", "scene.json", "-o", "out", "--quiet", "--frames", "1")
    shutil.copy(os.path.join(directory, "scene.json"), os.path.join(directory, "other.json"))
    mote(directory, "run", "other.json", "-o", "out", "--quiet", "--frames", "1")
    mote.refuse(directory, "out", "-o", "a.png", says=["several runs", "other", ".pvd"])


def no_ffmpeg(mote, directory):
    scene = write_scene(directory)
    os.mkdir(os.path.join(directory, "bin"))
    done = subprocess.run([mote.program, "render", scene, "-o", os.path.join(directory, "a.mp4"), *SMALL], cwd=directory,
                          env={**os.environ, "PATH": os.path.join(directory, "bin")}, capture_output=True, text=True,
                          check=False)
    need_exit(done, 2)
    need_in("ffmpeg", done.stderr, "stderr")
    need_in("-o frames/", done.stderr, "stderr")
    need(sorted(os.listdir(directory)) == ["bin", "scene.json"], f"there are {os.listdir(directory)}")


def no_library(mote, directory):
    """Without libmote_view the program still runs scenes, and says what pictures need."""
    for name in os.listdir(os.path.dirname(mote.program)):
        source = os.path.join(os.path.dirname(mote.program), name)
        if name == "mote" or name.startswith("libmote.so"):
            shutil.copy(source, os.path.join(directory, name), follow_symlinks=True)
    scene = write_scene(directory)
    bare = Mote(os.path.join(directory, "mote"))
    bare(directory, "run", scene, "-o", "out", "--quiet")
    bare.refuse(directory, scene, "-o", "a.png", says=["libmote_view", "scripts/install.sh view"])
    done = bare(directory, "view", scene, code=2)
    need_in("libmote_view", done.stderr, "stderr")


def no_display(mote, directory):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([mote.program, "view", write_scene(directory)], cwd=directory, env=environment,
                          capture_output=True, text=True, check=False)
    need_exit(done, 2)
    for part in ("display", "mote render"):
        need_in(part, done.stderr, "stderr")


def can_draw(mote):
    """Whether there is OpenGL at all; without it nothing here can be checked."""
    reasons = []

    def case(directory):
        done = run(mote.program, ["render", write_scene(directory), "-o", "a.png", *SMALL], directory, 120)
        if done.returncode == 2 and ("OpenGL" in done.stderr or "rendering:" in done.stderr or "EGL" in done.stderr):
            reasons.append(done.stderr)
        else:
            need_exit(done, 0)

    code = run_cases([("can_draw", case)])
    if reasons:
        print(f"skipped: {reasons[0]}")
        sys.exit(SKIPPED)
    if code:
        sys.exit(code)


def main():
    program, _ = arguments_of("check_render.py MOTE-PROGRAM SCENES-DIR", 2)
    mote = Mote(program)
    can_draw(mote)
    cases = [scene_to_picture, moments_differ, flags_change_the_picture, every_style, legend_of_what_is_colored,
             surface_instead_of_a_mesh, up_is_up, results_with_flags, results_of_a_fluid,
             results_moved, results_without_scene, folder_of_pictures, mistakes_in_flags, mistakes_in_outputs,
             mistakes_in_results, no_ffmpeg, no_library, no_display]
    if shutil.which("ffmpeg") and shutil.which("ffprobe"):
        cases.append(film)
    named = [(case.__name__, lambda directory, case=case: case(mote, directory)) for case in cases]
    for name, formats in (("vtp", ["vtp"]), ("ply", ["ply"]),
                          ("vtp_double", [{"type": "vtp", "single": False, "compression": 0}]),
                          ("ply_ascii", [{"type": "ply", "ascii": True}])):
        named.append((f"results_{name}", results_case(mote, formats)))
    return run_cases(named)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Bad as problem:
        sys.exit(str(problem))
