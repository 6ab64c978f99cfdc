"""People who use an example bot on one channel each: what they see as lines, and how they answer there.

Those of the platforms act on the stand-ins' screens, as on the sandbox page; those of web, mobile and rest by HTTP.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from typing import TYPE_CHECKING, Any

import aiohttp

from dialoom.testing.platforms.workplace_chat.adaptive_cards import inputs_of, walk
from tests.identity.browser import Browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.testing.platforms import StandIn
    from tests.channels.platform_service import Running

Json = dict[str, Any]
WAYS_BACK = {
    "messenger-1": "https://m.me/",
    "messenger-2": "viber://",
    "messenger-3": "https://t.me/",
}
WAIT_SECONDS = 30.0
"""The most that an answer of the bot takes here."""


class User:
    """Someone on one channel. ``ways``: how each answer was given, in order."""

    def __init__(self, running: Running, channel: str) -> None:
        self.running, self.channel = running, channel
        self.ways: list[str] = []
        self.lines: list[str] = []
        """The talk so far: the user's lines begin with ``>``."""

    async def say(self, text: str) -> None:
        """Type a text, or speak it."""
        await self._did("typed", f"> {text}", self._say(text))

    async def choose(self, *titles: str, value: str = "", spoken: str = "") -> None:
        """Choose these options of the open question in the channel's own way; ``value`` is a day as ``YYYY-MM-DD``, and
        ``spoken`` what one says where nothing can be tapped."""
        raise NotImplementedError

    async def link(self) -> str:
        """Return the address behind the login's button."""
        raise NotImplementedError

    way_back = "no-app:"
    """How the address begins that ends a login, where it is no page."""
    goes_on_with_next_message = False
    """True if the bot waits for a message after a login."""

    async def start(self) -> None:
        """Open the chat."""
        await self._did("typed", "> hi", self._say("hi"))

    async def look(self) -> None:
        """Take down what the bot has said, once it has said something and nothing more is on its way."""
        seen: list[str] = []
        is_waiting = True
        async with asyncio.timeout(WAIT_SECONDS):
            while is_waiting or not seen:
                await asyncio.sleep(0.01)  # a person looks at the screen now and then: nothing tells when a bot is done
                # Counted before the look, so that what arrives in between is seen.
                is_waiting = any(one.waiting for one in await self.running.service.outbox.counts())
                await self.running.settled()
                seen += await self._seen()
        for line in [*seen, *self._offers()]:
            self.lines += [f"  {part}".rstrip() for part in line.splitlines()]

    def _offers(self) -> list[str]:
        """Return what stands below all messages."""
        return []

    async def _did(self, way: str, line: str, act: Any) -> None:
        self.ways.append(way)
        self.lines.append(line)
        await act
        await self.look()

    async def _say(self, text: str) -> None:
        raise NotImplementedError

    async def _seen(self) -> list[str]:
        raise NotImplementedError


class HttpUser(User):
    """What web, mobile and rest share: a client over HTTP that knows what the last question offered."""

    def __init__(self, running: Running, channel: str, bot: str) -> None:
        super().__init__(running, channel)
        self.base = f"{running.url}/v1/bots/{bot}/channels/{channel}"
        self.headers: dict[str, str] = {}
        self.last: Json = {}
        """The last message of the bot."""

    async def call(self, method: str, path: str, body: Json | None = None) -> Any:
        async with (
            aiohttp.ClientSession() as client,
            client.request(method, f"{self.base}/{path}", json=body, headers=self.headers) as answer,
        ):
            assert answer.status in (200, 202), await answer.text()
            return await answer.json(content_type=None)


