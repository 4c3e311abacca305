#!/usr/bin/env python3
"""Installs a build into a fresh prefix, then configures, builds and runs a program that finds it with
find_package(mote), and the installed mote itself.

usage: check_install.py PROJECT-DIR BUILD-DIR
"""
import os
import pathlib
import re
import sys
import tempfile

from scratch import call

CONSUMER = """cmake_minimum_required(VERSION 3.21)
project(consumer LANGUAGES C)
find_package(mote 0.1 REQUIRED)
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE mote::mote)
"""


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        here = pathlib.Path(temporary)
        prefix, source = here / "prefix", here / "consumer"
        call("cmake", "--install", build, "--prefix", prefix)
        source.mkdir()
        (source / "CMakeLists.txt").write_text(CONSUMER)
        program = re.findall(r"```c program\n(.*?)```", (root / "docs" / "api.md").read_text(), flags=re.S)[0]
        (source / "main.c").write_text(program)
        flags = os.environ.get("MOTE_CONSUMER_FLAGS", "")
        call("cmake", "-S", source, "-B", here / "b", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_FLAGS={flags}")
        call("cmake", "--build", here / "b")
        print(call(here / "b" / "consumer", cwd=here).strip())
        print(call(prefix / "bin" / "mote", "--version").strip())
        scene = prefix / "share" / "mote" / "scenes" / "swinging_rope.json"
        call(prefix / "bin" / "mote", "run", scene, "--frames", "1", "--quiet", cwd=here)
    print("1 passed, 0 failed")


main()
