"""The colours and fonts of ``look``: how they are written, and backgrounds that texts cannot be read on."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from dialoom.flow.check.look import luminance
from tests.flow.files import said, texts


def found(rule: str, **look: Any) -> list[str]:
    return said(check_files(texts({"id": "bot", "look": look}, {"conversations": {}})), rule)


@pytest.mark.parametrize("colour", ["#0b6bcb", "#FFF", "#000000"])
def test_a_colour_is_written_in_three_or_six_digits(colour: str) -> None:
    assert found("bad-look", brand=colour, background=colour) == []


@pytest.mark.parametrize("colour", ["blue", "#12345", "#11223344", "rgb(0, 0, 0)", "#fff;} body {display: none", ""])
def test_what_is_written_in_another_way_is_refused(colour: str) -> None:
    (message,) = found("bad-look", brand=colour)
    assert message.startswith("look/brand: ")
    assert "Write it as #rrggbb" in message


@pytest.mark.parametrize(("font", "is_right"), [("Inter, Open Sans", True), ('"Inter"', False), ("x</style>", False)])
def test_a_font_is_names_without_quotes(font: str, is_right: bool) -> None:
    assert bool(found("bad-look", font=font)) is not is_right


@pytest.mark.parametrize(("colour", "is_right"), [("#fffaf0", True), ("#1e293b", True), ("#888888", False)])
def test_a_background_is_light_or_dark_enough_for_texts(colour: str, is_right: bool) -> None:
    messages = found("unreadable-look", background=colour)
    assert bool(messages) is not is_right
    assert all(message.startswith("look/background: Texts cannot be read on ") for message in messages)


def test_corners_have_a_bound() -> None:
    assert found("not-allowed", radius=25) == ["look/radius: 25 is out of bounds: it must be at most 24."]


def test_luminance_is_that_of_the_guidelines() -> None:
    assert [round(luminance(colour), 4) for colour in ("#fff", "#000000", "#ff0000", "#777777")] == [
        1,
        0,
        0.2126,
        0.1845,
    ]
