"""What a message of the bot becomes on a channel that can show less."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.channels._contract import adaptive_cards, taps
from dialoom.channels._contract.fit import Link, Part, clipped, fit, plain_dialog, plain_options, split, titles
from dialoom.flow.channels import ChannelRow
from dialoom.messages import BotMessage, Dialog, Option, Profile
from dialoom.service.chat.transcript import Spoken

OPTIONS = (Option("**Green** tea", "green", "1.0"), Option("Black tea", "black", "1.1"))
SELECT = Dialog("single-select", "Choose", "Take it", OPTIONS, key="1")


def row(**named: Any) -> ChannelRow:
    return ChannelRow(type="messenger-3", shown_as="Telegram", folder="telegram", **named)


def parts(message: BotMessage, picker: str | None = None, **named: Any) -> list[Part]:
    return fit(Spoken("m", message, picker), row(**named), "en")


def test_a_channel_that_shows_all_gets_the_message_whole() -> None:
    assert parts(BotMessage("*Which?*", dialog=SELECT)) == [Part("*Which?*", dialog=plain_dialog(SELECT))]


def test_a_channel_without_markdown_gets_plain_texts_and_titles() -> None:
    (part,) = parts(BotMessage("*Which?*\n_Now_", OPTIONS), shows_markdown=False)
    assert part.text == "Which?\nNow"
    assert [button.title for button in part.buttons] == ["Green tea", "Black tea"]
    assert [button.key for button in part.buttons] == ["1.0", "1.1"]


def test_more_buttons_than_a_message_holds_are_listed_in_the_text() -> None:
    assert parts(BotMessage("Which?", OPTIONS), max_buttons=1) == [Part("Which?\n- Green tea\n- Black tea")]


def test_a_dialog_that_is_not_shown_is_a_link_to_the_picker_page() -> None:
    found = parts(BotMessage("Which?", dialog=SELECT), "https://b/pick", displays={"single-select": "on-page"})
    assert found == [Part("Which?", link=Link("Choose", "https://b/pick"))]


@pytest.mark.parametrize("picker", [None, "https://b/pick"])
def test_a_dialog_that_is_a_list_or_has_no_page_is_numbered_in_the_text(picker: str | None) -> None:
    found = parts(BotMessage("Which?", dialog=SELECT), picker, displays={"single-select": "as-list"})
    assert found == [Part("Which?\n1. Green tea\n2. Black tea")]


def test_a_dialog_that_is_shown_as_text_leaves_the_question() -> None:
    date = Dialog("date-picker", "Open", "Submit", key="1")
    assert parts(BotMessage("When?", dialog=date), "x", displays={"date-picker": "as-text"}) == [Part("When?")]


def test_a_login_is_a_link_everywhere() -> None:
    login = Dialog("login", "Log in", url="https://b/start")
    assert parts(BotMessage("Please.", dialog=login)) == [Part("Please.", link=Link("Log in", "https://b/start"))]


def test_buttons_stand_on_the_last_part_of_a_long_text() -> None:
    found = parts(BotMessage("One is here. Two is there.", OPTIONS[1:]), max_text_chars=14)
    assert [(part.text, len(part.buttons)) for part in found] == [("One is here.", 0), ("Two is there.", 1)]


def test_a_message_that_says_nothing_has_no_parts() -> None:
    assert parts(BotMessage("")) == []


@pytest.mark.parametrize(
    ("text", "most", "pieces"),
    [
        ("short", None, ["short"]),
        ("short", 5, ["short"]),
        ("One. Two. Three.", 10, ["One. Two.", "Three."]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("  ab", 2, ["ab"]),
        ("ae\u0301x", 2, ["a", "e\u0301", "x"]),
        ("a👩\u200d👧b", 5, ["a", "👩\u200d👧", "b"]),
        ("a🇩🇪🇫🇷b", 4, ["a", "🇩🇪", "🇫🇷", "b"]),
        ("🇩🇪🇫🇷", 7, ["🇩🇪", "🇫🇷"]),
        ("a👍🏽b", 4, ["a", "👍🏽", "b"]),
        ("ab😀", 3, ["ab", "😀"]),
        ("😀", 1, ["😀"]),
    ],
)
def test_a_text_is_cut_behind_sentences_else_between_words_else_between_signs(
    text: str, most: int | None, pieces: list[str]
) -> None:
    assert split(text, most) == pieces


CLUSTERS = [
    "e\u0301\u0323",
    "👨‍👩‍👧‍👦",
    "1️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "❤️‍🔥",
    "🇩🇪",
    "👍🏽",
    "क्षि",
    "নি",
    "நி",
    "กำ",
    "각",
    "ᄀ\uac00\u11a8",
    "שָׁ",
    "مُّ",
    "\u0600١",
    "ｶﾞ",
    "م\u200c",
    " \u0301",
]
"""Signs of several characters: accents, families, keycaps, flags, Indic syllables, Hangul, vowel signs."""


ASSIGNED = st.characters(exclude_categories=["Cn", "Co", "Cs"])
PLAIN = ["a", "b ", ". ", "\n", "\r\n", "😀"]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.sampled_from([*CLUSTERS, *PLAIN]), ASSIGNED), max_size=30), st.integers(12, 40))
def test_no_cut_lies_within_a_grapheme_and_no_piece_is_longer_than_the_limit(signs: list[str], most: int) -> None:
    text = "".join(signs)
    graphemes = regex.findall(r"\X", text)
    ends = {0, *itertools.accumulate(map(len, graphemes))}
    pieces, at = split(text, most), 0
    for piece in pieces:
        begin = text.index(piece, at)
        assert not text[at:begin].strip()
        at = begin + len(piece)
        if max(map(units, graphemes)) <= most:
            assert units(piece) <= most
            assert begin in ends or text[begin - 1].isspace()
            assert at in ends
    assert not text[at:].strip()


@pytest.mark.parametrize("sign", CLUSTERS)
def test_a_title_is_cut_between_graphemes(sign: str) -> None:
    (whole,) = regex.findall(r"\X", sign)
    for most in range(15, 30):
        cut = clipped(sign * 40, most)
        assert cut.endswith("…")
        assert cut[:-1].replace(whole.strip(), "").strip() == ""


def test_titles_that_read_alike_when_they_are_cut_are_numbered_and_paging_buttons_are_not() -> None:
    long = [Option(f"The round table number {number}", number) for number in (1, 2)]
    shown = titles([*long, Option("Next 5", "next", system="next")], 12)
    assert shown == ["1. The roun…", "2. The roun…", "Next 5"]
    assert titles(long, 30) == ["The round table number 1", "The round table number 2"]


def test_a_suggestion_says_its_value_on_every_channel_and_its_title_where_that_is_no_text() -> None:
    weather, place = plain_options([Option("**Weather**", "forecast"), Option("**Here**", {"lat": 1})])
    for option, says in ((weather, "forecast"), (place, "Here")):
        assert taps.payload(option, 64) == f"={says}"
        assert adaptive_cards.brings(option) == {adaptive_cards.TEXT: says}


@pytest.mark.parametrize(("words", "is_short"), [("ä" * 31 + "a", False), ("ä" * 32, True)])
def test_a_suggestion_that_is_too_long_for_a_button_sends_a_short_key_of_its_words(
    words: str, *, is_short: bool
) -> None:
    option = Option("More", words)
    sent = taps.payload(option, 64)
    assert (sent == taps.short_key(option)) == is_short
    assert len(sent.encode()) <= 64
    event = taps.tapped(sent, "More", Profile(id="ada"), "1")
    assert event.suggestion == (sent if is_short else "")
