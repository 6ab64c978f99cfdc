"""Every display on every channel that sends: 0 to 100 options with long, right-to-left and emoji texts.

For each message the channel's own rendering is held against the limits of its row, and against its platform's stand-in,
which refuses what the platform refuses. A channel takes part once it is in ``CHANNELS``; what its taps show more of a
question is in ``MORE``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import regex
from tests.http.support import Client, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.channels import CHANNELS
from dialoom.channels._contract.channel import UNSET_FIELDS, ShowMore, from_platform
from dialoom.channels._contract.fit import fit
from dialoom.channels.telegram.updates import PHOTO
from dialoom.engine.events import Picked, Response
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import Profile
from dialoom.messages.plain import plain_title
from dialoom.service.chat.transcript import Spoken, said_again
from dialoom.service.outbox.channel_posts import Post
from dialoom.storage.store import ChatKey
from dialoom.testing import platforms
from dialoom.testing.platforms.stand_in import Call, StandIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from dialoom.messages import Dialog
    from dialoom.service.outbox.bot_channel import BotChannel

COUNTS = (0, 1, 5, 6, 10, 11, 100)
OF_A_MESSAGE = "replies of a message"
WITH_OPTIONS = ("quick-reply", "single-select", "multi-select", "carousel")
TITLES = {
    "long": "**Earl Grey** of the high gardens, second flush, whole leaf, picked by hand & dried in the shade <slowly>",
    "right-to-left": "شاي أخضر بالنعناع مُحلّى قليلًا، يُقدَّم في كوب زجاجي صغير مع التمر تَקָפֶה שָׁחוֹר עִם הֵל",
    "emoji": "👨‍👩‍👧‍👦❤️‍🔥🏴󠁧󠁢󠁥󠁮󠁧󠁿1️⃣👍🏽🇩🇪🇫🇷क्षिनி" * 6,
}
SENTENCES = 130
"""Of the question's text: about 9,000 characters, more than any channel's message holds."""
IMAGE = "https://shop.example.com/tea.png"


class Case(NamedTuple):
    display: str
    size: int
    text: str

    @property
    def name(self) -> str:
        return f"{self.display} {self.size} {self.text}"


CASES = [
    *(Case(display, count, text) for display in WITH_OPTIONS for count in COUNTS for text in TITLES),
    *(Case(OF_A_MESSAGE, count, text) for count in (1, 6) for text in TITLES),
    *(Case(display, 0, text) for display in ("date-picker", "location-picker") for text in TITLES),
]


def title(case: Case, number: int) -> str:
    return f"{number}: {TITLES[case.text]} {number}"


def sentences(case: Case) -> list[str]:
    words = plain_title(TITLES[case.text]).replace("<", "").replace(">", "").replace("&", "")[:40]
    whole = "".join(regex.findall(r"\X", words)[:-1])
    return [f"S{number} {whole}." for number in range(SENTENCES)]


def display(case: Case) -> dict[str, Any]:
    """Return the display; the buttons' own titles are long too."""
    named = plain_title(title(case, 0))
    if case.display == "location-picker":
        return {"type": case.display, "title": named}
    shown = {"type": case.display, "title": named, "button-text": named}
    if case.display == "date-picker":
        return shown
    source = {"endpoint": f"http://127.0.0.1:9/{case.text}/{case.size}", "method": "GET"}
    options = {
        "title": "{{title}}",
        "subtitle": "{{title}} " * (12 if case.text == "long" else 1),
        "image": IMAGE,
        "value": "{{value}}",
    }
    if case.display in ("quick-reply", OF_A_MESSAGE):
        return {"type": "quick-reply", "data-source": source, "template": options}
    return shown | {"data-source": source, "template": options}


def conversation(case: Case) -> dict[str, Any]:
    if case.display == OF_A_MESSAGE:
        step = {"type": "message", "messages": [" ".join(sentences(case))], "display": display(case)}
        return {"type": "goal", "steps": [step]}
    types = {"date-picker": "Date", "location-picker": "Location"}
    question: dict[str, Any] = {
        "type": "question",
        "entity": "chosen",
        "entity-type": types.get(case.display, "Text"),
        "messages": [" ".join(sentences(case))],
        "display": display(case),
    }
    if case.display == "multi-select":
        question["capture-multiple-values"] = True
    return {"type": "goal", "steps": [question]}


HELP = {"type": "support", "steps": [{"type": "message", "messages": ["Help."]}]}
FLOW = {"conversations": {"help": HELP} | {f"c{at}": conversation(case) for at, case in enumerate(CASES)}}
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": f"c{at}", "expressions": [f"case {at}"]} for at in range(len(CASES))],
        }
    ]
}
MOCKS: dict[str, dict[str, Any]] = {
    f"http://127.0.0.1:9/{text}/{count}": {
        "GET": [{"title": title(Case("", count, text), n), "value": f"v{n}"} for n in range(1, count + 1)]
    }
    for text in TITLES
    for count in COUNTS
}
MOCKS["https://login.microsoftonline.com/the-tenant-of-the-bot/oauth2/v2.0/token"] = {
    "POST": {"access_token": "a-token"}
}


