"""Who listens to a chat hears what is told, in its order, until it is over."""

from __future__ import annotations

import asyncio

from dialoom.service.chat.hub import MAX_BACKLOG_UPDATES, Hub, Update
from dialoom.storage.store import ChatKey

ANN = ChatKey("salon", "web", "ann")
BEN = ChatKey("salon", "web", "ben")


async def test_news_come_in_their_order_to_those_who_listen_to_the_chat() -> None:
    hub = Hub()
    ann, ben = hub.listen(ANN), hub.listen(BEN)
    waiting = asyncio.create_task(ann.next(5))
    await asyncio.sleep(0)
    for is_on in (True, False):
        hub.tell(ANN, Update(typing=is_on))
    assert await waiting == Update(typing=True)
    assert await ann.next(5) == Update(typing=False)
    assert await ben.next(0) is None


async def test_who_waits_hears_nothing_when_the_time_is_over_and_goes_on_listening() -> None:
    hub = Hub()
    listener = hub.listen(ANN)
    assert await listener.next(0) is None
    hub.tell(ANN, Update(typing=True))
    assert await listener.next(0) == Update(typing=True)


async def test_a_slow_reader_is_told_that_it_missed_something() -> None:
    hub = Hub()
    listener = hub.listen(ANN)
    for _ in range(MAX_BACKLOG_UPDATES + 1):
        hub.tell(ANN, Update(typing=True))
    assert listener.is_behind
    listener.drain()
    assert not listener.is_behind
    assert await listener.next(0) is None


async def test_all_who_listen_are_told_that_it_is_over() -> None:
    hub = Hub()
    ann, ben = hub.listen(ANN), hub.listen(BEN)
    waiting = asyncio.create_task(ann.next(5))
    await asyncio.sleep(0)
    hub.tell(BEN, Update(typing=True))
    hub.end_all()
    assert await waiting is None
    assert await ben.next(5) is None
    assert ann.is_over
    assert ben.is_over
