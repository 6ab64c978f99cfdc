"""``dialoom publish|versions|diff|rollback`` beside a running service, as an operator uses them."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess


def bot(folder: Path, text: str, *, id: str = "echo", **flow: Any) -> Path:
    """Says a text and, to "order", asks for a city before it says the same."""
    folder.mkdir(exist_ok=True)
    asks = {"type": "question", "entity": "city", "entity-type": "Text", "messages": [f"{text}: where to?"]}
    conversations = {
        "help": {"type": "support", "steps": [{"type": "message", "messages": [text]}]},
        "order": {"type": "goal", "steps": [asks, {"type": "message", "messages": [f"{text}: {{{{city}}}}"]}]},
    }
    order = {"value": "order", "expressions": ["order"]}
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": [order]}]}
    (folder / "bot.json").write_text(json.dumps({"id": id}))
    (folder / "flow.json").write_text(json.dumps({"conversations": conversations, **flow}))
    (folder / "training.json").write_text(json.dumps(training))
    return folder


def turned_into(folder: Path, text: str) -> None:
    """One file changes, and at once: who looks while several are written sees more than one change."""
    (bot(folder.parent / "written", text) / "flow.json").replace(folder / "flow.json")


class Desk:
    """A service without a folder of its own to watch, and the commands beside it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.service = Service([bot(place / "began", "first")], place / "data")
        self._users = itertools.count()

    def do(self, *words: str | Path) -> CompletedProcess[str]:
        return dialoom(*map(str, words), "--data", str(self.service.data))

    def publish(self, text: str) -> CompletedProcess[str]:
        return self.do("publish", bot(self.place / "next", text))

    def says(self) -> str:
        """What a new conversation hears."""
        return self.tell(f"user-{next(self._users)}", "hi")

    def tell(self, user: str, text: str) -> str:
        answer = self.service.say("echo", user, text)
        assert answer.status == 200, answer.body
        return str(answer.json[-1]["text"])

    def versions(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.do("versions", "echo", "--format", "json").stdout)
        return rows

    def active(self) -> str:
        return str(next(row["version"] for row in self.versions() if row["active"]))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    assert desk.service.stop() == 0
    assert "Traceback" not in desk.service.output


def test_talks_end_on_the_version_that_they_began_with_through_publish_and_rollback(desk: Desk) -> None:
    first = desk.active()
    assert desk.tell("ada", "order") == "first: where to?"
    done = desk.publish("second")
    assert done.returncode == 0, done.stderr
    assert "Running services take it within seconds" in done.stdout
    wait_until(lambda: desk.says() == "second")
    assert desk.tell("bob", "order") == "second: where to?"
    assert desk.tell("ada", "Oslo") == "first: Oslo"
    done = desk.do("rollback", "echo")
    assert done.returncode == 0, done.stderr
    assert first[:12] in done.stdout
    wait_until(lambda: desk.says() == "first")
    assert desk.tell("bob", "Rome") == "second: Rome"
    assert desk.tell("bob", "order") == "first: where to?"


def test_a_rollback_goes_one_further_back_each_time_and_forward_by_name(desk: Desk) -> None:
    versions = [desk.active()]
    for text in ("second", "third"):
        desk.publish(text)
        versions.append(desk.active())
    assert desk.do("rollback", "echo").returncode == 0
    assert desk.active() == versions[1]
    assert desk.do("rollback", "echo").returncode == 0
    assert desk.active() == versions[0]
    done = desk.do("rollback", "echo")
    assert done.returncode == 2
    assert "Name the one that you mean" in done.stderr
    assert desk.do("rollback", "echo", versions[2][:6]).returncode == 0
    assert desk.active() == versions[2]
    assert "is active already" in desk.do("rollback", "echo", versions[2]).stdout
    wait_until(lambda: desk.says() == "third")
    shown = desk.do("versions", "echo").stdout.splitlines()
    assert shown[0].split()[:2] == [versions[2][:12], "active"]
    assert sorted(line.split()[1] for line in shown) == ["active", "withdrawn", "withdrawn"]


def test_a_folder_that_was_rolled_back_from_stays_out_until_it_changes(desk: Desk) -> None:
    folder = desk.place / "began"
    bot(folder, "second")
    wait_until(lambda: desk.says() == "second")
    desk.do("rollback", "echo")
    wait_until(lambda: desk.says() == "first")
    desk.service.stop()
    desk.service = desk.service.again()
    assert "was rolled back from, so it stays out until its files change" in desk.service.output
    assert desk.says() == "first"
    turned_into(folder, "third")
    wait_until(lambda: desk.says() == "third")
    turned_into(folder, "second")
    wait_until(lambda: desk.service.output.count("was rolled back from") >= 2)
    assert desk.says() == "third"
    assert desk.do("publish", folder).returncode == 0
    wait_until(lambda: desk.says() == "second")
    turned_into(folder, "fourth")
    wait_until(lambda: desk.says() == "fourth")
    # Once at the start and once for the change, however often the folder was looked at since.
    assert desk.service.output.count("was rolled back from") == 2


