#!/usr/bin/env python3
"""The public headers compile alone as C17 and as C++17; the manual's program compiles; every public function is in
the manual, and so is every argument that may be NULL.

usage: check_headers.py PROJECT-DIR CC
"""
import pathlib
import re
import subprocess
import sys

import public_api


def compile_text(compiler, language, standard, text, include):
    command = [compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               "-fsyntax-only", f"-I{include}", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    include = root / "include"
    problems = []
    headers = sorted((include / "mote").glob("*.h"))
    for header in headers:
        text = f"#include <mote/{header.name}>\nint main(void) {{ return 0; }}\n"
        for language, standard, cc in (("c", "c17", compiler), ("c++", "c++17", "g++")):
            run = compile_text(cc, language, standard, text, include)
            if run.returncode:
                problems.append(f"{header.name} as {standard}: {run.stderr}")
    programs = re.findall(r"```c program\n(.*?)```", (root / "docs" / "api.md").read_text(), flags=re.S)
    if not programs:
        problems.append("docs/api.md has no C program")
    for program in programs:
        run = compile_text(compiler, "c", "c17", program, include)
        if run.returncode:
            problems.append(f"the program of docs/api.md: {run.stderr}")
    manual = (root / "docs" / "api.md").read_text()
    functions = list(public_api.functions(include))
    for function in functions:
        if function.name not in manual:
            problems.append(f"{function.name} is not in docs/api.md")
    rows = {row.strip() for row in manual.splitlines() if row.startswith("| `mote_")}
    wanted = {f"| `{f.name}` | {', '.join(f'`{name}`' for name in f.optional())} |" for f in functions if f.optional()}
    problems += [f"docs/api.md lacks the row {row} of arguments that may be NULL" for row in sorted(wanted - rows)]
    problems += [f"docs/api.md: the headers do not say so: {row}" for row in sorted(rows - wanted)]
    if len(functions) < 30:
        problems.append(f"only {len(functions)} public functions were found")
    for problem in problems:
        print(problem)
    print(f"{len(headers)} headers, {len(functions)} functions, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
