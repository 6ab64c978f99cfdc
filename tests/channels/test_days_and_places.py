"""What channels leave out of a date picker and of a location picker that they cannot show."""

from __future__ import annotations

from dialoom.channels.rest.channel import forms
from dialoom.channels.telegram.render import calls_of
from dialoom.messages import BotMessage, Dialog, Option
from dialoom.service.chat.transcript import Spoken

PLACE = Option("Harbour", {"latitude": 53.5, "longitude": 9.9, "name": "Harbour"}, "3.0")
PLAIN = Dialog("location-picker", "Choose", "Send", key="3")
WITH_PLACES = Dialog("location-picker", "Choose", "Send", (PLACE,), key="3")
DAYS = Dialog("date-picker", "Choose", "Take", key="3")
WITH_LIMITS = Dialog("date-picker", "Choose", "Take", min="2030-01-01", max="2030-12-31", off=("sunday",), key="3")


def test_a_native_request_for_a_position_is_the_same_with_places() -> None:
    drawn = [calls_of(Spoken("m", BotMessage("Where?", (), one)), "en") for one in (PLAIN, WITH_PLACES)]
    assert drawn[0] == drawn[1]


def test_the_rest_channel_has_the_dialogs_that_its_clients_know() -> None:
    for plain, more in ((PLAIN, WITH_PLACES), (DAYS, WITH_LIMITS)):
        assert forms(BotMessage("?", (), plain)) == forms(BotMessage("?", (), more))


def test_the_yes_of_a_confirmation_is_a_reply_like_any_other_on_rest() -> None:
    replies = (Option("Yes", "Yes", "3.0", role="danger"), Option("No", "No", "3.1"))
    (form,) = forms(BotMessage("Sure?", replies))
    assert form["richQuickReplies"] == [{"title": "Yes", "value": "Yes"}, {"title": "No", "value": "No"}]
