"""A message that is posted in several parts, and a sender that cuts it otherwise later."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.messages import BotMessage
from dialoom.service.chat.transcript import Spoken
from dialoom.service.outbox.channel_posts import ChannelPosts, Post, Sender
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.service.outbox.bot_channel import BotChannel

ADA = ChatKey("tea", "chat", "ada")
CHANNEL = types.SimpleNamespace(id="chat", type="plain")


class Cutting(Sender):
    """Cuts each message after so many characters."""

    def __init__(self, characters: int) -> None:
        self.characters = characters

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        text = spoken[0].message.text
        return [text[at : at + self.characters].encode() for at in range(0, len(text), self.characters)]

    def address(self, bot_channel: BotChannel) -> str | None:
        return "https://there.example"

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        return Request(method="POST", url="https://there.example", headers=(), body=post.body)


SERVING: Any = types.SimpleNamespace(bot=types.SimpleNamespace(id="tea"), channel=lambda _: CHANNEL)
DELIVERY: Any = types.SimpleNamespace(id="d", key=ADA, attempts=0, reason=None)


def posts(sender: Cutting) -> ChannelPosts:
    bots: Any = types.SimpleNamespace(active=lambda _: SERVING, secret=None)
    bot_channels: Any = types.SimpleNamespace(of=lambda *_: None)
    addresses: Any = types.SimpleNamespace(put_in=lambda _, spoken: spoken)
    return ChannelPosts(bots, addresses, bot_channels, {"plain": sender})


async def rows(sender: Cutting, text: str) -> list[bytes]:
    written = types.SimpleNamespace(
        spoken=(Spoken("m", BotMessage(text)),), records=(), position=7, kept=types.SimpleNamespace(reply_to="")
    )
    done: Any = types.SimpleNamespace(
        key=ADA, is_later=True, written=written, inbound=types.SimpleNamespace(channel_name=None)
    )
    return [draft.body for draft in await posts(sender).drafts(done)]


async def sent(sender: Cutting, row: bytes) -> bytes | None:
    return (await posts(sender).request(SERVING, DELIVERY, row)).body


async def test_each_part_is_posted_once() -> None:
    sender = Cutting(4)
    assert [await sent(sender, row) for row in await rows(sender, "abcdefghij")] == [b"abcd", b"efgh", b"ij"]


@pytest.mark.parametrize("characters", [3, 5])
async def test_a_part_of_a_message_that_is_cut_otherwise_since_is_refused(characters: int) -> None:
    for row in await rows(Cutting(4), "abcdefghij"):
        with pytest.raises(SettingError, match="into 3 parts, and this one cuts it into"):
            await sent(Cutting(characters), row)


async def test_a_row_of_a_release_that_counted_no_parts_is_posted() -> None:
    sender = Cutting(4)
    (_, row, _) = await rows(sender, "abcdefghij")
    said = msgspec.json.decode(row)
    del said["parts"]
    assert await sent(sender, msgspec.json.encode(said)) == b"efgh"
