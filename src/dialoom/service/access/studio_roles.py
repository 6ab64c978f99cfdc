"""Decides who may sign in to the studio by OpenID Connect, with which role and for which bots: the rows of the setting
``studio_openid_roles``.
"""

from __future__ import annotations

import difflib
import re
from typing import Final, NamedTuple

from dialoom.auth.provider import Person
from dialoom.errors import SettingError
from dialoom.service.access.studio_sign_in import ROLES, Grant, sorted_bots

KINDS: Final = ("group", "email", "domain")
ALLOWED: Final = (
    "group:NAME=ROLE, email:ADDRESS=ROLE or domain:HOST=ROLE, with spaces between them; a role for single bots is "
    "ROLE@BOT,BOT"
)
_ENTRY: Final = re.compile(r'(?:"[^"]*"|[^\s"])+')
"""An entry ends at a space that does not stand in quotes."""
_ROW: Final = re.compile(r'([^:="]*):("[^"]+"|[^"]+)=([^="]*)')
_BOTS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:,[A-Za-z0-9][A-Za-z0-9._-]*)*")
_HOST: Final = re.compile(r"[^\s@/:]+\.[^\s@/:]+")


class RoleRow(NamedTuple):
    """``kind``: of ``KINDS``."""

    kind: str
    value: str
    grant: Grant

    def fits(self, person: Person) -> bool:
        """Return whether a person has what the row names. Letters of addresses may be large or small."""
        if self.kind == "group":
            return self.value in person.groups
        email = (person.email or "").lower()
        return self.value == (email if self.kind == "email" else email.rpartition("@")[2])


def read_roles(text: str, source: str) -> tuple[RoleRow, ...]:
    """Parse the setting. ``source``: where it stands. Raises ``SettingError`` with the entry that is wrong."""
    entries = list(_ENTRY.finditer(text))
    if _ENTRY.sub("", text).strip():
        raise SettingError(f"studio_openid_roles (from {source}) has a quotation mark without a second one.")
    return tuple(
        _row(found[0], f"{_line(text, found.start())}entry {nth} of {source}") for nth, found in enumerate(entries, 1)
    )


def grant_of(rows: tuple[RoleRow, ...], person: Person) -> Grant | None:
    """Return the highest of the roles whose rows fit, in the order of ``ROLES``, for the bots of all rows that give it;
    None where no row does."""
    fitting = [row.grant for row in rows if row.fits(person)]
    role = next((role for role in ROLES if any(one.role == role for one in fitting)), None)
    if role is None:
        return None
    bots = [one.bots for one in fitting if one.role == role]
    return Grant(role, None if None in bots else sorted_bots(bot for some in bots for bot in some or ()))


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1} of the value, " if "\n" in text.strip() else ""


def _row(entry: str, where: str) -> RoleRow:
    found = _ROW.fullmatch(entry)
    if found is None:
        raise _wrong(entry, where, f"it is no row. Allowed is {ALLOWED}.")
    kind, value = found[1], found[2].strip('"')
    role, for_some, bots = found[3].partition("@")
    if kind not in KINDS:
        raise _wrong(entry, where, f'"{kind}" is not one of {", ".join(KINDS)}.{_near(kind, KINDS)}')
    known = next((one for one in ROLES if one == role), None)
    if known is None:
        raise _wrong(entry, where, f'"{role}" is no role: {", ".join(ROLES)}.{_near(role, ROLES)}')
    if for_some and not _BOTS.fullmatch(bots):
        raise _wrong(entry, where, f'"{bots}" are no ids of bots: write {role}@BOT or {role}@BOT,BOT.')
    if kind == "email" and value.count("@") != 1:
        raise _wrong(entry, where, f'"{value}" is no address like ann@example.com.')
    if kind == "domain" and not _HOST.fullmatch(value):
        raise _wrong(entry, where, f'"{value}" is no host like example.com.')
    grant = Grant(known, sorted_bots(bots.split(",") if for_some else None))
    return RoleRow(kind, value if kind == "group" else value.lower(), grant)


def _wrong(entry: str, where: str, what: str) -> SettingError:
    return SettingError(f"studio_openid_roles ({where}), {entry}: {what}")


def _near(said: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(said, known, 1)
    return f' Did you mean "{near[0]}"?' if near else ""
