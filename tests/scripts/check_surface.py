#!/usr/bin/env python3
"""`mote surface` on scenes, result directories and files: meshes that VTK finds closed, in every format, the same bytes on
any number of threads; and what it refuses.

usage: check_surface.py MOTE SCENES
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import vtk

PROBLEMS = []


def check(condition, what):
    if not condition:
        PROBLEMS.append(what)


def surface(mote, *arguments, code=0):
    run = subprocess.run([mote, "surface", *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != code:
        PROBLEMS.append(f"surface {arguments}: exit code {run.returncode}, not {code}: {run.stderr}{run.stdout}")
    return run


def read(path):
    reader = {".vtp": vtk.vtkXMLPolyDataReader, ".ply": vtk.vtkPLYReader, ".obj": vtk.vtkOBJReader}[path.suffix]()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def bad_edges(mesh):
    """Edges that do not belong to two triangles."""
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.BoundaryEdgesOn()
    edges.NonManifoldEdgesOn()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def volume(mesh):
    mass = vtk.vtkMassProperties()
    mass.SetInputData(mesh)
    return mass.GetVolume()


def write_cloud(path, points):
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz") + "end_header\n"
    path.write_bytes(head.encode() + numpy.asarray(points, "<f4").tobytes())


def ball():
    axis = numpy.arange(-7, 7) + 0.5
    grid = numpy.stack(numpy.meshgrid(axis, axis, axis), -1).reshape(-1, 3)
    return grid[(grid ** 2).sum(1) < 36]


def check_formats(mote, folder, cloud, count):
    for form in ("ply", "obj", "vtp"):
        run = surface(mote, cloud, "-o", folder / form, "--format", form, "--json")
        said = json.loads(run.stdout)
        mesh = read(pathlib.Path(said["file"]))
        check(said["closed"] and said["euler"] == 2 and said["particles"] == count, f"{form}: {said}")
        check(mesh.GetNumberOfPoints() == said["vertices"] and mesh.GetNumberOfCells() == said["triangles"],
              f"{form}: VTK sees {mesh.GetNumberOfPoints()} points, {mesh.GetNumberOfCells()} cells")
        check(bad_edges(mesh) == 0, f"{form}: VTK finds {bad_edges(mesh)} bad edges")
        check(abs(volume(mesh) / count - 1) < 0.04, f"{form}: the volume is {volume(mesh)} for {count} particles")
        check(abs(volume(mesh) / said["volume"] - 1) < 1e-4, f"{form}: VTK's volume differs")
        check(mesh.GetPointData().GetNormals() is not None, f"{form}: no normals")


def check_threads(mote, folder, cloud):
    for method in ("anisotropic", "metaball", "zhu_bridson"):
        files = []
        for threads in (1, 3):
            out = folder / f"{method}{threads}"
            surface(mote, cloud, "-o", out, "--method", method, "--threads", threads, "--quiet")
            files.append((out / "ball.surface.000000.ply").read_bytes())
        check(files[0] == files[1], f"{method}: the files differ between 1 and 3 threads")


def check_runs(mote, scenes, folder):
    scene = scenes / "jelly_block.json"
    direct = surface(mote, scene, "-o", folder / "direct", "--frames", 2, "--format", "vtp", "--field", "v", "--json")
    subprocess.run([mote, "run", scene, "-o", folder / "run", "--frames", "2", "--quiet"], check=True)
    stored = surface(mote, folder / "run", "-o", folder / "stored", "--format", "vtp", "--field", "v", "--json")
    for run in (direct, stored):
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        check(len(lines) == 3 and all(line["closed"] for line in lines), f"three closed meshes: {lines}")
        check([line["time"] for line in lines] == sorted(line["time"] for line in lines), "times grow")
        mesh = read(pathlib.Path(lines[-1]["file"]))
        v = mesh.GetPointData().GetArray("v")
        check(v is not None and v.GetNumberOfComponents() == 3, "the velocities are carried")
        check(bad_edges(mesh) == 0, "meshes of frames are closed")
    check((folder / "stored" / "jelly_block.surface.pvd").exists(), "there is an index")
    surface(mote, scene, "-o", folder / "set", "--frames", 0, "--set", "output.surface=metaball", "--quiet")
    surface(mote, scene, "-o", folder / "two", "--frames", 0, "--method", '{"type": "metaball"}', "--quiet")
    name = "jelly_block.surface.000000.ply"
    check((folder / "set" / name).read_bytes() == (folder / "two" / name).read_bytes(), "the scene's method is used")
    check((folder / "set" / name).read_bytes() != (folder / "direct" / name.replace("ply", "vtp")).read_bytes(), "methods differ")


def check_refusals(mote, scenes, folder, cloud):
    write_cloud(folder / "none.ply", numpy.zeros((0, 3)))
    empty = surface(mote, folder / "none.ply", "-o", folder / "empty", "--format", "vtp")
    check("no particles" in empty.stdout, f"an empty cloud is told: {empty.stdout}")
    check(read(folder / "empty" / "none.surface.000000.vtp").GetNumberOfPoints() == 0, "an empty mesh is valid")
    write_cloud(folder / "one.ply", [[0, 0, 0]])
    write_cloud(folder / "nan.ply", [[0, 0, 0], [0, numpy.nan, 0]])
    scene = scenes / "jelly_block.json"
    for arguments, word in (
            ((), "an input is missing"), ((cloud, "--spacing", "0"), "above 0"), ((cloud, "--spacing", "-1"), "--spacing"),
            ((cloud, "--method", "metabal"), "metaball"), ((cloud, "--method", '{"type"'), "JSON"),
            ((cloud, "--method", '{"type": "metaball", "cell": 9}'), "cell"), ((cloud, "--format", "stl"), "format"),
            ((cloud, "--field", "speed"), "speed"), ((folder / "one.ply",), "--spacing"),
            ((folder / "nan.ply",), "particle 1"), ((folder / "nan.ply", "--spacing", "1"), "particle 1"),
            ((cloud, "--spacing", "1e-12"), "from the origin"), ((folder / "absent.vtp",), "absent.vtp"),
            ((scene, "--set", "output.surface=cubes"), "cubes"), ((scene, "--what",), "--what")):
        out = folder / "refused"
        run = surface(mote, *arguments, *(("-o", out) if arguments else ()), code=2)
        check(word in run.stderr, f"{arguments}: '{word}' is not in '{run.stderr.strip()}'")
        check(not list(out.glob("*")), f"{arguments}: something was written")


def main():
    mote, scenes = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        points = ball()
        cloud = folder / "ball.ply"
        write_cloud(cloud, points)
        check_formats(mote, folder, cloud, len(points))
        check_threads(mote, folder, cloud)
        check_runs(mote, scenes, folder)
        check_refusals(mote, scenes, folder, cloud)
    for problem in PROBLEMS:
        print(problem)
    print(f"{len(PROBLEMS)} problems")
    sys.exit(1 if PROBLEMS else 0)


main()
