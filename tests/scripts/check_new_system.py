#!/usr/bin/env python3
"""Adds a system as one folder and one line, and a coupling as one file and one line, in a scratch copy of the tree: beads
that slide on wires, and beads that leave them for the system of particles. Both are built, listed, explained, in the
schema, stepped, snapshotted, drawn and hashed on 1, 2, 3 and 8 threads, with no other edit; an observable and numbers
of the report come with the system. Then code in world/, observe/, scene/, run/ and view/show/ names the system, and the
layering test says so.

usage: check_new_system.py PROJECT-DIR SCRATCH-DIR
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from scratch import Scratch, call

HERE = pathlib.Path(__file__).parent

# Beads on a wire of 2 m, some of which become faster than 6.5 m/s on their way down, beside a free particle.
SCENE = {
    "time": {"end": 1.5, "step": 0.001, "fps": 20},
    "bead_friction": 0.1,
    "release_speed": 6.5,
    "bodies": [{"name": "necklace", "mesh": {"type": "points", "positions": []}, "model": {"type": "wire", "radius": 2},
                "bead_spin": 0.25, "radius": 0.05, "mass": 64},
               {"name": "stone", "mesh": {"type": "points", "positions": [[5, 0, 0]]}, "radius": 0.05},
               {"name": "rope", "mesh": {"type": "rope", "start": [6, 0, 0], "end": [7, 0, 0], "segments": 10}, "mass": 1,
                "model": {"type": "spring", "k": 100}}],
    "colliders": [{"shape": {"type": "plane", "point": [0, 0, -3]}}],
    "observables": [{"type": "bead_angle", "from": 0.5}],
}
for bead in range(64):
    angle = 0.1 + bead * 1.4 / 64
    SCENE["bodies"][0]["mesh"]["positions"].append([2 * math.cos(angle), 0, 2 * math.sin(angle)])


def with_line(root, path, line):
    return {path: (root / path).read_text() + line + "\n"}


def edits_of(root):
    toys = root / "tests/new_system"
    return {"src/system/beads/beads.c": (toys / "beads.c").read_text(),
            "src/couple/bead_release.c": (toys / "bead_release.c").read_text(),
            **with_line(root, "src/system/systems.def", "MO_SYSTEM(beads)"),
            **with_line(root, "src/couple/couplings.def", "MO_COUPLING(bead_release)")}


def run(mote, scene, out, *flags):
    call(mote, "run", scene, "-o", out, "--quiet", *flags)
    return json.loads((out / "report.json").read_text())


def rows_of(out):
    return list(csv.DictReader((out / "beads.csv").open()))


def refused(mote, scene, folder, words, command="check"):
    """A scene with one key in the wrong place is refused, with these words."""
    path = folder / "refused.json"
    path.write_text(json.dumps(scene))
    done = subprocess.run([mote, command, path], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 2 and all(word in done.stderr for word in words), done.stderr


def check_catalogue(mote):
    assert "wire" in call(mote, "list", "model")
    assert "wire (model)" in call(mote, "explain", "wire")
    assert "bead_angle" in call(mote, "list", "observable") and "bead_angle (observable)" in call(mote, "explain", "bead_angle")
    assert "release_speed" in call(mote, "explain", "scene") and "bead_spin" in call(mote, "explain", "body")
    schema = call(mote, "schema")
    assert all(f'"{key}"' in schema for key in ("wire", "bead_friction", "bead_spin", "release_speed", "bead_angle"))


def check_steps(mote, scene, folder):
    """All beads slide, some leave; the table has a column for them; threads and a resume change no bit."""
    reports = {threads: run(mote, scene, folder / f"threads{threads}", "--threads", str(threads)) for threads in (1, 2, 3, 8)}
    hashes = {report["state_hash"] for report in reports.values()}
    assert len(hashes) == 1 and reports[1]["outcome"] == "done", hashes
    left = [int(row["beads"]) for row in rows_of(folder / "threads1")]
    assert left[0] == 64 and 0 < left[-1] < 64, left
    kinds = reports[1]["particles"]
    assert kinds["beads"] == left[-1] and kinds["free"] == 65 - left[-1] and kinds["solid"] == 11, kinds
    run(mote, scene, folder / "half", "--until", "1.2", "--set", "output.checkpoint_every=0.1")
    files = sorted((folder / "half").glob("*.npz"))
    assert files, list((folder / "half").iterdir())
    names = call(sys.executable, "-c", f"import zipfile; print(zipfile.ZipFile(r'{files[-1]}').namelist())")
    assert "bead_release.beads.forces" in names and "beads/angle.npy" in names, names
    call(mote, "resume", files[-1], "-o", folder / "whole", "--until", "1.5", "--quiet")
    resumed = json.loads((folder / "whole/report.json").read_text())
    assert resumed["state_hash"] == reports[1]["state_hash"], (resumed["state_hash"], hashes)
    return left


def check_report(mote, folder, left):
    """Numbers of the report and a table of the observable, both the system's own."""
    report = json.loads((folder / "threads1/report.json").read_text())
    assert report["beads"]["on_wires"] == left[-1] and report["beads"]["fastest_m_s"] > 5, report["beads"]
    angles = list(csv.DictReader((folder / "threads1/beads.bead_angle.csv").open()))
    assert len(angles) == len(left), (len(angles), len(left))
    mean = sum(0.1 + bead * 1.4 / 64 - 0.5 for bead in range(64)) / 64
    assert abs(float(angles[0]["mean_rad"]) - mean) < 1e-12, angles[0]
    assert float(angles[-1]["largest_rad"]) != float(angles[0]["largest_rad"])
    stone = {**SCENE, "bodies": SCENE["bodies"][1:], "observables": []}
    del stone["bead_friction"]
    path = folder / "stone.json"
    path.write_text(json.dumps(stone))
    without = run(mote, path, folder / "stone", "--until", "0.01")
    assert "beads" in without and without["beads"] is None and "beads" not in without["particles"], without
    refused(mote, {**stone, "observables": [{"type": "bead_angle"}]}, folder, ["observables[0]", "no beads"], "run")


