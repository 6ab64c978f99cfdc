"""What a login sets off, wherever the user is by then (login.md, The flow, 3 to 5; channels.md 5)."""

import json

import msgspec
import pytest

from dialoom.engine import State, restarts_chat
from dialoom.engine.effects import Heard, LogIn, SetTimer
from dialoom.engine.events import Attached, Attachment, CodeRefused, Located, LoggedIn, LoginFailed, Response
from dialoom.messages import Profile
from tests.engine.steps.test_protected_steps import LOGIN, PROMPT
from tests.engine.talking import (
    MINUTE,
    SESSION,
    Chat,
    bot,
    do,
    goal,
    hook,
    keywords,
    q,
    say,
    status,
    support,
    talk,
    trait,
)

WORDS = trait(go=["go"], taxi=["taxi"], aside=["aside"], ask=["ask"], quiet=["quiet"], restart=["anew"])
AUTH = {"access_token": "opaque"}
THANKS = "Thanks."
BACK = "I am going back to go now."
WRONG = "This is not the code that the login page shows. Tries left: {}."
VOID = "This was not the right code either, so that this login no longer counts. Please log in again."
FAILURE = "We are experiencing technical difficulties at this moment."
TEAMS = Profile(id="u1", channel="teams", provider="workplace-chat", first_name="Ada")
ME = "https://api.test/me"


def secured(*steps: dict, authentication: dict | None = None, **conversations: dict):
    return bot({"go": goal(*steps), **conversations}, WORDS, authentication=LOGIN | (authentication or {}))


def prompted(*steps: dict, **conversations: dict) -> Chat:
    """A chat whose user was asked to log in."""
    chat = Chat(secured(*(steps or (say("Secret.", protected=True),)), **conversations))
    assert chat.say("go")[-2:] == PROMPT
    return chat


def nested(levels: int) -> dict:
    value: dict = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def takes(chat: Chat) -> bool:
    """Return whether memory took the login that came in the last turn."""
    return any(isinstance(effect, LogIn) for effect in chat.last.effects)


# ---- the step that waits -----------------------------------------------------------------------------------------


def test_the_acknowledgements_come_and_the_step_goes_on() -> None:
    chat = prompted(say("Secret of {{auth.sub}}.", protected=True), q("n", "Number"))
    assert chat.log_in(access_token="opaque", sub="ada") == [THANKS, "Secret of ada.", "n?"]
    assert chat.memory["auth"] == {"access_token": "opaque", "sub": "ada"}
    assert chat.steps == ["go", "go/0", "go/1"]
    assert not any(isinstance(effect, Heard) for effect in chat.last.effects)
    assert chat.say("3") == []
    assert chat.records == ["success"]


def test_the_token_reaches_a_data_source_in_the_same_turn() -> None:
    headers = {"Authorization": "Bearer {{auth.access_token}}"}
    chat = prompted(hook("me", ME, "{{me.name}}", source={"headers": headers}, protected=True))
    chat.answers[ME] = {"name": "Ada"}
    assert chat.log_in(access_token="t-1") == [THANKS, "Ada"]
    assert chat.calls[-1].request.headers == (("Authorization", "Bearer t-1"),)


def test_what_was_said_before_the_prompt_is_not_said_again() -> None:
    chat = prompted(say("Hi."), say("Secret.", protected=True))
    assert chat.log_in() == [THANKS, "Secret."]


def test_it_keeps_the_session_going_as_a_message_does() -> None:
    chat = prompted(say("Secret.", protected=True), q("n"))
    chat.now += 60 * MINUTE
    chat.log_in()
    assert chat.state.over_at == chat.now + SESSION
    assert SetTimer("session", SESSION / 1000) in chat.last.effects


def test_a_second_login_acknowledges_and_undoes_nothing() -> None:
    chat = prompted(hook("me", ME, protected=True), say("Hi {{me}}."), q("n", "Number"))
    chat.answers[ME] = "Ada"
    assert chat.log_in(access_token="a", sub="ada") == [THANKS, "Hi Ada.", "n?"]
    assert chat.log_in(access_token="b", sub="ada") == [THANKS]
    assert chat.memory["me"] == "Ada"
    assert chat.say("3") == []
    assert len(chat.calls) == 1


