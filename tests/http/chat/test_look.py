"""What pages are told of a bot's look."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

from tests.http.support import BOT, serving

if TYPE_CHECKING:
    from pathlib import Path

LOOK: dict[str, Any] = {
    "brand": "#ffd400",
    "font": "Inter, Arial",
    "radius": 0,
    "header": "Tea & Cake",
    "avatar": "/a.png",
}
PAGE = '<head></head><dialoom-chat header="{{header}}" avatar="{{avatar}}"></dialoom-chat>'


async def test_the_session_tells_the_look_that_the_author_wrote(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=BOT | {"look": LOOK}) as client:
        bot = (await client.open()).json["bot"]
    assert bot["avatarUrl"] == "/a.png"
    assert bot["look"] == {key: value for key, value in LOOK.items() if key != "avatar"}


async def test_the_hosted_page_has_the_look_in_a_style_that_its_policy_names(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "chat.html").write_text(PAGE)
    async with serving(tmp_path, bot=BOT | {"look": LOOK}, static=tmp_path / "static") as client:
        page = await client.call("GET", "/chat/tea/web")
    text = page.body.decode()
    (style,) = re.findall("<style>(.*?)</style>", text)
    assert style == ":root{--look-brand:#ffd400;--look-font:Inter, Arial;--look-radius:0px}"
    assert 'header="Tea &amp; Cake" avatar="/a.png"' in text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}' 'self';" in page.headers["content-security-policy"]


async def test_a_bot_without_a_look_has_no_style_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "chat.html").write_text(PAGE)
    async with serving(tmp_path, static=tmp_path / "static") as client:
        page = await client.call("GET", "/chat/tea/web")
    assert b"<style>" not in page.body
    assert "style-src 'self';" in page.headers["content-security-policy"]
