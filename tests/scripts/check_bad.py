#!/usr/bin/env python3
"""Malformed scenes are refused: check_bad.py MOTE-PROGRAM DIR

Each NAME.json of the directory must be refused by `mote run` and by `mote check`: exit code 2, every line of
NAME.expect somewhere on stderr, the scene's file name too, nothing on stdout, no file made. NAME.args holds
more arguments, one a line. Names that begin with "output_" are about the files of a run, which a check does
not make, so that only `mote run` has to refuse them.

Scenes that are too large to keep, and things that are no scenes at all, are made on the fly.
"""

import os
import sys

from harness import arguments_of, files_in, need, need_exit, need_in, run, run_cases

TIME_LIMIT = 30

GOOD = """{
  "_": "every beginning of this scene but the whole of it is broken",
  "gravity": [0, 0, -9.81],
  "time": {"end": 1e-3, "step": {"type": "cfl", "factor": 0.4, "max": 0.005}, "fps": 50},
  "bodies": [{"name": "caf\u00e9 \\u00e9\\n", "mesh": {"type": "points", "positions": [[0, 0, 1], [1, 0, 1]]},
              "pins": [{"nodes": [0, 1]}]}],
  "colliders": [{"shape": {"type": "plane"}, "inside": false, "friction": 0.1}]
}"""


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line]


def need_refusal(program, arguments, scene, expected, directory):
    """Runs in an empty directory below `directory`, where nothing may appear."""
    os.makedirs(os.path.join(directory, "here"), exist_ok=True)
    before = files_in(directory)
    done = run(program, arguments, os.path.join(directory, "here"), TIME_LIMIT)
    need_exit(done, 2)
    for part in expected:
        need_in(part, done.stderr, "stderr")
    need_in(os.path.basename(scene), done.stderr, "stderr")
    need(done.stderr.startswith("mote: "), f"stderr does not begin with 'mote: ': {done.stderr!r}")
    need(done.stdout == "", f"stdout is not empty: {done.stdout!r}")
    after = files_in(directory)
    need(after == before, f"files were made: {sorted(set(after) - set(before))}")


def refuse_run(program, scene, more, expected, directory):
    arguments = ["run", scene, "-o", os.path.join(directory, "out"), *more]
    need_refusal(program, arguments, scene, expected, directory)


def refuse_both(program, scene, more, expected, directory):
    refuse_run(program, scene, more, expected, directory)
    need_refusal(program, ["check", scene, *more], scene, expected, directory)


def kept_case(program, stem):
    """A scene of the directory with what goes with it."""
    expected = lines_of(stem + ".expect")
    more = lines_of(stem + ".args")
    refuse = refuse_run if os.path.basename(stem).startswith("output_") else refuse_both

    def case(directory):
        need(expected, f"{stem}.expect is missing or empty")
        refuse(program, stem + ".json", more, expected, directory)

    return case


def kept_cases(program, where):
    names = sorted(name[:-5] for name in os.listdir(where) if name.endswith(".json"))
    return [(name, kept_case(program, os.path.join(where, name))) for name in names]


def made_case(program, make, expected):
    """A scene that `make` writes to the path it is given."""
    def case(directory):
        scene = os.path.join(directory, "made.json")
        make(scene)
        refuse_both(program, scene, [], expected, directory)

    return case


def there_case(program, scene, expected):
    """Something outside of the tests' own files."""
    return lambda directory: refuse_both(program, scene, [], expected, directory)


def text_maker(text):
    def make(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    return make


def make_sparse(path):
    with open(path, "wb") as file:
        file.truncate(1 << 30)


def make_unreadable(path):
    text_maker("{}")(path)
    os.chmod(path, 0)


def beginnings_case(program):
    def case(directory):
        scene = os.path.join(directory, "beginning.json")
        data = GOOD.encode("utf-8")
        for length in list(range(0, len(data) - 1, 11)) + [len(data) - 1]:
            with open(scene, "wb") as file:
                file.write(data[:length])
            need_refusal(program, ["check", scene], scene, ["not valid JSON"], directory)

    return case


def made_cases(program):
    time = '"time": {"end": 1, "step": 0.1}'
    deep = 10000
    texts = {
        "made_nested_lists": ('{"_": ' + "[" * deep + "]" * deep + "}", ["not valid JSON", "2048 levels"]),
        "made_nested_objects": ('{"a":' * deep + "1" + "}" * deep, ["not valid JSON", "2048 levels"]),
        "made_nested_unclosed": ('{"_": ' + "[" * 1000000, ["not valid JSON", "2048 levels"]),
        "made_nested_value": ('{%s, "up": %s}' % (time, "[" * 2000 + "]" * 2000),
                              ["up: ", "expected a string", "found a list"]),
        "made_long_key": ('{%s, "%s": 1}' % (time, "k" * 1000000), ["kkkkkkkk", "unknown key"]),
        "made_long_name": ('{%s, "integrator": "%s"}' % (time, "rk4" * 300000), ["integrator: there is no", "rk4rk4"]),
        "made_long_list": ('{%s, "bodies": [%s 1]}' % (time, "1, " * 300000), ["bodies[0]", "expected an object"]),
        "made_spaces_only": (" \n" * 1000000, ["not valid JSON", "end of file"]),
        "made_nul_bytes": ("\0" * 100000, ["not valid JSON"]),
    }
    cases = [(name, made_case(program, text_maker(text), expected)) for name, (text, expected) in texts.items()]
    cases.append(("made_sparse_gigabyte", made_case(program, make_sparse, ["1024 MiB", "at most 64 MiB"])))
    cases.append(("made_directory", made_case(program, os.mkdir, ["is not a file"])))
    cases.append(("made_missing", made_case(program, lambda path: None, ["cannot be opened", "No such file"])))
    if os.geteuid() != 0:
        cases.append(("made_unreadable", made_case(program, make_unreadable, ["cannot be opened"])))
    cases.append(("device_zero", there_case(program, "/dev/zero", ["is not a file"])))
    cases.append(("device_null", there_case(program, "/dev/null", ["is not a file"])))
    cases.append(("below_a_file", there_case(program, "/dev/null/scene.json", ["cannot be opened"])))
    cases.append(("made_beginnings", beginnings_case(program)))
    return cases


def main():
    program, where = arguments_of("check_bad.py MOTE-PROGRAM DIR", 2)
    return run_cases(kept_cases(program, where) + made_cases(program))


if __name__ == "__main__":
    sys.exit(main())
