"""The validations of a question (flow-language.md section 4). When they run is left to ``reactions``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from dialoom.engine import data_sources
from dialoom.engine.compiled import Check, Flow, Question
from dialoom.engine.effects import Request
from dialoom.engine.memory import Memory, worded
from dialoom.engine.running_turn import Calls, FlowBroken
from dialoom.template import Scope, Template
from dialoom.template.values import equal, order, plain_text, read_number
from dialoom.understanding.normalise import compatible
from dialoom.understanding.values import reads_in

_PHONE = re.compile(r"\+?[\d\s().\-/]+", re.ASCII)


def holds(calls: Calls, check: Check, question: Question, value: Any, step: str) -> bool:
    """Return whether the value passes; each of several values must. Raises ``TemplateError`` where a text of the check
    fails."""
    return outcome(calls, check, question, value, step)[0]


def outcome(calls: Calls, check: Check, question: Question, value: Any, step: str) -> tuple[bool, Scope]:
    """Return what ``holds`` does, with what the error text sees: the memory, of a custom check with ``_response``."""
    flow, memory = calls.flow, calls.memory
    if check.kind != "custom":
        values = value if isinstance(value, list) else [value]
        if check.kind == "image":
            return all(_has_label(calls, check, one, step) for one in values), memory.scope()
        test = _TESTS[check.kind]
        return all(test(flow, memory, check, question.type, one) for one in values), memory.scope()
    scope = memory.scope()
    if check.source is not None:
        scope = memory.answered(data_sources.call(calls, check.source, step).value)
    return check.condition is None or check.condition.truth(scope), scope


def _text(value: Any) -> str:
    return plain_text(value["value"] if isinstance(value, dict) and "value" in value else value)


def _phone(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    text = compatible(_text(value)).strip()
    if not _PHONE.fullmatch(text) or not 5 <= sum(map(str.isdigit, text)) <= 15:
        return False
    if check.region is None:
        return True
    import phonenumbers  # there already since the recogniser was made

    region = check.region.upper()
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_valid_number_for_region(number, region))


def is_region(name: str) -> bool:
    """Return whether phone numbers of that region can be checked."""
    import phonenumbers

    return name.upper() in phonenumbers.SUPPORTED_REGIONS


def _email(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    return flow.recogniser.reads("Email", _text(value), memory.now()) is not None


def _regex(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    return check.pattern is None or check.pattern.is_in(_text(value))


def _length(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    length = len(_text(value))
    least, most = (_number(memory, limit) for limit in (check.least, check.most))
    return (least is None or length >= least) and (most is None or length <= most)


def _number(memory: Memory, limit: Template | None) -> float | None:
    return None if limit is None else read_number(limit.plain(memory.scope()))


def _range(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    return _is_ordered(flow, memory, check.least, type, value, 1) and _is_ordered(
        flow, memory, check.most, type, value, -1
    )


_STORED = {
    "Date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "Time": re.compile(r"[01]\d:[0-5]\d|2[0-3]:[0-5]\d", re.ASCII),
}


def is_stored_form(text: str, type: str) -> bool:
    """Return whether a text is a day or an hour as it is stored, so that nobody needs to read it."""
    form = _STORED.get(type)
    return form is not None and form.fullmatch(text) is not None


def bound(flow: Flow, memory: Memory, limit: Template | None, type: str) -> Any:
    """Return one side of a range; None for no limit. It may be said as people say it: "today", "9 am"."""
    value: Any = None if limit is None else limit.value(memory.scope())
    if isinstance(value, str) and type in ("Date", "Time", "Datetime") and not is_stored_form(value, type):
        # Authors write "today" in bots of any language.
        now = memory.now()
        return flow.recogniser.reads(type, value, now) or reads_in("en", type, value, now) or value
    return value


def _is_ordered(flow: Flow, memory: Memory, limit: Template | None, type: str, value: Any, sign: int) -> bool:
    """Return whether the value is on the right side of the limit; a limit that says nothing holds."""
    limit_value = bound(flow, memory, limit, type)
    if limit_value is None or limit_value == "":
        return True
    side = order(worded(value, type), limit_value, memory.zone_name)
    return side is None or side * sign >= 0


def _match(flow: Flow, memory: Memory, check: Check, type: str, value: Any) -> bool:
    allowed = [] if check.values is None else check.values.render(memory.scope())
    return any(equal(worded(value, type), one) for one in allowed)


def _has_label(calls: Calls, check: Check, value: Any, step: str) -> bool:
    """Return True also when nothing is known of the picture."""
    if not check.labels:
        return True
    labels = labels_of(calls, value, step)
    return labels is None or not check.labels.isdisjoint(labels)


_TESTS: dict[str, Callable[[Flow, Memory, Check, str, Any], bool]] = {
    "phone": _phone,
    "email": _email,
    "regex": _regex,
    "length": _length,
    "range": _range,
    "match": _match,
}


_WHO = "image labeller"


def labels_of(calls: Calls, file: Any, step: str) -> list[str] | None:
    """Return the labels of an image, case-folded; None where nothing can be known of the file."""
    if not isinstance(file, dict):
        return None
    own = file.get("labels")
    if isinstance(own, list) and own:
        return _texts(own)
    address = calls.flow.bot.file.image_labeller
    if not address:
        return None
    kind, url = file.get("mimeType"), file.get("url")
    if (isinstance(kind, str) and not kind.lower().startswith("image/")) or not isinstance(url, str):
        return []
    if url not in calls.labels:
        calls.labels[url] = _ask_labeller(calls, address, url, step)
    return calls.labels[url]


def _ask_labeller(calls: Calls, address: str, url: str, step: str) -> list[str]:
    body = msgspec.json.encode({"url": url})

    def request(key: str) -> Request:
        return Request(
            method="POST",
            url=address,
            headers=(("Content-Type", "application/json"),),
            body=body,
            trusted_host=True,
            idempotency_key=data_sources.safe_key(key),
        )

    response = data_sources.answer(calls, request, step, _WHO)
    data_sources.refuse_failure(response, step, _WHO)
    answer, _ = data_sources.document(response, step)
    found = answer.get("labels") if isinstance(answer, dict) else answer
    if not isinstance(found, list):
        raise FlowBroken(step, 'The image labeller gave no list of labels. It must answer with {"labels": [...]}.')
    return _texts(found)


def _texts(labels: list[Any]) -> list[str]:
    """Return the labels, which are texts or objects with one under ``label`` or ``name``, in small letters."""
    found = []
    for label in labels:
        text = label.get("label", label.get("name")) if isinstance(label, dict) else label
        if isinstance(text, str):
            found.append(text.strip().casefold())
    return found
