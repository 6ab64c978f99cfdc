"""What the service's cookies are called, and how one is found."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.http.server.cookies import cookie_name, found, secure
from dialoom.http.server.exchange import Exchange


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("http://127.0.0.1:8080", "dialoom_x_8080"),
        ("http://bots.example", "dialoom_x_80"),
        ("HTTPS://bots.example", "dialoom_x_443"),
        ("https://bots.example:8443", "dialoom_x_8443"),
    ],
)
def test_a_name_holds_the_port_so_that_two_services_on_one_host_do_not_meet(base: str, name: str) -> None:
    assert cookie_name("dialoom_x", base) == name


def test_a_cookie_of_a_service_behind_tls_never_goes_out_in_clear() -> None:
    assert (secure("HTTPS://bots.example"), secure("http://127.0.0.1:8080")) == ("; Secure", "")


@pytest.mark.parametrize(
    ("header", "value"),
    [(None, None), (b"a=1", None), (b"a=1; x=2=3;b=4", "2=3"), (b"ax=1", None), (b"x", ""), (b"x=1; x=2", "1")],
)
def test_a_cookie_is_found_among_others(header: bytes | None, value: str | None) -> None:
    scope: dict[str, Any] = {"headers": [] if header is None else [(b"cookie", header)]}

    async def nothing(*_: Any) -> Any:
        raise AssertionError

    assert found(Exchange(scope, nothing, nothing), "x") == value
