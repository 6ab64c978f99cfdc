"""Backs up the tables in PostgreSQL with its own ``pg_dump``, and reads the archive whole with ``pg_restore``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from dialoom.errors import StoreError
from dialoom.storage.maintenance.new_file import new_file
from dialoom.storage.postgres.connection import SCHEMA

LOOK_EVERY_SECONDS: Final = 0.2
_LIBPQ_NAMES: Final = {"database": "dbname"}
"""What the driver of the service and ``pg_dump`` name otherwise in an address."""


class Dumped(NamedTuple):
    size: int
    """Bytes."""
    seconds: float


class NoTool(StoreError):
    """``pg_dump`` or ``pg_restore`` is not on this machine."""


def command(url: str, to: Path) -> list[str]:
    """Return the command that makes the backup, without the password: others on the machine can read a command line."""
    place, _ = _without_password(url)
    return ["pg_dump", "--format=custom", f"--schema={SCHEMA}", f"--file={to}", f"--dbname={place}"]


def dump(url: str, to: Path, show: Callable[[int], object] = lambda _bytes: None) -> Dumped:
    """Write a backup of the tables to the new file ``to``, and read it whole. Raises ``SettingError`` for a name that
    cannot be taken, ``NoTool`` with the command to run elsewhere, ``StoreError`` with what ``pg_dump`` says."""
    missing = [tool for tool in ("pg_dump", "pg_restore") if shutil.which(tool) is None]
    if missing:
        raise NoTool(
            f"{' and '.join(missing)} cannot be found here. Install the client programs of PostgreSQL, of the server's "
            f"release or newer; or run, where they are:\n{shlex.join(command(url, to))}\n"
            f"It takes the password from PGPASSWORD or ~/.pgpass."
        )
    _, password = _without_password(url)
    environment = {**os.environ, "LC_ALL": "C"} | ({} if password is None else {"PGPASSWORD": password})
    with new_file(to) as part:
        begun = time.monotonic()
        _run([*command(url, part), "--no-password"], environment, lambda: show(part.stat().st_size))
        seconds = time.monotonic() - begun
        _run(["pg_restore", f"--file={os.devnull}", str(part)], environment, lambda: None)
        return Dumped(part.stat().st_size, seconds)


def _run(words: Sequence[str], environment: dict[str, str], look: Callable[[], object]) -> None:
    """Run a program to its end, looking at its work now and then. Raises ``StoreError`` where it fails."""
    with subprocess.Popen(  # noqa: S603  # without a shell, nothing in the address is a command
        words, env=environment, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as process:
        try:
            while True:
                try:
                    _, said = process.communicate(timeout=LOOK_EVERY_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    look()
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise _failure(words[0], said.decode(errors="replace").strip(), process.returncode)


def _failure(tool: str, said: str, code: int) -> StoreError:
    versions = re.search(r"server version: (\S+).*?; pg_dump version: (\S+)", said)
    if versions is not None:
        return StoreError(
            f"pg_dump {versions[2]} cannot read a server of PostgreSQL {versions[1]}. Install the client programs of "
            f"that release, or newer ones, and put them on the PATH. Nothing was written."
        )
    return StoreError(f"{tool} failed: {said or f'it ended with {code}'}\nNothing was written.")


def _without_password(url: str) -> tuple[str, str | None]:
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    password = dict(query).get("password")
    kept = [(_LIBPQ_NAMES.get(name, name), value) for name, value in query if name != "password"]
    user, at, place = parts.netloc.rpartition("@")
    user, colon, given = user.partition(":")
    if colon:
        password = unquote(given)
    asked = urlencode(kept, quote_via=quote, safe="/")
    # Not by urlunsplit, which takes a socket's "postgresql:///" for a path.
    return f"{parts.scheme}://{user}{at}{place}{parts.path}{f'?{asked}' if asked else ''}", password
