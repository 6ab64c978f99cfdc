"""The one deadline of a request for a page of account linking, in a time that the test moves on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.login_flows.test_linking_errors import check_is_well_kept, outcomes
from tests.http.login_pages import Desk, Provider, answer_of, asked, desk, state_of, title
from tests.http.support import BASE, Answer, Client

from dialoom.http.app import App
from dialoom.http.login_pages.endpoints import MAX_CALLBACK_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from dialoom.service.login.links import Opened

PROMISED = 15.0
"""Seconds within which a browser has its answer (docs/look-up/login.md, Times and limits)."""
STEPS = 1000


class Ahead(asyncio.SelectorEventLoop):
    """An event loop whose time a test moves on."""

    moved = 0.0

    def time(self) -> float:
        return super().time() + self.moved


class Slow(Provider):
    """Says where it asks who somebody is when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.may_say = asyncio.Event()

    async def address(self, opened: Opened) -> str:
        await self.may_say.wait()
        return await super().address(opened)


async def beside(bank: Desk, provider: Provider) -> Desk:
    """The same service, with another provider."""
    client = bank.client
    service = msgspec.structs.replace(client.service, providers=provider)
    app = await asyncio.to_thread(App, service, BASE)
    return Desk(Client(app, service, client.clock, client.fetcher), provider)


async def meanwhile() -> None:
    """All goes on as far as it can without the time of the loop; the store's threads get a moment of the machine's."""
    for _ in range(4):
        for _ in range(STEPS):
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)


def run(scenario: Callable[[Ahead], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=Ahead) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Ahead)
        runner.run(scenario(loop))


def shown(page: Answer) -> tuple[int, str]:
    return page.status, title(page)


def test_what_a_page_waits_for_leaves_time_for_its_answer() -> None:
    assert MAX_CALLBACK_SECONDS <= PROMISED - 2


@pytest.mark.parametrize("place", ["start", "back"])
def test_a_provider_that_hangs_is_given_up_at_the_deadline(tmp_path: Path, place: str) -> None:
    async def scenario(loop: Ahead) -> None:
        async with desk(tmp_path, binding="off") as bank:
            tab, link = bank.tab(), await bank.link()
            if place == "back":
                await tab.get(link)
            bank.provider.hangs = True
            page = asyncio.ensure_future(tab.get(link) if place == "start" else tab.back(state_of(link)))
            await meanwhile()
            loop.moved += MAX_CALLBACK_SECONDS
            await meanwhile()
            assert shown(page.result()) == (504, "The login did not work")

    run(scenario)


def test_a_second_window_has_no_time_of_its_own_for_the_login_of_the_first(tmp_path: Path) -> None:
    async def scenario(loop: Ahead) -> None:
        async with desk(tmp_path, binding="confirm") as bank:
            slow = Slow()
            tab, second = bank.tab(), (await beside(bank, slow)).tab()
            link, question = await asked(bank, tab)
            second.cookie, answer = tab.cookie, {"answer": answer_of(question)}
            late = asyncio.ensure_future(second.post(link, answer))
            await meanwhile()
            # The first window is at the provider before the second one is, and its login does not come.
            await tab.post(link, answer)
            bank.provider.hangs = True
            first = asyncio.ensure_future(tab.back(state_of(link)))
            await meanwhile()
            # Half of the second one's time is gone when it learns that the link is used.
            loop.moved += MAX_CALLBACK_SECONDS / 2
            slow.may_say.set()
            await meanwhile()
            assert not late.done()
            loop.moved += MAX_CALLBACK_SECONDS / 2
            await meanwhile()
            page = late.result()
            assert shown(page) == (503, "Not possible right now")
            assert b"load this page again" in page.body
            assert page.headers["retry-after"] == "2"
            check_is_well_kept(page)
            assert shown(first.result()) == (504, "The login did not work")
            assert outcomes(bank) == {"failed": 1}

    run(scenario)
