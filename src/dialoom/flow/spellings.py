"""Brings what has one plain meaning to the form of the language, before anything looks at it: people write flows.

A method in small letters, a number where a text is wanted, one text in the place of a list of texts. What is only
nearly right and has no single meaning is left as it is, for ``flow.shape`` and the checks to tell of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dialoom.flow.pieces import Piece
from dialoom.strict_json import is_number

# An empty text under these keys counts as absent (flow-language.md section 1).
_EMPTY_IS_ABSENT = {
    "data-source": ("selector", "payload"),
    "option-template": ("image",),
    "value": ("metadata",),
}

# Lists of texts for which one text may stand.
_LISTS = {
    "step": ("messages", "names"),
    "display": ("off",),
    "reactions": ("acknowledgements", "ambiguities", "suggestions"),
    "validation": ("error-message",),
    "parameters": ("contains",),
    "settings": (
        "invalid-replies",
        "not-a-yes",
        "stopped",
        "general-failure",
        "previous-conversation-messages",
        "persist-entities",
    ),
    "commands": ("NEXT-PAGE", "PREVIOUS-PAGE", "RESTART", "BACK", "STOP", "SKIP"),
    "authentication": ("messages", "acknowledgements"),
    "value": ("expressions", "synonyms", "answers", "ssmlAnswers"),
}


def settle(found: Iterable[Piece]) -> None:
    """Change the spellings in these pieces, in place, to those that the model has."""
    for piece in found:
        value = piece.value
        for key in _EMPTY_IS_ABSENT.get(piece.kind, ()):
            if value.get(key) == "":
                del value[key]
        for key in _LISTS.get(piece.kind, ()):
            if isinstance(value.get(key), str):
                value[key] = [value[key]]
        if piece.kind == "data-source":
            _settle_request(value)
        elif piece.kind == "display":
            _settle_options(piece)
            _name_untyped_select(piece)


def _settle_request(source: dict[str, Any]) -> None:
    if isinstance(source.get("method"), str):
        source["method"] = source["method"].upper()
    headers = source.get("headers")
    if isinstance(headers, dict):
        source["headers"] = {name: json.dumps(value) if is_number(value) else value for name, value in headers.items()}


def _settle_options(display: Piece) -> None:
    """Write numbers as texts in options that stand in ``data`` themselves; with a template its elements are plain
    data."""
    if "template" in display.value:
        return
    data = display.list("data")
    for index, option in enumerate(data):
        if is_number(option):
            data[index] = json.dumps(option)
        elif isinstance(option, dict):
            if option.get("image") == "":
                del option["image"]
            for key in ("title", "value"):
                if is_number(option.get(key)):
                    option[key] = json.dumps(option[key])


def _name_untyped_select(display: Piece) -> None:
    """Make a select without ``type`` a single-select, or multi-select with ``capture-multiple-values`` (section 8)."""
    if "type" not in display.value and display.owner is not None:
        question = display.owner.value
        if question.get("type") == "question":
            is_multi = question.get("capture-multiple-values") is True
            display.value["type"] = "multi-select" if is_multi else "single-select"
