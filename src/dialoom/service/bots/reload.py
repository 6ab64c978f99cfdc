"""Reloads bots whose files change while the service runs: a folder without mistakes becomes the active version. What
the studio saved waits until somebody publishes it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from dialoom.errors import DialoomError, FlowError
from dialoom.service.bots.bots import Deployed, Stamps, Unpublished

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 1.0
"""Seconds between looks at three files a bot."""
FILES = ("bot.json", "flow.json", "training.json")


class Reload:
    """Publishes folders whose files change. ``publish`` makes a folder the active version of its bot."""

    def __init__(
        self,
        publish: Callable[[Path], Awaitable[Deployed]],
        folders: Sequence[Path],
        saved: Mapping[Path, Stamps | None] = MappingProxyType({}),
    ) -> None:
        """``saved``: by folder its files as the studio saved them last; None while it saves."""
        self._deploy = publish
        self._saved = saved
        self._seen = {folder: stamps_of(folder) for folder in folders}
        self._waiting = set[Path]()
        """Folders that were said to wait since the studio saved them last."""

    async def run(self) -> None:
        """Look for changed files until cancelled. Running conversations end on their own version."""
        while self._seen:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Publish the folders that were changed since the last look."""
        for folder, before in tuple(self._seen.items()):
            now = await asyncio.to_thread(stamps_of, folder)
            saved = self._saved.get(folder, ())
            if now != before and saved is not None:
                self._seen[folder] = now
                if now == saved:
                    self._waiting.discard(folder)
                else:
                    await self._publish(folder)

    async def _publish(self, folder: Path) -> None:
        try:
            deployed = await self._deploy(folder)
        except FlowError as error:
            log.warning("%s was changed and is not used until it is right:\n%s", folder, error)
        except Unpublished as error:
            if folder not in self._waiting:
                log.warning("%s was changed and is not published: %s", folder, error)
            self._waiting.add(folder)
        except DialoomError as error:
            log.warning("%s was changed and could not be published: %s", folder, error)
        except Exception:
            # The outermost loop of the watch: it goes on, whatever one folder holds.
            log.exception("%s was changed and could not be published", folder)
        else:
            log.info("%s: version %s is active", folder, deployed.version[:12])


def stamps_of(folder: Path) -> Stamps:
    """Return what changes when one of the files does."""
    return tuple(_stamp(folder / name) for name in FILES)


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
