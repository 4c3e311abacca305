#!/usr/bin/env python3
"""The terms of the field in texts: messages, parameter sentences, command line help, the reference, comments and names.

Each rule is a phrase that a reader of the papers would have to translate, with the standard term. Rules for texts
apply to string literals and the generated reference pages, rules for comments to all comments of the sources, rules
for names to identifiers. A rule has few false positives by design; what is standard ("rest density", "bounce") passes.

usage: check_words.py PROJECT-DIR
"""
import pathlib
import re
import sys

# (phrase, standard term) in texts that a user reads
TEXTS = [
    (r"\bif left out\b|\bleft out\b|\bleave (it|them|that|this) out\b", "default; remove"),
    (r"\bstates? of rest\b|\blooks? for (the )?rest\b", "static equilibrium"),
    (r"\brange of numbers\b", "is not finite"),
    (r"\b(are|is|be) warned of\b|\btold of\b", "warned about, reported"),
    (r"\bon end\b", "consecutive"),
    (r"\bcut short\b|\bcut off\b", "truncated"),
    (r"\binside out\b|\bturned over\b", "inverted, reversed"),
    (r"\bwhole numbers?\b", "integer"),
    (r"\bnot a place\b|\bplaces\b|\bstarting place\b", "position"),
    (r"\bhow far particles feel\b|\bfeels? each other\b|\bdo(es)? not feel\b", "support radius; are not coupled"),
    (r"\bcompression that is left\b|\bas a part of the density\b", "average relative density error"),
    (r"\binner friction\b", "viscosity"),
    (r"\brides? on\b", "is embedded in"),
    (r"\bcarr(y|ies) what\b|\bwhat lies on\b", "supports"),
    (r"\bthe (step|pressures?) before\b", "previous step"),
    (r"\bsquash|\bsqueez", "compressed"),
    (r"\bjumps? apart\b|\bboils\b|\bblow(s|n)? up\b", "initial overpressure; spurious kinetic energy; unstable"),
    (r"\bgets? loose\b|\bmore fluid than room\b|\bthere is (no )?room\b", "below the rest density; over-filled domain"),
    (r"\bhow (often|much|far|many|strongly|densely|fast) (to|it|of|the|a|an|each|so|is)\b", "a noun: number, factor, distance"),
    (r"^(What|Where|When|Whatever|Whether|Which way|How) ", "a sentence with a subject"),
    (r"\b(a|per) (second|step|row|particle)s? at most\b", "maximum"),
    (r"\bkeeps (linear|both|angular)\b", "conserves"),
    (r"\bis there twice\b", "duplicate"),
    (r"(?<!there )\b(is|are) no (file|number|picture|checkpoint|name|row|ending)\b", "is not a"),
    (r"\bwithout an end\b|\bhas no end and\b", "unbounded"),
    (r"\bmake(s)? no sense\b", "malformed"),
    (r"\bbare number\b", "number"),
    (r"\bto be trusted\b", "unreliable"),
    (r"\bone for each core\b", "one per core"),
    (r"\bstate_?ment of rest\b", "static equilibrium"),
]