def test_a_bot_that_appears_is_served_with_its_tokens(desk: Desk) -> None:
    done = desk.do("publish", bot(desk.place / "other", "Hello", id="other"))
    assert "dialoom token list other --show" in done.stdout
    wait_until(lambda: "rest" in desk.do("token", "list", "other").stdout)
    shown = desk.do("token", "list", "other", "--show").stdout.splitlines()
    desk.service.tokens["token of rest"] = next(line.split()[-1] for line in shown if "channel rest" in line)
    assert desk.service.say("other", "ada", "hi").json[-1]["text"] == "Hello"


def test_who_publishes_trains_the_model_and_a_service_without_folders_serves_it(desk: Desk) -> None:
    desk.service.stop()
    models = desk.service.data / "models"
    before = set(models.iterdir())
    folder = bot(desk.place / "next", "second")
    training = json.loads((folder / "training.json").read_text())
    training["entity-definitions"][0]["data"][0]["expressions"].append("I want to go somewhere")
    (folder / "training.json").write_text(json.dumps(training))
    assert desk.do("publish", folder).returncode == 0
    assert len(set(models.iterdir()) - before) == 1
    desk.service = Service([], desk.service.data)
    assert desk.says() == "second"


def test_publishing_what_is_active_says_so(shared: Desk) -> None:
    done = shared.publish("first")
    assert done.returncode == 0
    assert "is active already" in done.stdout
    assert len(shared.versions()) == 1


def test_of_folders_of_which_one_is_wrong_none_is_published(shared: Desk) -> None:
    wrong = bot(shared.place / "wrong", "x", id="wrong")
    (wrong / "flow.json").write_text('{\n  "conversatons": {}\n}')
    done = shared.do("publish", bot(shared.place / "right", "x", id="right"), wrong)
    assert done.returncode == 1
    assert "flow.json:2:3" in done.stderr
    assert 'Did you mean "conversations"?' in done.stderr
    assert "Nothing was published" in done.stderr
    assert shared.do("versions", "right").returncode == 2


def test_mistakes_that_a_bot_runs_with_are_published_only_when_asked(desk: Desk) -> None:
    folder = bot(desk.place / "next", "odd")
    flow = json.loads((folder / "flow.json").read_text())
    colour = {"type": "quick-reply", "data": ["Purple"]}
    flow["conversations"]["order"]["steps"][0] |= {"entity-type": "Colour", "display": colour}
    (folder / "flow.json").write_text(json.dumps(flow))
    training = json.loads((folder / "training.json").read_text())
    colours = {"name": "Colour", "lookup-strategy": "keywords", "data": [{"value": "Red"}]}
    training["entity-definitions"].append(colours)
    (folder / "training.json").write_text(json.dumps(training))
    done = desk.do("publish", folder)
    assert done.returncode == 1
    assert "--anyway" in done.stderr
    assert desk.do("publish", folder, "--anyway").returncode == 0
    wait_until(lambda: desk.says() == "odd")


