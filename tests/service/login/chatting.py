"""A bot with a protected step, and logins into its chats as the pages of account linking make them, without a provider."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.http.support import BOT, Client, serving

from dialoom.auth.keys import load_keys
from dialoom.auth.vault import Vault
from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.errors import RequestError
from dialoom.service.chat import chat_row
from dialoom.service.chat.login_values import Grant, Login
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from pathlib import Path

    from dialoom.flow.channels import Binding
    from dialoom.service.chat.chat_row import StoredChat
    from dialoom.service.login.links import Opened
    from dialoom.storage.store import Store

KEYS = "A" * 43 + "="
ADA = ChatKey("tea", "rest", "ada")
ISSUER = "https://id.example"
TOKEN, REFRESH_TOKEN = "access-token-of-ada", "refresh-token-of-ada"
ID_TOKEN = ".".join(
    base64.urlsafe_b64encode(part).rstrip(b"=").decode()
    for part in (
        b'{"alg":"RS256"}',
        json.dumps({"iss": ISSUER, "sub": "ada-at-the-provider", "aud": "tea", "iat": 1, "exp": 2}).encode(),
        b"signed by the provider",
    )
)
PROMPT, THANKS, DATA = "Please log in.", "Thank you.", "Seven cups."
BROWSER = hashlib.sha256(b"the secret of a browser").digest()
OTHER_BROWSER = hashlib.sha256(b"the secret of another browser").digest()
WEAKER: tuple[Binding, ...] = ("off", "confirm")
UNKNOWN, OVER, FOREIGN = "login-unknown", "login-over", "login-browser"
LOST = "login-lost"

METADATA: dict[str, Any] = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/auth",
    "token_endpoint": f"{ISSUER}/token",
    "jwks_uri": f"{ISSUER}/keys",
    "revocation_endpoint": f"{ISSUER}/revoke",
    "response_types_supported": ["code"],
    "subject_types_supported": ["public"],
    "id_token_signing_alg_values_supported": ["RS256"],
}
DISCOVERY = {f"{ISSUER}/.well-known/openid-configuration": {"GET": METADATA}}
REVOKE = METADATA["revocation_endpoint"]
TAKES_BACK: dict[str, Any] = {REVOKE: {"POST": {"$status": 200}}}
"""Mocks of a provider that takes tokens back."""


def flow(*more: dict[str, Any], **authentication: Any) -> dict[str, Any]:
    """Return a flow in which "tea" leads to something protected, then to ``more``."""
    protected = {"type": "message", "messages": [DATA], "protected": True}
    oidc = {"issuer": ISSUER, "client-id": "tea", "client-secret": "secret-of-the-client"}
    return {
        "conversations": {
            "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]},
            "tea": {"type": "goal", "display-name": "your tea", "steps": [protected, *more]},
        },
        "settings": {
            "authentication": {
                "entity": "auth",
                "messages": [PROMPT],
                "acknowledgements": [THANKS],
                "display": {"type": "login", "template": {"title": "Log in"}},
                "oidc": oidc,
            }
            | authentication
        },
    }


@contextlib.asynccontextmanager
async def tea_house(
    folder: Path,
    *more: dict[str, Any],
    mocks: dict[str, Any] | None = None,
    store: Store | None = None,
    settings: dict[str, Any] | None = None,
    **keys: Any,
) -> AsyncIterator[Client]:
    """Serve the bot. ``settings``: further ones of the flow; ``keys``: of its authentication."""
    fetcher, made = MockFetcher(DISCOVERY | (mocks or {})), flow(*more, **keys)
    made["settings"] |= settings or {}
    async with serving(folder, made, fetcher, store, BOT, WORDS, keys=KEYS) as client:
        yield client


def revoked(fetcher: MockFetcher) -> list[str]:
    """Return the tokens that the provider was told to revoke, in order."""
    posts = [(request.body or b"").decode() for request in fetcher.requests if request.url == REVOKE]
    return [dict(pair.split("=") for pair in post.split("&"))["token"] for post in posts]


async def end_session(client: Client, folder: Path, key: ChatKey = ADA) -> None:
    """Move the clock until the chat's record has ended, by a minute at most."""
    for _ in range(600):
        if (await stored_chat(client, folder, key)).record is None:
            return
        client.clock.move(0.1)
        await asyncio.sleep(0.001)
    raise AssertionError("the session did not end")


WORDS = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "tea", "expressions": ["tea"]}, {"value": "help", "expressions": ["help"]}],
        }
    ]
}


def state_in(message: dict[str, Any]) -> str:
    """Return the state in the address of a prompt."""
    (button,) = message["v2template"]["buttons"]
    return parse_qs(urlsplit(button["url"]).query)["state"][0]


async def reach_prompt(client: Client, text: str = "tea", sender: str = "ada") -> str:
    """Reach the protected step; return the state of the link."""
    answer = await client.say(text, sender=sender)
    assert answer.status == 200, answer.body
    (prompt,) = [message for message in answer.json if "v2template" in message]
    assert prompt["text"] == PROMPT
    return state_in(prompt)


def login(opened: Opened, **value: Any) -> Login:
    """Return what the provider gives."""
    grant = Grant(opened.about.version, REFRESH_TOKEN, ID_TOKEN, METADATA["revocation_endpoint"])
    return Login({"access_token": TOKEN, "token_type": "Bearer", "sub": "ada-at-the-provider"} | value, grant)


async def open_and_take(client: Client, state: str, browser: bytes | None = None) -> Opened:
    """Open a link, tie it by the bot's rule, and take it for its one use."""
    links = client.service.links
    opened = await links.open(state)
    await links.tie(opened, opened.rule, browser)
    return await links.take(state, browser)


async def log_in(client: Client, state: str, **value: Any) -> str | None:
    """Do all that the pages do; return the code that is shown."""
    opened = await open_and_take(client, state, BROWSER)
    return await client.service.links.finish(opened, login(opened, **value))


def vault_of(folder: Path) -> Vault:
    return Vault.from_keys(load_keys(folder / "data", KEYS))


async def stored_chat(client: Client, folder: Path, key: ChatKey = ADA) -> StoredChat:
    return chat_row.open_chat(vault_of(folder), key, await client.service.store.chat(key)).kept


async def later_texts(client: Client, sender: str = "ada") -> list[str]:
    """Return the texts of the messages that no answer has carried yet."""
    path, token = "/v1/bots/tea/channels/rest/rest/test/messages", "rest-token-of-tea"
    answer = await client.call("GET", path, None, {"Authorization": f"Bearer {token}"}, {"sender": sender})
    assert answer.status == 200, answer.body
    return [message["text"] for message in answer.json["messages"]]


async def errors(client: Client) -> int:
    return sum(record["Errors"] for record in (await client.history("conversations")).json)


async def whole_history(client: Client) -> str:
    return json.dumps([(await client.history(name)).json for name in ("conversations", "messages")])


async def refusal_code(work: Awaitable[object]) -> str:
    """Return the code of the error that the work raises."""
    with pytest.raises(RequestError) as told:
        await work
    return told.value.code