# (phrase, standard term) in comments of sources and public headers
COMMENTS = [
    (r"\bstates? of rest\b", "static equilibrium"),
    (r"\bnumbers a (row|particle|block|slot|vertex)\b", "components per row"),
    (r"\bwhat no table can say\b", "checks beyond the table"),
    (r"\bcomes? back (when|from anything)\b", "recovers from inverted configurations"),
    (r"\bsomething moved\b|\brows? that something\b", "row with invalid history"),
    (r"\bhangs? together\b", "connected component"),
    (r"\bstrewn\b", "ideal gas"),
    (r"\bwhole numbers?\b", "integer"),
    (r"\bon end\b", "consecutive"),
    (r"\bwarned of\b|\btold of\b", "warned about"),
    (r"\brides? on\b", "embedded"),
    (r"\bthe inside of (a|the) (scene|system|model)\b", "internals"),
    (r"\brange of numbers\b", "finite"),
    (r"\broom for one number\b", "padding"),
    (r"\bto be read and copied\b", "a template"),
    (r"\btakes? back\b|\bgives? (its |the )?memory back\b", "restores; releases"),
    (r"\bcome and go\b|\bcame and went\b", "added and removed"),
    (r"\bkeeps? both momenta\b", "conserves linear and angular momentum"),
    (r"\bon the way (down|to|into)\b", "path; during"),
    (r"\bsquashed\b|\bsqueezed\b", "compressed"),
    (r"\binside out\b", "inverted"),
    (r"^(What|Whatever|Whoever) ", "a sentence with a subject"),
    (r"\bnobody\b|\bsomebody\b|\bwhoever\b", "the caller, the user; a passive"),
    (r"\b(the|a|its) \w+ (tells|knows|asks)\b|\bis told\b|\bare told\b", "returns, has, requires; is notified"),
    (r"\btold apart\b", "distinguished"),
    (r"\bas (it is|they are)(?! (found|laid))\b", "current"),
    (r"\b(is|are|was|were) asked\b|\basked for\b|\basks for\b", "requested, required"),
    (r"\blives? (as|in|behind)\b|\bmust live\b", "has the lifetime of; is in"),
    (r"\bg(oes|o) on (as|with|from|until|in)\b", "continues"),
    (r"\b(one|two|three|four|five|six|eight|nine|numbers) an? (vertex|row|particle|place|point|triangle|corner|node|"
     r"system|collider|frame|cell|body|sample|pair|slot|block)\b", "three per vertex"),
    (r"\bfeels?\b", "interacts with; is accelerated by"),
    (r"\bhand(ed|s) (on|over|out|down|back)\b", "passed, returned"),
    (r"\bthe step before\b", "the previous step"),
    (r"\bplaces\b(?! (the|it|its|a)\b)", "positions; slots; entries"),
    (r"\bby how (much|many|far)\b|^How (much|many|far|fast|large|often|long|deep) ", "amount, number, distance, speed"),
    (r"\bbears?\b|\bborne\b", "supports, withstands"),
    (r"\bcarries (its|the|their) (weight|load)\b", "supports"),
    (r"\bjumps? apart\b|\bboil(s|ing)?\b", "initial overpressure; spurious kinetic energy"),
    (r"\bgiven back\b|\bgives back\b", "released, returned"),
    (r"\bwhere (it|they) stands?\b|\bwhere (it|they) stood\b", "at its pose"),
    (r"\brows? (that|which) (go|goes|come|comes)\b", "removed, added rows"),
    (r"\bcut short\b", "truncated"),
    (r"\bmakes? room\b", "reserves"),
    (r"\bso many (numbers|rows|steps|particles)\b", "this number of"),
]

# words that identifiers do not contain, and the standard term
NAMES = [
    (r"^mo_vtk_whole_number$|^mo_vtk_read_whole$", "integer"),
    (r"^(tell|told)_\w+|^what_\w+", "warn_about, a noun"),
    (r"^mote?_\w*_(touch|carry|hold|forget|lend|say|stray|place|look)$", "invalidate, interpolate, fix, reset, position"),
    (r"^\w+_(least|most)_at$", "min, max"),
    (r"^usual_\w+$|^\w+_usual$", "default, typical"),
    (r"^\w+_(is|are)_told(_of)?$|^\w+_come_and_go$|^\w+_knows_\w+", "reported, added and removed, includes"),
]

STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:[ \t\\\n]*"(?:[^"\\\n]|\\.)*")*')
TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*.*?\*/', re.S)


def comments_of(text):
    """(position, text) of every comment, on one line."""
    for match in TOKENS.finditer(text):
        if match.group().startswith("/*"):
            yield match.start(), re.sub(r"\s*\n\s*\*?\s*", " ", match.group()[2:-2]).strip()


def strings_of(text):
    """(position, text) of every run of string literals; those in comments are not meant."""
    blank = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.S)
    for match in STRINGS.finditer(blank):
        yield match.start(), "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match.group()))


def sentences_of(page):
    """(position, sentence) of the texts in a page of the reference: the cells of its tables, and plain lines."""
    start = 0
    for line in page.split("\n"):
        for cell in line.split("|"):
            yield start, cell.strip()
        start += len(line) + 1


def find(name, text, parts, rules):
    for position, part in parts:
        for pattern, term in rules:
            match = pattern.search(part)
            if match:
                line = text.count("\n", 0, position) + 1
                yield f"{name}:{line}: '{match.group().strip()}'; write: {term}\n    {part[:160]}"


def compiled(rules):
    return [(re.compile(pattern), term) for pattern, term in rules]


def main():
    root = pathlib.Path(sys.argv[1])
    texts, comments, names = compiled(TEXTS), compiled(COMMENTS), compiled(NAMES)
    problems, count = [], 0
    for path in sorted(p for folder in ("src", "cli", "include") for p in (root / folder).rglob("*.[ch]")):
        text, name = path.read_text(), path.relative_to(root)
        problems += find(name, text, strings_of(text), texts)
        problems += find(name, text, comments_of(text), comments)
        if name.parts[0] != "cli":
            problems += find(name, text, ((m.start(), m.group()) for m in re.finditer(r"\b[a-z_]\w*", text)), names)
        count += 1
    for path in sorted((root / "tests").rglob("*.[ch]")):
        text, name = path.read_text(), path.relative_to(root)
        problems += find(name, text, comments_of(text), comments)
        problems += find(name, text, ((m.start(), m.group()) for m in re.finditer(r"\b[a-z_]\w*", text)), names)
        count += 1
    for path in sorted((root / "docs/reference").glob("*.md")):
        text = path.read_text()
        problems += find(path.relative_to(root), text, sentences_of(text), texts)
        count += 1
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


main()
