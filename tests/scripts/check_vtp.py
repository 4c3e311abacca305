#!/usr/bin/python3
"""Reads a run back with VTK itself: check_vtp.py FILE.pvd

Every .vtp file that the index names must open, hold points without NaN, and have v, id and body for each of
them, show each of them in some cell, and tell the same time as the index. Needs python3-vtk9.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

REQUIRED = ("v", "id", "body")


class Bad(Exception):
    """What is wrong with a file."""


def need(condition, message):
    if not condition:
        raise Bad(message)


def entries_of(index):
    try:
        root = ElementTree.parse(index).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise Bad(f"{index}: {error}") from error
    need(root.tag == "VTKFile" and root.get("type") == "Collection", f"{index}: is not a collection")
    entries = root.findall("Collection/DataSet")
    need(entries, f"{index}: names no files")
    return entries


def read(path):
    """The poly data; VTK's own complaints become ours."""
    need(os.path.isfile(path), "does not exist")
    complaints = []
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append(True))
    reader.SetFileName(path)
    reader.Update()
    need(not complaints and reader.GetErrorCode() == 0, "VTK cannot read it")
    return reader.GetOutput()


def check_array(data, name, count):
    array = data.GetPointData().GetArray(name)
    need(array is not None, f"has no array {name}")
    tuples = array.GetNumberOfTuples()
    need(tuples == count, f"{name} has {tuples} tuples for {count} points")


def check_numbers(data):
    arrays = [data.GetPointData().GetArray(k) for k in range(data.GetPointData().GetNumberOfArrays())]
    for array in [data.GetPoints().GetData()] + arrays:
        need(not numpy.isnan(vtk_to_numpy(array)).any(), f"{array.GetName()} holds NaN")


def check_cells(data, count):
    shown = numpy.zeros(count, dtype=bool)
    for cells in (data.GetVerts(), data.GetLines(), data.GetStrips(), data.GetPolys()):
        if cells.GetNumberOfCells() > 0:
            corners = vtk_to_numpy(cells.GetConnectivityArray())
            need(corners.min() >= 0 and corners.max() < count, "a cell names a point that does not exist")
            shown[corners] = True
    need(shown.all(), f"{count - int(shown.sum())} points are in no cell")


def check_time(data, timestep):
    times = data.GetFieldData().GetArray("TimeValue")
    need(times is not None and times.GetNumberOfTuples() == 1, "has no TimeValue")
    need(times.GetValue(0) == timestep, f"TimeValue is {times.GetValue(0)!r}, the index says {timestep!r}")


def check_file(path, timestep):
    """The number of points and cells."""
    data = read(path)
    count = data.GetNumberOfPoints()
    need(count > 0, "holds no points")
    for name in REQUIRED:
        check_array(data, name, count)
    check_numbers(data)
    check_cells(data, count)
    check_time(data, timestep)
    return count, data.GetNumberOfCells()


def check_index(index):
    entries = entries_of(index)
    points = cells = 0
    for entry in entries:
        path = os.path.join(os.path.dirname(index), entry.get("file", ""))
        try:
            count, cell_count = check_file(path, float(entry.get("timestep", "nan")))
        except Bad as error:
            raise Bad(f"{path}: {error}") from error
        points += count
        cells += cell_count
    times = sorted({float(entry.get("timestep")) for entry in entries})
    parts = {entry.get("part") for entry in entries}
    return (f"{index}: {len(entries)} files good, {len(times)} times from {times[0]:g} to {times[-1]:g}, "
            f"{len(parts)} systems, {points} points, {cells} cells")


def main():
    if len(sys.argv) != 2:
        print("usage: check_vtp.py FILE.pvd", file=sys.stderr)
        return 2
    try:
        print(check_index(sys.argv[1]))
    except Bad as error:
        print(f"check_vtp.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
