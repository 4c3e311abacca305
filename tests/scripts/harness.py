"""What the checks of the program share: running it, failing with a reason, counting what passed.

No check depends on how fast the machine is or what else it does: a program is limited by the processor time it uses,
and what has to happen at a certain point of a run waits for an event (a file, a line), however long that takes. A program
that hangs without working is ended by the limit that ctest has for the whole check.
"""

import json
import os
import re
import resource
import signal
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


def start(program, arguments, directory, seconds=60, environment=None, **streams):
    """Starts the program in a directory; it is killed after `seconds` of processor time. What is in `environment` is
    added to ours."""
    process = subprocess.Popen([program, *arguments], cwd=directory, stdin=subprocess.DEVNULL,
                               env={**os.environ, **(environment or {})}, **streams)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]  # of the whole check; nobody may go beyond
    limit = seconds if most == resource.RLIM_INFINITY else min(seconds, most)
    try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit))
    except ProcessLookupError:
        pass  # it has ended already
    return process


def run(program, arguments, directory, seconds=60, environment=None):
    """Runs the program to its end; the result has returncode, stdout and stderr as text."""
    process = start(program, arguments, directory, seconds, environment, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    stdout, stderr = process.communicate()
    need(process.returncode != -signal.SIGKILL, f"not done after {seconds} s of processor time: {' '.join(arguments)}")
    need_healthy(process.returncode, stderr)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def wait_until(process, condition, what):
    """Looks again and again whether the condition holds, while the process works."""
    glance = 0.01
    while not condition():
        try:
            process.wait(glance)
        except subprocess.TimeoutExpired:
            continue
        need(condition(), f"it ended by itself with {process.returncode} before {what}")


def finish(process):
    """What a process that is about to end has written, as texts."""
    return [(data if isinstance(data, str) else (data or b"").decode("utf-8", "replace"))
            for data in process.communicate()]


def catches(process, number):
    """Whether it has a handler for the signal."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            caught = next(line.split()[1] for line in status if line.startswith("SigCgt"))
    except FileNotFoundError:
        return False  # it has ended
    return bool(int(caught, 16) >> (number - 1) & 1)


def full_pipe():
    """A pipe that takes nothing until it is read: who writes to it waits there. The ends to read and to write."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    try:
        while True:
            os.write(theirs, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(theirs, True)
    return ours, theirs


def closed_pipe():
    """A pipe that nobody reads any more: the end to write."""
    ours, theirs = os.pipe()
    os.close(ours)
    return theirs


def read_all(descriptor):
    """Up to the end."""
    with os.fdopen(descriptor, "rb") as file:
        return file.read().decode("utf-8", "replace")


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
