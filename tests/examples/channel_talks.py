"""The talks of docs/why/on-every-channel.md: an example bot with its back end, played on all eight channels.

python -m tests.examples.channel_talks      writes the page
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import hashlib
import json
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock
from urllib.parse import parse_qs, urlencode, urlsplit

import uvicorn

from dialoom.channels import CHANNELS
from dialoom.http.app import App
from dialoom.service.access.rate import Limiter
from dialoom.service.clock import SystemClock
from dialoom.service.outbox import channel_posts
from dialoom.service.service import build_service, running
from dialoom.service.settings import Settings
from dialoom.testing.platforms.voice_assistant.certificates import Certificates
from dialoom.testing.sandbox import Sandbox
from tests.channels.platform_service import Running
from tests.examples.back_ends import EXAMPLES, load
from tests.examples.channel_users import PageUser, PlatformUser, RestUser, User, sign_in
from tests.identity.browser import Browser
from tests.live import free_port
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from dialoom.testing.platforms import Exchange, StandIn

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "why" / "on-every-channel.md"
MONDAY = datetime(2027, 3, 1, 8, 0, tzinfo=UTC)
REST_TOKEN = "token-of-the-partners"  # of this test
GYM_SECRET = "gym-demo"  # the example's own
PORTS = {"clinic": 8089, "shop": 8090, "gym": 8092}
OF_EACH = ("web", "mobile", "rest")


SPEED = 30


class MondayClock(SystemClock):
    """Goes on from Monday, 1 March 2027, thirty times as fast as the machine's, so that nobody waits for what a platform
    takes a second."""

    def __init__(self) -> None:
        self._began = super().elapsed()

    def now(self) -> int:
        return int(MONDAY.timestamp() * 1000) + self.elapsed()

    def elapsed(self) -> int:
        return (super().elapsed() - self._began) * SPEED

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / SPEED)


class Played(NamedTuple):
    """An example that runs on all channels."""

    running: Running
    platforms: dict[str, StandIn]
    address: str
    """Of the example's own server."""
    back_end: Any
    """What the example's own server keeps."""

    def users(self, bot: str) -> dict[str, User]:
        """Return somebody on each channel."""
        return {
            "web": PageUser(self.running, "web", bot),
            "mobile": PageUser(self.running, "mobile", bot),
            "rest": RestUser(self.running, "rest", bot, REST_TOKEN),
            **{name: PlatformUser(self.running, name, platform) for name, platform in self.platforms.items()},
        }

    def taken(self) -> list[Any]:
        """Return what the back end was asked for, and empty it for the next talk."""
        kept = self.back_end.appointments() if hasattr(self.back_end, "appointments") else self.back_end.papers("order")
        with contextlib.closing(self.back_end.open()) as database:
            for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
                database.execute(f"delete from {table}")  # a name of the example's own
        return list(kept)

    def refused(self) -> list[str]:
        """Return what the stand-ins refused, and what the service answered wrongly to them."""
        return [
            f"{name}: {one.caller} {one.method} {one.address} {one.status} {one.answer}"
            for name, platform in self.platforms.items()
            for one in platform.exchanges
            if one.status is None or one.status >= 400 or is_refusal(one.caller, one.answer)
        ] + [fault for platform in self.platforms.values() for fault in getattr(platform, "faults", [])]


def is_refusal(caller: str, answer: Any) -> bool:
    """Return whether a platform refuses in an answer of status 200, as Viber does."""
    return (
        caller == "service" and isinstance(answer, dict) and bool(answer.get("status")) and "status_message" in answer
    )


