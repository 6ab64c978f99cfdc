"""Reads and writes the texts of a bot's folder: the files that make a version, and the conversation tests.

No other file is touched. Each is replaced in one step, so that who reads the folder meanwhile never sees half a file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from dialoom.authoring.scenarios import FOLDER as TESTS
from dialoom.authoring.scenarios import names_of_tests, read_text
from dialoom.errors import RequestError
from dialoom.flow import files_of
from dialoom.flow.schema import FILES

MAX_FILES = 500
MAX_FILES_BYTES = 16 * 1024**2
"""Of all texts of a bot together."""
_TEST_FILE = re.compile(rf"{TESTS}/[A-Za-z0-9][A-Za-z0-9 ._-]{{0,99}}\.json\Z")


def texts_of(folder: Path) -> dict[str, str]:
    """Return the texts by file name, tests as ``tests/x.json``. Raises ``FlowError`` where one cannot be read."""
    return files_of(folder) | tests_of(folder)


def tests_of(folder: Path) -> dict[str, str]:
    """Return the texts of the conversation tests as ``texts_of`` does."""
    return {f"{TESTS}/{name}": read_text(folder, name) for name in names_of_tests(folder)}


def revision_of(files: Mapping[str, str]) -> str:
    """Return what changes when any text does."""
    return hashlib.sha256(msgspec.json.encode(sorted(files.items()))).hexdigest()[:32]


def changed(files: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the texts with others in their place; None takes a file away. Raises ``RequestError`` for a name that is
    none of a bot's files, and for texts that are too many or too long."""
    for name in changes:
        if name not in FILES and not _TEST_FILE.match(name):
            raise RequestError(
                "bad-parameter",
                f'"{name[:80]}" is no file of a bot. Its files are {", ".join(FILES)} and tests/NAME.json, where NAME '
                "has letters, digits, blanks, dots, - and _.",
            )
    after = {name: text for name, text in {**files, **changes}.items() if text is not None}
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in after.values())
    if len(after) > MAX_FILES or size > MAX_FILES_BYTES:
        raise RequestError(
            "too-large",
            f"A bot has at most {MAX_FILES} files and {MAX_FILES_BYTES // 1024**2} MiB in all of them. Lists as long "
            "as that belong into dynamic-data.",
        )
    try:
        for text in after.values():
            text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RequestError(
            "bad-text", "A text holds half of a surrogate pair, which no file can. Remove it."
        ) from error
    return after


def is_writable(folder: Path) -> bool:
    """Return whether this process may replace the files there."""
    return os.access(folder, os.W_OK | os.X_OK)


def write_texts(folder: Path, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Write what differs. Raises ``OSError``, also where a file was changed since it was read."""
    inside = folder.resolve()
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name):
            continue
        file = folder / name
        if not file.resolve().is_relative_to(inside):
            raise OSError(errno.EPERM, "It is a link that leads out of the bot's folder", str(file))
        if name not in after:
            _check_unchanged(file, before[name])
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(exist_ok=True)
            replace_text(file, before.get(name), after[name])


def replace_text(file: Path, old: str | None, new: str) -> None:
    """Put a file's text in place of the one that is known (None: there is no file yet) in one step. Raises ``OSError``,
    also where it was changed meanwhile."""
    target = Path(os.path.realpath(file))
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(descriptor, "wb") as written:
            written.write(new.encode("utf-8"))
            written.flush()
            os.fsync(written.fileno())
        if target.exists():
            shutil.copymode(target, name)
        else:
            Path(name).chmod(0o644)
        _check_unchanged(target, old)
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)


def _check_unchanged(file: Path, known: str | None) -> None:
    try:
        found = file.read_bytes()
    except FileNotFoundError:
        found = None
    if found != (None if known is None else known.encode("utf-8")):
        raise OSError(errno.EBUSY, "It was changed meanwhile; try again", str(file))
