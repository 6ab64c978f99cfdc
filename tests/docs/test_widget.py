"""Every option, attribute, method and event of the widget stands in its reference, and nothing else does."""

from __future__ import annotations

import re

from tests.live import ROOT

LOADER = ROOT / "frontend" / "src" / "loader"
PAGE = (ROOT / "docs" / "look-up" / "widget.md").read_text("utf-8")
OPTIONS = (LOADER / "options.ts").read_text("utf-8")


def _members(interface: str) -> list[str]:
    body = re.search(rf"export interface {interface} \{{(.*?)^\}}", OPTIONS, re.DOTALL | re.MULTILINE)
    assert body is not None, interface
    return re.findall(r"^  (?:readonly )?(\w+)\??[:(<]", body[1], re.MULTILINE)


def _attribute(name: str) -> str:
    return "data-" + re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", name)


def _alternatives(source: str, name: str) -> list[str]:
    found = re.search(rf"^const {name} = /\^\(([\w|]+)\)", source, re.MULTILINE)
    assert found is not None, name
    return found[1].split("|")


def test_every_attribute_of_the_script_stands_beside_the_option_that_it_sets() -> None:
    source = (LOADER / "attributes.ts").read_text("utf-8")
    read = re.findall(r'^  (\w+): "([\w.]+)",$', source, re.MULTILINE)
    read += [(name, name) for name in _alternatives(source, "PLAIN")]
    read += [(name, f"session.{name}") for name in _alternatives(source, "OF_SESSION")]
    assert len(read) > 15
    attributes = {_attribute(name): path for name, path in read}
    for branch in _alternatives(source, "OF_DISPLAY"):
        named = _members(branch.capitalize()) if branch != "consent" else ["text", "link"]
        attributes |= {f"data-{branch}-{name}": f"display.{branch}.{name}" for name in named}
    rows = dict(re.findall(r"^\| `(data-[\w-]+)`(?: \(JSON\))? \| `([\w.]+)` \|", PAGE, re.MULTILINE))
    assert rows == attributes


def test_every_option_stands_in_the_table() -> None:
    table = PAGE[: PAGE.index("## Methods")]
    branches = {"User": "user", "Session": "session", "Launcher": "display.launcher", "Proactive": "display.proactive"}
    names = [f"{path}.{name}" for interface, path in branches.items() for name in _members(interface)]
    leaves = [name for name in _members("Options") if name not in {"bot", "channel", "user", "session", "display"}]
    shown = [f"display.{name}" for name in _members("Display") if name not in {"launcher", "proactive", "consent"}]
    assert [name for name in (*names, *leaves, *shown) if f"`{name}`" not in table] == []


def test_every_method_and_event_stands_in_its_table() -> None:
    methods = PAGE[PAGE.index("## Methods") : PAGE.index("| Event |")]
    assert [name for name in _members("Widget") if not re.search(rf"`{name}[`(]", methods)] == []
    events = PAGE[PAGE.index("| Event |") : PAGE.index("## Across")]
    assert [name for name in _members("Events") if f"`{name}`" not in events] == []


def test_the_page_has_the_types_of_all_that_is_public() -> None:
    types = OPTIONS[OPTIONS.index("export interface") :]
    assert f"```ts\n{types}```\n" in PAGE


def test_the_check_of_options_knows_those_that_there_are() -> None:
    source = (LOADER.parent / "embedded" / "check-options.ts").read_text("utf-8")
    table = source[source.index("const USER") : source.index("const KINDS")]
    groups = ("Options", "User", "Session", "Display", "Launcher", "Proactive")
    names = {name for group in groups for name in _members(group)} | {
        "id",
        "name",
        "avatarUrl",
        "token",
        "text",
        "link",
        "side",
        "bottom",
    }
    assert set(re.findall(r"(\w+): ", table)) - {"USER", "OPTIONS", "Rule"} == names
