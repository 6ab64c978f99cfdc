"""A real browser before the real service.

The browser lives for a module only: its driver keeps an event loop running, in which later tests may not block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.browser import find
from tests.live import Backend, Service, clinic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = find()
    assert executable is not None, "No Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Service, Backend]]:
    with clinic(tmp_path) as parts:
        yield parts
