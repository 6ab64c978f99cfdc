"""``dialoom index add|drop|list`` beside a running service, as an operator uses it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess

CITY = "Data.entities.city"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.json").write_text(json.dumps({"id": "echo"}))
    steps = [{"type": "message", "messages": ["Hello."]}]
    (bot / "flow.json").write_text(json.dumps({"conversations": {"greet": {"type": "support", "steps": steps}}}))
    made = Service([bot], tmp_path / "data")
    yield made
    made.stop()


def do(service: Service, *words: str) -> CompletedProcess[str]:
    return dialoom("index", *words, "--data", str(service.data))


def test_an_index_is_added_listed_and_dropped_while_the_service_runs(service: Service) -> None:
    added = do(service, "add", "conversations", CITY)
    assert added.returncode == 0, added.stderr
    assert added.stdout.endswith("Ready: queries use it.\n")
    assert service.say("echo", "ann", "greet").status == 200
    assert do(service, "list").stdout == f"conversations  {CITY}  ready\n"
    assert json.loads(do(service, "list", "--format", "json").stdout) == [
        {"collection": "conversations", "property": CITY, "is_ready": True}
    ]
    assert do(service, "drop", "conversations", CITY).returncode == 0
    assert do(service, "list").stdout == ""
    again = do(service, "drop", "conversations", CITY)
    assert again.returncode == 2
    assert again.stderr == f"{CITY} of conversations has no index of yours. See: dialoom index list\n"


@pytest.mark.parametrize(
    ("collection", "property", "said"),
    [
        ("conversations", "Status", "has an index already"),
        ("turns", "Status", "invalid choice"),
        ("messages", "a..b", "empty"),
    ],
)
def test_what_cannot_be_indexed_is_refused_before_anything_is_opened(collection: str, property: str, said: str) -> None:
    refused = dialoom("index", "add", collection, property)
    assert refused.returncode == 2
    assert said in refused.stderr
