#!/usr/bin/env python3
"""Writes the surfaces that scenes use: a ring (torus), a gem (icosahedron) and a bowl, as OBJ.

usage: make_meshes.py [DIRECTORY]
"""
import math
import pathlib
import sys


def ring(major, minor, around, across):
    """A torus about z: points, and quads of them counter-clockwise from outside."""
    points, faces = [], []
    for i in range(around):
        for j in range(across):
            u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
            r = major + minor * math.cos(v)
            points.append((r * math.cos(u), r * math.sin(u), minor * math.sin(v)))
            at = [(i + a) % around * across + (j + b) % across for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            faces.append(at)
    return points, faces


def gem(radius):
    """An icosahedron: corners (0, +-1, +-golden) and around; three corners that are neighbours of each other are a face."""
    golden = (1 + math.sqrt(5)) / 2
    scale = radius / math.hypot(1, golden)
    points = []
    for a in (1, -1):
        for b in (golden, -golden):
            points += [(0, a * scale, b * scale), (b * scale, 0, a * scale), (a * scale, b * scale, 0)]
    near = 2.1 * scale
    faces = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                p, q, r = points[i], points[j], points[k]
                if max(math.dist(p, q), math.dist(q, r), math.dist(r, p)) < near:
                    u = [b - a for a, b in zip(p, q)]
                    v = [b - a for a, b in zip(p, r)]
                    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
                    outward = sum(a * b for a, b in zip(n, p)) > 0
                    faces.append([i, j, k] if outward else [i, k, j])
    return points, faces


def bowl(radius, wall, around, rows):
    """The lower half of a hollow ball of this inner radius, open above: points, and faces counter-clockwise from outside."""
    profile = []
    for k in range(1, rows + 1):
        turn = 0.5 * math.pi * k / rows
        profile.append(((radius + wall) * math.sin(turn), -(radius + wall) * math.cos(turn)))
    for k in range(rows, 0, -1):
        turn = 0.5 * math.pi * k / rows
        profile.append((radius * math.sin(turn), -radius * math.cos(turn)))
    points, faces = [], []
    for r, z in profile:
        for i in range(around):
            u = 2 * math.pi * i / around
            points.append((r * math.cos(u), r * math.sin(u), z))
    for k in range(len(profile) - 1):
        for i in range(around):
            j = (i + 1) % around
            faces.append([k * around + i, k * around + j, (k + 1) * around + j, (k + 1) * around + i])
    points += [(0, 0, -radius - wall), (0, 0, -radius)]
    last = (len(profile) - 1) * around
    for i in range(around):
        j = (i + 1) % around
        faces.append([len(points) - 2, j, i])
        faces.append([last + i, last + j, len(points) - 1])
    return points, faces


def write(path, what, points, faces):
    with open(path, "w") as file:
        file.write(f"# {what}; written by scripts/make_meshes.py\n")
        for x, y, z in points:
            file.write(f"v {x:.9g} {y:.9g} {z:.9g}\n")
        for face in faces:
            file.write("f " + " ".join(str(k + 1) for k in face) + "\n")


def main():
    home = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "meshes"
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else home
    directory.mkdir(parents=True, exist_ok=True)
    write(directory / "ring.obj", "a ring about z, radii 0.3 and 0.1", *ring(0.3, 0.1, 48, 24))
    write(directory / "gem.obj", "an icosahedron, corners at a distance of 0.25", *gem(0.25))
    write(directory / "bowl.obj", "a bowl, inner radius 0.3, wall 0.04, its rim at z = 0", *bowl(0.3, 0.04, 48, 16))


main()
