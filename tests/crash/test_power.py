"""The loss of power that the crash tests do is one: what was synced stays, what was not goes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from tests.crash.power import Disk, NoCompiler, torn
from tests.live import ROOT

WRITER = """
import os, sys
place = sys.argv[1]
def put(name, text, mode=os.O_WRONLY | os.O_CREAT, at=0):
    file = os.open(os.path.join(place, name), mode)
    os.pwrite(file, text, at)
    return file
os.fsync(put("synced", b"kept"))
file = put("later", b"kept, lost")
os.ftruncate(file, 4)
os.fdatasync(file)
os.pwrite(file, b", lost", 4)
put("never", b"lost")
os.fsync(put("cut", b"kept"))
os.ftruncate(put("cut", b""), 0)
os.fsync(put("part", b"kept"))
os.rename(os.path.join(place, "part"), os.path.join(place, "renamed"))
os.fsync(put("gone", b"lost"))
os.unlink(os.path.join(place, "gone"))
put("again", b"lost")
"""
COMMITTER = """
import runpy, sys
from tests.crash.faulty import put_in
if sys.argv[1]:
    put_in(sys.argv[1])
sys.argv = sys.argv[1:]
runpy.run_path("tests/storage/killed.py")
"""
ROUNDS = 40


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    data = tmp_path / "data"
    data.mkdir()
    try:
        return Disk(data, tmp_path)
    except NoCompiler as reason:
        pytest.skip(str(reason))


def python(disk: Disk, script: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **disk.environment}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE)


def test_each_file_goes_back_to_its_last_sync(disk: Disk) -> None:
    with python(disk, WRITER, str(disk.data)) as process:
        assert process.wait() == 0
    assert disk.lose(random.Random(1), (0.0,)) > 0
    left = {file.name: file.read_bytes() for file in disk.data.iterdir()}
    assert left == {
        "synced": b"kept",
        "later": b"kept",
        "never": b"",
        "cut": b"kept",
        "renamed": b"kept",
        "again": b"",
    }


def test_what_was_not_synced_may_come_through_by_the_sector() -> None:
    old, new = b"o" * 512 * 64, b"n" * 512 * 64
    left = torn(old, new, random.Random(1), 0.5)
    pieces = {left[at : at + 512] for at in range(0, len(left), 512)}
    assert pieces == {b"o" * 512, b"n" * 512}
    assert torn(old, new, random.Random(1), 0.0) == old
    assert torn(old, new, random.Random(1), 1.0) == new


def left_after_a_loss(disk: Disk, fault: str) -> tuple[int, int]:
    """Rounds of turns that were told to be durable, and how many of the chat that has least are left."""
    file = disk.data / "dialoom.sqlite"
    told = 0
    with python(disk, COMMITTER, fault, str(file)) as process:
        assert process.stdout is not None
        while told < ROUNDS:
            told = int(process.stdout.readline())
        process.kill()
        # What it said before it died counts as well.
        told = max([told, *(int(line) for line in process.stdout if line.endswith("\n"))])
    disk.lose(random.Random(1), (0.0,))
    if not file.stat().st_size:
        return told, 0
    database = apsw.Connection(str(file))
    try:
        if not database.execute("select 1 from sqlite_schema where name = 'chats'").fetchall():
            return told, 0
        return told, database.execute("select coalesce(min(revision), 0) from chats").get
    finally:
        database.close()


def test_a_store_that_syncs_loses_nothing_with_the_power(disk: Disk) -> None:
    told, left = left_after_a_loss(disk, "")
    assert left >= told


def test_the_loss_of_a_store_that_does_not_sync_is_found(disk: Disk) -> None:
    """Else the test above would prove nothing."""
    told, left = left_after_a_loss(disk, "never-syncs")
    assert left < told
