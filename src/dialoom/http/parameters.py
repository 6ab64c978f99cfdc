"""Defines the query parameters of endpoints as types: names, meanings and limits, from which the description is made.

What a value may be is checked where it is read; schemathesis holds the two together.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from dialoom.http.history.parameters import DEFAULT_LIMIT, MAX_LIMIT, MAX_SKIP
from dialoom.query.fields import MAX_FIELDS
from dialoom.query.json_text import MAX_BYTES
from dialoom.service.outbox.outbox import MAX_LISTED

Position = Annotated[str, Meta(pattern="^[0-9]{1,16}$")]
Text = Annotated[str, Meta(min_length=1)]


class CountQuery(msgspec.Struct):
    query: Annotated[
        str,
        Meta(
            description="Which records: the text of a JSON object of MongoDB's predicates (`HistoryQuery`), at most "
            f"{MAX_BYTES // 1024} KiB. Without it: all.",
            # A schema of the text, not the parameter's content: generators leave out what is not described by one.
            extra_json_schema={
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": "#/components/schemas/HistoryQuery"},
            },
        ),
    ] = ""


class ListQuery(CountQuery):
    sort: Annotated[
        Text,
        Meta(
            description="In which order: the name of a property, upwards, or a JSON object of names to 1 (up) or -1 "
            "(down), the most important first, at most 8. `_id` is always added last. Without it: by `_id`, that is by "
            "time, and a walk misses nothing that was committed before it began.",
            examples=["StartedAt", '{"StartedAt": -1}', '{"Errors": -1, "StartedAt": 1}'],
        ),
    ] = ""
    limit: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_LIMIT,
            description=f"At most so many records. Without it {DEFAULT_LIMIT}; a stream then has no limit.",
            examples=[50],
        ),
    ] = DEFAULT_LIMIT
    skip: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_SKIP,
            description="Leave out so many matching records first. Not beside `after`, which is for long walks: it "
            "does not get slower.",
            examples=[50],
        ),
    ] = 0
    after: Annotated[
        Text,
        Meta(
            description="Go on behind the last record of the page before: the value in its header `Link`. It belongs "
            "to that `sort` and `query`; take the whole address of the header and nothing can go wrong."
        ),
    ] = ""
    fields: Annotated[
        tuple[Annotated[str, Meta(min_length=1, pattern="^[^,]+$")], ...],
        Meta(
            min_length=1,
            max_length=MAX_FIELDS,
            description="Only these properties, separated by commas, with dots into nested objects; at most "
            f"{MAX_FIELDS}. `_id` always.",
            examples=[["User", "Status", "Data.user.FirstName"]],
        ),
    ] = ()
    total: Annotated[
        bool,
        Meta(description="`true`: the header `X-Total-Count` tells how many records match in all.", examples=[True]),
    ] = False


class UserQuery(msgspec.Struct):
    channel: Annotated[
        Text,
        Meta(
            description="The channel's id; needed when a user of this id exists on several.",
            examples=["rest"],
        ),
    ] = ""


class StudioListQuery(msgspec.Struct):
    filter: Text = ""
    sort: Text = ""
    limit: int = DEFAULT_LIMIT
    skip: int = 0
    after: Text = ""


class StudioOpenIdQuery(msgspec.Struct):
    to: Text = ""


class StudioSaidQuery(msgspec.Struct):
    text: Text
    filter: Text = ""


class StudioPageQuery(msgspec.Struct):
    after: Position = ""


class AuditQuery(msgspec.Struct):
    before: Position = ""


class StudioHandOffQuery(msgspec.Struct):
    after: Position = ""
    wait: Text = ""


class InsightsQuery(msgspec.Struct):
    since: Text = msgspec.field(default="", name="from")
    until: Text = msgspec.field(default="", name="to")
    channel: Text = ""
    version: Text = ""


class MissedQuery(msgspec.Struct):
    since: Text = msgspec.field(default="", name="from")


class LaterQuery(msgspec.Struct):
    sender: Annotated[str, Meta(min_length=1, max_length=256, description="The user's `sender.id`.", examples=["ada"])]
    after: Annotated[
        Position,
        Meta(
            description="The `next` of an answer before: what came up to there has arrived and does not come again.",
            examples=["9"],
        ),
    ] = ""


class EventsQuery(msgspec.Struct):
    after: Annotated[Position, Meta(description="A position: what came behind it.", examples=["4"])] = ""


class PollQuery(EventsQuery):
    wait: Annotated[
        int,
        Meta(ge=0, le=25, description="Seconds to wait for the next message, if there is none.", examples=[25]),
    ] = 0


class FileQuery(msgspec.Struct):
    name: Annotated[str, Meta(description="What it is called.", examples=["leaf.png"])] = ""


class SignatureQuery(msgspec.Struct):
    e: Annotated[str, Meta(description="When the address expires, in seconds since 1970.")]
    s: Annotated[str, Meta(description="Its signature.")]


class LinkQuery(msgspec.Struct):
    link: Annotated[str, Meta(description="The `key` of the dialog that asks for the login.", examples=["7x_Q"])]


class PlacesQuery(msgspec.Struct):
    q: Annotated[str, Meta(description="The name of a place, 1 to 200 characters.", examples=["Altona"])]


class StateQuery(msgspec.Struct):
    state: Annotated[str, Meta(description="Of the login link.", examples=["q83vEjRWeJA"])] = ""


class StartQuery(StateQuery):
    by: Annotated[str, Meta(description="`code`: on without asking the chat page.", examples=["code"])] = ""


class CallbackQuery(StateQuery):
    code: Annotated[str, Meta(description="The provider's code.")] = ""
    iss: Annotated[str, Meta(description="The provider's issuer (RFC 9207).")] = ""
    error: Annotated[str, Meta(description="In place of a code: why there is none.")] = ""
    error_description: Annotated[str, Meta(description="Not read.")] = ""


class LettersQuery(msgspec.Struct):
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED, description="At most so many.", examples=[10])] = 100
