"""A store that stumbles when it is to take a turn, a login's row or a chat."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import msgspec
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.storage.store import Refused

if TYPE_CHECKING:
    from dialoom.storage.store import Answered, Chat, ChatKey, LoginRow, TurnWrite


class Stumbling(TemporaryStore):
    """Fails so many times to store a turn or to change a link's row."""

    failures = 0
    is_mute = False
    """It takes the next turn, and the word of it is lost on its way back."""
    refuses = False
    """What it does not fail to take, it refuses for good."""
    chats: Literal["here", "away", "sealed"] = "here"
    """True if they can be read; ``sealed``: by a key that is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        """Until it is set, no turn is over."""
        self.gate.set()

    async def commit(self, write: TurnWrite) -> Answered | None:
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise StoreError("The database is away.")
        if self.refuses:
            raise Refused("The turn is too large.")
        answered = await super().commit(write)
        if self.is_mute:
            self.is_mute = False
            raise StoreError("The database is away.")
        return answered

    async def chat(self, key: ChatKey) -> Chat | None:
        if self.chats == "away":
            raise StoreError("The database is away.")
        found = await super().chat(key)
        return found if found is None or self.chats == "here" else msgspec.structs.replace(found, state=b"?" * 64)

    async def change_login(self, before: LoginRow, after: LoginRow) -> bool:
        if self.failures:
            raise StoreError("The database is away.")
        return await super().change_login(before, after)
