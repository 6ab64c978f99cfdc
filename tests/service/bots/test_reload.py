"""A folder that another program changes is published; what the studio saved waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from dialoom.service.bots.bots import Deployed, Stamps, Unpublished
from dialoom.service.bots.reload import Reload, stamps_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


async def test_what_the_studio_saved_is_not_published_and_what_changes_after_it_is(tmp_path: Path) -> None:
    published: list[Path] = []
    saved: dict[Path, Stamps | None] = {}

    async def publish(folder: Path) -> Deployed:
        published.append(folder)
        return cast("Deployed", type("Published", (), {"version": "v" * 12}))

    (tmp_path / "flow.json").write_text("{}")
    reload = await asyncio.to_thread(Reload, publish, [tmp_path], saved)
    await reload.look()
    assert published == []

    saved[tmp_path] = None
    (tmp_path / "flow.json").write_text('{"saved": "half"}')
    await reload.look()
    saved[tmp_path] = await asyncio.to_thread(stamps_of, tmp_path)
    await reload.look()
    assert published == []

    (tmp_path / "flow.json").write_text('{"by": "an editor"}')
    await reload.look()
    await reload.look()
    assert published == [tmp_path]


async def test_that_a_folder_waits_is_said_once_and_again_after_the_next_save(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    saved: dict[Path, Stamps | None] = {}

    async def publish(_: Path) -> Deployed:
        raise Unpublished("shop", 3)

    async def write(text: str) -> None:
        (tmp_path / "flow.json").write_text(text)

    def said() -> int:
        return caplog.text.count("the folder of shop differs from its active version (3 changes)")

    reload = await asyncio.to_thread(Reload, publish, [tmp_path], saved)
    for text in ("1", "12"):
        await write(text)
        await reload.look()
        assert said() == 1
    await write("by the studio")
    saved[tmp_path] = await asyncio.to_thread(stamps_of, tmp_path)
    await reload.look()
    await write("123")
    await reload.look()
    assert said() == 2
