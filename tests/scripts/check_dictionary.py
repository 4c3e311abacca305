#!/usr/bin/env python3
"""The dictionary of the scene fuzzer: the keys and names of the program's schema, and numbers at the ends of the range.

With --write it makes the file, else it compares.

usage: check_dictionary.py MOTE DICTIONARY [--write]
"""
import json
import subprocess
import sys

# Whole numbers in place of others, and exponents, which turn the number that they follow into an extreme one.
NUMBERS = ["0", "-0.0", "-1", "1e308", "-1e308", "1e155", "1e-155", "1e150", "1e-150", "1e30", "1e-30", "1e18", "-1e18",
           "5e-324", "1e-310", "2147483648", "9007199254740993", "9e15"]
EXPONENTS = ["e308", "e155", "e149", "e30", "e18", "e9", "e-9", "e-18", "e-30", "e-149", "e-155", "e-310"]


def words_of(entry):
    """Keys, and strings that a value must be one of."""
    if isinstance(entry, list):
        return set().union(*map(words_of, entry)) if entry else set()
    if not isinstance(entry, dict):
        return set()
    found = set(entry.get("properties", {}))
    found |= {value for value in [*entry.get("enum", []), entry.get("const")] if isinstance(value, str)}
    return found | set().union(*map(words_of, entry.values()))


def main():
    mote, path = sys.argv[1:3]
    schema = json.loads(subprocess.run([mote, "schema"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout)
    lines = ["# Made by tests/scripts/check_dictionary.py from `mote schema`."]
    lines += [f'"{number}"' for number in NUMBERS + EXPONENTS]
    lines += ['"\\"%s\\""' % word for word in sorted(words_of(schema) - {"_"})]
    text = "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(path, encoding="utf-8") as file:
        same = file.read() == text
    print(f"{len(lines) - 1} words" if same else f"{path} is old; make reference writes it")
    print(f"{int(same)} passed, {int(not same)} failed")
    sys.exit(0 if same else 1)


main()
