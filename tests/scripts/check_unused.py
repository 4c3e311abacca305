#!/usr/bin/env python3
"""Finds functions of src/ that nothing uses: internal ones (mo_*) that occur in no source but where they are defined
and declared.

usage: check_unused.py PROJECT-DIR
"""
import collections
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
DEFINED = re.compile(r"^(?!static\b)[A-Za-z_][\w \*]*?\b(mo_\w+)\s*\([^;{]*\)\s*\n\{", re.M)
INLINE = re.compile(r"^static inline [\w \*]*?\b(mo_\w+)\s*\([^;{]*\)\s*\n\{", re.M)


def main():
    root = pathlib.Path(sys.argv[1])
    uses, defined = collections.Counter(), {}
    for top in ("src", "cli", "tests", "include"):
        for path in sorted((root / top).rglob("*.[ch]")):
            code = COMMENT.sub("", path.read_text())
            uses.update(re.findall(r"\bmo_\w+", code))
            if top == "src":
                found = (DEFINED if path.suffix == ".c" else INLINE).findall(code)
                defined.update({name: path.relative_to(root) for name in found})
    declared = collections.Counter()
    for path in (root / "src").rglob("*.h"):
        code = COMMENT.sub("", path.read_text())
        declared.update(re.findall(r"^[A-Za-z_][\w \*]*?\b(mo_\w+)\s*\([^;{]*\);", code, re.M))
    unused = sorted(name for name in defined if uses[name] <= 1 + declared[name])
    for name in unused:
        print(f"{defined[name]}: nothing uses {name}")
    print(f"{len(defined)} functions, {len(unused)} problems")
    sys.exit(1 if unused or not defined else 0)


main()