class PageUser(HttpUser):
    """Someone on the chat page, or in an app that speaks its protocol."""

    def __init__(self, running: Running, channel: str, bot: str) -> None:
        super().__init__(running, channel, bot)
        self._ids = itertools.count()
        self._after: Any = None

    async def start(self) -> None:
        await self._did("opened", "> (opens the chat)", self._open())

    async def _open(self) -> None:
        self.headers = {"Origin": self.running.url}
        session = await self.call("POST", "web/sessions", {})
        self.headers["Authorization"] = f"Bearer {session['token']}"
        self._after = 0

    async def _post(self, **message: Any) -> None:
        await self.call("POST", "web/messages", {"id": str(next(self._ids)), **message})

    async def _say(self, text: str) -> None:
        await self._post(text=text)

    async def choose(self, *titles: str, value: str = "", spoken: str = "") -> None:
        dialog = self.last.get("dialog") or {}
        options = dialog.get("options") or self.last.get("replies", [])
        if not value and not any("key" in one for one in options):
            assert titles[0] in [one["title"] for one in options]
            return await self._did("tapped", f"> (tapped) {titles[0]}", self._post(text=titles[0]))
        keys = [next(one["key"] for one in options if one["title"] == title) for title in titles]
        option = (
            {"value": value} if value else {"keys": keys} if dialog.get("type") == "multi-select" else {"key": keys[0]}
        )
        ask = {"ask": dialog["key"]} if value and "key" in dialog else {}
        way = f"picked in the {dialog['type']}" if dialog else "tapped"
        shown = value or ", ".join(titles)
        return await self._did(way, f"> ({way}) {shown}", self._post(option=option, **ask))

    async def link(self) -> str:
        return str(self.last["dialog"]["url"])

    async def _seen(self) -> list[str]:
        got = await self.call("GET", f"web/messages?after={self._after}&wait=0")
        self._after = got["next"]
        lines: list[str] = []
        for message in (one for one in got["messages"] if one["from"] == "bot"):
            self.last = message
            lines.append(message["text"])
            if replies := message.get("replies"):
                lines.append(buttons(one["title"] for one in replies))
            if dialog := message.get("dialog"):
                lines.append(opened(dialog["type"], dialog.get("title", ""), dialog.get("options") or []))
        return lines


class RestUser(HttpUser):
    """A program of a partner."""

    def __init__(self, running: Running, channel: str, bot: str, token: str) -> None:
        super().__init__(running, channel, bot)
        self.headers = {"Authorization": f"Bearer {token}"}
        self._got: list[Json] = []
        self._is_later = False

    async def _post(self, **message: Any) -> None:
        body = {"sender": {"id": "ada", "name": "Ada Lovelace"}, "message": message}
        self._got = await self.call("POST", "rest/test", body)

    async def _say(self, text: str) -> None:
        await self._post(text=text)

    async def choose(self, *titles: str, value: str = "", spoken: str = "") -> None:
        template = self.last.get("v2template") or {}
        options = template.get("items") or self.last.get("richQuickReplies", [])
        found = [next(one["value"] for one in options if one["title"] == title) for title in titles]
        many = template.get("type") == "multi-select"
        way = f"sent as the option of the {template['type']}" if template else "sent as the option"
        shown = value or ", ".join(titles)
        await self._did(way, f"> ({way}) {shown}", self._post(option=value or (found if many else found[0])))

    async def link(self) -> str:
        self._is_later = True
        return str(self.last["v2template"]["buttons"][0]["url"])

    async def _seen(self) -> list[str]:
        if self._is_later and not self._got:
            self._got = (await self.call("GET", "rest/test/messages?sender=ada"))["messages"][-2:]
        lines: list[str] = []
        for message in self._got:
            self.last = message
            lines.append(message["text"])
            if replies := message.get("quickReplies"):
                lines.append(buttons(replies))
            if template := message.get("v2template"):
                title = (template.get("buttons") or [{"title": ""}])[0]["title"]
                lines.append(opened(template["type"], title, template.get("items") or []))
        self._got = []
        return lines


