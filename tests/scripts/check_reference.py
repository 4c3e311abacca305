#!/usr/bin/env python3
"""The reference pages in docs/reference are made by the program; with --write it makes them, else it compares.

usage: check_reference.py MOTE DOCS-DIR [--write]
"""
import json
import pathlib
import re
import subprocess
import sys


def explain(mote, name):
    return subprocess.run([mote, "explain", name, "--markdown"], check=True, capture_output=True, text=True).stdout


def explain_family(mote, name):
    """Without the methods of other families that have the family's name."""
    text = explain(mote, name)
    return text[re.search(rf"^# {name}$", text, re.M).start():]


def pages(mote):
    families = json.loads(subprocess.run([mote, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    schema = json.loads(subprocess.run([mote, "schema"], check=True, capture_output=True, text=True).stdout)
    names = ["scene"] + [name.split(".")[1] for name in schema["$defs"] if name.startswith("section.")]
    index = ["# Reference", "", "Every parameter of a scene, made from the tables that read it.", "", "## Scene", ""]
    yield "scene.md", "\n".join(explain_family(mote, name) for name in names)
    index.append("- [scene, " + ", ".join(names[1:]) + "](scene.md)")
    index += ["", "## Methods", ""]
    for family in families:
        yield f"{family['family']}.md", explain_family(mote, family["family"])
        methods = ", ".join(m["name"] for m in family["methods"])
        index.append(f"- [{family['family']}]({family['family']}.md): {methods}")
    yield "README.md", "\n".join(index) + "\n"


def sections(text):
    """A page by its headings. The index has one section, its lines by family."""
    parts = text.split("\n## ")
    return {part.split("\n", 1)[0]: part for part in parts}


def check_page(path, text):
    """What stands on a page must be what the program says. A method that has no section yet is only noted, so that adding
    one stays one file and one line; the pages are brought up to date when it is documented."""
    if not path.exists():
        print(f"note: {path.name} is not written yet")
        return []
    there, made = sections(path.read_text()), sections(text)
    for name in made.keys() - there.keys():
        print(f"note: {path.name} does not have {name} yet")
    if path.name == "README.md":
        return []
    return [f"{path.name}: {name} is out of date" for name, part in there.items()
            if part.strip() != made.get(name, "").strip()]


def main():
    mote, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "reference"
    made = dict(pages(mote))
    if "--write" in sys.argv:
        folder.mkdir(exist_ok=True)
        for name, text in made.items():
            (folder / name).write_text(text)
        print(f"wrote {len(made)} pages")
        return
    stale = []
    for name, text in made.items():
        stale += check_page(folder / name, text)
    stale += [f"{path.name} belongs to nothing" for path in folder.glob("*.md") if path.name not in made]
    for problem in stale:
        print(f"docs/reference/{problem}; make reference writes the pages")
    print(f"{len(made)} pages, {len(stale)} problems")
    sys.exit(1 if stale else 0)


main()
