"""Files in an export: each a line that comes in parts, so that nobody holds a large one whole."""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.http.support import serving

from dialoom.storage.rows import MAX_PIECE_BYTES
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

ADA = ChatKey("tea", "web", "ada")


@pytest.mark.parametrize("size", [1, 2, 3, MAX_PIECE_BYTES, 3 * MAX_PIECE_BYTES + 1, 3 * MAX_PIECE_BYTES + 2])
async def test_a_file_comes_in_parts_that_make_one_line(tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    async with serving(tmp_path) as client:
        kept = await client.service.attachments.keep(ADA, 'a "" b.bin', content)
        parts = [part async for part in client.service.export.lines("tea", "ada", "web")]
    (line,) = b"".join(parts).splitlines()
    file = json.loads(line)["file"]
    assert (file["id"], file["name"], file["size"]) == (kept.id, kept.name, size)
    assert base64.b64decode(file["content"], validate=True) == content
    assert max(map(len, parts)) < 1.5 * MAX_PIECE_BYTES
