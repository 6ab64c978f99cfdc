"""``dialoom after-restore`` and ``dialoom clock confirm`` beside a running service, as an operator uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service, call, echo_bot, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service([echo_bot(tmp_path / "bot")], tmp_path / "data")
    yield service
    service.stop()


def _status(service: Service, token: str) -> int:
    headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
    return call("GET", f"{service.url}/v1/bots/echo/conversations", None, headers).status


def _token(service: Service) -> str:
    """The server access token that lives."""
    shown = dialoom("token", "list", "echo", "--show", "--data", str(service.data)).stdout
    (token,) = [word for word in shown.split() if word.startswith("dlm_")]
    return token


def test_after_a_restore_one_command_replaces_the_tokens(service: Service) -> None:
    old = _token(service)
    place = ("--data", str(service.data))
    asked = dialoom("after-restore", *place)
    assert (asked.returncode, "--yes" in asked.stderr) == (2, True)
    assert _status(service, old) == 200
    done = dialoom("after-restore", "--yes", *place)
    assert done.returncode == 0, done.stderr
    assert "Revoked: 2.\n  echo  first  server  read" in done.stdout
    new = _token(service)
    assert new != old
    assert not {old, new} & set(done.stdout.split())
    assert _status(service, new) == 200
    # A process trusts a token that it has looked up for a second.
    wait_until(lambda: _status(service, old) == 401)


def test_the_clock_is_confirmed_beside_the_service(service: Service) -> None:
    done = dialoom("clock", "confirm", "--data", str(service.data))
    assert done.returncode == 0, done.stderr
    assert "It was not doubted" in done.stdout
