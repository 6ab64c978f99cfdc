"""A bank's bot whose balance is behind a login, and the service that runs it."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from tests.identity.provider import CLIENT, SECRET
from tests.live import Service, free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REST_TOKEN = "northbank-token-of-rest"
WEB_TOKEN = "northbank-token-of-web"
HISTORY_TOKEN = "northbank-token-of-history"
PROMPT = "Please sign in to Northbank."
THANKS = "You are signed in."
ADA_HAS = "Ada Lovelace, you have 1204.5 euros."
MALLORY_HAS = "Mallory Marlowe, you have 0.13 euros."
CITY = "Which city?"
OPEN = "Our branch in Oslo opens at nine."
LEFT = "You are signed out."
RATE = "The dollar is at 1.08."
BACK = "I am going back to your balance now."
BALANCE, BRANCH, LEAVE, DOLLAR = "my balance", "branch", "sign me out", "the dollar"


def authentication(issuer: str, **changed: Any) -> dict[str, Any]:
    """``settings.authentication``; None takes a key away, and a ``_`` in a name stands for ``-``."""
    plain: dict[str, Any] = {
        "entity": "login",
        "messages": [PROMPT],
        "acknowledgements": [THANKS],
        "display": {"type": "login", "template": {"title": "Sign in"}},
        "oidc": {"issuer": issuer, "client-id": CLIENT, "client-secret": SECRET, "scope": "openid profile"},
    }
    plain |= {name.replace("_", "-"): value for name, value in changed.items()}
    return {name: value for name, value in plain.items() if value is not None}


def flow(accounts: str, login: dict[str, Any], rates: str | None = None, **settings: Any) -> dict[str, Any]:
    """``accounts``: the address that tells a balance to who has an access token. ``rates``: one that tells anybody what
    the dollar is worth, for a goal without a login. ``settings``: more of the flow's, with ``_`` for ``-``."""
    balance = [
        {
            "type": "webhook",
            "protected": True,
            "entity": "account",
            "data-source": {
                "endpoint": accounts,
                "method": "GET",
                "headers": {"Authorization": "Bearer {{login.access_token}}"},
            },
        },
        {"type": "message", "messages": ["{{account.name}}, you have {{account.balance}} euros."]},
    ]
    branch = [
        {"type": "question", "entity": "city", "entity-type": "Text", "is-explicit": True, "messages": [CITY]},
        {"type": "message", "messages": ["Our branch in {{city}} opens at nine."]},
    ]
    leave = [{"type": "command", "command": "logout"}, {"type": "message", "messages": [LEFT]}]
    goals = {
        "balance": {"type": "goal", "display-name": "your balance", "steps": balance},
        "branch": {"type": "goal", "display-name": "the branch", "steps": branch},
        "leave": {"type": "goal", "display-name": "the end", "steps": leave},
    }
    if rates is not None:
        asked = {"type": "webhook", "entity": "rate", "data-source": {"endpoint": rates, "method": "GET"}}
        told = {"type": "message", "messages": ["The dollar is at {{rate.dollar}}."]}
        goals["dollar"] = {"type": "goal", "display-name": "the dollar", "steps": [asked, told]}
    named = {name.replace("_", "-"): value for name, value in settings.items()}
    return {"settings": named | {"authentication": login}, "conversations": goals}


def training(rates: str | None = None, **_: Any) -> dict[str, Any]:
    goals = {
        "balance": [BALANCE, "what is on my account"],
        "branch": [BRANCH, "when does the branch open"],
        "leave": [LEAVE, "sign out"],
    }
    if rates is not None:
        goals["dollar"] = [DOLLAR, "how much is a dollar"]
    named = [{"value": goal, "expressions": expressions} for goal, expressions in goals.items()]
    return {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": named}]}


def write_bank(folder: Path, id: str, accounts: str, login: dict[str, Any], **more: Any) -> Path:
    """A bot folder ``id`` in ``folder``. ``more``: of its ``flow``."""
    bot = {
        "id": id,
        "name": f"Northbank {id}",
        "access-token": f"{HISTORY_TOKEN}-{id}",
        "channels": [
            {"id": "rest", "type": "rest", "token": f"{REST_TOKEN}-{id}"},
            {"id": "web", "type": "web", "token": f"{WEB_TOKEN}-{id}"},
        ],
    }
    files = {"bot.json": bot, "flow.json": flow(accounts, login, **more), "training.json": training(**more)}
    (folder / id).mkdir(parents=True)
    for name, content in files.items():
        (folder / id / name).write_text(json.dumps(content))
    return folder / id


def callback(port: int) -> str:
    """The redirect address of a service on this port of this machine."""
    return f"http://127.0.0.1:{port}/v1/account-linking"


@contextlib.contextmanager
def running_banks(
    folder: Path, make: Callable[[Path], list[Path]], port: int | None = None, **environment: str
) -> Iterator[Service]:
    """The service with the bots that ``make`` writes into a folder."""
    data = folder / "data"
    data.mkdir(parents=True)
    # All tokens stand in the bots: the start prints none that could be read.
    (data / "tokens-of-the-test.json").write_text("{}")
    service = Service(make(folder / "bots"), data, port or free_port(), environment)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()
