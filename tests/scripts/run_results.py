"""What a run leaves behind, checked without VTK: report.json, frames, their index, the table."""

import csv
import math
import os
import re
import xml.etree.ElementTree as ElementTree

from harness import need

HASH = re.compile(r"^[0-9a-f]{16}$")
FRAME = re.compile(r"^(.+)\.(\d{6})\.vtp$")
CSV_HEAD = ["time_s", "steps", "kinetic_J", "potential_J", "elastic_J", "total_J"]


def need_keys(found, keys, what):
    need(isinstance(found, dict), f"{what} is not an object")
    missing = [key for key in keys if key not in found]
    need(not missing, f"{what} lacks {missing}")


def need_number(value, what, low=-math.inf, high=math.inf):
    need(isinstance(value, (int, float)) and not isinstance(value, bool), f"{what} is not a number: {value!r}")
    need(low <= value <= high, f"{what} = {value} is not in [{low}, {high}]")


def need_int(value, what, low=0):
    need(isinstance(value, int) and not isinstance(value, bool) and value >= low,
         f"{what} is not a whole number from {low} up: {value!r}")


def need_hash(value, what):
    need(isinstance(value, str) and HASH.match(value), f"{what} is not 16 hexadecimal digits: {value!r}")


def check_report_parts(report, finite):
    for stage, seconds in report["stages"].items():
        need_number(seconds, f"stages.{stage}", 0)
    need_keys(report["particles"], ("fluid", "boundary", "solid", "rigid", "free"), "particles")
    for kind, count in report["particles"].items():
        need_int(count, f"particles.{kind}")
    need_keys(report["energy"], ("kinetic", "potential", "elastic", "total_first", "total_last"), "energy")
    need_keys(report["momentum"], ("linear", "angular"), "momentum")
    numbers = list(report["energy"].items())
    for name in ("linear", "angular"):
        need(len(report["momentum"][name]) == 3, f"momentum.{name} does not have three numbers")
        numbers += [(f"momentum.{name}", value) for value in report["momentum"][name]]
    for name, value in numbers:
        if finite or value is not None:
            need_number(value, name)


def check_fluid(fluid):
    """Absent without a fluid; errors are fractions, not percent."""
    if fluid is None:
        return
    need_keys(fluid, ("density_error_avg", "density_error_max", "iterations_avg", "divergence_iterations_avg"),
              "fluid")
    for name in ("density_error_avg", "density_error_max"):
        need_number(fluid[name], f"fluid.{name}", 0, 1)


def check_step_sizes(sizes):
    if sizes is None:
        return
    need_keys(sizes, ("min", "mean", "max", "limited_by"), "step_sizes")
    need(0 < sizes["min"] <= sizes["mean"] * (1 + 1e-12) and sizes["mean"] <= sizes["max"] * (1 + 1e-12),
         f"step sizes {sizes}")
    need(sizes["limited_by"] and all(count > 0 for count in sizes["limited_by"].values()), f"step sizes {sizes}")


def check_report(report, outcome="done"):
    """All that a report promises, with sane types."""
    need_keys(report, ("version", "scene", "scene_hash", "threads", "time", "steps", "step_sizes", "frames", "wall_s", "stages",
                       "particles", "particle_steps_per_s", "fluid", "energy", "momentum", "peak_memory_bytes",
                       "state_hash", "warnings", "outcome", "failure", "worker_blocks"), "report.json")
    need(report["outcome"] == outcome, f"the outcome is {report['outcome']!r}, not {outcome!r}")
    need((report["failure"] is not None) == (outcome == "failed"), f"failure is {report['failure']!r}")
    for name in ("version", "scene"):
        need(isinstance(report[name], str) and report[name], f"{name} is not a text")
    for name in ("scene_hash", "state_hash"):
        need_hash(report[name], name)
    for name in ("time", "wall_s", "particle_steps_per_s"):
        need_number(report[name], name, 0)
    for name in ("steps", "frames", "peak_memory_bytes"):
        need_int(report[name], name)
    need_int(report["threads"], "threads", 1)
    need(len(report["worker_blocks"]) == report["threads"], "worker_blocks does not fit threads")
    for warning in report["warnings"]:
        need_keys(warning, ("text", "count", "first_time"), "a warning")
    check_report_parts(report, outcome != "failed")
    check_fluid(report["fluid"])
    check_step_sizes(report["step_sizes"])


def check_frame_file(path):
    with open(path, "rb") as file:
        data = file.read()
    need(data.rstrip().endswith(b"</VTKFile>"), f"{path} is not complete")


def check_results(directory, name):
    """Frames, index and table belong together and nothing is half done. The number of frames."""
    present = os.listdir(directory)
    rubbish = [file for file in present if file.endswith(".tmp")]
    need(not rubbish, f"unfinished files are left: {rubbish}")
    entries = ElementTree.parse(os.path.join(directory, name + ".pvd")).findall("Collection/DataSet")
    times = sorted({float(entry.get("timestep")) for entry in entries})
    # worlds of several systems have a file of each in a frame, named after it
    systems = sorted({entry.get("name") for entry in entries if entry.get("name")})
    series = [f"{name}.{system}" for system in systems] if len(systems) > 1 else [name]
    frames = sorted(file for file in present if FRAME.match(file) and FRAME.match(file).group(1) in series)
    expected = sorted(f"{stem}.{k:06d}.vtp" for stem in series for k in range(len(times)))
    need(frames == expected, f"frames are missing: {frames[:10]}")
    for frame in frames:
        check_frame_file(os.path.join(directory, frame))
    need(sorted(entry.get("file") for entry in entries) == frames,
         f"the index has {len(entries)} entries for {len(frames)} files")
    order = [float(entry.get("timestep")) for entry in entries]
    need(order == sorted(order), "the times of the index do not increase")
    with open(os.path.join(directory, name + ".csv"), encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    need(table[0][:len(CSV_HEAD)] == CSV_HEAD, f"the table begins with {table[0]}")
    need([float(row[0]) for row in table[1:]] == times, "the times of table and index differ")
    need(all(math.isfinite(float(cell)) for row in table[1:] for cell in row), "the table holds what is no number")
    return len(times)
