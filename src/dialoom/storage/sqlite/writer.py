"""The one thread that writes: takes what waits, commits it as one transaction, and tells the event loop once a batch.

It knows no table. A task is a function over a connection and many payloads (``writes.py``) with one payload of its own;
tasks of one function go in together. When a group cannot go in, its tasks are done one by one, each in a savepoint, so
that one that fails does not take the others down; all of them still share one commit.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

import apsw

from dialoom.errors import StoreError
from dialoom.storage.errors import CannotWrite, DiskFull
from dialoom.storage.sqlite.connection import empty_log, explain, keep_notes_in_memory, make_durable, open_writer
from dialoom.storage.sqlite.migrate import migrate, migrate_beside, migrations_seen

Group = Callable[[apsw.Connection, Sequence[Any]], Sequence[Any]]
T = TypeVar("T")
Payload = TypeVar("Payload")

log = logging.getLogger(__name__)

MAX_BATCH_TASKS = 64
"""Tasks of one commit. With 128 users at once a turn took 111 µs of CPU in batches of 32, 102 in 64, 103 in 128."""
EMPTY_EVERY_SECONDS: Final = 10.0
"""Seconds between two tries to put the log into the data file on a full disk; each may write 64 MB."""
ALONE: Final = object()
"""The key of a task that shares its commit with none: one that may well fail where others would not."""


class Task:
    """``key``: tasks of one key never share a batch, so that each sees what the one before it wrote; nor does one of
    ``ALONE`` with any other."""

    __slots__ = ("answer", "group", "key", "payload")

    def __init__(self, group: Group, payload: object, key: Hashable, answer: asyncio.Future[Any]) -> None:
        self.group = group
        self.payload = payload
        self.key = key
        self.answer = answer


class Writer:
    """``is_beside``: another process may have the file, which has the folder's lock then."""

    def __init__(self, path: Path, *, is_beside: bool = False) -> None:
        self.failures = 0
        """Commits that failed since the disk takes nothing that is to be written (``CannotWrite``)."""
        self._emptied_at = -math.inf
        """When the log was last put into the data file since the disk was full."""
        self._path = path
        self._is_beside = is_beside
        self._tasks: SimpleQueue[list[Task] | None]
        self._gathered: list[Task] = []
        """Submitted, and not handed over to the thread yet."""
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self, read: Callable[[apsw.Connection], T]) -> T:
        """Start the thread, migrate, and give what ``read`` finds then."""
        self._loop = loop = asyncio.get_running_loop()
        self._tasks = SimpleQueue()  # after an open that failed, the old one still holds the word to end
        opened: asyncio.Future[T] = loop.create_future()
        self._thread = threading.Thread(target=self._run, args=(opened, read), name="dialoom-writer", daemon=True)
        self._thread.start()
        return await opened

    async def close(self) -> None:
        """Finish what waits, put the log into the data file and close it."""
        if self._thread is None:
            return
        self._hand_over()
        self._tasks.put(None)
        thread, self._thread = self._thread, None
        await asyncio.to_thread(thread.join)

    def submit(
        self, group: Callable[[apsw.Connection, Sequence[Payload]], Sequence[T]], payload: Payload, key: Hashable = None
    ) -> asyncio.Future[T]:
        """Put a task in the queue; the future has the answer once the task is durable."""
        if self._thread is None or self._loop is None:
            raise StoreError(f"The database {self._path} is closed. Open the store first.")
        answer: asyncio.Future[T] = self._loop.create_future()
        if not self._gathered:
            self._loop.call_soon(self._gather, 0)
        self._gathered.append(Task(group, payload, key, answer))
        return answer

    def handed_over(self) -> int:
        """Return how many pieces of work wait for the thread, each with the tasks of some rounds of the event loop."""
        return self._tasks.qsize()

    def _gather(self, before: int) -> None:
        """Hand over the tasks once a round of the event loop has brought none, or there are enough for a batch.

        Requests that come close together so share a commit. Handed over after each round, 32 users made groups of 10 to
        13 turns, which wrote a third more into the log and took a tenth more CPU: the thread commits
        while the event loop computes, and both fight for the interpreter's lock."""
        if before < len(self._gathered) < MAX_BATCH_TASKS:
            asyncio.get_running_loop().call_soon(self._gather, len(self._gathered))
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        # As one piece: task by task, the thread would begin with the first of them.
        self._tasks.put(gathered)

    # -- on the thread

    def _run(self, opened: asyncio.Future[T], read: Callable[[apsw.Connection], T]) -> None:
        assert self._loop is not None
        connection: apsw.Connection | None = None
        try:
            connection = open_writer(self._path)
            found = self._prepared(connection, read)
        except Exception as error:  # noqa: BLE001  # the thread's outermost loop: raised where the start is awaited
            self._loop.call_soon_threadsafe(settle, [(opened, self._explained(error))])
        else:
            self._loop.call_soon_threadsafe(settle, [(opened, found)])
            self._serve(connection)
            self._empty_log(connection)
        finally:
            if connection is not None:
                self._close(connection)

    def _empty_log(self, connection: apsw.Connection) -> None:
        """Put the log into the data file. What cannot be put in now (a full disk) stays in the log, as after a kill."""
        try:
            # The most of it while others may still write: an emptying log holds a service up that runs beside.
            connection.execute("pragma wal_checkpoint(passive)")
            truncate(connection)
        except apsw.Error as error:
            log.warning("the log was not put into the data file: %s The next start does so.", self._explained(error))

    def _close(self, connection: apsw.Connection) -> None:
        try:
            connection.close()
        except apsw.Error as error:
            log.warning("the data file was not closed in order: %s", self._explained(error))

    def _prepared(self, connection: apsw.Connection, read: Callable[[apsw.Connection], T]) -> T:
        migrations_seen(connection, self._path)  # before anything is changed in a file that is not ours
        make_durable(connection)
        if self._is_beside:
            migrate_beside(connection, self._path)
        else:
            migrate(connection, self._path)
        keep_notes_in_memory(connection)
        return read(connection)

    def _serve(self, connection: apsw.Connection) -> None:
        assert self._loop is not None
        waiting: deque[Task] = deque()
        while self._is_left(waiting):
            batch = _batch(waiting)
            try:
                answers = self._commit(connection, batch)
            except Exception as error:  # noqa: BLE001  # the thread's outermost loop: a dead one would hang all turns
                answers = [(task.answer, self._explained(error)) for task in batch]
            self._loop.call_soon_threadsafe(settle, answers)

    def _is_left(self, waiting: deque[Task]) -> bool:
        """Take what was handed over, for a batch at least; return False once the end was met and nothing waits."""
        while len(waiting) < MAX_BATCH_TASKS:
            try:
                brought = self._tasks.get(block=not waiting)
            except Empty:
                break
            if brought is None:
                self._tasks.put(None)  # to be met again once what waits is written
                break
            waiting += brought
        return bool(waiting)

    def _commit(self, connection: apsw.Connection, batch: list[Task]) -> list[tuple[asyncio.Future[Any], object]]:
        try:
            results = _together(connection, batch)
            if results is None:
                _roll_back(connection)
                results = self._one_by_one(connection, batch)
        except apsw.Error as error:
            _roll_back(connection)
            explained = explain(error, self._path)
            self.failures += isinstance(explained, CannotWrite)
            if isinstance(explained, DiskFull):
                self._make_room(connection)
            return [(task.answer, explained) for task in batch]
        return [(task.answer, result) for task, result in zip(batch, results, strict=True)]

    def _make_room(self, connection: apsw.Connection) -> None:
        """Give the room of the log back to a full disk, now and then: it may be all that the next commit needs."""
        now = time.monotonic()
        if now >= self._emptied_at + EMPTY_EVERY_SECONDS:
            self._emptied_at = now
            empty_log(connection, is_cut=True)

    def _one_by_one(self, connection: apsw.Connection, batch: list[Task]) -> list[object]:
        results: list[object] = []
        connection.execute("begin immediate")
        for task in batch:
            try:
                with connection:
                    results += task.group(connection, [task.payload])
            except apsw.ConstraintError as error:
                results.append(explain(error, self._path))
            except apsw.Error:
                raise
            except Exception as error:  # noqa: BLE001  # the thread's outermost loop: raised where it is awaited
                results.append(error)
        connection.execute("commit")
        return results

    def _explained(self, error: Exception) -> Exception:
        return explain(error, self._path) if isinstance(error, apsw.Error) else error


