"""The code blocks of a Markdown page.

The word behind the language in the first line of a block tells its use:

    ```json dam.json     a scene, saved under this name for the commands of the page
    ```json scene        members of a scene, as "key": value
    ```json collider     objects of a section or family of the schema (body, collider, mesh, shape, ...), or members of one
    ```json output       output of the program
    ```c program         a whole program; without a word, statements of a function
    ```sh                commands; those that start with `mote` or `build/mote` are run

A JSON block without a word is a scene without a name. A comment `<!-- c: ... -->` before a block of C statements holds the
declarations that they need.
"""

import json
import re
import shlex

FENCE = re.compile(r"^```(\w*)[ \t]*(\S*)[ \t]*\n(.*?)^```[ \t]*$", re.M | re.S)
DECLARATIONS = re.compile(r"<!-- c:\n(.*?)-->\s*\Z", re.S)


class Block:
    def __init__(self, page, match, declarations):
        self.page, self.declarations = page, declarations
        self.language, self.use, self.text = match.groups()
        self.line = match.string.count("\n", 0, match.start()) + 1

    def __str__(self):
        return f"{self.page}:{self.line}"

    def is_scene(self):
        return self.language == "json" and (not self.use or self.use.endswith(".json"))


def blocks_of(path, name):
    """All fenced blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    found, last = [], 0
    for match in FENCE.finditer(text):
        declarations = DECLARATIONS.search(text, last, match.start())
        found.append(Block(name, match, declarations.group(1) if declarations else ""))
        last = match.end()
    return found


def commands_of(block):
    """The calls of mote in a block of shell commands, as lists of arguments without the program."""
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] in ("mote", "build/mote"):
            yield words[1:]


def values_of(text):
    """Consecutive JSON values."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        at += len(text[at:]) - len(text[at:].lstrip(" \n\t,"))
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def members_of(text):
    """Consecutive `"key": value`."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        at += len(text[at:]) - len(text[at:].lstrip(" \n\t,"))
        key, at = decoder.raw_decode(text, at)
        at += len(text[at:]) - len(text[at:].lstrip(" \n\t:"))
        value, at = decoder.raw_decode(text, at)
        found.append((key, value))
    return found
