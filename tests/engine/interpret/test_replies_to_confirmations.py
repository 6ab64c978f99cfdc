"""What a reply to a confirmation means: only a plain yes acts, and nothing else that is said is lost or taken for one."""

from __future__ import annotations

import pytest

from tests.engine.replies_to_confirmations import NO, OTHER, QUESTIONS, YES
from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, say, trait

BOOK = "https://garage.test/bookings"
CARS = keywords("Car", Audi=[], BMW=[], Volvo=[])
WISH = trait(book=["book an inspection", "book"])


def garage(language: str) -> Chat:
    """A talk that has come to the confirmation."""
    flow = bot(
        {
            "book": goal(
                q("car", "Car"),
                q("date", "Date"),
                q("time", "Time"),
                q("phone", "PhoneNumber"),
                confirm("sure", QUESTIONS[language]),
                hook("booking", BOOK, "booked", source={"method": "POST"}, conditions=["{{sure}}"]),
                say("dropped", conditions=["{{$not sure}}"]),
            )
        },
        CARS,
        WISH,
        language=language,
    )
    chat = Chat(flow, {BOOK: {"id": 1}})
    for said in ("book", "Audi", "2026-11-24", "09:00", "555 1234"):
        chat.say(said)
    assert chat.state.ask is not None
    assert not chat.calls
    return chat


def _all(replies: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, reply) for language, texts in replies.items() for reply in texts]


@pytest.mark.parametrize(("language", "reply"), _all(YES))
def test_a_plain_yes_acts(language: str, reply: str) -> None:
    chat = garage(language)
    assert chat.say(reply) == ["booked"]


@pytest.mark.parametrize(("language", "reply"), _all(NO))
def test_a_no_does_not_act_and_is_a_no(language: str, reply: str) -> None:
    chat = garage(language)
    assert chat.say(reply) == ["dropped"]
    assert not chat.calls


@pytest.mark.parametrize(("language", "reply"), _all(OTHER))
def test_any_other_reply_neither_acts_nor_ends_it(language: str, reply: str) -> None:
    chat = garage(language)
    said = chat.say(reply)
    assert not chat.calls
    assert "dropped" not in said
    assert chat.state.ask is not None or chat.state.own is not None