class PlatformUser(User):
    """Someone on a platform: acts on its screen as a person on the sandbox page does."""

    def __init__(self, running: Running, channel: str, platform: StandIn) -> None:
        super().__init__(running, channel)
        self.platform = platform
        self.way_back = WAYS_BACK.get(channel, self.way_back)
        self.goes_on_with_next_message = channel == "workplace-chat"
        self._count = self._answered = 0
        """Of the items of the screen: those that were looked at, and those before the open question."""
        self._old_keyboard: Any = None
        """That of the question before, which stays where a question brings none."""

    @property
    def screen(self) -> Json:
        return self.platform.screen()

    @property
    def speaks(self) -> bool:
        """Return whether nothing can be tapped here."""
        return bool(self.screen.get("spoken"))

    async def do(self, **action: Any) -> str | None:
        return await self.platform.act(action)

    async def start(self) -> None:
        """Open the chat as the platform's users do."""
        first = self.screen["actions"][0]
        await self._did("opened", f"> ({first['title']})", self.do(**first))

    async def say(self, text: str) -> None:
        await self._did("spoken" if self.speaks else "typed", f"> {text}", self._say(text))

    async def _say(self, text: str) -> None:
        await self.do(do="say", text=text)

    async def choose(self, *titles: str, value: str = "", spoken: str = "") -> None:
        shown = value or ", ".join(titles)
        if self.speaks:
            await self._did("spoken", f"> {spoken or shown}", self._say(spoken or shown))
        elif not value and len(titles) == 1 and (button := self._button(titles[0])) is not None:
            await self._did("tapped", f"> (tapped) {shown}", self.do(**button))
        elif (filled := self._filled(titles, value)) is not None:
            await self._did("filled in the card", f"> (filled in the card) {shown}", self.do(**filled))
        elif numbers := self._numbers(titles):
            await self._did("typed by number", f"> {numbers}", self._say(numbers))
        elif (address := self.address("/pick/")) is not None:
            await self._did("picked on the page", f"> (picked on the page) {shown}", pick(address, titles, value))
        else:
            assert value, f"{self.channel} has no way to choose {shown}: {self.lines[-9:]}"
            await self._did("typed", f"> {spoken}", self._say(spoken))

    async def link_account(self, token: str) -> None:
        """Link the account in the app of the speaker, and open the skill again."""
        await self.do(do="link", token=token)
        await self._did("linked in the app", "> (links the account in the app, opens the skill)", self.do(do="open"))

    async def link(self) -> str:
        found = self.address("/account-linking")
        assert found is not None, self.lines
        return found

    def address(self, part: str) -> str | None:
        """Return the newest address of a button that contains this."""
        for button in self._buttons():
            where = button.get("url") or button.get("body") or ""
            if part in where:
                return str(where)
        for card in self._adaptive():
            for node in walk(card):
                if part in node.get("url", ""):
                    return str(node["url"])
        return None

    def _buttons(self) -> Iterator[Json]:
        screen = self.screen
        yield from screen.get("replies", [])
        if screen.get("keyboard") != self._old_keyboard:
            yield from (one for row in screen.get("keyboard", []) for one in row)
        for item in self._open_items():
            yield from (one for row in item.get("rows", []) for one in row)
            for card in item.get("cards", []):
                yield from (one for row in card.get("rows", []) for one in row)

    def _open_items(self) -> list[Json]:
        """Return what the bot has said since the last answer, the newest first."""
        return [one for one in self.screen["items"][self._answered :] if one["from"] == "bot"][::-1]

    def _button(self, title: str) -> Json | None:
        for button in self._buttons():
            if is_title(button["title"], title):
                return button
        for item in self._open_items():
            told = "".join(span["text"] for span in item["spans"]).splitlines()
            if told and told[0] == title and item.get("rows"):
                return dict(item["rows"][-1][-1])
            for card in item.get("cards", []):
                if "adaptive" in card:
                    nodes = list(walk(card["adaptive"]))
                    taps = [one for one in nodes if one["type"] == "Action.Submit"]
                    if len(taps) == 1 and any(one.get("text") == title for one in nodes):
                        return {"do": "submit", "title": taps[0]["title"], "data": taps[0]["data"]}
                elif is_title(card.get("title") or "", title) and card["rows"]:
                    return dict(card["rows"][0][0])
        for card in self._adaptive():
            for node in walk(card):
                if node["type"] == "Action.Submit" and is_title(node.get("title", ""), title):
                    return {"do": "submit", "title": node["title"]}
        return None

    def _numbers(self, titles: tuple[str, ...]) -> str:
        """Return what to type where the options stand as a numbered list; empty where they do not."""
        said = [
            line.strip() for line in self.lines[max(n for n, one in enumerate(self.lines) if one.startswith(">")) :]
        ]
        numbered = {line.partition(". ")[2].partition(" – ")[0]: line.partition(". ")[0] for line in said}
        found = [numbered[title] for title in titles if title in numbered]
        return ", ".join(found) if found and len(found) == len(titles) else ""

    def _adaptive(self) -> Iterator[Json]:
        for item in self._open_items():
            yield from (card["adaptive"] for card in item.get("cards", []) if "adaptive" in card)

    def _filled(self, titles: tuple[str, ...], value: str) -> Json | None:
        for card in self._adaptive():
            for field in inputs_of(card):
                choices = {one["title"].partition(" – ")[0]: one["value"] for one in field.get("choices", [])}
                if (value and field["type"] == "Input.Date") or (titles and set(titles) <= choices.keys()):
                    submit = next(node for node in walk(card) if node["type"] == "Action.Submit")
                    entered = value or ",".join(choices[title] for title in titles)
                    return {"do": "submit", "title": submit["title"], "inputs": {field["id"]: entered}}
        return None

    async def _did(self, way: str, line: str, act: Any) -> None:
        self._answered = self._count
        self._old_keyboard = self.screen.get("keyboard")
        await super()._did(way, line, act)

    async def _seen(self) -> list[str]:
        screen = self.screen
        new, self._count = screen["items"][self._count :], len(screen["items"])
        lines: list[str] = []
        for item in (one for one in new if one["from"] == "bot"):
            text = "".join(span["text"] for span in item["spans"])
            lines += [f"“{text}”" if self.speaks else text] if text else []
            lines += [buttons(one["title"] for one in row) for row in item.get("rows", [])]
            for card in item.get("cards", []):
                lines += self._card(card)
            lines += [f"({item['note']})"] if "note" in item else []
        return lines

    def _offers(self) -> list[str]:
        screen = self.screen
        keys = screen.get("keyboard", [])
        offered = [*screen.get("replies", []), *(one for row in keys for one in row if keys != self._old_keyboard)]
        return [buttons(one["title"] for one in offered)] if offered else []

    @staticmethod
    def _card(card: Json) -> list[str]:
        if "adaptive" in card:
            parts = []
            for node in walk(card["adaptive"]):
                choices = node.get("choices", [])
                parts += [opened(node["type"], "", choices)] if node["type"].startswith("Input.") else []
                parts += [buttons([node.get("title", "")])] if node["type"].startswith("Action.") else []
                parts += [node["text"]] if node["type"] == "TextBlock" else []
            return [f"| {part}" for part in parts]
        told = " · ".join(part for part in (card.get("title"), card.get("subtitle")) if part)
        taps = [buttons(one["title"] for one in row) for row in card.get("rows", [])]
        return [f"| {line}" for line in " ".join([*([told] if told else []), *taps]).splitlines()]


