#!/usr/bin/env python3
"""Writes the table of docs/fluid_accuracy.md from the rows that `mote validate` prints for each preset.

usage: mote validate fluids --json | fluid_accuracy.py docs/fluid_accuracy.md

The table stands between two marks. Rows that are not there (a run that failed, a case that was not asked for) are
printed as such.
"""
import json
import pathlib
import sys

BEGIN, END = "<!-- begin: scripts/fluid_accuracy.py -->", "<!-- end -->"
PRESETS = ("splash", "accurate")
MEASURED = " (limit: as measured)"


def read_rows(lines):
    """By case and quantity: the rows of both presets, in the order of the cases."""
    table = {}
    for line in lines:
        row = json.loads(line)
        case, _, preset = row["case"].rpartition("/")
        if preset in PRESETS and "quantity" in row:
            table.setdefault((case, row["quantity"].removesuffix(MEASURED)), {})[preset] = row
    return table


def number(value):
    return "nan" if value is None else f"{value:.3g}"


def cell(row):
    """The value, and the limit if it is missed or was measured."""
    if row is None:
        return "failed"
    text = number(row["value"])
    if row["allowed"] is None:
        return text
    text += "" if row["pass"] else " **missed**"
    return text + (f" (limit as measured: {number(row['allowed'])})" if row["quantity"].endswith(MEASURED) else "")


def limit(rows):
    row = rows.get("accurate", rows.get("splash"))
    own = row["quantity"].endswith(MEASURED)
    return "" if row["allowed"] is None or own else number(row["allowed"])


def write_table(table):
    lines = ["| case | quantity | reference | allowed error | `splash` | `accurate` |", "|---|---|---|---|---|---|"]
    last = None
    for (case, quantity), rows in table.items():
        reference = "" if quantity.startswith("cost") else number(next(iter(rows.values()))["reference"])
        cells = [cell(rows.get(preset)) for preset in PRESETS]
        shown = "" if case == last else f"`{case.removeprefix('fluids/')}`"
        lines.append("| " + " | ".join([shown, quantity, reference, limit(rows), *cells]) + " |")
        last = case
    return "\n".join(lines)


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    table = write_table(read_rows(sys.stdin))
    path.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}", encoding="utf-8")


main()
