"""Providers that hang, drip and never end: browsers are answered in time, memory is bounded, others notice nothing."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.identity.bots import BALANCE, BRANCH, CITY, OPEN, authentication, running_banks, write_bank
from tests.identity.browser import Browser, Page
from tests.identity.burdens import WAYS, burdens
from tests.identity.talk import Rest, state_of, texts
from tests.live import call

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live import Service

BROWSER_WAITS = 25.0
"""Seconds that end a wait for ever. No measure of the 15 that are promised: those are the deadline's, which
``test_linking_deadline`` holds to, and a busy machine adds its own."""
OTHERS_WAIT = 8.0
"""Below what a provider that hangs costs its own user; far above a turn on a busy machine."""
ROOM = 96 * 1024 * 1024
"""Resident bytes that all of them may cost together. What came is bounded to 1 MiB an answer; unbounded, the bombs alone
would be 512."""


def _bothered(service: Service, way: str) -> tuple[str, Page, float]:
    """Somebody logs in at this provider; gives the page, and how long the slow request took."""
    user, browser = Rest(service, way, "someone"), Browser()
    link = user.link(BALANCE)
    begun = time.monotonic()
    page = browser.ask(link, wait=60)
    if not way.startswith("metadata"):
        state = state_of(page.location)
        begun = time.monotonic()
        page = browser.ask(f"{service.url}/v1/account-linking?code=c0de&state={state}", wait=60)
    return way, page, time.monotonic() - begun


def _resident(service: Service) -> int:
    [found] = re.findall(
        r"^process_resident_memory_bytes (\S+)$", call("GET", f"{service.url}/metrics").body.decode(), re.M
    )
    return int(float(found))


def test_a_provider_that_wastes_time_or_room_costs_nobody_but_its_own_user_and_them_not_much(tmp_path: Path) -> None:
    with burdens() as url:

        def bots(folder: Path) -> list[Path]:
            return [write_bank(folder, way, f"{url}/none", authentication(f"{url}/{way}")) for way in WAYS]

        with running_banks(tmp_path, bots) as service:
            calm = Rest(service, WAYS[0], "calm")
            calm.say(BRANCH)
            calm.say("Oslo")
            before = most = _resident(service)
            slowest = 0.0
            talks = 0
            with ThreadPoolExecutor(len(WAYS)) as pool:
                running = [pool.submit(_bothered, service, way) for way in WAYS]
                while not all(one.done() for one in running):
                    begun = time.monotonic()
                    assert texts(calm.say(BRANCH)) == [CITY]
                    assert texts(calm.say("Oslo")) == [OPEN]
                    slowest = max(slowest, time.monotonic() - begun)
                    most = max(most, _resident(service))
                    talks += 1
                    time.sleep(0.2)  # a user may say 240 things a minute
            found = [one.result() for one in running]
    assert {way: took for way, _, took in found if took > BROWSER_WAITS} == {}
    assert {way: page.status for way, page, _ in found if page.status not in {502, 504}} == {}
    assert all("text/html" in page.headers["content-type"] for _, page, _ in found)
    assert talks > 5
    assert slowest < OTHERS_WAIT
    assert most - before < ROOM