@contextlib.contextmanager
def back_end(example: str, data: Path) -> Iterator[tuple[str, Any]]:
    """Serve the example's back end on a free port, on the talks' day; yield its address and what it keeps."""
    sys.path.insert(0, str(EXAMPLES / example))
    try:
        module = load(example)
    finally:
        sys.path.pop(0)
    kinds = {"clinic": "Clinic", "shop": "Shop"}
    kept = [getattr(module, kinds[example])(data, now=lambda: MONDAY)] if example in kinds else []
    server = module.Server(*kept, 0)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield server.url, kept[0] if kept else None
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def copied(example: str, to: Path, address: str) -> Path:
    """Copy the bot's files, which call a back end at this address, with all three channels that are no platform's."""
    folder = to / example
    folder.mkdir()
    for name in ("flow.json", "training.json"):
        text = (EXAMPLES / example / name).read_text("utf-8").replace(f"http://127.0.0.1:{PORTS[example]}", address)
        (folder / name).write_text(text.replace('{ "env": "BOT_GYM_SECRET" }', f'"{GYM_SECRET}"'), "utf-8")
    bot = json.loads((EXAMPLES / example / "bot.json").read_text("utf-8"))
    bot["channels"] = [{"id": one, "type": one} | ({"token": REST_TOKEN} if one == "rest" else {}) for one in OF_EACH]
    (folder / "bot.json").write_text(json.dumps(bot), "utf-8")
    return folder


@contextlib.asynccontextmanager
async def playing(example: str, to: Path) -> AsyncIterator[Played]:
    """Run an example with its back end, and a stand-in of each platform."""
    clock = SystemClock() if example == "gym" else MondayClock()
    port = free_port()
    # Rates count the machine's time, of which a second is thirty of the platforms' here.
    paced = functools.partial(Limiter, now=lambda: clock.elapsed() / 1000)
    with mock.patch.object(channel_posts, "Limiter", paced), back_end(example, to / "back-end") as (address, kept):
        sandbox = Sandbox(copied(example, to, address))
        platforms = {place.channel: place.platform for place in sandbox.places}
        for platform in platforms.values():
            platform.clock = lambda: clock.now() / 1000
        platforms["voice-assistant"].certificates = Certificates(  # type: ignore[attr-defined]  # it is Alexa
            datetime.fromtimestamp(clock.now() / 1000, UTC)
        )
        (to / "data").mkdir()
        settings = Settings(data=str(to / "data"), port=port, **sandbox.settings())
        service = await asyncio.to_thread(
            build_service, settings, CHANNELS, store=TemporaryStore(), own_port=port, clock=clock
        )
        await sandbox.start()
        try:
            async with running(service, [sandbox.folder], lambda: 0.5):
                url = f"http://127.0.0.1:{port}"
                app = await asyncio.to_thread(App, service, url, None)
                http = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="off"))
                serving = asyncio.create_task(http.serve())
                while not http.started:  # noqa: ASYNC110  # the server has no event for it
                    await asyncio.sleep(0.01)
                await sandbox.connect(service, url)
                try:
                    yield Played(Running(service, url), platforms, address, kept)
                finally:
                    http.should_exit = True
                    await serving
        finally:
            await sandbox.stop()


async def book(user: User) -> None:
    """Book an appointment at the clinic."""
    await user.start()
    await user.choose("Book an appointment")
    await user.choose("Dermatology")
    await user.choose("Dr. Sami Haddad (Arabic, English)", spoken="the second one")
    await user.choose("Thu, Mar 4", spoken="Thursday")
    await user.say("11:00")
    await user.say("Ada Lovelace")
    await user.say("030 1234567")
    await user.choose("Yes")


async def order(user: User) -> None:
    """Order two mugs at the shop, by every display that it has for that."""
    await user.start()
    await user.choose("Order something")
    await user.choose("Mugs")
    await user.choose("Fjord mug")
    await user.choose("Blue")
    await user.choose("2")
    await user.choose("Yes")
    await user.choose("Gift wrapping", "Greeting card", spoken="gift wrapping and a greeting card")
    await user.choose("Home delivery")
    await user.choose("Netherlands")
    await user.choose(value="2027-03-05", spoken="Friday")
    await user.say("Ada Lovelace, Oudegracht 12, Utrecht")
    await user.say("ada@example.com")
    await user.choose("Confirm")


async def see_classes(user: User, played: Played) -> None:
    """Ask the gym what one has booked, sign in on its pages, and see it in the chat."""
    issuer = f"{played.address}/members"
    await user.start()
    await user.choose("My classes")
    if isinstance(user, PlatformUser) and user.speaks:
        await user.link_account(await asyncio.to_thread(linked_token, issuer, played.running.url))
        return
    ended, code = await sign_in(await user.link(), issuer, user.way_back)
    user.lines.append(f"> (signs in, in the browser, which ends at {ended})")
    if code:
        await user.say(code)
    elif user.goes_on_with_next_message:
        await user.say("hello?")
    else:
        await user.look()


