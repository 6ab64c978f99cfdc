"""Commands and validations of steps: which keys go with which (flow-language.md section 4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.model import MAX_MINUTES
from dialoom.flow.patterns import AuthorPattern, PatternError, SlowPatternError
from dialoom.flow.pieces import Piece
from dialoom.template.values import read_number
from dialoom.template.values.moments import read_date, read_datetime, read_time


class _Syntax(NamedTuple):
    """What follows a command's word, and the keys beside it that it takes."""

    takes: str
    keys: tuple[str, ...]
    usage: str


COMMANDS: dict[str, _Syntax] = {
    "stay-silent": _Syntax("minutes", ("live-agent",), '"stay-silent" or "stay-silent <minutes>"'),
    "go-to": _Syntax("conversation", (), '"go-to <conversation>"'),
    "invalidate-entity": _Syntax("name", ("entities",), '"invalidate-entity <name>", or "entities": [...] beside it'),
    "set-entity": _Syntax("nothing", ("entity", "data"), '"set-entity", with "entity" and "data" beside it'),
    "logout": _Syntax("nothing", (), '"logout"'),
}

_COMMAND_KEYS = ("entity", "entities", "data", "live-agent")


def commands(step: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a command that is unknown or incomplete, and for each key that does not go with it. ``names``
    checks the conversation of ``go-to``."""
    text = step.text("command")
    if step.text("type") != "command" or text is None:
        return
    path = step.at("command")
    name = (text.split() or [""])[0]
    rest = text.strip().removeprefix(name).strip()
    syntax = COMMANDS.get(name)
    if syntax is None:
        yield Fault(path=path, message=f'"{name[:80]}" is no command.', word=name, allowed=tuple(COMMANDS))
        return
    for key in _COMMAND_KEYS:
        if key in step.value and key not in syntax.keys:
            message = f'"{key}" does not go with {name}. Remove it; write {syntax.usage}.'
            yield Fault(path=step.at(key), message=message, at_key=True)
    if syntax.takes == "minutes" and _is_number(rest) and float(rest) > MAX_MINUTES:
        message = f'"{text[:80]}" is too long: at most {MAX_MINUTES} minutes, which are ten years.'
        yield Fault(path=path, message=message)
    elif not _fits(name, syntax, rest, step):
        yield Fault(path=path, message=f'"{text[:80]}" is not complete or says too much. Write {syntax.usage}.')


_is_number = re.compile(r"\d+(\.\d+)?", re.ASCII).fullmatch


def _fits(name: str, syntax: _Syntax, rest: str, step: Piece) -> bool:
    if syntax.takes == "minutes":
        return rest == "" or (_is_number(rest) is not None and float(rest) > 0)
    if syntax.takes == "conversation":
        return bool(rest)
    if syntax.takes == "name":
        return bool(rest) != bool(step.list("entities"))
    if name == "set-entity":
        return not rest and "data" in step.value and bool(step.text("entity"))
    return syntax.takes == "nothing" and not rest


# ---- conditions --------------------------------------------------------------------------------------------------

_COMPARED = re.compile(r"\s*(.+?)\s*(===?|!==?|>=|<=|>|<)\s*(.+?)\s*", re.DOTALL)
_HELPERS = {"=": "$eq", "!": "$ne", ">=": "$gte", "<=": "$lte", ">": "$gt", "<": "$lt"}


_BRACES = re.compile(r"\$\{|[{}]+")
_BETWEEN_QUOTES = r"(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*+$)"
_JOINED = tuple(
    (helper, re.compile(rf"\s+(?:{words})\s+{_BETWEEN_QUOTES}", re.DOTALL))
    for helper, words in (("$or", r"or|OR|\|\|"), ("$and", "and|AND|&&"))
)
_NEGATED = re.compile(r"(?:(?:not|NOT)\s+|!\s*(?!=))(.+)", re.DOTALL)
MAX_REWRITTEN_CHARS = 240
"""Of a condition; a message shows half as many."""


def bare_conditions(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each condition without braces: it is a text, which always holds."""
    if piece.kind == "step":
        found = [(piece.at("conditions", index), one) for index, one in enumerate(piece.list("conditions"))]
    else:
        found = [(piece.at("condition"), piece.value.get("condition"))]
    for path, text in found:
        if isinstance(text, str) and text.strip() and "{{" not in text:
            message = f'"{text[:80]}" has no braces: a text always holds. Write "{in_braces(text)[:120]}".'
            yield Fault(path=path, message=message)


def in_braces(text: str) -> str:
    """Return the condition that its author most likely meant by a text with words outside of braces."""
    return f"{{{{{_expression(_BRACES.sub(' ', text[:MAX_REWRITTEN_CHARS]))}}}}}"


def _expression(text: str) -> str:
    text = text.strip()
    for helper, between in _JOINED:
        if (found := between.search(text)) is not None:
            return f"{helper} {_operand(text[: found.start()])} {_operand(text[found.end() :])}"
    if (negated := _NEGATED.fullmatch(text)) is not None:
        return f"$not {_operand(negated[1])}"
    compared = _COMPARED.fullmatch(text)
    if compared is None:
        return text
    left, sign, right = compared.groups()
    helper = _HELPERS.get(sign) or _HELPERS[sign[0]]
    return f"{helper} {_operand(left)} {_operand(right)}"


def _operand(text: str) -> str:
    """Return an expression as it stands inside of another; a text in quotes is one word."""
    text = text.strip()
    is_one = not re.search(r"\s|[=!<>&|]", text) or (text[:1] in "'\"" and text[-1:] == text[:1]) or text[:1] == "("
    return text if is_one else f"({_expression(text)})"


# ---- validations -------------------------------------------------------------------------------------------------


class _Parameters(NamedTuple):
    needs: tuple[str, ...] = ()
    """All of these."""
    needs_one_of: tuple[str, ...] = ()
    may_have: tuple[str, ...] = ()


VALIDATIONS: dict[str, _Parameters] = {
    "phone": _Parameters(may_have=("region",)),
    "email": _Parameters(),
    "regex": _Parameters(needs=("value",)),
    "length": _Parameters(needs_one_of=("min", "max")),
    "range": _Parameters(needs_one_of=("min", "max")),
    "match": _Parameters(needs=("values",)),
    "image": _Parameters(needs=("contains",)),
    "custom": _Parameters(needs=("condition",), may_have=("data-source",)),
}

_ANYWHERE = ("$schema", "note")


def validations(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each parameter that a validation of this type lacks or does not know."""
    kind = validation.text("type")
    rules = VALIDATIONS.get(kind or "")
    parameters = validation.value.get("parameters", {})
    if rules is None or not isinstance(parameters, dict):
        return
    allowed = (*rules.needs, *rules.needs_one_of, *rules.may_have)
    path = validation.at("parameters") if "parameters" in validation.value else validation.path
    given = {key for key, value in parameters.items() if value is not None}
    for key in rules.needs:
        if key not in given:
            yield Fault(path=path, message=f'A {kind} validation needs "{key}" in its parameters.')
    if rules.needs_one_of and not given.intersection(rules.needs_one_of):
        names = " or ".join(f'"{key}"' for key in rules.needs_one_of)
        yield Fault(path=path, message=f"A {kind} validation needs {names} in its parameters.")
    known = {key for others in VALIDATIONS.values() for part in others for key in part}
    for key in sorted(given.intersection(known)):
        if key not in allowed and key not in _ANYWHERE:
            message = f'"{key}" is no parameter of a {kind} validation.'
            yield Fault(path=validation.at("parameters", key), message=message, allowed=allowed, at_key=True)


def lengths(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for ``min`` or ``max`` of a length that is no whole number of 0 or more."""
    parameters = validation.value.get("parameters")
    if validation.text("type") != "length" or not isinstance(parameters, dict):
        return
    for key in ("min", "max"):
        limit = parameters.get(key)
        is_number = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
        if limit is not None and not is_number and not (isinstance(limit, str) and limit.isdecimal()):
            yield Fault(path=validation.at("parameters", key), message="A length is a whole number, 0 or more.")


def ranges(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for ``min`` or ``max`` of a range that no answer can be compared with. Templates are passed over,
    since they may give anything."""
    parameters, step = validation.value.get("parameters"), validation.step
    if validation.text("type") != "range" or not isinstance(parameters, dict):
        return
    is_number = step is not None and step.text("entity-type") in ("Number", "Amount")
    for key in ("min", "max"):
        limit = parameters.get(key)
        if limit is None or (isinstance(limit, str) and "{{" in limit):
            continue
        if isinstance(limit, bool | list | dict):
            yield Fault(path=validation.at("parameters", key), message="A limit is a number, a date or a time.")
        elif is_number and read_number(limit) is None:
            message = f'"{limit[:80]}" is no number, so that every answer would pass. Write a number.'
            yield Fault(path=validation.at("parameters", key), message=message)


_STORED_FORMS: dict[str, Callable[[str], object]] = {
    "Date": lambda text: read_date(text) or read_datetime(text),
    "Time": read_time,
    "Datetime": lambda text: read_date(text) or read_datetime(text),
}
_EXAMPLES = {
    "Date": 'YYYY-MM-DD, or a word for a day such as "today"',
    "Time": 'HH:mm, or an hour such as "9 am"',
    "Datetime": 'YYYY-MM-DDTHH:mm, or words such as "tomorrow at 9"',
}


def unread_limits(validation: Piece, known: Known) -> Iterator[Fault]:
    """Warn of ``min`` or ``max`` of a range that is no day or hour as the question's type has them. ``ranges`` looks at
    numbers; templates are passed over, and words where nobody lends the understanding of them."""
    parameters, step = validation.value.get("parameters"), validation.step
    entity_type = (step.text("entity-type") if step is not None else None) or ""
    if validation.text("type") != "range" or not isinstance(parameters, dict) or entity_type not in _STORED_FORMS:
        return
    for key in ("min", "max"):
        limit = parameters.get(key)
        if isinstance(limit, bool) or not isinstance(limit, str | int | float):
            continue
        text = str(limit)
        if isinstance(limit, str):
            if not text.strip() or "{{" in text or _STORED_FORMS[entity_type](text):
                continue
            if known.reader.reads(entity_type, text) is not False:
                continue
        message = (
            f'"{text[:80]}" is read as no {entity_type} in "{known.language}", so that answers are compared with it '
            f"letter by letter. Write {_EXAMPLES[entity_type]}."
        )
        yield Fault(path=validation.at("parameters", key), message=message)


def unlabelled_images(validation: Piece, known: Known) -> Iterator[Fault]:
    """Warn of an image validation of a bot without an image labeller: it checks only files of channels that bring
    labels."""
    if validation.text("type") == "image" and not known.has_labeller:
        message = 'bot.json has no "image-labeller", so that every file passes whose channel gives no labels.'
        yield Fault(path=validation.path, message=message)


def silent_messages(step: Piece, _: Known) -> Iterator[Fault]:
    """Warn of a message step that has nothing to send. A step with an unknown key is passed over: its faults of shape
    are reported elsewhere."""
    keys = {"type", "messages", "conditions", "protected", "note", "$schema"}
    if step.text("type") == "message" and step.value.get("messages", []) == [] and step.value.keys() <= keys:
        yield Fault(path=step.path, message='This step sends nothing. Give it "messages", or remove it.')


def regexes(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a regex validation whose pattern cannot be read."""
    yield from bad_pattern(*_of_validation(validation))


def patterns(pattern: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a regex type whose pattern cannot be read."""
    yield from bad_pattern(*_of_type(pattern), is_case_sensitive=_tells_case(pattern))


def slow_regexes(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a regex validation whose pattern cannot be searched in linear time."""
    yield from _slow_pattern(*_of_validation(validation))


def slow_patterns(pattern: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a regex type whose pattern cannot be searched in linear time."""
    yield from _slow_pattern(*_of_type(pattern), is_case_sensitive=_tells_case(pattern))


def _of_validation(validation: Piece) -> tuple[tuple[str | int, ...], object]:
    parameters = validation.value.get("parameters")
    is_regex = validation.text("type") == "regex"
    return validation.at("parameters", "value"), (
        parameters.get("value") if is_regex and isinstance(parameters, dict) else None
    )


def _tells_case(pattern: Piece) -> bool:
    return pattern.value.get("case-sensitive") is True


def _of_type(pattern: Piece) -> tuple[tuple[str | int, ...], object]:
    return pattern.at("pattern"), pattern.value.get("pattern")


def bad_pattern(path: tuple[str | int, ...], pattern: object, *, is_case_sensitive: bool = True) -> Iterator[Fault]:
    """Yield a fault where ``pattern`` is a text and no regular expression."""
    error = _mistake(pattern, is_case_sensitive=is_case_sensitive)
    if error is not None and not isinstance(error, SlowPatternError):
        yield Fault(path=path, message=f"This regular expression {error}.", characters=error.offset)


def _slow_pattern(path: tuple[str | int, ...], pattern: object, *, is_case_sensitive: bool = True) -> Iterator[Fault]:
    """Yield a fault for a pattern that cannot be searched in time linear in the text, or that is too large."""
    error = _mistake(pattern, is_case_sensitive=is_case_sensitive)
    if isinstance(error, SlowPatternError):
        yield Fault(path=path, message=f"This regular expression {error}.", characters=error.offset)


def _mistake(pattern: object, *, is_case_sensitive: bool) -> PatternError | None:
    if not isinstance(pattern, str):
        return None
    try:
        AuthorPattern(pattern, is_case_sensitive=is_case_sensitive)
    except PatternError as error:
        return error
    return None
