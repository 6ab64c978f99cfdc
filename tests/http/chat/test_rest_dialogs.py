"""Each dialog on the rest channel: how it is shown, how it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.dialogs import FLOW
from tests.http.support import BASE, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

ANSWERS: list[dict[str, Any]] = [
    {"text": "tea"},
    {"option": "Green"},
    {"option": ["Black", "Mint"]},
    {"option": "Blue"},
    {"option": "2026-11-21"},
    {"location": {"latitude": 52.5, "longitude": 13.4, "name": "Berlin"}},
]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, FLOW) as client:
        yield client


async def asked(client: Client, number: int) -> list[dict[str, Any]]:
    """The answer to the first so many messages, the last one's."""
    answer: Any = []
    for message in ANSWERS[:number]:
        answer = await client.say(**message)
        assert answer.status == 200, answer.body
    return list(answer.json)


async def test_a_single_select_has_its_items_and_both_buttons_and_a_link_for_plain_clients(client: Client) -> None:
    cup, question = await asked(client, 1)
    assert set(cup) == {"id", "text"}
    assert question["text"] == "Which **tea**?"
    assert question["v2template"] == {
        "type": "single-select",
        "items": [
            {"title": "Green tea", "value": "Green", "subtitle": "light", "imageUrl": "https://t.example/g"},
            {"title": "Black", "value": "Black"},
        ],
        "buttons": [{"title": "Choose"}, {"title": "Take it"}],
    }
    (button,) = question["template"]["buttons"]
    assert question["template"]["type"] == "button"
    assert button["title"] == "Choose"
    assert button["url"].startswith(f"{BASE}/v1/bots/tea/channels/rest/pick/")
    assert set(question) == {"id", "text", "template", "v2template"}


async def test_a_multi_select_takes_an_array(client: Client) -> None:
    (question,) = await asked(client, 2)
    assert question["v2template"] == {
        "type": "multi-select",
        "items": [{"title": name, "value": name} for name in ("Black", "Green", "Mint")],
        "buttons": [{"title": "Add"}, {"title": "Submit"}],
    }
    assert [said["text"] for said in (await client.say(**ANSWERS[2])).json] == ["Which cup?"]


async def test_a_carousel_has_the_one_button_of_selection(client: Client) -> None:
    (question,) = await asked(client, 3)
    assert question["v2template"]["buttons"] == [{"title": "Select"}]
    assert question["v2template"]["items"][1] == {
        "title": "Blue cup",
        "value": "Blue",
        "imageUrl": "https://t.example/Blue.png",
    }
    assert question["template"]["buttons"][0]["title"] == "See the cups"


async def test_a_date_picker_has_no_items_and_takes_a_date(client: Client) -> None:
    (question,) = await asked(client, 4)
    assert question["v2template"] == {"type": "date-picker", "buttons": [{"title": "Open"}, {"title": "Submit"}]}
    assert question["template"]["buttons"][0]["title"] == "Open"
    assert (await client.say(**ANSWERS[4])).json[0]["text"] == "Where to?"


async def test_a_location_picker_is_a_message_of_its_own(client: Client) -> None:
    question, picker = await asked(client, 5)
    assert set(question) == {"id", "text"}
    buttons = [{"title": "Show where"}, {"title": "Submit"}]
    assert picker == {"id": f"{question['id']}-picker", "template": {"type": "location-picker", "buttons": buttons}}


async def test_all_that_was_chosen_is_what_the_bot_goes_on_with(client: Client) -> None:
    (last,) = await asked(client, 6)
    assert last["text"] == "Ada: Green, Black, Mint, Blue, 2026.11.21, 52.5. A note?"


async def test_a_repeated_message_has_the_same_picker_address(client: Client) -> None:
    first = await client.say("tea", id="1")
    client.clock.move(60)
    again = await client.say("tea", id="1")
    assert b"/pick/" in first.body
    assert again.body == first.body


async def test_files_answer_a_question_for_a_file_and_others_do_not(client: Client) -> None:
    await asked(client, 1)
    answer = await client.say(attachments=[{"payload": {"url": "https://t.example/a.png"}, "mimeType": "image/png"}])
    assert answer.status == 200
    assert answer.json[-1]["text"] == "Which **tea**?"
    (sent,) = (await client.history("messages", query={"Type": "file"})).json
    assert sent["Payload"] == [{"url": "https://t.example/a.png", "mimeType": "image/png"}]
