"""Checks what a skill answers, as Alexa does before it speaks.

Sources below developer.amazon.com/en-US/docs/alexa/custom-skills: request-and-response-json-reference.html (speech and
card of 8000 characters, image address of 2000, answer of 120 KB, which older pages give as 24 KB: the stricter counts),
speech-synthesis-markup-language-ssml-reference.html (elements; a break of at most 10 s).
"""

from __future__ import annotations

import re
import xml.parsers.expat
from collections.abc import Iterator
from typing import Any

from dialoom.testing.platforms.shapes import (
    Address,
    Anything,
    By,
    Fields,
    Flag,
    ListOf,
    OneOf,
    Text,
    faults,
)
from dialoom.testing.platforms.stand_in import readable

MAX_SPEECH_CHARS = 8000
MAX_CARD_CHARS = 8000
MAX_IMAGE_URL_CHARS = 2000
MAX_RESPONSE_BYTES = 24 * 1024
MAX_BREAK_SECONDS = 10.0

_PLAY = {"playBehavior": OneOf(("ENQUEUE", "REPLACE_ALL", "REPLACE_ENQUEUED"))}
_SPEECH = By("type", {"PlainText": Fields({"text": Text()}, _PLAY), "SSML": Fields({"ssml": Text()}, _PLAY)})
_IMAGE = Fields({}, dict.fromkeys(("smallImageUrl", "largeImageUrl"), Address(MAX_IMAGE_URL_CHARS)))
_CARD = By(
    "type",
    {
        "Simple": Fields({}, {"title": Text(), "content": Text()}),
        "Standard": Fields({}, {"title": Text(), "text": Text(), "image": _IMAGE}),
        "LinkAccount": Fields(),
        "AskForPermissionsConsent": Fields({"permissions": ListOf(Text(), None, 1)}),
    },
)
_INTENT = Fields({"name": Text()}, {"confirmationStatus": Text(), "slots": Anything()})
_DIALOG = {"updatedIntent": _INTENT}
_DIRECTIVE = By(
    "type",
    {
        "Dialog.Delegate": Fields({}, _DIALOG),
        "Dialog.ElicitSlot": Fields({"slotToElicit": Text()}, _DIALOG),
        "Dialog.ConfirmSlot": Fields({"slotToConfirm": Text()}, _DIALOG),
        "Dialog.ConfirmIntent": Fields({}, _DIALOG),
        "Dialog.UpdateDynamicEntities": Fields({"updateBehavior": OneOf(("REPLACE", "CLEAR"))}, {"types": Anything()}),
    },
)
_ENVELOPE = Fields(
    {
        "version": OneOf(("1.0",)),
        "response": Fields(
            {},
            {
                "outputSpeech": _SPEECH,
                "card": _CARD,
                "reprompt": Fields({}, {"outputSpeech": _SPEECH, "directives": ListOf(_DIRECTIVE)}),
                "directives": ListOf(_DIRECTIVE),
                "shouldEndSession": Flag(),
            },
        ),
    },
    {"sessionAttributes": Anything(), "userAgent": Text()},
)
_ELEMENTS: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "speak": "xmlns version xml:lang",
        "amazon:domain": "name",
        "amazon:effect": "name",
        "amazon:emotion": "name intensity",
        "alexa:name": "type personId",
        "audio": "src",
        "break": "strength time",
        "emphasis": "level",
        "lang": "xml:lang",
        "p": "",
        "phoneme": "alphabet ph",
        "prosody": "rate pitch volume",
        "s": "",
        "say-as": "interpret-as format",
        "sub": "alias",
        "voice": "name",
        "w": "role",
    }.items()
}


def response_faults(body: bytes, request_type: str) -> Iterator[str]:
    """Yield what is wrong with the body of an answer."""
    if len(body) > MAX_RESPONSE_BYTES:
        yield f"The response has {len(body)} bytes and may have {MAX_RESPONSE_BYTES}."
    whole = readable(body)
    found = [f"{'.'.join(map(str, one.path))} {one.detail}" for one in faults(whole, _ENVELOPE)]
    yield from found
    if found:
        return
    response = whole["response"]
    if request_type == "SessionEndedRequest" and response.keys() - {"shouldEndSession"}:
        yield "A SessionEndedRequest takes no response."
    if "sessionAttributes" in whole and not isinstance(whole["sessionAttributes"], dict):
        yield "sessionAttributes must be an object"
    for speech in (response.get("outputSpeech"), response.get("reprompt", {}).get("outputSpeech")):
        if speech is not None:
            yield from speech_faults(speech)
    card = response.get("card", {})
    length = sum(len(card.get(name, "")) for name in ("title", "content", "text"))
    if length > MAX_CARD_CHARS:
        yield f"The card has {length} characters and may have {MAX_CARD_CHARS}."


def speech_faults(speech: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with an ``outputSpeech``."""
    text = speech.get("ssml") or speech.get("text", "")
    if len(text) > MAX_SPEECH_CHARS:
        yield f"The speech has {len(text)} characters and may have {MAX_SPEECH_CHARS}."
    if speech["type"] == "SSML":
        yield from ssml_faults(text)


def ssml_faults(ssml: str) -> Iterator[str]:
    """Yield what is wrong with SSML: not well-formed, elements and attributes that Alexa does not know."""
    found: list[str] = []
    depth = 0

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if (depth == 0) != (name == "speak"):
            found.append("SSML has one <speak> around everything.")
        depth += 1
        if name not in _ELEMENTS:
            found.append(f"SSML has no element <{name}>.")
        else:
            found.extend(f"<{name}> has no attribute {one}." for one in attributes if one not in _ELEMENTS[name])
        if name == "break" and seconds(attributes.get("time", "0s")) > MAX_BREAK_SECONDS:
            found.append(f"A break may take {MAX_BREAK_SECONDS:g} s.")

    def closed(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.StartDoctypeDeclHandler = lambda *_: found.append("SSML has no document type.")
    try:
        parser.Parse(ssml.encode("utf-8", "surrogatepass"), True)
    except xml.parsers.expat.ExpatError as error:
        found.append(f"SSML is not well-formed: {error}.")
    yield from found


def seconds(time: str) -> float:
    """Return a time of SSML in seconds; one that is none is longer than any."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", time)
    if found is None:
        return float("inf")
    return float(found[1]) / (1000 if found[2] == "ms" else 1)


def heard(speech: dict[str, Any] | None) -> str:
    """Return the words of an ``outputSpeech`` that is right."""
    if speech is None:
        return ""
    if speech["type"] == "PlainText":
        return str(speech["text"])
    words: list[str] = []
    parser = xml.parsers.expat.ParserCreate()
    parser.CharacterDataHandler = words.append
    parser.StartElementHandler = lambda name, _: words.append(" ") if name in ("p", "s", "break") else None
    parser.Parse(speech["ssml"].encode(), True)
    return " ".join("".join(words).split())
