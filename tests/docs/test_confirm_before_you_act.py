"""The recipe of docs/do/confirm-before-you-act.md: made as it says, and each reply of its table said to it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dialoom.authoring.play import Player
from dialoom.authoring.scenarios import Scenario, TestStep, UserTurn
from dialoom.engine import compile_flow
from dialoom.flow import check_folder, read_bot
from dialoom.template import prepare
from tests.docs.test_learn import ROW, follow

PAGE = (Path(__file__).parents[2] / "docs" / "do" / "confirm-before-you-act.md").read_text("utf-8")
ROWS = ROW.findall(PAGE)
MOCKS = {"https://garage.example.com/bookings": {"POST": {"id": 1}}}
MONDAY = 1_803_891_600_000
"""2027-03-01, 9:00."""
TO_THE_CONFIRMATION = ("book", "Audi", "5 March at 9:00", "skip")


@pytest.fixture
def garage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    prepare("en", "Universal")
    follow(PAGE)
    return tmp_path / "garage"


def test_the_bot_of_the_page_passes_its_tests_and_answers_each_reply_as_the_page_says(garage: Path) -> None:
    assert len(ROWS) >= 8
    assert [str(one) for one in check_folder(garage) if one.rule != "few-expressions"] == []
    bot = read_bot(garage)
    player = Player(bot, compile_flow(bot))
    way = [TestStep(UserTurn(text=text), (({},), ({}, {}))) for text in TO_THE_CONFIRMATION]
    for said, told in ROWS:
        step = TestStep(UserTurn(text=said), (({"text": told},), ({"text": told}, {})))
        result = asyncio.run(player.play(Scenario("the page", "it", (*way, step), MOCKS, {}, {}, now=MONDAY)))
        assert result.lines == (), said
