"""Microsoft Teams as its users meet it: the service and the strict stand-in of the Bot Framework call each other."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.channels.teams_bot import GROUP, connect, place_of, received, serving, words
from tests.http import dialogs
from tests.http.support import FLOW

from dialoom.channels.teams.connector import download
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.testing.platforms.workplace_chat import TeamsUser


async def test_a_user_adds_the_bot_types_taps_and_is_answered(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        assert (await ada.say("tea")).status == 200
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        (card,) = ada.received[-1]["attachments"]
        assert [one["type"] for one in card["content"]["body"]] == ["ActionSet"]
        await ada.submit("Mint")
        assert await received(teams, ada, 3) == ["Hello!", "Which tea?", "The password?"]
        assert [one["text"] for one in ada.messages if one["from"]["id"] == ada.id] == ["tea", "Mint"]
        await running.settled()
        assert len(teams.calls("/oauth2/")) == 1, "the bot's token is kept"
        assert any(one.body.get("type") == "typing" for one in teams.calls("/activities"))
        assert all({"msteams", "option"} == one["data"].keys() for one in card["content"]["body"][0]["actions"])
        # A tap on a question that is over is answered with the one that is open.
        await ada.submit("Green")
        assert (await received(teams, ada, 4))[-1].endswith("The password?")


async def test_every_dialog_is_shown_as_a_card_and_answered(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, dialogs.FLOW) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        await ada.submit("Take it", option=choices(ada)["Black"])
        await received(teams, ada, 3)
        offered = choices(ada)
        await ada.submit("Submit", options=f"{offered['Green']},{offered['Mint']}")
        await received(teams, ada, 4)
        carousel = ada.received[-1]
        assert (carousel["attachmentLayout"], len(carousel["attachments"])) == ("carousel", 2)
        await ada.submit("Select")
        await received(teams, ada, 5)
        await ada.submit("Submit", date="2026-09-30")
        assert (await received(teams, ada, 6))[-1] == "That is too soon."
        await ada.submit("Submit", date="2026-12-24")
        await teams.until(lambda: words(ada.received[-1]) == "Where to?")
        assert ada.link("Show where").startswith(f"{running.url}/v1/bots/tea/channels/desk/pick/")


def choices(user: TeamsUser) -> dict[str, str]:
    """Return the values of the last card's choices by their titles."""
    body = user.received[-1]["attachments"][0]["content"]["body"]
    (asked,) = [one for one in body if one["type"] == "Input.ChoiceSet"]
    return {one["title"].partition(" – ")[0]: one["value"] for one in asked["choices"]}


async def test_a_carousel_has_at_most_ten_cards_a_message_and_no_picture_over_http(
    teams: Teams, tmp_path: Path
) -> None:
    flow = copy.deepcopy(FLOW)
    image = "http://t.example/{{this}}.png"
    flow["conversations"]["tea"]["steps"][0] |= {
        "entity-type": "Text",
        "display": {
            "type": "carousel",
            "title": "Cups",
            "data": [f"Cup {number}" for number in range(23)],
            "template": {"title": "{{this}}", "image": image, "value": "{{this}}"},
        },
    }
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 4)
        assert [len(one.get("attachments", [])) for one in ada.received] == [0, 10, 10, 3]
        assert [one.get("text") for one in ada.received] == ["Hello!", "Which tea?", None, None]


async def test_a_list_too_large_for_a_message_leads_to_the_hosted_page(teams: Teams, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][0] |= {
        "entity-type": "Text",
        "display": {
            "type": "multi-select",
            "title": "Many",
            "data": [f"{number} {'x' * 200}" for number in range(300)],
        },
    }
    async with serving(teams, tmp_path, flow) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.say("tea")
        await received(teams, ada, 2)
        assert "/pick/" in ada.link("Many")


async def test_in_a_group_the_bot_answers_who_mentions_it_and_remembers_each_person(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada, ben = teams.user("Ada"), teams.user("Ben")
        await teams.post(teams.activity(ada, {"type": "message", "text": "tea", "conversation": GROUP}))
        await ada.say("tea", GROUP)
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        # A button of Ada's card answers nothing of Ben's.
        action = ada.received[-1]["attachments"][0]["content"]["body"][0]["actions"][0]
        tap = {"type": "message", "value": action["data"]["msteams"]["value"], "conversation": GROUP}
        await teams.post(teams.activity(ben, tap))
        # Ben has a memory of his own, and answers no question that Ada was asked.
        await ben.say("help", GROUP)
        await teams.until(lambda: "Say tea." in map(words, [*ada.received, *ben.received]))
        teams.groups[GROUP["id"]] = ada
        await teams.post(teams.activity(ada, tap))
        assert (await received(teams, ada, 3))[-1] == "The password?"
        posted = {one.address for one in teams.calls("/activities")}
        assert posted == {"/emea/v3/conversations/19%3Aroom%40thread.v2/activities"}
        joined = {"type": "conversationUpdate", "membersAdded": [{"id": "29:somebody"}], "conversation": GROUP}
        count = len(teams.calls("/activities"))
        await teams.post(teams.activity(ada, joined))
        await running.settled()
        assert len(teams.calls("/activities")) == count


async def test_what_is_no_message_is_taken_in_silence_and_an_edited_message_is_one(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        ada.has_installed = True
        kinds: list[dict[str, Any]] = [
            {"type": "messageReaction", "reactionsAdded": [{"type": "like"}], "replyToId": "1"},
            {"type": "messageDelete", "channelData": {"eventType": "softDeleteMessage"}},
            {"type": "typing"},
            {"type": "event", "name": "x"},
            {"type": "installationUpdate", "action": "remove"},
            {"type": "conversationUpdate", "membersRemoved": [{"id": ada.id}]},
        ]
        for kind in kinds:
            assert (await teams.post(teams.activity(ada, kind))).status == 200
        unknown = teams.activity(ada, {"type": "invoke", "name": "task/fetch", "value": {}})
        assert (await teams.post(unknown)).status == 501
        await running.settled()
        assert ada.received == []
        sent = teams.activity(ada, {"type": "message", "text": "tea"})
        for _ in range(2):  # a repetition is dropped
            assert (await teams.post(sent)).status == 200
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        await ada.edit(sent["id"], "green")
        assert (await received(teams, ada, 3))[-1] == "The password?"


async def test_a_picture_is_fetched_with_the_token_of_the_bot_and_a_foreign_host_never_gets_it(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.send_attachment("image/png", f"{teams.service_url}v3/attachments/1/views/original")
        await teams.until(lambda: bool(teams.calls("/attachments/")))
        (asked,) = teams.calls("/attachments/")
        assert asked.headers["authorization"].startswith("Bearer ")
        foreign = await download("https://files.example/v3/attachments/1", place_of(running))
        assert foreign.headers == ()
