"""The pages of a login over a SQLite store, beside a provider of whom only the answers are there."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
from tests.http.support import BASE, BOT, FLOW, Answer, Client, serving

from dialoom.http.app import App
from dialoom.service.chat.login_values import Grant, Login

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.auth.provider import CallbackParams
    from dialoom.service.login.links import Opened
    from dialoom.service.login.provider_calls import ProviderFailed

START, BACK = "/v1/account-linking/start", "/v1/account-linking"
PROVIDER = "https://id.example/authorize"
PROMPT, THANKS, SECRET = "Please log in.", "Thank you.", "Yours alone."
TOKEN = "the-access-token-of-ada"


def flow(**changed: Any) -> dict[str, Any]:
    """A goal that needs a login."""
    steps = [{"type": "message", "protected": True, "messages": [SECRET]}]
    authentication = {
        "entity": "account",
        "messages": [PROMPT],
        "acknowledgements": [THANKS],
        "display": {"type": "login", "template": {"title": "Log in"}},
        "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": "s"},
    }
    return {
        "conversations": FLOW["conversations"] | {"tea": {"type": "goal", "display-name": "tea", "steps": steps}},
        "settings": {"authentication": authentication | changed},
    }


class Provider:
    """Stands in for ``service.login.providers``."""

    def __init__(self) -> None:
        self.asked: list[CallbackParams] = []
        self.failure: ProviderFailed | None = None
        self.hangs = False

    async def address(self, opened: Opened) -> str:
        await self._answer()
        return f"{PROVIDER}?{urlencode({'state': opened.state, 'client_id': 'a'})}"

    async def is_cancelled(self, opened: Opened, params: CallbackParams) -> bool:
        return params.is_cancelled and params.iss in {None, "https://id.example"}

    async def login(self, opened: Opened, params: CallbackParams) -> Login:
        self.asked.append(params)
        await self._answer()
        return Login({"access_token": TOKEN, "token_type": "Bearer"}, Grant(opened.deployed.version))

    async def _answer(self) -> None:
        await asyncio.sleep(0)
        if self.hangs:
            await asyncio.Event().wait()
        if self.failure is not None:
            raise self.failure


class Tab:
    """A person's browser: it keeps the cookie."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.cookie: str | None = None

    async def get(self, address: str, method: str = "GET", **headers: str) -> Answer:
        return await self._ask(method, address, None, headers)

    async def post(self, address: str, form: dict[str, str]) -> Answer:
        return await self._ask(
            "POST", address, urlencode(form).encode(), {"content-type": "application/x-www-form-urlencoded"}
        )

    async def send(self, address: str, value: Any) -> Answer:
        return await self._ask("POST", address, value, {})

    async def back(self, state: str, **params: str) -> Answer:
        """From the provider."""
        return await self.get(f"{BACK}?{urlencode({'state': state} | (params or {'code': 'c0de'}))}")

    async def _ask(self, method: str, address: str, body: Any, headers: dict[str, str]) -> Answer:
        place = urlsplit(address)
        kept = {"cookie": self.cookie} if self.cookie else {}
        answer = await self._client.call(method, place.path, body, headers | kept, place.query)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer


class Desk:
    def __init__(self, client: Client, provider: Provider) -> None:
        self.client = client
        self.provider = provider

    def tab(self) -> Tab:
        return Tab(self.client)

    async def link(self, sender: str = "ada") -> str:
        """Where the login button of this user leads, on rest."""
        answer = await self.client.say("tea", sender=sender)
        assert answer.status == 200, answer.body
        address: str = answer.json[-1]["template"]["buttons"][0]["url"]
        assert address.startswith(f"{BASE}{START}?state=")
        return address

    async def later(self, sender: str = "ada") -> list[str]:
        """What came by itself on rest."""
        for _ in range(200):  # the turn is nobody's request, and takes some steps of the loop
            await asyncio.sleep(0)
        headers = {"Authorization": "Bearer rest-token-of-tea"}
        path = "/v1/bots/tea/channels/rest/rest/test/messages"
        answer = await self.client.call("GET", path, None, headers, {"sender": sender})
        return [message["text"] for message in answer.json["messages"]]


@contextlib.asynccontextmanager
async def desk(folder: Path, bot: dict[str, Any] = BOT, **changed: Any) -> AsyncIterator[Desk]:
    """``changed``: keys of ``settings.authentication``, with underscores."""
    settings = {
        name: changed.pop(name) for name in ("rate_address", "rate_user", "base_url", "store") if name in changed
    }
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    async with serving(folder, flow(**named), bot=bot, **settings) as client:
        provider = Provider()
        service = msgspec.structs.replace(client.service, providers=provider)
        app = await asyncio.to_thread(App, service, settings.get("base_url", BASE))
        yield Desk(Client(app, service, client.clock, client.fetcher), provider)


def state_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["state"][0]


def told(page: Answer, name: str) -> str:
    """What the page tells its script."""
    found = re.search(rf' data-{name}="([^"]*)"', page.body.decode())
    assert found is not None, page.body
    return found[1].replace("&quot;", '"').replace("&amp;", "&")


def answer_of(page: Answer) -> str:
    """What the page's form carries."""
    found = re.search(r'name="answer" value="([^"]+)"', page.body.decode())
    assert found is not None, page.body
    return found[1]


def code_of(page: Answer) -> str:
    found = re.search(r'<p class="code"[^>]*>(\d{6})</p>', page.body.decode())
    assert found is not None, page.body
    return found[1]


def title(page: Answer) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page.body.decode())
    assert found is not None, page.body
    return found[1]


async def asked(bank: Desk, tab: Tab) -> tuple[str, Answer]:
    """The link, and the page that asks "Is this your chat?"."""
    link = await bank.link()
    page = await tab.get(link)
    assert (page.status, title(page)) == (200, "Is this your chat?")
    return link, page


async def logged_in(bank: Desk, **params: str) -> Answer:
    """The last page of a login on rest."""
    link, tab = await bank.link(), bank.tab()
    await tab.get(link)
    return await tab.back(state_of(link), **params)
