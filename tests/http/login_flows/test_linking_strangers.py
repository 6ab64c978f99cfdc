"""Who took a login link of somebody else's chat: what is shown to them does not tell what became of the chat since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http.login_pages import SECRET, THANKS, Desk, Tab, answer_of, code_of, desk, state_of, title

from dialoom.service.login.provider_calls import ProviderFailed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Answer

RULES = ("cookie", "code", "confirm", "off")
AGAIN, OVER = "You are logged in already", "This link is no longer valid"
WRONG = ProviderFailed("token-status", "The token endpoint", "It answered 500.")
COOKIE = "dialoom_login_8080=" + "A" * 43


def shown(page: Answer) -> tuple[int, str]:
    return page.status, title(page)


async def leaves(tab: Tab, link: str, rule: str) -> None:
    """On the way to the provider."""
    if rule == "confirm":
        page = await tab.post(link, {"answer": answer_of(await tab.get(link))})
        assert page.status == 200
    else:
        page = await tab.get(f"{link}&by=code" if rule == "cookie" else link)
        assert page.status == 303


async def logs_in(bank: Desk, tab: Tab, rule: str, sender: str = "ada") -> str:
    """The chat's own user does, by a link of their own."""
    link = await bank.link(sender)
    await leaves(tab, link, rule)
    page = await tab.back(state_of(link))
    if rule in {"cookie", "code"}:
        assert await bank.client.texts(code_of(page), sender=sender) == [THANKS, SECRET]
    await bank.later(sender)
    assert await bank.client.texts("tea", sender=sender) == [SECRET]
    return link


async def pages(tab: Tab, link: str) -> list[tuple[int, bytes]]:
    """All that a browser may come again with."""
    answers = [
        await tab.get(link),
        await tab.get(f"{link}&by=code"),
        await tab.back(state_of(link)),
        await tab.back(state_of(link), error="access_denied"),
    ]
    assert {shown(answer) for answer in answers} == {(410, OVER)}
    return [(answer.status, answer.body) for answer in answers]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("end", ["cancelled", "failed"])
async def test_who_took_a_link_in_vain_sees_the_same_before_and_after_the_login_of_its_chat(
    tmp_path: Path, rule: str, end: str
) -> None:
    async with desk(tmp_path, binding={"rest": rule}) as bank:
        stranger, own = bank.tab(), bank.tab()
        stranger.cookie = COOKIE
        link = await bank.link()
        await leaves(stranger, link, rule)
        bank.provider.failure = WRONG if end == "failed" else None
        await stranger.back(state_of(link), **({"error": "access_denied"} if end == "cancelled" else {}))
        bank.provider.failure = None
        await bank.later()
        before = await pages(stranger, link)
        mine = await logs_in(bank, own, rule)
        assert await pages(stranger, link) == before
        # Under ``off`` no browser is known.
        assert shown(await own.get(mine)) == ((410, OVER) if rule == "off" else (200, AGAIN))
        assert await bank.client.service.log_outs.log_out("tea", "ada")
        assert await pages(stranger, link) == before


@pytest.mark.parametrize("rule", ["cookie", "code"])
async def test_who_was_sent_a_link_and_got_its_code_does_not_learn_of_the_sender_s_own_login(
    tmp_path: Path, rule: str
) -> None:
    async with desk(tmp_path, binding={"rest": rule}) as bank:
        hers = bank.tab()
        link = await bank.link("mallory")
        await leaves(hers, link, rule)
        code = code_of(await hers.back(state_of(link)))
        for step in (1, 2, 3):
            await bank.client.texts(f"{(int(code) + step) % 1_000_000:06d}", sender="mallory")
        before = await pages(hers, link)
        await logs_in(bank, bank.tab(), rule, "mallory")
        assert await pages(hers, link) == before


async def test_who_logged_in_by_a_link_that_was_sent_to_them_learns_of_no_later_login(tmp_path: Path) -> None:
    async with desk(tmp_path, binding={"rest": "confirm"}) as bank:
        hers = bank.tab()
        link = await logs_in(bank, hers, "confirm", "mallory")
        assert shown(await hers.get(link)) == (200, AGAIN)
        assert await bank.client.service.log_outs.log_out("tea", "mallory")
        before = await pages(hers, link)
        await logs_in(bank, bank.tab(), "confirm", "mallory")
        assert await pages(hers, link) == before