def stand_ins() -> dict[str, StandIn]:
    made = (getattr(platforms, name) for name in platforms.__all__)
    kinds = [one for one in made if isinstance(one, type) and issubclass(one, StandIn) and one is not StandIn]
    return {kind.platform: kind() for kind in kinds}


def channel_of(type: str, platform: StandIn | None) -> dict[str, Any]:
    """Return the channel in bot.json, with the keys that the stand-in has by default."""
    row = CHANNEL_ROWS[type]
    keys = {} if row.caller != "platform" else {key: f"the-{key}-of-the-bot" for key in row.keys}
    given = {key: getattr(platform, key.replace("-", "_"), None) for key in keys}
    return {"id": type, "type": type} | keys | {key: value for key, value in given.items() if value}


class Table(NamedTuple):
    """All cases as the engine asks them, with the platforms."""

    client: Client
    spoken: dict[Case, Spoken]
    platforms: dict[str, StandIn]

    def place(self, type: str) -> BotChannel:
        deployed = self.client.service.bots.active("tea")
        assert deployed is not None
        channel = deployed.channel(type)
        assert channel is not None
        return self.client.service.bot_channels.of(deployed.bot, channel)

    def said(self, case: Case, type: str, user: str) -> Spoken:
        """Return the question with the addresses that it has on this channel."""
        return self.client.service.addresses.put_in(ChatKey("tea", type, user), self.spoken[case])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return asyncio.run(_asked(tmp_path_factory.mktemp("golden")))


async def _asked(folder: Path) -> Table:
    """Have the engine ask all questions; what renders them needs the service no more."""
    platforms = stand_ins()
    channels = [
        {"id": "rest", "type": "rest", "token": "rest-token-of-tea"},
        *(channel_of(type, platforms.get(type)) for type in CHANNELS if type != "rest"),
    ]
    bot = {"id": "tea", "access-token": "history-token-of-tea", "channels": channels}
    async with serving(folder, FLOW, MockFetcher(MOCKS), bot=bot, training=TRAINING) as client:
        spoken = {}
        for at, case in enumerate(CASES):
            assert (await client.say(f"case {at}", sender=case.name)).status == 200
            key = ChatKey("tea", "rest", case.name)
            (stored,) = await client.service.store.last_said(key, 1)
            spoken[case] = said_again(client.service.vault, key, stored)
        return Table(client, spoken, platforms)


def telegrams_more(dialog: Dialog) -> Iterator[str]:
    yield "list" if dialog.type != "carousel" else ""
    yield from map(str, range(len(dialog.options)) if dialog.type == "carousel" else ())


MORE: dict[str, Callable[[Dialog], Iterator[str]]] = {"messenger-3": telegrams_more}
"""By type what the taps that show more of a dialog may ask for (``ShowMore.what``)."""


def strings(value: Any) -> Iterator[str]:
    """Return all strings of a JSON value; one that holds JSON itself, as it is and read."""
    if isinstance(value, str):
        yield value
        if value[:1] in ("{", "["):
            try:
                yield from strings(json.loads(value))
            except ValueError:
                return
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def shown(table: Table, type: str, spoken: Spoken, bodies: list[bytes]) -> list[str]:
    """Return all that a message shows, at once and by its buttons."""
    found = [text for body in bodies for text in strings(json.loads(body))]
    dialog, place = spoken.message.dialog, table.place(type)
    if dialog is None or type not in MORE:
        return found
    picked = Picked(**UNSET_FIELDS, profile=Profile("7", type, type), key=f"{dialog.key}.0")
    for at in MORE[type](dialog):
        if any(text.endswith(f"{dialog.key}.{at}") for text in found):
            signals = CHANNELS[type].show_more(ShowMore(from_platform(picked, "1"), dialog.key, at, "5"), spoken, place)
            found += [text for signal in signals for text in strings(json.loads(signal.body))]
    return found


TYPES = list(CHANNELS)


