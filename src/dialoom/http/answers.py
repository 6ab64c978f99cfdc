"""Defines the types of answers that handlers put together as plain JSON; the description is made from them.

Schemathesis holds the answers of the service to them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.messages.records import time_schema


class RestReply(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A quick reply."""

    title: Annotated[str, Meta(description="What it says.", examples=["Green"])]
    value: Annotated[Any, Meta(description="What the bot receives; say it as `option`.", examples=["Green"])]
    image: Annotated[
        str | UnsetType, Meta(description="Address of a picture.", examples=["https://shop.example/green.jpg"])
    ] = UNSET


class RestButton(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A button."""

    title: Annotated[str, Meta(description="What it says.", examples=["Choose"])]
    url: Annotated[str | UnsetType, Meta(description="Where it leads.", examples=["https://bots.example.org/..."])] = (
        UNSET
    )


class RestTemplate(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """For clients that know only buttons: a link to a hosted page. Of a location picker it is the whole."""

    type: Annotated[Literal["button", "location-picker"], Meta(description="The kind.", examples=["button"])]
    buttons: Annotated[tuple[RestButton, ...], Meta(description="What opens it, what submits it.")]


class RestItem(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An option of a dialog."""

    title: Annotated[str, Meta(description="First line.", examples=["Green tea"])]
    value: Annotated[
        Any | UnsetType, Meta(description="What the bot receives; say it as `option`.", examples=["Green"])
    ] = UNSET
    subtitle: Annotated[str | UnsetType, Meta(description="Second line.", examples=["light"])] = UNSET
    image_url: Annotated[
        str | UnsetType, Meta(description="Address of a picture.", examples=["https://shop.example/green.jpg"])
    ] = UNSET


class RestDialog(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A dialog."""

    type: Annotated[
        Literal["single-select", "multi-select", "carousel", "date-picker", "login"],
        Meta(description="The kind.", examples=["single-select"]),
    ]
    items: Annotated[tuple[RestItem, ...] | UnsetType, Meta(description="The options; a login has one.")] = UNSET
    buttons: Annotated[tuple[RestButton, ...], Meta(description="What opens it, what submits it.")]


class RestMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A message of the bot."""

    id: Annotated[str, Meta(description="The record's `_id`.", examples=["01a1fe42-c18f-7001-8eac-56bfbc5a17ce"])]
    text: Annotated[
        str | UnsetType, Meta(description="What it says, as its author wrote it: Markdown.", examples=["Which tea?"])
    ] = UNSET
    quick_replies: Annotated[
        tuple[str, ...] | UnsetType, Meta(description="Titles of the quick replies.", examples=[["Green", "Black"]])
    ] = UNSET
    rich_quick_replies: Annotated[
        tuple[RestReply, ...] | UnsetType, Meta(description="The same with their values; always beside `quickReplies`.")
    ] = UNSET
    template: Annotated[
        RestTemplate | UnsetType,
        Meta(
            description="For clients that know only buttons: a link to a hosted page. Of a location picker it is the "
            "whole."
        ),
    ] = UNSET
    v2template: Annotated[RestDialog | UnsetType, Meta(description="A dialog.")] = UNSET


class LaterMessages(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Messages that no answer has carried yet."""

    messages: Annotated[tuple[RestMessage, ...], Meta(description="At most 200, in order.")]
    next: Annotated[str, Meta(description="Give it as `after` with the next call.", examples=["9"])]


class BotProfile(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The bot that asks."""

    id: Annotated[str, Meta(description="The bot's id.", examples=["clinic"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Lindenhof Clinic"])]
    avatar_url: Annotated[
        str | None, Meta(description="Address of its picture.", examples=["https://clinic.example/bot.png"])
    ]
    language: Annotated[str, Meta(description="Its language.", examples=["en"])]


class Question(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The question that a picker page shows."""

    bot: Annotated[BotProfile, Meta(description="Who asks.")]
    text: Annotated[str, Meta(description="The question.", examples=["Which **tea**?"])]
    dialog: Annotated[dict[str, Any], Meta(description="The dialog, with the `key` of each option.")]
    locale: Annotated[str, Meta(description="The user's language, or the bot's.", examples=["de-AT"])]


class Back(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The address that a picker page leads to after the answer."""

    back: Annotated[
        str | None,
        Meta(
            description="Address of the chat's page, if it has one.",
            examples=["https://bots.example.org/chat/clinic/web"],
        ),
    ]


class WebOption(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An option of a dialog, or a quick reply."""

    key: Annotated[str | UnsetType, Meta(description="Choose it by this.", examples=["3.0"])] = UNSET
    title: Annotated[str, Meta(description="What it says: Markdown.", examples=["Green"])]
    value: Annotated[Any, Meta(description="What the bot receives.", examples=["Green"])]
    subtitle: Annotated[str | UnsetType, Meta(description="Second line.", examples=["light"])] = UNSET
    image: Annotated[
        str | UnsetType, Meta(description="Address of a picture.", examples=["https://shop.example/green.jpg"])
    ] = UNSET
    role: Annotated[
        str | UnsetType,
        Meta(description="`confirm`: confirms; `danger`: confirms what cannot be taken back.", examples=["danger"]),
    ] = UNSET
    system: Annotated[str | UnsetType, Meta(description="`next` or `previous`: turns the page.", examples=["next"])] = (
        UNSET
    )


class WebMap(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Where the squares of a map come from."""

    tiles: Annotated[
        str,
        Meta(
            description="Address with `{z}`, `{x}` and `{y}` in it.",
            examples=["https://tiles.example.org/{z}/{x}/{y}.png"],
        ),
    ]
    attribution: Annotated[
        str, Meta(description="Whose map it is; show it.", examples=["© OpenStreetMap contributors"])
    ]


class WebSpot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place that was found."""

    title: Annotated[str, Meta(description="What it is called.", examples=["Altona"])]
    subtitle: Annotated[str, Meta(description="Where that is.", examples=["Altona, Hamburg, Germany"])]
    latitude: Annotated[float, Meta(description="Degrees north.", examples=[53.55])]
    longitude: Annotated[float, Meta(description="Degrees east.", examples=[9.94])]


class FoundPlaces(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Places of a name."""

    places: Annotated[tuple[WebSpot, ...], Meta(description="At most 5, the likeliest first.")]
    attribution: Annotated[
        str, Meta(description="Whose data it is; show it.", examples=["Data © OpenStreetMap contributors, ODbL 1.0"])
    ]


class WebDialog(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The dialog that a message opens."""

    type: Annotated[
        Literal["location-picker", "date-picker", "single-select", "multi-select", "carousel", "login"],
        Meta(description="The kind.", examples=["single-select"]),
    ]
    title: Annotated[str | UnsetType, Meta(description="Text of the button that opens it.", examples=["Choose"])] = (
        UNSET
    )
    button_text: Annotated[
        str | UnsetType, Meta(description="Text of the button that submits.", examples=["Take it"])
    ] = UNSET
    key: Annotated[
        str | UnsetType, Meta(description="Of the question: goes as `ask` with a value or a place.", examples=["3"])
    ] = UNSET
    options: Annotated[
        tuple[WebOption, ...] | UnsetType,
        Meta(description="All options; the `value` of a place has `latitude`, `longitude` and `name`."),
    ] = UNSET
    min: Annotated[str | UnsetType, Meta(description="Of a date picker: the first day.", examples=["2030-01-02"])] = (
        UNSET
    )
    max: Annotated[str | UnsetType, Meta(description="Of a date picker: the last day.", examples=["2030-12-31"])] = (
        UNSET
    )
    off: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(
            description="Of a date picker: days that cannot be chosen, and weekdays.",
            examples=[["sunday", "2030-12-25"]],
        ),
    ] = UNSET
    search: Annotated[
        bool | UnsetType, Meta(description="Of a location picker: `web/places` finds places.", examples=[True])
    ] = UNSET
    map: Annotated[WebMap | UnsetType, Meta(description="Of a location picker: the operator's map.")] = UNSET
    url: Annotated[
        str | UnsetType,
        Meta(
            description="Of a login: where it leads.",
            examples=["https://bots.example.org/v1/account-linking/start?state=..."],
        ),
    ] = UNSET
    image: Annotated[
        str | UnsetType,
        Meta(description="Of a login: the card's picture.", examples=["https://clinic.example/login.png"]),
    ] = UNSET


class WebPlace(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place that the user sent."""

    latitude: Annotated[float, Meta(description="Degrees north.", examples=[52.52])]
    longitude: Annotated[float, Meta(description="Degrees east.", examples=[13.4])]
    name: Annotated[str | UnsetType, Meta(description="What it is called.", examples=["Berlin"])] = UNSET


class FileLink(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file of a message."""

    url: Annotated[
        str,
        Meta(description="Its address, signed again with each reading.", examples=["https://bots.example.org/v1/..."]),
    ]
    mime_type: Annotated[str, Meta(description="Its type, found from its content.", examples=["image/png"])]
    name: Annotated[str, Meta(description="What it is called.", examples=["leaf.png"])]


class WebMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A message of the chat."""

    id: Annotated[str, Meta(description="The record's `_id`.", examples=["01a1fe42-c594-7001-8c1d-58ca063f304c"])]
    position: Annotated[int, Meta(description="Its place in the chat: 1, 2, 3 and so on.", examples=[4])]
    from_: Annotated[Literal["user", "bot"], Meta(description="Who said it.", examples=["bot"])] = msgspec.field(
        name="from"
    )
    type: Annotated[
        Literal["text", "option", "location", "file", "event", "template"],
        Meta(description="What it is.", examples=["text"]),
    ]
    created_at: Annotated[str, time_schema("When it was said.")]
    text: Annotated[str | UnsetType, Meta(description="What it says: Markdown.", examples=["Which tea?"])] = UNSET
    client_id: Annotated[str | UnsetType, Meta(description="The `id` that the client gave it.", examples=["1"])] = UNSET
    person: Annotated[
        str | UnsetType, Meta(description="Name of the person who said it instead of the bot.", examples=["Ada"])
    ] = UNSET
    replies: Annotated[tuple[WebOption, ...] | UnsetType, Meta(description="The quick replies.")] = UNSET
    dialog: Annotated[WebDialog | UnsetType, Meta(description="A dialog that it opens.")] = UNSET
    location: Annotated[WebPlace | UnsetType, Meta(description="A place that the user sent.")] = UNSET
    files: Annotated[tuple[FileLink, ...] | UnsetType, Meta(description="Files that the user sent.")] = UNSET
    wants: Annotated[Literal["file"] | UnsetType, Meta(description="The open question is answered by a file.")] = UNSET
    logged_in: Annotated[Literal[True] | UnsetType, Meta(description="The first that the bot says after a login.")] = (
        UNSET
    )


class SessionId(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The user."""

    id: Annotated[str, Meta(description="The user's id.", examples=["web_0d7b7c9dcf6a4b0e"])]


class SessionBot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The bot."""

    id: Annotated[str, Meta(description="The bot's id.", examples=["clinic"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Lindenhof Clinic"])]
    avatar_url: Annotated[
        str | UnsetType | None, Meta(description="Address of its picture.", examples=["https://clinic.example/bot.png"])
    ] = UNSET
    language: Annotated[str, Meta(description="Its language.", examples=["en"])]


class SessionChannel(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the operator has set for the chat page."""

    may_erase: Annotated[
        bool, Meta(description="Whether the user may erase their data: `POST web/erasure`.", examples=[False])
    ]
    privacy_url: Annotated[
        str | None, Meta(description="Address of the privacy notice.", examples=["https://clinic.example/privacy"])
    ]
    consent: Annotated[
        str | None,
        Meta(
            description="What the user agrees to by writing; shown before the first message.",
            examples=["By writing you agree that we keep this chat for 30 days."],
        ),
    ]


class WebHandOff(msgspec.Struct, frozen=True, kw_only=True):
    """While the chat waits for a person, or one has it."""

    person: Annotated[
        str | None, Meta(description="The person's name; null while one is waited for.", examples=["Ada"])
    ]


EndedConversation = Annotated[
    str | UnsetType,
    Meta(
        description="Id of the last conversation, once it has reached its end and waits for a rating "
        "(`POST web/rating`); where the channel has `ask-rating`.",
        examples=["01a1fe42-c18f-7001-8eac-56bfbc5a17ce"],
    ),
]


class WebSession(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session of a browser."""

    token: Annotated[
        str, Meta(description="For the other calls, 24 hours.", examples=["eyJib3QiOiJjbGluaWMifQ.c2lnbmVk"])
    ]
    expires_at: Annotated[str, time_schema("Until when it lives.")]
    user: Annotated[SessionId, Meta(description="The user.")]
    resume: Annotated[
        str | UnsetType,
        Meta(
            description="Given once, to a browser without one and without a user token.",
            examples=["eyJ1c2VyIjoid2ViXzAifQ.c2ln"],
        ),
    ] = UNSET
    conversation: Annotated[
        str | None,
        Meta(
            description="Id of the conversation of the last message.", examples=["01a1fe42-c18f-7001-8eac-56bfbc5a17ce"]
        ),
    ]
    bot: Annotated[SessionBot, Meta(description="The bot.")]
    channel: Annotated[SessionChannel, Meta(description="What the operator lets the chat's menu offer.")]
    messages: Annotated[tuple[WebMessage, ...], Meta(description="The last 100.")]
    cursor: Annotated[str, Meta(description="The position reached: for `after`.", examples=["4"])]
    typing: Annotated[bool, Meta(description="Whether the bot is at work.", examples=[False])]
    hand_off: WebHandOff | UnsetType = UNSET
    ended: EndedConversation = UNSET


class WebNews(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Messages after a position."""

    messages: Annotated[tuple[WebMessage, ...], Meta(description="At most 200, in order.")]
    next: Annotated[str, Meta(description="The position reached: for `after`.", examples=["4"])]
    typing: Annotated[bool, Meta(description="Whether the bot is at work.", examples=[False])]
    hand_off: WebHandOff | UnsetType = UNSET
    ended: EndedConversation = UNSET


class Accepted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A message that is stored."""

    id: Annotated[str, Meta(description="The `id` of the message.", examples=["1"])]


class LoginProof(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The proof, for the start page of a login, of whose login it is."""

    proof: Annotated[
        str,
        Meta(
            description="Signed, for two minutes, for the browser that asked.",
            examples=["eyJzdGF0ZSI6InE4M3YifQ.c2lnbmVk"],
        ),
    ]


class LoginStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The status of a login link, for the chat that it is of."""

    status: Annotated[
        Literal["open", "through", "over"],
        Meta(
            description="`open`: a login may still come of it. `through`: not any more, and the user is logged in. "
            "`over`: neither.",
            examples=["open"],
        ),
    ]


class LoginAddress(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The address at which a login goes on."""

    address: Annotated[
        str, Meta(description="The provider's.", examples=["https://login.example.com/authorize?state=q83v"])
    ]


class Count(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How many records match."""

    count: Annotated[int, Meta(description="How many records match.", examples=[42], extra_json_schema={"minimum": 0})]
