"""Rates and the table that holds clients to them, with a clock that the test moves."""

from __future__ import annotations

import pytest

from dialoom.errors import SettingError
from dialoom.service.access.rate import Known, Limiter, Rate, read_rate
from dialoom.service.settings import SECRET, read_settings


@pytest.mark.parametrize("name", ["rate_token", "rate_user", "rate_address"])
@pytest.mark.parametrize("text", ["60", "0/s", "5 per s", "60/day", "60/min burst", "-1/s", ""])
def test_a_rate_that_cannot_be_read_stops_the_start_with_examples(name: str, text: str) -> None:
    with pytest.raises(SettingError, match=rf"{name} .*60/min, 20/s burst 100, off"):
        read_settings({}, {f"DIALOOM_{name.upper()}": text})


@pytest.mark.parametrize("text", ["10.0.0.1/8", "everybody", "10.0.0.0/8, 300.1.1.1"])
def test_a_proxy_that_is_no_network_stops_the_start(text: str) -> None:
    with pytest.raises(SettingError, match=r"trusted_proxies .* is no network"):
        read_settings({}, {"DIALOOM_TRUSTED_PROXIES": text})


def test_a_token_for_metrics_is_shown_in_no_message() -> None:
    assert "metrics_token" in SECRET


class Now:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("off", None),
        ("60/min", Rate(1.0, 60)),
        ("20/s burst 100", Rate(0.05, 100)),
        ("3600/h burst 1", Rate(1.0, 1)),
    ],
)
def test_a_rate_is_read_as_a_setting_names_it(text: str, rate: Rate | None) -> None:
    assert read_rate(text) == rate


def test_a_burst_goes_and_the_next_waits_for_its_interval() -> None:
    now = Now()
    limiter = Limiter(Rate(2.0, 3), now=now)
    assert [limiter.take("ada") for _ in range(4)] == [0, 0, 0, pytest.approx(2.0)]
    now.seconds += 1.5
    assert limiter.take("ada") == pytest.approx(0.5)
    now.seconds += 0.5
    assert limiter.take("ada") == 0
    assert limiter.take("ada") == pytest.approx(2.0)


def test_what_was_refused_costs_nothing() -> None:
    now = Now()
    limiter = Limiter(Rate(1.0, 1), now=now)
    limiter.take("ada")
    for _ in range(100):
        assert limiter.take("ada") > 0
    now.seconds += 1
    assert limiter.take("ada") == 0


def test_a_rest_gives_the_burst_back_and_no_more() -> None:
    now = Now()
    limiter = Limiter(Rate(1.0, 3), now=now)
    for _ in range(3):
        limiter.take("ada")
    now.seconds += 100
    assert [limiter.take("ada") > 0 for _ in range(4)] == [False, False, False, True]


def test_clients_do_not_share_a_rate() -> None:
    limiter = Limiter(Rate(1.0, 1), now=Now())
    assert limiter.take("ada") == limiter.take("bob") == 0
    assert limiter.take("ada") > 0


def test_asking_how_long_to_wait_counts_nothing() -> None:
    limiter = Limiter(Rate(1.0, 1), now=Now())
    assert [limiter.wait("ada") for _ in range(3)] == [0, 0, 0]
    limiter.take("ada")
    assert limiter.wait("ada") == pytest.approx(1.0)


def test_the_table_forgets_who_has_paid_and_never_grows_beyond_its_bound() -> None:
    now = Now()
    limiter = Limiter(Rate(1.0, 1), most=100, now=now)
    for client in range(1000):
        limiter.take(client)
    assert len(limiter) == 100
    assert limiter.take(999) > 0
    now.seconds += 10
    for client in range(1000, 1060):
        limiter.take(client)
    assert len(limiter) == 60


def test_a_key_is_known_for_a_while_after_its_last_proof() -> None:
    now = Now()
    known = Known(10.0, now=now)
    assert "ada" not in known
    known.add("ada")
    now.seconds += 9
    known.add("ada")
    now.seconds += 9
    assert "ada" in known
    now.seconds += 1
    assert "ada" not in known


def test_who_is_forgotten_must_prove_itself_again() -> None:
    known = Known(10.0, now=Now())
    known.add("ada")
    known.forget("ada")
    known.forget("ada")
    assert "ada" not in known


def test_of_more_keys_than_are_kept_the_one_with_the_oldest_proof_gives_way() -> None:
    known = Known(10.0, most=3, now=Now())
    for key in ("ada", "bob", "cleo", "ada", "dan"):
        known.add(key)
    assert len(known) == 3
    assert [key in known for key in ("ada", "bob", "cleo", "dan")] == [True, False, True, True]
