"""``kill -9`` at bad moments: nothing is lost, nothing is answered or booked twice (service.md, Storage)."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from tests.crash.talk import Talk, check
from tests.live import Backend, Service, call, clinic

if TYPE_CHECKING:
    from pathlib import Path

USERS = 32


def _talks(backend: Backend, count: int) -> list[Talk]:
    """Patients who each want another time."""
    talks: list[Talk] = []
    for specialty in [found["name"] for found in call("GET", f"{backend.url}/specialties").json]:
        for doctor in call("GET", f"{backend.url}/doctors?specialty={specialty.replace(' ', '%20')}").json:
            day = call("GET", f"{backend.url}/days?doctor={doctor['id']}").json[2]
            for slot in call("GET", f"{backend.url}/slots?doctor={doctor['id']}&date={day}").json[:4]:
                talks.append(Talk(f"u{len(talks)}", specialty, doctor["name"], day, slot))
    return talks[:count]


def test_a_service_killed_in_the_middle_of_a_slow_webhook_books_once_with_the_same_key(tmp_path: Path) -> None:
    with clinic(tmp_path, delay=5.0) as (service, backend):
        (talk,) = _talks(backend, 1)
        while len(talk.answers) < len(talk.texts) - 1:
            assert talk.step(service)
        last = threading.Thread(target=talk.step, args=(service,))
        last.start()
        # The booking takes 5 s; after 2 s its call is in flight.
        time.sleep(2.0)
        assert backend.bookings() == []
        service.kill()
        last.join()
        again = service.again()
        try:
            talk.finish(again)
            assert check(talk, again, backend.bookings()) == 2
            assert "It is booked" in talk.answers[-1][0]["text"]
        finally:
            again.stop()


@pytest.mark.parametrize("kills", [1, 4])
def test_32_conversations_go_on_after_each_kill_with_nothing_lost_or_twice(tmp_path: Path, kills: int) -> None:
    """Each kill may repeat the one call that a conversation had in flight; its key never changes."""
    draw = random.Random(7)
    with clinic(tmp_path, delay=0.05) as (service, backend):
        talks = _talks(backend, USERS)
        current: list[Service] = [service]
        try:
            with ThreadPoolExecutor(USERS) as pool:
                running = [pool.submit(_keep_talking, talk, current) for talk in talks]
                for _ in range(kills):
                    time.sleep(draw.uniform(0.2, 0.9))
                    current[0].kill()
                    current[0] = current[0].again()
                for future in running:
                    future.result(timeout=120)
            calls = [check(talk, current[0], backend.bookings()) for talk in talks]
            print(f"{kills} kills, {USERS} conversations, booking calls repeated: {sum(calls) - USERS}")
            assert max(calls) <= 1 + kills
            assert len(backend.bookings()) == USERS
        finally:
            current[0].stop()


def _keep_talking(talk: Talk, current: list[Service]) -> None:
    while not talk.is_done:
        if not talk.step(current[0]):
            time.sleep(0.05)
