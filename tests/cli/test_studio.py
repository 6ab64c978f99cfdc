"""``dialoom studio`` beside a running service, as an operator uses it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import ROOT, Service, call, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live import Answer

LINK = re.compile(r"(http\S+/studio)#sign-in=(\S+)")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service([echo_bot(tmp_path / "bot")], tmp_path / "data")
    yield service
    service.stop()


def _sign_in(service: Service, token: str) -> Answer:
    return call("POST", f"{service.url}/v1/studio/sign-in", {"token": token}, {"Origin": service.url})


def _is_in(service: Service, answer: Answer) -> bool:
    cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    return call("GET", f"{service.url}/v1/studio/session", None, cookie).status == 200


def test_the_command_that_the_start_names_makes_a_link_that_signs_in_once(service: Service) -> None:
    command = re.search(r"dialoom (studio link .*)$", service.output, re.MULTILINE)
    assert command is not None, service.output
    made = dialoom(*command[1].split()).stdout
    assert made.endswith("\n")
    found = LINK.fullmatch(made.splitlines()[-1])
    assert found is not None, made
    assert found[1] == f"{service.url}/studio"
    assert _is_in(service, _sign_in(service, found[2]))
    assert _sign_in(service, found[2]).status == 401


def test_output_that_is_no_terminal_and_may_be_a_log_has_the_address_and_no_link(service: Service) -> None:
    assert f"Studio  {service.url}/studio\n" in service.output
    assert "sign-in=" not in service.output


def test_on_a_terminal_the_start_prints_a_link_and_the_tokens_that_it_made(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    bot = str(ROOT / "examples" / "blank")
    command = [sys.executable, "-m", "dialoom.cli", "run", bot, "--port", "0", "--data", str(tmp_path / "data")]
    running = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=subprocess.STDOUT, cwd=ROOT)
    os.close(slave)
    output = b""
    try:
        while b"API description" not in output:
            output += os.read(master, 65536)
    finally:
        running.terminate()
        running.wait(timeout=60)
        os.close(master)
    printed = re.search(rb"Studio  (http\S+/studio)#sign-in=dll_\S+\r\n  signs in once, within 15 minutes", output)
    assert printed is not None, output
    assert re.search(rb"  history token: dlm_\S+\r\n", output) is not None, output


def test_a_link_leads_to_the_address_that_people_use(service: Service) -> None:
    made = dialoom("studio", "link", "--data", str(service.data), DIALOOM_BASE_URL="https://bots.example/")
    assert "https://bots.example/studio#sign-in=" in made.stdout


def test_a_link_for_single_bots_shows_those_alone_and_names_the_bots_that_there_are(service: Service) -> None:
    data = ("--data", str(service.data))
    bot = call("GET", f"{service.url}/v1/studio/session", None, _cookie(service, *data)).json["bots"][0]["id"]
    named = call("GET", f"{service.url}/v1/studio/session", None, _cookie(service, *data, "--bots", bot)).json
    assert ([one["id"] for one in named["bots"]], named["isForNamedBots"]) == ([bot], True)
    wrong = dialoom("studio", "link", *data, "--bots", f"{bot}, nobody")
    assert wrong.returncode != 0
    assert 'There is no bot "nobody" in ' in wrong.stderr
    assert "There is: " in wrong.stderr


def _cookie(service: Service, *options: str) -> dict[str, str]:
    made = LINK.findall(dialoom("studio", "link", *options).stdout)[0][1]
    return {"Cookie": _sign_in(service, made).headers["set-cookie"].partition(";")[0]}


def test_everybody_is_signed_out_at_once(service: Service) -> None:
    data = ("--data", str(service.data))
    first, second = (LINK.findall(dialoom("studio", "link", *data).stdout)[0][1] for _ in range(2))
    signed_in = _sign_in(service, first)
    assert _is_in(service, signed_in)
    # The session, and the link that is left.
    assert dialoom("studio", "sign-out", *data).stdout == "2 sessions and links ended. Nobody is signed in any more.\n"
    assert not _is_in(service, signed_in)
    assert _sign_in(service, second).status == 401


@pytest.mark.parametrize("action", ["link", "sign-out"])
def test_without_a_service_there_is_nothing_to_sign_in_to(tmp_path: Path, action: str) -> None:
    done = dialoom("studio", action, "--data", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "no data folder" in done.stderr


def test_the_link_says_which_address_it_took_and_from_where(service: Service, tmp_path: Path) -> None:
    data = ("--data", str(service.data))
    assert "DIALOOM_BASE_URL is not set here, so the service is taken to be at http://127.0.0.1:8080." in (
        dialoom("studio", "link", *data).stdout
    )
    (tmp_path / "dialoom.env").write_text("DIALOOM_BASE_URL=https://bots.example\n")
    made = dialoom("--env-file", str(tmp_path / "dialoom.env"), "studio", "link", *data).stdout
    assert "The service is at https://bots.example, by DIALOOM_BASE_URL." in made
    assert "\nhttps://bots.example/studio#sign-in=" in made


def test_without_the_settings_of_a_service_on_postgresql_the_missing_variable_is_named(tmp_path: Path) -> None:
    said = dialoom("studio", "link", "--data", str(tmp_path)).stderr
    assert "DIALOOM_DATABASE_URL, which names a PostgreSQL, is not set here" in said
    assert "dialoom --env-file FILE" in said
    said = dialoom("studio", "link", "--data", str(tmp_path), "--database", "postgresql://u:hunter2@db/bots").stderr
    assert "There are no keys for the PostgreSQL database db/bots: DIALOOM_KEYS is not set here" in said
    assert "hunter2" not in said
