"""Finds the browser for the end-to-end tests, or gets one; else says what to install and fails.

First the system's Chromium, then Playwright's own download, then the system's package manager where it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The browser's executable, or None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or _playwrights()


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def get() -> str | None:
    print("No Chromium here: trying Playwright's download.", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if found := find():
        return found
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("Trying the system's package manager.", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, stdout=subprocess.DEVNULL)
    return find()


if __name__ == "__main__":
    browser = find() or get()
    if browser is None:
        sys.exit("The end-to-end tests need Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM.")
    print(f"End-to-end tests run in {browser}")
