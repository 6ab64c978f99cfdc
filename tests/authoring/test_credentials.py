"""What an administrator has to publish: new references to variables, and secrets that go somewhere else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from dialoom.authoring.drafts.credentials import credential_changes

SOURCE = {"endpoint": "https://shop.example/orders", "authentication-method": "shop"}
BOT: dict[str, Any] = {
    "id": "tea",
    "channels": [{"id": "web", "type": "web"}, {"id": "tg", "type": "telegram", "bot-token": {"env": "BOT_TG"}}],
    "credentials": {
        "shop": {"type": "bearer", "token": {"env": "BOT_SHOP"}},
        "bank": {"type": "basic", "username": "tea", "password": "a long word", "url-prefix": "https://bank.example/a"},
    },
}
LOGIN = {"oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": {"env": "BOT_LOGIN"}}}


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


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (_files(), []),
        (_files(SOURCE | {"endpoint": "https://shop.example/other"}), []),
        (_files({"endpoint": "https://evil.example/"}), []),
        (_files(bot=_bot("credentials", "bank", "url-prefix", "https://bank.example/")), []),
        (_files(bot=_bot("credentials", "mine", {"type": "bearer", "token": "my own word"})), []),
        (
            _files(bot=_bot("credentials", "shop", "token", {"env": "BOT_ROOT"})),
            ['It names the environment variable "BOT_ROOT".'],
        ),
        (_files(SOURCE | {"endpoint": "https://evil.example/"}), ['It sends "BOT_SHOP" to https://evil.example.']),
        (_files(SOURCE | {"endpoint": "http://shop.example/"}), ['It sends "BOT_SHOP" to http://shop.example.']),
        (_files(SOURCE | {"endpoint": "{{place}}/orders"}), ['It sends "BOT_SHOP" to {{place}}/orders.']),
        (
            _files(SOURCE | {"endpoint": "https://evil.example\\@shop.example/"}),
            ['It sends "BOT_SHOP" to https://evil.example\\@shop.example.'],
        ),
        (
            _files({"endpoint": "https://evil.example/", "headers": {"X": {"env": "BOT_SHOP"}}}),
            ['It sends "BOT_SHOP" to https://evil.example.'],
        ),
        (
            _files(bot=_bot("credentials", "shop", "url-prefix", "https://evil.example/")),
            ['It sends "BOT_SHOP" to https://evil.example.'],
        ),
        (
            _files(bot=_bot("credentials", "bank", "url-prefix", "https://evil.example/")),
            ['It sends the credential "bank" to https://evil.example.'],
        ),
        (
            # The credential keeps its name and its host, and holds another one's secret.
            _files(bot=_bot("credentials", "bank", "password", {"env": "BOT_SHOP"})),
            ['It sends "BOT_SHOP" to https://bank.example.'],
        ),
        (
            _files(bot=_bot("credentials", "mine", {"type": "bearer", "token": {"env": "BOT_SHOP"}})),
            [],  # nothing uses it
        ),
        (
            # The token of a web channel stands in the page that embeds it.
            _files(bot=_bot("channels", 0, "token", {"env": "BOT_SHOP"})),
            ['It sends "BOT_SHOP" to a web channel.'],
        ),
        (_files(bot=_bot("access-token", {"env": "BOT_SHOP"})), ['It sends "BOT_SHOP" to the bot\'s access token.']),
        (
            _files(login={"oidc": LOGIN["oidc"] | {"issuer": "https://evil.example"}}),
            ['It sends "BOT_LOGIN" to https://evil.example.'],
        ),
        ({**_files(), "flow.json": '{"conversations": '}, []),
    ],
)
def test_new_variables_and_moved_secrets_are_told(after: dict[str, str], expected: list[str]) -> None:
    assert credential_changes(_files(), after) == expected


def test_a_secret_that_stands_in_a_file_is_not_in_the_sentence() -> None:
    moved = _files(bot=_bot("credentials", "bank", "url-prefix", "https://evil.example/"))
    assert "a long word" not in " ".join(credential_changes(_files(), moved))
