"""Writes what waits in groups, over a few connections: one statement for up to 64 tasks of one kind and one bot.

It knows no table. A task is a function over a connection, a bot and many payloads (``turns.py``), with one payload of
its own. Tasks of one chat are done one after the other, in their order; those of different chats may overtake each
other. When a group cannot go in, its tasks are done one by one, and only the one at fault gets the error.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from dialoom.storage.postgres.connection import FAILURES, MAX_TRIES, UNDONE, Connection, Connections, closed
from dialoom.storage.postgres.failures import OF_ROWS, explain

if TYPE_CHECKING:
    from dialoom.storage.rows import ChatKey

    Group: TypeAlias = Callable[[Connection, str, Sequence[Any]], Awaitable[Sequence[Any]]]

WRITERS = 3
MAX_GROUP_TASKS = 64
AGAIN = object()
"""A group's answer for a payload that it did not write since another was in the way: the rest goes in without that."""


class _Task:
    __slots__ = ("answer", "group", "key", "payload")

    def __init__(self, group: Group, key: ChatKey, payload: Any, answer: asyncio.Future[Any]) -> None:
        self.group = group
        self.key = key
        self.payload = payload
        self.answer = answer

    def settle(self, result: object) -> None:
        if self.answer.done():
            return
        if isinstance(result, BaseException):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)


class Writer:
    def __init__(self, url: str, *, most: int = WRITERS) -> None:
        self._connections = Connections(url, most=most)
        self._most = most
        self._ready: dict[tuple[Group, str], deque[_Task]] = {}
        """By kind and bot; the first kind and bot is the next group."""
        self._behind: dict[ChatKey, deque[_Task]] = {}
        """Of each chat that has a task ready or running: those that wait for it."""
        self._running: set[asyncio.Task[None]] = set()
        self._is_called = False
        self._is_open = False

    @property
    def failures(self) -> int:
        """Return how many groups were refused because nothing can be written: a full or failing disk, a replica."""
        return self._connections.failures

    async def open(self) -> None:
        await self._connections.open()
        self._is_open = True

    async def close(self) -> None:
        """Finish what waits."""
        self._is_open = False
        if self._is_called:
            self._call()
        while self._running:
            await asyncio.wait([*self._running])
        await self._connections.close()

    def submit(self, group: Group, key: ChatKey, payload: Any) -> asyncio.Future[Any]:
        """Put a task into its group; the future has the answer once the task is durable."""
        if not self._is_open:
            raise closed(self._connections.where)
        loop = asyncio.get_running_loop()
        task = _Task(group, key, payload, loop.create_future())
        behind = self._behind.get(key)
        if behind is not None:
            behind.append(task)
        else:
            self._behind[key] = deque()
            self._put(task)
            if not self._is_called and len(self._running) < self._most:
                # At the end of this turn of the loop: what else it brings goes into the same group.
                self._is_called = True
                loop.call_soon(self._call)
        return task.answer

    # -- groups

    def _put(self, task: _Task) -> None:
        self._ready.setdefault((task.group, task.key.bot), deque()).append(task)

    def _call(self) -> None:
        self._is_called = False
        if self._ready and len(self._running) < self._most:
            self._running.add(asyncio.get_running_loop().create_task(self._run()))

    async def _run(self) -> None:
        me = asyncio.current_task()
        assert me is not None
        try:
            while self._ready:
                await self._group(self._next())
        finally:
            # At once, not when the loop sees the end of it: a task that comes until then would find all at work.
            self._running.discard(me)

    async def _group(self, tasks: list[_Task]) -> None:
        try:
            async with self._connections.connection() as connection:
                await self._write(connection, tasks)
        except Exception as error:  # noqa: BLE001  # a writer's outermost loop: raised where each is awaited
            _refuse(tasks, error)
        except BaseException:
            _refuse(tasks, closed(self._connections.where))
            raise
        finally:
            self._free(tasks)

    def _next(self) -> list[_Task]:
        name = next(iter(self._ready))
        waiting = self._ready.pop(name)
        tasks = [waiting.popleft() for _ in range(min(len(waiting), MAX_GROUP_TASKS))]
        if waiting:
            # To the end: other kinds and bots come first.
            self._ready[name] = waiting
        return tasks

    def _free(self, tasks: list[_Task]) -> None:
        for task in tasks:
            behind = self._behind[task.key]
            if behind:
                self._put(behind.popleft())
            else:
                del self._behind[task.key]

    async def _write(self, connection: Connection, tasks: list[_Task]) -> None:
        left = tasks
        while left:
            try:
                results = await left[0].group(connection, left[0].key.bot, [task.payload for task in left])
            except FAILURES as error:
                if connection.is_closed() or not _is_of_some(error):
                    raise
                await self._one_by_one(connection, left, error)
                return
            except Exception as error:  # noqa: BLE001  # whose fault it is comes out when each is done alone
                await self._one_by_one(connection, left, error)
                return
            again = []
            for task, result in zip(left, results, strict=True):
                if result is AGAIN:
                    again.append(task)
                else:
                    task.settle(result)
            left = again

    async def _one_by_one(self, connection: Connection, tasks: list[_Task], error: Exception) -> None:
        if len(tasks) > 1:
            for task in tasks:
                await self._write(connection, [task])
            return
        task = tasks[0]
        for _ in range(MAX_TRIES):
            if not isinstance(error, UNDONE):
                break
            try:
                (result,) = await task.group(connection, task.key.bot, [task.payload])
            except UNDONE as next_error:
                error = next_error
            else:
                task.settle(result)
                return
        task.settle(explain(error, self._connections.where) if isinstance(error, FAILURES) else error)


def _is_of_some(error: Exception) -> bool:
    """Return whether each task of the group is to be tried alone: then the error goes away, or stays with the task at
    fault."""
    return isinstance(error, UNDONE) or str(getattr(error, "sqlstate", "")).startswith(OF_ROWS)


def _refuse(tasks: list[_Task], error: Exception) -> None:
    """Answer the tasks that have no answer yet with the error, each with a copy: an error that is raised twice mixes
    two traces."""
    for task in tasks:
        if not task.answer.done():
            task.settle(type(error)(*error.args))
