"""A rule of binding that is published while a link of another one lives: the stricter one of the two counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http.support import BOT, Client, write_bot
from tests.service.login.chatting import (
    BROWSER,
    DATA,
    FOREIGN,
    OTHER_BROWSER,
    THANKS,
    WEAKER,
    WORDS,
    flow,
    later_texts,
    login,
    reach_prompt,
    refusal_code,
    tea_house,
)

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.flow.channels import Binding


async def publish_rule(client: Client, folder: Path, binding: Binding) -> None:
    """Publish this rule, while the chat's record goes on with the version that it began with."""
    await client.service.publish(write_bot(folder / "tea", BOT, flow(binding=binding), WORDS))


@pytest.mark.parametrize(
    ("was", "published", "counts"),
    [
        ("off", "code", "code"),
        ("off", "cookie", "cookie"),
        ("confirm", "cookie", "cookie"),
        ("code", "off", "code"),
        ("cookie", "confirm", "cookie"),
    ],
)
async def test_of_the_rule_of_a_links_version_and_the_active_ones_the_stricter_one_counts_for_its_start_page(
    tmp_path: Path, was: Binding, published: Binding, counts: Binding
) -> None:
    async with tea_house(tmp_path, binding=was) as client:
        state = await reach_prompt(client)
        await publish_rule(client, tmp_path, published)
        opened = await client.service.links.open(state)
        assert opened.rule == counts
        if was in WEAKER:
            assert await refusal_code(client.service.links.tie(opened, was, BROWSER)) == FOREIGN


@pytest.mark.parametrize(("was", "published"), [("off", "cookie"), ("off", "confirm"), ("confirm", "code")])
async def test_a_browser_that_was_tied_by_a_weaker_rule_gets_a_code_where_a_stricter_one_came_meanwhile(
    tmp_path: Path, was: Binding, published: Binding
) -> None:
    async with tea_house(tmp_path, binding=was) as client:
        links, state = client.service.links, await reach_prompt(client)
        await links.tie(await links.open(state), was, BROWSER)
        await publish_rule(client, tmp_path, published)
        if was == "confirm":
            assert await refusal_code(links.take(state, OTHER_BROWSER)) == FOREIGN
        opened = await links.take(state, BROWSER)
        code = await links.finish(opened, login(opened))
        assert code is not None
        assert await later_texts(client) == []
        assert await client.texts(code) == [THANKS, DATA]


async def test_a_weaker_rule_that_came_meanwhile_changes_nothing_for_a_browser_that_is_tied(tmp_path: Path) -> None:
    async with tea_house(tmp_path, binding="cookie") as client:
        links, state = client.service.links, await reach_prompt(client)
        await links.tie(await links.open(state), "cookie", BROWSER)
        await publish_rule(client, tmp_path, "off")
        assert await refusal_code(links.take(state, OTHER_BROWSER)) == FOREIGN
        opened = await links.take(state, BROWSER)
        assert await links.finish(opened, login(opened)) is None
