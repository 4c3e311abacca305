#!/usr/bin/env python3
"""A build that was configured before ccache was installed keeps its rules to compile when it is configured again, so that
`make test` after `make demo` compiles nothing twice.

usage: check_reconfigure.py PROJECT-DIR
"""
import pathlib
import sys
import tempfile

from scratch import call


def compile_rules(build):
    """The commands of the rules that compile, with their launcher."""
    rules = (build / "CMakeFiles/rules.ninja").read_text().split("\nrule ")
    return [rule for rule in rules if rule.startswith("C_COMPILER__mote")]


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        build = pathlib.Path(temporary) / "build"
        # what the first look for ccache leaves in the cache where there is none
        call("cmake", "-G", "Ninja", "-S", root, "-B", build, "-DMOTE_CCACHE=MOTE_CCACHE-NOTFOUND", "-DMOTE_TESTS=OFF")
        before = compile_rules(build)
        call("cmake", "-S", root, "-B", build, "-DMOTE_TESTS=ON")
        after = compile_rules(build)
    launched = [line for line in before + after if "CCACHE" in line]
    good = len(before) > 0 and not launched and set(before) <= set(after)
    print(f"{len(before)} rules that compile, {len(launched)} with ccache after all")
    print("1 passed, 0 failed" if good else "0 passed, 1 failed")
    sys.exit(0 if good else 1)


main()
