"""The large chats that are kept opened: a bound on their bytes, whatever becomes of the chats."""

from __future__ import annotations

import pytest

from dialoom.engine import begin
from dialoom.service.chat.active_chats import MAX_LARGE_CHATS_BYTES, ActiveChat, ActiveChats
from dialoom.service.chat.chat_row import Loaded, StoredChat
from dialoom.storage.store import ChatKey

QUARTER = MAX_LARGE_CHATS_BYTES // 4


def opened(chats: ActiveChats, user: str, size: int = QUARTER) -> ActiveChat:
    """Return a chat that had a turn."""
    live = chats.take(ChatKey("tea", "web", user))
    live.loaded = Loaded(StoredChat(state=begin()))
    chats.keep_opened(live, size)
    return live


def test_the_large_chat_used_longest_ago_is_closed_first() -> None:
    chats = ActiveChats(is_shared=False)
    first, *others = [opened(chats, user) for user in "abcd"]
    opened(chats, "a")
    opened(chats, "e")
    assert first.loaded is not None
    assert [live.loaded is None for live in others] == [True, False, False]


@pytest.mark.parametrize("end", ["forget", "doubt", "lose"])
def test_a_large_chat_that_is_forgotten_doubted_or_lost_counts_no_more(end: str) -> None:
    chats = ActiveChats(is_shared=True)
    kept = opened(chats, "kept")
    for user in "abc":
        gone = opened(chats, user)
        if end == "forget":
            chats.forget(gone)
        else:
            getattr(gone, end)()
    for user in "def":
        opened(chats, user)
    assert kept.loaded is not None


def test_a_large_chat_that_is_opened_again_counts_once() -> None:
    chats = ActiveChats(is_shared=True)
    others = [opened(chats, user) for user in "abc"]
    for _ in range(5):
        chats.forget(opened(chats, "again"))
    opened(chats, "again")
    assert all(live.loaded is not None for live in others)


def test_a_chat_that_became_small_counts_no_more() -> None:
    chats = ActiveChats(is_shared=False)
    kept = opened(chats, "kept")
    for user in "abcdef":
        opened(chats, user)
        opened(chats, user, 0)
    assert kept.loaded is not None
