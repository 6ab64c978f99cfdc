"""A stored message as the chat's front end reads it."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.channels.web import protocol as web
from dialoom.messages import MessageRecord
from dialoom.storage.store import StoredMessage

LINKS = web.Links(
    file=lambda url: f"{url}?signed",
    login=lambda link: f"https://bots.example/login/{link}",
    place=lambda dialog: dialog | {"search": True},
)


def form(payload: Any) -> dict[str, Any]:
    record = MessageRecord(
        id="m1", bot="b", conversation="c", user="u", channel="web", from_="bot", type="template", text="Please log in.",
        payload=payload, created_at="2026-11-20T08:15:30.250Z", sequence=1,
    )  # fmt: skip
    return web.form(StoredMessage(1, record), LINKS)


def test_a_login_dialog_gets_the_address_of_its_link() -> None:
    dialog = {"type": "login", "title": "Log in", "key": "l1"}
    assert form({"dialog": dialog})["dialog"] == dialog | {"url": "https://bots.example/login/l1"}


@pytest.mark.parametrize("key", [{}, {"key": None}, {"key": ""}], ids=["none", "null", "empty"])
def test_a_login_dialog_that_names_no_link_gets_none(key: dict[str, Any]) -> None:
    dialog = {"type": "login", "title": "Log in"} | key
    assert form({"dialog": dialog})["dialog"] == dialog


def test_another_dialog_with_a_key_gets_no_address() -> None:
    dialog = {"type": "carousel", "key": "4"}
    assert form({"dialog": dialog})["dialog"] == dialog