def test_what_was_fetched_for_another_person_is_fetched_anew() -> None:
    chat = prompted(hook("me", ME, protected=True), say("Hi {{me}}."), q("n", "Number"), q("m", "Number"))
    chat.answers[ME] = "Ada"
    chat.log_in(access_token="a", sub="ada")
    chat.answers[ME] = "Bo"
    assert chat.log_in(access_token="b", sub="bo") == [THANKS]
    assert "me" not in chat.memory
    assert chat.say("3") == ["Hi Bo.", "m?"]


def test_a_login_that_is_over_already_brings_the_prompt_again() -> None:
    chat = prompted()
    assert chat.log_in(access_token="opaque", expires_at=1) == [THANKS, *PROMPT]
    assert chat.log_in() == [THANKS, "Secret."]


def test_silent_acknowledgements_send_nothing() -> None:
    chat = Chat(secured(say("Secret.", protected=True), authentication={"acknowledgements": []}))
    chat.say("go")
    assert chat.log_in() == ["Secret."]


def test_a_step_that_fails_after_the_login_is_tried_again_by_the_next_message() -> None:
    chat = prompted(hook("me", ME, protected=True), say("{{me}}"))
    chat.answers[ME] = status(500)
    assert chat.log_in() == [THANKS, FAILURE]
    chat.answers[ME] = "Ada"
    assert chat.say("well?") == ["Ada"]


# ---- the user is elsewhere ---------------------------------------------------------------------------------------


def test_in_another_goal_it_is_acknowledged_and_the_step_waits_for_its_own() -> None:
    chat = prompted(say("Secret.", protected=True), taxi=goal(q("where"), say("Off.")))
    assert chat.say("taxi") == ["where?"]
    assert chat.log_in() == [THANKS]
    assert chat.say("home") == ["Off.", BACK, "Secret."]


def test_another_goal_that_waits_for_the_login_as_well_goes_on() -> None:
    chat = prompted(say("Secret.", protected=True), taxi=goal(say("Off.", protected=True)))
    assert chat.say("taxi") == PROMPT
    assert chat.log_in() == [THANKS, "Off.", BACK, "Secret."]


def test_the_question_of_an_interruption_stays_open() -> None:
    chat = prompted(say("Secret.", protected=True), ask=support(q("topic")))
    assert chat.say("ask") == ["topic?"]
    assert chat.log_in() == [THANKS]
    assert chat.say("opening hours") == [BACK, "Secret."]


def test_after_an_interruption_that_is_through_the_step_still_waits() -> None:
    chat = prompted(say("Secret.", protected=True), aside=support(say("Aside.")))
    assert chat.say("aside") == ["Aside.", BACK, *PROMPT]
    assert chat.log_in() == [THANKS, "Secret."]


def test_a_value_told_meanwhile_is_kept() -> None:
    chat = prompted(say("Secret.", protected=True), q("n", "Number"), say("{{n}}"))
    assert chat.say("3") == PROMPT
    assert chat.log_in() == [THANKS, "Secret.", "3"]


def test_after_a_restart_nothing_goes_on() -> None:
    chat = prompted(say("Secret.", protected=True), restart=support(say("Anew.")))
    assert chat.say("restart") == ["Anew."]
    assert chat.log_in() == [THANKS]
    assert chat.say("go") == ["Secret."]


def test_after_the_end_of_all_conversations_nothing_goes_on() -> None:
    chat = prompted(say("Secret.", protected=True), quiet=goal(do("invalidate-entity conversation")))
    assert chat.say("quiet") == []
    assert not chat.state.is_login_awaited
    assert chat.log_in() == [THANKS]


def test_a_step_that_failed_is_not_tried_again_by_a_login() -> None:
    chat = Chat(secured(hook("me", ME)), {ME: status(500)})
    assert chat.say("go") == [FAILURE]
    assert chat.log_in() == [THANKS]
    assert len(chat.calls) == 1


def test_without_anything_open_it_is_acknowledged() -> None:
    chat = Chat(secured(say("Secret.", protected=True)))
    assert chat.log_in() == [THANKS]
    assert chat.say("go") == ["Secret."]


def test_while_the_bot_is_silent_the_login_comes_without_a_word() -> None:
    chat = prompted(say("Secret.", protected=True), quiet=goal(do("stay-silent 5"), say("I am back.")))
    assert chat.say("quiet") == []
    assert chat.log_in() == []
    assert chat.memory["auth"] == AUTH
    chat.now += 6 * MINUTE
    assert chat.say("hm") == ["I am back.", BACK, "Secret."]


