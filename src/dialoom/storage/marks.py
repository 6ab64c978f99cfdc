"""Times that all processes on a store share and that belong to no bot, each under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

MarkName = Literal["heartbeat", "clock-doubted", "pages-checked", "links-ended"]

HEARTBEAT: Final = "heartbeat"
"""When a process last noted that it runs."""
CLOCK_DOUBTED: Final = "clock-doubted"
"""When a clock was last found to have jumped: from then on nothing is erased by its age for a day."""
PAGES_CHECKED: Final = "pages-checked"
"""When all pages of the data file were last read and found right."""
LINKS_ENDED: Final = "links-ended"
"""Login links and picker addresses made before this time count no more."""


class MarkStore(Protocol):
    """All times in milliseconds since 1970."""

    async def marks(self) -> Mapping[str, int]: ...

    async def set_mark(self, name: MarkName, at: int | None) -> None:
        """``None``: it does not hold any more."""


async def links_ended(store: MarkStore) -> int:
    """Login links and picker addresses made up to this time count no more; 0 where all do."""
    return (await store.marks()).get(LINKS_ENDED, 0)
