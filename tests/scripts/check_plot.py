#!/usr/bin/env python3
"""`mote plot` as a user meets it: check_plot.py MOTE-PROGRAM SCENES-DIR

The tables of a run, the figures made of them, and what is said of everything that is no run. Standard library
only: pictures are read by their heads.
"""

import csv
import json
import os
import struct
import sys
from xml.etree import ElementTree

from harness import arguments_of, files_in, need, need_exit, need_in, run, run_cases

# a stone falls onto the ground and slides; nothing is elastic, and the step varies
FALL = {
    "time": {"end": 0.6, "step": {"type": "cfl", "factor": 0.2, "max": 0.005}, "fps": 50},
    "bodies": [{"name": "stone", "velocity": [2, 1, 0], "radius": 0.05,
                "mesh": {"type": "points", "positions": [[0, 0, 0.5]]}}],
    "colliders": [{"shape": {"type": "plane"}, "friction": 0.1, "restitution": 0.5}],
}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def make_run(mote, directory, name="fall", out="out", scene=None):
    path = os.path.join(directory, name + ".json")
    write(path, json.dumps(scene or FALL))
    need_exit(run(mote, ["run", path, "-o", out, "--quiet"], directory), 0)
    return os.path.join(directory, out)


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]


def png_size(path):
    head = read(path)[:24]
    need(head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR", f"{path} is no PNG")
    return struct.unpack(">II", head[16:24])


def svg_texts(path):
    root = ElementTree.parse(path).getroot()
    need(root.tag.endswith("svg"), f"{path} is no SVG")
    return ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]


# ---- the tables


def tables_tell_what_happened(mote, directory):
    out = make_run(mote, directory)
    rows, times = table(os.path.join(out, "fall.csv")), table(os.path.join(out, "fall.times.csv"))
    need(len(rows) == len(times) == 31, f"{len(rows)} and {len(times)} rows instead of 31")
    need([row["time_s"] for row in rows] == [row["time_s"] for row in times], "the times of the tables differ")
    need(rows[0]["step_max_s"] == 0 and rows[0]["evaluations"] == 0, "there was a step before the first frame")
    for before, row in zip(rows, rows[1:]):
        steps, length = row["steps"] - before["steps"], row["time_s"] - before["time_s"]
        need(0 < row["step_min_s"] <= row["step_max_s"] <= 0.005 * (1 + 1e-9), f"steps {row}")
        need(steps * row["step_min_s"] <= length * (1 + 1e-9) and steps * row["step_max_s"] >= length * (1 - 1e-9),
             "steps of these sizes do not fill the interval")
        need(row["evaluations"] >= steps, "fewer evaluations than steps")
        need(row["courant"] > 0, "a stone that moves has no Courant number")
    need(rows[5]["contacts"] == 0 and max(row["contacts"] for row in rows) == 1, "contacts are not counted")
    for row in times:
        parts = sum(value for name, value in row.items() if name not in ("time_s", "wall_s"))
        need(min(row.values()) >= 0 and parts <= row["wall_s"] * 1.001 + 1e-6, f"more time than there was: {row}")


def tables_are_the_same_from_run_to_run(mote, directory):
    first, second = make_run(mote, directory, out="a"), make_run(mote, directory, out="b")
    need(read(os.path.join(first, "fall.csv")) == read(os.path.join(second, "fall.csv")), "the tables differ")


# ---- the figures


def figures(mote, directory):
    out = make_run(mote, directory)
    done = run(mote, ["plot", "out"], directory)
    need_exit(done, 0)
    for name in ("energies", "momenta", "steps", "contacts", "stages"):
        base = os.path.join(out, f"fall.{name}")
        need(png_size(base + ".png") == (900, 560), f"{name}: the size is {png_size(base + '.png')}")
        need_in("time [s]", "\n".join(svg_texts(base + ".svg")), name)
        need_in(f"fall.{name}.svg, png", done.stdout, "what it says")
    texts = svg_texts(os.path.join(out, "fall.energies.svg"))
    need("kinetic" in texts and "potential" in texts and "total" in texts, f"energies: {texts}")
    need("elastic" not in texts, "there is nothing elastic in the scene")
    need("smallest" in svg_texts(os.path.join(out, "fall.steps.svg")), "the smallest step is not shown")
    need("forces" in svg_texts(os.path.join(out, "fall.stages.svg")), "the stages are not named")
    need_in("density     not drawn: it has no fluid", done.stdout, "what it says")
    need(not os.path.exists(os.path.join(out, "fall.density.svg")), "a density error without a fluid")
    need(not [file for file in files_in(out) if file.endswith(".tmp")], "unfinished files are left")


def choices(mote, directory):
    make_run(mote, directory)
    need_exit(run(mote, ["plot", "out", "-o", "pictures/here", "--png-only", "--size", "640x400"], directory), 0)
    made = files_in(os.path.join(directory, "pictures/here"))
    need(made and all(file.endswith(".png") for file in made), f"files {made}")
    need(png_size(os.path.join(directory, "pictures/here", "fall.energies.png")) == (640, 400), "another size")
    done = run(mote, ["plot", "out/fall.csv", "-o", "svg", "--svg-only", "--quiet"], directory)
    need_exit(done, 0)
    need(done.stdout == "", "--quiet says something")
    need(all(file.endswith(".svg") for file in files_in(os.path.join(directory, "svg"))), "not only SVG")
    # the same run is the same picture
    need_exit(run(mote, ["plot", "out", "-o", "again", "--png-only", "--size", "640x400"], directory), 0)
    for file in made:
        need(read(os.path.join(directory, "again", file)) == read(os.path.join(directory, "pictures/here", file)),
             f"{file} differs from the first time")


