"""A release rolls out beside the one before it: two versions of the package on one PostgreSQL, talks go on over both."""

from __future__ import annotations

import base64
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tests.crash.talk import Talk, check, talks_of
from tests.live import ROOT, Backend, Service, copy_clinic
from tests.postgres import query

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.postgres import Server

USERS = 8
NEXT_STEP = """-- works with: 1
alter table conversations add column note text;
alter table leases add column since timestamptz default now();
create table notes (bot text collate "C" not null, id text not null, note text, primary key (bot, id));
"""


def next_release(folder: Path) -> Path:
    """A copy of the package that knows one step of the tables more; gives what has to stand on its path."""
    package = folder / "dialoom"
    shutil.copytree(ROOT / "src" / "dialoom", package, ignore=shutil.ignore_patterns("__pycache__"))
    migrations = package / "storage" / "postgres" / "migrations"
    number = 1 + len(list(migrations.glob("*.sql")))
    (migrations / f"{number:04}_next.sql").write_text(NEXT_STEP)
    init = package / "__init__.py"
    version = next(line for line in init.read_text().splitlines() if line.startswith("__version__"))
    init.write_text(init.read_text().replace(version, '__version__ = "9.9.9"'))
    return folder


class _Rolling:
    """The processes that run now; a talk goes on with whichever there is."""

    def __init__(self) -> None:
        self.running: list[Service] = []

    def any(self, number: int) -> Service:
        running = self.running
        return running[number % len(running)]


def _keep_talking(talk: Talk, place: _Rolling, pace: float) -> int:
    """Each message to another process; gives how often one had to be sent again."""
    number = again = 0
    while not talk.is_done:
        number += 1
        if not talk.step(place.any(number)):
            again += 1
            time.sleep(0.02)
        time.sleep(pace)
    return again


def test_talks_go_on_while_the_next_release_rolls_out_beside_the_one_before(
    tmp_path: Path, postgres_server: Server, request: pytest.FixtureRequest
) -> None:
    database = postgres_server.database()
    backend = Backend(tmp_path / "backend")
    request.addfinalizer(backend.stop)
    folder = copy_clinic(tmp_path, backend.port)
    new = {"PYTHONPATH": str(next_release(tmp_path / "next"))}
    shared = {
        "DIALOOM_DATABASE_URL": database,
        "DIALOOM_KEYS": base64.b64encode(b"k" * 32).decode(),
        "DIALOOM_STOP_DELAY": "0.3",
    }

    def start(environment: dict[str, str]) -> Service:
        service = Service([folder], tmp_path / "data", environment=shared | environment)
        request.addfinalizer(lambda: service.process.poll() is None and service.kill())
        place.running = [*place.running, service]
        return service

    def stop(service: Service) -> None:
        place.running = [other for other in place.running if other is not service]
        assert service.stop() == 0

    place = _Rolling()
    first, second = start({}), start({})
    talks = talks_of(backend, USERS)
    with ThreadPoolExecutor(USERS) as pool:
        # Slow enough that the talks go on over the whole roll-out.
        futures = [pool.submit(_keep_talking, talk, place, 1.2) for talk in talks]
        third = start(new)
        assert "Dialoom 9.9.9" in third.output
        assert query(database, "select count(*) from dialoom.notes") == [(0,)]
        stop(first)
        # The release before may be started again on the changed tables, as a restart of its machine would do.
        fourth = start({})
        assert "Dialoom 9.9.9" not in fourth.output
        stop(second)
        fifth = start(new)
        stop(fourth)
        assert len({id(service) for service in place.running}) == 2
        sent_again = [future.result(timeout=300) for future in futures]
    for talk in talks:
        assert check(talk, fifth, backend.bookings()) == 1
    print(f"messages sent again: {sum(sent_again)}")
    stop(third)
    stop(fifth)
