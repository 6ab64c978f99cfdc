"""What all tests share: a blocking call of this package inside the event loop fails the test that made it, and no drawn
example fails by the time that it took."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

import pytest
from blockbuster import BlockBuster
from hypothesis import HealthCheck, settings

from dialoom.understanding import prepare
from tests.postgres import running_server
from tests.stores import SHARED_MEMORY, has_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of ``mallopt``, from ``malloc.h``."""

# pytest makes its temporary folders there, as ``TemporaryStore`` does: the stores sync as in production, and where no
# disk is under them that costs nothing.
if has_room():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(SHARED_MEMORY))
# After large blocks were freed, the GNU C library keeps ever larger ones in its heap, and a heap for each of many threads:
# a process of tests grew to 1.2 GB. Held to these, it gives back what is freed.
if hasattr(_C_LIBRARY := ctypes.CDLL(None), "mallopt"):
    for parameter, value in ((M_MMAP_THRESHOLD, 256 << 10), (M_TRIM_THRESHOLD, 1 << 20), (M_ARENA_MAX, 2)):
        _C_LIBRARY.mallopt(parameter, value)
# By itself hypothesis fails what takes 0.2 s, or takes long to be drawn: that is a busy machine as often as a fault.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
# A service loads what understanding needs beside its first requests; a test's first request may come before that.
prepare("en")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that fails in a real browser runs once more, and the run's summary names it: a machine that is busy for
    seconds fails one in ten thousand. A test without a browser has no second try."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(autouse=True)
def no_blocking_calls() -> Iterator[None]:
    """Only calls made by this package count: test code may read files, and libraries answer for themselves."""
    guard = BlockBuster(scanned_modules=["dialoom"])
    for function in guard.functions.values():
        # asyncpg looks for a password file with each connection, where its address has no password.
        function.can_block_in("asyncpg/connect_utils.py", {"_parse_connect_arguments"})
        # coverage takes turns with the threads that it watches as well.
        function.can_block_in("coverage/collector.py", {"lock_data"})
    guard.activate()
    yield
    guard.deactivate()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Started by the first test that asks for it."""
    with running_server(in_memory=True) as server:
        yield server