@pytest.mark.parametrize("type", TYPES)
async def test_every_option_is_shown_or_listed_or_behind_a_link_and_no_sentence_is_lost_or_cut(
    table: Table, type: str
) -> None:
    row, place = CHANNEL_ROWS[type], table.place(type)
    if row.is_spoken:
        return  # what is spoken goes on with "more"; the channel's own tests follow it
    for case in CASES:
        spoken = table.said(case, type, "7")
        bodies = [*CHANNELS[type].render((spoken,), place)]
        texts = shown(table, type, spoken, bodies)
        at = 0
        for sentence in sentences(case):
            within = [number for number, text in enumerate(texts) if sentence in text]
            assert within, (case.name, sentence)
            assert within[0] >= at
            at = within[0]
        is_linked = spoken.picker is not None and any(spoken.picker in text for text in texts)
        offered = spoken.message.dialog.options if spoken.message.dialog is not None else spoken.message.replies
        for option in offered:
            beginning = plain_title(option.title)[:5]
            has = any((option.key and option.key in text) or beginning in text for text in texts)
            assert has or is_linked, (case.name, option.title)
        for text in texts:
            assert is_cut_between_graphemes(case, text), (case.name, text)


@pytest.mark.parametrize("display", ["quick-reply", OF_A_MESSAGE])
def test_quick_replies_are_shown_five_at_a_time(table: Table, display: str) -> None:
    for case, spoken in table.spoken.items():
        if case.display == display:
            system = [reply.system for reply in spoken.message.replies if reply.system]
            assert len(spoken.message.replies) - len(system) == min(case.size, 5)
            assert system == (["next"] if case.size > 5 else [])


def is_cut_between_graphemes(case: Case, text: str) -> bool:
    """Return whether a text that ends with an ellipsis is the beginning of a title, in whole graphemes."""
    if not text.endswith("…"):
        return True
    # Of a subtitle, which is titles after each other.
    last = text.rpartition("\n")[2]
    cut = regex.sub(r"^\d+\. (?=\d+: )", "", last[:-1])
    number = int(cut.partition(":")[0] or 0)
    whole = f"{plain_title(title(case, number))} " * 12
    return whole.startswith(cut) and len(cut) in {*itertools.accumulate(map(len, regex.findall(r"\X", whole)))}


@pytest.mark.parametrize("type", TYPES)
async def test_every_part_keeps_the_limits_of_the_row(table: Table, type: str) -> None:
    row = CHANNEL_ROWS[type]
    for case in CASES:
        for part in fit(table.said(case, type, "7"), row, "en"):
            assert row.max_text_chars is None or len(part.text.encode("utf-16-le")) // 2 <= row.max_text_chars
            assert row.max_buttons is None or len(part.buttons) <= row.max_buttons


ASKED = {"messenger-1", "messenger-2", "messenger-3"}
"""Platforms whose calls can be made without asking them for anything first."""


@pytest.mark.parametrize("type", [type for type in TYPES if type in ASKED])
async def test_the_platform_takes_every_message_and_all_that_its_buttons_show(table: Table, type: str) -> None:
    platform, channel, place = table.platforms[type], CHANNELS[type], table.place(type)
    user: Any = platform.user()  # type: ignore[attr-defined]  # each stand-in that people write to has it
    counted = 0
    for case in CASES:
        await write(platform, user)
        spoken = table.said(case, type, str(user.id))
        for body in channel.render((spoken,), place):
            answer = await platform.answer(
                call_of(await channel.request(Post(str(counted), str(user.id), None, body), place))
            )
            verdict = channel.judge("", response_of(answer), 0)
            assert verdict.what == "done", (case.name, verdict, body[:300])
            counted += 1
        if spoken.message.dialog is None or type not in MORE:
            continue
        tapped = user.received[-1]
        last = f"{tapped.get('message_id', '')}{PHOTO if 'photo' in tapped else ''}"
        for at in MORE[type](spoken.message.dialog):
            event = from_platform(
                Picked(**UNSET_FIELDS, profile=Profile(str(user.id), type, type), key=f"{spoken.message.dialog.key}.0"),
                "1",
            )
            if not spoken.message.dialog.options or not at:
                continue
            for signal in channel.show_more(ShowMore(event, spoken.message.dialog.key, at, last), spoken, place):
                answer = await platform.answer(call_of(await channel.signal(signal, place)))
                is_same = b"message is not modified" in answer.content()
                assert answer.status == 200 or is_same, (case.name, at, answer)
    assert counted >= len(CASES)


async def write(platform: StandIn, user: Any) -> None:
    """Have a person write, which reaches nobody: platforms let a bot answer, and only so often."""
    kept = vars(platform)["webhook"]
    vars(platform)["webhook"] = {"url": ""} if isinstance(kept, dict) else ""
    await user.say("hello")
    # Some platforms refuse messages of a bot that they have no address of.
    vars(platform)["webhook"] = kept or "https://bots.example.org/"


def call_of(request: Any) -> Call:
    headers = {name.lower(): value for name, value in request.headers}
    parts = urlsplit(request.url)
    return Call(request.method, parts.path, {}, headers, request.body or b"")


def response_of(answer: Any) -> Any:
    return Response(status=answer.status, body=answer.content())
