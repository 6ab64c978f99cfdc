"""What a bot needs of the machine is asked before anything is published, and of stored bots at each start."""

from __future__ import annotations

import copy
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import FLOW, write_bot
from tests.service.bots.test_bots import files
from tests.service.login.logging_in import authentication
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import FlowError, SettingError
from dialoom.service.bots.bots import Bots
from dialoom.service.service import Service, build_service
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

KEYS = "A" * 43 + "="
VARIABLE: dict[str, Any] = {"env": "BOT_NEEDED"}
CALLBACK = {"id": "rest", "type": "rest", "callback-url": "https://shop.example/in", "callback-secret": VARIABLE}


class Processes:
    """Starts processes one after the other on one store."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.clock = MovedClock()
        self.store = TemporaryStore()
        self.shares_variables = True

    def service(self) -> Service:
        settings = Settings(data=str(self.place / "data"), keys=KEYS, bot_env_shared=self.shares_variables)
        return build_service(settings, {}, store=self.store.beside(), clock=self.clock)

    def folder(self, id: str, **keys: Any) -> Path:
        return write_bot(self.place / id, {"id": id} | {key.replace("_", "-"): value for key, value in keys.items()})

    async def start(self, *folders: Path) -> list[str]:
        """Start a process and return the bots that it serves."""
        self.clock.move(1)
        service = self.service()
        try:
            await service.start(folders)
            return sorted(deployed.bot.id for deployed in service.bots.all())
        finally:
            await service.stop(0.5)

    async def refusal(self, *folders: Path) -> str:
        with pytest.raises(SettingError) as told:
            await self.start(*folders)
        return str(told.value)


@pytest.fixture
async def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Processes:
    monkeypatch.delenv("BOT_NEEDED", raising=False)
    processes = Processes(tmp_path)
    await processes.store.open()
    return processes


@pytest.mark.parametrize(
    ("channel", "place"),
    [
        ({"id": "app", "type": "rest", "token": VARIABLE}, 'channel "app", token'),
        ({"id": "page", "type": "web", "user-secret": VARIABLE}, 'channel "page", user-secret'),
        (CALLBACK, 'channel "rest", callback-secret'),
        ({"id": "tg", "type": "messenger-3", "bot-token": VARIABLE}, 'channel "tg", bot-token'),
    ],
)
@pytest.mark.parametrize(("value", "state"), [(None, "is not set"), (" ", "empty text")])
async def test_a_channel_that_lacks_a_variable_is_closed_and_said_in_one_line_and_gets_no_token(
    processes: Processes,
    channel: dict[str, Any],
    place: str,
    value: str | None,
    state: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if value is not None:
        monkeypatch.setenv("BOT_NEEDED", value)
    broken = processes.folder("broken", channels=[channel, {"id": "other", "type": "rest"}])
    assert await processes.start(processes.folder("sound"), broken) == ["broken", "sound"]
    (said,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said.startswith(f'Bot "broken", {place}: The environment variable "BOT_NEEDED"')
    assert state in said
    assert [row.channel for row in await processes.store.tokens("broken")] == [None, "other"]
    monkeypatch.setenv("BOT_NEEDED", "long enough to be the key of signed tokens")
    assert await processes.start(broken) == ["broken", "sound"]
    with_token = {channel["id"], "other", None} - {"tg"}
    assert {row.channel for row in await processes.store.tokens("broken")} == with_token


@pytest.mark.parametrize(("value", "state"), [(None, "is not set"), ("", "empty text"), (" ", "empty text")])
async def test_a_start_that_lacks_a_variable_of_a_bot_says_so_and_publishes_nothing(
    processes: Processes, value: str | None, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is not None:
        monkeypatch.setenv("BOT_NEEDED", value)
    sound, broken = processes.folder("sound"), processes.folder("broken", access_token=VARIABLE)
    refusal = await processes.refusal(sound, broken)
    assert 'Bot "broken", access-token: The environment variable "BOT_NEEDED"' in refusal
    assert state in refusal
    assert await processes.store.deployments() == []
    monkeypatch.setenv("BOT_NEEDED", "long enough to be the key of signed tokens")
    assert await processes.start(sound, broken) == ["broken", "sound"]


@pytest.mark.parametrize(
    ("block", "secret"),
    [
        ({"oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": VARIABLE}}, "client-secret"),
        ({"socialnet": {"app-id": "7", "app-secret": VARIABLE}}, "app-secret"),
    ],
    ids=["oidc", "socialnet"],
)
async def test_a_start_that_lacks_the_secret_of_a_login_says_so(
    processes: Processes, block: dict[str, Any], secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = processes.folder("broken")
    flow = copy.deepcopy(FLOW)
    flow["settings"] = {"authentication": authentication(**block)}
    (folder / "flow.json").write_text(json.dumps(flow))
    refusal = await processes.refusal(folder)
    assert refusal.startswith(f'Bot "broken", settings.authentication, {secret}: The environment variable "BOT_NEEDED"')
    monkeypatch.setenv("BOT_NEEDED", "the secret of the client")
    assert await processes.start(folder) == ["broken"]


async def test_all_that_a_bot_lacks_is_said_at_once(processes: Processes) -> None:
    folder = processes.folder("broken", access_token=VARIABLE)
    flow = copy.deepcopy(FLOW)
    flow["settings"] = {"authentication": authentication(socialnet={"app-id": "7", "app-secret": VARIABLE})}
    (folder / "flow.json").write_text(json.dumps(flow))
    assert len((await processes.refusal(folder)).splitlines()) == 2


async def test_a_channel_whose_key_can_check_no_token_is_closed(
    processes: Processes, caplog: pytest.LogCaptureFixture
) -> None:
    channel = {"id": "page", "type": "web", "user-secret": "short"}
    assert await processes.start(processes.folder("broken", channels=[channel])) == ["broken"]
    (said,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said.startswith('Bot "broken", channel "page": user-secret has less than 32 bytes')
    assert [row.channel for row in await processes.store.tokens("broken")] == [None]


async def test_a_channel_with_a_token_of_another_bot_is_closed(
    processes: Processes, caplog: pytest.LogCaptureFixture
) -> None:
    one = processes.folder("one", access_token="the-same-token-twice")
    other = processes.folder("other", channels=[{"id": "app", "type": "rest", "token": "the-same-token-twice"}])
    for folders in ((one, other), (other,), ()):
        caplog.clear()
        assert await processes.start(*folders) == ["one", "other"]
        (said,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
        assert said.startswith('Bot "other", channel "app", token: this token is that of another place (Bot "one"')
        assert "the-same-token-twice" not in said
        assert [row.channel for row in await processes.store.tokens("other")] == [None]


async def test_an_access_token_that_another_bot_has_publishes_nothing(processes: Processes) -> None:
    one = processes.folder("one", access_token="the-same-token-twice")
    other = processes.folder("other", access_token="the-same-token-twice")
    refusal = await processes.refusal(one, other)
    assert 'Bot "other", access-token: this token is that of another place (Bot "one"' in refusal
    assert await processes.store.deployments() == []


async def test_tokens_of_a_start_before_are_its_own(processes: Processes) -> None:
    folder = processes.folder(
        "one",
        access_token="a-token-of-the-one",
        channels=[{"id": "app", "type": "rest", "token": "a-token-of-the-app"}],
    )
    for _ in range(2):
        assert await processes.start(folder) == ["one"]
    assert len(await processes.store.tokens("one")) == 2


async def test_a_stored_bot_that_lacks_a_variable_is_said_once_and_the_others_are_served(
    processes: Processes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BOT_NEEDED", "it is set, and long enough")
    await processes.start(processes.folder("needy", access_token=VARIABLE), processes.folder("sound"))
    monkeypatch.delenv("BOT_NEEDED")
    assert await processes.start() == ["sound"]
    (said,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert "of bot needy cannot be served by this process, so it is not served until a restart" in said
    assert 'access-token: The environment variable "BOT_NEEDED"' in said
    assert await processes.start(processes.folder("third")) == ["sound", "third"]


async def test_a_folder_that_was_rolled_back_from_stops_no_start_by_what_it_lacks(processes: Processes) -> None:
    beside = Bots(processes.store, Vault.from_keys([bytes(32)]), processes.clock)
    first = (await beside.publish_files(files("first"))).version
    needy = files("second") | {"bot.json": json.dumps({"id": "echo", "access-token": VARIABLE})}
    processes.clock.move(1)
    await beside.publish_files(needy)
    processes.clock.move(1)
    await processes.store.roll_back("echo", first, processes.clock.now())
    folder = processes.place / "echo"
    folder.mkdir()
    for name, text in needy.items():
        (folder / name).write_text(text)
    assert await processes.start(folder) == ["echo"]


async def test_a_changed_folder_that_lacks_a_variable_is_refused_and_the_version_before_goes_on(
    processes: Processes,
) -> None:
    service = processes.service()
    try:
        await service.start([processes.folder("tea")])
        before = await processes.store.deployments()
        processes.clock.move(1)
        with pytest.raises(SettingError, match='Bot "tea", access-token'):
            await service.publish(processes.folder("tea", access_token=VARIABLE))
        assert await processes.store.deployments() == before
        active = service.bots.active("tea")
        assert active is not None
        assert [row.active for row in before] == [active.version]
    finally:
        await service.stop(0.5)


async def test_a_token_that_can_be_guessed_publishes_nothing_and_is_not_shown(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_NEEDED", "guess-me")
    for keys in ({"access_token": VARIABLE}, {"channels": [{"id": "app", "type": "web", "token": "guess-me"}]}):
        refusal = await processes.refusal(processes.folder("sound"), processes.folder("broken", **keys))
        assert "fewer than 16 characters" in refusal
        assert "guess-me" not in refusal
    assert await processes.store.deployments() == []


async def test_a_published_version_with_a_token_that_can_be_guessed_is_served_with_a_warning(
    processes: Processes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BOT_NEEDED", "it is long enough by now")
    await processes.start(processes.folder("needy", access_token=VARIABLE))
    monkeypatch.setenv("BOT_NEEDED", "guess-me")
    assert await processes.start() == ["needy"]
    (said,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said.startswith('Bot "needy", access-token: this token has fewer than 16 characters')
    assert "guess-me" not in said


async def test_where_variables_are_not_shared_the_bot_with_the_longest_id_has_a_name(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes.shares_variables = False
    monkeypatch.setenv("BOT_TEA_SHOP_TOKEN", "a-token-of-the-tea-shop")
    tea = processes.folder("tea", access_token={"env": "BOT_TEA_SHOP_TOKEN"})
    assert await processes.start(tea) == ["tea"]
    shop = processes.folder("tea-shop")
    refused = r"bot.json:1:.* This variable is not open to the bot|would take .* from the bot"
    for folders in ((tea, shop), (shop, tea)):
        with pytest.raises((FlowError, SettingError), match=refused):
            await processes.start(*folders)
    refusal = await processes.refusal(shop)
    assert 'The id "tea-shop" would take the environment variable "BOT_TEA_SHOP_TOKEN" from the bot "tea"' in refusal
    assert await processes.start() == ["tea"]


async def test_a_bot_that_comes_later_takes_no_variable_from_those_that_are_published(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes.shares_variables = False
    monkeypatch.setenv("BOT_TEA_SHOP_TOKEN", "a-token-of-the-tea-shop")
    service = processes.service()
    await service.start([processes.folder("tea", access_token={"env": "BOT_TEA_SHOP_TOKEN"})])
    assert service.bots.variable("tea", "BOT_TEA_SHOP_TOKEN") == "a-token-of-the-tea-shop"
    with pytest.raises(SettingError, match=r'"tea-shop" would take .* "BOT_TEA_SHOP_TOKEN" from the bot "tea"'):
        await service.publish(processes.folder("tea-shop"))
    assert service.bots.variable("tea", "BOT_TEA_SHOP_TOKEN") == "a-token-of-the-tea-shop"
    await service.publish(processes.folder("tea-house"))
    await service.stop(0.5)
