"""Files of users: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import apsw
import msgspec
import pytest

from dialoom.storage.rows import MAX_PIECE_BYTES
from dialoom.storage.sql_files import load
from dialoom.storage.store import ChatKey, Dedupe, FileLimit, FileRow, FilesGone, Inbound
from tests.storage.row_makers import ANN, BEN, commit, waiting, write

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.sqlite.store import SqliteStore
    from dialoom.storage.store import Store

QUERIES = load("sqlite", "files")
LIMIT = FileLimit(since=0, size=100, count=3, channel_size=1000, channel_count=100)


def file(id: str = "f1", key: ChatKey = ANN, size: int = 10, created_at: int = 1000) -> FileRow:
    return FileRow(key, id, b"sealed name of " + id.encode(), size, created_at)


async def test_a_file_is_kept_with_its_content_under_its_bot(store: Store) -> None:
    assert await store.keep_file(file(), b"content", LIMIT)
    assert await store.file("salon", "f1") == file()
    assert await store.content("salon", "f1") == b"content"
    assert await store.file("other", "f1") is None
    assert await store.content("other", "f1") is None


async def test_a_user_keeps_so_many_bytes_since_a_time(store: Store) -> None:
    assert await store.keep_file(file("f1", size=60, created_at=1000), b"", LIMIT)
    assert not await store.keep_file(file("f2", size=41, created_at=2000), b"", LIMIT)
    assert await store.file("salon", "f2") is None
    assert await store.content("salon", "f2") is None
    assert await store.keep_file(file("f2", key=BEN, size=41), b"", LIMIT)
    assert await store.keep_file(file("f3", size=40, created_at=2000), b"", LIMIT)
    later = msgspec.structs.replace(LIMIT, since=1000)
    assert await store.keep_file(file("f4", size=60, created_at=3000), b"", later)


async def test_a_user_keeps_so_many_files_since_a_time(store: Store) -> None:
    assert [await store.keep_file(file(f"f{n}", size=1), b"", LIMIT) for n in range(4)] == [True, True, True, False]


@pytest.mark.parametrize("limit", [{"channel_size": 25}, {"channel_count": 2}])
async def test_all_users_of_a_channel_keep_so_much_since_a_time(store: Store, limit: dict[str, int]) -> None:
    limited = msgspec.structs.replace(LIMIT, **limit)
    users = [ANN, BEN, ANN._replace(user="cleo")]
    kept = [await store.keep_file(file(key.user, key), b"", limited) for key in users]
    assert kept == [True, True, False]
    elsewhere = ANN._replace(channel="other")
    assert await store.keep_file(file("there", elsewhere), b"", limited)
    later = msgspec.structs.replace(limited, since=1000)
    assert await store.keep_file(file("later", created_at=2000), b"", later)


async def test_anonymous_users_take_nothing_from_those_with_a_name(store: Store) -> None:
    limited = msgspec.structs.replace(LIMIT, channel_count=2)
    strangers = [ANN._replace(user=f"web_{number:032x}") for number in range(3)]
    named = [ANN, BEN, ANN._replace(user="cleo")]
    for users in (strangers, named):
        assert [await store.keep_file(file(key.user, key), b"", limited) for key in users] == [True, True, False]


IDS = ("old", "accepted", "committed", "stolen", "new")


async def test_files_that_no_message_names_are_forgotten(store: Store) -> None:
    for id, key, at in zip(IDS, (ANN, ANN, ANN, ANN, BEN), (1000, 1000, 1000, 1000, 5000), strict=True):
        assert await store.keep_file(file(id, key, created_at=at), b"content", msgspec.structs.replace(LIMIT, count=9))
    row = await store.accept(ANN, "e1", b"event", None, 1, ["accepted"])
    assert isinstance(row, Inbound)
    assert await commit(store, write(0, ANN, number=row.number, files=("committed", "accepted"))) is None
    with pytest.raises(FilesGone):
        await store.accept(BEN, "e2", b"event", None, 1, ["stolen"])
    assert await store.forget_unsent("salon", 5000) == 2
    left = ["accepted", "committed", "new"]
    assert [id for id in IDS if await store.file("salon", id)] == left
    assert [id for id in IDS if await store.content("salon", id)] == left


async def test_a_message_that_names_a_file_that_is_gone_is_not_written(store: Store) -> None:
    assert await store.keep_file(file("there"), b"content", LIMIT)
    seen = Dedupe("k", b"body")
    with pytest.raises(FilesGone):
        await store.accept(ANN, "e1", b"event", seen, 1, ["there", "gone"])
    with pytest.raises(FilesGone):
        await commit(store, write(0, ANN, dedupe=seen, files=("gone",)))
    assert await waiting(store, ANN) == []
    assert await store.answered(ANN, "k") is None
    assert await store.chat(ANN) is None
    assert await store.forget_unsent("salon", 5000) == 1


async def test_one_whose_file_is_gone_takes_no_other_down(store: Store) -> None:
    assert await store.keep_file(file("there"), b"content", LIMIT)
    good, bad, other = await asyncio.gather(
        commit(store, write(0, ANN, files=("there",))),
        commit(store, write(0, BEN, files=("gone",))),
        store.accept(ANN._replace(user="cleo"), "e", b"event", None, 1),
        return_exceptions=True,
    )
    assert good is None
    assert isinstance(bad, FilesGone)
    assert isinstance(other, Inbound)
    assert await store.forget_unsent("salon", 5000) == 0


@pytest.mark.parametrize("size", [1, MAX_PIECE_BYTES, MAX_PIECE_BYTES + 1, 3 * MAX_PIECE_BYTES])
async def test_content_of_any_size_comes_back_whole(store: Store, size: int) -> None:
    content = bytes(range(251)) * (size // 251 + 1)
    assert await store.keep_file(file(), content[:size], LIMIT)
    assert await store.content("salon", "f1") == content[:size]


async def test_a_file_whose_deletion_was_cut_off_is_found_by_nobody_and_goes_the_next_time(
    sqlite: SqliteStore, tmp_path: Path
) -> None:
    assert await sqlite.keep_file(file(), b"a" * (2 * MAX_PIECE_BYTES), LIMIT)
    connection = apsw.Connection(str(tmp_path / "data.sqlite"))
    connection.execute("update files set sent = -1; delete from file_pieces where number = 1")
    assert await sqlite.file("salon", "f1") is None
    with pytest.raises(FilesGone):
        await sqlite.accept(ANN, "e", b"event", None, 1, ["f1"])
    assert await sqlite.forget_unsent("salon", 5000) == 1
    left = connection.execute("select (select count(*) from files) + (select count(*) from file_pieces)").get
    connection.close()
    assert left == 0


async def test_looking_for_files_uses_indexes(sqlite: SqliteStore, tmp_path: Path) -> None:
    assert await sqlite.keep_file(file(), b"content", LIMIT)
    connection = apsw.Connection(str(tmp_path / "data.sqlite"))
    of_user = "select sum(size) from files where bot = '' and user = '' and channel = '' and created_at > 0"
    of_channel = "select sum(size) from files where bot = '' and channel = '' and created_at > 0"
    plans = {
        name: [row[3] for row in connection.execute(f"explain query plan {query}", values)]
        for name, query, values in (
            ("of user", of_user, ()),
            ("of channel", of_channel, ()),
            ("begin", QUERIES["begin_forgetting"].sql, ("", 0)),
            ("going", QUERIES["forgetting"].sql, ("", 0)),
        )
    }
    connection.close()
    assert "COVERING INDEX files_user" in plans["of user"][0]
    assert "COVERING INDEX files_channel" in plans["of channel"][0]
    assert "files_unsent" in plans["begin"][0]
    assert "files_unsent" in plans["going"][0]
