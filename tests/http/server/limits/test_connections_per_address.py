"""How many connections each address has open."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.http.server.limits.client_address import (
    LOG_EVERY_SECONDS,
    ClientAddresses,
    ConnectionsPerAddress,
    networks,
)

if TYPE_CHECKING:
    import pytest


def test_each_address_is_counted_by_itself_and_ipv6_by_its_64() -> None:
    addresses = ConnectionsPerAddress(ClientAddresses())
    assert [addresses.enter("203.0.113.5"), addresses.enter("203.0.113.5"), addresses.enter("203.0.113.6")] == [1, 2, 1]
    assert [addresses.enter("2001:db8::1"), addresses.enter("2001:db8::2"), addresses.enter("2001:db8:0:1::1")] == [
        1,
        2,
        1,
    ]
    assert [addresses.enter("::ffff:203.0.113.6")] == [2]


def test_what_was_closed_counts_no_longer() -> None:
    addresses = ConnectionsPerAddress(ClientAddresses())
    for _ in range(3):
        addresses.enter("203.0.113.5")
    for _ in range(2):
        addresses.leave("203.0.113.5")
    assert addresses.enter("203.0.113.5") == 2


def test_a_trusted_proxy_loopback_and_a_unix_socket_have_no_count() -> None:
    addresses = ConnectionsPerAddress(ClientAddresses(networks("10.0.0.0/8")))
    for host in ("10.1.2.3", "127.0.0.1", "::1", "::ffff:127.0.0.1", None):
        assert [addresses.enter(host) for _ in range(3)] == [0, 0, 0]
        addresses.leave(host)
    assert addresses.enter("11.1.2.3") == 1


def test_the_log_says_once_a_minute_that_an_address_was_refused_and_never_which(
    caplog: pytest.LogCaptureFixture,
) -> None:
    addresses = ConnectionsPerAddress(ClientAddresses())
    with caplog.at_level(logging.WARNING):
        for now in (5.0, 6.0, 5.0 + LOG_EVERY_SECONDS - 1, 5.0 + LOG_EVERY_SECONDS):
            addresses.log_refusal(2500, now)
    assert [record.getMessage().count("DIALOOM_TRUSTED_PROXIES") for record in caplog.records] == [1, 1]
