"""The two records of the history API, exactly as clients read them (history-api.md, Records)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Status = Literal["active", "success", "failure", "abandoned", "handed-over", "closed"]


def time_schema(description: str, example: str = "2026-11-20T08:15:30.250Z") -> Meta:
    """Return the schema of a time that clients read as a text: UTC, ISO 8601 with milliseconds."""
    return Meta(description=description, examples=[example], extra_json_schema={"format": "date-time"})


class MessageCounts(msgspec.Struct):
    """How many messages it has."""

    user: Annotated[
        int,
        Meta(
            description="Messages and taps of the user, also while the bot is silent.",
            examples=[5],
            extra_json_schema={"minimum": 0},
        ),
    ] = 0
    bot: Annotated[int, Meta(description="Messages of the bot.", examples=[7], extra_json_schema={"minimum": 0})] = 0


class ChannelData(msgspec.Struct, frozen=True, rename="pascal"):
    """The channel as it was when the conversation began."""

    id: Annotated[str, Meta(description="The channel's id.", examples=["rest"])]
    provider_name: Annotated[str, Meta(description="Its type, as `bot.json` names it.", examples=["rest"])]
    name: Annotated[
        str | None,
        Meta(
            description="On rest the caller's own label in the address; else the channel's name.", examples=["my-app"]
        ),
    ] = None


class UserData(msgspec.Struct, frozen=True, rename="pascal"):
    """The user as it was when the conversation began."""

    external_id: Annotated[
        str | None, Meta(description="An id that the page or a user token gave.", examples=[None])
    ] = None
    first_name: Annotated[str | None, Meta(description="First name.", examples=["Ada"])] = None
    last_name: Annotated[str | None, Meta(description="Last name.", examples=["Lovelace"])] = None
    avatar: Annotated[str | None, Meta(description="Address of a picture.", examples=[None])] = None
    locale: Annotated[str | None, Meta(description="Language, as in `de-AT`.", examples=["en-GB"])] = None
    timezone: Annotated[
        str | None, Meta(description="Time zone, as in `Europe/Vienna`.", examples=["Europe/London"])
    ] = None


MAX_COMMENT_CHARS = 1000
Comment = Annotated[str, Meta(max_length=MAX_COMMENT_CHARS)]


class Rating(msgspec.Struct, frozen=True):
    """What the user thought of the conversation, after its end."""

    score: Annotated[int, Meta(description="1 (bad) to 5 (good).", examples=[5], ge=1, le=5)]
    comment: Annotated[
        Comment | UnsetType,
        Meta(description="In the user's words, masked as messages are.", examples=["Quick and kind"]),
    ] = UNSET


class Data(msgspec.Struct):
    """Who spoke, where, and what the bot knew at the end (so far)."""

    channel: Annotated[ChannelData, Meta(description="The channel as it was when the conversation began.")]
    user: Annotated[UserData, Meta(description="The user as it was when the conversation began.")]
    context: Annotated[
        dict[str, Any],
        Meta(
            description="What clients and the flow put into memory; secrets are masked. Over 64 KiB it "
            'is `{"truncated": bytes}`.',
            examples=[{"plan": "gold", "orders": [{"total": 120, "paid": True}]}],
        ),
    ] = {}
    entities: Annotated[
        dict[str, Any],
        Meta(
            description="The entities by name; secrets are masked.",
            examples=[{"doctor": {"value": "weber"}, "day": "2026-11-23"}],
        ),
    ] = {}
    rating: Annotated[
        Rating | UnsetType,
        Meta(description="The user's rating, once there is one: where the channel has `ask-rating`."),
    ] = UNSET
    step: Annotated[
        str | UnsetType,
        Meta(
            description="The step of the flow that spoke last, as `conversation/index`: where an unfinished "
            "conversation stopped.",
            examples=["book-appointment/2"],
        ),
    ] = UNSET
    not_understood: Annotated[
        int | UnsetType,
        Meta(description="Messages that were not understood, if there are any.", examples=[1]),
    ] = msgspec.field(default=UNSET, name="notUnderstood")
    offered: Annotated[
        int | UnsetType,
        Meta(description='Messages that were answered with "Did you mean ...?", if there are any.', examples=[1]),
    ] = UNSET
    offers_taken: Annotated[
        int | UnsetType,
        Meta(description="How many of these offers the user chose something of, if any.", examples=[1]),
    ] = msgspec.field(default=UNSET, name="offersTaken")
    offers_refused: Annotated[
        int | UnsetType,
        Meta(description='How many of them the user answered with "Neither", if any.', examples=[1]),
    ] = msgspec.field(default=UNSET, name="offersRefused")
    handed_over: Annotated[
        bool | UnsetType,
        Meta(description="True once the bot has handed the conversation over to a person, also after that."),
    ] = msgspec.field(default=UNSET, name="handedOver")


class ConversationRecord(msgspec.Struct, rename="pascal", kw_only=True):
    """One talk of one user, from its first message to its end."""

    id: Annotated[
        str,
        Meta(description="A UUIDv7: records sort by it as by time.", examples=["01a1fe42-c18f-7001-8eac-56bfbc5a17ce"]),
    ] = msgspec.field(name="_id")
    bot: Annotated[str, Meta(description="The bot's id.", examples=["clinic"])]
    user: Annotated[
        str,
        Meta(
            description="The user's id on its channel (`sender.id` on rest). Users of two channels may have the same.",
            examples=["ada"],
        ),
    ]
    channel: Annotated[str, Meta(description="The channel's id.", examples=["rest"])]
    status: Annotated[
        Status,
        Meta(
            description="`active`: it goes on; `success`: the goal's steps were completed; `failure`: stopped by "
            "an error, until the next message takes it up; `abandoned`: silence, a restart, or a `go-"
            "to` out of the last goal; `handed-over`: to a person; `closed`: ended without ever "
            "having had a goal.",
            examples=["success"],
        ),
    ] = "active"
    started_at: Annotated[
        str, time_schema("When its first message or opening came. In UTC, ISO 8601 with milliseconds.")
    ]
    updated_at: Annotated[
        str, time_schema("When it last changed. In UTC, ISO 8601 with milliseconds.", "2026-11-20T08:17:02.118Z")
    ]
    ended_at: Annotated[
        str | None,
        time_schema(
            "When it ended; null while it is open. In UTC, ISO 8601 with milliseconds.", "2026-11-20T08:17:02.118Z"
        ),
    ] = None
    goal: Annotated[
        str | None,
        Meta(
            description="Key of the first goal in the flow; null before one is chosen.", examples=["book-appointment"]
        ),
    ] = None
    errors: Annotated[
        int,
        Meta(
            description="Failed turns and failed logins. Answers that were not allowed do not count.",
            examples=[0],
            extra_json_schema={"minimum": 0},
        ),
    ] = 0
    messages: Annotated[MessageCounts, Meta(description="How many messages it has.")]
    flow_version: Annotated[
        str, Meta(description="The version of the bot's files that it runs on.", examples=["5d0f3a1c9be2"])
    ]
    data: Annotated[Data, Meta(description="Who spoke, where, and what the bot knew at the end (so far).")]


class OfferedWish(msgspec.Struct, frozen=True):
    """What a message may ask for: a conversation, or the answer of a QnA type."""

    type: Annotated[str, Meta(description="`Conversation` or the QnA type.", examples=["Conversation"])]
    value: Annotated[str, Meta(description="The conversation's key, or the value.", examples=["book-appointment"])]


class MessageRecord(msgspec.Struct, rename="pascal", kw_only=True, frozen=True):
    """One message of a user or of the bot."""

    id: Annotated[
        str,
        Meta(description="A UUIDv7: records sort by it as by time.", examples=["01a1fe42-c594-7001-8c1d-58ca063f304c"]),
    ] = msgspec.field(name="_id")
    bot: Annotated[str, Meta(description="The bot's id.", examples=["clinic"])]
    conversation: Annotated[
        str, Meta(description="The `_id` of its conversation.", examples=["01a1fe42-c18f-7001-8eac-56bfbc5a17ce"])
    ]
    user: Annotated[
        str,
        Meta(
            description="The user's id on its channel (`sender.id` on rest). Users of two channels may have the same.",
            examples=["ada"],
        ),
    ]
    channel: Annotated[str, Meta(description="The channel's id.", examples=["rest"])]
    from_: Annotated[Literal["user", "bot"], Meta(description="Who said it.", examples=["user"])] = msgspec.field(
        name="From"
    )
    type: Annotated[
        Literal["text", "option", "location", "file", "event", "template"],
        Meta(description="What it is.", examples=["text"]),
    ]
    text: Annotated[
        str | None,
        Meta(
            description="What it says; `***` where it answers a question for a secret.",
            examples=["I need a skin doctor"],
        ),
    ] = None
    payload: Annotated[
        Any,
        Meta(
            description="What it holds besides text: chosen option, location, files, quick replies or dialog; or null.",
            examples=[None],
        ),
    ] = None
    step: Annotated[
        str | None,
        Meta(
            description="What said it, as `conversation/index` in the flow; null on messages of the user.",
            examples=[None],
        ),
    ] = None
    understanding: Annotated[
        Any,
        Meta(
            description="What was found in the user's words, by entity type: `value`, `confidence`, `start`, "
            "`end` and `text` of each find; or null.",
            examples=[
                {
                    "Conversation": [
                        {
                            "value": "book-appointment",
                            "confidence": 0.93,
                            "start": 0,
                            "end": 20,
                            "text": "I need a skin doctor",
                        }
                    ]
                }
            ],
        ),
    ] = None
    understood: Annotated[
        Literal[False] | UnsetType,
        Meta(
            description="`false` on a message of the user that was not understood; else it is not there.",
            examples=[False],
        ),
    ] = UNSET
    offered: Annotated[
        list[Annotated[OfferedWish, Meta(description="One of the two, or the only one.")]] | UnsetType,
        Meta(
            description='On a message of the user that was answered with "Did you mean ...?": what was offered, the '
            "likelier one first; else it is not there.",
            examples=[[{"type": "Conversation", "value": "book-appointment"}]],
        ),
    ] = UNSET
    chosen: Annotated[
        OfferedWish | UnsetType | None,
        Meta(
            description="On the user's answer to that: what was chosen, or null for none of it; else it is not there.",
            examples=[{"type": "Conversation", "value": "book-appointment"}],
        ),
    ] = UNSET
    person: Annotated[
        str | UnsetType,
        Meta(
            description="Name of the person who said it in a hand-off; not there where the bot did.", examples=["Ada"]
        ),
    ] = UNSET
    error: Annotated[str | None, Meta(description="Why the flow failed here, if it did.", examples=[None])] = None
    created_at: Annotated[str, time_schema("When it was said. In UTC, ISO 8601 with milliseconds.")]
    sequence: Annotated[
        int, Meta(description="1, 2, 3 and so on in its conversation.", examples=[1], extra_json_schema={"minimum": 1})
    ]