def _batch(waiting: deque[Task]) -> list[Task]:
    """Take the first of what waits, as many as may share a commit."""
    batch = [waiting.popleft()]
    keys = {batch[0].key}
    while waiting and len(batch) < MAX_BATCH_TASKS and _may_join(waiting[0].key, keys):
        keys.add(waiting[0].key)
        batch.append(waiting.popleft())
    return batch


def _may_join(key: Hashable, keys: set[Hashable]) -> bool:
    return ALONE not in keys and key is not ALONE and (key is None or key not in keys)


def _together(connection: apsw.Connection, batch: list[Task]) -> list[object] | None:
    """Do all tasks at once; return None when something in the batch is in the way of that."""
    groups: dict[Group, list[int]] = {}
    for index, task in enumerate(batch):
        groups.setdefault(task.group, []).append(index)
    results: list[object] = [None] * len(batch)
    connection.execute("begin immediate")
    for group, members in groups.items():
        try:
            found = group(connection, [batch[index].payload for index in members])
        except apsw.ConstraintError:
            return None
        except apsw.Error:
            raise
        except Exception:  # noqa: BLE001  # whose fault it is comes out when each is done alone
            return None
        for index, result in zip(members, found, strict=True):
            results[index] = result
    connection.execute("commit")
    return results


def _roll_back(connection: apsw.Connection) -> None:
    """SQLite has rolled back by itself after some errors (a full disk), not after others."""
    if connection.in_transaction:
        connection.execute("rollback")


def each(one: Callable[..., T]) -> Callable[[apsw.Connection, Sequence[tuple[Any, ...]]], list[T]]:
    """Return the group of a function of one payload, whose statements are shared with no other."""

    def group(connection: apsw.Connection, payloads: Sequence[tuple[Any, ...]]) -> list[T]:
        return [one(connection, *payload) for payload in payloads]

    return group


def truncate(connection: apsw.Connection) -> bool:
    """Put the whole log into the data file and empty it: until then the log still holds what was deleted.

    False while a reader is in the way (``wal_checkpoint`` answers busy, it does not raise).
    """
    busy = connection.execute("pragma wal_checkpoint(truncate)").fetchone()
    return busy is not None and busy[0] == 0


def settle(answers: Sequence[tuple[asyncio.Future[Any], object]]) -> None:
    """Hand out results on the event loop; an error is raised where it is awaited."""
    for answer, result in answers:
        if answer.done():
            continue
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)
