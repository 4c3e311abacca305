#!/usr/bin/env python3
"""Checks what a formatter does not: lengths of files, functions, file heads and comment lines, names of public
symbols, calls that the compiler accepts and the design does not, and that departures from a source are in the
descriptor.

usage: check_style.py PROJECT-DIR
"""
import pathlib
import re
import sys

FILE_LINES = 800
FUNCTION_LINES = 70
HEAD_LINES = 20
COLUMNS = 100

# The one file of src/ that calls the C library's heap: it holds the default allocator and mo_heap_*.
HEAP = "src/base/memory.c"

# (pattern, why it is forbidden in src/)
FORBIDDEN = [
    (re.compile(r"(?<![\w.>])(?:malloc|calloc|realloc|reallocarray|free|strdup|strndup|aligned_alloc|posix_memalign"
                r"|asprintf|vasprintf|getline|open_memstream)\s*\("),
     "the heap is called past the caller's allocator; use mo_allocate, or mo_heap_* where there is none"),
    (re.compile(r"\(&[^()]*(?:\.|->)\w+\)\["),
     "a member is indexed as if it were an array, which is undefined; use mo_vec3_at"),
    (re.compile(r"\bdouble \*[^;(]*= ?&[\w.>\[\]-]+(?:\.|->)[xyzw]\b(?!\[)"),
     "a pointer to a member is used as an array, which is undefined; use mo_vec3_at or mo_vec3_store"),
]


# What methods that are marked portable may not call, nor what they are made of.
LIBM = re.compile(r"(?<![\w.>])(?:pow|exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh"
                  r"|cbrt|hypot|erf|erfc|tgamma|lgamma|fma)f?\(")
PORTABLE_ROOMS = ("src/fluid/map/", "src/fluid/sph/", "src/fluid/boundary/", "src/fluid/pressure/", "src/couple/collider_contact")


def unportable(name, lines):
    """(line number, why) of calls of the C library that make results depend on it."""
    if not str(name).startswith(PORTABLE_ROOMS) and not any("MO_PORTABLE" in line for line in lines):
        return
    comment = False
    for number, line in enumerate(lines, 1):
        code = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", line)
        comment = comment or "/*" in code
        if not comment and LIBM.search(code):
            yield number, "a method that is marked portable calls the C library; see math/portable.h"
        comment = comment and "*/" not in code


def functions(lines):
    """(name, first line, length) of every function: from its opening brace in column 0 to its closing one."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield lines[start - 2].strip(), start, number - start
            start = None


def forbidden(name, lines):
    """(line number, why) of every line of a source that the design forbids."""
    for number, line in enumerate(lines, 1):
        for pattern, why in FORBIDDEN[str(name) == HEAP:]:
            if pattern.search(line):
                yield number, why


def comments(lines):
    """(line number, why) of heads that are too long and of comments beyond the last column. The formatter wraps code,
    not comments: their equations and tables would be reflowed."""
    comment = False
    for number, line in enumerate(lines, 1):
        starts = line.lstrip().startswith("/*")
        if (comment or starts) and len(line) > COLUMNS:
            yield number, f"a comment of {len(line)} columns, at most {COLUMNS}"
        comment = (comment or starts) and "*/" not in line
    if lines and lines[0].startswith("/*"):
        end = next((n for n, line in enumerate(lines) if "*/" in line), 0)
        head = [line for line in lines[:end + 1] if line.strip() not in ("/*", "*/")]
        if len(head) > HEAD_LINES:
            yield 1, f"a head of {len(head)} lines, at most {HEAD_LINES}; derivations belong into docs/"


def departures(text):
    """Why the head of a method's file and its descriptor disagree on departures from the cited source."""
    head = text[:text.find("*/")]
    if not re.search(r"\.summary =", text):
        return
    says, has = re.search(r"\bDepart(s|ure|ures)?\b", head), re.search(r"\.departs =", text)
    if says and not has:
        yield "its head says where it departs from the source, its descriptor has no `departs`"
    if has and not says:
        yield "its descriptor has a `departs`, its head does not say where it departs from the source"
    if has and not re.search(r"\.citation =", text):
        yield "its descriptor has a `departs` and no `citation` to depart from"


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    count = 0
    for path in sorted(p for folder in ("src", "cli", "include") for p in (root / folder).rglob("*.[ch]")):
        lines = path.read_text().splitlines()
        name = path.relative_to(root)
        if len(lines) > FILE_LINES:
            problems.append(f"{name}: {len(lines)} lines, at most {FILE_LINES}")
        for head, start, length in functions(lines):
            count += 1
            if length > FUNCTION_LINES:
                problems.append(f"{name}:{start}: {head} has {length} lines, at most {FUNCTION_LINES}")
        problems += [f"{name}:{number}: {why}" for number, why in comments(lines)]
        if name.parts[0] == "src":
            problems += [f"{name}:{number}: {why}" for number, why in forbidden(name, lines)]
            problems += [f"{name}:{number}: {why}" for number, why in unportable(name, lines)]
            problems += [f"{name}: {why}" for why in departures("\n".join(lines))]
        if "include/mote" in str(name):
            for match in re.finditer(r"^[a-z].*?\b(\w+)\(", "\n".join(lines), re.M):
                if not match.group(1).startswith("mote_") and match.group(1) != "void":
                    problems.append(f"{name}: the public name {match.group(1)} does not start with mote_")
    for problem in problems:
        print(problem)
    print(f"{count} functions, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


main()