def is_title(shown: str, title: str) -> bool:
    """Return whether a title is shown, perhaps clipped by the platform's limit."""
    return shown == title or (shown.endswith("…") and title.startswith(shown[:-1]))


def buttons(titles: Any) -> str:
    """Return titles as what can be tapped."""
    return " ".join(f"[{title}]" for title in titles)


def opened(kind: str, title: str, options: list[Json]) -> str:
    """Return a dialog on a line, with its first options."""
    some = [one["title"] for one in options[:5]]
    more = [f"and {len(options) - 5} more"] if len(options) > 5 else []
    return f"<{kind}{': ' if title else ''}{title}>" + (f" {', '.join([*some, *more])}" if some else "")


async def pick(address: str, titles: tuple[str, ...], value: str) -> None:
    """Answer a question on its hosted page."""
    async with aiohttp.ClientSession() as client:
        option: Json = {"value": value}
        if titles:
            async with client.get(f"{address}/question") as page:
                dialog = (await page.json())["dialog"]
            keys = [next(one["key"] for one in dialog["options"] if one["title"] == title) for title in titles]
            option = {"keys": keys} if dialog["type"] == "multi-select" else {"key": keys[0]}
        async with client.post(
            address, data=json.dumps({"option": option}), headers={"Content-Type": "application/json"}
        ) as sent:
            assert sent.status == 200, await sent.text()


async def sign_in(link: str, issuer: str, back: str) -> tuple[str, str]:
    """Sign in as Ada at the gym in a browser of her own, and return where it ends, an app's address or the page's title,
    and the code that the page shows; empty where it shows none."""

    def go() -> tuple[str, str]:
        browser = Browser()
        page = browser.submit(
            browser.go(link, issuer), until=back, member="ada", password="demo", do="sign-in"
        )  # the example's
        if page.status in (302, 303):
            return page.location, ""
        [title] = re.findall(r"<title>([^<]*)</title>", page.body.decode())
        return f"the page {title!r}", "".join(re.findall(r"(?<!\d)\d{6}(?!\d)", page.text)[:1])

    return await asyncio.to_thread(go)