def test_after_the_end_of_the_session_the_login_begins_another() -> None:
    chat = prompted(say("Secret.", protected=True), welcome=support(say("Welcome.")))
    chat.now += SESSION
    event = LoggedIn(id="x", now=chat.now, seed=1, profile=TEAMS, value=AUTH)
    assert restarts_chat(chat.flow, chat.state, event)
    assert chat.log_in() == [THANKS]
    assert chat.records == ["abandoned"]
    assert chat.state.over_at > chat.now
    assert chat.memory["auth"] == AUTH


@pytest.mark.parametrize("how", ["message", "opening"])
def test_a_session_that_begins_with_a_login_is_still_welcomed(how: str) -> None:
    chat = Chat(secured(say("Secret.", protected=True), welcome=support(say("Welcome."))))
    chat.log_in()
    if how == "opening":
        assert chat.open() == ["Welcome."]
        assert chat.open() == []
        assert chat.say("go") == ["Secret."]
    else:
        assert chat.say("go") == ["Welcome.", "Secret."]


def test_the_login_ends_with_the_session() -> None:
    chat = prompted()
    chat.log_in()
    chat.wait(24 * 60)
    assert chat.memory == {}


def test_a_login_that_the_flow_forgets_in_the_same_turn_was_taken_all_the_same() -> None:
    chat = prompted(say("Secret.", protected=True), {"type": "command", "command": "logout"})
    chat.log_in()
    assert "auth" not in chat.memory
    assert takes(chat)


def test_a_version_without_a_login_takes_none() -> None:
    flow = bot({"go": goal(q("n", "Number"))}, WORDS)
    chat = Chat(flow)
    chat.say("go")
    assert chat.log_in() == []
    assert chat.memory == {}
    assert chat.last.effects == ()
    assert chat.say("3") == []


def test_context_that_brings_a_login_meanwhile_is_overruled() -> None:
    chat = prompted()
    chat.tell(auth={"access_token": "from the page"})
    assert chat.log_in() == [THANKS, "Secret."]
    assert chat.memory["auth"] == AUTH


# ---- what memory cannot hold -------------------------------------------------------------------------------------


def test_a_login_that_is_nested_too_deep_stops_the_turn() -> None:
    chat = prompted()
    assert chat.log_in(access_token="a", claims=nested(200)) == [FAILURE]
    assert not takes(chat)
    assert chat.failures == [("go", "What the login gave is nested deeper than 100 levels.")]
    assert chat.say("well?") == PROMPT
    assert chat.log_in(access_token="a", claims=nested(90)) == [THANKS, "Secret."]
    assert takes(chat)


def test_a_login_that_is_too_large_stops_the_turn_without_its_value_in_the_record() -> None:
    chat = prompted()
    assert chat.log_in(access_token="x" * (5 * 1024 * 1024)) == [FAILURE]
    assert not takes(chat)
    [(_, reason)] = chat.failures
    assert reason == 'With the entity "auth" the memory of this user would pass 4 MiB. Keep less of it.'
    assert "auth" not in chat.memory
    assert chat.say("well?") == PROMPT


# ---- a failure ---------------------------------------------------------------------------------------------------


def test_a_failed_login_counts_and_says_nothing_and_the_next_message_is_prompted() -> None:
    chat = prompted()
    assert chat.send(LoginFailed, reason="id-token-audience: the token is for another client.") == []
    assert chat.failures == [("", "id-token-audience: the token is for another client.")]
    assert chat.say("well?") == PROMPT
    assert chat.log_in() == [THANKS, "Secret."]


def test_a_cancelled_login_leaves_no_trace() -> None:
    chat = prompted()
    before = chat.state
    assert chat.send(LoginFailed) == []
    assert chat.last.effects == ()
    assert chat.state == before


def test_a_login_after_a_failed_one_still_finds_its_step() -> None:
    chat = prompted()
    chat.send(LoginFailed, reason="The provider gave no answer.")
    assert chat.log_in() == [THANKS, "Secret."]


def test_a_failed_login_after_the_session_leaves_a_record_that_ends() -> None:
    chat = prompted()
    chat.now += SESSION
    chat.send(LoginFailed, reason="The provider gave no answer.")
    assert chat.records == ["abandoned"]
    assert SetTimer("session", SESSION / 1000) in chat.last.effects
    chat.wait(24 * 60)
    assert chat.records == ["abandoned", "closed"]


# ---- a typed code ------------------------------------------------------------------------------------------------


def test_a_right_code_is_a_message_whose_text_nobody_keeps() -> None:
    chat = prompted()
    assert chat.log_in(is_typed=True) == [THANKS, "Secret."]
    assert chat.heard == Heard({}, None, "***")


