"""What the studio saved into a bot's folder goes live only when somebody publishes it, also over restarts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_run import dialoom
from tests.cli.test_versions import bot, turned_into
from tests.live import Service, call, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WAITS = r"the folder of echo differs from its active version \((\d+) changes?\): publish it in the studio or with "


class Studio:
    """A service on a bot's folder, and an administrator who edits it in the studio."""

    def __init__(self, place: Path) -> None:
        self.folder = bot(place / "bot", "first")
        self.service = Service([self.folder], place / "data")
        self._users = iter(range(1000))
        self.sign_in()

    def sign_in(self) -> None:
        token = self.service.studio_link().partition("#sign-in=")[2]
        own = {"Origin": self.service.url}
        opened = call("POST", f"{self.service.url}/v1/studio/sign-in", {"token": token}, own)
        self._headers = own | {"Cookie": opened.headers["set-cookie"].partition(";")[0]}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = call(method, f"{self.service.url}/v1/studio/bots/echo/{path}", body, self._headers)
        assert answer.status == 200, answer.body
        return answer.json

    def save(self, files: dict[str, str]) -> str:
        revision = self.ask("GET", "draft")["revision"]
        return str(self.ask("PUT", "draft", {"revision": revision, "files": files})["revision"])

    def save_text(self, text: str) -> str:
        return self.save({"flow.json": (bot(self.folder.parent / "written", text) / "flow.json").read_text()})

    def again(self, *options: str, is_killed: bool = False) -> None:
        self.service.kill() if is_killed else self.service.stop()
        self.service = Service([self.folder], self.service.data, self.service.port, options=options)

    def says(self) -> str:
        answer = self.service.say("echo", f"user-{next(self._users)}", "hi")
        assert answer.status == 200, answer.body
        return str(answer.json[-1]["text"])

    def waiting(self) -> list[str]:
        """Return the counts of changes that the log speaks of."""
        return re.findall(WAITS, self.service.output)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    studio = Studio(tmp_path)
    yield studio
    assert studio.service.stop() == 0
    assert "Traceback" not in studio.service.output


@pytest.mark.parametrize("is_killed", [False, True], ids=["stopped", "killed"])
def test_a_start_publishes_nothing_that_was_saved_in_the_studio_until_it_is_told_to(
    studio: Studio, is_killed: bool
) -> None:
    studio.save_text("second")
    assert studio.says() == "first"
    studio.again(is_killed=is_killed)
    assert studio.says() == "first"
    assert studio.waiting() == ["3"]
    studio.again("--publish")
    assert studio.says() == "second"
    assert studio.waiting() == []
    turned_into(studio.folder, "third")
    wait_until(lambda: studio.says() == "third")


def test_an_editor_and_a_start_after_it_publish_nothing_over_what_the_studio_saved(studio: Studio) -> None:
    studio.save_text("second")
    turned_into(studio.folder, "third")
    wait_until(lambda: bool(studio.waiting()))
    turned_into(studio.folder, "fourth")
    studio.service.stop()
    assert studio.waiting() == ["3"]
    turned_into(studio.folder, "fifth")
    studio.again()
    assert studio.says() == "first"
    assert studio.waiting() == ["3"]
    done = dialoom("publish", str(studio.folder), "--data", str(studio.service.data))
    assert done.returncode == 0, done.stderr
    wait_until(lambda: studio.says() == "fifth")
    turned_into(studio.folder, "sixth")
    wait_until(lambda: studio.says() == "sixth")


def test_a_publish_while_the_service_is_down_gives_the_folder_back_to_its_author(studio: Studio) -> None:
    studio.save_text("second")
    studio.service.stop()
    assert dialoom("publish", str(studio.folder), "--data", str(studio.service.data)).returncode == 0
    turned_into(studio.folder, "third")
    studio.again()
    assert studio.says() == "third"


def test_a_publish_of_another_folder_publishes_nothing_of_the_studio(studio: Studio) -> None:
    studio.save_text("second")
    studio.service.stop()
    other = bot(studio.folder.parent / "other", "third")
    assert dialoom("publish", str(other), "--data", str(studio.service.data)).returncode == 0
    studio.again()
    assert studio.says() == "third"
    assert studio.waiting() == ["3"]


def test_what_was_saved_and_put_back_holds_up_nothing(studio: Studio) -> None:
    studio.save_text("second")
    studio.save_text("first")
    turned_into(studio.folder, "third")
    wait_until(lambda: studio.says() == "third")


def test_a_publish_and_a_rollback_in_the_studio_over_restarts(studio: Studio) -> None:
    revision = studio.save_text("second")
    first = studio.ask("POST", "draft/publish", {"revision": revision})["previous"]
    studio.again()
    assert studio.says() == "second"
    assert studio.waiting() == []
    studio.sign_in()
    studio.save_text("third")
    studio.ask("POST", "rollback", {"version": first})
    studio.again()
    assert studio.says() == "first"
    assert studio.waiting() == ["3"]
    turned_into(studio.folder, "second")
    studio.again("--publish")
    # Rolled back from, which only `dialoom publish` and the studio take back.
    assert studio.says() == "first"
    assert "was rolled back from" in studio.service.output


@pytest.mark.parametrize(
    ("name", "text"),
    [("flow.json", '{"conversations": '), ("bot.json", "{"), ("bot.json", json.dumps({"id": "other"}))],
    ids=["flow", "bot", "other-id"],
)
def test_a_broken_file_that_was_saved_in_the_studio_holds_up_no_start(studio: Studio, name: str, text: str) -> None:
    studio.save({name: text})
    studio.again()
    assert studio.says() == "first"
    assert studio.waiting() == ["1"]
    assert dialoom("versions", "other", "--data", str(studio.service.data)).returncode == 2
