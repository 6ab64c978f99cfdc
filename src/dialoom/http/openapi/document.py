"""The description of the HTTP interface as OpenAPI 3.1: everything that a client may call, with examples.

Written by hand in tables (``openapi_*``), one file a part of the interface. Tests hold it against the routes, against
the types that are sent and read, and against what the service answers.
"""

from __future__ import annotations

from dialoom import __version__
from dialoom.http.admin.admission import SCHEME
from dialoom.http.openapi import admin, bodies, chat, history, linking, problems, query, records, web
from dialoom.http.openapi.forms import Form

_ABOUT = (
    "Bots that talk, and what was said: send messages of your users to a bot, and read back every conversation with "
    "queries in MongoDB's words.\n\n"
    "Every error is a problem (RFC 9457): `detail` says in a sentence what happened and what to do, `code` is the "
    "stable word for programs. Besides those of an operation any address may answer 405 `method` (`Allow` names what "
    "is allowed), 408 `head-too-slow`, 431 `head-too-large` and 503 "
    "`too-many-connections`.\n\n"
    "Texts are UTF-8 without NUL. Unknown parameters are refused and named."
)
_TAGS = {
    "History": "Conversations and messages: listed, counted, filtered, sorted, paged, streamed. With a server access "
    "token of the bot.",
    "Users": "One person's records: all of them to take away, or to erase. A token with the scope `erase` may erase.",
    "Rest channel": "Your own program speaks for its users: a message in, the bot's messages out. With the channel's "
    "token.",
    "Web channel": "What the chat page speaks, and what a client of your own may speak.",
    "Picker pages": "Hosted pages where a dialog can be answered by clients that know only links.",
    "Upkeep": "Dead letters, lists, health and metrics, for whoever runs the service.",
    "Pages": "What browsers open.",
}
_SECURITY: Form = {
    SCHEME: {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": f"`Authorization: {SCHEME} <token>`, with a server access token of the bot (`dialoom "
        "token list`). Its scopes are `read` and `erase`.",
    },
    "channel": {"type": "http", "scheme": "bearer", "description": "The channel's token (`dialoom token list`)."},
    "session": {"type": "http", "scheme": "bearer", "description": "The token that `web/sessions` gave."},
    "metrics": {"type": "http", "scheme": "bearer", "description": "The value of `DIALOOM_METRICS_TOKEN`."},
}


def describe(base_url: str) -> Form:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dialoom",
            "version": __version__,
            "summary": "Conversational bots and their history",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url, "description": "This service"}],
        "tags": [{"name": name, "description": description} for name, description in _TAGS.items()],
        "paths": history.paths() | chat.paths() | web.paths() | linking.paths() | admin.paths(),
        "components": {
            "schemas": records.SCHEMAS
            | query.schemas()
            | bodies.schemas()
            | chat.SCHEMAS
            | web.SCHEMAS
            | linking.SCHEMAS,
            "examples": problems.examples(),
            "securitySchemes": _SECURITY,
        },
    }
