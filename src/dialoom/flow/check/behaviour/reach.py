"""Finds what never runs: conversations that nothing starts, dead steps, conditions that always or never hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from dialoom.errors import TemplateError
from dialoom.flow.check.known import Known
from dialoom.flow.check.steps import in_braces
from dialoom.flow.check.whole import BUILT_IN_CONVERSATIONS, Written, goes_to
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.strict_json import is_number
from dialoom.template import Scope, compile, is_true
from dialoom.template.nodes import Block, Call, Expression, Literal, Output, Path, Text
from dialoom.template.values import equal
from dialoom.template.values.types import FALSE_TEXTS


def unreachable(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation that no value of the trait names, and no step that is reached runs or goes
    to."""
    key = str(conversation.path[-1])
    if known.definitions is None or key in known.whole.reached or _can_be_answered(key, known):
        return
    message = (
        f'Nothing starts "{key}". Add it to the values of the trait "Conversation" in training.json, run it in a step, '
        "or go to it."
    )
    yield Fault(path=conversation.path, message=message, at_key=True)


def _can_be_answered(key: str, known: Known) -> bool:
    """Return whether the answer to a question of the type ``Conversation`` may be this key."""
    for display in known.whole.of_kind("display"):
        step = display.step
        if step is not None and step.text("entity-type") == "Conversation":
            options = [one.get("value") if isinstance(one, dict) else one for one in display.list("data")]
            if key in options or "data-source" in display.value or "template" in display.value:
                return True
    return False


