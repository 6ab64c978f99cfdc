"""What a value means beside what is asked and known, in many languages: the rows of ``values_as_meant.txt``.

Beside the question stands one that a stray number could change: 4 tables, which it never does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dialoom.engine import Flow
from tests.engine.talking import Chat, bot, check, confirm, goal, q

FILE = Path(__file__).with_name("values_as_meant.txt")
START = "let us begin"
_HOW_MANY = {
    "de": ("Wie viele Personen?", "Wie viele Pizzen?"),
    "fr": ("Combien de personnes ?", "Combien de pizzas ?"),
    "es": ("¿Cuántas personas?", "¿Cuántas pizzas?"),
    "it": ("Quante persone?", "Quante pizze?"),
    "nl": ("Hoeveel personen?", "Hoeveel pizza's?"),
    "pt": ("Quantas pessoas?", "Quantas pizzas?"),
    "bg": ("Колко души?", "Колко пици?"),
    "sv": ("Hur många personer?", "Hur många pizzor?"),
}


_TODAY = {
    "de": "heute",
    "fr": "aujourd'hui",
    "es": "hoy",
    "it": "oggi",
    "nl": "vandaag",
    "pt": "hoje",
    "bg": "днес",
    "sv": "idag",
}


class Row(NamedTuple):
    line: int
    language: str
    asked: str
    said: str
    stored: str


def rows() -> Iterator[Row]:
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            language, asked, said, stored = (part.strip() for part in line.split(" | "))
            yield Row(number, language, asked, said, stored)


def question(language: str, asked: str) -> dict[str, Any]:
    """The question of a row, under the entity ``value``."""
    kind, _, more = asked.partition(" ")
    guests, pizzas = _HOW_MANY.get(language, ("How many people?", "How many pizzas?"))
    if kind == "time" and "-" in more:
        least, most = more.split("-")
        limits = check("range", "Not then.", min=least, max=most)
        return q("value", "Time", reactions={"validations": [limits]})
    if kind == "past":
        limits = check("range", "In the past.", max=_TODAY.get(language, "today"))
        return q("value", "Date", reactions={"validations": [limits]})
    return {
        "amount": q(
            "value",
            "Amount",
            currency="EUR",
        ),
        "number": q("value", "Number", "Which number?"),
        "text": q("value", "Text"),
        "date": q("value", "Date"),
        "time": q("value", "Time"),
        "guests": q("value", "Number", guests),
        "pizzas": q("value", "Number", pizzas),
    }[kind]


@cache
def flow(language: str, asked: str) -> Flow:
    own = question(language, asked.removeprefix("number beside ").removesuffix(" known"))
    beside = q("tables", "Number")
    steps = [own, confirm("sure")] if asked.endswith(" known") else [beside, own, confirm("sure")]
    if asked.startswith("number beside"):
        steps = [own, q("level", "Number")]
    keywords = {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "book", "expressions": [START]}]}
    return bot({"book": goal(*steps)}, keywords, language=language)


def said_in(row: Row) -> Chat:
    chat = Chat(flow(row.language, row.asked))
    chat.say(START)
    if row.asked.endswith(" known"):
        chat.say("50 EUR" if row.asked.startswith("amount") else row.asked.split()[1])
    elif not row.asked.startswith("number beside"):
        chat.say("4")
        assert chat.memory["tables"] == 4
    chat.say(row.said)
    return chat


def stored(chat: Chat) -> str:
    value = chat.memory.get("value")
    if isinstance(value, dict) and "currency" in value:
        return f"{value['value']} {value['currency']}"
    return "-" if value is None else str(value)


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: f"{row.language}-{row.asked}-{row.said}")
def test_a_value_is_what_people_mean(row: Row) -> None:
    chat = said_in(row)
    assert stored(chat) == row.stored, f"line {row.line}"
    assert chat.memory.get("tables", 4) == 4, f"line {row.line}: the tables were changed"
