#!/usr/bin/env python3
"""Writes docs/validation.md from the rows that `mote validate` prints.

usage: mote validate [NAME] --json | validation_page.py MOTE docs/validation.md

Cases that are not among the rows keep the rows that they have on the page, so that single cases can be measured anew. Each
group has a figure of the errors relative to their limits, docs/plots/validation_GROUP.svg.
"""
import json
import math
import pathlib
import re
import subprocess
import sys

HEAD = """# Validation

Every case of `mote validate`: computed values against closed-form solutions, published data and other programs. The page
is generated; `make validation` measures all cases and writes it (about ten minutes of processor time), and

```sh
mote validate --list              # the cases
mote validate solids/cantilever   # one case
mote validate solids -o results   # one group; tables and figures of the group as files
```

repeats single ones. *Error* is relative or absolute as the quantity requires; a value passes if its error is at most the
*allowed error*. Rows with the limit "none" are shown for information. Limits follow from the theory of the method; those
marked "as measured" are the error found and a margin, not a guarantee. A missed limit is a known fault, discussed
on the page of its method: [fluids](fluid_accuracy.md), [solids](solids.md#validation), [particles](particles.md#accuracy),
[integrators](integrators.md), [thesis](thesis.md).

The figures show error/allowed of every row, in orders of magnitude: bars that end left of the line pass.
"""
OWN_PLOTS = {"integrators/order": "integrators_order", "integrators/energy": "integrators_energy",
             "thesis/pair": "thesis_7_4", "thesis/collapse": "thesis_7_6"}
WIDTH, LEFT, ROW = 760, 330, 16
LOWEST, HIGHEST = -6, 1  # decades of error/allowed


def groups_of(mote):
    """(group, description, [(case, description)]) as `mote validate --list` prints them."""
    groups = []
    for line in subprocess.run([mote, "validate", "--list"], check=True, capture_output=True, text=True).stdout.splitlines():
        name, text = re.fullmatch(r"\s*(\S+?):?\s+(.*)", line).groups()
        if line.startswith(" "):
            groups[-1][2].append((name, text))
        else:
            groups.append((name, text, []))
    return groups


def number(value, digits=6):
    return "none" if value is None else f"{value:.{digits}g}"


def row_text(row):
    quantity = row["quantity"].replace("|", "\\|")
    verdict = {True: "yes", False: "**no**", None: ""}[row["pass"]]
    run = f"`{row['case'].split('/', 2)[2]}`" if row["case"].count("/") > 1 else ""
    return (f"| {quantity} | {run} | {number(row['value'])} | {number(row['reference'])} | {number(row['error'], 3)} | "
            f"{number(row['allowed'], 3)} | {verdict} |")


def case_text(rows):
    if any("skipped" in row for row in rows):
        return "Skipped: " + rows[0]["skipped"] + ".\n"
    lines = ["| quantity | run | value | reference | error | allowed | pass |", "|---|---|---|---|---|---|---|"]
    return "\n".join(lines + [row_text(row) for row in rows]) + "\n"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def decades(error, allowed):
    """log10(error/allowed) within the figure; an error that is not a number is at its end."""
    if error == 0:
        return LOWEST
    if error is None or allowed == 0:
        return HIGHEST
    return min(max(math.log10(error / allowed), LOWEST), HIGHEST)


def figure(rows):
    """Bars of log10(error/allowed) by row."""
    judged = [row for row in rows if row.get("allowed") is not None]
    scale = (WIDTH - LEFT - 20) / (HIGHEST - LOWEST)
    height = ROW * len(judged) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>']
    for decade in range(LOWEST, HIGHEST + 1):
        x = LEFT + (decade - LOWEST) * scale
        parts.append(f'<path d="M{x:.1f} 5V{height - 25}" stroke="{"black" if decade == 0 else "#ddd"}"/>'
                     f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle">1e{decade}</text>')
    for k, row in enumerate(judged):
        ratio = decades(row["error"], row["allowed"])
        y = 8 + ROW * k
        label = f"{row['case'].split('/', 1)[1] if '/' in row['case'] else row['case']}: {row['quantity']}"
        parts.append(f'<text x="{LEFT - 6}" y="{y + 9}" text-anchor="end">{escape(label[:58])}</text>'
                     f'<rect x="{LEFT}" y="{y}" width="{(ratio - LOWEST) * scale:.1f}" height="10" '
                     f'fill="{"#3a7abf" if row["pass"] else "#c2402b"}"/>')
    return "\n".join([*parts, "</svg>", ""]) if judged else None


def old_sections(path):
    """The bodies of the cases on the page."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {name: body for name, body in re.findall(r"^### `(.*?)`\n(.*?)(?=^##|\Z)", text, re.M | re.S)}


def belongs(row, case):
    return row["case"] == case or (case.endswith("/") and row["case"].startswith(case)) or \
        row["case"].startswith(case + "/")


def main():
    mote, path = sys.argv[1], pathlib.Path(sys.argv[2])
    rows, old = [json.loads(line) for line in sys.stdin], old_sections(path)
    parts = [HEAD]
    for group, text, cases in groups_of(mote):
        mine = [row for row in rows if any(belongs(row, case) for case, _ in cases)]
        plot, drawn = path.parent / "plots" / f"validation_{group}.svg", None
        if {case for case, _ in cases if any(belongs(row, case) for row in mine)} == {case for case, _ in cases}:
            drawn = figure(mine)
        if drawn:
            plot.write_text(drawn, encoding="utf-8")
        parts.append(f"## {group}\n\n{text}\n")
        if plot.exists():
            parts.append(f"![Errors relative to their limits](plots/{plot.name})\n")
        for case, doc in cases:
            found = [row for row in mine if belongs(row, case)]
            own = OWN_PLOTS.get(case)
            kept = old.get(case.rstrip("/"), "").strip() or f"{doc}\n\nNot measured yet."
            body = f"\n{doc}\n\n{case_text(found)}" if found else f"\n{kept}\n"
            body += f"\n![{case}](plots/{own}.svg)\n" if found and own else ""
            parts.append(f"### `{case.rstrip('/')}`\n{body}")
    path.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


main()
