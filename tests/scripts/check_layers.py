#!/usr/bin/env python3
"""Checks the layering: a folder of src/ includes only itself and folders above it in the list.

usage: check_layers.py PROJECT-DIR
"""
import pathlib
import re
import sys

# docs/architecture.md explains this order. A folder sees those before it; physics folders do not see each other.
LAYERS = ["base", "math", "store", "neighbor", "linear", "geometry", "integrate",
          "particle", "solid", "fluid", "rigid", "world", "draw", "io", "scene", "run", "view"]
PHYSICS = {"particle", "solid", "fluid", "rigid"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def allowed(folder, target):
    if folder == target:
        return True
    if folder in PHYSICS and target in PHYSICS:
        return False
    return LAYERS.index(target) < LAYERS.index(folder)


def check_source(root, path, problems):
    folder = path.relative_to(root / "src").parts[0]
    if folder not in LAYERS:
        problems.append(f"{path.relative_to(root)}: the folder '{folder}' has no place in the layers")
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(2).split("/")[0]
        if ".." in match.group(2).split("/"):
            problems.append(f"{path.relative_to(root)}:{number}: no way up in an include: {line.strip()}")
        elif match.group(1) == '"' and target not in LAYERS and target != "mote":
            problems.append(f"{path.relative_to(root)}:{number}: include by the path from src/: {line.strip()}")
        elif target in LAYERS and not allowed(folder, target):
            problems.append(f"{path.relative_to(root)}:{number}: '{folder}' may not include '{target}'")


def check_client(root, path, problems):
    """Only the benchmarks, validation and plots of the program may look inside src/; public headers see only their own."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match and (match.group(2).split("/")[0] in LAYERS or ".." in match.group(2).split("/")):
            problems.append(f"{path.relative_to(root)}:{number}: may not look inside src/: {line.strip()}")


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    sources = sorted((root / "src").rglob("*.[ch]"))
    clients = sorted((root / "cli").glob("*.[ch]")) + sorted((root / "include").rglob("*.h"))
    for path in sources:
        check_source(root, path, problems)
    for path in clients:
        check_client(root, path, problems)
    for problem in problems:
        print(problem)
    print(f"{len(sources) + len(clients)} files, {len(problems)} forbidden includes")
    sys.exit(1 if problems or not sources else 0)


main()
