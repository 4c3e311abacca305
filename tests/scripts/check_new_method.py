#!/usr/bin/env python3
"""Adds an integrator as one file and one line in a scratch copy of the tree: it is built, listed, explained, in the
schema, and run by the method tests, with no other edit. Then breaks the layering there, and the layering test says so.

usage: check_new_method.py PROJECT-DIR
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def call(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        print(done.stdout[-4000:], done.stderr[-4000:])
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def copy_tree(root, target):
    ignored = shutil.ignore_patterns("build*", ".git", "out", "__pycache__")
    shutil.copytree(root, target, ignore=ignored)


def method_from_guide(root):
    """The C file that CONTRIBUTING.md walks through, and its line for methods.def."""
    text = (root / "CONTRIBUTING.md").read_text()
    code = text.split("```c\n", 1)[1].split("```", 1)[0]
    return code, "MO_METHOD(midpoint_example)\n"


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        tree = pathlib.Path(temporary) / "mote"
        copy_tree(root, tree)
        code, line = method_from_guide(root)
        (tree / "src/integrate/midpoint_example.c").write_text(code)
        with open(tree / "src/integrate/methods.def", "a") as methods:
            methods.write(line)
        call("cmake", "--preset", "baseline", cwd=tree)
        targets = ["mote_program"] + [f"test_method_{path.stem}" for path in sorted((tree / "tests/method").glob("*.c"))]
        call("cmake", "--build", "--preset", "baseline", "--target", *targets, cwd=tree)
        build = tree / "build-baseline"
        assert "midpoint_example" in call(build / "mote", "list", "integrator")
        assert "midpoint_example (integrator)" in call(build / "mote", "explain", "midpoint_example")
        assert '"midpoint_example"' in call(build / "mote", "schema")
        call(build / "mote", "run", tree / "scenes/swinging_rope.json", "--set", "integrator=midpoint_example",
             "--frames", "2", "--quiet", cwd=temporary)
        report = json.loads((pathlib.Path(temporary) / "out/swinging_rope/report.json").read_text())
        assert report["outcome"] == "done", report
        chosen = "^(method/|docs/|source/|scenes/schema)"
        only = {**os.environ, "MOTE_TEST_METHOD": "midpoint_example"}
        tests = call("ctest", "--test-dir", build, "-R", chosen, "--output-on-failure", env=only)
        print("the new integrator is built, listed, explained, in the schema, and passes:")
        print("\n".join(row for row in tests.splitlines() if "method/" in row and "Passed" in row))
        # and a forbidden include is found
        with open(tree / "src/math/random.c", "a") as source:
            source.write('#include "world/world.h"\n')
        layers = subprocess.run([sys.executable, HERE / "check_layers.py", tree], capture_output=True, text=True)
        print(layers.stdout.strip())
        assert layers.returncode == 1 and "'math' may not include 'world'" in layers.stdout
    print("1 passed, 0 failed")


main()
