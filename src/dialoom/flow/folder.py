"""Reads files of a bot's folder, and no others: regular files inside the folder, of a bounded size, without waiting.

A folder comes from its author, and the service reads it with its own rights. So each part of a path is opened below the
part before it and never through a link; links are followed here, where it is seen whether they leave the folder. What
was opened is looked at again, so that nothing can be put in its place between the look and the opening.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from types import TracebackType

MAX_FILE_BYTES = 16 * 1024**2
"""Of one file: a hundred times the largest flow that people write by hand."""
MAX_LINKS = 40
"""Links on the way to one file; as many as Linux follows."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotReadable(Exception):
    """A sentence for the bot's author. It never holds a text of the file."""


class Folder:
    """An open folder; to be used in ``with``. Raises ``OSError`` where there is none.

    All that is read through one object comes from one folder, also when another is put in its place meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if sys.platform != "win32":
            self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if sys.platform != "win32":
            os.close(self._descriptor)

    def names(self, inside: str = "") -> list[str]:
        """Return the names of what is in the folder, or in one inside it, in order. Raises ``NotReadable``,
        ``OSError``."""
        descriptor = self._open(inside)
        try:
            _check_kind(os.fstat(descriptor).st_mode, stat.S_IFDIR)
            return sorted(os.listdir(descriptor))
        finally:
            os.close(descriptor)

    def read(self, name: str) -> bytes:
        """Return the content of a file, by its path below the folder. Raises ``NotReadable``, ``OSError``."""
        descriptor = self._open(name)
        try:
            status = os.fstat(descriptor)
            _check_kind(status.st_mode, stat.S_IFREG)
            # A file may grow while it is read.
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(MAX_FILE_BYTES + 1) if status.st_size <= MAX_FILE_BYTES else b""
        finally:
            os.close(descriptor)
        if len(content) > MAX_FILE_BYTES or status.st_size > MAX_FILE_BYTES:
            raise NotReadable(
                f"The file is larger than {MAX_FILE_BYTES // 1024**2} MiB, the most that is read of one. Lists as long "
                f"as that belong into dynamic-data."
            )
        return content

    if sys.platform == "win32":

        def _open(self, name: str) -> int:
            """Open the file by its resolved path: Windows opens nothing below an open folder, and links are rare
            there."""
            folder, file = self._path.resolve(), (self._path / name).resolve()
            if not file.is_relative_to(folder):
                raise _leads_out()
            return os.open(file, os.O_RDONLY | os.O_BINARY)

    else:

        def _open(self, name: str) -> int:
            """Return a descriptor of the file or folder of this path; the caller closes it."""
            opened = [os.dup(self._descriptor)]
            parts, links = name.split("/")[::-1], 0
            try:
                while parts:
                    part = parts.pop()
                    if part == "..":
                        os.close(opened.pop())
                        if not opened:
                            raise _leads_out()
                    elif part not in {"", "."}:
                        target = _link_target(part, opened[-1])
                        if target is None:
                            opened.append(_open_part(part, opened[-1]))
                            continue
                        links += 1
                        if links > MAX_LINKS:
                            raise NotReadable("Its links lead in a circle. Put the file itself there.")
                        if target.startswith("/"):
                            target = self._below(target)
                            while len(opened) > 1:
                                os.close(opened.pop())
                        parts += target.split("/")[::-1]
                return opened.pop()
            finally:
                for descriptor in opened:
                    os.close(descriptor)

    def _below(self, target: str) -> str:
        """Return the path below the folder of a link's absolute ``target``. Raises ``NotReadable`` for one outside."""
        folder, file = os.path.realpath(self._path), os.path.realpath(target)
        if os.path.commonpath((folder, file)) != folder:
            raise _leads_out()
        return os.path.relpath(file, folder)


if sys.platform != "win32":

    def _link_target(part: str, folder: int) -> str | None:
        """Return a link's target; None for a file or a folder. Raises ``NotReadable`` for what is neither."""
        mode = os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return os.readlink(part, dir_fd=folder)
        # A device is not even opened: with some that alone does something.
        if not stat.S_ISDIR(mode):
            _check_kind(mode, stat.S_IFREG)
        return None

    def _open_part(part: str, folder: int) -> int:
        """Open one part of a path without following a link, and without waiting for the writer of a pipe."""
        try:
            return os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.EMLINK}:
                raise
            raise NotReadable("It was replaced by a link while it was opened. Save the file again.") from error


def _check_kind(mode: int, wanted: int) -> None:
    kind = stat.S_IFMT(mode)
    if kind != wanted:
        found = _KINDS.get(kind, "a file" if kind == stat.S_IFREG else "something else")
        expected = "a folder" if wanted == stat.S_IFDIR else "a regular file"
        raise NotReadable(f"It is {found}, and is not read. Put {expected} there.")


def _leads_out() -> NotReadable:
    return NotReadable(
        "It is a link that leads out of the bot's folder, and is not followed. Put the file itself there."
    )