def check_measure(mote, scene, folder):
    """A coupling's energy is part of the world's."""
    first = {energy: run(mote, scene, folder / f"latch{energy}", "--until", "0.01", "--set", f"latch_energy={energy}")
             ["energy"]["total_first"] for energy in (0, 2)}
    assert abs(first[2] - first[0] - 2 * 64) < 1e-9 * abs(first[2]), first


def check_picture(mote, folder):
    """Drawn where there is OpenGL; frames are there in any case."""
    assert list((folder / "threads1").glob("beads.beads.*.vtp")), "no frames"
    done = subprocess.run([mote, "render", folder / "threads1", "-o", folder / "beads.png", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode == 0:
        assert (folder / "beads.png").stat().st_size > 1000
    else:
        assert "OpenGL" in done.stderr or "libmote_view" in done.stderr or "EGL" in done.stderr, done.stderr
    return done.returncode == 0


def check_refusals(mote, folder):
    wrong = json.loads(json.dumps(SCENE))
    wrong["bodies"][1]["bead_spin"] = 1
    refused(mote, wrong, folder, ["bodies[1].bead_spin", "'wire'"])
    wrong = json.loads(json.dumps(SCENE))
    wrong["bodies"][0]["temperature"] = 300
    refused(mote, wrong, folder, ["bodies[0].temperature", "'spring'", "'wire'"])
    wrong["bodies"] = [wrong["bodies"][1]]
    refused(mote, wrong, folder, ["bead_friction", "'wire'"])


def check_layering(scratch):
    """Rooms above the systems may not know one by name, nor include it."""
    for file in ("world/access", "observe/observables", "io/output/writer", "scene/scene", "run/report", "view/show/show"):
        lines = [('#include "system/beads/beads.h"', "may not include"),
                 ("extern const mo_system_type mo_system_beads;", "names 'beads'"),
                 ('static const char *const NAME = "beads";', "names 'beads'")]
        lines.append(("static const mo_family *const THEIRS = &mo_rigid_system_models;", "knows a system by its 'mo_rigid_system_models'"))
        lines.append(('const mo_column *c = mo_store_find(system->store, "angle");', "finds the column 'angle' by name"))
        if file.startswith("world"):
            lines.append(('static const char *const TEXT = "the scene has no beads";', "names 'beads'"))
        for line, words in lines:
            before = (scratch.tree / f"src/{file}.c").read_text()
            scratch.write(f"src/{file}.c", before + line + "\n")
            layers = subprocess.run([sys.executable, HERE / "check_layers.py", scratch.tree], capture_output=True, text=True)
            scratch.write(f"src/{file}.c", before)
            assert layers.returncode == 1 and words in layers.stdout, (file, layers.stdout)
    call(sys.executable, HERE / "check_layers.py", scratch.tree)


def main():
    root = pathlib.Path(sys.argv[1])
    scratch = Scratch(root, sys.argv[2], edits_of(root))
    scratch.make("mote_program", *(["mote_view"] if (root / "build/libmote_view.so").exists() else []))
    mote = scratch.build / "mote"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        scene = folder / "beads.json"
        scene.write_text(json.dumps(SCENE))
        check_catalogue(mote)
        left = check_steps(mote, scene, folder)
        check_report(mote, folder, left)
        check_measure(mote, scene, folder)
        drawn = check_picture(mote, folder)
        check_refusals(mote, folder)
    check_layering(scratch)
    print(f"a system and a coupling with no other edit: {left[0]} beads, {left[-1]} still on their wires, "
          f"{'drawn' if drawn else 'no OpenGL to draw with'}")
    print("1 passed, 0 failed")


main()
