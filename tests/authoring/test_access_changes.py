"""What an administrator has to publish: whatever makes, widens, replaces or moves an access."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

from dialoom.authoring.drafts.access_changes import FREE, TABLES, access_changes, readable
from dialoom.authoring.drafts.new_bot import TEMPLATES, files_of_new_bot
from dialoom.flow.channels import Channel
from dialoom.flow.model import Authentication, BotFile

SOURCE = {"endpoint": "https://shop.example/orders", "authentication-method": "shop"}
BOT: dict[str, Any] = {
    "id": "tea",
    "channels": [
        {"id": "web", "type": "web", "allowed-origins": ["https://shop.example"], "require-user-token": True},
        {"id": "tg", "type": "messenger-3", "bot-token": {"env": "BOT_TG"}},
    ],
    "access-token": "the word of the operator",
    "retention-days": 30,
    "credentials": {
        "shop": {"type": "bearer", "token": {"env": "BOT_SHOP"}},
        "bank": {"type": "basic", "username": "tea", "password": "a long word", "url-prefix": "https://bank.example/a"},
    },
}
LOGIN: dict[str, Any] = {
    "binding": "code",
    "oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": {"env": "BOT_LOGIN"}},
}


def _files(source: Any = SOURCE, bot: Any = BOT, login: Any = LOGIN) -> dict[str, str]:
    flow = {
        "settings": {"authentication": login},
        "conversations": {"c": {"steps": [{"type": "webhook", "data-source": source}]}},
    }
    texts = {"bot.json": json.dumps(bot), "flow.json": json.dumps(flow)}
    return texts | {"tests/x.json": json.dumps({"env": "BOT_OTHER"})}


def _bot(*path: Any) -> dict[str, Any]:
    """Return the bot with the last of ``path`` at the place that the others lead to."""
    *way, last, value = path
    bot = copy.deepcopy(BOT)
    inner: Any = bot
    for key in way:
        inner = inner[key]
    inner[last] = value
    return bot


WEB: dict[str, Any] = BOT["channels"][0]
BANK = "https://bank.example/a"


def _web(**keys: Any) -> dict[str, str]:
    return _files(bot=_bot("channels", 0, {k: v for k, v in (WEB | _kebab(keys)).items() if v is not None}))


def _login(**keys: Any) -> dict[str, str]:
    return _files(login=LOGIN | _kebab(keys))


def _kebab(keys: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in keys.items()}


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in BOT.items() if name != key}


@pytest.mark.parametrize(
    "after",
    [
        _files(),
        _files({"endpoint": "https://evil.example/"}),
        _files(SOURCE | {"endpoint": "https://shop.example/orders?a=b"}),
        _files(SOURCE | {"method": "POST", "payload": {"env": "production"}}),
        # Below a credential's own prefix a developer is free.
        _files({"endpoint": f"{BANK}/pay/{{{{id}}}}", "authentication-method": "bank"}),
        _files(bot=_bot("name", "Tea house")),
        _files(bot=_bot("look", {"brand": "#123456"})),
        _files(bot=_bot("live-agents", {"desk": "https://desk.example/"})),
        _files(bot=_without("channels") | {"channels": [WEB]}),
        _web(allowed_origins=None),
        _web(allowed_origins=[]),
        _web(name="Site", ask_rating=True, note="for the site"),
        _web(login_from_page=False, erase_from_page=False),
        _login(messages=["Who are you?"], note="our own"),
        _files(login={}),
        {**_files(), "flow.json": '{"conversations": '},
        {"flow.json": _files()["flow.json"]},
    ],
)
def test_what_gives_nothing_away_is_a_developers(after: dict[str, str]) -> None:
    assert access_changes(_files(), after) == []


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (
            _files(bot=_bot("credentials", "shop", "token", {"env": "BOT_ROOT"})),
            ['It names the environment variable "BOT_ROOT".', 'It changes the credential "shop".'],
        ),
        (
            _files(SOURCE | {"endpoint": "https://evil.example/"}),
            ['It sends the credential "shop" to https://evil.example/.'],
        ),
        (
            _files(SOURCE | {"endpoint": "http://shop.example/orders"}),
            ['It sends the credential "shop" to http://shop.example/orders.'],
        ),
        (
            _files(SOURCE | {"endpoint": "https://shop.example/other"}),
            ['It sends the credential "shop" to https://shop.example/other.'],
        ),
        (
            _files(SOURCE | {"endpoint": "{{place}}/orders"}),
            ['It sends the credential "shop" to {{place}}/orders.'],
        ),
        (
            _files(SOURCE | {"endpoint": "https://evil.example\\@shop.example/orders"}),
            ['It sends the credential "shop" to https://evil.example\\@shop.example/orders.'],
        ),
        (
            _files({"endpoint": "https://evil.example/", "headers": {"X": {"env": "BOT_SHOP"}}}),
            ['It sends "BOT_SHOP" to https://evil.example/.'],
        ),
        (
            _files({"endpoint": "https://shop.example/orders", "headers": {"payload": {"env": "BOT_NEW"}}}),
            ['It sends "BOT_NEW" to https://shop.example/orders.'],
        ),
        *(
            (
                _files({"endpoint": endpoint, "authentication-method": "bank"}),
                [f'It sends the credential "bank" to {endpoint}.'],
            )
            for endpoint in (
                "https://bank.example/ab",
                "https://bank.example/",
                f"{BANK}/../b",
                f"{BANK}/..;x/b",
                f"{BANK}/%2e%2e/b",
                f"{BANK}/.{{{{empty}}}}./b",
                f"{BANK}/{{{{#if x}}}}..{{{{/if}}}}/b",
                f"{BANK}{{{{rest}}}}",
            )
        ),
        *(
            (
                _files(bot=_bot("credentials", "bank", "url-prefix", prefix)),
                [f'It changes the credential "bank", which goes to "{prefix}".'],
            )
            for prefix in ("https://evil.example/a", "http://bank.example/a", "https://bank.example/", f"{BANK}/b")
        ),
        (
            _files(bot=_bot("credentials", "bank", "password", {"env": "BOT_SHOP"})),
            ['It changes the credential "bank", which goes to "https://bank.example/a".'],
        ),
        (
            _files(bot=_bot("credentials", "mine", {"type": "bearer", "token": "my own word"})),
            ['It adds the credential "mine".'],
        ),
        (
            _files(bot=_bot("credentials", {"shop": BOT["credentials"]["shop"]})),
            ['It takes away the credential "bank", which has a url-prefix.'],
        ),
        (_web(token="my own word"), ['It changes the token of the channel "web".']),
        (
            _web(user_secret="a word of my own"),
            ['It changes the user-secret of the channel "web", which signs who its users are.'],
        ),
        (
            _web(user_token_algorithm="ES256"),
            ['It changes how the channel "web" checks who its users are (user-token-algorithm).'],
        ),
        (_web(require_user_token=None), ['It opens the channel "web" to users who show no user token.']),
        (_web(require_user_token=False), ['It opens the channel "web" to users who show no user token.']),
        (_web(login_from_page=True), ['It lets pages log users of the channel "web" in.']),
        (_web(erase_from_page=True), ['It lets users of the channel "web" erase what is kept of them.']),
        (
            _web(allowed_origins=["https://shop.example", "https://evil.example"]),
            ['It opens the channel "web" to pages of "https://evil.example".'],
        ),
        (_web(key_of_tomorrow=1), ['It changes "key-of-tomorrow" of the channel "web".']),
        (_web(type="rest"), ['It opens the channel "web" of type "rest".']),
        (
            _files(bot=_bot("channels", [*BOT["channels"], {"id": "r", "type": "rest", "token": "my own word"}])),
            ['It opens the channel "r" of type "rest".'],
        ),
        # Without the key there are a web and a rest channel.
        (_files(bot=_without("channels")), [
            'It opens the channel "web" to users who show no user token.', 'It opens the channel "rest" of type "rest".',
        ]),
        (
            _files(bot=_bot("channels", 1, "bot-token", "my own word")),
            ['It changes the bot-token of the channel "tg".'],
        ),
        (
            _files(bot=_bot("access-token", "my own word")),
            ["It changes the bot's access-token, which reads and erases what users said."],
        ),
        *(
            (_files(bot=bot), ["It changes how long conversations are kept (retention-days)."])
            for bot in (_bot("retention-days", 1), _bot("retention-days", 3000), _without("retention-days"))
        ),
        (_files(bot=_bot("trace", True)), ["It keeps what users say in traces (trace)."]),
        (_files(bot=_bot("id", "bank")), ["It gives the bot another id."]),
        (_files(bot=_bot("key-of-tomorrow", 1)), ['It changes "key-of-tomorrow" of the bot.']),
        (_login(oidc=LOGIN["oidc"] | {"issuer": "https://evil.example"}), ["It changes the login provider (oidc)."]),
        (_login(oidc=LOGIN["oidc"] | {"scope": "all"}), ["It changes the login provider (oidc)."]),
        (_login(binding="off"), ["It changes what protects a forwarded login link (binding)."]),
        (_login(refresh=True), ["It renews logins without their users (refresh)."]),
        (_login(key_of_tomorrow=1), ['It changes "key-of-tomorrow" of the login.']),
    ],
)  # fmt: skip
def test_what_gives_an_access_away_is_told(after: dict[str, str], expected: list[str]) -> None:
    assert access_changes(_files(), after) == expected


def _in_types(source: Any) -> dict[str, str]:
    dynamic = {"data-source": source, "value-template": "{{name}}"}
    definition = {"name": "Tea", "lookup-strategy": "keywords", "dynamic-data": dynamic}
    return {**_files(), "training.json": json.dumps({"entity-definitions": [definition]})}


def _in_step(**step: Any) -> dict[str, str]:
    flow = json.loads(_files()["flow.json"])
    flow["conversations"]["c"]["steps"].append({"type": "question", "entity": "x"} | step)
    return {**_files(), "flow.json": json.dumps(flow)}


EVIL = {"endpoint": "https://evil.example/", "headers": {"X": {"env": "BOT_SHOP"}}}


@pytest.mark.parametrize(
    "after",
    [
        _in_types(EVIL),
        _in_step(**{"data-source": EVIL}),
        _in_step(display={"type": "carousel", "data-source": EVIL}),
        _in_step(display={"type": "location-picker", "places": {"data-source": EVIL}}),
        _in_step(reactions={"validations": [{"type": "custom", "parameters": {"data-source": EVIL}}]}),
    ],
)
def test_a_secret_is_seen_wherever_a_call_stands(after: dict[str, str]) -> None:
    assert access_changes(_files(), after) == ['It sends "BOT_SHOP" to https://evil.example/.']


def test_a_login_that_is_new_is_told() -> None:
    assert "It adds a login (settings.authentication)." in access_changes(_files(login={}), _files())


def test_no_secret_is_in_a_sentence() -> None:
    changed = _files(bot=_bot("credentials", "bank", "password", "another long word"))
    changed |= {"bot.json": changed["bot.json"].replace("the word of the operator", "a stolen word")}
    told = " ".join(access_changes(_files(), changed))
    assert "access-token" in told
    assert "bank" in told
    assert not any(word in told for word in ("long word", "word of the operator", "stolen"))


def test_a_file_that_could_not_be_read_before_gives_nothing() -> None:
    broken = {**_files(), "bot.json": "{"}
    assert 'It adds the credential "bank".' in access_changes(broken, _files())
    assert access_changes(readable(broken, _files()), _files()) == []
    assert access_changes(readable({"flow.json": _files()["flow.json"]}, _files()), _files()) == []


@pytest.mark.parametrize(("kind", "model"), [("bot", BotFile), ("channel", Channel), ("login", Authentication)])
def test_each_key_of_the_language_is_judged(kind: str, model: type[msgspec.Struct]) -> None:
    keys = {field.encode_name for field in msgspec.structs.fields(model)} - {"note", "$schema"}
    assert keys <= TABLES[kind].keys() | FREE[kind], "Say in access_changes what a change of this key gives away."
    assert not TABLES[kind].keys() & FREE[kind]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_bot_has_no_secret_and_nothing_that_an_administrator_decides(template: str) -> None:
    files = files_of_new_bot(template, "new", "New", "en")
    assert files is not None
    bot = json.loads(files["bot.json"])
    assert not (bot.keys() & TABLES["bot"].keys()) - {"id"}
    assert "credentials" not in bot
    assert all(channel.keys() <= FREE["channel"] for channel in bot.get("channels", []))
    assert '"env"' not in files["flow.json"]
