"""Which pages may call the chat endpoints."""

from __future__ import annotations

import pytest

from dialoom.errors import RequestError
from dialoom.flow.channels import Channel
from dialoom.http.server.origin import Origins

WEB = Channel(id="web", type="web", allowed_origins=("https://shop.example:443", "http://dev.example:3000/"))


@pytest.mark.parametrize(
    ("base", "derived", "origin"),
    [
        ("http://127.0.0.1:8080", True, "http://localhost:8080"),
        ("http://127.0.0.1:80", True, "http://127.0.0.1"),
        ("http://[::1]:8080", True, "http://[::1]:8080"),
        ("https://bots.example:443", False, "https://bots.example"),
        ("https://Bots.example", False, "https://bots.example"),
        ("https://bots.example/path", False, "https://bots.example"),
    ],
)
def test_the_services_own_page_is_known_by_every_spelling_of_its_origin(base: str, derived: bool, origin: str) -> None:
    assert Origins(base, is_derived=derived).is_own(origin)


@pytest.mark.parametrize(
    ("base", "derived", "origin"),
    [
        ("http://127.0.0.1:8080", False, "http://localhost:8080"),
        ("http://127.0.0.1:8080", True, "http://localhost:8081"),
        ("https://bots.example", False, "http://bots.example"),
        ("https://bots.example", False, "null"),
        ("https://bots.example", False, "https://bots.example.evil"),
        ("https://bots.example", False, "https://[bad"),
    ],
)
def test_another_origin_is_not_the_services_own(base: str, derived: bool, origin: str) -> None:
    assert not Origins(base, is_derived=derived).is_own(origin)


@pytest.mark.parametrize(
    ("base", "own"),
    [("https://Bots.example:443/x", "https://bots.example"), ("http://[::1]:8080", "http://[::1]:8080")],
)
def test_the_pages_that_may_have_a_chat_are_told_as_browsers_write_them_and_once_each(base: str, own: str) -> None:
    allowed = ("https://shop.example:443", "http://dev.example:3000/", "https://shop.example", base)
    channel = Channel(id="web", type="web", allowed_origins=allowed)
    origins = Origins(base, is_derived=False)
    assert origins.allowed(channel) == [own, "https://shop.example", "http://dev.example:3000"]
    assert origins.allowed(Channel(id="web", type="web")) == [own]


def test_listed_origins_may_call_and_others_may_not() -> None:
    origins = Origins("https://bots.example", is_derived=False)
    assert origins.check("https://shop.example", WEB)["access-control-allow-origin"] == "https://shop.example"
    assert origins.check("http://dev.example:3000", WEB)["access-control-expose-headers"].startswith(
        "retry-after, request-id, "
    )
    assert origins.check(None, WEB) == {}
    with pytest.raises(RequestError):
        origins.check("https://other.example", WEB)
