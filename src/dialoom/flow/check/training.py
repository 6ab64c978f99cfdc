"""training.json: values and expressions that stand in each other's way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.flow.check.known import Known, plain
from dialoom.flow.finding import Fault
from dialoom.flow.model import Understanding
from dialoom.flow.patterns.expression_slots import slots_in
from dialoom.flow.pieces import Piece


def blank_values(value: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a value whose text is empty."""
    text = value.text("value")
    if text is not None and not text.strip():
        yield Fault(path=value.at("value"), message='"value" is empty. Give it a text.')


def doubled_values(definition: Piece, _: Known) -> Iterator[Fault]:
    """Warn of each value that stands in its definition twice."""
    seen = set()
    for index, item in enumerate(definition.list("data")):
        value = item.get("value") if isinstance(item, dict) else None
        if isinstance(value, str):
            if value in seen:
                message = f'"{value[:80]}" stands in this definition twice. Put both together.'
                yield Fault(path=definition.at("data", index, "value"), message=message)
            seen.add(value)


def shared_expressions(training: Piece, known: Known) -> Iterator[Fault]:
    """Warn of each expression that two values have: which of them is meant cannot be told (understanding.md).

    Conversations and answers are sought in every message, so that theirs must differ among each other too. Slots of one
    type are the same.
    """
    everywhere: dict[str, tuple[object, object]] = {}
    for definition in training.members("definition", "entity-definitions"):
        strategy, name = definition.text("lookup-strategy"), definition.text("name")
        if strategy not in ("trait", "QnA"):
            continue
        first: dict[str, tuple[object, object]] = everywhere if strategy == "QnA" or name == "Conversation" else {}
        for index, item in enumerate(definition.list("data")):
            value = item.get("value") if isinstance(item, dict) else None
            found = item.get("expressions") if isinstance(item, dict) else None
            for number, expression in enumerate(found if isinstance(found, list) else ()):
                if not isinstance(expression, str) or not plain(expression):
                    continue
                other = first.setdefault(plain(_with_types(expression, known)), (name, value))
                if other != (name, value):
                    message = f'"{expression[:80]}" is an expression of "{other[1]}" too. Keep it with one of them.'
                    yield Fault(path=definition.at("data", index, "expressions", number), message=message)


def asks_above_threshold(settings: Piece, _: Known) -> Iterator[Fault]:
    """Warn of an ``ask`` from which nothing is offered that only the threshold refused. 1 switches offers off."""
    found = settings.value.get("understanding")
    if not isinstance(found, dict):
        return
    ask, threshold = found.get("ask"), found.get("threshold", Understanding().threshold)
    if isinstance(ask, int | float) and isinstance(threshold, int | float) and threshold < ask < 1:
        message = (
            f'"ask" is above "threshold" ({threshold}), so that only what "margin" refuses is offered. '
            "Lower it, or write 1 to offer nothing."
        )
        yield Fault(path=settings.at("understanding", "ask"), message=message)


def _with_types(expression: str, known: Known) -> str:
    """Return an expression with its slots as words that nobody writes, one for each type."""
    place, pieces = 0, list[str]()
    for slot in slots_in(expression):
        pieces += [expression[place : slot.start], f" {_SLOT}{known.whole.asked_types.get(slot.name, slot.name)} "]
        place = slot.end
    return "".join([*pieces, expression[place:]])


_SLOT = "\N{BLACK SQUARE}"
FEW = 3
"""Fewer expressions than this say too little about a sense: what is near them is rarely understood."""


def few_expressions(value: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation or a QnA value that has fewer than ``FEW`` expressions."""
    name, definition = value.text("value"), value.owner
    if definition is None or name is None:
        return
    is_answer = definition.text("lookup-strategy") == "QnA"
    found = {plain(one) for one in value.list("expressions") if isinstance(one, str)}
    if (is_answer or definition.text("name") == "Conversation") and (is_answer or found) and len(found) < FEW:
        count = {0: "no expression", 1: "one expression", 2: "two expressions"}[len(found)]
        message = f'"{name[:80]}" has {count}: other words for it are rarely understood. Give it {FEW} or more.'
        yield Fault(path=value.at("value"), message=message)


def shared_synonyms(definition: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each name that two values of a keywords type have, where no question of the type has
    ``ambiguities`` to ask which is meant."""
    if definition.text("lookup-strategy") != "keywords" or _has_ambiguities(definition.text("name"), known):
        return
    first: dict[str, object] = {}
    for index, item in enumerate(definition.list("data")):
        if not isinstance(item, dict):
            continue
        synonyms = item.get("synonyms")
        names: list[tuple[tuple[str | int, ...], object]] = [(("value",), item.get("value"))]
        names += [(("synonyms", at), one) for at, one in enumerate(synonyms if isinstance(synonyms, list) else ())]
        for keys, name in names:
            if not isinstance(name, str) or not plain(name):
                continue
            other = first.setdefault(plain(name), item.get("value"))
            if other != item.get("value"):
                message = (
                    f'"{name[:80]}" means "{other}" too, and no question of this type has "ambiguities" to ask which. '
                    "Keep it with one of them, or add that text."
                )
                yield Fault(path=definition.at("data", index, *keys), message=message)


def _has_ambiguities(entity_type: str | None, known: Known) -> bool:
    questions = [one for one in known.whole.of_kind("step") if one.text("entity-type") == entity_type]
    reactions = [one.value.get("reactions") for one in questions]
    return not questions or any(isinstance(one, dict) and one.get("ambiguities") for one in reactions)


def constant_values(data: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a ``value-template`` without an expression: it makes the same value of every element."""
    text = data.text("value-template")
    if text is not None and "{{" not in text:
        message = (
            f'"{text[:80]}" names nothing of the element, so that all values are the same. Write it as an expression.'
        )
        yield Fault(path=data.at("value-template"), message=message)


_ESCAPED = re.compile(r"\\(?:[pP]\{[^}]*\}|.)|\(\?P?<[^>]*>")
"""Signs and names of a pattern in which a letter stands for no letter."""


def capitals_only(pattern: Piece, _: Known) -> Iterator[Fault]:
    """A pattern that tells case apart and wants capital letters: people type small ones."""
    text = pattern.text("pattern")
    if not pattern.value.get("case-sensitive") or text is None:
        return
    letters = _ESCAPED.sub("", text)
    if any(sign.isupper() for sign in letters) and not any(sign.islower() for sign in letters):
        message = (
            'It wants capital letters, and people type small ones. Leave "case-sensitive" out, or add small letters.'
        )
        yield Fault(path=pattern.at("case-sensitive"), message=message)
