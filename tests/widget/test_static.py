"""The built front end: there, small enough, self-contained and with the licenses of what is in it."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from dialoom.widget import static_folder

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 45_000
"""Bytes gzipped (channels.md section 4)."""
PLACEHOLDERS = {"bot", "channel", "name", "language", "direction", "avatar"}


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = static_folder()
    assert (folder / "chat.html").is_file(), "The front end is not built. Run: python hatch_build.py frontend"
    return folder


def scripts(folder: Path) -> list[Path]:
    return [folder / "widget.js", *(folder / "assets").glob("*.js")]


def test_each_script_weighs_at_most_45_kilobytes_gzipped(folder: Path) -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in scripts(folder)}
    assert len(sizes) >= 2
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


def test_the_page_refers_only_to_files_that_are_there_and_carry_a_hash(folder: Path) -> None:
    page = (folder / "chat.html").read_text()
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(addresses) == 3
    for address in addresses:
        assert re.fullmatch(r"/static/assets/[\w.]+-[\w-]{8}\.(js|css|svg)", address)
        assert (folder / address.removeprefix("/static/")).is_file()


def test_the_page_has_no_script_or_style_of_its_own(folder: Path) -> None:
    page = (folder / "chat.html").read_text()
    assert re.findall(r"<script[^>]*>([^<]+)</script>|<style|\sstyle=|\son\w+=", page) == []


def test_the_page_has_the_places_that_the_service_fills(folder: Path) -> None:
    assert set(re.findall(r"\{\{(\w+)\}\}", (folder / "chat.html").read_text())) == PLACEHOLDERS


def test_nothing_in_the_scripts_leads_to_a_third_party(folder: Path) -> None:
    # Names of namespaces and addresses that only stand in messages to developers are no requests.
    known = {"www.w3.org", "lit.dev", "github.com"}
    for path in scripts(folder):
        hosts = set(re.findall(r"https?://([\w-]+(?:\.[\w-]+)+)", path.read_text()))
        assert hosts <= known, path.name


def test_scripts_need_no_eval(folder: Path) -> None:
    for path in scripts(folder):
        assert re.search(r"\beval\(|new Function\(|\.innerHTML\s*=\s*[^=;]*message", path.read_text()) is None, (
            path.name
        )


def test_the_licenses_of_the_bundled_packages_are_shipped(folder: Path) -> None:
    text = (folder / "licenses.txt").read_text()
    packages = re.findall(r"^(\S+) \d+\.\d+\.\d+ \((?:MIT|BSD-3-Clause)\)$", text, re.MULTILINE)
    assert packages == ["@lit/reactive-element", "lit", "lit-element", "lit-html", "marked"]
    assert text.count("Copyright") >= 5
