#!/usr/bin/env python3
"""What goes wrong around a run: full disks, directories that are not there or may not be written, files that were cut off,
changed or forged. The answer is a message and exit code 1 (the run failed) or 2 (bad input), never a crash, a hang or a
giant allocation; and what was there before is intact.

usage: check_faults.py MOTE SOURCE-DIR
"""
import contextlib
import glob
import io
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import zipfile

from harness import (arguments_of, files_in, finish, need, need_exit, need_healthy, need_in, run, run_cases, start,
                     wait_until)

SCENE = {
    "time": {"end": 0.2, "step": 0.001, "fps": 50},
    "integrator": "abm3",
    "bodies": [{"name": "sheet", "mesh": {"type": "cloth", "columns": 30, "rows": 30, "origin": [0, 0, 1]},
                "density": 0.3, "radius": 0.01, "model": {"type": "spring", "k": 1, "damping_spring": 0.002},
                "pins": [{"set": "u0v1"}]}],
    "colliders": [{"name": "ball", "shape": {"type": "sphere", "center": [0.5, 0.5, 0.8], "radius": 0.2}}],
}


def write_scene(directory, **changes):
    path = os.path.join(directory, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(SCENE, **changes), file)
    return path


def checkpoints(directory):
    return sorted(glob.glob(os.path.join(directory, "*.checkpoint.*.npz")))


def need_whole(mote, out):
    """Everything under a final name can be read."""
    for path in checkpoints(out):
        need_exit(run(mote, ["info", path], out), 0)
    for path in glob.glob(os.path.join(out, "*.vtp")):
        with open(path, "rb") as file:
            need(file.read().rstrip().endswith(b"</VTKFile>"), f"{path} is half a file")


def need_goes_on(mote, directory, out, to):
    """From its newest checkpoint, a little further."""
    newest = json.loads(run(mote, ["info", checkpoints(out)[-1], "--json"], directory).stdout)
    until = newest["time"] + 0.05
    need_exit(run(mote, ["resume", out, "-o", to, "--quiet", "--until", f"{until}"], directory), 0)
    with open(os.path.join(to, "report.json"), encoding="utf-8") as file:
        need(abs(json.load(file)["time"] - until) < 0.001, "it did not go on to where it should")


def long_scene(directory):
    """Takes some seconds, so that something can happen meanwhile."""
    return write_scene(directory, time={"end": 100, "step": 0.001, "fps": 50})


@contextlib.contextmanager
def small_disk(directory, options):
    """A file system of its own; None where only root may have one."""
    place = os.path.join(directory, "disk")
    os.mkdir(place)
    mounted = os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place],
                                                   capture_output=True, check=False).returncode == 0
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", place], check=False)


def full_disk(mote):
    def check(directory):
        scene = long_scene(directory)
        with small_disk(directory, "size=2m") as place:
            if not place:
                print("     (needs root to mount a small disk)")
                return
            out = os.path.join(place, "out")
            done = run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.1"], directory)
            need_exit(done, 1)
            need_in("No space left", done.stderr, "the message")
            need(checkpoints(out), "no checkpoint was left")
            need_whole(mote, out)
            need(not glob.glob(os.path.join(out, "*.tmp")), "half a checkpoint lies about")
            # with space made, it goes on
            need_goes_on(mote, directory, out, os.path.join(directory, "more"))
    return check


def file_size_limit(mote):
    """A checkpoint that becomes larger than files may be, while frames still fit."""
    def check(directory):
        out = os.path.join(directory, "out")
        scene = write_scene(directory)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))  # noqa: E731
        process = subprocess.run([mote, "run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"],
                                 preexec_fn=limit, capture_output=True, text=True, check=False)
        need_healthy(process.returncode, process.stderr)
        need_exit(process, 1)
        need_in("checkpoint", process.stderr, "the message")
        need_in("File too large", process.stderr, "the message")
        need(not checkpoints(out), "a checkpoint beyond the limit is there")
        need_whole(mote, out)
    return check


def unwritable(mote):
    def check(directory):
        scene = write_scene(directory)
        with small_disk(directory, "ro") as place:
            if place:
                done = run(mote, ["run", scene, "-o", os.path.join(place, "out"), "--quiet", "--checkpoint-every", "1"],
                           directory)
                need_exit(done, 1)
                need_in("Read-only file system", done.stderr, "the message")
        blocked = os.path.join(directory, "file")
        with open(blocked, "w", encoding="utf-8") as file:
            file.write("precious")
        done = run(mote, ["run", scene, "-o", blocked, "--quiet", "--checkpoint-every", "1"], directory)
        need_exit(done, 1)
        with open(blocked, encoding="utf-8") as file:
            need(file.read() == "precious", "the file in the way was written over")
    return check


