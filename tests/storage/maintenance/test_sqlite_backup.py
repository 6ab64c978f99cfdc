"""A copy of the data file is whole, or is not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from dialoom.errors import SettingError, StoreError
from dialoom.storage.errors import Damaged, DiskFull
from dialoom.storage.maintenance.sqlite_backup import back_up, refuse_without_room
from tests.live import wait_until
from tests.storage.disks import small_disk
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROWS = 200
ROW_BYTES = 10_000


@pytest.fixture
def store() -> TemporaryStore:
    """Two megabytes in the table of the pieces of files."""
    store = TemporaryStore()
    add_rows(store, 0, ROWS)
    return store


def add_rows(store: TemporaryStore, first: int, count: int) -> None:
    store.query(
        "with recursive n(i) as (select ? union all select i + 1 from n where i < ?) "
        "insert into file_pieces (bot, id, number, content) select 'b', 'f', i, randomblob(?) from n",
        first,
        first + count - 1,
        ROW_BYTES,
    )


@pytest.fixture
def writing(store: TemporaryStore) -> Iterator[list[int]]:
    """Rows that are committed meanwhile, one after the other, as their numbers."""
    done: list[int] = []
    is_over = threading.Event()

    def write() -> None:
        number = ROWS
        while not is_over.is_set():
            add_rows(store, number, 1)
            done.append(number)
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    wait_until(lambda: len(done) > 3)
    yield done
    is_over.set()
    thread.join()


def _rows(file: Path) -> list[int]:
    connection = apsw.Connection(str(file))
    try:
        return [number for (number,) in connection.execute("select number from file_pieces order by number")]
    finally:
        connection.close()


def test_a_copy_has_all_that_was_committed_before_it_began(
    store: TemporaryStore, writing: list[int], tmp_path: Path
) -> None:
    before = [*range(ROWS), *writing]
    made = back_up(store.path, tmp_path / "copy")
    assert _rows(tmp_path / "copy")[: len(before)] == before
    assert made.size == (tmp_path / "copy").stat().st_size
    assert os.listdir(tmp_path) == ["copy"]
    if os.name == "posix":
        assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


def test_its_progress_comes_to_the_end(store: TemporaryStore, tmp_path: Path) -> None:
    add_rows(store, ROWS, 5 * ROWS)
    seen: list[float] = []
    back_up(store.path, tmp_path / "copy", lambda _, share: seen.append(share))
    assert seen == sorted(seen)
    assert seen[-1] > 0.2


def test_a_file_that_exists_is_left_as_it_is(store: TemporaryStore, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("precious")
    with pytest.raises(SettingError, match="exists and is left as it is"):
        back_up(store.path, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "precious"


def test_a_folder_that_is_not_there_is_named(store: TemporaryStore, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="none/copy cannot be written: No such file"):
        back_up(store.path, tmp_path / "none" / "copy")


def test_on_a_disk_that_fills_up_nothing_is_left(store: TemporaryStore, tmp_path: Path) -> None:
    with small_disk() as disk:
        disk.room = 500_000
        with pytest.raises(DiskFull, match="copy could not be written whole: its disk is full"):
            back_up(store.path, tmp_path / "copy")
    assert os.listdir(tmp_path) == []


def test_a_copy_that_will_not_fit_is_not_begun(store: TemporaryStore, tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match=r"needs about 1,000,000,000,0\d\d MB, and its disk has"):
        refuse_without_room(10**18, store.path, tmp_path / "copy")


def test_a_database_of_another_program_is_not_taken_for_ours(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    connection = apsw.Connection(str(foreign))
    connection.execute("create table notes (text)")
    connection.close()
    with pytest.raises(StoreError, match="no database of this service"):
        back_up(foreign, tmp_path / "copy")
    assert os.listdir(tmp_path) == ["foreign"]


def test_a_damaged_file_gives_no_backup(store: TemporaryStore, tmp_path: Path) -> None:
    store.query("pragma wal_checkpoint(truncate)")
    with store.path.open("r+b") as file:
        for page in range(40, 80):
            file.seek(page * 4096)
            file.write(b"\xff" * 2048)
    with pytest.raises((Damaged, StoreError)):
        back_up(store.path, tmp_path / "copy")
    assert os.listdir(tmp_path) == []


HANGING = """
import sys, time
from pathlib import Path
from dialoom.storage.maintenance.sqlite_backup import back_up
def show(done, share):
    print("copying", flush=True)
    time.sleep(60)
back_up(Path(sys.argv[1]), Path(sys.argv[2]), show)
"""


def test_a_killed_backup_leaves_no_file_of_its_name_and_the_next_one_is_whole(
    store: TemporaryStore, tmp_path: Path
) -> None:
    add_rows(store, ROWS, 5 * ROWS)
    command = [sys.executable, "-c", HANGING, str(store.path), str(tmp_path / "copy")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "copying\n"
        process.send_signal(signal.SIGKILL)
    assert "copy" not in os.listdir(tmp_path)
    # Its journal would be played back into the next copy.
    (tmp_path / "copy.part-journal").write_bytes(b"left")
    back_up(store.path, tmp_path / "copy")
    assert os.listdir(tmp_path) == ["copy"]
    assert len(_rows(tmp_path / "copy")) == 6 * ROWS
