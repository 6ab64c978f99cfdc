"""Messages that were made to take long: ``python -m bench.hostile_text [--texts 2000] [--seed 1] [--languages en de]``.

Each drawn text goes to every reader of values by itself, to all of them together, and through a turn of a goal with
sixteen questions; texts of their own go to a keywords type whose titles lie one slip of the finger from each other, and
to patterns of authors that a backtracking engine takes polynomial time for. Shown is the CPU of the worst of each.
"""

from __future__ import annotations

import argparse
import json
import random
import string
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import msgspec

from bench.drawn_texts import MAX_CHARACTERS, READ_LANGUAGES, Drawn, draw, drawn_texts
from bench.machine import heading, table
from dialoom.engine import Flow, State, begin, compile_flow, turn
from dialoom.engine.events import Said
from dialoom.flow import read_files
from dialoom.messages import Profile
from dialoom.understanding import Recogniser

TYPES = (
    *("Text", "Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url"),
    "Confirmation",
)
OPENING = "go there now"
NOW = datetime(2027, 2, 24, 10, tzinfo=UTC)
EVERY_TYPE = [*(_SINGLE := [one for one in TYPES if one not in ("Text", "Confirmation")]), *_SINGLE[:7]]
"""Of sixteen questions: every type that a text can be read for but ``Text``, which would take all of it."""
TITLES, TITLE_WORDS = 1_000, 12
PATTERNS = (r"^\d+[ -]?\d+[ -]?\d+[ -]?\d+$", r"\w+\s*\w+\s*x", r"(?:a|b)*a(?:a|b){9}$", r".*,.*,.*;")
PATTERN_PIECES = ("1", "1 ", "-", "a", "ab", " ", ",", ";", "x", "a, ")
RARE = 10
"""Of so many drawn texts one goes to the titles, another to the patterns."""

Json = dict[str, Any]


class Worst(msgspec.Struct):
    """The longest of one kind of reading."""

    count: int = 0
    seconds: float = -1.0
    of: Drawn | None = None

    def see(self, drawn: Drawn, seconds: float) -> None:
        self.count += 1
        if seconds > self.seconds:
            self.seconds, self.of = seconds, drawn


class Talk(msgspec.Struct, frozen=True):
    """A bot whose first question is open."""

    flow: Flow
    state: State


# ---- what reads ----------------------------------------------------------------------------------------------------


@cache
def recogniser(language: str) -> Recogniser:
    return Recogniser((), language)


@cache
def numbers_talk(language: str) -> Talk:
    """Sixteen questions for numbers: each stretch may go to each of them."""
    return _talk(language, ["Number"] * 16)


@cache
def every_type_talk(language: str) -> Talk:
    return _talk(language, EVERY_TYPE)


@cache
def text_talk(language: str) -> Talk:
    return _talk(language, ["Text", "Date", "Time", "Number"])


@cache
def titles_talk() -> Talk:
    return _talk("en", ["Title"], titles_type())


@cache
def patterns_talk() -> Talk:
    types = pattern_types()
    return _talk("en", [one["name"] for one in types], *types)


def titles_type() -> Json:
    """A keywords type whose titles lie one slip of the finger from each other."""
    chance, words = random.Random(1), _near_words()
    titles = {" ".join(["the", *chance.choices(words, k=chance.randrange(TITLE_WORDS))]) for _ in range(TITLES)}
    data = [{"value": title, "synonyms": []} for title in sorted(titles)]
    return {"name": "Title", "lookup-strategy": "keywords", "data": data}


def pattern_types() -> list[Json]:
    """Regex types for whose patterns a backtracking engine takes polynomial time."""
    return [
        {"name": f"Pattern{number}", "lookup-strategy": "regex", "data": {"pattern": pattern}}
        for number, pattern in enumerate(PATTERNS)
    ]


def _near_words() -> list[str]:
    """Words of which several lie one slip from each word of ``titled_text``."""
    return [f"co{letter}nd" for letter in string.ascii_lowercase if letter not in "qxz"]


