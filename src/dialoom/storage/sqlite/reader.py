"""Threads that read: each with a connection of its own, so that a long history query holds up nobody but its like."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from dialoom.errors import StoreError
from dialoom.storage.sqlite.connection import Deadline, explain, open_reader
from dialoom.storage.sqlite.writer import settle

T = TypeVar("T")

MAX_WAITING_READS = 64
"""Answers handed to the event loop in one call."""


class _Question:
    __slots__ = ("answer", "ask", "seconds")

    def __init__(
        self, ask: Callable[[apsw.Connection, Deadline], Any], seconds: float, answer: asyncio.Future[Any]
    ) -> None:
        self.ask = ask
        self.seconds = seconds
        self.answer = answer


class Readers:
    def __init__(self, path: Path, threads: int, name: str) -> None:
        self._path = path
        self._count = threads
        self._name = name
        self._questions: SimpleQueue[_Question | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        for number in range(self._count):
            thread = threading.Thread(target=self._run, name=f"dialoom-{self._name}-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    async def close(self) -> None:
        for _ in self._threads:
            self._questions.put(None)
        threads, self._threads = self._threads, []
        for thread in threads:
            await asyncio.to_thread(thread.join)

    async def ask(self, ask: Callable[[apsw.Connection, Deadline], T], seconds: float) -> T:
        """Return what ``ask`` finds, within the time; it stops as well when nobody waits for the answer any more."""
        if not self._threads or self._loop is None:
            raise StoreError(f"The database {self._path} is closed. Open the store first.")
        answer: asyncio.Future[T] = self._loop.create_future()
        self._questions.put(_Question(ask, seconds, answer))
        return await answer

    # -- on the threads

    def _run(self) -> None:
        """Answer questions on the thread. The connection is opened with the first one: a start costs nothing for what
        nobody asks."""
        assert self._loop is not None
        connection: apsw.Connection | None = None
        question = self._questions.get()
        answers: list[tuple[asyncio.Future[Any], object]] = []
        while question is not None:
            try:
                connection = connection or open_reader(self._path)
                result: object = _answer(connection, question)
            except apsw.Error as error:
                result = explain(error, self._path)
            except Exception as error:  # noqa: BLE001  # the thread's outermost loop: it is raised where it is awaited
                result = error
            answers.append((question.answer, result))
            try:
                question = self._questions.get_nowait()
                is_empty = False
            except Empty:
                is_empty = True
            if is_empty or len(answers) >= MAX_WAITING_READS:
                self._loop.call_soon_threadsafe(settle, answers)
                answers = []
            if is_empty:
                question = self._questions.get()
        if answers:
            self._loop.call_soon_threadsafe(settle, answers)
        if connection is not None:
            connection.close()


def _answer(connection: apsw.Connection, question: _Question) -> object:
    if question.answer.cancelled():
        # Who asked has gone and its place was given on: the work until the first look at the deadline would be one more
        # query that those who stay wait for, and under clients that ask and hang up the queue would only grow.
        return None
    with Deadline(connection, question.seconds, question.answer.cancelled) as deadline:
        return question.ask(connection, deadline)


def as_of_now(ask: Callable[[apsw.Connection, Deadline], T]) -> Callable[[apsw.Connection, Deadline], T]:
    """Return the question so that all its statements see one state of the data file."""

    def asked(connection: apsw.Connection, deadline: Deadline) -> T:
        connection.execute("savepoint asked")
        try:
            return ask(connection, deadline)
        finally:
            if connection.in_transaction:  # not after an error that has ended it
                connection.execute("release asked")

    return asked
