"""The form of the rest channel's messages, where the real stack shows too little of it."""

from __future__ import annotations

from dialoom.channels import rest
from dialoom.messages import BotMessage, Dialog, Option

LOGIN = Dialog("login", "Log in", url="https://bots.example/start?state=x", image="https://bots.example/card.png")


def test_a_login_is_a_card_with_a_button_and_a_plain_button_beside_it() -> None:
    assert rest.forms(BotMessage("Please log in.", dialog=LOGIN), "m1") == [
        {
            "id": "m1",
            "text": "Please log in.",
            "template": {
                "type": "button",
                "buttons": [{"url": "https://bots.example/start?state=x", "title": "Log in"}],
            },
            "v2template": {
                "type": "login",
                "items": [{"title": "Log in", "imageUrl": "https://bots.example/card.png"}],
                "buttons": [{"title": "Log in", "url": "https://bots.example/start?state=x"}],
            },
        }
    ]


def test_without_an_address_the_buttons_still_have_their_titles() -> None:
    """As in conversation tests, which run without a service."""
    (login,) = rest.forms(BotMessage(dialog=Dialog("login", "Log in")))
    assert login["template"] == {"type": "button", "buttons": [{"title": "Log in"}]}
    assert login["v2template"]["buttons"] == [{"title": "Log in"}]
    (date,) = rest.forms(BotMessage("When?", dialog=Dialog("date-picker", "Open", "Submit", key="1")))
    assert date["template"] == {"type": "button", "buttons": [{"title": "Open"}]}


def test_a_location_picker_without_a_text_before_it_keeps_its_id() -> None:
    message = BotMessage(dialog=Dialog("location-picker", "Show", "Send"))
    template = {"type": "location-picker", "buttons": [{"title": "Show"}, {"title": "Send"}]}
    assert rest.forms(message, "m1", "https://bots.example/pick/x") == [{"id": "m1", "template": template}]


def test_titles_lose_their_markdown_and_values_stay_as_they_are() -> None:
    options = (
        Option("**Green** [tea](https://tea.example)", {"value": "green", "price": 3}, "1.0"),
        Option("`x`", "**x**"),
    )
    (message,) = rest.forms(BotMessage("*Which?*", options))
    assert message == {
        "text": "*Which?*",
        "quickReplies": ["Green tea", "x"],
        "richQuickReplies": [
            {"title": "Green tea", "value": {"value": "green", "price": 3}},
            {"title": "x", "value": "**x**"},
        ],
    }


def test_a_select_without_options_has_an_empty_list_of_items() -> None:
    (message,) = rest.forms(BotMessage("Which?", dialog=Dialog("multi-select", "Open", "Submit")))
    assert message["v2template"]["items"] == []