def linked_token(issuer: str, url: str) -> str:
    """Return the token that the platform gets when an account is linked in its app: the provider's own pages, the code,
    and the token's endpoint."""
    verifier = "a-verifier-of-the-app-that-is-long-enough-for-it"
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    back, browser = f"{url}/v1/account-linking", Browser()
    asked = {
        "client_id": "gym-bot",
        "response_type": "code",
        "redirect_uri": back,
        "scope": "openid classes",
        "state": "of-the-app",
        "nonce": "of-the-app",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    page = browser.open(f"{issuer}/authorize?{urlencode(asked)}")
    done = browser.submit(page, until=back, member="ada", password="demo", do="sign-in")  # the example's
    code = parse_qs(urlsplit(done.location).query)["code"][0]
    basic = base64.b64encode(f"gym-bot:{GYM_SECRET}".encode()).decode()
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
    answer = browser.ask(f"{issuer}/token", form, {"Authorization": f"Basic {basic}"})
    return str(json.loads(answer.body)["access_token"])


class Talked(NamedTuple):
    """What came of an example's talks. ``taken``: by channel, what the back end was asked for."""

    users: dict[str, User]
    taken: dict[str, list[Any]]
    refused: list[str]
    exchanges: dict[str, list[Exchange]]
    """By channel, what went over the wire between the service and the platform."""


async def talked(example: str, to: Path) -> Talked:
    """Have the example's talk on every channel, one after the other."""
    async with playing(example, to) as played:
        users = played.users(example)
        taken: dict[str, list[Any]] = {}
        for channel, user in users.items():
            if example == "gym":
                await see_classes(user, played)
            else:
                await {"clinic": book, "shop": order}[example](user)
                taken[channel] = played.taken()
        exchanges = {name: platform.exchanges for name, platform in played.platforms.items()}
        return Talked(users, taken, played.refused(), exchanges)


HEAD = """# One talk on every channel

The same three talks on all eight channels: an appointment at `examples/clinic`, an order at `examples/shop`, a login at `examples/gym`. Service, back end,
identity provider and platforms ran on one machine on Monday, 1 March 2027. The platforms are the [stand-ins](../do/try-channels.md): no real one was
ever spoken to. They are strict, and refused nothing. Each talk reached its goal: the back end got one appointment or one order, or the member's classes were
in the chat. This page is written by `python -m tests.examples.channel_talks`, and a test compares it with what the bots say today.

What the user does begins with `>`: typed or spoken, or in brackets how else. `[...]` can be tapped, `<...>` opens a dialog of the chat page or is an input
of a card, `|` is a card, and what is spoken stands in quotes. The login of web and mobile ends with a code, as it does for a browser that is not the
chat's own; in the chat's own browser it needs none. Addresses, ids and codes are left out.
"""
TITLES = {"clinic": "An appointment", "shop": "An order", "gym": "A login"}


def page_of(talks: dict[str, Talked]) -> str:
    """Return the page: of each example how each answer was given on each channel, and the talks."""
    parts = [HEAD]
    for example, talk in talks.items():
        parts.append(f"## {TITLES[example]}\n\n| Channel | Answers |\n|---|---|")
        rows = []
        for channel, user in talk.users.items():
            counted = Counter(user.ways)
            rows.append(f"| {channel} | {', '.join(f'{count} {way}' for way, count in counted.items())} |")
        parts[-1] += "\n" + "\n".join(rows) + "\n"
        parts += [f"### {channel}\n\n```text\n{shown(user.lines)}\n```\n" for channel, user in talk.users.items()]
    return "\n".join(parts)


def shown(lines: list[str]) -> str:
    """Return the lines of a talk without what each run has its own of."""
    text = "\n".join(line for line in lines if line.strip())
    text = re.sub(r"^> \d{6}$", "> <the code of the page>", text, flags=re.MULTILINE)
    return re.sub(r"https?://127\.0\.0\.1:\d+(/[^\s)\]]*)?", "<address>", text)


async def all_talks(to: Path) -> dict[str, Talked]:
    """Have all talks."""
    found = {}
    for example in TITLES:
        (to / example).mkdir()
        found[example] = await talked(example, to / example)
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(page_of(asyncio.run(all_talks(Path(folder)))), "utf-8")
