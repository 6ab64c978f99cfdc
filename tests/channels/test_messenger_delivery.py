"""What comes in from Messenger and goes out to it keeps its order, and none of it is lost, whatever is slow or ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.channels.platform_flows import CLAIM, PNG
from tests.channels.test_messenger import CHANNEL, PATH, Chat, connected, messenger, said_by, serving, told
from tests.data.far_ends import Call, far_end
from tests.http.support import write_bot
from tests.live import Service, free_port

from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.testing.platforms.messenger_1 import Messenger

__all__ = ["messenger"]
SEND = "/me/messages"


def picture(url: str, count: int = 1, **more: Any) -> dict[str, Any]:
    """Return a message with files."""
    return {"attachments": [{"type": "image", "payload": {"url": url}}] * count, **more}


async def test_a_call_is_answered_before_its_files_are_there_and_others_go_on(
    messenger: Messenger, tmp_path: Path
) -> None:
    opened = asyncio.Event()
    answers = iter(["503 Busy", "200 OK"])

    async def photo(call: Call) -> None:
        await opened.wait()
        await call.reply(next(answers), PNG)

    async with (
        far_end(photo) as there,
        serving(tmp_path, messenger, flow=CLAIM, egress_allow=f"127.0.0.1:{there.port}") as running,
    ):
        await connected(running)
        ada, ben = Chat(messenger), Chat(messenger)
        await ada.said("tea", 2)
        sent = [picture(f"{there.url}/leaf.png"), {"text": "help"}]
        events = [ada.user.message(one) for one in sent] + [ben.user.message({"text": "help"})]
        assert (await messenger.deliver(events)).status == 200
        await messenger.until(lambda: len(ben.user.received) == 2)
        assert (await messenger.deliver(events)).status == 200
        assert len(ada.user.received) == 2
        opened.set()
        await messenger.until(lambda: len(ada.user.received) == 4)
        await running.settled()
        assert [told(one) for one in ada.user.received[2:]] == ["leaf.png image/png", "Say tea."]
        assert len(there.calls) == 2


async def test_files_that_do_not_come_hold_their_own_chat_up_for_five_seconds_and_no_other(
    messenger: Messenger, tmp_path: Path
) -> None:
    """One host hangs, one sends a byte a second, one is not there; a picture of another one in the same message is
    kept. Ten messages with files wait together, not one after the other."""
    ended = asyncio.Event()

    async def hang(_: Call) -> None:
        await ended.wait()

    async def drip(call: Call) -> None:
        call.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not ended.is_set():
            call.writer.write(b"x")
            await call.writer.drain()
            await asyncio.sleep(0.2)

    async def photo(call: Call) -> None:
        await call.reply(body=PNG)

    async with far_end(hang) as hanging, far_end(drip) as dripping, far_end(photo) as there:
        refused = f"http://127.0.0.1:{free_port()}"
        hosts = [hanging.url, dripping.url, refused, there.url]
        allowed = ",".join(url.removeprefix("http://") for url in hosts)
        try:
            async with serving(tmp_path, messenger, flow=CLAIM, egress_allow=allowed) as running:
                await connected(running)
                chats = [Chat(messenger) for _ in range(5)]
                for chat in chats:
                    await chat.said("tea", 2)
                *slow, busy, ben = chats
                half = [*picture(f"{hanging.url}/a.png")["attachments"], *picture(f"{there.url}/a.png")["attachments"]]
                sent = [picture(f"{hanging.url}/a.png"), picture(f"{dripping.url}/a.png"), {"attachments": half}]
                events = [chat.user.message(one) for chat, one in zip(slow, sent, strict=True)]
                events += [busy.user.message(picture(f"{hanging.url}/{number}.png")) for number in range(10)]
                events += [chat.user.message({"text": "help"}) for chat in chats]
                begun = asyncio.get_running_loop().time()
                assert (await messenger.deliver(events)).status == 200
                await messenger.until(lambda: len(ben.user.received) == 3)
                assert asyncio.get_running_loop().time() - begun < 3
                assert [len(chat.user.received) for chat in (*slow, busy)] == [2, 2, 2, 2]
                await messenger.until(lambda: all("Say tea." in map(told, chat.user.received) for chat in chats))
                assert 4 < asyncio.get_running_loop().time() - begun < 9
                assert told(slow[2].user.received[2]) == "a.png image/png"
        finally:
            ended.set()


async def test_all_files_of_a_message_and_its_words_are_one_message_of_the_user(
    messenger: Messenger, tmp_path: Path
) -> None:
    async def photo(call: Call) -> None:
        await call.reply(body=PNG)

    async with (
        far_end(photo) as there,
        serving(tmp_path, messenger, flow=CLAIM, egress_allow=f"127.0.0.1:{there.port}") as running,
    ):
        await connected(running)
        ada = Chat(messenger)
        await ada.said("tea", 2)
        event = ada.user.message(picture(f"{there.url}/leaf.png", 12, text="It is broken"))
        (thanks,) = await ada.after(messenger.deliver([event]))
        assert told(thanks) == "leaf.png image/png"
        assert await said_by(running, ada.user.id) == ["tea", "It is broken"]
        store = running.service.store
        assert len(await store.files_of(ChatKey("tea", "fb", ada.user.id))) == 12
        assert await store.forget_unsent("tea", 2**53) == 0  # a message names them: they stay


class Stopped:
    """A service in a process of its own, which is killed and started again on the same data."""

    def __init__(
        self, messenger: Messenger, folder: Path, flow: dict[str, Any] | None = None, egress: str = ""
    ) -> None:
        named = {} if flow is None else {"flow": flow}
        self.bot = write_bot(folder / "tea", {"id": "tea", "channels": [CHANNEL]}, **named)
        self.data, self.port = folder / "data", free_port()
        self.environment = {"DIALOOM_MESSENGER_1_URL": messenger.api_url, "DIALOOM_EGRESS_ALLOW": egress}
        messenger.webhook = f"http://127.0.0.1:{self.port}{PATH}"

    async def start(self) -> Service:
        return await asyncio.to_thread(Service, [self.bot], self.data, self.port, self.environment)


async def test_a_service_that_is_killed_between_accepting_and_sending_goes_on_and_says_at_most_one_message_twice(
    messenger: Messenger, tmp_path: Path
) -> None:
    service, ada = Stopped(messenger, tmp_path), messenger.user("Ada")
    before = await service.start()
    try:
        # That the message was read, that the bot types, and the first message.
        messenger.fail_next(503, on=SEND, times=3, carried_out=True)
        assert (await ada.say("tea")).status == 200
        await messenger.until(lambda: len(messenger.calls(SEND)) == 3)
    finally:
        await asyncio.to_thread(before.kill)
    after = await service.start()
    try:
        assert (await ada.say("Mint")).status == 200
        await messenger.until(lambda: any(told(one) == "The password?" for one in ada.received))
    finally:
        await asyncio.to_thread(after.kill)
    heard = [told(one) for one in ada.received]
    assert heard == ["Hello!", "Hello!", "Which tea?", "The password?"]


async def test_a_service_that_is_killed_while_it_fetches_a_file_fetches_it_again(
    messenger: Messenger, tmp_path: Path
) -> None:
    called, opened = asyncio.Event(), asyncio.Event()

    async def photo(call: Call) -> None:
        called.set()
        await opened.wait()
        await call.reply(body=PNG)

    async with far_end(photo) as there:
        service, ada = Stopped(messenger, tmp_path, CLAIM, f"127.0.0.1:{there.port}"), messenger.user("Ada")
        before = await service.start()
        try:
            assert (await ada.say("tea")).status == 200
            await messenger.until(lambda: len(ada.received) == 2)
            assert (await ada.send_attachment("image", f"{there.url}/leaf.png")).status == 200
            await asyncio.wait_for(called.wait(), 20)
        finally:
            await asyncio.to_thread(before.kill)
        opened.set()
        after = await service.start()
        try:
            await messenger.until(lambda: len(ada.received) == 3)
        finally:
            await asyncio.to_thread(after.kill)
        assert told(ada.received[-1]) == "leaf.png image/png"
