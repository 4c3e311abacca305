"""The public functions, parsed from include/mote/*.h."""
import re
from dataclasses import dataclass


@dataclass
class Argument:
    type: str
    name: str
    optional: bool  # marked MOTE_OPTIONAL

    def is_pointer(self):
        return "*" in self.type


@dataclass
class Function:
    header: str
    result: str
    name: str
    arguments: list

    def optional(self):
        return [a.name for a in self.arguments if a.optional]


def parse_argument(text):
    text = " ".join(text.split())
    optional = text.startswith("MOTE_OPTIONAL ")
    text = text.removeprefix("MOTE_OPTIONAL ")
    type_text, name = re.fullmatch(r"(.*?)(\w+)", text).groups()
    return Argument(type_text.strip(), name, optional)


def functions(include):
    """All of them, in the order of the headers' names and their lines. Types of functions end in _fn and are none."""
    for header in sorted((include / "mote").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for result, name, arguments in re.findall(r"^([a-z][\w \*]*?)\b(mote_\w+)\(([^;{]*)\);", text, flags=re.M):
            if not name.endswith("_fn"):
                listed = [] if arguments.strip() == "void" else [parse_argument(a) for a in arguments.split(",")]
                yield Function(header.name, result.strip(), name, listed)
