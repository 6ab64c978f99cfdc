"""Logins in Microsoft Teams: by the pop-up, and with the token of Teams itself."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.channels.platform_service import Running
from tests.channels.teams_bot import GROUP, WORKCHAT, connect, received, serving, words
from tests.http.login_pages import PROMPT, PROVIDER, SECRET, THANKS, Provider, Tab, answer_of, state_of
from tests.http.login_pages import flow as login_flow
from tests.http.support import Client
from tests.identity import social

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.http.app import App
from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.testing.platforms.stand_in import Answer


async def browser_of(running: Running, provider: Provider) -> Tab:
    """Return a browser for the login's pages of the running service, with an identity provider behind them."""
    service = msgspec.structs.replace(running.service, providers=provider)
    app = await asyncio.to_thread(App, service, running.url)
    return Tab(Client(app, service, MovedClock(), MockFetcher({})))


async def logged_in(tab: Tab, link: str) -> Answer:
    """Log in by the link of a card; return the last page."""
    start = await tab.get(link)
    assert start.headers["cross-origin-opener-policy"] == "unsafe-none", "else Teams is not heard by the last page"
    left = await tab.post(link, {"answer": answer_of(start)})
    assert PROVIDER in left.body.decode()
    return await tab.back(state_of(link))


async def test_without_workchat_a_login_is_acknowledged_with_the_next_message(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow()) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        assert await received(teams, ada, 2) == ["Hello!", PROMPT]
        (card,) = ada.received[-1]["attachments"]
        assert [one["type"] for one in card["content"]["buttons"]] == ["signin"]
        last = await logged_in(await browser_of(running, Provider()), ada.link("Log in"))
        assert "/static/login-teams.js" in last.body.decode()
        assert last.headers["cross-origin-opener-policy"] == "unsafe-none"
        # The pop-up tells Teams that it is done, which tells the bot: nothing more is asked of anybody.
        state = {"state": "login"}
        answer = await teams.post(teams.activity(ada, {"type": "invoke", "name": "signin/verifyState", "value": state}))
        await running.settled()
        assert (answer.status, len(ada.received)) == (200, 2)
        await ada.say("hello?")
        assert await received(teams, ada, 4) == ["Hello!", PROMPT, THANKS, SECRET]


@pytest.mark.parametrize("way", ["silently", "with the button"])
async def test_with_workchat_the_token_of_teams_is_the_login_and_the_bot_goes_on(
    way: str, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        assert await received(teams, ada, 2) == ["Hello!", PROMPT]
        assert ada.oauth_card["tokenExchangeResource"]["uri"] == f"api://{teams.app_id}"
        assert ada.signed_in_state()["connectionName"] == "sso"
        if way == "silently":
            answers = [await ada.exchange_token(token) for token in ("of-the-phone", "of-the-desktop")]
            assert [one.status for one in answers] == [200, 200]
            assert len(teams.calls("/api/usertoken/exchange")) == 1
        else:
            teams.exchanges_of_tokens = False
            refused = await ada.exchange_token()
            assert (refused.status, refused.json()["connectionName"]) == (412, "sso")
            assert refused.json()["failureDetail"]
            assert (await ada.fail_to_sign_in()).status == 200
            assert (await ada.sign_in()).status == 200
        assert await received(teams, ada, 4) == ["Hello!", PROMPT, THANKS, SECRET]
        await running.settled()
        assert len(ada.received) == 4


async def test_a_log_out_has_the_platform_forget_the_token(teams: Teams, tmp_path: Path) -> None:
    flow = copy.deepcopy(login_flow(workchat=WORKCHAT))
    flow["conversations"]["help"]["steps"] = [{"type": "command", "command": "logout"}]
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        await ada.exchange_token()
        await received(teams, ada, 4)
        assert ada.token is not None
        await running.settled()
        teams.withdraw_tokens()  # the call is made once more with a newer one
        await ada.say("help")
        await teams.until(lambda: ada.token is None)
        assert [one.status for one in teams.calls("/api/usertoken/SignOut")] == [401, 200]
        await ada.say("tea")
        await teams.until(lambda: words(ada.received[-1]) == PROMPT)


async def test_a_code_that_is_not_the_user_s_logs_nobody_in(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        value = {"state": "000000"}
        answer = await teams.post(teams.activity(ada, {"type": "invoke", "name": "signin/verifyState", "value": value}))
        assert answer.status == 412
        value = {"id": "1", "connectionName": "another", "token": "t"}
        answer = await teams.post(
            teams.activity(ada, {"type": "invoke", "name": "signin/tokenExchange", "value": value})
        )
        assert (answer.status, len(teams.calls("/api/usertoken/exchange"))) == (412, 0)


async def test_in_a_group_a_login_leads_to_pages_of_ours(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea", GROUP)
        await received(teams, ada, 2)
        assert ada.link("Log in").startswith(f"{running.url}/v1/account-linking/start?")


@pytest.mark.parametrize("wrong", [None, "other-app", "not-valid"])
async def test_a_token_of_the_social_network_logs_in_after_its_inspection_alone(
    wrong: str | None, teams: Teams, tmp_path: Path
) -> None:
    flow = login_flow(
        socialnet={"app-id": social.APP_ID, "app-secret": social.APP_SECRET},
        workchat={"connection-name": "sso", "strategy": "socialnet"},
    )
    del flow["settings"]["authentication"]["oidc"]
    with social.social() as network:
        async with serving(teams, tmp_path, flow, socialnet_graph_url=network.url) as running:
            connect(teams, running)
            ada = teams.user()
            await ada.say("tea")
            await received(teams, ada, 2)
            network.network.tokens["stand-in-user-token"] = 0
            network.network.wrong = wrong
            answer = await ada.exchange_token()
            assert network.network.counts[social.INSPECTION] == 1
            if wrong is not None:
                assert (answer.status, len(ada.received)) == (412, 2)
                return
            assert await received(teams, ada, 4) == ["Hello!", PROMPT, THANKS, SECRET]
