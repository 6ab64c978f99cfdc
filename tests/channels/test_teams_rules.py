"""What activities of Microsoft Teams mean."""

from __future__ import annotations

from dialoom.channels.teams import activities


def test_tags_of_mentions_that_are_never_closed_are_read_once() -> None:
    for opened in ("<at>", "<at "):
        words = activities.words_of(activity_with(opened * 200_000), "app")
        assert words == ("" if opened == "<at>" else opened.strip() + (" <at" * 199_999))
    assert activities.words_of(activity_with('Ask <at>Ben</at> and <at id="1">Cy</at> <b>now</b>'), "app") == (
        "Ask Ben and Cy <b>now</b>"
    )


def activity_with(text: str) -> activities.Activity:
    conversation = activities.Conversation(id="a")
    return activities.Activity(type="message", service_url="", conversation=conversation, text=text)
