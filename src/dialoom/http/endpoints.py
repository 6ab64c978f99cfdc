"""Lists all endpoints in a table, one row each.

Dispatch, ``Allow``, the labels of metrics, logs and traces, and the description of the interface are made from these
rows. What an endpoint does is in the room of its handler, which is found by the row's ``id``.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from dialoom.channels._contract.picker import PickBody
from dialoom.channels.rest import RestBody
from dialoom.channels.web.protocol import MessageBody, ProofBody, RatingBody, SessionBody
from dialoom.http import answers, parameters
from dialoom.http.admin.health import Health, Readiness
from dialoom.http.routing import Access, Answer, Endpoint
from dialoom.http.studio_endpoints import STUDIO_ENDPOINTS
from dialoom.messages import ConversationRecord
from dialoom.messages.records import Rating
from dialoom.service.bots.dynamic_data import Refreshed
from dialoom.service.chat.attachments import StoredFile
from dialoom.service.outbox.outbox import DeadLetter
from dialoom.service.records.erasure import Receipt

HEAD = ("HEAD",)
OPTIONS = ("OPTIONS",)
READING = ("HEAD", "OPTIONS")

BOT = "/v1/bots/{bot_id}"
CHANNEL = f"{BOT}/channels/{{channel_id}}"
WEB = f"{CHANNEL}/web"
PICK = f"{CHANNEL}/pick/{{ticket}}"
DIRECT_LINE = f"{CHANNEL}/directline/v3/directline"
DIRECT_LINE_CONVERSATION = f"{DIRECT_LINE}/conversations/{{conversation_id}}"
LETTERS = f"{BOT}/dead-letters"
LINKING = "/v1/account-linking"

HTML = "text/html"
LINES = "application/x-ndjson"
Html = Annotated[str, Meta(description="HTML.")]
LoginPage = Annotated[str, Meta(description="HTML, in the bot's language.")]
Bytes = Annotated[
    str, Meta(description="The file itself.", extra_json_schema={"format": "binary", "contentMediaType": "*/*"})
]
Lines = Annotated[
    str,
    Meta(
        description="One record a line, each as in the array of `application/json`. Without `limit` all that match, "
        "however many, in the order of `sort`; then `sort` must be one property that an index has the order of."
    ),
]
ExportLines = Annotated[str, Meta(description="One JSON object a line.")]
Events = Annotated[
    str,
    Meta(
        description="Events `message` (its id is the position in the chat, its data a message) and `typing`; a "
        "heartbeat every 15 s.",
        examples=['event: message\nid: 4\ndata: {"id":"01a1fe42-c594-7001-8c1d-58ca063f304c", ...}\n\n'],
    ),
]

QUERY = ("query",)
"""Stands for every code of a query, sort or page that is not allowed."""
_SLOW = ("query-too-slow", "history-busy")
_USER = ("not-found", "several-channels", "sealed")
_TURN = ("unknown-bot", "erased", "sealed", "overloaded", "stopping", "too-many-waiting")
_SAID = ("too-long", "text-too-long", "context-too-large", "context-refused")
_LOGIN = ("bad-text", "bad-parameter", "login-browser", "login-unknown", "login-over", "login-failed", "login-timeout")
_SIGNED = "eyJzdGF0ZSI6InE4M3YifQ.c2lnbmVk"
_RESUME = "eyJ1c2VyIjoid2ViXzAifQ.c2ln"
_CHOICE = {"sender": {"id": "ada"}, "message": {"id": "2", "option": "Green", "context": {"plan": "gold"}}}
_PLACE = {"location": {"latitude": 52.52, "longitude": 13.4, "name": "Berlin"}}

_server = partial(Endpoint, access=Access.SERVER, rate="token", scope="read")
_history = partial(_server, also=READING, tag="History")
_upkeep = partial(_server, also=OPTIONS, tag="Upkeep")
_rest = partial(Endpoint, access=Access.CHANNEL, rate="token", tag="Rest channel")
_web = partial(Endpoint, access=Access.SESSION, rate="guard", tag="Web channel")
_direct_line = partial(Endpoint, access=Access.SESSION, rate="guard")
_picker = partial(Endpoint, tag="Picker pages")
_login = partial(Endpoint, rate="guard", tag="Pages", answer=Answer("A page.", LoginPage, HTML))


def _page(
    id: str, path: str, summary: str, about: str, *codes: str, type: object = Html, media: str = HTML
) -> Endpoint:
    answer = Answer("It.", type, media)
    return Endpoint(
        id,
        "GET",
        path,
        also=HEAD,
        tag="Pages",
        summary=summary,
        about=about,
        answer=answer,
        codes=codes,
        is_opened=media == HTML,
    )


def _list(kind: str) -> Endpoint:
    return _history(
        f"list{kind}s",
        "GET",
        f"{BOT}/{kind.lower()}s",
        query=parameters.ListQuery,
        answer=Answer("The records.", Lines, LINES),
        summary=f"List {kind.lower()}s",
        about=f"The bot's {kind.lower()} records that match, in the order asked for. With `Accept: {LINES}` they come "
        "as a stream, one a line.",
        codes=(*QUERY, *_SLOW, "unsortable-stream", "stopping"),
    )


def _count(kind: str) -> Endpoint:
    return _history(
        f"count{kind}s",
        "GET",
        f"{BOT}/{kind.lower()}s/_count",
        query=parameters.CountQuery,
        answer=Answer("The number.", answers.Count),
        summary=f"Count {kind.lower()}s",
        about=f"How many {kind.lower()} records match.",
        codes=(*QUERY, *_SLOW),
    )


ENDPOINTS: tuple[Endpoint, ...] = (
    _list("Conversation"),
    _list("Message"),
    _count("Conversation"),
    _count("Message"),
    _history(
        "getConversation",
        "GET",
        f"{BOT}/conversations/{{conversation_id}}",
        answer=Answer("The record.", ConversationRecord),
        summary="One conversation",
        about='One conversation record. Its messages are listed with the query `{"Conversation": "<_id>"}`.',
        codes=("not-found", *_SLOW),
    ),
    _server(
        "exportUser",
        "GET",
        f"{BOT}/users/{{user_id}}/export",
        also=READING,
        query=parameters.UserQuery,
        answer=Answer("The lines.", ExportLines, LINES),
        tag="Users",
        summary="Everything kept of one user",
        about="All that is kept of a person, as a stream of lines. Each line is an object with one name that says what "
        "it holds: `conversation`, `message`, `memory` or `file` (its content in Base64).",
        codes=(*_USER, "stopping"),
    ),
    _server(
        "eraseUser",
        "DELETE",
        f"{BOT}/users/{{user_id}}",
        also=OPTIONS,
        scope="erase",
        query=parameters.UserQuery,
        answer=Answer("It is done: the receipt.", Receipt),
        tag="Users",
        summary="Erase one user",
        about="Deletes a person: conversations, messages, memory, files and what waits to be delivered. There is no "
        "way back. Copies in backups are the operator's.",
        codes=_USER,
    ),
    _rest(
        "sendMessage",
        "POST",
        f"{CHANNEL}/rest/{{name}}",
        body=RestBody,
        shows=(
            (
                "A text",
                {
                    "sender": {"id": "ada", "name": "Ada Lovelace"},
                    "message": {"id": "1", "text": "I need an appointment"},
                },
            ),
            ("A choice, with context", _CHOICE),
        ),
        answer=Answer("The bot's messages.", list[answers.RestMessage]),
        summary="Send a message, get the bot's messages",
        about="A message of a user; the answer holds what the bot says to it, nothing for silence. Turns of one user "
        "never overlap and keep their order.",
        codes=(
            *_SAID,
            *_TURN,
            "bad-message",
            "bad-id",
            "bad-url",
            "unknown-event",
            "bad-user-token",
            "user-token-required",
            "still-running",
            "key-reused",
        ),
    ),
    _rest(
        "laterMessages",
        "GET",
        f"{CHANNEL}/rest/{{name}}/messages",
        query=parameters.LaterQuery,
        answer=Answer("The messages.", answers.LaterMessages),
        summary="Messages that no answer has carried yet",
        about="What the bot said when no call waited for it. It comes again until `after` says that it has arrived.",
        codes=("bad-id", "too-long"),
    ),
    # Platforms call it, each as it does; its rate is counted by its handler, once a call is refused.
    Endpoint("platformCall", "POST", f"{CHANNEL}/{{type}}", rate="none"),
    Endpoint("platformCall", "GET", f"{CHANNEL}/{{type}}", rate="none"),
    # Described by Microsoft, whose clients call them (docs/do/connect-web-chat.md); their errors have its form.
    _direct_line("directLineGenerate", "POST", f"{DIRECT_LINE}/tokens/generate"),
    _direct_line("directLineRefresh", "POST", f"{DIRECT_LINE}/tokens/refresh"),
    _direct_line("directLineBegin", "POST", f"{DIRECT_LINE}/conversations"),
    _direct_line("directLineReconnect", "GET", DIRECT_LINE_CONVERSATION),
    _direct_line("directLineStream", "GET", f"{DIRECT_LINE_CONVERSATION}/stream"),
    _direct_line("directLinePost", "POST", f"{DIRECT_LINE_CONVERSATION}/activities"),
    _direct_line("directLineGet", "GET", f"{DIRECT_LINE_CONVERSATION}/activities"),
    _direct_line("directLineUpload", "POST", f"{DIRECT_LINE_CONVERSATION}/upload"),
    _picker(
        "pickerPage",
        "GET",
        PICK,
        also=HEAD,
        is_opened=True,
        answer=Answer("The page.", Html, HTML),
        summary="The hosted picker page",
        about="For a browser: the question of one user, readable without script, or that it is over. Looking at it "
        "uses nothing up.",
        codes=("not-found", "picker-unknown", "not-built"),
    ),
    _picker(
        "pick",
        "POST",
        PICK,
        body=PickBody,
        shows=(
            ("An option", {"option": {"key": "3.1"}}),
            ("A date", {"option": {"value": "2026-11-23"}}),
            ("A place", _PLACE),
        ),
        answer=Answer("It is durable.", answers.Back),
        summary="Answer the question, once",
        about="The answer takes its turn in the order of the chat; what the bot says to it comes in the chat.",
        codes=("bad-message", "picker-unknown", "picker-over", *_TURN),
    ),
    _picker(
        "pickerQuestion",
        "GET",
        f"{PICK}/question",
        answer=Answer("The question.", answers.Question),
        summary="The question that the page is for",
        about="What the page draws.",
        codes=("picker-unknown", "picker-over", "sealed"),
    ),
    _picker(
        "pickerPlaces",
        "GET",
        f"{PICK}/places",
        query=parameters.PlacesQuery,
        answer=Answer("The places.", answers.FoundPlaces),
        summary="Search for places, for the page",
        about="As `web/places`.",
        codes=(
            "bad-parameter",
            "geocoder",
            "too-many-requests",
            "picker-unknown",
            "picker-over",
            "sealed",
        ),
    ),
    _web(
        "openSession",
        "POST",
        f"{WEB}/sessions",
        access=Access.CHANNEL,
        body=SessionBody,
        shows=(
            ("A browser that is new", {"locale": "en-GB", "timezone": "Europe/London"}),
            ("A browser that was here before", {"resume": _RESUME}),
        ),
        answer=Answer("The session, with the last messages.", answers.WebSession),
        summary="Open a browser's session",
        about="With the channel's token; the service's own pages need none.",
        codes=(*_SAID, *_TURN, "bad-url", "bad-user-token", "user-token-required", "origin", "quota"),
    ),
    _web(
        "say",
        "POST",
        f"{WEB}/messages",
        body=MessageBody,
        shows=(
            ("A text", {"id": "1", "text": "I need an appointment"}),
            ("A quick reply", {"id": "2", "option": {"key": "3.0"}}),
        ),
        answer=Answer("It is durable.", answers.Accepted, status=202),
        summary="Say something",
        about="The answer comes by the events, or by the next poll.",
        codes=(*_SAID, *_TURN, "bad-id", "bad-message", "unknown-file", "key-reused", "quota"),
    ),
    _web(
        "poll",
        "GET",
        f"{WEB}/messages",
        query=parameters.PollQuery,
        answer=Answer("The messages.", answers.WebNews),
        summary="Messages behind a position",
        about="What was said since, at once or as soon as something is.",
    ),
    _web(
        "listen",
        "GET",
        f"{WEB}/events",
        query=parameters.EventsQuery,
        answer=Answer("The events.", Events, "text/event-stream"),
        summary="Messages as server-sent events",
        about="Stays open; ends when the service stops, and the browser connects again. A chat has eight: one more "
        "ends the oldest.",
        codes=("too-many-streams",),
    ),
    _web(
        "eraseOwnData",
        "POST",
        f"{WEB}/erasure",
        answer=Answer("What was erased.", Receipt),
        summary="Erase the session's user",
        about="All that is stored of this user on this channel, of nobody else; where the channel has "
        "`erase-from-page`. The session is over with it.",
        codes=("erasure-off", "not-found"),
    ),
    _web(
        "rate",
        "POST",
        f"{WEB}/rating",
        body=RatingBody,
        shows=(
            (
                "After the end",
                {"conversation": "01a1fe42-c18f-7001-8eac-56bfbc5a17ce", "score": 5, "comment": "Quick and kind"},
            ),
        ),
        answer=Answer("It is kept.", Rating),
        summary="Rate a conversation that has ended",
        about="Of the session's user; where the channel has `ask-rating`. A second rating replaces the first.",
        codes=("rating-off", "not-found"),
    ),
    _web(
        "sendFile",
        "POST",
        f"{WEB}/files",
        query=parameters.FileQuery,
        body=Bytes,
        answer=Answer("It is kept.", StoredFile, status=201),
        summary="Keep a file, to be named by a message",
        about="The body is the file, at most 10 MiB, sent within 120 s.",
        codes=("file-empty", "upload-too-slow", "file-too-large", "too-many-files", "files-busy"),
    ),
    Endpoint(
        "readFile",
        "GET",
        f"{CHANNEL}/files/{{id}}",
        also=HEAD,
        query=parameters.SignatureQuery,
        is_opened=True,
        answer=Answer("The file. Images are shown in their place, all else is a download.", Bytes, "*/*"),
        tag="Web channel",
        summary="A file under its signed address",
        about="Take the address as it stands in a message; its signature is good for a day or a week.",
        codes=("file-address", "not-found", "sealed"),
    ),
    _login(
        "startLogin",
        "GET",
        f"{LINKING}/start",
        also=HEAD,
        query=parameters.StartQuery,
        answer=Answer(
            "A page that asks whose login it is, where the channel's `binding` wants that; or once more the code that "
            "this browser was shown; or, for the browser that has logged in by it, that it has.",
            LoginPage,
            HTML,
        ),
        summary="Where login links lead",
        about="For a browser. Opening it uses nothing up.",
        codes=(*_LOGIN, "sealed"),
    ),
    _login(
        "goOnWithLogin",
        "POST",
        f"{LINKING}/start",
        query=parameters.StateQuery,
        body=answers.LoginProof,
        shows=(("What the chat page had signed", {"proof": _SIGNED}),),
        answer=Answer("Where it goes on: to the script as JSON, to the form as a page.", answers.LoginAddress),
        summary="On from the start page of a login",
        about="For the page itself: its script brings the chat page's proof, its form the user's yes.",
        codes=(*_LOGIN, "sealed"),
    ),
    # No HEAD: what only looks must use nothing up.
    _login(
        "finishLogin",
        "GET",
        LINKING,
        query=parameters.CallbackQuery,
        answer=Answer(
            "The confirmation page, or one with a code to type into the chat. Loaded again, it says that the user is "
            "logged in already.",
            LoginPage,
            HTML,
        ),
        summary="Where the provider sends the browser back",
        about="Register it at the provider. A state serves once; parameters that a provider adds are left alone.",
        codes=(*_LOGIN, "sealed"),
    ),
    _web(
        "seeLogin",
        "GET",
        f"{WEB}/login",
        query=parameters.LinkQuery,
        answer=Answer("The status of the login.", answers.LoginStatus),
        summary="Where a login stands",
        about="For a chat page that was left for the login: that a link was used up in vain, no message says. Say the "
        "dialog's `key` as an `option` to be asked again, with a new link where the old one is over.",
    ),
    _web(
        "findPlaces",
        "GET",
        f"{WEB}/places",
        query=parameters.PlacesQuery,
        answer=Answer("The places.", answers.FoundPlaces),
        summary="Search for places",
        about="For the dialog of a location picker that has `search`. The service asks the operator's geocoder "
        "(`DIALOOM_GEOCODER_URL`), or without one looks into its table of towns. Ask once the words are whole, "
        "and show the attribution.",
        codes=("geocoder",),
    ),
    _web(
        "proveLogin",
        "POST",
        f"{WEB}/login-proof",
        body=ProofBody,
        shows=(("A challenge", {"challenge": _SIGNED}),),
        answer=Answer("The proof.", answers.LoginProof),
        summary="Prove that a login is this session's",
        about="A login's start page asks the window that opened it (`postMessage`, type `dialoom:login-challenge`). "
        "Have its `challenge` signed here and post the proof back to the service's origin (type "
        "`dialoom:login-proof`).",
        codes=("login-challenge",),
    ),
    _upkeep(
        "refreshEntityType",
        "POST",
        f"{BOT}/entity-types/{{type}}/_refresh",
        answer=Answer("What came of it.", Refreshed),
        summary="Read a dynamic list now",
        about="Reads the list of an entity type with `dynamic-data` and takes it. When that fails, the last good list "
        "stays.",
        codes=("not-found", "list-not-read"),
    ),
    _upkeep(
        "listDeadLetters",
        "GET",
        LETTERS,
        query=parameters.LettersQuery,
        answer=Answer("The letters, the oldest first.", list[DeadLetter]),
        summary="List dead letters",
        about="Deliveries to the outside that were given up, the oldest first; what they say is not shown.",
    ),
    _upkeep(
        "resendDeadLetter",
        "POST",
        f"{LETTERS}/{{letter_id}}/resend",
        scope="erase",
        answer=Answer("It waits for its delivery.", status=204),
        summary="Resend a dead letter",
        about="Puts it back among what is to be delivered, with all attempts and the same id and `Idempotency-Key`.",
        codes=("not-found",),
    ),
    _upkeep(
        "dropDeadLetter",
        "DELETE",
        f"{LETTERS}/{{letter_id}}",
        scope="erase",
        answer=Answer("It is gone.", status=204),
        summary="Drop a dead letter",
        about="Deletes it: it will never be delivered.",
        codes=("not-found",),
    ),
    Endpoint(
        "health",
        "GET",
        "/healthz",
        rate="none",
        also=READING,
        answer=Answer("It does.", Health),
        tag="Upkeep",
        summary="The process answers",
        about="For whoever restarts what hangs.",
    ),
    Endpoint(
        "ready",
        "GET",
        "/readyz",
        rate="none",
        also=READING,
        answer=Answer("It does.", Readiness),
        tag="Upkeep",
        summary="The service takes events",
        about="For load balancers: 503 while the store is away, cannot be read or written, or the service stops. A "
        "doubted clock and a damaged page of the database stand in the body of a 200.",
        codes=("store-cannot-read", "store-cannot-write", "stopping"),
    ),
    Endpoint(
        "metrics",
        "GET",
        "/metrics",
        access=Access.OPERATOR,
        also=HEAD,
        answer=Answer("The metrics.", Annotated[str, Meta(description="Prometheus' text format.")], "text/plain"),
        tag="Upkeep",
        summary="What Prometheus reads",
        about="With the operator's token; from this machine without one, where nobody else can ask.",
    ),
    _page(
        "description",
        "/openapi.json",
        "This description",
        "As OpenAPI 3.1.",
        type=dict[str, Any],
        media="application/json",
    ),
    _page(
        "startPage",
        "/",
        "The start page",
        "What runs here. A browser of this machine sees the bots and their addresses; others see where the studio and "
        "this reference are.",
    ),
    _page("reference", "/docs", "This description as a page", "Made from `/openapi.json`."),
    _page(
        "chatPage", "/chat/{bot_id}/{channel_id}", "The hosted chat page", "For a browser.", "not-found", "not-built"
    ),
    Endpoint("staticFile", "GET", "/static/{path*}", rate="none", also=HEAD),
    *STUDIO_ENDPOINTS,
)