def test_a_wrong_code_says_how_many_tries_are_left_and_asks_nothing() -> None:
    chat = prompted()
    assert chat.send(CodeRefused, left=2) == [WRONG.format(2)]
    assert chat.heard == Heard({}, None, "***")
    assert chat.send(CodeRefused, left=1) == [WRONG.format(1)]
    assert chat.log_in(is_typed=True) == [THANKS, "Secret."]


def test_after_the_last_wrong_code_the_prompt_comes_anew() -> None:
    chat = prompted()
    assert chat.send(CodeRefused, left=0) == [VOID, *PROMPT]


def test_a_wrong_code_is_no_answer_to_an_open_question() -> None:
    chat = prompted(say("Secret.", protected=True), taxi=goal(q("where", "Number"), say("{{where}}")))
    chat.say("taxi")
    assert chat.send(CodeRefused, left=1) == [WRONG.format(1)]
    assert chat.send(CodeRefused, left=0) == [VOID, "where?"]
    assert chat.say("7")[0] == "7"


def test_a_code_while_the_bot_is_silent_is_heard_and_not_answered() -> None:
    chat = prompted(say("Secret.", protected=True), quiet=goal(do("stay-silent 5"), say("I am back.")))
    chat.say("quiet")
    assert chat.send(CodeRefused, left=0) == []
    assert chat.log_in(is_typed=True) == []
    assert chat.heard == Heard({}, None, "***")
    assert chat.memory["auth"] == AUTH


def test_a_code_that_no_version_knows_is_heard_all_the_same() -> None:
    chat = Chat(bot({"go": goal(q("n", "Number"))}, WORDS))
    chat.say("go")
    assert chat.log_in(is_typed=True) == []
    assert chat.heard == Heard({}, None, "***")
    assert chat.memory == {}


# ---- where the bot cannot begin to speak -------------------------------------------------------------------------


def on_teams(*steps: dict, workchat: bool = False, **conversations: dict) -> Chat:
    block = {"workchat": {"connection-name": "c", "strategy": "oidc"}} if workchat else {}
    chat = Chat(secured(*(steps or (say("Secret.", protected=True),)), authentication=block, **conversations))
    assert chat.say("go", profile=TEAMS)[-2:] == PROMPT
    return chat


def test_on_workplace_chat_the_login_waits_for_the_next_message() -> None:
    chat = on_teams(say("Secret.", protected=True), q("n", "Number"))
    assert chat.log_in(profile=TEAMS) == []
    assert chat.memory["auth"] == AUTH
    assert chat.say("4", profile=TEAMS) == [THANKS, "Secret.", "n?"]
    assert "n" not in chat.memory
    assert chat.heard.understanding == {}
    assert chat.say("4", profile=TEAMS) == []


def test_that_message_is_understood_where_it_names_a_goal() -> None:
    chat = on_teams(say("Secret.", protected=True), taxi=goal(q("where")), aside=support(say("Aside.")))
    chat.log_in(profile=TEAMS)
    assert chat.say("taxi", profile=TEAMS) == [THANKS, "where?"]
    chat = on_teams(say("Secret.", protected=True), aside=support(say("Aside.")))
    chat.log_in(profile=TEAMS)
    assert chat.say("aside", profile=TEAMS) == [THANKS, "Secret."]


def test_that_message_answers_the_question_that_is_open() -> None:
    chat = on_teams(say("Secret.", protected=True), taxi=goal(q("where", "Number"), say("{{where}}")))
    chat.say("taxi", profile=TEAMS)
    assert chat.log_in(profile=TEAMS) == []
    assert chat.say("7", profile=TEAMS) == [THANKS, "7", BACK, "Secret."]


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (Located, {"latitude": 1.0, "longitude": 2.0}),
        (Attached, {"files": (Attachment("https://f.test/1"),)}),
    ],
)
def test_any_kind_of_message_wakes_the_bot_up(kind: type, more: dict) -> None:
    chat = on_teams(say("Secret.", protected=True), q("place", "Location"), q("file", "File"))
    chat.log_in(profile=TEAMS)
    assert chat.send(kind, profile=TEAMS, **more) == [THANKS, "Secret.", "place?"]
    assert "place" not in chat.memory


def test_a_tap_on_an_old_option_wakes_the_bot_up() -> None:
    chat = on_teams()
    chat.log_in(profile=TEAMS)
    assert chat.pick(key="1.0", profile=TEAMS) == [THANKS, "Secret."]


