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


def test_every_attribute_of_the_script_stands_beside_the_option_that_it_sets() -> None:
    source = (LOADER / "attributes.ts").read_text("utf-8")
    read = re.findall(r'^  (\w+): "([\w.]+)",$', source, re.MULTILINE)
    assert len(read) > 20
    attributes = {"data-" + re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", name): path for name, path in read}
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
