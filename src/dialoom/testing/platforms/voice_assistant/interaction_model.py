"""Finds the intent that a sentence means by an interaction model: literally, as far as a stand-in can.

The model is the file that the developer console takes: ``interactionModel.languageModel.intents``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

BUILT_IN: Mapping[str, tuple[str, ...]] = {
    "AMAZON.StopIntent": ("stop", "off", "shut up"),
    "AMAZON.CancelIntent": ("cancel", "never mind", "forget it"),
    "AMAZON.HelpIntent": ("help", "help me", "can you help me"),
    "AMAZON.YesIntent": ("yes", "yes please", "sure"),
    "AMAZON.NoIntent": ("no", "no thanks"),
    "AMAZON.NextIntent": ("next", "skip"),
    "AMAZON.PreviousIntent": ("previous", "go back"),
    "AMAZON.RepeatIntent": ("repeat", "say that again"),
    "AMAZON.StartOverIntent": ("start over", "restart"),
    "AMAZON.NavigateHomeIntent": ("home", "go home"),
}
"""Some of what Amazon's own intents are said with in English; others use the samples of the model."""


def intent_for(text: str, model: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the intent with its slots; None where the model takes no such sentence."""
    words = " ".join(text.lower().split())
    intents = _intents(model)
    names = {one["name"] for one in intents}
    for name, sayings in BUILT_IN.items():
        if words.rstrip(".!?") in sayings and (model is None or name in names):
            return {"name": name, "confirmationStatus": "NONE"}
    searches = []
    for intent in intents:
        slots = {slot["name"]: slot["type"] for slot in intent.get("slots", [])}
        for sample in intent.get("samples", []):
            if any(slots.get(name) == "AMAZON.SearchQuery" for name in re.findall(r"{(\w+)}", sample)):
                searches.append((intent, sample))
            elif (found := _match(sample, words)) is not None:
                return _filled(intent, found)
    # The longest carrier phrase fits best; a phrase that the person did not say is put before the words.
    for intent, sample in sorted(searches, key=lambda one: -len(one[1])):
        if (found := _match(sample, words)) is not None:
            return _filled(intent, found)
    if searches:
        intent, sample = searches[0]
        return _filled(intent, {re.findall(r"{(\w+)}", sample)[0]: text})
    return None


def _intents(model: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    if model is None:
        return []
    whole = model.get("interactionModel", model)
    found: list[dict[str, Any]] = whole["languageModel"]["intents"]
    return found


def _match(sample: str, words: str) -> dict[str, str] | None:
    pattern = "".join(
        f"(?P<{part[1:-1]}>.+)" if part.startswith("{") else re.escape(part)
        for part in re.split(r"({\w+})", sample.lower())
        if part
    )
    found = re.fullmatch(pattern, words)
    return found.groupdict() if found else None


def _filled(intent: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    slots = {}
    for slot in intent.get("slots", []):
        value = values.get(slot["name"], values.get(slot["name"].lower()))
        slots[slot["name"]] = {"name": slot["name"], "confirmationStatus": "NONE"} | ({"value": value} if value else {})
    return {"name": intent["name"], "confirmationStatus": "NONE", "slots": slots}
