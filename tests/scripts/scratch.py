"""A copy of the tree in which a test may edit, and its build. The copy stays where it is between runs and between tests, so
that only what differs is compiled again."""

import filecmp
import os
import pathlib
import shutil
import subprocess

LEFT_OUT = {".git", "out", "__pycache__"}


def call(*command, **options):
    """The output of a command; the test fails if it does."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        print(done.stdout[-4000:], done.stderr[-4000:])
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def files_of(root):
    """Every file of the tree, as paths relative to it; builds are left out."""
    for top, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in LEFT_OUT and not f.startswith("build")]
        yield from (pathlib.Path(top, name).relative_to(root) for name in files)


class Scratch:
    """A copy of `root` in the folder `place`, with the texts in `edits` (path: text) instead of what is in the tree."""

    def __init__(self, root, place, edits):
        self.tree = pathlib.Path(place) / "mote"
        self.build = self.tree / "build-baseline"
        texts = {pathlib.Path(path): text for path, text in edits.items()}
        wanted = set(files_of(root)) | set(texts)
        for path in set(files_of(self.tree)) - wanted:
            (self.tree / path).unlink()
        for path in wanted:
            target = self.tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if path in texts:
                self.write(path, texts[path])
            elif not target.exists() or not filecmp.cmp(root / path, target, shallow=False):
                shutil.copy(root / path, target)

    def write(self, path, text):
        """A file that has this text already keeps its time, and is not compiled again."""
        target = self.tree / path
        if not target.exists() or target.read_text() != text:
            target.write_text(text)

    def make(self, *targets):
        call("cmake", "--preset", "baseline", cwd=self.tree)
        call("cmake", "--build", "--preset", "baseline", "--target", *targets, cwd=self.tree)
