"""The two addresses of account linking: who is let on to the provider, and where a login leads."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.chat.test_web import WEB, Stream, browser
from tests.http.login_pages import (
    BACK,
    PROVIDER,
    SECRET,
    START,
    THANKS,
    TOKEN,
    Desk,
    Tab,
    answer_of,
    asked,
    code_of,
    desk,
    flow,
    logged_in,
    state_of,
    title,
    told,
)
from tests.http.support import BASE, Answer, serving

if TYPE_CHECKING:
    from pathlib import Path


# ---- the link --------------------------------------------------------------------------------------------------------


async def test_a_login_link_is_handed_out_wherever_the_message_is_read_and_stands_in_no_record(tmp_path: Path) -> None:
    async with serving(tmp_path, flow()) as client:
        answers = [(await client.say("tea", id=id)).json for id in ("1", "1", "2")]
        links = {answer[-1]["template"]["buttons"][0]["url"] for answer in answers}
        assert len(links) == 1  # a further prompt sends the same link
        assert links.pop().startswith(f"{BASE}{START}?state=")
        mine = await browser(client)
        await mine.send(text="tea")
        (read,) = [message["dialog"]["url"] for message in await mine.read() if "dialog" in message]
        assert read.startswith(f"{BASE}{START}?state=")
        stream = Stream(client, mine.headers)
        (streamed,) = [data["dialog"]["url"] for _, data in await stream.events(2) if "dialog" in data]
        await stream.close()
        again = await browser(client, resume=mine.session["resume"])
        assert again.session["messages"][-1]["dialog"]["url"] == streamed == read
        history = await client.history("messages")
        assert b'"type":"login"' in history.body
        assert b"state=" not in history.body


@pytest.mark.parametrize("address", [START, f"{START}?state=", f"{START}?state=%3Cscript%3E", f"{BACK}?code=1&state=x"])
async def test_a_state_that_was_not_made_here_is_refused_and_not_shown(tmp_path: Path, address: str) -> None:
    async with desk(tmp_path) as bank:
        page = await bank.tab().get(address)
        assert (page.status, title(page)) == (404, "This link leads nowhere")
        assert b"Please ask for a new link in the chat." in page.body
        assert b"<script" not in page.body


@pytest.mark.parametrize("address", [START, f"{BACK}?code=1"])
async def test_a_state_that_stands_twice_is_none(tmp_path: Path, address: str) -> None:
    async with desk(tmp_path, binding="off") as bank:
        state = state_of(await bank.link())
        page = await bank.tab().get(f"{address}{'&' if '?' in address else '?'}state={state}&state={state}")
        assert page.status in {400, 404}
        assert bank.provider.asked == []


async def test_what_apps_put_behind_a_link_is_left_alone(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="off") as bank:
        assert (await bank.tab().get(await bank.link() + "&fbclid=1&fbclid=2&utm_source=mail")).status == 303


async def test_a_link_of_more_than_ten_minutes_is_over(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        link = await bank.link()
        bank.client.clock.move(601)
        page = await bank.tab().get(link)
        assert (page.status, title(page)) == (410, "This link is no longer valid")


async def test_opening_a_link_again_uses_nothing_up(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="off") as bank:
        link, tab = await bank.link(), bank.tab()
        assert {(await tab.get(link)).status for _ in range(3)} == {303}
        assert (await tab.back(state_of(link))).status == 200


async def test_who_only_looks_ties_no_browser_and_uses_nothing_up(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="off") as bank:
        link, tab = await bank.link(), bank.tab()
        looked = await tab.get(link, "HEAD")
        assert (looked.status, looked.body) == (200, b"")
        assert (await tab.back(state_of(link))).status == 403
        assert (await tab.get(link)).status == 303
        refused = await tab.get(f"{BACK}?code=c&state={state_of(link)}", "HEAD")
        assert (refused.status, refused.headers["allow"]) == (405, "GET")
        assert bank.provider.asked == []
        assert (await tab.back(state_of(link))).status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_other_methods_are_refused_and_those_that_there_are_named(tmp_path: Path, method: str) -> None:
    async with desk(tmp_path) as bank:
        for address, allowed in ((START, "GET, HEAD, POST"), (BACK, "GET")):
            refused = await bank.tab().get(address, method)
            assert (refused.status, refused.headers["allow"]) == (405, allowed)


# ---- off -------------------------------------------------------------------------------------------------------------


async def test_under_off_the_link_leads_to_the_provider_and_the_login_lands_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:  # rest: off by default
        link, tab = await bank.link(), bank.tab()
        away = await tab.get(link)
        assert (away.status, away.headers["cache-control"]) == (303, "no-store")
        assert away.headers["cross-origin-opener-policy"] == "same-origin"  # the provider's page has no opener
        assert away.headers["location"] == f"{PROVIDER}?state={state_of(link)}&client_id=a"
        assert tab.cookie is None
        done = await bank.tab().back(state_of(link), code="c0de", iss="https://id.example")
        assert (done.status, title(done)) == (200, "Login successful!")
        assert b"You can now close this tab and continue your conversation." in done.body
        (params,) = bank.provider.asked
        assert (params.code, params.iss) == ("c0de", "https://id.example")
        assert await bank.later() == [THANKS, SECRET]


async def test_a_state_serves_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        answers = await asyncio.gather(*(tab.back(state_of(link)) for _ in range(64)))
        assert sorted(answer.status for answer in answers) == [200] + [410] * 63
        assert len(bank.provider.asked) == 1
        assert (await tab.back(state_of(link))).status == 410
        assert (await tab.get(link)).status == 410
        assert await bank.later() == [THANKS, SECRET]


# ---- code ------------------------------------------------------------------------------------------------------------


async def test_under_code_the_login_lands_when_the_code_is_typed_into_the_chat(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="code", confirmation_page_redirect_url_web="https://shop.example/in") as bank:
        link, tab = await bank.link(), bank.tab()
        assert (await tab.get(link)).headers["location"].startswith(PROVIDER)
        page = await tab.back(state_of(link))
        code = code_of(page)
        assert title(page) == "Your code"
        assert f'aria-label="{" ".join(code)}"'.encode() in page.body
        assert b'<a class="act" href="https://shop.example/in">' in page.body
        assert b"<script" not in page.body
        assert b"http-equiv" not in page.body
        assert await bank.later() == []
        assert await bank.client.texts(code) == [THANKS, SECRET]


async def test_under_code_the_browser_that_was_shown_the_code_is_shown_it_again_until_it_is_typed(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, binding="code") as bank:
        link, tab = await bank.link(), bank.tab()
        away = await tab.get(link)
        secret, *rest = away.headers["set-cookie"].split("; ")
        assert re.fullmatch(r"dialoom_login_8080=[\w-]{43}", secret)
        assert rest == ["Path=/v1/account-linking", "Max-Age=600", "HttpOnly", "SameSite=Lax"]
        code = code_of(await tab.back(state_of(link)))
        assert await bank.link() == link
        bank.client.clock.move(590)
        for page in (await tab.get(link), await tab.back(state_of(link)), await tab.get(link)):
            assert (page.status, title(page), code_of(page)) == (200, "Your code", code)
        for stranger in (bank.tab(), bank.tab()):
            assert (await stranger.get(link)).status == 410
            assert (await stranger.back(state_of(link))).status == 410
        assert len(bank.provider.asked) == 1
        assert await bank.client.texts(code) == [THANKS, SECRET]
        for page in (await tab.get(link), await tab.back(state_of(link))):
            assert (page.status, title(page)) == (200, "You are logged in already")
            assert code.encode() not in page.body


async def test_who_opened_a_link_and_sent_its_provider_s_form_on_is_not_shown_the_code_of_who_logged_in(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, binding="code") as bank:
        link, his, hers = await bank.link(), bank.tab(), bank.tab()
        await hers.get(link)
        await his.get(link)
        code = code_of(await hers.back(state_of(link)))
        for page in (await his.get(link), await his.back(state_of(link))):
            assert page.status == 410
            assert code.encode() not in page.body
        assert code_of(await hers.get(link)) == code


async def test_a_code_that_came_late_is_shown_again_after_the_end_of_its_link(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="code") as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        before = tab.cookie
        bank.client.clock.move(595)
        first = await tab.back(state_of(link))
        assert first.headers["set-cookie"].startswith(f"{before}; Path=/v1/account-linking; Max-Age=600;")
        bank.client.clock.move(60)
        assert code_of(await tab.get(link)) == code_of(first)
        assert await bank.client.texts(code_of(first)) == [THANKS, SECRET]


async def test_under_code_a_browser_without_cookies_gets_its_code_once(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="code") as bank:
        link = await bank.link()
        await bank.tab().get(link)
        code = code_of(await bank.tab().back(state_of(link)))
        assert (await bank.tab().get(link)).status == 410
        assert await bank.client.texts(code) == [THANKS, SECRET]


# ---- confirm ---------------------------------------------------------------------------------------------------------


async def test_confirm_names_bot_channel_and_user_and_leads_on_when_it_is_said_yes_to(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link, page = await asked(bank, tab)
        for words in ("Tea house", "API", "Ada Lovelace", "Yes, log in"):
            assert words in page.body.decode()
        assert "form-action 'self'" in page.headers["content-security-policy"]
        on = await tab.post(link, {"answer": answer_of(page)})
        target = f"{PROVIDER}?state={state_of(link)}&amp;client_id=a"
        assert on.status == 200
        assert f'<meta http-equiv="refresh" content="0; url={target}">' in on.body.decode()
        assert f'<a class="act" href="{target}">' in on.body.decode()
        assert title(await tab.back(state_of(link))) == "Login successful!"
        assert await bank.later() == [THANKS, SECRET]


async def test_the_cookie_is_kept_from_scripts_other_sites_and_other_addresses(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        _, page = await asked(bank, bank.tab())
        secret, *rest = page.headers["set-cookie"].split("; ")
        assert re.fullmatch(r"dialoom_login_8080=[\w-]{43}", secret)
        assert rest == ["Path=/v1/account-linking", "Max-Age=600", "HttpOnly", "SameSite=Lax"]
    async with desk(tmp_path / "tls", binding="confirm", base_url="https://bots.example/chats") as bank:
        answer = await bank.client.say("tea")
        link = answer.json[-1]["template"]["buttons"][0]["url"]
        page = await bank.tab().get(link.replace("/chats", ""))  # as the proxy before the service asks
        secret, *rest = page.headers["set-cookie"].split("; ")
        assert secret.startswith("__Host-dialoom_login_443=")
        assert rest == ["Path=/", "Max-Age=600", "HttpOnly", "SameSite=Lax", "Secure"]


async def test_a_browser_that_has_a_cookie_keeps_it_and_one_with_another_s_text_gets_its_own(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        await asked(bank, tab)
        before = tab.cookie
        await asked(bank, tab)
        assert tab.cookie == before
        tab.cookie = "dialoom_login_8080=chosen-by-somebody-else"
        await asked(bank, tab)
        assert tab.cookie not in {before, "dialoom_login_8080=chosen-by-somebody-else"}


async def test_a_yes_counts_in_the_browser_and_for_the_link_that_were_asked_about(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab, other = bank.tab(), bank.tab()
        link, page = await asked(bank, tab)
        foreign, theirs = await asked(bank, other)
        bens = await bank.link("ben")
        question = answer_of(page)
        assert (await bank.tab().post(link, {"answer": question})).status == 403
        assert (await other.post(link, {"answer": question})).status == 403
        assert (await tab.post(link, {"answer": answer_of(theirs)})).status == 403
        assert (await tab.post(bens, {"answer": question})).status == 403
        assert (await tab.post(link, {})).status == 403
        assert (await tab.post(link, {"answer": "\ufffd" * 100})).status == 403
        assert (await tab.post(link, {"answer": "x" * 20_000})).status == 413
        assert foreign == link
        assert (await tab.post(link, {"answer": question})).status == 200


async def test_the_browser_that_was_asked_is_the_one_that_may_come_back(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link, page = await asked(bank, tab)
        await tab.post(link, {"answer": answer_of(page)})
        turned_away = await bank.tab().back(state_of(link))
        assert (turned_away.status, title(turned_away)) == (403, "This is another browser")
        assert bank.provider.asked == []
        assert (await tab.back(state_of(link))).status == 200


async def test_without_a_yes_nobody_comes_back(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link, _ = await asked(bank, tab)
        assert (await tab.get(f"{link}&by=code")).status == 200
        assert (await tab.back(state_of(link))).status == 403


# ---- cookie ----------------------------------------------------------------------------------------------------------


async def waiting(bank: Desk, tab: Tab) -> tuple[Any, str, Answer]:
    """A chat page with a login link, and the start page in a window of its own."""
    mine = await browser(bank.client)
    await mine.send(text="tea")
    (link,) = [message["dialog"]["url"] for message in await mine.read() if "dialog" in message]
    page = await tab.get(link)
    assert (page.status, title(page)) == (200, "One moment")
    return mine, link, page


async def prove(bank: Desk, page: Answer, headers: dict[str, str]) -> Answer:
    return await bank.client.call("POST", f"{WEB}/login-proof", {"challenge": told(page, "challenge")}, headers)


async def test_the_start_page_tells_its_script_whom_to_ask_and_keeps_its_opener(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        _, link, page = await waiting(bank, bank.tab())
        assert told(page, "origins") == f'["{BASE}","https://shop.example"]'
        assert told(page, "next") == f"?state={state_of(link)}&by=code"
        assert b'<script type="module" src="/static/login-start.js"></script>' in page.body
        assert page.headers["cross-origin-opener-policy"] == "unsafe-none"
        policy = page.headers["content-security-policy"]
        assert "script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'" in policy


async def test_the_chat_page_proves_whose_login_it_is_and_no_code_is_needed(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        tab = bank.tab()
        mine, link, page = await waiting(bank, tab)
        proven = await prove(bank, page, mine.headers)
        assert proven.status == 200, proven.body
        on = await tab.send(link, {"proof": proven.json["proof"]})
        assert (on.status, on.json) == (200, {"address": f"{PROVIDER}?state={state_of(link)}&client_id=a"})
        turned_away = await bank.tab().back(state_of(link))
        assert turned_away.status == 403
        done = await tab.back(state_of(link))
        assert title(done) == "Login successful!"
        for _ in range(200):
            await asyncio.sleep(0)
        assert [message["text"] for message in (await mine.read())[-2:]] == [THANKS, SECRET]


async def test_a_proof_is_given_to_the_session_of_the_link_s_user_alone(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        _, _, page = await waiting(bank, bank.tab())
        stranger = await browser(bank.client)
        refused = await prove(bank, page, stranger.headers)
        assert (refused.status, refused.json["code"], refused.json["pointer"]) == (403, "login-challenge", "/challenge")
        assert (await prove(bank, page, {"Origin": BASE})).status == 401


async def test_a_proof_serves_the_browser_that_asked_for_it_for_two_minutes(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        tab, other = bank.tab(), bank.tab()
        mine, link, page = await waiting(bank, tab)
        proof = {"proof": (await prove(bank, page, mine.headers)).json["proof"]}
        await other.get(link)
        for stranger in (other, bank.tab()):
            refused = await stranger.send(link, proof)
            assert (refused.status, refused.json["code"]) == (403, "login-browser")
        assert (await tab.send(link, {"proof": told(page, "challenge")})).status == 403
        assert (await tab.send(link, {"proof": ""})).status == 403
        bank.client.clock.move(121)
        assert (await tab.send(link, proof)).status == 403
        assert (await prove(bank, page, mine.headers)).json["code"] == "login-challenge"


async def test_what_no_script_of_the_page_sends_is_refused_as_a_problem(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        for body, code in (({}, "bad-body"), (b"{", "bad-json"), ({"proof": "x", "more": 1}, "bad-body")):
            refused = await bank.tab().send(await bank.link(), body)
            assert (refused.status, refused.json["code"]) == (400, code)
        unknown = await bank.tab().send(f"{START}?state=x", {"proof": "x"})
        assert (unknown.status, unknown.json["code"]) == (404, "login-unknown")


async def test_without_script_the_login_goes_on_and_ends_with_a_code(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        tab = bank.tab()
        mine, link, page = await waiting(bank, tab)
        away = await tab.get(START + told(page, "next"))
        assert (away.status, away.headers["location"].partition("?")[0]) == (303, PROVIDER)
        code = code_of(await tab.back(state_of(link)))
        await mine.send(text=code)
        assert [message["text"] for message in (await mine.read())[-2:]] == [THANKS, SECRET]


async def test_the_last_way_on_counts(tmp_path: Path) -> None:
    """Somebody goes on with a code, and then the chat page answers after all."""
    async with desk(tmp_path) as bank:
        tab = bank.tab()
        mine, link, page = await waiting(bank, tab)
        await tab.get(START + told(page, "next"))
        await tab.send(link, {"proof": (await prove(bank, page, mine.headers)).json["proof"]})
        assert (await bank.tab().back(state_of(link))).status == 403
        assert title(await tab.back(state_of(link))) == "Login successful!"


# ---- after the login -------------------------------------------------------------------------------------------------


async def test_web_and_rest_are_led_to_the_author_s_address_as_it_stands(tmp_path: Path) -> None:
    address = "https://shop.example/in?from=chat&x=%20#done"
    async with desk(tmp_path, confirmation_page_redirect_url_web=address) as bank:
        away = await logged_in(bank)
        assert (away.status, away.headers["location"]) == (303, address)


async def test_an_address_with_other_letters_is_sent_as_a_header_can_hold_it(tmp_path: Path) -> None:
    async with desk(tmp_path, confirmation_page_redirect_url_web="https://shop.example/grün") as bank:
        assert (await logged_in(bank)).headers["location"] == "https://shop.example/gr%C3%BCn"


async def test_the_page_says_what_the_author_wrote_over_the_chat_s_memory_and_escapes_it(tmp_path: Path) -> None:
    contents = {"title": "Hello {{user.FirstName}} <b>", "text": "{{{fruit}}} & {{account.access_token}}."}
    async with desk(tmp_path, confirmation_page_contents=contents) as bank:
        await bank.client.say(context={"fruit": "<i>apple</i>"})
        page = await logged_in(bank)
        assert title(page) == "Hello Ada &lt;b&gt;"
        assert "&lt;i&gt;apple&lt;/i&gt; &amp; ." in page.body.decode()
        assert TOKEN not in page.body.decode()


async def test_a_template_that_fails_leaves_the_usual_words(tmp_path: Path) -> None:
    async with desk(tmp_path, confirmation_page_contents={"text": "{{$date fruit}}"}) as bank:
        await bank.client.say(context={"fruit": {"no": "date"}})
        page = await logged_in(bank)
        assert (page.status, title(page)) == (200, "Login successful!")
        assert b"You can now close this tab" in page.body


async def test_a_page_that_is_told_to_closes_itself_and_another_does_not(tmp_path: Path) -> None:
    async with desk(tmp_path, confirmation_page_contents={"attempt-close": True}) as bank:
        page = await logged_in(bank)
        assert b'<script type="module" src="/static/login-close.js"></script>' in page.body
        assert told(page, "after") == "3000"
    async with desk(tmp_path / "stays") as bank:
        assert b"<script" not in (await logged_in(bank)).body
