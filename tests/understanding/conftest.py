"""A clinic's training, and a Wednesday on which everything is said."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from dialoom.flow.model import (
    EntityDefinition,
    KeywordsType,
    KeywordValue,
    Pattern,
    QnAType,
    QnAValue,
    RegexType,
    TraitType,
    TraitValue,
)
from dialoom.understanding import Recogniser


def trait(name: str, **values: tuple[str, ...]) -> TraitType:
    return TraitType(name=name, data=tuple(TraitValue(value=v, expressions=e) for v, e in values.items()))


DEFINITIONS: tuple[EntityDefinition, ...] = (
    trait(
        "Conversation",
        book=(
            "I'd like to book an appointment",
            "book an appointment",
            "I need to see a doctor",
            "make an appointment",
            "schedule a visit",
            "I want an appointment with a doctor",
            "can I see the doctor",
            "I would like a consultation",
        ),
        cancel=(
            "cancel my appointment",
            "I want to cancel",
            "I can't come to my appointment",
            "please cancel my booking",
            "call off my visit",
            "delete my appointment",
        ),
        help=("help", "what can you do", "I need help", "help me", "how does this work", "hi", "hello"),
        restart=("start over", "let's begin again"),
    ),
    trait("Urgency", high=("it is urgent", "as soon as possible", "emergency"), low=("no hurry", "any time is fine")),
    QnAType(
        name="questions",
        data=(
            QnAValue(
                value="opening hours",
                expressions=(
                    "when are you open",
                    "what are your opening hours",
                    "opening times",
                    "are you open on Sunday",
                ),
                answers=("From 9 to 17.", "9 to 5."),
                ssml_answers=("<speak>From nine to five.</speak>",),
            ),
            QnAValue(
                value="parking",
                expressions=("where can I park", "is there a car park", "do you have parking"),
                answers=("Behind the house.",),
            ),
        ),
    ),
    KeywordsType(
        name="Doctor",
        data=(
            KeywordValue(value="Dr. Petrova", synonyms=("Petrova",), metadata={"room": 3}),
            KeywordValue(value="Dr. Ivanov", synonyms=("the old doctor",)),
            KeywordValue(value="Dr. Émile Martin"),
        ),
    ),
    RegexType(name="Card", data=Pattern(pattern=r"^[A-Z]{2}\d{4}$")),
)


@pytest.fixture(scope="session")
def now() -> datetime:
    return datetime(2027, 2, 24, 10, 0, tzinfo=ZoneInfo("Europe/Sofia"))


@pytest.fixture(scope="session")
def clinic() -> Recogniser:
    return Recogniser(DEFINITIONS, "en", 0.65, 0.1)