def test_a_restart_goes_before_the_acknowledgements() -> None:
    chat = on_teams(say("Secret.", protected=True), restart=support(say("Anew.")))
    chat.log_in(profile=TEAMS)
    assert chat.say("restart", profile=TEAMS) == ["Anew."]
    assert not chat.state.is_login_unsaid
    assert chat.say("go", profile=TEAMS) == ["Secret."]


def test_with_workchat_the_bot_goes_on_by_itself() -> None:
    assert on_teams(workchat=True).log_in(profile=TEAMS) == [THANKS, "Secret."]


def test_a_typed_code_is_a_message_that_can_be_answered() -> None:
    assert on_teams().log_in(profile=TEAMS, is_typed=True) == [THANKS, "Secret."]


def test_when_the_session_ends_first_nothing_is_left_to_say() -> None:
    chat = on_teams()
    chat.log_in(profile=TEAMS)
    chat.wait(24 * 60)
    assert chat.state == State(asks=chat.state.asks, entities={"auth": AUTH})
    assert chat.say("go", profile=TEAMS) == ["Secret."]


# ---- a data source that refuses the token ------------------------------------------------------------------------


def test_a_401_stops_the_flow_and_asks_for_no_login() -> None:
    chat = prompted(hook("me", ME, protected=True), say("{{me}}"))
    chat.answers[ME] = status(401)
    assert chat.log_in() == [THANKS, FAILURE]
    assert chat.say("again") == [FAILURE]
    assert chat.memory["auth"] == AUTH
    assert len(chat.calls) == 2


def test_a_flow_that_forgets_the_login_at_a_401_prompts_once_a_login() -> None:
    chat = prompted(
        hook("me", ME, source={"response": "full"}, protected=True),
        do("invalidate-entity auth", conditions=["{{$eq me.status 401}}"]),
        say("{{me.body}}"),
    )
    chat.answers[ME] = status(401)
    for count in (1, 2, 3):
        assert chat.log_in() == [THANKS, *PROMPT]
        assert len(chat.calls) == count
    chat.answers[ME] = Response(status=200, body=b"Ada")
    assert chat.log_in() == [THANKS, "Ada"]


def test_a_flow_that_calls_again_at_each_401_is_stopped() -> None:
    chat = prompted(
        hook("me", ME, source={"response": "full"}, protected=True),
        do("go-to again", conditions=["{{$eq me.status 401}}"]),
        again=goal(do("invalidate-entity me"), do("go-to go")),
    )
    chat.answers[ME] = status(401)
    assert chat.log_in() == [THANKS, FAILURE]
    assert 1 < len(chat.calls) <= 100
    assert chat.state.stack == ()


# ---- what stands beside it ---------------------------------------------------------------------------------------


def test_options_of_an_open_question_can_still_be_tapped_after_the_acknowledgements() -> None:
    flow = bot(
        {
            "go": goal(say("Secret.", protected=True)),
            "taxi": goal(q("city", "City", display={"type": "quick-reply"}), say("{{city}}")),
        },
        WORDS,
        keywords("City", Sofia=[], Varna=[]),
        authentication=LOGIN,
    )
    chat = talk(flow, [("go", PROMPT), ("taxi", ["city? [Sofia] [Varna]"])])
    [key] = [option.key for option in chat.messages[-1].replies if option.title == "Varna"]
    assert chat.log_in() == [THANKS]
    assert chat.pick(key=key) == ["Varna", BACK, "Secret."]


def test_no_token_stands_in_what_is_said_or_told_of_a_failure() -> None:
    chat = prompted(hook("me", ME, protected=True))
    chat.answers[ME] = status(403)
    chat.log_in(access_token="very-secret-token")
    effects = json.dumps(msgspec.to_builtins(list(chat.last.effects)))
    assert "very-secret-token" not in effects


SPEAKER = Profile(id="u1", channel="speaker", provider="voice-assistant")


def test_a_login_on_a_channel_that_only_answers_is_told_when_the_user_opens_it_again() -> None:
    chat = prompted()
    assert chat.log_in(profile=SPEAKER) == []
    assert chat.open(is_said_again=True) == [THANKS, "Secret."]


def test_a_renewed_login_is_taken_in_silence() -> None:
    chat = prompted()
    assert chat.send(LoggedIn, value=AUTH, is_renewed=True) == []
    assert takes(chat)
    assert chat.say("go") == ["Secret."]