def test_a_diff_shows_real_changes_alone(desk: Desk) -> None:
    folder = bot(desk.place / "next", "first")
    flow = json.loads((folder / "flow.json").read_text())
    (folder / "flow.json").write_text(json.dumps(flow, indent=7, sort_keys=True))
    done = desk.do("diff", "echo", folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert "are the same" in done.stderr

    before = desk.active()
    desk.publish("second")
    done = desk.do("diff", "echo")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [f"--- {before[:12]}/flow.json", f"+++ {desk.active()[:12]}/flow.json"]
    changed = [line for line in done.stdout.splitlines()[2:] if line[0] in "+-"]
    assert len(changed) == 6
    assert changed[:2] == ['-            "first"', '+            "second"']
    assert desk.do("diff", "echo", before[:8], desk.active()[:8]).stdout == done.stdout
    assert desk.do("diff", "echo", before[:8]).stdout == done.stdout


def test_a_diff_with_a_folder_shows_what_publishing_it_would_change(shared: Desk) -> None:
    folder = bot(shared.place / "next", "first")
    (folder / "training.json").unlink()
    done = shared.do("diff", "echo", folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [f"--- {shared.active()[:12]}/training.json", "+++ /dev/null"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["versions", "nobody"], "dialoom.sqlite. There is: echo."),
        (["rollback", "nobody"], 'There is no bot "nobody"'),
        (["rollback", "echo", "zzz"], 'has no version that begins with "zzz". See: dialoom versions echo'),
        (["diff", "echo"], "has one version only"),
        (["diff", "echo", "no-such-folder"], 'has no version that begins with "no-such-folder"'),
        (["publish", "no-such-folder"], "is no folder of a bot"),
    ],
)
def test_wrong_words_end_with_2_and_what_to_do(shared: Desk, words: list[str], part: str) -> None:
    done = shared.do(*words)
    assert done.returncode == 2
    assert part in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """For commands that publish nothing new."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    yield desk
    assert desk.service.stop() == 0
    assert "Traceback" not in desk.service.output


def test_without_a_service_s_folder_or_keys_nothing_is_made(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot", "x")
    done = dialoom("publish", str(folder), "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert "There is no data folder of a service" in done.stderr
    url = "postgresql://ada:hidden@127.0.0.1:1/echo"
    done = dialoom("publish", str(folder), "--data", str(tmp_path / "data"), DIALOOM_DATABASE_URL=url)
    assert done.returncode == 2
    assert "Set DIALOOM_KEYS to the value that the services have" in done.stderr
    assert "hidden" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_other_keys_than_the_service_s_change_nothing(shared: Desk) -> None:
    keys = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    folder = bot(shared.place / "next", "second")
    done = dialoom("publish", str(folder), "--data", str(shared.service.data), DIALOOM_KEYS=keys)
    assert done.returncode == 1
    assert "Put that key back" in done.stderr
    assert len(shared.versions()) == 1


def test_a_version_whose_variables_are_set_elsewhere_is_published_with_a_warning(desk: Desk) -> None:
    folder = bot(desk.place / "next", "second")
    (folder / "bot.json").write_text(json.dumps({"id": "echo", "access-token": {"env": "BOT_NOT_SET_HERE"}}))
    done = desk.do("publish", folder)
    assert done.returncode == 0
    assert 'Bot "echo", access-token: The environment variable "BOT_NOT_SET_HERE"' in done.stderr
    assert "is active" in done.stdout
    # The service lacks it too, says so, and stays with the version before.
    wait_until(lambda: "BOT_NOT_SET_HERE" in desk.service.output)
    assert "goes on" in desk.service.output
    assert desk.says() == "first"


def test_fewer_days_of_retention_are_asked_about_on_a_terminal_and_need_yes_without_one(desk: Desk) -> None:
    first = desk.active()
    folder = bot(desk.place / "next", "second")
    (folder / "bot.json").write_text(json.dumps({"id": "echo", "retention-days": 1}))
    assert desk.do("publish", folder).returncode == 0, "nobody has talked: nothing would be erased"
    assert desk.do("rollback", "echo").returncode == 0
    wait_until(lambda: desk.says() == "first")
    asked = desk.do("publish", folder)
    assert asked.returncode == 2
    assert "retention-days goes from no limit to 1. Conversations without a message since" in asked.stderr
    assert "--yes" in asked.stderr
    assert typed("publish", folder, desk, b"no\n") == 1
    assert desk.says() == "first"
    assert typed("publish", folder, desk, b"yes\n") == 0
    wait_until(lambda: desk.says() == "second")
    second = desk.active()
    assert desk.do("rollback", "echo").returncode == 0
    asked = desk.do("rollback", "echo", second)
    assert (asked.returncode, desk.active()) == (2, first)
    assert "retention-days goes from no limit to 1." in asked.stderr
    assert desk.do("rollback", "echo", second, "--yes").returncode == 0
    assert desk.do("rollback", "echo", first).returncode == 0
    assert desk.do("publish", folder, "--yes").returncode == 0
    wait_until(lambda: desk.says() == "second")


def test_a_start_that_publishes_fewer_days_of_retention_says_what_will_be_erased(desk: Desk) -> None:
    assert desk.says() == "first"
    desk.service.stop()
    (desk.place / "began" / "bot.json").write_text(json.dumps({"id": "echo", "retention-days": 1}))
    desk.service = desk.service.again()
    assert re.search(
        r"WARNING.*began: retention-days goes from no limit to 1\. .* are erased \(1 as of now\)", desk.service.output
    )


def typed(command: str, folder: Path, desk: Desk, answer: bytes) -> int:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "dialoom.cli", command, str(folder), "--data", str(desk.service.data)]
    with subprocess.Popen(words, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        os.write(ours, answer)
        told = process.communicate(timeout=120)[1]
        os.close(ours)
    assert b"Publish?" in told
    return process.returncode