def directory_in_the_way(mote):
    """A directory under a checkpoint's name: refused, and the run says so."""
    def check(directory):
        scene, out = write_scene(directory), os.path.join(directory, "out")
        os.makedirs(os.path.join(out, "scene.checkpoint.000000200.npz"))
        done = run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "10"], directory)
        need_exit(done, 1)
        need_in("not a regular file", done.stderr, "the message")
        need(os.path.exists(os.path.join(out, "report.json")), "there is no report")
    return check


def directory_removed(mote):
    def check(directory):
        scene, out = long_scene(directory), os.path.join(directory, "out")
        process = start(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"], directory,
                        stderr=subprocess.PIPE)
        wait_until(process, lambda: checkpoints(out), "a checkpoint")
        os.rename(out, out + ".away")
        _, stderr = finish(process)
        need_healthy(process.returncode, stderr)
        need(process.returncode == 1, f"exit code {process.returncode}")
        need_in("No such file or directory", stderr, "the message")
        need_whole(mote, out + ".away")
    return check


def interrupted(mote):
    """SIGINT, SIGTERM and the like: a checkpoint if they are on, a report, exit code 0. SIGKILL: nothing half-written."""
    def check(directory):
        scene = long_scene(directory)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGKILL):
            for flags in (["--checkpoint-every", "0.05"], []):
                out = os.path.join(directory, f"out{number}{len(flags)}")
                process = start(mote, ["run", scene, "-o", out, "--quiet", *flags], directory, stderr=subprocess.PIPE)
                wait_until(process, lambda: checkpoints(out) if flags else glob.glob(out + "/*.000003.vtp"), "any file")
                process.send_signal(number)
                finish(process)
                killed = number == signal.SIGKILL
                need(process.returncode == (-9 if killed else 0), f"{number}: exit code {process.returncode}")
                need(killed or os.path.exists(os.path.join(out, "report.json")), f"{number}: no report")
                need(bool(checkpoints(out)) == bool(flags), f"{number}: {checkpoints(out)}")
                need_whole(mote, out)
    return check


def read_only_results(mote):
    def check(directory):
        scene, out = write_scene(directory), os.path.join(directory, "out")
        command = ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"]
        need_exit(run(mote, command, directory), 0)
        for name in files_in(out):
            os.chmod(os.path.join(out, name), 0o444)
        need_exit(run(mote, ["resume", out, "--quiet", "--until", "0.22"], directory), 0)
        need_exit(run(mote, command, directory), 0)
    return check


def two_runs(mote):
    """A second run into the directory of one at work, or a resume of it, is refused and touches nothing."""
    def check(directory):
        scene, out = long_scene(directory), os.path.join(directory, "out")
        first = start(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"], directory)
        try:
            wait_until(first, lambda: checkpoints(out), "a checkpoint")
            first.send_signal(signal.SIGSTOP)
            os.waitpid(first.pid, os.WUNTRACED)  # a thread may still be writing until all of them have stopped
            before = {name: os.stat(os.path.join(out, name)).st_mtime_ns for name in files_in(out)}
            for command in (["run", scene, "-o", out, "--checkpoint-wall", "1"], ["resume", out, "--until", "200"]):
                done = run(mote, command, directory)
                need_exit(done, 1)
                need_in("another run is writing there", done.stderr, "the message")
            after = {name: os.stat(os.path.join(out, name)).st_mtime_ns for name in files_in(out)}
            need(before == after, "the directory was touched")
        finally:
            first.kill()
            first.wait()
        need_goes_on(mote, directory, out, out)  # no longer in the way
    return check


def halves_go(mote):
    """What a killed run left half-written goes with the next run; what is not of its making stays."""
    def check(directory):
        scene, out = write_scene(directory), os.path.join(directory, "out")
        os.mkdir(out)
        names = ["scene.checkpoint.000000017.npz.01234567.tmp", "scene.000003.vtp.89abcdef.tmp", "report.json.00000000.tmp",
                 "other.checkpoint.000000017.npz.01234567.tmp", "scene.notes.tmp"]
        for name in names:
            with open(os.path.join(out, name), "wb") as file:
                file.write(b"half")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"], directory), 0)
        left = [name for name in files_in(out) if name.endswith(".tmp")]
        need(sorted(left) == sorted(names[3:]), f"left: {left}")
    return check


def good_checkpoint(mote, directory):
    scene, out = write_scene(directory), os.path.join(directory, "good")
    need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--until", "0.05", "--checkpoint-every", "0.05"],
                  directory), 0)
    with open(checkpoints(out)[-1], "rb") as file:
        return file.read()


