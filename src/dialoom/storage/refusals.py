"""Says why a write was refused, in the same words on every store."""

from __future__ import annotations

from dialoom.errors import StoreError
from dialoom.storage.errors import FilesGone, InboxFull, Overtaken


def changed_meanwhile(bot: str) -> Overtaken:
    return Overtaken(
        f"The memory of a chat of bot {bot} was changed by another turn meanwhile; nothing of this one was written. It "
        f"has to be computed again from what is stored."
    )


def not_held(bot: str) -> Overtaken:
    return Overtaken(
        f"A chat of bot {bot} is not held by this process (any more); nothing of this turn was written. The process "
        f"that holds the chat runs its turns."
    )


def not_its_call(bot: str) -> Overtaken:
    return Overtaken(
        f"The turn of a chat of bot {bot} is done, or is another process's by now; the result of its outside call was "
        f"not kept."
    )


def inbox_full(bot: str, most: int | None) -> InboxFull:
    return InboxFull(f"{most} events of a chat of bot {bot} wait for their turn already; this one was not written.")


def files_gone(bot: str) -> FilesGone:
    return FilesGone(f"A file that a message of bot {bot} names is gone, or is another user's.")


def no_version(bot: str, version: str) -> StoreError:
    return StoreError(f'Bot {bot} has no version "{version}". Nothing was changed; choose one of its versions.')


def hash_in_use(bot: str) -> StoreError:
    return StoreError(f"This token of bot {bot} is, or was, in use already. Choose another text for it.")


def id_in_use(bot: str, id: str) -> StoreError:
    return StoreError(f'Bot {bot} has a token "{id}" already. Revoke it first, or give the new one another id.')
