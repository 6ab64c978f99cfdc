"""Refuses who sends too much in a day: holds the shares of chats and addresses in the memory of this process.

What is counted is what is stored: the body of a message or of the opening of a session, and once its turn is stored,
the rows of the answer. What is refused, or was stored before, counts nothing. A restart begins with whole shares.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import RequestError
from dialoom.http.server.limits.rates import Rates
from dialoom.service.access.rate import MAX_KEYS, Quota, read_size
from dialoom.service.observe.logs import ThrottledLog
from dialoom.service.observe.metrics import Metrics
from dialoom.service.settings import Settings
from dialoom.storage.store import ChatKey, StoredMessage

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope

log = logging.getLogger(__name__)

QUOTA = "quota"
"""The code of a refusal."""
EVENT_BYTES = 512
"""Counted for every message and opening beside its body; the rows of the answer count with what they have more."""
CHAT_BYTES = 4096
"""The same for a chat that begins: its record, its memory and the welcome."""
QUIET_SECONDS = 60.0
"""Between two lines of the log about an address that has used up its share."""
MIN_FILE_BYTES = 512 * 1024
"""That a file counts as."""


class Share:
    """Holds what one request takes of a day's share. ``is_kept`` is False where nothing new was stored."""

    __slots__ = ("is_kept",)

    def __init__(self) -> None:
        self.is_kept = True


class Quotas:
    def __init__(self, settings: Settings, rates: Rates, metrics: Metrics, now: Callable[[], int]) -> None:
        self._clients = rates.clients
        self._metrics = metrics
        self._by_chat = _quota(settings.quota_chat, now)
        self._by_address = _quota(settings.quota_address, now)
        self._files = _quota(settings.quota_files, now)
        self._addresses: OrderedDict[int, str] = OrderedDict()
        """The address from which each chat was last spoken in."""
        self._refusals = ThrottledLog(log, QUIET_SECONDS)

    @contextmanager
    def event(self, scope: Scope, key: ChatKey, size: int, *, is_new: bool = False) -> Iterator[Share]:
        """Take the share of an event whose body has this size while it is stored. ``is_new``: its chat begins with it.
        Raise ``RequestError`` 429."""
        size += CHAT_BYTES if is_new else EVENT_BYTES
        # As a number: no id of a person stands in the table.
        chat, address = hash(key), self._clients.address(scope)
        self._take(self._by_chat, chat, size, "chat", "This chat has")
        try:
            self._take(self._by_address, address, size, "address", "Your network address has")
        except RequestError:
            _give_back(self._by_chat, chat, size)
            raise
        self._addresses[chat] = address
        self._addresses.move_to_end(chat)
        if len(self._addresses) > MAX_KEYS:
            self._addresses.popitem(last=False)
        share = Share()
        try:
            yield share
        except BaseException:
            share.is_kept = False
            raise
        finally:
            if not share.is_kept:
                _give_back(self._by_chat, chat, size)
                _give_back(self._by_address, address, size)

    def stored(self, key: ChatKey, messages: tuple[StoredMessage, ...]) -> None:
        """Count the messages of a turn that was stored, beyond what its event was counted as. A share may be overdrawn
        by one turn."""
        chat = hash(key)
        address = self._addresses.get(chat)
        if address is None:  # no chat of a page, or none that spoke to this process
            return
        size = sum(map(_row_bytes, messages)) - EVENT_BYTES
        if size > 0:
            for quota, whose in ((self._by_chat, chat), (self._by_address, address)):
                if quota is not None:
                    quota.charge(whose, size)

    @contextmanager
    def file(self, scope: Scope, size: int) -> Iterator[None]:
        """Take the share of a file of an anonymous user while it is stored. Raise ``RequestError`` 429."""
        address, size = self._clients.address(scope), max(size, MIN_FILE_BYTES)
        if self._files is not None and not self._files.take(address, size):
            detail = (
                f"From your network address files of {_words(self._files.share)} may be sent in a day by users who are "
                f"not signed in, each counted as at least {_words(MIN_FILE_BYTES)}. Try again after midnight UTC."
            )
            raise self._refusal("too-many-files", detail, self._files, "files")
        try:
            yield
        except BaseException:
            _give_back(self._files, address, size)
            raise

    def _take(self, quota: Quota | None, key: object, size: int, kind: str, whose: str) -> None:
        if quota is not None and not quota.take(key, size):
            detail = (
                f"{whose} a share of {_words(quota.share)} to send in a day, and this is more than is left of it. Try "
                f"again after midnight UTC, or with less."
            )
            if kind == "address":  # not which: it may be a person's
                self._refusals.warn(
                    f"an address has used up its share of {_words(quota.share)} and can open no chat and send no "
                    f"message until midnight UTC. If many users come from one address, it may be your proxy's: name "
                    f"its network in DIALOOM_TRUSTED_PROXIES, or raise DIALOOM_QUOTA_ADDRESS",
                    time.monotonic(),
                )
            raise self._refusal(QUOTA, detail, quota, f"quota-{kind}")

    def _refusal(self, code: str, detail: str, quota: Quota, kind: str) -> RequestError:
        self._metrics.rate_refusals.add(kind)
        return RequestError(code, detail, headers={"Retry-After": str(quota.wait())})


def _row_bytes(message: StoredMessage) -> int:
    """Return the size of a message's row, without the user's own text, which was counted with the request's body."""
    record = message.record
    own = len(msgspec.json.encode(record.text)) if record.from_ == "user" else 0
    return len(msgspec.json.encode(record)) - own


def _quota(share: str, now: Callable[[], int]) -> Quota | None:
    size = read_size(share)
    return None if size is None else Quota(size, now)


def _give_back(quota: Quota | None, key: object, size: int) -> None:
    if quota is not None:
        quota.give_back(key, size)


def _words(size: int) -> str:
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20)):
        if size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size // 2**10} KiB"
