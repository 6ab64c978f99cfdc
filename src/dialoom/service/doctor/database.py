"""Examines the database: whether it answers, is safe, fits this release and these keys, and what waits in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from dialoom.errors import VaultError
from dialoom.service.clock import iso
from dialoom.service.doctor.finding import Finding, aside
from dialoom.service.doctor.reachability import addresses_of
from dialoom.service.records.clock_guard import doubt_ends
from dialoom.service.service import DATABASE
from dialoom.storage.condition import Condition
from dialoom.storage.postgres.condition import condition as condition_of_server
from dialoom.storage.postgres.store import CONNECTIONS
from dialoom.storage.sqlite.condition import condition as condition_of_file
from dialoom.storage.sqlite.condition import look_at_pages
from dialoom.storage.store import TokenRow

if TYPE_CHECKING:
    from dialoom.service.settings import Settings

SLOW_ANSWER_SECONDS: Final = 0.02
"""Seconds; a turn asks the database twice or three times."""
MAX_CLOCK_AHEAD_SECONDS: Final = 2.0
"""Seconds by which clocks may differ."""
MAX_PAGES_SECONDS: Final = 10.0
"""For looking through the pages of the data file; the whole look may take 15."""
LATE_DELIVERY_MS: Final = 600_000
"""Milliseconds that a delivery may wait before it is worth a word."""


async def condition_of(settings: Settings) -> tuple[Condition | None, list[Finding]]:
    """Read the condition of the database. Raises ``StoreError`` where it cannot be read."""
    if settings.database_url is None:
        file = Path(settings.data) / DATABASE
        if not await aside(file.exists):
            return None, [Finding("ok", "database", f"There is none yet; the service makes it: {file}.")]
        found = await aside(partial(condition_of_file, file))
        return found, answer_lines(found)
    found = await _of_server(settings.database_url)
    lines = answer_lines(found)
    if settings.history_database_url is not None:
        replica = await _of_server(settings.history_database_url)
        lines += [Finding(line.level, "history database", line.text) for line in answer_lines(replica)]
    return found, lines


async def _of_server(url: str) -> Condition:
    # Here and not by the driver, whose look-up would hold up the end of the program.
    parts = urlsplit(url)
    for host in parts.netloc.rpartition("@")[2].split(",") if "host" not in parse_qs(parts.query) else ():
        await addresses_of(host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host, 5432)
    return await condition_of_server(url)


def answer_lines(found: Condition) -> list[Finding]:
    """Report that the database answers, and doubtful facts about it."""
    is_slow = found.seconds >= SLOW_ANSWER_SECONDS
    level, hint = ("warn", " That is slow: put both nearer together.") if is_slow else ("ok", "")
    lines = [
        Finding(
            "warn" if level == "warn" else "ok",
            "database",
            f"{found.name} answers in {found.seconds * 1000:.1f} ms ({found.where}).{hint}",
        ),
        _step(found),
    ]
    lines += [Finding("fail", "database", risk) for risk in found.risks]
    if found.connections is not None:
        used, most = found.connections
        text = f"{used} of {most} connections are in use."
        few = most - used < CONNECTIONS
        hint = " Raise max_connections of the server, or run fewer processes." if few else ""
        lines.append(Finding("warn" if few else "ok", "database", text + hint))
    return lines


def _step(found: Condition) -> Finding:
    if found.step == found.known:
        return Finding("ok", "tables", f"They are at step {found.step}, as this release has them.")
    if found.step == 0:
        return Finding("ok", "tables", "There are none yet; the service makes them at its start.")
    if found.is_too_new:
        text = (
            f"They are at step {found.step}, of a newer release that this one (step {found.known}) cannot work with. "
            f"Update this one."
        )
        return Finding("fail", "tables", text)
    if found.step < found.known:
        text = f"They are at step {found.step}; the next start brings them to {found.known}. Make a backup before it."
        return Finding("warn", "tables", text)
    text = f"They are at step {found.step}, of a newer release; this one (step {found.known}) works with them."
    return Finding("ok", "tables", text)


def clock_lines(found: Condition, now: Callable[[], float] = time.time) -> list[Finding]:
    """Report machines' clocks that differ: timers, tokens and records go by them."""
    if found.ahead is not None and abs(found.ahead) > MAX_CLOCK_AHEAD_SECONDS:
        way = "behind" if found.ahead > 0 else "ahead of"
        text = f"This machine's clock is {abs(found.ahead):.1f} s {way} the database's. Let NTP set both."
        return [Finding("fail" if abs(found.ahead) > 60 else "warn", "clock", text)]
    milliseconds = round(now() * 1000)
    if (until := doubt_ends(found.marks, milliseconds)) is not None:
        text = (
            f"It may have jumped: nothing is erased by its age until {iso(until)}. This machine's clock says "
            f"{iso(milliseconds)}. Let NTP set it; if it is right, say so with: dialoom clock confirm"
        )
        return [Finding("warn", "clock", text)]
    if found.newest > milliseconds + 60_000:
        text = "What was stored last has a time that is still to come: this machine's clock was set back. Set it right."
        return [Finding("warn", "clock", text)]
    return [Finding("ok", "clock", "The clock goes with what is stored.")]


