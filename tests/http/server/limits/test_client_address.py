"""From which address a request comes."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.http.server.limits.client_address import UNKNOWN, ClientAddresses, networks

PROXIES = "10.0.0.0/8, 192.0.2.7, 2001:db8:1::/48"


def _scope(peer: str | None, *forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": None if peer is None else (peer, 4711), "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", (), "203.0.113.5"),
        ("203.0.113.5", ("198.51.100.1",), "203.0.113.5"),
        ("10.1.2.3", ("198.51.100.1",), "198.51.100.1"),
        ("10.1.2.3", ("1.1.1.1, 198.51.100.1",), "198.51.100.1"),
        ("10.1.2.3", ("1.1.1.1, 198.51.100.1, 192.0.2.7",), "198.51.100.1"),
        ("10.1.2.3", ("1.1.1.1", "198.51.100.1", "10.9.9.9"), "198.51.100.1"),
        ("10.1.2.3", ("10.4.4.4, 10.5.5.5",), "10.4.4.4"),
        ("10.1.2.3", ("198.51.100.1, nonsense",), "10.1.2.3"),
        ("10.1.2.3", ("198.51.100.1, nonsense, 10.9.9.9",), "10.9.9.9"),
        ("10.1.2.3", ("",), "10.1.2.3"),
        ("10.1.2.3", ("198.51.100.1:55000",), "198.51.100.1"),
        ("10.1.2.3", ("[2001:db8:ffff:1:2:3:4:5]:55000",), "2001:db8:ffff:1::/64"),
        ("::ffff:10.1.2.3", ("198.51.100.1",), "198.51.100.1"),
        ("::ffff:203.0.113.5", (), "203.0.113.5"),
        ("2001:db8:1::1", ("2001:db8:ffff:1:2:3:4:5",), "2001:db8:ffff:1::/64"),
        ("2001:db8:ffff:1:a:b:c:d", (), "2001:db8:ffff:1::/64"),
        ("fe80::1%eth0", (), "fe80::/64"),
        (None, ("198.51.100.1",), UNKNOWN),
    ],
)
def test_the_right_most_hop_that_no_trusted_proxy_is_counts(
    peer: str | None, forwarded: tuple[str, ...], address: str
) -> None:
    assert ClientAddresses(networks(PROXIES)).address(_scope(peer, *forwarded)) == address


def test_without_trusted_proxies_nothing_that_a_request_says_counts() -> None:
    assert ClientAddresses().address(_scope("127.0.0.1", "198.51.100.1")) == "127.0.0.1"


def test_an_endless_chain_of_hops_is_not_walked_to_its_end() -> None:
    hops = ", ".join(["198.51.100.1"] + ["10.0.0.1"] * 5000)
    assert ClientAddresses(networks(PROXIES)).address(_scope("10.1.2.3", hops)) == "10.0.0.1"