def need_refused(mote, directory, data, what, reason=None):
    path = os.path.join(directory, "bad.npz")
    with open(path, "wb") as file:
        file.write(data)
    for command in (["resume", path, "--quiet", "-o", os.path.join(directory, "no")], ["info", path]):
        done = run(mote, command, directory)
        need(done.returncode == 2, f"{what}: {command[0]} ends with {done.returncode}, stderr {done.stderr!r}")
        need("bad.npz" in done.stderr or "does not fit" in done.stderr, f"{what}: {command[0]} says {done.stderr!r}")
        if reason:
            need(re.search(reason, done.stderr), f"{what}: {command[0]} says {done.stderr!r}, not {reason!r}")
        if command[0] == "resume" and reason and "does not fit" in done.stderr:
            break  # what only a world can tell
    need(not os.path.exists(os.path.join(directory, "no")), f"{what}: something was written")


def cut_off(mote):
    def check(directory):
        data = good_checkpoint(mote, directory)
        rng = random.Random(1)
        places = [0, 1, 4, 30, 100, len(data) - 1, len(data) - 22, len(data) // 2]
        for length in places + [rng.randrange(len(data)) for _ in range(12)]:
            need_refused(mote, directory, data[:length], f"{length} of {len(data)} bytes")
        need_refused(mote, directory, data + b"x" * 1000, "bytes behind its end")
    return check


def frames_cut_off(mote):
    def check(directory):
        scene, out = write_scene(directory, output={"formats": ["vtp", "ply"]}), os.path.join(directory, "out")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--until", "0.02"], directory), 0)
        for extension in ("vtp", "ply"):
            path = os.path.join(out, "scene.000001." + extension)
            need_exit(run(mote, ["info", path], directory), 0)
            whole = os.path.getsize(path)
            for size in (whole - 1 - 10 * (extension == "vtp"), whole // 2, 1500, 20):
                os.truncate(path, size)
                done = run(mote, ["info", path], directory)
                need_exit(done, 2)
                need(path in done.stderr, f"{extension}, {size} bytes: {done.stderr!r}")
    return check


def counts_of_headers(mote):
    """A header that counts four thousand million elements in a file of some kilobytes is not believed."""
    def check(directory):
        scene, out = write_scene(directory, output={"formats": ["vtp", {"type": "ply", "ascii": True}, "vtu"]}), \
            os.path.join(directory, "out")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--until", "0.02"], directory), 0)
        counts = {"vtp": (rb'NumberOfPoints="\d+"', b'NumberOfPoints="%d"'),
                  "vtu": (rb'NumberOfPoints="\d+"', b'NumberOfPoints="%d"'),
                  "ply": (rb"element vertex \d+", b"element vertex %d")}
        for extension, (found, written) in counts.items():
            path = os.path.join(out, "scene.000001." + extension)
            with open(path, "rb") as file:
                data = file.read()
            for count in (4000000000, 2000000000, 1000000, 2 ** 63, 10 ** 30):
                with open(path, "wb") as file:
                    file.write(re.sub(found, written % count, data, count=1))
                done = run(mote, ["info", path], directory)
                need_exit(done, 2)
                need(path in done.stderr and str(count) not in done.stdout, f"{extension}, {count}: {done.stderr!r}")
    return check


def bits_changed(mote):
    """Any byte of a member changed: the CRC tells."""
    def check(directory):
        data = good_checkpoint(mote, directory)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
        rng = random.Random(2)
        for info in members:
            start = info.header_offset + 30 + len(info.filename)
            place = start + rng.randrange(info.file_size)
            changed = bytearray(data)
            changed[place] ^= 1 << rng.randrange(8)
            need_refused(mote, directory, bytes(changed), f"a bit of {info.filename}", "CRC|zip archive")
    return check


def repack(data, header=None, drop=None, arrays=None, compression=zipfile.ZIP_STORED):
    """A whole zip with a changed header (a function of the parsed one, or a text) or changed members."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", compression) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == drop:
                continue
            if name == "header.json" and header is not None:
                if callable(header):
                    parsed = json.loads(content)
                    header(parsed)
                    content = json.dumps(parsed).encode()
                else:
                    content = header
            if arrays and name in arrays:
                content = arrays[name](content)
            new.writestr(name, content)
    return out.getvalue()


def patch(path, value):
    def change(header):
        at = header
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return change


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def patch_column(column, edit, data):
    """Changes a column's bytes and puts the right CRC into the header."""
    name = f"forces/{column}.npy"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = bytearray(archive.read(name))
    edit(content)

    def change(header):
        for c in header["systems"][0]["columns"]:
            if c["name"] == column:
                c["crc32c"] = crc32c(content[128:])
    return repack(data, header=change, arrays={name: lambda _: bytes(content)})


def forged(mote):
    def check(directory):
        data = good_checkpoint(mote, directory)
        system = ["systems", 0]
        headers = [
            ("newer", patch(["format_version"], 3), "newer mote"),
            ("older", patch(["format_version"], 1), "older mote"),
            ("other format", patch(["format"], "x"), "not identify a mote checkpoint"),
            ("rows huge", patch([*system, "rows"], 2**31 - 1), "bytes, header.json states"),
            ("rows beyond", patch([*system, "rows"], 2**62), "'rows'"),
            ("rows negative", patch([*system, "rows"], -1), "'rows'"),
            ("rows real", patch([*system, "rows"], 1e300), "'rows'"),
            ("rows text", patch([*system, "rows"], "many"), "'rows'"),
            ("one row less", patch([*system, "rows"], 899), "bytes"),
            ("next id small", patch([*system, "next_id"], 3), "particles|id"),
            ("built", patch([*system, "built"], 10), "particles"),
            ("bodies none", patch([*system, "bodies"], []), "bodies"),
            ("body count", patch([*system, "bodies", 0, "count"], 2**31), "'count'"),
            ("body count small", patch([*system, "bodies", 0, "count"], 1), "bodies"),
            ("body count large", patch([*system, "bodies", 0, "count"], 5000), "bodies"),
            ("column gone", lambda h: h["systems"][0]["columns"].pop(3), "column"),
            ("column twice", lambda h: h["systems"][0]["columns"].append(h["systems"][0]["columns"][1]), "twice"),
            ("column unknown", patch([*system, "columns", 1, "name"], "y"), "missing"),
            ("column's path", patch([*system, "columns", 1, "name"], "../../x"), "missing"),
            ("column type", patch([*system, "columns", 1, "type"], "f32"), "bytes"),
            ("column components", patch([*system, "columns", 1, "components"], 2**31 - 1), "components"),
            ("column crc", patch([*system, "columns", 1, "crc32c"], 7), "CRC"),
            ("systems many", lambda h: h.update(systems=h["systems"] * 50), "'systems'"),
            ("system name", patch([*system, "name"], "fluid"), "missing"),
            ("time text", patch(["clock", "time"], "now"), "'time'"),
            ("time negative", patch(["clock", "time"], -1), "clock"),
            ("steps", patch(["clock", "steps_at_base"], 10**9), "'steps_at_base'"),
            ("scene name", patch(["scene", "name"], None), "does not name the scene"),
            ("other scene", patch(["scene", "hash"], "0" * 16), "belongs to the scene"),
            ("hash", patch(["state_hash"], "0" * 16), "state_hash"),
            ("initial hash", patch(["initial_hash"], "0" * 16), "initial state"),
            ("frames", patch(["run", "written"], 2**31 - 1), "bytes"),
            ("callbacks", patch([*system, "callbacks"], 1), "force callbacks of the caller"),
            ("warnings", patch(["warnings"], [{"kind": "x" * 500, "text": "", "count": 1, "first_time": 0}]), "warnings"),
        ]
        for name, change, reason in headers:
            bad = repack(data, header=change)
            if reason in ("belongs to the scene", "initial state", "forces of the caller", "particles",
                          "particles|id", "bodies", "column"):
                path = os.path.join(directory, "bad.npz")
                with open(path, "wb") as file:
                    file.write(bad)
                done = run(mote, ["resume", path, "--quiet", "-o", os.path.join(directory, "no")], directory)
                need(done.returncode == 2, f"{name}: exit code {done.returncode}, {done.stderr!r}")
                need(re.search(reason, done.stderr), f"{name}: {done.stderr!r}")
                need(not os.path.exists(os.path.join(directory, "no")), f"{name}: something was written")
            else:
                need_refused(mote, directory, bad, name, reason)
        for text in (b"", b"null", b"[]", b"{}", b'{"format": NaN}', b"\xff\xfe", b'{"format": "mote checkpoint"}'):
            need_refused(mote, directory, repack(data, header=text), f"header {text!r}", "header|checkpoint")
        need_refused(mote, directory, repack(data, drop="header.json"), "no header", "header.json' is missing")
        for what, bad in (("no scene", repack(data, drop="scene.json")),
                          ("half a scene", repack(data, arrays={"scene.json": lambda c: c[:40]}))):
            path = os.path.join(directory, "bad.npz")
            with open(path, "wb") as file:
                file.write(bad)
            done = run(mote, ["resume", path, "--quiet", "-o", os.path.join(directory, "no")], directory)
            need(done.returncode == 2 and "scene" in done.stderr, f"{what}: {done.returncode}, {done.stderr!r}")
        need_refused(mote, directory, repack(data, drop="forces/x.npy"), "no x", "forces/x.npy' is missing")
        need_refused(mote, directory, repack(data, compression=zipfile.ZIP_DEFLATED), "compressed", "compressed")
        need_refused(mote, directory, repack(data, arrays={"forces/v.npy": lambda c: c + b"1234"}), "longer", "bytes")
    return check


def forged_columns(mote):
    """Contents that fit their CRC and cannot be."""
    def check(directory):
        data = good_checkpoint(mote, directory)

        def put(offset, value):
            return lambda content: content.__setitem__(slice(128 + offset, 128 + offset + len(value)), value)

        nan = b"\0\0\0\0\0\0\xf8\x7f"
        for column, edit, reason in (("x", put(80, nan), "state_hash"), ("id", put(16, b"\xff" * 8), "state_hash"),
                                     ("body", put(4, b"\xff\xff\xff\x7f"), "invalid id")):
            bad = patch_column(column, edit, data)
            path = os.path.join(directory, "bad.npz")
            with open(path, "wb") as file:
                file.write(bad)
            done = run(mote, ["resume", path, "--quiet", "-o", os.path.join(directory, "no")], directory)
            need(done.returncode == 2 and re.search(reason, done.stderr), f"{column}: {done.returncode} {done.stderr!r}")
    return check


def newest_is_damaged(mote):
    """A directory whose newest checkpoint is damaged: it is named, and the one before it taken."""
    def check(directory):
        scene, out = write_scene(directory), os.path.join(directory, "out")
        need_exit(run(mote, ["run", scene, "-o", out, "--quiet", "--checkpoint-every", "0.05"], directory), 0)
        newest = checkpoints(out)[-1]
        os.truncate(newest, os.path.getsize(newest) // 2)
        done = run(mote, ["resume", out, "--quiet"], directory)
        need_exit(done, 0)
        need_in(os.path.basename(newest), done.stderr, "the message")
    return check


def no_giant_allocations(mote):
    """Of all the children so far."""
    def check(_):
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        need(peak < 1 << 20, f"some child took {peak} KiB")
        print(f"     the largest child had {peak / 1024:.0f} MiB")
    return check


def clocks(source):
    """Periods in real time are of a clock that nobody sets."""
    def check(_):
        for path in glob.glob(os.path.join(source, "src", "**", "*.[ch]"), recursive=True):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            need(not re.search(r"CLOCK_REALTIME|gettimeofday|[^_\w.>]time\(NULL\)", text), f"{path} asks for the date")
    return check


def main():
    mote, source = arguments_of("check_faults.py MOTE SOURCE-DIR", 2)
    cases = [("full disk", full_disk(mote)), ("file size limit", file_size_limit(mote)), ("unwritable", unwritable(mote)),
             ("directory in the way", directory_in_the_way(mote)), ("directory removed", directory_removed(mote)),
             ("interrupted", interrupted(mote)), ("read-only results", read_only_results(mote)),
             ("two runs", two_runs(mote)), ("halves go", halves_go(mote)),
             ("cut off", cut_off(mote)), ("frames cut off", frames_cut_off(mote)), ("counts of headers", counts_of_headers(mote)),
             ("bits changed", bits_changed(mote)), ("forged headers", forged(mote)),
             ("forged columns", forged_columns(mote)), ("newest is damaged", newest_is_damaged(mote)),
             ("no giant allocations", no_giant_allocations(mote)), ("clocks", clocks(source))]
    sys.exit(run_cases(cases))


main()
