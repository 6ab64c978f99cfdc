"""Lanes: how many deliveries go to a host at a time, who is next, and what a host that does not answer gets."""

from __future__ import annotations

import asyncio

from dialoom.service.outbox.queues import MAX_PER_HOST, MAX_PER_SILENT_HOST, MAX_QUEUED, HostQueue, HostQueues


def turns(places: list[asyncio.Future[bool]]) -> list[int]:
    """Return the places whose turn it is."""
    return [index for index, place in enumerate(places) if place.done() and not place.cancelled() and place.result()]


async def test_so_many_go_at_once_and_the_next_in_line_follows() -> None:
    lane = HostQueue()
    places = [lane.join() for _ in range(MAX_PER_HOST + 2)]
    assert turns(places) == list(range(MAX_PER_HOST))
    lane.leave(is_answering=True)
    assert turns(places) == list(range(MAX_PER_HOST + 1))


async def test_a_line_has_an_end() -> None:
    lane = HostQueue()
    for _ in range(MAX_PER_HOST + MAX_QUEUED):
        assert lane.has_room()
        lane.join()
    assert not lane.has_room()


async def test_a_host_that_does_not_answer_loses_its_line_and_is_asked_by_few_until_it_does() -> None:
    lane = HostQueue()
    places = [lane.join() for _ in range(MAX_PER_HOST + 5)]
    lane.leave(is_answering=False)
    assert [place.result() for place in places[MAX_PER_HOST:]] == [False] * 5
    assert not lane.has_room()
    for _ in range(MAX_PER_HOST - 1):
        lane.leave(is_answering=False)
    for _ in range(MAX_PER_SILENT_HOST):
        assert lane.has_room()
        lane.join()
    assert not lane.has_room()
    lane.leave(is_answering=True)
    assert lane.has_room()


async def test_who_steps_out_of_the_line_holds_up_nobody() -> None:
    lane = HostQueue()
    places = [lane.join() for _ in range(MAX_PER_HOST + 3)]
    lane.step_out(places[MAX_PER_HOST])  # it waited
    lane.step_out(places[0])  # it was its turn
    assert turns(places) == [*range(MAX_PER_HOST), MAX_PER_HOST + 1]
    lane.leave(is_answering=True)
    assert turns(places)[-1] == MAX_PER_HOST + 2


async def test_lanes_of_hosts_that_nobody_posts_to_are_forgotten_but_not_that_one_is_failing() -> None:
    lanes = HostQueues()
    idle, failing = lanes.of("idle"), lanes.of("failing")
    failing.join()
    failing.leave(is_answering=False)
    lanes.of("other")
    assert lanes.of("failing") is failing
    assert lanes.of("idle") is not idle
