#!/usr/bin/env python3
"""Draws one picture of every shipped scene and writes the page that shows them.

usage: gallery.py MOTE SCENES-DIR DOCS-DIR [NAME ...]

The moment and the camera are those of the scene's view block. With names only these scenes are drawn anew.
"""
import json
import pathlib
import subprocess
import sys

SIZE = "800x450"
HEAD = """# Gallery

Every scene in `scenes/`, drawn by `mote render`. `make gallery` makes this page.
"""


def title(name):
    return name.replace("_", " ").capitalize()


def draw(mote, scene, picture):
    command = [mote, "render", str(scene), "-o", str(picture), "--size", SIZE, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{scene}: {done.stderr}")
    print(f"{picture}: {picture.stat().st_size // 1000} kB", flush=True)


def entry(scene):
    text = json.loads(scene.read_text()).get("_", "")
    text = " ".join(text) if isinstance(text, list) else text
    return f"""
## {title(scene.stem)}

![{title(scene.stem)}](gallery/{scene.stem}.png)

{text}

```sh
build/mote view scenes/{scene.name}
build/mote render scenes/{scene.name} -o {scene.stem}.png
```
"""


def main():
    mote, scenes, docs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    (docs / "gallery").mkdir(exist_ok=True)
    found = sorted(scenes.glob("*.json"))
    for scene in found:
        if len(sys.argv) == 4 or scene.stem in sys.argv[4:]:
            draw(mote, scene, docs / "gallery" / f"{scene.stem}.png")
    (docs / "gallery.md").write_text(HEAD + "".join(entry(scene) for scene in found))


main()
