#!/usr/bin/env python3
"""Meshes from files that other programs wrote: VTK in every encoding, and Gmsh and TetGen where they are installed; what
`mote info` says of them; skins in the frames of a run.

usage: check_meshes.py MOTE SCENES
"""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

PROBLEMS = []


def check(condition, what):
    if not condition:
        PROBLEMS.append(what)


def info(mote, path, code=0):
    run = subprocess.run([mote, "info", "--json", str(path)], capture_output=True, text=True)
    if run.returncode != code:
        PROBLEMS.append(f"info {path}: exit code {run.returncode}, not {code}: {run.stderr}{run.stdout}")
    return json.loads(run.stdout) if run.returncode == 0 else {}


def delaunay():
    """Tetrahedra between random points, right side out."""
    random = numpy.random.default_rng(1)
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    for x in random.random((200, 3)):
        points.InsertNextPoint(*x)
    cloud = vtk.vtkPolyData()
    cloud.SetPoints(points)
    filler = vtk.vtkDelaunay3D()
    filler.SetInputData(cloud)
    filler.Update()
    return filler.GetOutput()


def grid_volume(grid):
    total = 0
    for k in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(k)
        p = [numpy.array(grid.GetPoint(cell.GetPointId(c))) for c in range(4)]
        total += abs(numpy.linalg.det([p[1] - p[0], p[2] - p[0], p[3] - p[0]])) / 6
    return total


