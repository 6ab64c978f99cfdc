"""How long a login lives: until it expires or the user logs out, over sessions (login.md, The flow, 4)."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.engine.values.logins import is_logged_in
from dialoom.messages import Profile
from tests.engine.steps.test_protected_steps import LOGIN, PROMPT
from tests.engine.talking import Chat, bot, goal, q, say, support, trait

START = trait(go=["go"])
DAY = 24 * 60


class Talk:
    """A user who has logged in on a channel, in a bot whose sessions end after half an hour of silence."""

    def __init__(self, provider: str = "messenger-3", authentication: dict[str, Any] | None = None, **settings: Any):
        conversations = {"go": goal(say("Secret.", protected=True), q("n")), "restart": support(say("Anew."))}
        flow = bot(conversations, START, authentication=LOGIN | (authentication or {}), session_timeout=30, **settings)
        self.chat, self.profile = Chat(flow), Profile(id="u1", provider=provider)
        self.say("go")

    def say(self, text: str) -> list[str]:
        return self.chat.say(text, profile=self.profile)

    def log_in(self, **value: Any) -> Talk:
        assert self.chat.log_in(profile=self.profile, **value)[:2] == ["Thanks.", "Secret."]
        return self

    def after(self, minutes: float) -> list[str]:
        self.chat.wait(minutes)
        is_known = is_logged_in(self.chat.flow, self.chat.state, self.chat.now)
        said = self.say("go")
        assert is_known == (PROMPT[-1] not in said)
        return said


@pytest.mark.parametrize("provider", ["messenger-1", "messenger-3", "rest", "workplace-chat", "voice-assistant"])
def test_it_lives_over_the_end_of_sessions(provider: str) -> None:
    talk = Talk(provider)
    talk.chat.log_in(profile=talk.profile)
    talk.say("1")
    assert talk.after(30 * DAY)[-2:] == ["Secret.", "n?"]


def test_it_lives_over_a_restart() -> None:
    talk = Talk().log_in()
    talk.say("1")
    assert talk.say("restart") == ["Anew."]
    assert talk.say("go")[-2:] == ["Secret.", "n?"]


def test_a_restart_forgets_one_that_has_expired() -> None:
    talk = Talk()
    talk.log_in(access_token="opaque", expires_at=talk.chat.now // 1000 + 60)
    talk.chat.wait(2)
    assert talk.say("restart") == ["Anew."]
    assert "auth" not in talk.chat.memory


def test_one_that_context_brought_lives_as_long() -> None:
    talk = Talk("rest")
    talk.chat.tell(auth={"access_token": "opaque"})
    assert talk.after(DAY) == ["Secret.", "n?"]


def test_it_ends_with_its_token() -> None:
    talk = Talk()
    talk.log_in(access_token="opaque", expires_at=talk.chat.now // 1000 + 3600)
    assert talk.after(45) == ["Secret.", "n?"]
    assert talk.after(45) == PROMPT
    assert "auth" not in talk.chat.memory


def test_an_expired_one_that_can_be_renewed_is_kept_for_that() -> None:
    talk = Talk(authentication={"refresh": True})
    talk.log_in(access_token="opaque", expires_at=talk.chat.now // 1000 + 60)
    talk.chat.wait(DAY)
    assert talk.chat.memory["auth"]["access_token"] == "opaque"


def test_after_so_many_minutes_of_silence_it_is_forgotten_where_the_flow_says_so() -> None:
    talk = Talk(authentication={"forget-after": 10}).log_in()
    talk.chat.now += 9 * 60_000
    talk.say("5")
    assert talk.after(11)[-2:] == PROMPT


@pytest.mark.parametrize("provider", ["web", "mobile"])
def test_on_a_page_it_ends_with_the_browsers_session(provider: str) -> None:
    talk = Talk(provider).log_in()
    assert talk.after(20 * 60)[-2:] == ["Secret.", "n?"]
    assert talk.after(20 * 60)[-2:] == ["Secret.", "n?"]
    assert talk.after(DAY) == PROMPT
    assert "auth" not in talk.chat.memory


def test_on_a_page_it_lives_on_where_the_flow_keeps_it() -> None:
    talk = Talk("web", persist_entities=["auth"]).log_in()
    assert talk.after(2 * DAY)[-2:] == ["Secret.", "n?"]


def test_what_was_fetched_with_it_is_forgotten_with_it() -> None:
    """The goal is open still, since its session is longer: the protected step acts for whoever logs in next."""
    talk = Talk(authentication={"forget-after": 10}).log_in()
    talk.chat.now += 11 * 60_000
    assert talk.say("7") == PROMPT
