"""Generated templates beside handlebars.js: the same text or both an error.

    python -m bench.generated_templates [TEMPLATES [SEED]]

Templates are made by a grammar of tags and white space; every eighth has one sign added, taken away or doubled, so that
mistakes are compared as well. What differs on purpose stands in docs/look-up/templates.md.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from hatch_build import install, node_tools
from tests.template.specification import render

from dialoom.errors import TemplateError

FOLDER = Path(__file__).resolve().parent / "handlebars"
SEEDS = (1, 2, 3, 4)
TEMPLATES = 5_000
"""Of each seed."""
SHOWN = 8
"""Differences that are printed, the shortest first."""

NAMES = (
    "name",
    "text",
    "empty",
    "zero",
    "no",
    "yes",
    "nothing",
    "missing",
    "price",
    "person",
    "list",
    "rows",
    "none",
    "map",
)
CONTEXT = {
    "name": "Ann",
    "text": "a <b> & 'c'",
    "empty": "",
    "zero": 0,
    "no": False,
    "yes": True,
    "nothing": None,
    "price": 12.5,
    "person": {"name": "Bo", "city": {"name": "Rome", "unit price": 3}, "tags": ["x", "y"]},
    "list": ["p", "", 0, 7, True, False, "q r"],
    "rows": [{"name": "one", "price": 1, "list": [1, 2]}, {"name": "two", "yes": False}, {"person": {"name": "Cy"}}],
    "none": [],
    "map": {"k": "v", "l": 2, "m": {"name": "deep"}},
    "key": "name",
    "index": 1,
}
SPACES = ("", "", " ", "\n", "\n", " \n", "\n  ", "\n\n", "\t", "\r\n", "  \r\n\t", "\u00a0")
WORDS = ("a", "word", "x y", "{", "}", "{ ", "1 }", "\\", "\\\\", "~", "end.", "<i>", "é😀")
LITERALS = ('"name"', "'it'", '"a\\"b"', "0", "1", "12", "-3", "2.5", "true", "false", "null", "undefined", '""')
DATA = ("@index", "@key", "@first", "@last", "@root.name", "@root", "@../index", "@missing")

PATHS = (
    "person.name",
    "person/city/name",
    "person.city.[unit price]",
    "map.k",
    "rows.[1].name",
    "list.[3]",
    "rows.0.name",
)


class Generator:
    """Makes one template after the other; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def template(self) -> str:
        text = self.program(3)
        for name in ("one", "two"):
            if self.chance(95) and name in text:
                text = self.tag("#*", f'inline "{name}"') + self.program(1) + self.tag("/", "inline") + text
        if self.chance(12):
            at = self.random.randrange(len(text) + 1)
            way = self.random.randrange(3)
            if way == 0:
                text = text[:at] + self.pick("{}~#/^&!>.@=|()[]-\"'\n ") + text[at:]
            elif way == 1:
                text = text[:at] + text[at + 1 :]
            else:
                text = text[:at] + text[at : at + 1] + text[at:]
        return text

    def context(self) -> dict[str, object]:
        """Return the values of all names, some of them exchanged."""
        values = dict(CONTEXT)
        for _ in range(self.random.randrange(4)):
            values[self.pick(NAMES)] = self.pick(list(CONTEXT.values()))
        return values

    def program(self, depth: int) -> str:
        return "".join(self.piece(depth) for _ in range(self.random.randrange(1, 5)))

    def piece(self, depth: int) -> str:
        way = self.random.randrange(100)
        if way < 30:
            return self.pick(SPACES) + (self.pick(WORDS) if self.chance(60) else "") + self.pick(SPACES)
        if way < 52 or depth == 0:
            return self.output()
        if way < 57:
            return self.comment()
        if way < 60:
            return "\\" + self.output()
        if way < 66:
            return self.partial(depth)
        if way < 69:
            name = self.pick(NAMES)
            return f"{{{{{{{{{name}}}}}}}}}{self.raw(depth)}{{{{{{{{/{name}}}}}}}}}"
        return self.block(depth)

    # ---- tags ----------------------------------------------------------------------------------------------------

    def strip(self) -> str:
        return "~" if self.chance(15) else ""

    def space(self) -> str:
        return self.pick((" ", "\n ", "  ")) if self.chance(8) else ""

    def tag(self, sigil: str, words: str) -> str:
        return f"{{{{{self.strip()}{sigil}{self.space()}{words}{self.space()}{self.strip()}}}}}"

    def output(self) -> str:
        words = self.call()
        if self.chance(18):
            return f"{{{{{self.strip()}{{{words}}}{self.strip()}}}}}"
        return self.tag("&" if self.chance(8) else "", words)

    def comment(self) -> str:
        if self.chance(50):
            return f"{{{{{self.strip()}!--{self.pick((' note ', '', ' {{x}} ', '-', ' } '))}--{self.strip()}}}}}"
        return f"{{{{{self.strip()}!{self.pick((' note ', '', '-', ' a-b '))}{self.strip()}}}}}"

    def partial(self, depth: int) -> str:
        name = self.pick(("one", "two"))
        given = self.pick(("", "", " person", " this", " name=text", " rows.[0] price=7"))
        if self.chance(40):
            body = self.program(depth - 1)
            return self.tag("#*", f'inline "{name}"') + body + self.tag("/", "inline")
        if self.chance(30):
            return self.tag("#>", name + given) + self.program(depth - 1) + self.tag("/", name)
        return self.pick(SPACES) + self.tag(">", name + given) + self.pick(SPACES)

    def raw(self, depth: int) -> str:
        inside = self.pick(SPACES) + self.output() + self.pick(SPACES)
        if depth and self.chance(15):
            inside += f"{{{{{{{{in}}}}}}}}{self.raw(0)}{{{{{{{{/in}}}}}}}}"
        return inside

    def block(self, depth: int) -> str:
        name = self.pick(("if", "unless", "each", "with", "if", "each", "", "", ""))
        subject = self.argument() if name else self.path()
        head = f"{name} {subject}" if name else subject
        if name in {"each", "with"} and self.chance(15):
            head += " as |item|" if name == "with" or self.chance(50) else " as |item at|"
        if name == "if" and self.chance(8):
            head += " includeZero=true"
        is_inverse = self.chance(25)
        text = self.tag("^" if is_inverse else "#", head) + self.program(depth - 1)
        while not is_inverse and self.chance(15):
            text += self.tag(" else ", f"if {self.argument()}") + self.program(depth - 1)
        if self.chance(35):
            text += self.tag(self.pick(("else", "^")), "").replace("else~", "else ~") + self.program(depth - 1)
        return text + self.tag("/", name or subject)

    # ---- values --------------------------------------------------------------------------------------------------

    def path(self) -> str:
        name = self.pick(NAMES)
        way = self.random.randrange(100)
        if way < 50:
            return name
        near = (
            "this",
            ".",
            f"this.{name}",
            f"./{name}",
            f"../{name}",
            f"../../{name}",
            "..",
            "item",
            "item.name",
            "at",
        )
        parts = ("length", "[0]", "[2]", "0.x", "name")
        return self.pick((*near, *(f"{name}.{part}" for part in parts), f"[{name}]", *PATHS, *DATA))

    def argument(self) -> str:
        way = self.random.randrange(100)
        if way < 75:
            return self.path()
        return self.pick(LITERALS) if way < 88 else f"({self.look_up()})"

    def look_up(self) -> str:
        return f"lookup {self.path()} {self.pick(('key', 'index', '0', self.argument()))}"

    def call(self) -> str:
        way = self.random.randrange(100)
        if way < 82:
            return self.path()
        if way < 90:
            return self.pick(LITERALS)
        return self.look_up() if way < 98 else f"{self.path()} {self.argument()}"


