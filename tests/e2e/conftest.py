"""A real browser before the real service.

The browser lives for this folder only: its driver keeps an event loop running, in which later tests may not block.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browser import find
from tests.e2e.studio_visit import Visit
from tests.live import Backend, Service, clinic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 30_000
"""Milliseconds after which what does not come counts as missing; the driver's own five seconds fail a busy machine."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page that a test makes up has no address, and would not be let to a service on this machine.
    "--disable-features=LocalNetworkAccessChecks",
]


STORE = "STUDIO_TEST_STORE"
"""The environment variable that puts the studio's services on another store: ``postgres``, else SQLite."""


@pytest.fixture(scope="module")
def studio_store(request: pytest.FixtureRequest) -> dict[str, str]:
    """The settings of a service's store, an empty one for each module."""
    if os.environ.get(STORE, "sqlite") == "sqlite":
        return {}
    return {"DIALOOM_DATABASE_URL": request.getfixturevalue("postgres_server").database()}


@pytest.fixture(scope="module")
def session(browser: Browser, service: Service) -> Any:
    """What a browser keeps of an administrator's session at the module's ``service``: one for all tests that do not end it."""
    visit = Visit(browser, service, service.studio_link()).comes_in()
    kept = visit.context.storage_state()
    visit.context.close()
    return kept


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(driver: Playwright) -> Iterator[Browser]:
    executable = find()
    assert executable is not None, "No Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM."
    expect.set_options(timeout=PATIENCE)
    browser = driver.chromium.launch(executable_path=executable, args=ARGUMENTS, timeout=4 * PATIENCE)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Backend]]:
    """The clinic, one for all tests: each browser window is a user of its own."""
    with clinic(tmp_path_factory.mktemp("clinic")) as parts:
        yield parts


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Service]:
    """A clinic that a test may kill."""
    with clinic(tmp_path) as (service, _):
        yield service
