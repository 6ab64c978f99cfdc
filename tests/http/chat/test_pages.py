"""The policy of the hosted pages: where images may come from."""

from __future__ import annotations

import pytest

from dialoom.http import page_parts
from dialoom.http.chat import pages
from dialoom.service.settings import Settings


@pytest.mark.parametrize("policy", [pages.CHAT_POLICY, pages.PICKER_POLICY])
def test_a_service_of_this_machine_alone_shows_images_of_its_back_ends(policy: str) -> None:
    assert "http://127.0.0.1:*" in page_parts.with_images(policy, Settings(host="127.0.0.1"))
    assert "http://127.0.0.1:*" in page_parts.with_images(policy, Settings(host="localhost"))
    assert "http://127.0.0.1:*" in page_parts.with_images(policy, Settings(base_url="http://localhost:8080"))


@pytest.mark.parametrize(
    "settings",
    [
        Settings(host="127.0.0.1", base_url="https://bots.example.org"),
        Settings(host="0.0.0.0", base_url="https://bots.example.org"),
    ],
)
def test_a_service_that_others_reach_shows_images_over_https_and_its_own_only(settings: Settings) -> None:
    assert page_parts.with_images(pages.CHAT_POLICY, settings) == pages.CHAT_POLICY
    assert "http:" not in pages.CHAT_POLICY
