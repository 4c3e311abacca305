#!/usr/bin/python3
"""Stresses as a user gets them: a bar that hangs in a clamp at rest, written as vtu and vtp and read back with VTK itself. Then
what a run says of itself: an explicit step that is too long, Newton's residual where nobody looked. Needs python3-vtk9.

usage: check_stress.py MOTE
"""
import glob
import json
import os
import sys

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from harness import need, need_exit, need_in, read_json, run, run_cases

BAR = {
    "time": {"end": 0.01, "step": 0.001, "fps": 100}, "integrator": "implicit_euler",
    "bodies": [
        {"name": "bar", "density": 1000, "pins": [{"set": "z1"}],
         "mesh": {"type": "block", "max": [0.2, 0.2, 1], "nx": 3, "ny": 3, "nz": 11, "tetrahedra": 5},
         "model": {"type": "fem", "material": {"type": "linear", "young": 1e7, "poisson": 0}}},
        {"name": "rope", "mass": 1, "pins": [{"set": "start"}],
         "mesh": {"type": "rope", "start": [1, 0, 1], "end": [1, 0, 0], "segments": 4},
         "model": {"type": "spring", "k": 1000}},
        {"name": "dust", "pins": [{"nodes": [0]}], "mesh": {"type": "points", "positions": [[2, 0, 0]]}}],
    "output": {"formats": ["vtp", {"type": "vtu", "single": False}], "fields": ["von_mises", "stress", "body"]},
}


def written(directory, scene):
    path = os.path.join(directory, "bar.json")
    with open(path, "w") as file:
        json.dump(scene, file)
    return path


def read(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    complaints = []
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append(True))
    reader.SetFileName(path)
    reader.Update()
    need(not complaints and reader.GetErrorCode() == 0, f"VTK cannot read {path}")
    return reader.GetOutput()


def stresses(mote):
    def check(directory):
        out = os.path.join(directory, "out")
        need_exit(run(mote, ["run", written(directory, BAR), "--static", "-o", out, "--quiet"], directory), 0)
        grid = read(sorted(glob.glob(os.path.join(out, "*.vtu")))[-1])
        types = vtk_to_numpy(grid.GetCellTypesArray())
        tetrahedra = types == vtk.VTK_TETRA
        need(tetrahedra.sum() == 2 * 2 * 10 * 5, f"{tetrahedra.sum()} tetrahedra")
        need((types == vtk.VTK_LINE).sum() == 4 and (types == vtk.VTK_VERTEX).sum() == 1, "rope or dust is missing")
        need(not (types == vtk.VTK_TRIANGLE).any(), "the surface of the bar is there twice")
        stress = vtk_to_numpy(grid.GetCellData().GetArray("stress")).reshape(-1, 3, 3)
        mises = vtk_to_numpy(grid.GetCellData().GetArray("von_mises"))
        need(numpy.isnan(stress[~tetrahedra]).all() and numpy.isfinite(stress[tetrahedra]).all(), "who has a stress")
        x = vtk_to_numpy(grid.GetPoints().GetData())
        layers = numpy.zeros((10, 2))  # stress times volume, and volume, by layers of cells
        for cell in numpy.flatnonzero(tetrahedra):
            corners = x[[grid.GetCell(int(cell)).GetPointId(k) for k in range(4)]]
            volume = abs(numpy.linalg.det(corners[1:] - corners[0])) / 6
            layers[round(corners[:, 2].min() * 10)] += stress[cell, 2, 2] * volume, volume
        for below, (force, volume) in enumerate(layers):
            expected = 1000 * 9.81 * (below + 0.5) / 10  # the layers below hang on it, and half of its own
            need(abs(force / volume - expected) < 1e-3 * expected, f"{force / volume} instead of {expected}")
        weights = 1.5 * numpy.einsum("kij,kij->k", stress, stress) - 0.5 * numpy.einsum("kii->k", stress)**2
        need(numpy.allclose(numpy.sqrt(weights[tetrahedra]), mises[tetrahedra]), "von Mises is not that of the stress")
        points = vtk_to_numpy(grid.GetPointData().GetArray("von_mises"))
        need(abs(points[:99].max() - 1000 * 9.81 * 0.95) < 300, f"at the clamp {points[:99].max()}")
        need((points[99:] == 0).all(), "a rope has no stress")
    return check


def shown_fields(mote):
    """What the view colours by is written, asked for or not, and a component by its column."""
    def check(directory):
        for field, column in (("von_mises", "von_mises"), ("stress.2", "stress"), ("v.x", "v"), ("none", "v")):
            scene = dict(BAR, output={"formats": ["vtu"], "fields": ["v"]}, view={"color": {"field": field}})
            out = os.path.join(directory, "shown")
            need_exit(run(mote, ["run", written(directory, scene), "--static", "-o", out, "--quiet"], directory), 0)
            data = read(sorted(glob.glob(os.path.join(out, "*.vtu")))[-1]).GetPointData()
            need(data.GetArray(column), f"{field}: {column} is not in the file")
            need(data.GetNumberOfArrays() == (1 if column == "v" else 2), f"{field}: {data.GetNumberOfArrays()} arrays")
    return check


def long_steps(mote):
    def check(directory):
        scene = dict(BAR, integrator="velocity_verlet")
        done = run(mote, ["run", written(directory, scene), "-o", os.path.join(directory, "out")], directory)
        need_in("stability limit", done.stderr, "the warning of a long step")
        scene["time"] = {"end": 1e-5, "step": 1e-6}
        done = run(mote, ["run", written(directory, scene), "-o", os.path.join(directory, "short")], directory)
        need_exit(done, 0)
        need("stability limit" not in done.stderr, "a short step is warned of")
    return check


def unseen_residuals(mote):
    def check(directory):
        for iterations, seen in ((1, False), (5, True)):
            scene = dict(BAR, integrator={"type": "implicit_euler", "iterations": iterations})
            out = os.path.join(directory, f"out{iterations}")
            need_exit(run(mote, ["run", written(directory, scene), "-o", out, "--quiet"], directory), 0)
            residual = read_json(os.path.join(out, "report.json"))["implicit"]["newton_residual_max"]
            need((residual is not None) == seen, f"{iterations} iterations: {residual}")
    return check


def main():
    mote = sys.argv[1]
    return run_cases([("stresses", stresses(mote)), ("shown fields", shown_fields(mote)), ("long steps", long_steps(mote)),
                      ("unseen residuals", unseen_residuals(mote))])


if __name__ == "__main__":
    sys.exit(main())
