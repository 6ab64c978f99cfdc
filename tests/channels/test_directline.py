"""Messages of the bot as activities of Direct Line: what has no card of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.channels.directline.activities import ActivityWriter
from dialoom.messages import BotMessage, Dialog, MessageRecord, Option
from dialoom.service.chat.transcript import Spoken
from dialoom.storage.store import StoredMessage

if TYPE_CHECKING:
    from dialoom.messages.said import DialogType

WRITER = ActivityWriter("talk", "ada", "tea", "Tea house", "en")


def _said(message: BotMessage, picker: str | None = None) -> dict[str, Any]:
    record = MessageRecord(
        id="m1", bot="tea", conversation="c1", user="ada", channel="line", from_="bot", type="text",
        text=message.text, created_at="2026-11-23T08:00:00.000Z", sequence=1,
    )  # fmt: skip
    [activity] = WRITER.bot_activities(StoredMessage(1, record), Spoken("m1", message, picker))
    return activity


def _dialog(type: DialogType, **more: Any) -> BotMessage:
    return BotMessage("Please.", dialog=Dialog(type=type, title="Go", button_text="Submit", key="3", **more))


def test_a_text_stays_markdown() -> None:
    activity = _said(BotMessage("Which **tea**?"))
    assert (activity["type"], activity["text"], activity["textFormat"]) == ("message", "Which **tea**?", "markdown")
    assert activity["from"] == {"id": "tea", "name": "Tea house", "role": "bot"}
    assert "attachments" not in activity


def test_a_login_is_a_sign_in_card_whose_button_opens_the_link() -> None:
    activity = _said(_dialog("login", url="https://bots.example/login"))
    [card] = activity["attachments"]
    assert (activity["text"], card["contentType"]) == ("Please.", "application/vnd.microsoft.card.signin")
    assert card["content"]["buttons"] == [{"type": "openUrl", "title": "Go", "value": "https://bots.example/login"}]


def test_a_location_picker_is_a_link_to_its_page() -> None:
    [card] = _said(_dialog("location-picker"), "https://bots.example/pick")["attachments"]
    assert card["content"]["actions"] == [{"type": "Action.OpenUrl", "title": "Go", "url": "https://bots.example/pick"}]


def test_titles_of_quick_replies_are_plain_and_their_pictures_are_shown() -> None:
    replies = (Option(title="**Tea**", value=1, key="3.0", image="https://t.example/1"), Option(title="More", value=2))
    first, second = _said(BotMessage("Which?", replies=replies))["suggestedActions"]["actions"]
    assert first == {
        "type": "messageBack", "title": "Tea", "text": "Tea", "displayText": "Tea",
        "value": {"option": "3.0"}, "image": "https://t.example/1",
    }  # fmt: skip
    assert second["value"] == {"say": "2"}


def test_a_carousel_of_no_options_is_its_question_alone() -> None:
    assert "attachments" not in _said(_dialog("carousel"))
