"""Erases a user, and lists where a person who wrote the bot has kept what that user said: its tests and its training.

Those are the author's files, also in git and on other machines: they are named in the receipt, not changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.errors import FlowError
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.records.erasure import Copy, Receipt, user_of

if TYPE_CHECKING:
    from dialoom.authoring.drafts.drafts import Drafts
    from dialoom.service.service import Service
    from dialoom.storage.store import ChatKey

MIN_WORDS: Final = 3
"""Words of a sentence that is looked for: shorter ones ("yes", "next Monday") are in many files by themselves."""
MAX_MESSAGES: Final = 20_000
"""Messages of a user that are looked for, the newest first."""
MAX_COPIES: Final = 200
BATCH: Final = 500


async def erase_user(
    service: Service, drafts: Drafts, bot: str, user: str, channel: str | None, *, whole: bool = False
) -> Receipt:
    """Erase a user as ``Erasure.erase`` does; the receipt has the copies in the bot's draft and its active version."""
    key = await user_of(service.store, bot, user, channel)
    copies = await _find_copies(service, drafts, key)
    receipt = await service.erasure.erase(bot, user, key.channel, whole=whole)
    return msgspec.structs.replace(receipt, copies=copies)


async def _find_copies(service: Service, drafts: Drafts, key: ChatKey) -> tuple[Copy, ...]:
    active = service.bots.active(key.bot)
    if active is None:
        return ()
    all_files = {"active version": await service.bots.files(key.bot, active.version) or {}}
    # A folder that cannot be read now is passed over: what was published of it is looked through.
    with contextlib.suppress(FlowError):
        all_files = {"draft": (await drafts.read(key.bot)).files} | all_files
    said, conversations = await _said(service, key)
    return await asyncio.to_thread(_copies, all_files, said, conversations)


async def _said(service: Service, key: ChatKey) -> tuple[set[str], set[str]]:
    """Return the sentences that the user said, and the ids of the conversations."""
    where: dict[str, Any] = {"User": {"$eq": key.user}, "Channel": {"$eq": key.channel}, "From": {"$eq": "user"}}
    said, conversations = set[str](), set[str]()
    before: str | None = None
    for _ in range(MAX_MESSAGES // BATCH):
        query = where if before is None else where | {"_id": {"$lt": before}}
        selection = Selection(parse_query(json.dumps(query)), parse_sort('{"_id":-1}'), limit=BATCH)
        records = [msgspec.json.decode(text) for text in await service.store.find("messages", key.bot, selection)]
        for record in records:
            conversations.add(record["Conversation"])
            if isinstance(record["Text"], str) and len(record["Text"].split()) >= MIN_WORDS:
                said.add(_plain(record["Text"]))
        if len(records) < BATCH:
            break
        before = records[-1]["_id"]
    return said, conversations


def _copies(all_files: Mapping[str, Mapping[str, str]], said: set[str], conversations: set[str]) -> tuple[Copy, ...]:
    """Return each place once: a version that the draft has not changed holds the same."""
    found: dict[tuple[str, str], Copy] = {}
    for version, files in all_files.items():
        for name, text in files.items():
            try:
                value = json.loads(text.removeprefix("\ufeff"))
            except (ValueError, RecursionError):
                continue
            for path, one in _texts(value, ""):
                if _plain(one) in said or any(id in one for id in conversations if path.endswith("/note")):
                    found.setdefault((name, path), Copy(version, name, path))
    return tuple(found.values())[:MAX_COPIES]


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a document with its JSON pointer."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _texts(one, f"{path}/{index}")
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(one, f"{path}/{key.replace('~', '~0').replace('/', '~1')}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