def theirs(cases: list[tuple[str, dict[str, object]]]) -> list[dict[str, str]]:
    """Return what handlebars.js makes of each case: a text or an error."""
    install(FOLDER)
    lines = "".join(json.dumps({"template": text, "context": context}) + "\n" for text, context in cases)
    ran = subprocess.run(
        ["node", "render.js"], cwd=FOLDER, env=node_tools()[1], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in ran.stdout.split("\n") if line]


def ours(text: str, context: dict[str, object]) -> dict[str, str]:
    try:
        return {"text": render(text, context)}
    except TemplateError as error:
        return {"error": str(error)}


def compare(seed: int, count: int) -> list[tuple[str, dict[str, object], dict[str, str], dict[str, str]]]:
    """Return the cases whose text differs, or of which one alone is an error."""
    generator = Generator(seed)
    cases = [(generator.template(), generator.context()) for _ in range(count)]
    found = []
    mistakes = 0
    for (text, context), their in zip(cases, theirs(cases), strict=True):
        our = ours(text, context)
        mistakes += "error" in their
        if our.get("text") != their.get("text"):
            found.append((text, context, our, their))
    print(f"seed {seed}: {count} templates, {mistakes} of them errors to handlebars.js")
    return sorted(found, key=lambda case: len(case[0]))


def main(count: int = TEMPLATES, seeds: tuple[int, ...] = SEEDS) -> None:
    differing = 0
    for seed in seeds:
        found = compare(seed, count)
        differing += len(found)
        print(f"seed {seed}: {count - len(found)} of {count} alike ({1 - len(found) / count:.2%})")
        for text, _, our, their in found[:SHOWN]:
            print(f"  {text!r}\n    dialoom        {our}\n    handlebars.js  {their}")
    total = count * len(seeds)
    print(f"alike: {total - differing} of {total} ({1 - differing / total:.2%}); seeds {', '.join(map(str, seeds))}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    main(*numbers[:1], **({"seeds": (numbers[1],)} if len(numbers) > 1 else {}))
