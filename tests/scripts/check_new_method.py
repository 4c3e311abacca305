#!/usr/bin/env python3
"""Adds an integrator as one file and one line in a scratch copy of the tree: it is built, listed, explained, in the
schema, and run by the method tests, with no other edit. Then breaks the layering there, and the layering test says so.

usage: check_new_method.py PROJECT-DIR SCRATCH-DIR
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from scratch import Scratch, call

HERE = pathlib.Path(__file__).parent


def method_from_guide(root):
    """The C file that CONTRIBUTING.md walks through, and methods.def with its line."""
    code = (root / "CONTRIBUTING.md").read_text().split("```c\n", 1)[1].split("```", 1)[0]
    methods = "src/integrate/methods.def"
    return {"src/integrate/midpoint_example.c": code,
            methods: (root / methods).read_text() + "MO_METHOD(midpoint_example)\n"}


def check_program(mote, scratch):
    assert "midpoint_example" in call(mote, "list", "integrator")
    assert "midpoint_example (integrator)" in call(mote, "explain", "midpoint_example")
    assert '"midpoint_example"' in call(mote, "schema")
    with tempfile.TemporaryDirectory() as temporary:
        call(mote, "run", scratch.tree / "scenes/swinging_rope.json", "--set", "integrator=midpoint_example",
             "--frames", "2", "--quiet", cwd=temporary)
        report = json.loads((pathlib.Path(temporary) / "out/swinging_rope/report.json").read_text())
        assert report["outcome"] == "done", report


def check_tests(scratch):
    only = {**os.environ, "MOTE_TEST_METHOD": "midpoint_example"}
    tests = call("ctest", "--test-dir", scratch.build, "-R", "^(method/|docs/|source/|scenes/schema)",
                 "--output-on-failure", env=only)
    print("the new integrator is built, listed, explained, in the schema, and passes:")
    print("\n".join(row for row in tests.splitlines() if "method/" in row and "Passed" in row))


def check_layering(scratch):
    """A forbidden include is found."""
    source = scratch.tree / "src/math/random.c"
    before = source.read_text()
    scratch.write("src/math/random.c", before + '#include "world/world.h"\n')
    layers = subprocess.run([sys.executable, HERE / "check_layers.py", scratch.tree], capture_output=True, text=True)
    scratch.write("src/math/random.c", before)
    print(layers.stdout.strip())
    assert layers.returncode == 1 and "'math' may not include 'world'" in layers.stdout


def main():
    root = pathlib.Path(sys.argv[1])
    scratch = Scratch(root, sys.argv[2], method_from_guide(root))
    tests = [f"test_method_{path.stem}" for path in sorted((scratch.tree / "tests/method").glob("*.c"))]
    scratch.make("mote_program", "cpu_seconds", "outcome", *tests)
    check_program(scratch.build / "mote", scratch)
    check_tests(scratch)
    check_layering(scratch)
    print("1 passed, 0 failed")


main()
