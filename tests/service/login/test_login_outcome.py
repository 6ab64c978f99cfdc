"""What came with a login is kept as long as the login's value, and no longer; and what nobody has goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.service.login.chatting import (
    REFRESH_TOKEN,
    TAKES_BACK,
    TOKEN,
    later_texts,
    log_in,
    reach_prompt,
    revoked,
    stored_chat,
    tea_house,
)
from tests.service.process_stores import until

from dialoom.engine import Turn, begin
from dialoom.engine.effects import LogIn, LogOut, Send
from dialoom.engine.events import CodeRefused, ContextGiven, LoggedIn, LoginFailed
from dialoom.engine.memory import MAX_DEPTH
from dialoom.messages import BotMessage, Dialog, Profile
from dialoom.service.chat.chat_row import StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import (
    CODE_LIFETIME_MS,
    LINK_LIFETIME_MS,
    LINK_USE_TIMEOUT_MS,
    Grant,
    Link,
    LinkInfo,
    Login,
    LoginOutcome,
    with_link,
)
from dialoom.service.login.login_outcome import current, next_login_values

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.engine.effects import Effect

NOW = 1_790_000_000_000
COMMON: dict[str, Any] = {"id": "e", "now": NOW, "seed": 0, "profile": Profile(id="ada")}
OLD, NEW = {"access_token": "old"}, {"access_token": "new"}
HAD, RENEWED = (Grant("v1", refresh_token=name) for name in ("had", "renewed"))
CAME = Grant("v1", refresh_token="came", link="l1")
LINK = Link("l1", NOW + 1000)
PROMPT = Send(BotMessage("Please log in.", dialog=Dialog("login", "Log in")), "tea/0")
NOTHING = InboundEvent(event=ContextGiven(**COMMON))


def chat(value: Any = None, grant: Grant | None = None, link: Link | None = None) -> StoredChat:
    state = begin() if value is None else msgspec.structs.replace(begin(), entities={"auth": value})
    return StoredChat(state=state, grant=grant, link=link)


def turn(value: Any = None, *effects: Effect) -> Turn:
    return Turn(chat(value).state, effects)


def after(before: StoredChat, arrival: InboundEvent, done: Turn, **more: Any) -> LoginOutcome:
    return next_login_values(before, arrival, done, "auth", NOW, **more)


LANDED = InboundEvent(event=LoggedIn(**COMMON, value=NEW), link="l1", grant=CAME)


def test_a_login_brings_its_own_and_ends_the_link() -> None:
    assert after(chat(OLD, HAD, LINK), LANDED, turn(NEW, LogIn())) == LoginOutcome(None, CAME)


def test_a_login_is_kept_with_the_link_that_brought_it() -> None:
    given = msgspec.structs.replace(CAME, link="")
    arrival = msgspec.structs.replace(LANDED, grant=given)
    assert after(chat(link=LINK), arrival, turn(NEW, LogIn())).grant == CAME


def test_a_value_that_stays_keeps_what_came_with_it() -> None:
    assert after(chat(OLD, HAD, LINK), NOTHING, turn(OLD)) == LoginOutcome(LINK, HAD)


@pytest.mark.parametrize("value", [None, NEW, "token", {}])
def test_a_value_that_goes_or_is_another_takes_it_along(value: Any) -> None:
    assert after(chat(OLD, HAD), NOTHING, turn(value)).grant is None


def test_a_login_that_the_turn_did_not_keep_leaves_nothing() -> None:
    assert after(chat(), LANDED, turn()).grant is None


def test_a_bot_without_a_login_keeps_nothing() -> None:
    assert next_login_values(chat(OLD, HAD), NOTHING, turn(OLD), None, NOW) == LoginOutcome()


def test_what_a_renewal_brought_counts_and_also_where_a_fault_kept_its_value_out() -> None:
    renewed = Login(NEW, RENEWED)
    for value in (NEW, OLD):
        assert after(chat(OLD, HAD), NOTHING, turn(value), renewed=renewed).grant == RENEWED
    assert after(chat(OLD, HAD), NOTHING, turn(), renewed=renewed).grant is None


def test_the_renewal_of_a_new_login_says_nothing_of_the_one_before() -> None:
    assert after(chat(OLD, HAD), LANDED, turn(OLD), renewed=Login({"access_token": "newer"}, RENEWED)).grant == HAD


def test_who_is_logged_out_had_the_newest_of_what_the_turn_knew() -> None:
    out = LogOut()
    assert after(chat(OLD, HAD), NOTHING, turn(None, out)) == LoginOutcome(None, None, (Login(OLD, HAD),))
    assert after(chat(OLD, HAD), LANDED, turn(None, out)).revoked == (Login(NEW, CAME),)
    renewed = Login(NEW, RENEWED)
    assert after(chat(OLD, HAD), NOTHING, turn(None, out), renewed=renewed).revoked == (renewed,)
    assert after(chat(), NOTHING, turn(None, out)).revoked == ()
    assert after(chat(OLD, HAD), NOTHING, turn()).revoked == ()


def test_who_is_logged_out_has_no_link_any_more() -> None:
    assert after(chat(OLD, HAD, LINK), NOTHING, turn(None, LogOut())) == LoginOutcome(None, None, (Login(OLD, HAD),))
    assert after(chat(link=LINK), NOTHING, turn(None, LogOut())) == LoginOutcome()


def test_a_login_whose_code_was_typed_just_before_its_links_end_stays() -> None:
    typed = InboundEvent(event=LoggedIn(**COMMON, value=NEW, is_typed=True), link="l1", grant=CAME)
    assert after(chat(link=LINK), typed, turn(NEW, LogIn()), is_over=True) == LoginOutcome(None, CAME)


def test_a_login_that_no_entity_takes_any_more_is_taken_back() -> None:
    done = next_login_values(chat(link=LINK), LANDED, turn(), None, NOW)
    assert done == LoginOutcome(revoked=(Login(NEW, CAME),))


def test_a_login_whose_turn_was_undone_by_a_fault_is_taken_back_and_the_one_before_stays() -> None:
    assert after(chat(OLD, HAD), LANDED, turn(OLD)) == LoginOutcome(None, HAD, (Login(NEW, CAME),))


def test_a_login_that_memory_does_not_take_is_taken_back_also_where_its_turn_changed_the_chat() -> None:
    other = msgspec.structs.replace(turn(OLD).state, over_at=NOW + 1)
    assert after(chat(OLD, HAD), LANDED, Turn(other, ())).revoked == (Login(NEW, CAME),)


def test_a_login_that_landed_and_that_the_flow_forgot_at_once_is_the_flows_affair() -> None:
    assert after(chat(), LANDED, turn(None, LogIn())).revoked == ()


LATE = InboundEvent(event=LoginFailed(**COMMON), link="l0")


def test_a_login_by_a_link_that_counts_no_more_is_taken_back() -> None:
    done = after(chat(OLD, HAD, LINK), LATE, turn(OLD), late=Login(NEW, CAME))
    assert done == LoginOutcome(LINK, HAD, (Login(NEW, CAME),))


@pytest.mark.parametrize(
    "late",
    [Login(OLD, CAME), Login(NEW, msgspec.structs.replace(CAME, refresh_token="had"))],
    ids=["the same access token", "the same refresh token"],
)
def test_what_the_provider_gave_twice_is_not_taken_back_while_the_chat_has_it(late: Login) -> None:
    assert after(chat(OLD, HAD, LINK), LATE, turn(OLD), late=late) == LoginOutcome(LINK, HAD)
    # It goes when the chat does not have it any more.
    done = after(chat(OLD, HAD, LINK), LATE, turn(None, LogOut()), late=late)
    assert done.revoked == (late, Login(OLD, HAD))


def test_a_token_that_the_flow_or_the_page_put_into_the_entity_is_not_taken_back_either() -> None:
    for value in ("new", {"access_token": "new", "name": "Ada"}):
        assert after(chat(value), LATE, turn(value), late=Login(NEW, CAME)).revoked == ()
    told = msgspec.structs.replace(begin(), context={"auth": "new"})
    assert after(chat(), LATE, Turn(told, ()), late=Login(NEW, CAME)).revoked == ()


def test_a_login_that_fails_does_not_end_the_one_of_the_same_token() -> None:
    same = InboundEvent(event=LoggedIn(**COMMON, value=OLD), link="l1", grant=HAD)
    assert after(chat(OLD, HAD, LINK), same, turn(OLD)).revoked == ()


def test_a_prompt_behind_a_logout_has_another_link() -> None:
    made = after(chat(link=LINK), NOTHING, turn(None, LogOut(), PROMPT)).link
    assert made is not None
    assert made.id != "l1"


def test_while_the_turn_runs_a_login_that_has_just_come_is_the_current_one() -> None:
    assert current(chat(OLD, HAD), LANDED, "auth") == Login(NEW, CAME)
    assert current(chat(OLD, HAD), NOTHING, "auth") == Login(OLD, HAD)
    assert current(chat("token"), NOTHING, "auth") is None


@pytest.mark.parametrize("event", [LoginFailed(**COMMON), LoggedIn(**COMMON, value=NEW)])
def test_only_the_link_that_was_used_ends(event: LoginFailed | LoggedIn) -> None:
    assert after(chat(link=LINK), InboundEvent(event=event, link="l1"), turn()).link is None
    assert after(chat(link=LINK), InboundEvent(event=event, link="l0"), turn()).link == LINK


def test_a_wrong_code_is_counted_on_the_link_and_the_last_one_ends_it() -> None:
    for left, link in ((2, Link("l1", LINK.expires, 2)), (0, None)):
        refused = InboundEvent(event=CodeRefused(**COMMON, left=left), link="l1")
        assert after(chat(link=LINK), refused, turn()).link == link


@pytest.mark.parametrize(
    ("link", "more"),
    [(None, {}), (LINK, {"is_over": True})],
    ids=["none", "over"],
)
def test_a_prompt_makes_a_link_where_none_lives(link: Link | None, more: dict[str, Any]) -> None:
    made = after(chat(link=link), NOTHING, turn(None, PROMPT), **more).link
    assert made is not None
    assert made.id != "l1"
    assert len(made.id) >= 22
    assert made.expires == NOW + LINK_LIFETIME_MS
    assert made.profile == Profile(id="ada")


def test_a_link_that_is_over_goes_without_a_prompt_too() -> None:
    assert after(chat(link=LINK), NOTHING, turn(), is_over=True).link is None


@pytest.mark.parametrize(
    ("about", "until"),
    [
        (None, LINK.expires),
        (LinkInfo("v1", "n", "v"), LINK.expires),
        (LinkInfo("v1", "n", "v", taken_at=NOW), NOW + LINK_USE_TIMEOUT_MS),
        (LinkInfo("v1", "n", "v", taken_at=NOW, code="012345"), NOW + CODE_LIFETIME_MS),
        (LinkInfo("v1", "n", "v", taken_at=NOW - CODE_LIFETIME_MS, code="012345"), LINK.expires),
    ],
    ids=["no page opened", "not taken", "landing", "a code late in its life", "a code early in its life"],
)
def test_how_long_a_link_lives_is_told_by_its_row(about: LinkInfo | None, until: int) -> None:
    assert LINK.lives_until(about) == until


def test_a_prompt_keeps_the_link_that_lives_and_without_one_none_is_made() -> None:
    assert after(chat(link=LINK), NOTHING, turn(None, PROMPT)).link == LINK
    assert after(chat(), NOTHING, turn()).link is None


def test_a_prompt_names_its_link_and_other_messages_do_not() -> None:
    named = with_link(PROMPT, LINK)
    assert named.message.dialog == Dialog("login", "Log in", key="l1")
    other = Send(BotMessage("Which?", dialog=Dialog("carousel", key="4")), "tea/1")
    assert with_link(other, LINK) is other
    assert with_link(PROMPT, None) is PROMPT


# -- in whole turns


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"more": value}
    return value


async def test_a_login_that_memory_refuses_is_taken_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        await log_in(client, await reach_prompt(client), claims=_nested(MAX_DEPTH + 1))
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])
        now = await stored_chat(client, tmp_path)
        assert ("auth" in now.state.entities, now.grant) == (False, None)
        # The next one is taken, and stays.
        await log_in(client, await reach_prompt(client), access_token="another")
        await later_texts(client)
        await client.service.outbox.settled()
        assert len(revoked(client.fetcher)) == 2


async def test_a_restart_keeps_the_login_and_what_came_with_it(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        await log_in(client, await reach_prompt(client))
        await later_texts(client)
        before = await stored_chat(client, tmp_path)
        assert before.grant is not None
        await client.texts("restart")
        now = await stored_chat(client, tmp_path)
        assert (now.grant, now.state.entities) == (before.grant, {"auth": before.state.entities["auth"]})


async def test_what_came_with_the_login_is_kept_with_it_over_the_end_of_a_session(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        await log_in(client, await reach_prompt(client))
        client.clock.move(600)
        await client.texts("help")
        before = await stored_chat(client, tmp_path)
        client.clock.move(1441 * 60)
        await client.texts("help")
        now = await stored_chat(client, tmp_path)
        assert now.state.entities.get("auth") == before.state.entities.get("auth")
        assert now.grant == before.grant


async def test_trusted_context_that_brings_another_login_takes_the_place_of_what_came(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        await log_in(client, await reach_prompt(client))
        await later_texts(client)
        await client.say("help")
        now = await stored_chat(client, tmp_path)
        assert now.grant is not None
        assert now.state.entities["auth"]["access_token"] == TOKEN
        await client.say("help", context={"auth": {"access_token": "of-the-page"}})
        assert (await stored_chat(client, tmp_path)).grant is None
