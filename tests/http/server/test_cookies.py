"""What the service's cookies are called, what is set with them, and how one is read."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.http.server.cookies import PageCookie
from dialoom.http.server.exchange import Exchange


async def nothing(*_: Any) -> Any:
    raise AssertionError


def exchange(*cookies: bytes) -> Exchange:
    return Exchange({"headers": [(b"cookie", one) for one in cookies]}, nothing, nothing)


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("http://127.0.0.1:8080", "dialoom_x_8080"),
        ("http://bots.example", "dialoom_x_80"),
        ("HTTPS://bots.example", "__Host-dialoom_x_443"),
        ("https://bots.example:8443", "__Host-dialoom_x_8443"),
    ],
)
def test_a_name_holds_the_port_so_that_two_services_on_one_host_do_not_meet(base: str, name: str) -> None:
    assert PageCookie("dialoom_x", base, "/v1", "Lax").name == name


@pytest.mark.parametrize(
    ("base", "line"),
    [
        ("http://a:1", "x_1=text; Path=/v1; Max-Age=5; HttpOnly; SameSite=Strict"),
        ("HTTPS://a:1", "__Host-x_1=text; Path=/; Max-Age=5; HttpOnly; SameSite=Strict; Secure"),
    ],
)
def test_a_cookie_of_a_service_behind_tls_never_goes_out_in_clear(base: str, line: str) -> None:
    answered = exchange()
    PageCookie("x", base, "/v1", "Strict").set(answered, "text", 5)
    assert answered.extra == {"set-cookie": line}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        (None, None),
        (b"a=1", None),
        (b"a=1; x_1=2=3;b=4", "2=3"),
        (b"ax_1=1", None),
        (b"x_1", ""),
        (b"x_1=1; x_1=2", "1"),
    ],
)
def test_a_cookie_is_found_among_others(header: bytes | None, value: str | None) -> None:
    given = exchange() if header is None else exchange(header)
    assert PageCookie("x", "http://a:1", "/", "Lax").read(given) == value
