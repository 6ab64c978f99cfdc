"""The library's files: right, spelled as its system spells them; and its lists, which change while the bot runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import check_folder
from tests.live import Process, Service, call, free_port

from .test_library_backend import BRANCH, EVENT, FILE

FOLDER = Path(__file__).parents[2] / "examples" / "library"
TRAINING = json.loads((FOLDER / "training.json").read_text("utf-8"))
FLOW = (FOLDER / "flow.json").read_text("utf-8")
TESTS = [json.loads(file.read_text("utf-8")) for file in sorted((FOLDER / "tests").glob("*.json"))]


def data_of(name: str) -> list[dict[str, Any]]:
    data = next(one["data"] for one in TRAINING["entity-definitions"] if one["name"] == name)
    assert isinstance(data, list)
    return data


def test_the_bot_is_checked_without_a_finding() -> None:
    assert [str(finding) for finding in check_folder(FOLDER)] == []


def test_every_conversation_test_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dialoom.cli", "test", str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_many_questions_each_put_in_many_ways() -> None:
    questions = data_of("Question")
    assert len(questions) >= 40
    assert [one["value"] for one in questions if len(one["expressions"]) < 5 or not one["answers"]] == []


@pytest.mark.parametrize(
    "text", ["Find a title", "Reserve a study room", "Renew my loans", "Events this week", "Opening hours"]
)
def test_every_suggested_reply_is_a_trained_expression(text: str) -> None:
    assert text in FLOW
    expressions = {expression.casefold() for one in data_of("Conversation") for expression in one["expressions"]}
    assert text.casefold() in expressions


@pytest.mark.parametrize("name", ["Branch", "Event", "Title"])
def test_lists_of_the_conversation_tests_are_those_of_the_librarys_system(name: str) -> None:
    key = {"Branch": "name", "Event": "name", "Title": "title"}[name]
    kept = json.loads((FOLDER / "library.json").read_text("utf-8"))
    known = {one[key] for one in kept[{"Branch": "branches", "Event": "events", "Title": "titles"}[name]]}
    told = [suite["dynamic-data"][name] for suite in TESTS if name in suite.get("dynamic-data", {})]
    assert told
    assert all({one[key] for one in elements} == known for elements in told)


def small_copy(to: Path, port: int) -> Path:
    """The bot, calling a system on this port; without its questions, for their training takes seconds."""
    folder = to / "library"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "data"))
    definitions = [one for one in TRAINING["entity-definitions"] if one["lookup-strategy"] != "QnA"]
    texts = {"flow.json": FLOW, "training.json": json.dumps({"entity-definitions": definitions})}
    for name, text in texts.items():
        (folder / name).write_text(text.replace("http://127.0.0.1:8091", f"http://127.0.0.1:{port}"), "utf-8")
    return folder


def test_a_running_bot_takes_a_new_branch_and_a_new_event_up(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, str(FILE), "--port", str(port), "--data", str(tmp_path / "system")]
    system = Process(command, r"http://")
    service = None
    try:
        service = Service([small_copy(tmp_path, port)], tmp_path / "data")
        url = f"http://127.0.0.1:{port}"
        assert "Which branch" in service.say("library", "ada", "when is Orchard Park open?").json[-1]["text"]
        assert call("POST", f"{url}/branches", BRANCH).status == 201
        assert call("POST", f"{url}/events", EVENT | {"branch": "orchard-park"}).status == 201
        for name in ("Branch", "Event"):
            address = f"{service.url}/v1/bots/library/entity-types/{name}/_refresh"
            token = {"Authorization": f"Bot-Server-Access-Token {service.tokens['history token']}"}
            assert call("POST", address, None, token).json["changed"]
        (open_question,) = service.say("library", "ada", "Orchard Park").json
        assert open_question["text"].startswith("**Orchard Park Library**\n2 Orchard Way, Southgate")
        (event,) = service.say("library", "ada", "when is the seed swap?").json
        assert event["text"].startswith("**Seed Swap**: Bring seeds, take seeds.")
        assert "Orchard Park Library" in event["text"]
    finally:
        if service is not None:
            service.stop()
        system.stop()
