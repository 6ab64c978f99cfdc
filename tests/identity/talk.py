"""People who talk with a bank's bot over HTTP: on rest, as an application would, and on web, as a chat page would."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from tests.identity.bots import HISTORY_TOKEN, REST_TOKEN
from tests.live import call, wait_until

if TYPE_CHECKING:
    from tests.live import Answer, Service

Messages = list[dict[str, Any]]


def state_of(address: str) -> str:
    """The one-time state in the address of a login link, or of the provider that it leads to."""
    return parse_qs(urlsplit(address).query)["state"][0]


def texts(messages: Messages) -> list[str]:
    return [message["text"] for message in messages if message.get("text")]


class Rest:
    """One user on the rest channel."""

    def __init__(self, service: Service, bot: str, sender: str) -> None:
        self.service, self.bot, self.sender = service, bot, sender
        self._base = f"{service.url}/v1/bots/{bot}/channels/rest/rest/app"
        self._headers = {"Authorization": f"Bearer {REST_TOKEN}-{bot}"}
        self._next: str | None = None

    def ask(self, text: str, timeout: float = 60.0, **message: Any) -> Answer:
        body = {"sender": {"id": self.sender, "name": "Ada Lovelace"}, "message": {"text": text} | message}
        return call("POST", self._base, body, self._headers, timeout)

    def say(self, text: str) -> Messages:
        answer = self.ask(text)
        assert answer.status == 200, answer.body
        found: Messages = answer.json
        return found

    def link(self, text: str) -> str:
        """Says what leads to a protected step; gives the address of the login button."""
        [address] = [
            message["v2template"]["buttons"][0]["url"]
            for message in self.say(text)
            if message.get("v2template", {}).get("type") == "login"
        ]
        return str(address)

    def later(self) -> list[str]:
        """What came since the last answer, fetched once."""
        query = f"?sender={self.sender}" + (f"&after={self._next}" if self._next else "")
        answer = call("GET", f"{self._base}/messages{query}", None, self._headers)
        assert answer.status == 200, answer.body
        self._next = answer.json["next"]
        return texts(answer.json["messages"])

    def hears(self, *wanted: str) -> None:
        """All of these, in this order, and nothing else, come by themselves."""
        heard: list[str] = []

        def is_all() -> bool:
            heard.extend(self.later())
            return len(heard) >= len(wanted)

        wait_until(is_all)
        assert tuple(heard) == wanted

    def records(self) -> Messages:
        """Its conversations, the newest first."""
        query = {"query": {"User": self.sender}, "sort": {"StartedAt": -1}}
        found: Messages = history(self.service, self.bot, "conversations", **query)
        return found


class Web:
    """One browser's chat page."""

    def __init__(self, service: Service, bot: str) -> None:
        self.service, self.bot = service, bot
        self._base = f"{service.url}/v1/bots/{bot}/channels/web/web"
        self._ids = itertools.count()
        opened = call("POST", f"{self._base}/sessions", {}, {"Origin": service.url})
        assert opened.status == 200, opened.body
        self.token: str = opened.json["token"]
        self.user: str = opened.json["user"]["id"]
        self._after: Any = opened.json["cursor"]

    def call(self, method: str, path: str, body: Any = None) -> Answer:
        headers = {"Authorization": f"Bearer {self.token}", "Origin": self.service.url}
        return call(method, f"{self._base}/{path}", body, headers)

    def say(self, text: str) -> None:
        answer = self.call("POST", "messages", {"id": str(next(self._ids)), "text": text})
        assert answer.status == 202, answer.body

    def heard(self) -> Messages:
        """What the bot said since the last look."""
        answer = self.call("GET", f"messages?after={self._after}&wait=1")
        assert answer.status == 200, answer.body
        self._after = answer.json["next"]
        return [message for message in answer.json["messages"] if message["from"] == "bot"]

    def link(self, text: str) -> str:
        """Says what leads to a protected step; gives the address of the login button."""
        self.say(text)
        found: list[str] = []

        def came() -> bool:
            found.extend(m["dialog"]["url"] for m in self.heard() if m.get("dialog", {}).get("type") == "login")
            return bool(found)

        wait_until(came)
        return found[0]

    def hears(self, *wanted: str) -> None:
        heard: list[str] = []

        def is_all() -> bool:
            heard.extend(texts(self.heard()))
            return len(heard) >= len(wanted)

        wait_until(is_all)
        assert tuple(heard) == wanted


def history(service: Service, bot: str, path: str, **query: Any) -> Any:
    service.tokens["history token"] = f"{HISTORY_TOKEN}-{bot}"
    return service.history(bot, path, **query)
