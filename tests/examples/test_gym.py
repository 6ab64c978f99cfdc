"""The gym: a bot whose members sign in, with its desk and its identity provider, as the demo runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.flow import check_folder
from tests.identity.browser import Browser
from tests.live import Process, Service, call, free_port, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[2] / "examples" / "gym"
SECRET = "gym-demo"
ADA = ("ada", "demo")


@pytest.fixture(scope="module")
def gym(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str]]:
    """The service with the bot on its back end; the port of both is moved to a free one."""
    folder = tmp_path_factory.mktemp("gym")
    port = free_port()
    (folder / "bot").mkdir()
    for name in ("bot.json", "flow.json", "training.json"):
        text = (FOLDER / name).read_text("utf-8")
        (folder / "bot" / name).write_text(text.replace("127.0.0.1:8092", f"127.0.0.1:{port}"), "utf-8")
    secret = {"BOT_GYM_SECRET": SECRET}
    backend = Process([sys.executable, str(FOLDER / "backend.py"), "--port", str(port)], r"http://", secret)
    try:
        service = Service([folder / "bot"], folder / "data", environment=secret)
        yield service, f"http://127.0.0.1:{port}/members"
        service.stop()
    finally:
        backend.stop()


def _texts(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [message["text"] for message in answer.json]


def test_the_bot_is_checked_without_a_finding() -> None:
    assert [str(finding) for finding in check_folder(FOLDER)] == []


def test_every_conversation_test_passes() -> None:
    command = [sys.executable, "-m", "dialoom.cli", "test", str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_member_signs_in_sees_the_classes_and_signs_out(gym: tuple[Service, str]) -> None:
    service, issuer = gym
    [_, prompt] = service.say("gym", "ada", "my classes").json
    browser = Browser()
    form = browser.go(prompt["v2template"]["buttons"][0]["url"], issuer)
    wrong = browser.submit(form, member="ada", password="guess", do="sign-in")
    assert "not right" in wrong.text
    assert "You are signed in" in browser.submit(wrong, member="ada", password="demo", do="sign-in").text
    heard: list[str] = []
    later = f"{service.url}/v1/bots/gym/channels/rest/rest/test/messages?sender=ada"
    headers = {"Authorization": f"Bearer {service.tokens['token of rest']}"}

    def is_told() -> bool:
        heard.extend(message["text"] for message in call("GET", later, None, headers).json["messages"])
        return len(heard) >= 2

    wait_until(is_told)
    booked = "- Yoga, Tuesday at 18:00\n- Rowing, Thursday at 07:30"
    classes = f"Ada Lovelace, you have booked:\n{booked}\n\nSee you there!"
    assert heard[-2:] == ["Thank you, you are signed in.", classes]
    assert _texts(service.say("gym", "ada", "sign out")) == ["You are signed out."]
    [asked] = _texts(service.say("gym", "ada", "my classes"))
    assert asked.startswith("Please sign in")


def test_the_identity_provider_sends_nobody_to_an_address_that_is_not_the_service_s(gym: tuple[Service, str]) -> None:
    _, issuer = gym
    right = {
        "client_id": "gym-bot",
        "response_type": "code",
        "redirect_uri": "http://127.0.0.1:8080/v1/account-linking",
        "state": "s",
        "code_challenge": "c",
        "code_challenge_method": "S256",
    }
    wrongs: list[dict[str, str]] = [
        {"redirect_uri": "https://evil.example/v1/account-linking"},
        {"redirect_uri": "http://127.0.0.1:8080/elsewhere"},
        {"client_id": "another"},
        {"code_challenge_method": "plain"},
        {"state": ""},
    ]
    for wrong in wrongs:
        page = Browser().ask(f"{issuer}/authorize", {**right, **wrong, "member": "ada", "password": "demo"})
        assert (page.status, page.forms) == (400, []), wrong
    page = Browser().ask(f"{issuer}/authorize", {**right, "member": "ada", "password": "demo"})
    assert page.location.startswith(right["redirect_uri"])


def test_its_token_endpoint_takes_neither_another_client_nor_a_code_without_its_verifier(
    gym: tuple[Service, str],
) -> None:
    _, issuer = gym
    asked = {"grant_type": "authorization_code", "code": "made-up", "code_verifier": "x"}
    assert Browser().ask(f"{issuer}/token", asked).status == 401
    basic = {"Authorization": "Basic Z3ltLWJvdDpneW0tZGVtbw=="}
    assert Browser().ask(f"{issuer}/token", asked, basic).status == 400
    assert Browser().ask(f"{issuer}/revoke", {"token": "made-up"}, basic).status == 200
