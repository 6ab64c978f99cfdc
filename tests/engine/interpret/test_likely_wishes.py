"""Which of the likeliest wishes are offered where none was understood."""

from __future__ import annotations

import pytest

from dialoom.engine.interpret.wishes.did_you_mean import likely_wishes
from dialoom.flow.model import Understanding
from dialoom.understanding import Candidate

A, B, C = (("Conversation", key) for key in "abc")


def likely(*sure: float, types: str = "ccc") -> list[Candidate]:
    """The wishes a, b and c with these confidences."""
    return [
        Candidate("Conversation" if type == "c" else "Faq", {"value": key}, confidence, 0, 4, "text")
        for key, type, confidence in zip("abc", types, sure, strict=False)
    ]


@pytest.mark.parametrize(
    ("sure", "wishes"),
    [
        ((0.5, 0.1), (A,)),
        ((0.4, 0.4), (A, B)),
        ((0.39, 0.38), (A, B)),
        ((0.32, 0.32), ()),
        ((0.39, 0.27), ()),
        ((0.5, 0.41), (A, B)),
        ((0.45, 0.2), (A, B)),
        ((0.45, 0.19), (A,)),
        ((0.66, 0.6), (A, B)),
        ((0.5, 0.45, 0.44), (A, B)),
        ((), ()),
    ],
)
def test_one_or_two_that_are_likely_enough(sure: tuple[float, ...], wishes: tuple[tuple[str, str], ...]) -> None:
    assert likely_wishes(likely(*sure), Understanding(), lambda _: True) == wishes


def test_what_only_the_margin_refused_is_offered_also_below_ask() -> None:
    assert likely_wishes(likely(0.35, 0.3), Understanding(threshold=0.3), lambda _: True) == (A, B)


def test_a_conversation_that_cannot_be_started_now_is_left_out() -> None:
    assert likely_wishes(likely(0.6, 0.55), Understanding(), lambda key: key != "a") == (B,)


def test_an_answer_can_always_be_had() -> None:
    assert likely_wishes(likely(0.6, types="q"), Understanding(), lambda _: False) == (("Faq", "a"),)


def test_what_the_text_denies_is_left_out_and_the_next_one_offered() -> None:
    assert likely_wishes(likely(0.9, 0.5, 0.45), Understanding(), lambda _: True, {A}) == (B, C)
