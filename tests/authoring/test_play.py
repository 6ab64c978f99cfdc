"""Playing conversation tests: logins (flow-language.md section 9)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.authoring.play import Outcome, Player, channel_of
from dialoom.authoring.scenarios import Scenario, TestStep, UserTurn, read_suites
from dialoom.authoring.talk import Talk
from dialoom.engine import compile_flow
from dialoom.errors import FlowError
from dialoom.flow import read_files

LOGIN = {
    "entity": "auth",
    "messages": ["Log in."],
    "acknowledgements": ["Thanks."],
    "display": {"type": "login", "template": {"title": "Log in"}},
    "oidc": {"issuer": "https://id.test", "client-id": "b", "client-secret": {"env": "BOT_S"}},
    "refresh": True,
}
STEPS = [{"type": "message", "protected": True, "messages": ["Secret of {{auth.sub}}."]}]
TRAIT = {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "go", "expressions": ["go"]}]}
BOT = read_files(
    {
        "bot.json": json.dumps({"id": "b"}),
        "flow.json": json.dumps(
            {"conversations": {"go": {"type": "goal", "steps": STEPS}}, "settings": {"authentication": LOGIN}}
        ),
        "training.json": json.dumps({"entity-definitions": [TRAIT]}),
    }
)
FLOW = compile_flow(BOT)
NOW = 1_795_176_000_000
ADA = {"access_token": "t-1", "sub": "ada"}


def step(user: dict[str, Any], *bot: str) -> TestStep:
    return TestStep(msgspec.convert(user, UserTurn), (tuple({"text": text} for text in bot),))


async def played(*steps: TestStep) -> Outcome:
    return await Player(BOT, FLOW).play(Scenario("s", "it", steps, {}, {}, {}, None, NOW))


async def test_a_login_sends_the_acknowledgements_and_the_step_goes_on() -> None:
    outcome = await played(step({"text": "go"}, "Log in."), step({"login": ADA}, "Thanks.", "Secret of ada."))
    assert outcome.lines == ()


async def test_a_login_that_fails_says_nothing_and_can_be_made_good() -> None:
    outcome = await played(
        step({"text": "go"}, "Log in."), step({"login": "failed"}), step({"login": ADA}, "Thanks.", "Secret of ada.")
    )
    assert outcome.lines == ()


async def test_a_login_that_is_over_is_asked_for_and_not_renewed() -> None:
    over = {**ADA, "expires_at": 1}
    outcome = await played(step({"text": "go"}, "Log in."), step({"login": over}, "Thanks.", "Log in."))
    assert outcome.lines == ()


async def test_a_token_is_masked_where_a_step_differs() -> None:
    outcome = await played(step({"text": "go"}, "Log in."), step({"login": ADA}, "Something else."))
    assert outcome.lines[0] == 'step 2, user: {"login":{"access_token":"***","sub":"ada"}}'
    assert "t-1" not in " ".join(outcome.lines)


@pytest.mark.parametrize("login", ["refused", 5, ["t"]])
def test_what_is_no_login_is_refused_with_its_place(tmp_path: Path, login: Any) -> None:
    (tmp_path / "tests").mkdir()
    suite = {"name": "s", "scenarios": [{"it": "x", "steps": [{"user": {"login": login}, "bot": [[]]}]}]}
    (tmp_path / "tests" / "a.json").write_text(json.dumps(suite))
    with pytest.raises(FlowError, match=r"tests/a.json: scenarios/0: .*user.login"):
        read_suites(tmp_path)


def test_a_user_does_one_thing_at_a_time() -> None:
    with pytest.raises(msgspec.ValidationError, match="this has text and login"):
        msgspec.convert({"text": "go", "login": ADA}, UserTurn)


async def test_a_talk_is_kept_without_the_token_of_its_login() -> None:
    def calls() -> Any:
        raise AssertionError("nobody is called")

    talk = Talk(FLOW, channel_of(BOT, None), lambda: calls, lambda: NOW)
    await talk.hear(UserTurn(text="go"))
    await talk.hear(UserTurn(login=ADA))
    kept = talk.as_test("talk")
    [_, last] = kept["scenarios"][0]["steps"]
    assert last == {
        "user": {"login": {"access_token": "token", "sub": "ada"}},
        "bot": [[{"text": "Thanks."}, {"text": "Secret of ada."}]],
    }
    assert "t-1" not in json.dumps(kept)