def unsaid(value: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation whose trait value has no expressions, and that nothing else starts."""
    name = value.text("value")
    if name is None or value.owner is None or value.owner.text("name") != "Conversation" or value.list("expressions"):
        return
    whole = known.whole
    others = {*BUILT_IN_CONVERSATIONS, *whole.started_by_name, *whole.helping, *whole.started} - (
        {name} - whole.started_by_name - whole.helping
    )
    if name not in known.whole.reached_from(others) and not _can_be_answered(name, known):
        message = f'No sentence starts "{name}": it has no expressions, and no step leads to it. Add some expressions.'
        yield Fault(path=value.path, message=message)


def no_help(flow: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a flow without ``help``, which runs where nothing was understood and no goal is open."""
    if known.conversations and "help" not in known.conversations:
        message = (
            'There is no conversation "help": a user whom the bot does not understand only hears an invalid reply. Add '
            "one that says what the bot can do."
        )
        yield Fault(path=flow.at("conversations"), message=message, at_key=True)


def dead_steps(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for the first step behind a ``go-to`` that always leaves. A ``go-to`` whose target may lead back
    here is passed over."""
    key = str(conversation.path[-1])
    steps = known.whole.steps_of(key)
    for step, following in itertools.pairwise(steps):
        name = goes_to(step)
        if name is None or step.list("conditions") or name == key or key in known.whole.reached_from({name}):
            continue
        message = f'The step before goes to "{name}" and never comes back, so that this one never runs. Remove one.'
        yield Fault(path=following.path, message=message)
        return


_LOGIC = frozenset({"$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$and", "$or", "$not"})
"""Helpers that give the same for the same arguments at any time."""

_OPPOSITE = {"eq": "ne", "ne": "eq", "gt": "lte", "lte": "gt", "lt": "gte", "gte": "lt"}


class Fact(NamedTuple):
    """What follows when a condition holds (or does not), of ``name``; ``kind`` may compare it with ``value``."""

    kind: str
    """``true``, ``false``, ``there``, ``absent``, or a comparison: ``eq``, ``ne``, ``gt`` ..."""
    name: str
    value: Any = None


def always(piece: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each condition of a step or a validation that always holds, and so decides nothing."""
    for path, text in _conditions(piece):
        written = known.whole.by_text.get((piece.file, path))
        message = _always(text, written)
        if message is not None:
            yield Fault(path=path, message=message)


def never(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each condition that never holds, or not together with those before it: the step never runs."""
    so_far: list[Fact] = []
    for path, text in _conditions(step):
        written = known.whole.by_text.get((step.file, path))
        message = _never(text, written, known)
        if message is None and written is not None:
            facts = [fact for call in _only_call(written) for fact in _facts(call, True)]
            found = next(((a, b) for a, b in itertools.product(so_far, facts) if _exclude(a, b)), None)
            if found is not None:
                message = f'It cannot hold together with what is asked of "{found[0].name}" above: the step never runs.'
            so_far += facts
        if message is not None:
            yield Fault(path=path, message=message)


def never_valid(parameters: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a validation's condition that never holds, so that no answer is ever taken."""
    for path, text in _conditions(parameters):
        written = known.whole.by_text.get((parameters.file, path))
        if _never(text, written, known) is not None:
            message = "This never holds, so that no answer is ever taken. Compare something with an entity."
            yield Fault(path=path, message=message)


def own_entity(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a condition that wants a value of the step's own entity: a step whose entity has a value is
    passed."""
    name = step.text("entity")
    if name is None or step.text("type") not in ("question", "webhook", "confirmation"):
        return
    for path, _ in _conditions(step):
        written = known.whole.by_text.get((step.file, path))
        for call in _only_call(written) if written is not None else ():
            if any(fact.name == name and _wants_a_value(fact) for fact in _facts(call, True)):
                message = (
                    f'The step is passed when "{name}" has a value, and this wants one: it never runs. Write '
                    f"{{{{$not ($has {name})}}}}, or ask for another entity."
                )
                yield Fault(path=path, message=message)


def facts_of_step(step: Piece, known: Known) -> Iterator[Fact]:
    """Yield what must be so where the step runs."""
    for path, _ in _conditions(step):
        written = known.whole.by_text.get((step.file, path))
        for call in _only_call(written) if written is not None else ():
            yield from _facts(call, True)


def _wants_a_value(fact: Fact) -> bool:
    return fact.kind in ("true", "there", "gt", "gte", "lt", "lte") or (fact.kind == "eq" and fact.value is not None)


def _conditions(piece: Piece) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the conditions of a step, or that of a validation's parameters."""
    if piece.kind == "parameters" and isinstance(text := piece.value.get("condition"), str):
        yield piece.at("condition"), text
    for index, text in enumerate(piece.list("conditions")):
        if isinstance(text, str):
            yield piece.at("conditions", index), text


# ---- one condition -----------------------------------------------------------------------------------------------


def _always(text: str, written: Written | None) -> str | None:
    if written is None:
        return None
    around = [node.text.strip() for node in written.tree if isinstance(node, Text)]
    if any(part and not any(part in false for false in FALSE_TEXTS) for part in around):
        has_block = any(isinstance(node, Block) for node in written.tree)
        right = "{{$and a b}}, {{$not a}}" if has_block else in_braces(text)[:120]
        return (
            "What stands outside of {{ }} makes this a text, and a text always holds. Put it all into one expression: "
            f'"{right}".'
        )
    if _constant(text, written) is True or any(map(_is_contradiction, _facts_of(written, False))):
        return "This always holds. Remove it, or compare something with an entity."
    return None


def _never(text: str, written: Written | None, known: Known) -> str | None:
    if written is None:
        return None if is_true(text.strip()) else "This never holds, so that the step never runs. Remove the step."
    for call in _only_call(written):
        name = call.head.original
        if isinstance(call.head, Literal) and call.is_plain and name not in known.whole.writers:
            return f'{{{{{name}}}}} reads an entity of the name "{name}", which nothing sets: this never holds.'
    if _constant(text, written) is False or any(map(_is_contradiction, _facts_of(written, True))):
        return "This never holds, so that the step never runs. Compare with what the entity can be."
    return None


def _constant(text: str, written: Written) -> bool | None:
    """Return the truth of a condition that reads nothing; None for one that reads something or may change."""
    calls = [node.call for node in written.tree if isinstance(node, Output)]
    if written.names or len(calls) != len(written.tree) or not all(_is_logic(call) for call in calls):
        return None
    try:
        return compile(text).truth(Scope({}))
    except TemplateError:
        return None


def _is_logic(expression: Expression) -> bool:
    if isinstance(expression, Call):
        parts = (*expression.parameters, *(value for _, value in expression.named))
        return expression.head.original in _LOGIC and all(map(_is_logic, parts))
    return isinstance(expression, Literal)


def _only_call(written: Written) -> list[Call]:
    """Return the expression of a condition that consists of one expression alone, else an empty list."""
    nodes = [node for node in written.tree if not (isinstance(node, Text) and not node.text.strip())]
    return [node.call for node in nodes if isinstance(node, Output)] if len(nodes) == 1 else []


def _facts_of(written: Written, truth: bool) -> list[list[Fact]]:
    return [_facts(call, truth) for call in _only_call(written)]


# ---- what follows from an expression -----------------------------------------------------------------------------


def _facts(expression: Expression, truth: bool) -> list[Fact]:
    """Return what must be so when the expression is true (or false), leaving out whatever is not certain."""
    if isinstance(expression, Literal):
        return []
    if isinstance(expression, Path):
        return [Fact("true" if truth else "false", expression.original)] if _is_entity(expression) else []
    name, parameters = expression.head.original, expression.parameters
    if expression.is_plain:
        return _facts(expression.head, truth) if isinstance(expression.head, Path) else []
    if expression.named:
        return []
    if name == "$not" and len(parameters) == 1:
        return _facts(parameters[0], not truth)
    if (name == "$and" and truth) or (name == "$or" and not truth):
        return [fact for parameter in parameters for fact in _facts(parameter, truth)]
    if name == "$has" and len(parameters) == 1:
        of = parameters[0]
        named = of.value if isinstance(of, Literal) else of.original if isinstance(of, Path) else None
        return [Fact("there" if truth else "absent", named)] if isinstance(named, str) else []
    return _comparison(name.removeprefix("$"), parameters, truth)


def _comparison(kind: str, parameters: tuple[Expression, ...], truth: bool) -> list[Fact]:
    if kind not in _OPPOSITE or len(parameters) != 2:
        return []
    left, right = parameters
    if kind in ("eq", "ne") and isinstance(left, Literal):
        left, right = right, left
    if not (isinstance(left, Path) and _is_entity(left) and isinstance(right, Literal)):
        return []
    if kind in ("eq", "ne"):
        return [Fact(kind if truth else _OPPOSITE[kind], left.original, right.value)]
    # Where a side is missing no comparison holds, so that from one that does not hold nothing follows.
    return [Fact(kind, left.original, right.value)] if truth and is_number(right.value) else []


def _is_entity(path: Path) -> bool:
    return not path.is_data and path.depth == 0 and bool(path.parts)


def _is_contradiction(facts: list[Fact]) -> bool:
    return any(_exclude(a, b) for a, b in itertools.combinations(facts, 2))


def _exclude(one: Fact, other: Fact) -> bool:
    """Return whether two facts cannot both be so."""
    return one.name == other.name and (_excludes(one, other) or _excludes(other, one))


def _excludes(one: Fact, other: Fact) -> bool:
    match one.kind, other.kind:
        case ("true", "false" | "absent") | ("there", "absent"):
            return True
        case "eq", "eq":
            return _differ(one.value, other.value)
        case "eq", "ne":
            return type(one.value) is type(other.value) and one.value == other.value
        case "eq", "true":
            return one.value in (None, "") or one.value is False
        case "eq", "there":
            return one.value is None
        case "eq", "absent":
            return one.value is not None and isinstance(one.value, str | int | float | bool)
        case "gt" | "gte", "lt" | "lte":
            # As numbers and as texts, since an entity may hold either.
            low, high = one.value, other.value
            return bool(low > high) and str(low) > str(high)
    return False


def _differ(one: Any, other: Any) -> bool:
    """Return whether nothing equals both. Texts with digits may spell one number, date or time in two ways."""
    if is_number(one) and is_number(other):
        return bool(one != other)
    if not all(isinstance(value, str | int | float | bool | None) for value in (one, other)) or equal(one, other):
        return False
    texts = [value for value in (one, other) if isinstance(value, str)]
    return not texts or any(not any(sign.isdigit() for sign in text) for text in texts)
