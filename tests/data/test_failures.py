"""The kinds of failure: every one that the code gives is in the table, every one of the table in the docs."""

from __future__ import annotations

import re
from pathlib import Path

from dialoom.data import KINDS
from dialoom.data.fetcher import RETRIED
from dialoom.data.headers import OURS

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "do" / "data-sources.md").read_text("utf-8")
GIVEN = re.compile(r'(?:NoResponse|RemoteError)\(\s*"([a-z-]+)"')


def test_every_kind_stands_in_the_docs_with_its_meaning() -> None:
    for kind, meaning in KINDS.items():
        assert f"| `{kind}` | {meaning} |" in DOCS


def test_every_kind_that_the_code_gives_is_in_the_table() -> None:
    files = [file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py")]
    given = {kind for text in files for kind in GIVEN.findall(text)}
    assert {"timeout", "egress", "too-large"} <= given
    assert given <= KINDS.keys()


def test_every_kind_that_is_tried_again_is_in_the_table() -> None:
    assert KINDS.keys() >= RETRIED


def test_the_main_headers_that_are_left_out_stand_in_the_docs() -> None:
    named = {name.lower() for name in re.findall(r"`([A-Z][A-Za-z-]+)`", DOCS)}
    assert {"host", "content-length", "transfer-encoding", "connection", "accept-encoding"} <= named & OURS
