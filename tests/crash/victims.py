"""What is killed: the service, its power, one of two services, or PostgreSQL. Each knows how it comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.crash.power import Disk
from tests.crash.processes import Died, ServiceProcess

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from tests.postgres import OwnServer

PLAIN = ("-m", "dialoom.cli")


class Victim:
    """``services`` are where users go. A kill takes ``strike``, then ``begin_again``, then ``ready``."""

    store = "SQLite"
    in_starts = 0.2
    """How many of its starts are met by the next kill."""
    longest_run = 1.5
    """Seconds between its being ready and the next kill, at most."""

    def __init__(self, what: str, services: Sequence[ServiceProcess], draw: random.Random) -> None:
        self.what = what
        self.services = services
        self._draw = draw
        self._struck = services[0]

    @property
    def urls(self) -> list[str]:
        return [service.url for service in self.services]

    async def start(self) -> None:
        """One after the other: the second finds what the first has published."""
        for service in self.services:
            service.begin()
            await service.ready()

    async def strike(self) -> None:
        self._struck = self._draw.choice(self.services)
        await self._struck.kill()

    async def begin_again(self) -> None:
        self._struck.begin()

    async def strike_again(self) -> None:
        """In the middle of the start."""
        await self._struck.kill()

    async def ready(self) -> None:
        for service in self.services:
            await service.ready()

    async def stop(self) -> list[int]:
        return [await service.stop() for service in self.services]

    def kill_now(self) -> None:
        for service in self.services:
            service.kill_now()


class Power(Victim):
    """The service dies with its power: what it had not synced is gone."""

    def __init__(self, service: ServiceProcess, disk: Disk, draw: random.Random) -> None:
        super().__init__("power", [service], draw)
        self._disk = disk
        self.lost_bytes = 0

    async def strike(self) -> None:
        await super().strike()
        self.lost_bytes += await asyncio.to_thread(self._disk.lose, self._draw)

    async def strike_again(self) -> None:
        await self.strike()


class Postgres(Victim):
    """The database server is killed; the services stay, and get some time to find it again."""

    store = "PostgreSQL"
    longest_run = 6.0

    def __init__(self, services: Sequence[ServiceProcess], server: OwnServer, draw: random.Random) -> None:
        super().__init__("postgres", services, draw)
        self._server = server

    async def strike(self) -> None:
        await asyncio.to_thread(self._server.kill)

    async def begin_again(self) -> None:
        await asyncio.to_thread(self._server.start)

    async def strike_again(self) -> None:
        await self.strike()


class OneOfTwo(Victim):
    """Two services on one database; one of them is killed, the other one goes on."""

    store = "PostgreSQL"

    def __init__(self, services: Sequence[ServiceProcess], draw: random.Random) -> None:
        super().__init__("one-of-two", services, draw)


class Joins(OneOfTwo):
    """The second service is stopped as an operator does it, and started again: no user may notice."""

    in_starts = 0.0

    def __init__(self, services: Sequence[ServiceProcess], draw: random.Random) -> None:
        super().__init__(services, draw)
        self.what = "one joins and leaves"
        self._struck = services[1]

    async def strike(self) -> None:
        code = await self._struck.stop()
        if code != 0:
            raise Died(f"The service that was stopped ended with {code}:\n{self._struck.tail()}")


class Away(Postgres):
    """The database is away for some seconds, stopped by its operator."""

    in_starts = 0.0

    def __init__(
        self, services: Sequence[ServiceProcess], server: OwnServer, draw: random.Random, seconds: float
    ) -> None:
        super().__init__(services, server, draw)
        self.what = f"postgres away for {seconds:g} s"
        self._seconds = seconds

    async def strike(self) -> None:
        await asyncio.to_thread(self._server.stop)

    async def begin_again(self) -> None:
        await asyncio.sleep(self._seconds)
        await super().begin_again()


class InTurn(Victim):
    """Several kinds on the same services, one after the other; as many kills as there are kinds."""

    store = "PostgreSQL"
    in_starts = 0.0

    def __init__(self, victims: Sequence[Victim], draw: random.Random) -> None:
        super().__init__(", ".join(victim.what for victim in victims), victims[0].services, draw)
        self._left = list(victims)
        self._current = victims[0]

    async def strike(self) -> None:
        self._current = self._left.pop(0)
        await self._current.strike()

    async def begin_again(self) -> None:
        await self._current.begin_again()


def on_sqlite(
    folders: Sequence[Path], place: Path, draw: random.Random, *, power: bool = False, command: Sequence[str] = PLAIN
) -> Victim:
    """One service on a data file in ``place``. ``power``: raises ``NoCompiler`` where there is none."""
    data = place / "data"
    data.mkdir()
    disk = Disk(data, place) if power else None
    environment = disk.environment if disk is not None else {}
    service = ServiceProcess(
        [*map(str, folders), "--data", str(data)], place / "service.log", environment, command=command
    )
    return Victim("service", [service], draw) if disk is None else Power(service, disk, draw)


def two_on_postgres(folders: Sequence[Path], place: Path, database: str) -> list[ServiceProcess]:
    """Two services on one database, with one key file."""
    data = place / "data"
    data.mkdir()
    return [
        ServiceProcess(
            [*map(str, folders), "--data", str(data)],
            place / f"service-{number}.log",
            {"DIALOOM_DATABASE_URL": database},
        )
        for number in (1, 2)
    ]
