"""Renders the texts of the page after a login: the flow author's own words over the chat's memory, where there are any.

They come as text; escaping them for HTML is left to the page. The authentication entity is not there for them: no page
shows a token.
"""

from __future__ import annotations

from typing import NamedTuple

from dialoom.engine.memory import Memory
from dialoom.service.login.links import Opened
from dialoom.template import Scope, compile


class PageTexts(NamedTuple):
    """Holds title and text of the page; None where the flow has none, or its template renders to nothing."""

    title: str | None = None
    text: str | None = None


def page_texts(opened: Opened, now: int) -> PageTexts:
    """Render title and text. ``now``: milliseconds since 1970. Raises ``TemplateError`` where a template fails."""
    contents = opened.authentication.confirmation_page_contents
    if contents is None:
        return PageTexts()
    return PageTexts(_rendered(contents.title, opened, now), _rendered(contents.text, opened, now))


def _rendered(source: str | None, opened: Opened, now: int) -> str | None:
    if source is None:
        return None
    template = compile(source)
    scope = Scope({}) if template.is_constant else _scope(opened, now)
    return template.text(scope).strip() or None


def _scope(opened: Opened, now: int) -> Scope:
    whole = Memory(opened.deployed.flow, opened.chat, opened.profile, now).scope()
    seen = {name: value for name, value in whole.memory.items() if name != opened.authentication.entity}
    return Scope(seen, locale=whole.locale, timezone=whole.timezone)