def without_times(mote, directory):
    out = make_run(mote, directory)
    os.unlink(os.path.join(out, "fall.times.csv"))
    done = run(mote, ["plot", "out"], directory)
    need_exit(done, 0)
    need_in("stages      not drawn: there is no table of times", done.stdout, "what it says")


# ---- what is no run


def refuse(mote, directory, arguments, *parts):
    before = files_in(directory)
    done = run(mote, ["plot", *arguments], directory)
    need_exit(done, 2)
    for part in parts:
        need_in(part, done.stderr, "the message")
    need(done.stdout == "" and files_in(directory) == before, "something was written")


def usage(mote, directory):
    refuse(mote, directory, [], "a run is missing", "mote plot RUN-DIR")
    os.mkdir(os.path.join(directory, "d"))
    refuse(mote, directory, ["d", "--size", "big"], "--size", "'big'", "900x560")
    refuse(mote, directory, ["d", "--size", "640x400x"], "is not a size")
    refuse(mote, directory, ["d", "--size", "10x10"], "allowed: 200x200 to 8000x8000")
    refuse(mote, directory, ["d", "--png-only", "--svg-only"], "exclude each other")
    refuse(mote, directory, ["d", "--threads", "2"], "unknown flag")


def no_run(mote, directory):
    refuse(mote, directory, ["missing"], "missing", "No such file", "mote run SCENE.json -o DIR")
    os.mkdir(os.path.join(directory, "empty"))
    refuse(mote, directory, ["empty"], "empty: the directory is empty", "mote run SCENE.json -o DIR")
    other = os.path.join(directory, "other")
    os.mkdir(other)
    write(os.path.join(other, "shopping.csv"), "milk,bread\n1,2\n")
    refuse(mote, directory, ["other"], "not the directory of a run", "NAME.csv", "mote run")
    refuse(mote, directory, ["other/shopping.csv"], "neither the directory of a run nor its table")


def several_runs(mote, directory):
    make_run(mote, directory, "one")
    make_run(mote, directory, "two")
    refuse(mote, directory, ["out"], "contains 2 runs", "one.csv, two.csv", "mote plot out/two.csv")
    need_exit(run(mote, ["plot", "out/one.csv", "--quiet"], directory), 0)
    need(os.path.exists(os.path.join(directory, "out", "one.energies.png")), "no figure of the one chosen")
    need(not os.path.exists(os.path.join(directory, "out", "two.energies.png")), "a figure of the other one")


def damaged_tables(mote, directory):
    out = make_run(mote, directory)
    path = os.path.join(out, "fall.csv")
    whole = read(path).decode()
    lines = whole.splitlines(keepends=True)
    half = "".join(lines[:9]) + lines[9][:len(lines[9]) // 2]
    for text, parts in ((half, ("fall.csv:10", "truncated")),
                        (half + "\n", ("fall.csv:10", "columns", "run the scene again")),
                        (lines[0], ("has no rows", "run the scene again")),
                        (lines[0][:40], ("fall.csv:1", "truncated")),
                        ("".join(lines[:3]) + lines[3].replace("0.", "zero", 1), ("fall.csv:4", "is not a number")),
                        ("".join(lines[:3]) + lines[3].replace("\n", ",7\n"), ("fall.csv:4", "more than 17 columns")),
                        ("", ("not the directory of a run",))):
        write(path, text)
        refuse(mote, directory, ["out"], *parts)
    write(path, whole)
    write(os.path.join(out, "fall.times.csv"), "time_s,wall_s\n0,0.1\n0.02,")
    refuse(mote, directory, ["out"], "fall.times.csv:3", "truncated")


def places_that_cannot_be_written(mote, directory):
    make_run(mote, directory)
    write(os.path.join(directory, "file"), "")
    done = run(mote, ["plot", "out", "-o", "file"], directory)
    need_exit(done, 1)
    need_in("file", done.stderr, "the message")


def main():
    mote, scenes = arguments_of("check_plot.py MOTE-PROGRAM SCENES-DIR", 2)
    cases = (tables_tell_what_happened, tables_are_the_same_from_run_to_run, figures, choices, without_times, usage,
             no_run, several_runs, damaged_tables, places_that_cannot_be_written)

    def cloth(directory):
        need_exit(run(mote, ["run", os.path.join(scenes, "hanging_cloth.json"), "-o", "out", "--frames", "5",
                             "--quiet"], directory), 0)
        need_exit(run(mote, ["plot", "out"], directory), 0)
        need("elastic" in svg_texts(os.path.join(directory, "out", "hanging_cloth.energies.svg")), "no elastic energy")

    return run_cases([(case.__name__, lambda directory, case=case: case(mote, directory)) for case in cases] +
                     [("cloth", cloth)])


if __name__ == "__main__":
    sys.exit(main())
