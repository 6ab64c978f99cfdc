"""What the page after a login says: the author's words over the chat's memory, without the login itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.service.login.logging_in import oidc, opened

from dialoom.engine.state import State
from dialoom.errors import TemplateError
from dialoom.messages import Profile
from dialoom.service.login.confirmation_page import PageTexts, page_texts
from dialoom.service.login.links import Opened

NOW = 1_790_000_000_000
ADA = Profile(id="ada", channel="rest", provider="rest", first_name="Ada")


def link(contents: dict[str, Any] | None, **entities: Any) -> Opened:
    settings = oidc("https://id.example") | ({} if contents is None else {"confirmation-page-contents": contents})
    return msgspec.structs.replace(opened(settings), chat=State(entities=entities), profile=ADA)


@pytest.mark.parametrize("contents", [None, {}, {"attempt-close": True}, {"title": "  ", "text": "{{nothing}}"}])
def test_an_author_who_says_nothing_leaves_it_to_the_service(contents: dict[str, Any] | None) -> None:
    assert page_texts(link(contents), NOW) == PageTexts()


def test_words_are_templates_over_memory_and_the_user() -> None:
    contents = {"title": "Welcome, {{user.FirstName}}", "text": "Back to {{topic}} & more."}
    assert page_texts(link(contents, topic="<tea>"), NOW) == PageTexts("Welcome, Ada", "Back to <tea> & more.")


def test_a_token_is_not_there_to_be_shown() -> None:
    contents = {"title": "{{auth.access_token}}!", "text": "{{$json auth}}{{#each auth}}{{this}}{{/each}}."}
    assert page_texts(link(contents, auth={"access_token": "secret-token"}), NOW) == PageTexts("!", ".")


def test_a_template_that_fails_says_so() -> None:
    with pytest.raises(TemplateError):
        page_texts(link({"text": "{{$date topic}}"}, topic={"no": "date"}), NOW)
