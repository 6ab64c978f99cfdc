"""What slots are worth to a bot with six or seven expressions a wish, in three languages."""

from __future__ import annotations

from datetime import datetime

import pytest

from dialoom.understanding import Recogniser
from tests.understanding.slots.small_bots import BOTS


def judged(name: str, now: datetime, *, with_slots: bool) -> dict[str, list[str]]:
    """Return what was said by how it was taken: wishes as ``right``, ``wrong`` or ``missed``, all else as ``refused`` or
    ``taken``."""
    bot = BOTS[name]
    recogniser = Recogniser(bot.definitions(with_slots=with_slots), bot.language, slots=bot.slots if with_slots else {})
    found: dict[str, list[str]] = {kind: [] for kind in ("right", "wrong", "missed", "refused", "taken")}
    for text, wanted in bot.said:
        read = recogniser.recognise(text, ["Conversation"], now)["Conversation"]
        value = read[0].value["value"] if read else None
        if wanted is None:
            found["refused" if value is None else "taken"].append(text)
        else:
            found["missed" if value is None else "right" if value == wanted else "wrong"].append(text)
    return found


@pytest.mark.parametrize("name", BOTS)
def test_wishes_with_values_that_no_expression_has_are_understood(name: str, now: datetime) -> None:
    with_slots = judged(name, now, with_slots=True)
    assert with_slots["wrong"] == []
    assert len(with_slots["missed"]) <= 2, with_slots["missed"]
    assert len(with_slots["right"]) >= len(judged(name, now, with_slots=False)["right"])


@pytest.mark.parametrize("name", BOTS)
def test_values_alone_and_talk_about_other_things_are_no_wish(name: str, now: datetime) -> None:
    assert judged(name, now, with_slots=True)["taken"] == []
