"""What a store may refuse or fail with, besides being away (``StoreError``), and the words in which it does."""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.errors import StoreError


class FilesGone(StoreError):
    """A message names a file that is not of its user, or was deleted; nothing was written."""


class Overtaken(StoreError):
    """The chat was changed by another turn, an earlier event waits, or another process has it: nothing was written, and
    the turn has to be computed again from what is stored."""


class Refused(StoreError):
    """The database answers, and takes these rows for wrong: nothing was written, and trying again gives the same."""


class CannotWrite(StoreError):
    """The database answers, and takes nothing that is to be written until somebody has seen to it."""


class DiskFull(CannotWrite):
    """There is no room left."""


class ReadOnly(CannotWrite):
    """The service's user has no right to write, or the server is a replica."""


class DiskFailing(CannotWrite):
    """Its disk fails, or the system has made it read-only for that."""


class CannotRead(StoreError):
    """The database answers, and its disk fails where it is read."""


class Damaged(StoreError):
    """The database's own pages are not what was written to them."""


class HistoryBusy(StoreError):
    """Other queries have all places; the store itself is well."""


class TooSlow(StoreError):
    """A statement took longer than it may and was stopped; the store itself is well."""


class TextTooLong(TooSlow):
    """A record holds a text that an expression of the query cannot search in time. Its message is for the client."""


class PageTooLarge(StoreError):
    """The records of a page have more bytes than are held at once: it has to be read in parts. ``records``: their ids
    and bytes, where all of them had to be found."""

    def __init__(self, message: str, records: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(message)
        self.records = records


class InboxFull(StoreError):
    """As many events of the chat wait as may; nothing was written."""


# -- why a write was refused, in the same words on every store


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
