"""What the doctor says of bots: whether they can be loaded, and what they need around themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.service.bots.test_bots import files
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.flow import read_files
from dialoom.service.bots.bots import Bots
from dialoom.service.doctor import bots as look
from dialoom.storage.store import Version
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

VAULT = Vault.from_keys([bytes(32)])


def write(folder: Path, **other: str) -> Path:
    folder.mkdir()
    for name, text in (files("Hello") | other).items():
        (folder / name).write_text(text)
    return folder


async def _stored() -> Version:
    store = TemporaryStore()
    await store.open()
    await Bots(store, VAULT, MovedClock()).publish_files(files("Hello"))
    version = await store.active("echo")
    assert version is not None
    return version


def test_a_folder_that_cannot_be_loaded_fails_with_its_first_mistake(tmp_path: Path) -> None:
    bot, (line,) = look.of_folder(write(tmp_path / "a", **{"flow.json": '{\n"conversatons": {}}'}), ())
    assert bot is None
    assert line.level == "fail"
    assert "cannot be loaded: flow.json:" in line.text
    bot, (line,) = look.of_folder(write(tmp_path / "b"), ())
    assert bot is not None
    assert line.level == "ok"


async def test_a_stored_version_is_opened_and_read() -> None:
    version = await _stored()
    bot, (line,) = look.of_store(VAULT, version, ())
    assert bot is not None
    assert line.level == "ok"
    bot, (line,) = look.of_store(Vault.from_keys([bytes([1]) * 32]), version, ())
    assert bot is None
    assert "cannot be opened" in line.text


async def test_a_stored_version_that_this_release_cannot_use_fails() -> None:
    sealed = VAULT.seal(json.dumps({"bot.json": "{}", "flow.json": "["}).encode(), "version\0echo\0abc")
    bot, (line,) = look.of_store(VAULT, Version("echo", "abc", sealed, 0), ())
    assert bot is None
    assert "cannot be used by this release" in line.text


async def test_a_stored_version_whose_pattern_is_refused_fails_with_the_place_and_the_way_out() -> None:
    kinds = [{"name": "Code", "lookup-strategy": "regex", "data": {"pattern": "a(?=b)"}}]
    files = {
        "bot.json": '{"id": "echo"}',
        "flow.json": '{"conversations": {}}',
        "training.json": json.dumps({"entity-definitions": kinds}),
    }
    sealed = VAULT.seal(json.dumps(files).encode(), "version\0echo\0abc")
    bot, (line,) = look.of_store(VAULT, Version("echo", "abc", sealed, 0), ())
    assert bot is None
    assert "training.json:1:" in line.text
    assert "Match what stands there as well" in line.text


def _needy() -> Any:
    source = {"endpoint": "https://api.example.org:8443/v1/{{city}}", "headers": {"X-Key": {"env": "BOT_KEY"}}}
    other = {"endpoint": "https://{{city}}.example.org/", "method": "GET"}
    steps = [
        {"type": "webhook", "data-source": {"method": "GET", **source}},
        {"type": "webhook", "data-source": other},
    ]
    channels = [
        {
            "id": "rest",
            "type": "rest",
            "callback-url": "https://hooks.example.org/a",
            "callback-secret": {"env": "BOT_SECRET"},
        }
    ]
    bot = {"id": "echo", "channels": channels, "live-agents": {"desk": "https://desk.example.org/"}}
    flow = {"conversations": {"help": {"type": "support", "steps": steps}}}
    return read_files({"bot.json": json.dumps(bot), "flow.json": json.dumps(flow)})


def test_variables_that_bots_name_and_nobody_set_fail_by_name() -> None:
    lines = look.variable_lines([_needy()], {"BOT_KEY": "value"})
    assert [(line.level, "BOT_SECRET" in line.text) for line in lines] == [("fail", True)]
    (line,) = look.variable_lines([_needy()], {"BOT_KEY": "value", "BOT_SECRET": ""})
    assert (line.level, "BOT_SECRET" in line.text, "empty" in line.text) == ("fail", True, True)
    (line,) = look.variable_lines([_needy()], {"BOT_KEY": "value", "BOT_SECRET": "other"})
    assert line.level == "ok"
    assert "value" not in line.text


def test_a_key_that_can_check_no_token_of_a_user_fails() -> None:
    channel = {"id": "page", "type": "web", "user-secret": {"env": "BOT_USERS"}}
    bot = read_files(files("Hello") | {"bot.json": json.dumps({"id": "echo", "channels": [channel]})})
    (line,) = look.user_key_lines([bot], {"BOT_USERS": "short"})
    assert line.level == "fail"
    assert 'Bot "echo", channel "page"' in line.text
    assert '"short"' not in line.text
    for environment in ({}, {"BOT_USERS": ""}, {"BOT_USERS": "x" * 32}):
        assert look.user_key_lines([bot], environment) == []


def test_receivers_and_literal_hosts_are_found() -> None:
    assert [url for _, url in look.receivers(_needy())] == ["https://hooks.example.org/a", "https://desk.example.org/"]
    assert list(look.hosts(_needy())) == ["api.example.org"]
