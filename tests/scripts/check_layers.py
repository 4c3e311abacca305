#!/usr/bin/env python3
"""Checks the layering of src/.

A room is a folder, subfolders count for themselves. A room includes only itself and rooms above it in the list; rooms of
different physics do not see each other, nor do systems. host/, world/, analysis/, observe/, io/, scene/, run/ and view/
neither include nor name a system or a coupling, world/ not even in a text; nor do they recognise one by a table of its
descriptor (its family of models) or by a column that only it declares. What they need is in a system's descriptor and
in the common columns (host/system.h).

usage: check_layers.py PROJECT-DIR
"""
import pathlib
import re
import sys

# docs/architecture.md explains this order.
ROOMS = """
base math store
neighbor/search neighbor
linear linear/solver
geometry/motion geometry/bound geometry/simplex geometry/hierarchy geometry/subdivide
geometry/trimesh geometry/hull geometry/grid geometry/sample geometry/shape
geometry/flow geometry/sampling geometry/mesh geometry/meshfile geometry/generate geometry/surface
draw
collide/friction collide collide/convex collide/narrow collide/law
integrate/step integrate
particle/pair particle/thermal particle/heater particle/thermostat particle/long_range particle particle/force
solid/material solid/model solid/contact solid/fast_corotated solid
fluid/kernel fluid/map fluid/state_equation fluid/rheology fluid/sph fluid/term fluid/boundary fluid/viscosity
fluid/artificial_viscosity fluid/surface_tension fluid/vorticity
fluid/shifting
fluid/pressure fluid
rigid
constraint constraint/solver
host host/action
system/forces system/fluid system
couple
world analysis observe
io/format io/output io/stored io/checkpoint io
scene run
view/gl view/picture view/renderer view/show view view/window
""".split()
APART = ["particle", "solid", "fluid", "rigid", "constraint"]
# constitutive laws are functions without state
SHARED = [("constraint", "solid/material")]
NAMELESS = ["host", "world", "analysis", "observe", "io", "scene", "run", "view"]
# keys of a scene that are also the name of a system
KEYS = [("scene/root.c", "forces")]
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def rank(room):
    """Where a room stands; a system's folder that the list does not know stands with the systems."""
    if room in ROOMS:
        return ROOMS.index(room)
    return ROOMS.index("system") - 0.5 if room.startswith("system/") else None


def may_include(room, target):
    if room == target:
        return True
    tops = room.split("/")[0], target.split("/")[0]
    if tops[0] != tops[1] and tops[0] in APART and tops[1] in APART:
        return (room, target) in SHARED
    if tops[0] in NAMELESS and tops[1] in ("system", "couple"):
        return False
    if tops == ("system", "system") and "system" not in (room, target):
        return False
    return rank(target) < rank(room)


def room_of(path):
    return path.rsplit("/", 1)[0]


def check_source(root, path, problems):
    name = path.relative_to(root)
    room = room_of(str(path.relative_to(root / "src")))
    if rank(room) is None:
        problems.append(f"{name}: the room '{room}' has no place in the layers")
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        if match.group(2).startswith("mote/"):
            if match.group(2) != "mote/base.h" and rank(room) < rank("host"):
                problems.append(f"{name}:{number}: below host/ of the public headers only mote/base.h: {line.strip()}")
            continue
        target = room_of(match.group(2)) if "/" in match.group(2) else ""
        if ".." in match.group(2).split("/"):
            problems.append(f"{name}:{number}: no way up in an include: {line.strip()}")
        elif match.group(1) == '"' and rank(target) is None:
            problems.append(f"{name}:{number}: include by the path from src/: {line.strip()}")
        elif match.group(1) == '"' and not may_include(room, target):
            problems.append(f"{name}:{number}: '{room}' may not include '{target}'")


def names_in(root, listing):
    path = root / "src" / listing
    return re.findall(r"^MO_\w+\((\w+)\)", path.read_text(), re.M)


def check_names(root, path, names, problems):
    """No identifier of these rooms may name a system or a coupling, nor a text of world/: the others have scene keys
    and sentences about what a system simulates."""
    inside = path.relative_to(root / "src")
    speaks = inside.parts[0] == "world"
    names = [name for name in names if (str(inside), name) not in KEYS]
    code = COMMENT.sub(lambda m: "\n" * m.group(0).count("\n"), path.read_text())
    for number, line in enumerate(code.splitlines(), 1):
        texts = " ".join(TEXT.findall(line)) if speaks and not INCLUDE.match(line) else ""
        for name in names:
            identifier = rf"\bmo_(system|coupling)_{name}\b|\bmo_{name}_\w|\bmote_{name}_\w"
            quoted = rf'|"{name}["./]' if not INCLUDE.match(line) else ""  # check_source judges includes
            if re.search(identifier + quoted, line) or re.search(rf"\b{name}\b", texts):
                problems.append(f"{path.relative_to(root)}:{number}: names '{name}': {line.strip()}")
                break


def tables_of_systems(root):
    """Objects that the descriptors of systems and couplings refer to, such as `.models = &mo_models`."""
    tables = set()
    for top in ("system", "couple"):
        for path in (root / "src" / top).rglob("*.c"):
            for body in re.findall(r"const mo_(?:system|coupling)_type mo_\w+ = \{(.*?)\n\};", path.read_text(), re.S):
                tables |= set(re.findall(r"\.\w+ = &(mo_\w+)", body))
    return tables


def check_back_doors(root, path, tables, problems):
    """A column is found by name only in the room that declares it; the common ones are members of mo_particle_columns."""
    declared = set()
    for other in path.parent.glob("*.c"):
        declared |= set(re.findall(r'\{\s*"(\w+)",\s*MOTE_', other.read_text()))
    code = COMMENT.sub(lambda m: "\n" * m.group(0).count("\n"), path.read_text())
    for number, line in enumerate(code.splitlines(), 1):
        for column in re.findall(r'\bmo_store_find\([^;]*?"(\w+)"', line):
            if column not in declared and column != "id":
                problems.append(f"{path.relative_to(root)}:{number}: finds the column '{column}' by name: {line.strip()}")
        for table in re.findall(r"&(mo_\w+)", line):
            if table in tables:
                problems.append(f"{path.relative_to(root)}:{number}: knows a system by its '{table}': {line.strip()}")


def check_client(root, path, problems):
    """Only the benchmarks, validation and plots of the program may look inside src/; public headers see only their own."""
    tops = {room.split("/")[0] for room in ROOMS}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match and (match.group(2).split("/")[0] in tops or ".." in match.group(2).split("/")):
            problems.append(f"{path.relative_to(root)}:{number}: may not look inside src/: {line.strip()}")


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    sources = sorted((root / "src").rglob("*.[ch]"))
    clients = sorted((root / "cli").glob("*.[ch]")) + sorted((root / "include").rglob("*.h"))
    names = names_in(root, "system/systems.def") + names_in(root, "couple/couplings.def")
    tables = tables_of_systems(root)
    for path in sources:
        check_source(root, path, problems)
        if path.relative_to(root / "src").parts[0] in NAMELESS:
            check_names(root, path, names, problems)
            if path != root / "src/host/system.c":  # finds the common columns
                check_back_doors(root, path, tables, problems)
    for path in clients:
        check_client(root, path, problems)
    for problem in problems:
        print(problem)
    print(f"{len(sources) + len(clients)} files, {len(names)} systems and couplings, {len(problems)} problems")
    sys.exit(1 if problems or not sources else 0)


main()
