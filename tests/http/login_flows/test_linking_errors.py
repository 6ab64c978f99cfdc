"""Account linking where it does not go on: what the browser is told, what is counted, and what every page has."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.http.login_flows.test_linking import prove, waiting
from tests.http.login_pages import (
    BACK,
    PROMPT,
    START,
    Desk,
    Provider,
    answer_of,
    asked,
    code_of,
    desk,
    flow,
    logged_in,
    state_of,
    title,
)
from tests.http.support import BASE, BOT, Answer, Client, serving
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.http.endpoints import ENDPOINTS
from dialoom.http.login_pages import LoginPageEndpoints
from dialoom.http.routing import Route, Router
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.origin import Origins
from dialoom.service.login.provider_calls import ProviderFailed

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Answered, TurnWrite

WRONG = ProviderFailed("id-token-nonce", "token", "a sentence for the operator alone")
LATE = ProviderFailed("provider-timeout", "token", "nothing came within 10 s")
OTHER = ProviderFailed("keys-none", "keys", "another sentence")


# ---- what goes wrong -------------------------------------------------------------------------------------------------


async def errors(client: Client) -> int:
    (record,) = (await client.history("conversations", sort={"StartedAt": -1}, limit=1)).json
    return int(record["Errors"])


async def test_a_cancel_is_nobody_s_failure_and_the_next_prompt_has_a_new_link(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        before = await bank.link()
        tab = bank.tab()
        await tab.get(before)
        page = await tab.back(state_of(before), error="access_denied", error_description="<b>no</b>")
        assert (page.status, title(page)) == (403, "The login was cancelled")
        assert b"<b>no" not in page.body
        assert bank.provider.asked == []
        assert await bank.later() == []
        assert await bank.link() != before
        assert await errors(bank.client) == 0


async def _cancelled(bank: Desk) -> str:
    """The page of a cancelled login, which a chat page opened."""
    tab = bank.tab()
    mine, link, page = await waiting(bank, tab)
    proven = await prove(bank, page, mine.headers)
    await tab.send(link, {"proof": proven.json["proof"]})
    cancelled = await tab.back(state_of(link), error="access_denied")
    assert cancelled.status == 403
    return cancelled.body.decode()


async def test_the_page_of_a_cancelled_login_closes_or_leads_back_to_the_chat(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        page = await _cancelled(bank)
    assert f'<a class="act" href="{BASE}/chat/tea/web">Back to the chat</a>' in page
    assert '<main data-closes="1">' in page
    assert '<script type="module" src="/static/login-close.js"></script>' in page


async def test_the_page_of_a_cancelled_login_leads_where_the_author_says(tmp_path: Path) -> None:
    async with desk(tmp_path, confirmation_page_redirect_url_web="https://shop.example/chat") as bank:
        page = await _cancelled(bank)
    assert '<a class="act" href="https://shop.example/chat">Back to the chat</a>' in page
    assert "<script" not in page


@pytest.mark.parametrize(("failure", "status"), [(WRONG, 502), (LATE, 504)])
async def test_a_provider_that_fails_counts_once_and_its_reason_is_the_operator_s(
    tmp_path: Path, failure: ProviderFailed, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        bank.provider.failure = failure
        page = await tab.back(state_of(link))
        assert (page.status, title(page)) == (status, "The login did not work")
        assert b"sentence" not in page.body
        assert b"token" not in page.body
        assert str(failure) in caplog.text
        assert state_of(link) not in caplog.text
        assert (await tab.back(state_of(link))).status == 410
        assert await bank.later() == []
        assert await bank.link() != link
        assert await errors(bank.client) == 1


async def test_a_provider_that_fails_before_anybody_is_sent_there_uses_nothing_up(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        bank.provider.failure = WRONG
        page = await tab.get(link)
        assert (page.status, title(page)) == (502, "The login did not work")
        assert outcomes(bank) == {"failed": 1}
        bank.provider.failure = None
        assert (await tab.get(link)).status == 303
        assert (await tab.back(state_of(link))).status == 200
        assert await errors(bank.client) == 0
        assert outcomes(bank) == {"failed": 1, "done": 1}


def outcomes(bank: Desk) -> dict[str, int]:
    """The metric of logins."""
    return {outcome: count for (outcome,), count in bank.client.service.metrics.logins.values().items()}


class Away(TemporaryStore):
    """A store that takes no turn while it is away."""

    is_away = False

    async def commit(self, write: TurnWrite) -> Answered | None:
        if self.is_away:
            raise StoreError("The database is away.")
        return await super().commit(write)


async def test_a_login_that_could_not_be_stored_is_told_as_lost_and_the_next_prompt_has_a_new_link(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Away()
    async with desk(tmp_path, store=store) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        store.is_away = True
        waiting = asyncio.ensure_future(tab.back(state_of(link)))
        async with asyncio.timeout(60):
            while not waiting.done():
                bank.client.clock.move(0.1)
                await asyncio.sleep(0.001)
        page = await waiting
        store.is_away = False
        assert (page.status, title(page)) == (503, "The login did not reach the chat")
        assert "Please ask for a new link in the chat." in page.body.decode()
        assert "load this page again." not in page.body.decode()
        assert "The database is away." in caplog.text
        assert outcomes(bank) == {"failed": 1}
        assert await bank.link() != link


async def test_the_code_of_each_refusal_is_logged_whatever_failed_just_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as bank:
        for failure in (WRONG, OTHER, LATE, WRONG):
            link, tab = await bank.link(), bank.tab()
            bank.provider.failure = None
            await tab.get(link)
            bank.provider.failure = failure
            await tab.back(state_of(link))
        for failure in (WRONG, OTHER, LATE):
            assert caplog.text.count(str(failure)) == 1  # an outage does not fill the log
            assert failure.code in str(failure)
        assert outcomes(bank) == {"failed": 4}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("code=1&code=2&state={}", "callback-doubled"),
        ("code=%01&state={}", "callback-value"),
        ("code=1&error=x&state={}", "callback-neither"),
    ],
)
async def test_what_is_no_answer_of_a_provider_is_counted_and_its_code_logged(
    tmp_path: Path, query: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as bank:
        state = state_of(await bank.link())
        assert (await bank.tab().get(f"{BACK}?{query.format(state)}")).status == 400
        assert f"({code})" in caplog.text
        assert state not in caplog.text
        assert outcomes(bank) == {"login-unknown": 1}


async def test_a_browser_that_says_yes_to_what_it_was_not_asked_is_counted(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        link, page = await asked(bank, bank.tab())
        assert (await bank.tab().post(link, {"answer": answer_of(page)})).status == 403
        assert (await bank.tab().send(link, {"proof": "x"})).status == 403
        assert outcomes(bank) == {"login-browser": 2}


async def test_whatever_a_provider_does_the_browser_gets_its_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk(tmp_path) as bank:
        link = await bank.link()
        await bank.tab().get(link)
        bank.provider.hangs = True
        endpoints = impatient(bank.client, bank.provider)
        for id, query in (("startLogin", f"state={state_of(link)}"), ("finishLogin", f"code=c&state={state_of(link)}")):
            sent = await ask(endpoints, id, query)
            assert sent[0]["status"] == 504
        assert "(provider-timeout)" in caplog.text
        assert await bank.link() != link


def impatient(client: Client, provider: Provider) -> LoginPageEndpoints:
    service = msgspec.structs.replace(client.service, providers=provider)
    rates = Rates(service.settings, service.metrics)
    return LoginPageEndpoints(service, Origins(BASE, is_derived=True), rates, BASE, seconds=0.01)


async def ask(endpoints: LoginPageEndpoints, id: str, query: str) -> list[Any]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(event: Any) -> None:
        sent.append(event)

    scope = {"type": "http", "method": "GET", "headers": [], "query_string": query.encode(), "client": ("::1", 1)}

    async def handle(exchange: Exchange, _: Route, until: float) -> None:
        await endpoints.endpoints()[id](exchange, until)

    route = next(route for route in Router(ENDPOINTS).routes.values() if route.first.id == id)
    await endpoints.show(Exchange(scope, receive, send), route, (), handle)
    return sent


async def test_the_other_errors_of_a_callback_are_the_provider_s(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        bank.provider.failure = WRONG
        assert (await tab.back(state_of(link), error="server_error")).status == 502
        (params,) = bank.provider.asked
        assert (params.code, params.error) == (None, "server_error")


async def test_a_cancel_that_another_issuer_sent_is_the_provider_s_failure(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        bank.provider.failure = WRONG
        page = await tab.back(state_of(link), error="access_denied", iss="https://evil.example")
        assert (page.status, title(page)) == (502, "The login did not work")
        assert await bank.link() != link
        assert await errors(bank.client) == 1


@pytest.mark.parametrize("query", ["", "code=1", "code=1&code=2&state={}", "state={}", "code=1&error=x&state={}"])
async def test_what_is_no_answer_of_a_provider_uses_nothing_up(tmp_path: Path, query: str) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        page = await tab.get(f"{BACK}?{query.format(state_of(link))}")
        assert page.status in {400, 404}
        assert title(page) == "This link leads nowhere"
        assert (await tab.back(state_of(link))).status == 200


async def test_who_asks_too_much_is_told_so_by_a_page(tmp_path: Path) -> None:
    async with desk(tmp_path, rate_address="2/h") as bank:
        tab = bank.tab()
        assert {(await tab.get(START)).status for _ in range(2)} == {404}
        for address in (START, BACK):
            page = await tab.get(address)
            assert (page.status, title(page)) == (429, "Not possible right now")
            assert int(page.headers["retry-after"]) > 0


# ---- all pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "language", "direction", "words"),
    [
        (None, "en", "ltr", "This link leads nowhere"),
        ("de-AT,de;q=0.9,en;q=0.8", "de", "ltr", "Dieser Link führt nirgendwohin"),
        ("da, en;q=0.5, AR-eg;q=0.7", "ar", "rtl", "هذا الرابط لا يؤدي إلى أي مكان"),
        ("fr;q=0, *;q=0.1", "en", "ltr", "This link leads nowhere"),
        ("de;q=nan, th;q=0.1", "th", "ltr", "ลิงก์นี้ไม่นำไปที่ใด"),
        (";;,,=" * 5000, "en", "ltr", "This link leads nowhere"),
    ],
)
async def test_a_page_that_knows_no_bot_speaks_the_browsers_language(
    tmp_path: Path, accepted: str | None, language: str, direction: str, words: str
) -> None:
    async with desk(tmp_path) as bank:
        page = await bank.tab().get(START, **({"accept-language": accepted} if accepted else {}))
        assert f'<html lang="{language}" dir="{direction}">' in page.body.decode()
        assert title(page) == words
        assert page.headers["vary"] == "accept-language"


async def test_a_page_that_knows_its_bot_speaks_as_the_bot_does(tmp_path: Path) -> None:
    async with desk(tmp_path, BOT | {"language": "de-AT"}) as bank:
        page = await logged_in(bank)
        assert '<html lang="de" dir="ltr">' in page.body.decode()
        assert title(page) == "Anmeldung erfolgreich!"
        refused = await logged_in_again(bank)
        assert title(refused) == "Die Anmeldung wurde abgebrochen"


async def logged_in_again(bank: Desk) -> Answer:
    assert await bank.client.service.log_outs.log_out("tea", "ada", "rest")
    return await logged_in(bank, error="access_denied")


def check_is_well_kept(page: Answer) -> None:
    """Kept nowhere, framed nowhere, and refers nobody."""
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert PROMPT not in page.body.decode()


async def test_every_page_is_kept_nowhere_framed_nowhere_and_refers_nobody(tmp_path: Path) -> None:
    async with desk(tmp_path, binding={"web": "cookie", "rest": "confirm"}) as bank:
        tab = bank.tab()
        link, question = await asked(bank, tab)
        pages = [
            question,
            await tab.post(link, {"answer": answer_of(question)}),
            await tab.back(state_of(link)),
        ]
        await bank.later()
        pages += [
            await tab.get(link),
            await bank.tab().back(state_of(link)),
            await tab.get(START),
            (await waiting(bank, tab))[2],
        ]
        assert [page.status for page in pages] == [200, 200, 200, 200, 410, 404, 200]
        assert title(pages[3]) == "You are logged in already"
    async with desk(tmp_path / "coded", binding="code") as bank:
        pages.append(await logged_in(bank))
        assert code_of(pages[-1])
    for page in pages:
        check_is_well_kept(page)


async def test_the_hosted_chat_page_keeps_the_windows_that_it_opens(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "chat.html").write_text("{{name}}")
    async with serving(tmp_path, flow(), static=tmp_path / "static") as client:
        page = await client.call("GET", "/chat/tea/web")
        assert page.headers["cross-origin-opener-policy"] == "same-origin-allow-popups"
        assert (await client.call("GET", "/docs")).headers["cross-origin-opener-policy"] == "same-origin"


# ---- whatever comes ---------------------------------------------------------------------------------------------------

STATES = st.sampled_from(["live", "bens", "x", "", "q83vEjRWeJA"]) | st.text(max_size=40)
TEXTS = st.text(max_size=40) | st.just("\"><script>alert('x')</script>") | st.just("x" * 9000)
PAIRS = st.lists(
    st.tuples(st.just("state"), STATES) | st.tuples(st.sampled_from(["code", "error", "iss", "by", "answer"]), TEXTS),
    max_size=5,
)


def test_no_query_and_no_form_breaks_a_page_or_is_shown_on_it(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        made = desk(tmp_path, binding="confirm", rate_address="off")
        bank = runner.run(made.__aenter__())
        links = {"live": state_of(runner.run(bank.link())), "bens": state_of(runner.run(bank.link("ben")))}

        @settings(max_examples=150, derandomize=True, database=None, deadline=None)
        @given(address=st.sampled_from([START, BACK]), query=PAIRS, form=st.none() | st.dictionaries(TEXTS, TEXTS))
        def ask_anything(address: str, query: list[tuple[str, str]], form: dict[str, str] | None) -> None:
            given_pairs = [(name, links.get(value, value) if name == "state" else value) for name, value in query]
            whole = f"{address}?{urlencode(given_pairs, errors='replace')}"
            tab = bank.tab()
            page = runner.run(tab.get(whole) if form is None else tab.post(whole, form))
            assert page.status in {200, 400, 403, 404, 405, 410, 413}
            assert b"alert(" not in page.body
            # A link that was never said yes to lets nobody through.
            assert bank.provider.asked == []

        ask_anything()
        runner.run(made.__aexit__(None, None, None))
