"""What slots are worth to a bot with six or seven expressions a wish, in three languages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import pytest

from dialoom.understanding import Recogniser
from tests.understanding.slots.freely import FREELY, REMARKS
from tests.understanding.slots.hire import HIRE
from tests.understanding.slots.small_bots import BOTS


def judged(
    name: str, now: datetime, *, with_slots: bool, said: Iterable[tuple[str, str | None]]
) -> dict[str, list[str]]:
    """Return what was said by how it was taken: wishes as ``right``, ``wrong`` or ``missed``, all else as ``refused`` or
    ``taken``."""
    bot = (BOTS | HIRE)[name]
    recogniser = Recogniser(bot.definitions(with_slots=with_slots), bot.language, slots=bot.slots if with_slots else {})
    found: dict[str, list[str]] = {kind: [] for kind in ("right", "wrong", "missed", "refused", "taken")}
    for text, wanted in said:
        read = recogniser.recognise(text, ["Conversation"], now)["Conversation"]
        value = read[0].value["value"] if read else None
        if wanted is None:
            found["refused" if value is None else "taken"].append(text)
        else:
            found["missed" if value is None else "right" if value == wanted else "wrong"].append(text)
    return found


@pytest.mark.parametrize("name", BOTS)
def test_wishes_with_values_that_no_expression_has_are_understood(name: str, now: datetime) -> None:
    with_slots = judged(name, now, with_slots=True, said=BOTS[name].said)
    assert with_slots["wrong"] == []
    assert len(with_slots["missed"]) <= 2, with_slots["missed"]
    assert len(with_slots["right"]) >= len(judged(name, now, with_slots=False, said=BOTS[name].said)["right"])


@pytest.mark.parametrize("name", BOTS)
def test_values_alone_and_talk_about_other_things_are_no_wish(name: str, now: datetime) -> None:
    assert judged(name, now, with_slots=True, said=BOTS[name].said)["taken"] == []


def test_more_wishes_in_own_words_are_understood_with_slots_and_no_more_remarks_are_taken_for_one(
    now: datetime,
) -> None:
    def counts(*, with_slots: bool) -> tuple[int, int, int]:
        free = [judged(name, now, with_slots=with_slots, said=FREELY[name]) for name in BOTS]
        none = [
            judged(name, now, with_slots=with_slots, said=[(text, None) for text in REMARKS[name]]) for name in BOTS
        ]
        right, wrong = (sum(len(one[kind]) for one in free) for kind in ("right", "wrong"))
        return right, wrong, sum(len(one["taken"]) for one in (*free, *none))

    right, wrong, taken = counts(with_slots=True)
    plain_right, _, plain_taken = counts(with_slots=False)
    assert right >= max(38, plain_right + 8)
    assert wrong <= 1
    assert taken <= min(8, plain_taken)


def test_a_bot_that_set_no_weight_understands_more_with_slots_and_takes_less_for_a_wish(now: datetime) -> None:
    def counts(*, with_slots: bool) -> dict[str, int]:
        found = [judged(name, now, with_slots=with_slots, said=HIRE[name].said) for name in HIRE]
        return {kind: sum(len(one[kind]) for one in found) for kind in ("right", "wrong", "taken")}

    plain, with_slots = counts(with_slots=False), counts(with_slots=True)
    assert with_slots["right"] >= max(46, plain["right"])
    assert with_slots["wrong"] <= 1
    assert with_slots["taken"] <= min(3, plain["taken"])
