"""``dialoom studio`` beside a running service, as an operator uses it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service, call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live import Answer

LINK = re.compile(r"(http\S+/studio)#sign-in=(\S+)")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps({"id": "echo"}))
    steps = [{"type": "message", "messages": ["Hello"]}]
    (folder / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": steps}}}))
    service = Service([folder], tmp_path / "data")
    yield service
    service.stop()


def _sign_in(service: Service, token: str) -> Answer:
    return call("POST", f"{service.url}/v1/studio/sign-in", {"token": token}, {"Origin": service.url})


def _is_in(service: Service, answer: Answer) -> bool:
    cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    return call("GET", f"{service.url}/v1/studio/session", None, cookie).status == 200


def test_a_service_prints_a_link_and_the_command_makes_more_beside_it(service: Service) -> None:
    printed = LINK.search(service.output)
    assert printed is not None, service.output
    assert printed[1] == f"{service.url}/studio"
    made = dialoom("studio", "link", "--data", str(service.data), "--port", str(service.port)).stdout
    assert made.endswith("\n")
    found = LINK.fullmatch(made.splitlines()[-1])
    assert found is not None, made
    assert found[1] == f"{service.url}/studio"
    for token in (printed[2], found[2]):
        assert _is_in(service, _sign_in(service, token))
        assert _sign_in(service, token).status == 401


def test_a_link_leads_to_the_address_that_people_use(service: Service) -> None:
    made = dialoom("studio", "link", "--data", str(service.data), DIALOOM_BASE_URL="https://bots.example/")
    assert "https://bots.example/studio#sign-in=" in made.stdout


def test_everybody_is_signed_out_at_once(service: Service) -> None:
    data = ("--data", str(service.data))
    first, second = (LINK.findall(dialoom("studio", "link", *data).stdout)[0][1] for _ in range(2))
    signed_in = _sign_in(service, first)
    assert _is_in(service, signed_in)
    # The session, the link that is left, and the one that the start has printed.
    assert dialoom("studio", "sign-out", *data).stdout == "3 sessions and links ended. Nobody is signed in any more.\n"
    assert not _is_in(service, signed_in)
    assert _sign_in(service, second).status == 401


@pytest.mark.parametrize("action", ["link", "sign-out"])
def test_without_a_service_there_is_nothing_to_sign_in_to(tmp_path: Path, action: str) -> None:
    done = dialoom("studio", action, "--data", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "no data folder" in done.stderr
