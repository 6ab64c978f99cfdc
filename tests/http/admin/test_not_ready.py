"""``/readyz`` while the store cannot be read or written: it says so, why, and what to do, and is well by itself."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from tests.http.support import serving
from tests.storage.disks import small_disk
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.http.admin.health import CANNOT_WRITE
from dialoom.storage.errors import CannotRead, CannotWrite, DiskFailing, DiskFull, ReadOnly
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

NO_LIMIT = 1 << 40


async def test_a_service_whose_disk_is_full_is_not_ready_until_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with small_disk() as disk:
        store = SqliteStore(tmp_path / "data.sqlite")
        async with serving(tmp_path, store=store) as client:
            client.app.readiness.max_age_seconds = 0.0
            assert (await client.say("tea")).status == 200
            disk.room = 0
            assert (await client.say("x" * 5000)).status == 503
            with caplog.at_level(logging.INFO, "dialoom.http.admin.health"):
                answers = [await client.call("GET", "/readyz") for _ in range(3)]
                assert [(answer.status, answer.json["code"]) for answer in answers] == [(503, "store-cannot-write")] * 3
                assert "disk is full. Make room there." in answers[0].json["detail"]
                assert str(tmp_path) not in answers[0].json["detail"]
                assert (await client.call("GET", "/healthz")).status == 200
                disk.room = NO_LIMIT
                assert (await client.call("GET", "/readyz")).status == 200
            assert (await client.say("x" * 5000)).status == 200
    told = [record.message for record in caplog.records if record.name == "dialoom.http.admin.health"]
    reason = f"The disk of {tmp_path / 'data.sqlite'} is full; nothing of this was written. Make room and try again."
    assert told == [f"not ready: {reason}", "ready again"]


class _Unwell(TemporaryStore):
    fault: StoreError | None = None

    async def check(self) -> None:
        if self.fault is not None:
            raise self.fault
        await super().check()


@pytest.mark.parametrize(
    ("fault", "todo"),
    [
        (DiskFull, "Make room there."),
        (ReadOnly, "Give the service's user the right to write"),
        (ReadOnly, "name the primary server"),
        (DiskFailing, "Check disk and file system."),
    ],
)
async def test_why_nothing_can_be_written_is_told_without_where_it_lies(
    tmp_path: Path, fault: type[CannotWrite], todo: str
) -> None:
    store = _Unwell()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 0.0
        store.fault = fault("The disk of /srv/secret/place failed.")
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-cannot-write")
        assert todo in answer.json["detail"]
        assert "secret" not in answer.json["detail"]
        store.fault = None
        assert (await client.call("GET", "/readyz")).status == 200


async def test_a_disk_that_fails_where_it_is_read_is_told_as_that(tmp_path: Path) -> None:
    store = _Unwell()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 0.0
        store.fault = CannotRead("The disk of /srv/secret/place failed.")
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-cannot-read")
        assert "cannot be read: its disk fails" in answer.json["detail"]
        assert "secret" not in answer.json["detail"]


async def test_the_log_says_the_cause_with_its_place_whenever_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Unwell()
    full, failing = DiskFull("The disk of /srv/place is full."), DiskFailing("The disk of /srv/place failed.")
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 0.0
        with caplog.at_level(logging.INFO, "dialoom.http.admin.health"):
            for store.fault in (StoreError("It is away."), full, full, failing, full, None, None):
                await client.call("GET", "/readyz")
    assert [record.message for record in caplog.records if record.name == "dialoom.http.admin.health"] == [
        "not ready: It is away.",
        "not ready: The disk of /srv/place is full.",
        "not ready: The disk of /srv/place failed.",
        "not ready: The disk of /srv/place is full.",
        "ready again",
    ]


def test_each_reason_has_its_sentence() -> None:
    assert {*CANNOT_WRITE} == {*CannotWrite.__subclasses__()}