def page_lines(path: Path, seconds: float = MAX_PAGES_SECONDS) -> list[Finding]:
    """Report whether the pages of the data file are right, as far as they can be read in the time."""
    found = look_at_pages(path, seconds)
    if found.faults:
        text = f"Pages of {path} are damaged ({'; '.join(found.faults)}). Stop the service and restore a backup."
        return [Finding("fail", "pages", text)]
    if found.looked_at < found.tables:
        text = (
            f"Of {found.tables} tables {found.looked_at} were looked through in {seconds:g} s, and they are right. A "
            f"running service looks through all of them; /readyz says when it last did."
        )
        return [Finding("ok", "pages", text)]
    return [Finding("ok", "pages", f"All {found.tables} tables of {path} can be read.")]


def kept_lines(found: Condition, opens: Callable[[TokenRow], bool]) -> list[Finding]:
    """Report whether stored tokens can be found and opened. ``opens`` tells whether a token's text is found by its
    hash; it raises ``VaultError`` without the right key."""
    sealed = [row for row in found.tokens if row.sealed is not None]
    for row in sealed:
        try:
            if opens(row):
                continue
            reason = "A token was hashed with a key that is gone. Put that one back to the end."
        except VaultError as error:
            reason = str(error)
        return [Finding("fail", "keys", f"What is stored was sealed with others. {reason}")]
    return [Finding("ok", "keys", f"They open what is stored ({len(sealed)} tokens).")] if sealed else []


def outbox_lines(found: Condition, now: Callable[[], float] = time.time) -> list[Finding]:
    lines = []
    for row in found.outbox:
        if row.dead:
            text = f"Bot {row.bot} has {row.dead} dead letters. See why with: dialoom dead list {row.bot}"
            lines.append(Finding("warn", "outbox", text))
        age = 0 if row.since is None else now() * 1000 - row.since
        if age > LATE_DELIVERY_MS:
            text = (
                f"Of bot {row.bot} {row.waiting} deliveries wait, the oldest for {age / 60_000:.0f} minutes. See the "
                f"log and its receivers; does a service run?"
            )
            lines.append(Finding("warn", "outbox", text))
    return lines or [Finding("ok", "outbox", "Nothing waits for long, and there are no dead letters.")]


def inbox_lines(found: Condition, now: Callable[[], float] = time.time) -> list[Finding]:
    """Report events that wait for long: any service takes events at once, so no service can read or run these."""
    lines = [
        Finding(
            "warn",
            "inbox",
            f"Of bot {row.bot} {row.chats} chats wait for a turn, the longest for "
            f"{(now() * 1000 - row.since) / 60_000:.0f} minutes. Does a service run, and serve this bot? If so, its "
            f"log says why: put back the key or the release with which the events were accepted, or publish the bot.",
        )
        for row in found.late
    ]
    return lines or [Finding("ok", "inbox", "No event waits for its turn for long.")]
