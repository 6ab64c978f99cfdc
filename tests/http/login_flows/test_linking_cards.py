"""The cards of account linking: escaped whatever comes in, complete in every language, with no more rights than needed."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import get_args

import msgspec
import pytest

from dialoom.flow.model import Look
from dialoom.http.login_pages.cards import REASONS, Reason, refusal_card
from dialoom.http.login_pages.endpoints import in_header
from dialoom.http.pages import card as pages
from dialoom.http.pages.card import CLOSE_SCRIPT, START_SCRIPT, Button, Card, PageOwner
from dialoom.http.problems import PROBLEMS
from dialoom.languages import LANGUAGES, login_texts

EVIL = "\"'><script>alert(1)</script>&"
WHOSE = PageOwner("en", "Tea house", "https://shop.example/tea.png")
FULL = Card(
    title="Title",
    texts=("One.", "Two."),
    rows=(("Bot", "Tea house"),),
    code="012345",
    button=Button("Go on", "https://id.example/?a=1&b=2"),
    quiet="Small.",
    refresh="https://id.example/?a=1&b=2",
    script=START_SCRIPT,
    script_data={"next": "/x"},
)


class Reader(HTMLParser):
    """What a browser makes of it: elements that are not closed and scripts that should not be there show up."""

    EMPTY = frozenset({"meta", "link", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {f"{tag} {name}": value for name, value in attributes}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_card_is_whole() -> None:
    found = Reader(pages.page(FULL, WHOSE))
    assert found.open == []
    assert found.tags.count("h1") == found.tags.count("main") == 1
    assert found.attributes["main data-next"] == "/x"
    assert found.attributes["a href"] == "https://id.example/?a=1&b=2"
    assert found.attributes["meta content"] == "0; url=https://id.example/?a=1&b=2"


def test_a_code_is_read_aloud_digit_by_digit_and_copied_as_it_stands() -> None:
    text = pages.page(FULL, WHOSE)
    assert '<p class="code" dir="ltr" role="img" aria-label="0 1 2 3 4 5">012345</p>' in text


def test_whatever_comes_in_is_a_text() -> None:
    card = Card(
        title=EVIL,
        texts=(EVIL,),
        rows=((EVIL, EVIL),),
        code=EVIL,
        button=Button(EVIL, EVIL),
        quiet=EVIL,
        refresh=EVIL,
        script_data={"next": EVIL},
    )
    for one in (card, msgspec.structs.replace(card, button=Button(EVIL, answer=EVIL))):
        text = pages.page(one, PageOwner(EVIL, EVIL, EVIL))
        found = Reader(text)
        assert found.open == []
        assert "script" not in found.tags
        assert found.attributes["main data-next"] == EVIL
        assert "alert(1)</script>" not in text


def test_without_a_bot_a_card_has_no_name_over_it() -> None:
    assert "<header>" not in pages.page(FULL, PageOwner("de"))


@pytest.mark.parametrize(("language", "direction"), [("ar-EG", "rtl"), ("pt_BR", "ltr"), ("xx", "ltr")])
def test_a_card_runs_as_its_language_does(language: str, direction: str) -> None:
    found = Reader(pages.page(FULL, PageOwner(language)))
    assert found.attributes["html dir"] == direction


def test_the_policy_allows_the_card_s_own_style() -> None:
    style = re.search(r"<style>(.*?)</style>", pages.page(FULL, WHOSE), re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in pages.policy(FULL)


@pytest.mark.parametrize(
    ("card", "rights"),
    [
        (Card(title="", texts=()), "base-uri 'none'; form-action 'none'"),
        (
            Card(title="", texts=(), script=START_SCRIPT),
            "script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
        ),
        (Card(title="", texts=(), script=CLOSE_SCRIPT), "script-src 'self'; base-uri 'none'; form-action 'none'"),
        (Card(title="", texts=(), button=Button("", answer="x")), "base-uri 'none'; form-action 'self'"),
        (Card(title="", texts=(), button=Button("", "https://x.example")), "base-uri 'none'; form-action 'none'"),
    ],
)
def test_a_card_has_the_rights_that_it_needs_and_no_others(card: Card, rights: str) -> None:
    found = re.sub(r"style-src '[^']+'; ", "", pages.policy(card))
    assert found == f"default-src 'none'; img-src 'self' https: data:; {rights}; frame-ancestors 'none'"


# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_says_a_text_of_a_page_in_english(language: str) -> None:
    theirs, english = msgspec.structs.asdict(login_texts(language)), msgspec.structs.asdict(login_texts("en"))
    if language != "en":
        # Some languages say "bot" as English does.
        assert [name for name, text in theirs.items() if text == english[name]] in ([], ["confirm_bot"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_refusal_says_what_happened_and_what_to_do(language: str, reason: str) -> None:
    code = next((code for code, known in REASONS.items() if known == reason), "overloaded")
    card = refusal_card(language, code)
    assert card.title
    assert len(card.texts) == (1 if reason == "busy" else 2)
    assert all(card.texts)
    if language != "en":
        assert {card.title, *card.texts}.isdisjoint({refusal_card("en", code).title, *refusal_card("en", code).texts})


def test_english_defaults_are_those_of_the_specification() -> None:
    texts = login_texts("en")
    assert texts.done_title == "Login successful!"
    assert texts.done_text == "You can now close this tab and continue your conversation."


def test_refusals_of_logins_are_told_apart_and_the_rest_passes() -> None:
    of_logins = {code for code in PROBLEMS if code.startswith("login-")} - {"login-challenge", "login-landing"}
    assert of_logins <= set(REASONS)
    assert refusal_card("en", "store-away").title == refusal_card("en", "too-many-requests").title
    assert refusal_card("en", "login-over").texts[1] == "Please ask for a new link in the chat."


# ---- addresses in headers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("https://id.example/a?b=c%20d&e=[1]#f", "https://id.example/a?b=c%20d&e=[1]#f"),
        ("https://shop.example/grün", "https://shop.example/gr%C3%BCn"),
        ("https://x.example/\r\nset-cookie: a=b", "https://x.example/%0D%0Aset-cookie:%20a=b"),
        ('https://x.example/"<>', "https://x.example/%22%3C%3E"),
    ],
)
def test_an_address_goes_into_a_header_and_nothing_else_does(address: str, sent: str) -> None:
    assert in_header(address) == sent


def test_a_card_wears_the_bots_look_and_its_policy_names_that_style() -> None:
    look = Look(brand="#ffd400", font="Inter")
    card = Card(title="", texts=())
    text = pages.page(card, PageOwner("en", "Bot", look=look))
    (style,) = re.findall("<style>(:root{--look.*?)</style>", text)
    assert style == ":root{--look-brand:#ffd400;--look-font:Inter}"
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in pages.policy(card, look)
    assert pages.policy(card).count("sha256-") == 1
