"""A loss of power: of every file in the service's folder only what was synced is left, with some of what was not.

``unsynced.c``, loaded into the service, keeps the durable image of each file; here the loss itself is done to a folder
whose service was killed. Sectors that were written and not synced come through by chance, each for itself, as on a disk:
pages and records are torn. Files that were created or renamed stay; a file that was never synced is empty.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

SOURCE = Path(__file__).with_name("unsynced.c")
SECTOR = 512
CHANCES = (0.0, 0.5, 1.0)
"""That a sector which was not synced is on the disk all the same; drawn for each file."""


class NoCompiler(Exception):
    """There is no C compiler here, so that a loss of power cannot be tried."""


class Disk:
    """A folder whose losses can be had, with the images of its files in a folder beside it."""

    def __init__(self, data: Path, beside: Path) -> None:
        self.data = data
        self._shadow = beside / "durable"
        self._shadow.mkdir()
        self._library = build(beside)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self._library),
            "UNSYNCED_ROOT": str(self.data),
            "UNSYNCED_SHADOW": str(self._shadow),
        }

    def lose(self, draw: random.Random, chances: Sequence[float] = CHANCES) -> int:
        """Leave what a loss leaves; gives how many bytes are other than the killed service saw them."""
        lost = 0
        for file in [file for file in self.data.rglob("*") if file.is_file()]:
            if file.name.endswith("-shm"):
                file.unlink()
                continue
            image = self._shadow / str(file.stat().st_ino)
            written, durable = file.read_bytes(), image.read_bytes() if image.exists() else b""
            if written == durable:
                continue
            left = torn(durable, written, draw, draw.choice(chances))
            lost += sum(a != b for a, b in zip(sectors(left), sectors(written), strict=False)) * SECTOR
            lost += abs(len(written) - len(left))
            # In place: the file keeps its number, under which its image is found.
            for place in (file, image):
                place.touch()
                with place.open("r+b") as open_file:
                    open_file.truncate(0)
                    open_file.write(left)
        return lost


def torn(durable: bytes, written: bytes, draw: random.Random, chance: float) -> bytes:
    """What is on the disk of a file that was written after its last sync: each sector old or, by chance, new."""
    longest = max(len(durable), len(written))
    old, new = durable.ljust(longest, b"\0"), written.ljust(longest, b"\0")
    mixed = b"".join(
        new_sector if new_sector == old_sector or draw.random() < chance else old_sector
        for old_sector, new_sector in zip(sectors(old), sectors(new), strict=True)
    )
    return mixed[: len(written) if draw.random() < chance else len(durable)]


def sectors(content: bytes) -> list[bytes]:
    return [content[at : at + SECTOR] for at in range(0, len(content), SECTOR)]


def build(folder: Path) -> Path:
    """Compile the library. Raises ``NoCompiler``."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompiler("A loss of power is tried with a library in C, and there is neither cc nor gcc here.")
    library = folder / "unsynced.so"
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run([*command, "-ldl", "-lpthread"], check=True)
    return library
