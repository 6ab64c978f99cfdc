"""What all tests share: a blocking call of this package inside the event loop fails the test that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from blockbuster import BlockBuster

from tests.postgres import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server


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
    with running_server() as server:
        yield server