def write_vtu(grid, path, mode, compressed, header, big, encoded):
    writer = vtk.vtkXMLUnstructuredGridWriter()
    writer.SetInputData(grid)
    writer.SetFileName(str(path))
    writer.SetDataMode(mode)
    writer.SetEncodeAppendedData(encoded)
    writer.SetBlockSize(1024)
    (writer.SetCompressorTypeToZLib if compressed else writer.SetCompressorTypeToNone)()
    (writer.SetHeaderTypeToUInt64 if header == 64 else writer.SetHeaderTypeToUInt32)()
    (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
    writer.Write()


def check_vtk(mote, scratch):
    grid = delaunay()
    volume = grid_volume(grid)
    path = scratch / "grid.vtu"
    for mode, compressed, header, big, encoded in itertools.product(
            (vtk.vtkXMLWriter.Ascii, vtk.vtkXMLWriter.Binary, vtk.vtkXMLWriter.Appended), (0, 1), (32, 64), (0, 1), (0, 1)):
        if encoded and mode != vtk.vtkXMLWriter.Appended:
            continue
        write_vtu(grid, path, mode, compressed, header, big, encoded)
        found = info(mote, path)
        what = f"vtu, mode {mode}, compressed {compressed}, header {header}, big end {big}, base64 {encoded}"
        check(found.get("nodes") == grid.GetNumberOfPoints(), f"{what}: {found.get('nodes')} nodes")
        check(found.get("tetrahedra") == grid.GetNumberOfCells(), f"{what}: {found.get('tetrahedra')} tetrahedra")
        # text has eleven digits
        check(abs(found.get("size", 0) - volume) < 1e-9, f"{what}: volume {found.get('size')}, not {volume}")


GEO = """SetFactory("Built-in");
Point(1) = {0, 0, 0, 0.3}; Point(2) = {2, 0, 0, 0.3}; Point(3) = {2, 1, 0, 0.3}; Point(4) = {0, 1, 0, 0.3};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Extrude {0, 0, 1} { Surface{1}; }
Physical Volume("body") = {1}; Physical Surface("base") = {1}; Physical Curve(7) = {1};
"""


def check_gmsh(mote, scratch):
    if not shutil.which("gmsh"):
        print("gmsh is not installed: its files are not made here")
        return
    (scratch / "block.geo").write_text(GEO)
    seen = []
    for version, binary in itertools.product(("2.2", "4.1"), (0, 1)):
        path = scratch / f"block_{version}_{binary}.msh"
        subprocess.run(["gmsh", "-3", "-format", "msh", "-setnumber", "Mesh.MshFileVersion", version, "-setnumber",
                        "Mesh.Binary", str(binary), str(scratch / "block.geo"), "-o", str(path)], capture_output=True,
                       check=True)
        found = info(mote, path)
        check(abs(found.get("size", 0) - 2) < 1e-12, f"gmsh {version} {binary}: volume {found.get('size')}")
        check({"body", "base", "physical7"} <= set(found.get("sets", [])), f"gmsh {version} {binary}: {found.get('sets')}")
        seen.append((found.get("nodes"), found.get("tetrahedra"), found.get("edges")))
    check(len(set(seen)) == 1, f"gmsh's formats differ: {seen}")


def check_tetgen(mote, scratch):
    if not shutil.which("tetgen"):
        print("tetgen is not installed: its files are not made here")
        return
    corners = list(itertools.product((0, 1), repeat=3))
    faces = [[k for k in range(8) if corners[k][axis] == side] for axis in range(3) for side in (0, 1)]
    lines = ["8 3 0 0"] + [f"{k} {x} {y} {z}" for k, (x, y, z) in enumerate(corners)] + ["6 1"]
    for number, (a, b, c, d) in enumerate(faces, 5):
        lines += [f"1 0 {number}", f"4 {a} {b} {d} {c}"]
    (scratch / "cube.poly").write_text("\n".join(lines + ["0", "0", ""]))
    subprocess.run(["tetgen", "-pq1.4a0.02", "cube.poly"], cwd=scratch, capture_output=True, check=True)
    for ending in ("node", "ele"):
        found = info(mote, scratch / f"cube.1.{ending}")
        check(abs(found.get("size", 0) - 1) < 1e-12, f"tetgen: volume {found.get('size')}")
        check(found.get("open_edges") == 0 and found.get("components") == 1, "tetgen: it is open or not connected")


SCENE = """{"gravity": [0, 0, 0], "time": {"end": 0.2, "step": 0.01, "fps": 10},
 "bodies": [{"name": "ring", "velocity": [1, 0, 0], "density": 100,
             "mesh": {"type": "fill", "file": "%s", "spacing": 0.08, "moved": [0, 0, 1]}}],
 "output": {"formats": ["vtp", "ply", "obj"], "fields": ["id", "v", "body"]}}"""


def read(path):
    reader = {".vtp": vtk.vtkXMLPolyDataReader, ".ply": vtk.vtkPLYReader, ".obj": vtk.vtkOBJReader}[path.suffix]()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def check_skin(mote, scenes, scratch):
    torus = scenes / "meshes" / "torus.obj"
    rest = vtk_to_numpy(read(torus).GetPoints().GetData()).astype(float)
    scene = scratch / "ring.json"
    scene.write_text(SCENE % torus)
    run = subprocess.run([mote, "run", str(scene), "-o", str(scratch / "out")], capture_output=True, text=True)
    check(run.returncode == 0, f"run: {run.stderr}")
    folder = scratch / "out" / "skin"
    check((folder / "ring.skin.pvd").exists(), "the index of the skin is missing")
    for frame, ending in itertools.product((0, 1), ("vtp", "ply", "obj")):
        path = folder / f"ring.skin.{frame:06d}.{ending}"
        if not path.exists():
            PROBLEMS.append(f"{path.name} is missing")
            continue
        mesh = read(path)
        x = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
        check(mesh.GetNumberOfPolys() == 6144, f"{path.name}: {mesh.GetNumberOfPolys()} triangles")
        wanted = rest + numpy.array([0.1 * frame, 0, 1])
        check(x.shape == wanted.shape and abs(x - wanted).max() < 1e-6, f"{path.name}: the surface is elsewhere")
        if ending == "vtp":
            v = vtk_to_numpy(mesh.GetPointData().GetArray("v"))
            check(abs(v - numpy.array([1, 0, 0])).max() < 1e-6, f"{path.name}: velocities")
            check(mesh.GetPointData().GetArray("id") is None, f"{path.name}: vertices have identities")
            check(set(vtk_to_numpy(mesh.GetPointData().GetArray("body"))) == {0}, f"{path.name}: bodies")
    # a shorter run of the same name leaves no frames of the longer one
    subprocess.run([mote, "run", str(scene), "-o", str(scratch / "out"), "--set", "time.end=0.1"], capture_output=True,
                   check=True)
    left = sorted(os.listdir(folder))
    check(not any("000002" in name for name in left), f"stale frames are left: {left}")


def check_shipped(scenes, scratch, root):
    """The meshes beside the scenes are those that the script in the tree makes."""
    subprocess.run([sys.executable, str(root / "scripts" / "make_meshes.py"), str(scratch / "made")], check=True)
    for path in sorted((scratch / "made").iterdir()):
        check(path.read_bytes() == (scenes / "meshes" / path.name).read_bytes(), f"{path.name} is not what the script makes")


def main():
    mote, scenes = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        check_vtk(mote, scratch)
        check_gmsh(mote, scratch)
        check_tetgen(mote, scratch)
        check_skin(mote, scenes, scratch)
        check_shipped(scenes, scratch, pathlib.Path(__file__).resolve().parents[2])
    for problem in PROBLEMS:
        print(problem)
    print(f"{len(PROBLEMS)} problems")
    sys.exit(1 if PROBLEMS else 0)


main()
