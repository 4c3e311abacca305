#!/usr/bin/env python3
"""The reference pages in docs/reference are made by the program; with --write it makes them, else it compares.

usage: check_reference.py MOTE DOCS-DIR [--write]
"""
import json
import pathlib
import subprocess
import sys


def explain(mote, name):
    return subprocess.run([mote, "explain", name, "--markdown"], check=True, capture_output=True, text=True).stdout


def pages(mote):
    families = json.loads(subprocess.run([mote, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    names = ["scene", "time", "body", "pin", "collider", "output"]
    index = ["# Reference", "", "Every parameter of a scene, made from the tables that read it.", "", "## Scene", ""]
    yield "scene.md", "\n".join(explain(mote, name) for name in names)
    index.append("- [scene, " + ", ".join(names[1:]) + "](scene.md)")
    index += ["", "## Methods", ""]
    for family in families:
        yield f"{family['family']}.md", explain(mote, family["family"])
        methods = ", ".join(m["name"] for m in family["methods"])
        index.append(f"- [{family['family']}]({family['family']}.md): {methods}")
    yield "README.md", "\n".join(index) + "\n"


def main():
    mote, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "reference"
    made = dict(pages(mote))
    if "--write" in sys.argv:
        folder.mkdir(exist_ok=True)
        for name, text in made.items():
            (folder / name).write_text(text)
        print(f"wrote {len(made)} pages")
        return
    stale = [name for name, text in made.items()
             if not (folder / name).exists() or (folder / name).read_text() != text]
    stale += [path.name for path in folder.glob("*.md") if path.name not in made]
    for name in stale:
        print(f"docs/reference/{name} is out of date; make reference writes it")
    print(f"{len(made) - len(stale)} passed, {len(stale)} failed")
    sys.exit(1 if stale else 0)


main()