def titled_text(chance: random.Random) -> Drawn:
    near = ("cond", "coqnd", "coxnd", "coznd", "cound", "thee")
    pieces = ["the", *chance.choices(near, k=chance.randint(1, 4))]
    return Drawn("en", "titles", " ".join(chance.choices(pieces, k=MAX_CHARACTERS // 4))[:MAX_CHARACTERS])


def patterned_text(chance: random.Random) -> Drawn:
    pieces = chance.choices(PATTERN_PIECES, k=chance.randint(1, 3))
    text = (
        "".join(chance.choices(pieces, k=MAX_CHARACTERS)) if chance.random() < 0.5 else "".join(pieces) * MAX_CHARACTERS
    )
    return Drawn("en", "patterns", text[: chance.choice((200, 500, 2_000, MAX_CHARACTERS))])


def bot_files(language: str, types: Sequence[str], *definitions: Json) -> Json:
    """The files of a bot whose goal, begun by ``OPENING``, has a question of each type."""
    questions = [
        {"type": "question", "entity": f"e{number}", "entity-type": type, "messages": ["?"]}
        for number, type in enumerate(types)
    ]
    wish = {"value": "go", "expressions": [OPENING]}
    conversation = {"name": "Conversation", "lookup-strategy": "trait", "data": [wish]}
    files: Json = {"bot.json": {"id": "b", "language": language}}
    files["flow.json"] = {"conversations": {"go": {"type": "goal", "steps": questions}}}
    files["training.json"] = {"entity-definitions": [conversation, *definitions]}
    return files


def _talk(language: str, types: Sequence[str], *definitions: Json) -> Talk:
    files = bot_files(language, types, *definitions)
    flow = compile_flow(read_files({name: json.dumps(value) for name, value in files.items()}))
    return Talk(flow, turn(flow, begin(), _said(OPENING)).state)


def answer(talk: Talk, text: str) -> None:
    """One turn: a text where the first question of the goal is open."""
    turn(talk.flow, talk.state, _said(text))


def _said(text: str) -> Said:
    return Said(id="e", now=1_803_463_200_000, seed=1, profile=Profile(id="u", provider="web"), text=text)


# ---- measuring -----------------------------------------------------------------------------------------------------


def readings(drawn: Drawn) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every way in which a text is read, by its name."""
    known = recogniser(drawn.language)
    for type in TYPES:
        yield type, partial(known.recognise, drawn.text, [type], NOW)
    yield "all types", partial(known.recognise, drawn.text, TYPES, NOW)
    for name, talk in (("16 numbers", numbers_talk), ("16 types", every_type_talk), ("text", text_talk)):
        yield f"turn, {name}", partial(answer, talk(drawn.language), drawn.text)


def measure(seed: int, count: int, languages: tuple[str, ...], skipped: Sequence[str] = ()) -> dict[str, Worst]:
    found: dict[str, Worst] = {}

    def run(name: str, drawn: Drawn, read: Callable[[], object]) -> None:
        if name in skipped:
            return
        began = time.process_time()
        read()
        found.setdefault(name, Worst()).see(drawn, time.process_time() - began)

    for language in languages:
        for _, read in readings(draw(random.Random(0), language, 20)):
            read()
    chance = random.Random(seed)
    for number, drawn in enumerate(drawn_texts(seed, count, languages)):
        for name, read in readings(drawn):
            run(name, drawn, read)
        if number % RARE == 0:
            titled, patterned = titled_text(chance), patterned_text(chance)
            run("turn, titles", titled, partial(answer, titles_talk(), titled.text))
            run("turn, patterns", patterned, partial(answer, patterns_talk(), patterned.text))
    return found


def main() -> None:
    options = _options()
    languages = tuple(options.languages or READ_LANGUAGES)
    found = measure(options.seed, options.texts, languages, options.without)
    rows = [_row(name, worst) for name, worst in found.items()]
    name, worst = max(found.items(), key=lambda one: one[1].seconds)
    print(
        heading(f"{options.texts:,} drawn texts in {len(languages)} languages, seed {options.seed}; CPU of the worst")
    )
    print(table(("read by", "texts", "ms", "language", "shape", "characters", "text"), rows))
    print(f"\nWorst of all: {name}, {worst.seconds * 1000:,.0f} ms.")


def _row(name: str, worst: Worst) -> list[object]:
    of = worst.of or Drawn("", "", "")
    return [name, worst.count, worst.seconds * 1000, of.language, of.shape, len(of.text), of.shown]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile_text", description=__doc__)
    parser.add_argument("--texts", type=int, default=2_000, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    parser.add_argument("--languages", nargs="*", help="of those with readers; all of them by default")
    parser.add_argument("--without", nargs="*", default=(), help='readings to leave out: "turn, titles"')
    return parser.parse_args()


if __name__ == "__main__":
    main()
