"""What the checks of the program share: running it, failing with a reason, counting what passed."""

import json
import os
import re
import subprocess
import sys
import tempfile

SANITIZER = re.compile(r"(Address|Leak|Thread|UndefinedBehavior)Sanitizer|runtime error:")


class Bad(Exception):
    """What is wrong with an answer of the program."""


def need(condition, message):
    if not condition:
        raise Bad(message)


def need_in(part, text, what):
    need(part in text, f"{what} lacks {part!r}; it is {shorten(text)!r}")


def shorten(text, most=600):
    return text if len(text) <= most else text[:most] + "..."


def need_healthy(code, stderr):
    """No crash, no complaint of a sanitizer; for any way in which the program may end."""
    found = SANITIZER.search(stderr)
    need(not found, f"a sanitizer complains: {shorten(stderr[found.start():] if found else '')!r}")
    need(code >= 0, f"it was ended by signal {-code}")


def run(program, arguments, directory, timeout=60, environment=None):
    """Runs the program in a directory; the result has returncode, stdout and stderr as text. What is in `environment`
    is added to ours."""
    try:
        done = subprocess.run([program, *arguments], cwd=directory, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                              encoding="utf-8", errors="replace", check=False,
                              env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired as late:
        raise Bad(f"not done after {timeout} s: {' '.join(arguments)}") from late
    need_healthy(done.returncode, done.stderr)
    return done


def need_exit(done, code):
    need(done.returncode == code,
         f"exit code {done.returncode} instead of {code}; stderr {shorten(done.stderr)!r}")


def files_in(directory):
    """Everything below a directory, as sorted relative paths."""
    found = []
    for top, directories, files in os.walk(directory):
        found += [os.path.relpath(os.path.join(top, name), directory) for name in directories + files]
    return sorted(found)


def parse_json(text, what):
    """Strict: NaN and infinities are no JSON."""
    def refuse(name):
        raise ValueError(f"{name} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise Bad(f"{what} is not valid JSON: {error}; it is {shorten(text)!r}") from error


def read_json(path):
    need(os.path.isfile(path), f"{path} does not exist")
    with open(path, encoding="utf-8") as file:
        return parse_json(file.read(), os.path.basename(path))


def run_cases(cases):
    """Each case is a name and a function of a fresh directory. The exit code of the script."""
    passed = failed = 0
    for name, case in cases:
        with tempfile.TemporaryDirectory(prefix="mote-") as directory:
            try:
                case(directory)
                passed += 1
                print(f"pass {name}", flush=True)
            except (Bad, OSError, ValueError, LookupError, TypeError, SyntaxError) as error:
                failed += 1
                reason = error if isinstance(error, Bad) else repr(error)
                print(f"FAIL {name}: {reason}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def arguments_of(usage, count):
    """The script's arguments as absolute paths."""
    if len(sys.argv) != count + 1:
        print(f"usage: {usage}", file=sys.stderr)
        sys.exit(2)
    return [os.path.abspath(argument) for argument in sys.argv[1:]]
