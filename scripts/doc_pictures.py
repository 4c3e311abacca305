#!/usr/bin/env python3
"""Draws the pictures of the pages in docs by running the commands that the pages show.

usage: doc_pictures.py MOTE DOCS-DIR [PAGE ...]

The scenes of a page (blocks with a file name) are saved in an empty directory and its `mote` commands run there. PNG files
that they leave and that the page links from a `pictures` folder are copied to that folder. Films are left out.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "scripts"))
from doc_blocks import blocks_of, commands_of  # noqa: E402

SIZE = "640x360"
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]*pictures/([\w.]+\.png))\)")
DRAWN = ("run", "render", "plot", "modes", "surface")


def run_page(mote, path, place, wanted):
    """Runs the page's commands that lead to its pictures."""
    for block in blocks_of(path, path.name):
        if block.language == "json" and block.use.endswith(".json"):
            (place / block.use).write_text(block.text, encoding="utf-8")
        for command in commands_of(block) if block.language == "sh" else ():
            output = command[command.index("-o") + 1] if "-o" in command else ""
            if command[0] not in DRAWN or (command[0] == "render" and output not in wanted):
                continue
            size = ["--size", SIZE] if command[0] == "render" and "--size" not in command else []
            quiet = [] if command[0] in ("plot", "modes") else ["--quiet"]
            done = subprocess.run([mote, *command, *size, *quiet], cwd=place, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{path}: mote {' '.join(command)}: {done.stderr}")


def draw_page(mote, docs, path):
    linked = {name: (path.parent / link).resolve() for link, name in PICTURE.findall(path.read_text(encoding="utf-8"))}
    if not linked:
        return
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        (place / "scenes").symlink_to(docs.parent / "scenes")
        run_page(mote, path, place, linked)
        for file in place.rglob("*.png"):
            if file.name in linked:
                shutil.copy(file, linked[file.name])
                print(f"{linked[file.name]}: {file.stat().st_size // 1000} kB", flush=True)


def main():
    mote, docs = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    (docs / "pictures").mkdir(exist_ok=True)
    pages = [docs / "first_scene.md", *sorted((docs / "tutorials").glob("*.md")), *sorted((docs / "howto").glob("*.md"))]
    for path in pages:
        if len(sys.argv) == 3 or path.stem in sys.argv[3:]:
            draw_page(mote, docs, path)


main()
