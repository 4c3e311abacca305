#!/usr/bin/env python3
"""Writes the meshes that elastic bodies use: make_bodies.py DIRECTORY

jack.obj     a closed surface with six round knobs, to be filled with tetrahedra and to ride on them
torus.obj    a ring
block.msh    a block of tetrahedra as a Gmsh file of version 2, with physical groups "base" and "body"
"""

import math
import os
import sys


def icosahedron():
    p = (1 + math.sqrt(5)) / 2
    corners = [(0, 1, p), (0, -1, p), (0, 1, -p), (0, -1, -p), (1, p, 0), (-1, p, 0), (1, -p, 0), (-1, -p, 0),
               (p, 0, 1), (p, 0, -1), (-p, 0, 1), (-p, 0, -1)]

    def near(a, b):
        return abs(sum((s - t) ** 2 for s, t in zip(corners[a], corners[b])) - 4) < 1e-9

    faces = []
    for a in range(12):
        for b in range(a + 1, 12):
            for c in range(b + 1, 12):
                if near(a, b) and near(b, c) and near(c, a):
                    faces.append((a, b, c) if outward(corners[a], corners[b], corners[c]) else (a, c, b))
    return [unit(x) for x in corners], faces


def unit(x):
    length = math.sqrt(sum(s * s for s in x))
    return tuple(s / length for s in x)


def outward(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) > 0


def refine(points, faces):
    """Each triangle into four, the new points on the sphere."""
    points, halves, result = list(points), {}, []

    def half(a, b):
        key = (min(a, b), max(a, b))
        if key not in halves:
            halves[key] = len(points)
            points.append(unit(tuple(s + t for s, t in zip(points[a], points[b]))))
        return halves[key]

    for a, b, c in faces:
        ab, bc, ca = half(a, b), half(b, c), half(c, a)
        result += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    return points, result


def jack():
    """The radius grows towards the six axes."""
    points, faces = icosahedron()
    for _ in range(4):
        points, faces = refine(points, faces)
    places = []
    for x in points:
        peak = (x[0] ** 8 + x[1] ** 8 + x[2] ** 8) - 1 / 27
        radius = 0.22 + 0.28 * math.sqrt(max(peak, 0))
        places.append(tuple(radius * s for s in x))
    return places, faces


def torus(large=0.35, small=0.12, around=96, across=32):
    places, faces = [], []
    for i in range(around):
        for j in range(across):
            u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
            ring = large + small * math.cos(v)
            places.append((ring * math.cos(u), ring * math.sin(u), small * math.sin(v)))
            a, b = i * across + j, (i + 1) % around * across + j
            c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
            faces += [(a, b, c), (a, c, d)]
    return places, faces


def write_obj(path, comment, places, faces):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"# {comment}\n")
        for x in places:
            file.write("v %.6f %.6f %.6f\n" % x)
        for face in faces:
            file.write("f %d %d %d\n" % tuple(k + 1 for k in face))


def write_block(path, n=4):
    """n^3 cells of six tetrahedra, numbered from 1, in a cube of 0.4 m."""
    def name(i, j, k):
        return 1 + i + (n + 1) * (j + (n + 1) * k)

    paths = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)]
    elements = []
    for k in range(n):
        for j in range(n):
            for i in range(n):
                for path_number, order in enumerate(paths):
                    at = [i, j, k]
                    corners = [name(*at)]
                    for axis in order:
                        at[axis] += 1
                        corners.append(name(*at))
                    if path_number > 2:
                        corners[1], corners[2] = corners[2], corners[1]
                    elements.append((4, 2, corners))
    for j in range(n):
        for i in range(n):
            a, b, c, d = name(i, j, 0), name(i + 1, j, 0), name(i + 1, j + 1, 0), name(i, j + 1, 0)
            elements += [(2, 1, [a, c, b]), (2, 1, [a, d, c])]
    with open(path, "w", encoding="ascii") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
        file.write('$PhysicalNames\n2\n2 1 "base"\n3 2 "body"\n$EndPhysicalNames\n')
        file.write(f"$Nodes\n{(n + 1) ** 3}\n")
        for k in range(n + 1):
            for j in range(n + 1):
                for i in range(n + 1):
                    file.write("%d %.12g %.12g %.12g\n" % (name(i, j, k), 0.4 * i / n, 0.4 * j / n, 0.4 * k / n))
        file.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for number, (kind, group, corners) in enumerate(elements, 1):
            file.write("%d %d 2 %d %d %s\n" % (number, kind, group, group, " ".join(map(str, corners))))
        file.write("$EndElements\n")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_bodies.py DIRECTORY")
    where = sys.argv[1]
    os.makedirs(where, exist_ok=True)
    write_obj(os.path.join(where, "jack.obj"), "six knobs; made by scripts/make_bodies.py", *jack())
    write_obj(os.path.join(where, "torus.obj"), "a ring; made by scripts/make_bodies.py", *torus())
    write_block(os.path.join(where, "block.msh"))


main()
