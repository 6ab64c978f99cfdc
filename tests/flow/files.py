"""A bot that uses every key of the language, and short ways to bots with one thing wrong."""

from __future__ import annotations

import json
from typing import Any

from dialoom.flow import Finding, check_files
from dialoom.flow.check import CHECKS

SOURCE = {
    "endpoint": "https://example.com/places",
    "method": "GET",
    "headers": {"X-Key": {"env": "BOT_KEY"}, "Accept": "application/json"},
    "payload": {"a": ["{{city}}", 1, None, True]},
    "response": "full",
    "selector": "$.items[*]",
    "authentication-method": "office",
    "timeout": 3,
}

WHOLE_BOT: dict[str, Any] = {
    "$schema": "bot.schema.json",
    "note": "A bot with everything.",
    "id": "whole",
    "name": "Whole",
    "language": "de-AT",
    "avatar": "https://example.com/a.png",
    "look": {
        "brand": "#0b6bcb",
        "background": "#fffaf0",
        "font": "Inter, Open Sans",
        "radius": 8,
        "header": "The whole shop",
        "launcher": "Ask us",
        "avatar": "https://example.com/b.png",
    },
    "access-token": {"env": "BOT_ACCESS"},
    "channels": [
        {
            "id": "page",
            "type": "web",
            "name": "Page",
            "token": "public-by-nature",
            "allowed-origins": ["https://example.com"],
            "login-from-page": False,
        },
        {"id": "api", "type": "rest", "token": {"env": "BOT_API"}},
    ],
    "credentials": {
        "office": {"type": "basic", "username": {"env": "BOT_USER"}, "password": {"env": "BOT_PASSWORD"}},
        "shop": {"type": "bearer", "token": {"env": "BOT_SHOP"}, "url-prefix": "https://example.com/"},
    },
}

WHOLE_FLOW: dict[str, Any] = {
    "commands": {"NEXT-PAGE": ["more"], "RESTART": ["again"]},
    "settings": {
        "invalid-replies": ["Pardon?", ["I did not get that.", "Please say it again."]],
        "general-failure": [],
        "previous-conversation-messages": ["Back to {{conversationDisplayName}}."],
        "silence-timeout": 5,
        "session-timeout": 30,
        "persist-entities": ["name"],
        "timezone": "Europe/Vienna",
        "use-user-timezone": True,
        "understanding": {"threshold": 0.6, "margin": 0},
        "commands": {"NEXT-PAGE": ["further", "next"]},
        "authentication": {
            "entity": "auth",
            "messages": ["Please log in."],
            "acknowledgements": ["Thank you."],
            "display": {"type": "login", "template": {"title": "Log in", "image": ""}},
            "oidc": {
                "issuer": "https://id.example.com",
                "client-id": "bot",
                "client-secret": {"env": "BOT_CLIENT_SECRET"},
                "scope": "profile",
                "authorization-params": {"claims": "{}", "resources": ["a"]},
            },
            "workchat": {"connection-name": "sso", "strategy": "oidc"},
            "refresh": True,
            "binding": {"web": "code"},
            "confirmation-page-auto-redirect": False,
            "confirmation-page-contents": {"title": "Done", "text": "Go back.", "attempt-close": True},
            "confirmation-page-redirect-url-web": "https://example.com/done",
        },
    },
    "conversations": {
        "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello"]}]},
        "book": {
            "type": "goal",
            "display-name": "booking",
            "note": "The main thing.",
            "steps": [
                {
                    "type": "question",
                    "note": "Where to.",
                    "entity": "city",
                    "entity-type": "City",
                    "conditions": ["{{$not city}}"],
                    "messages": ["Where to?", ["So.", "Where to?"]],
                    "display": {
                        "type": "quick-reply",
                        "data": ["Vienna", {"title": "**Graz**", "value": "graz", "image": ""}],
                    },
                    "entity-display": "{{city.country}}",
                    "is-explicit": True,
                    "reactions": {
                        "validations": [
                            {"type": "length", "parameters": {"min": 1, "max": "9"}, "error-message": ["Too long."]},
                            {"type": "regex", "parameters": {"value": "^[a-z]+$"}},
                            {"type": "match", "parameters": {"values": ["Vienna"]}},
                            {"type": "phone", "parameters": {"region": "AT"}},
                            {"type": "email"},
                            {"type": "range", "parameters": {"min": "1"}},
                            {
                                "type": "custom",
                                "parameters": {"condition": "{{$eq _response.status 200}}", "data-source": SOURCE},
                            },
                        ],
                        "acknowledgements": ["{{city}}, fine."],
                    },
                },
                {
                    "type": "question",
                    "entity": "where",
                    "entity-type": "Location",
                    "messages": ["Where?"],
                    "display": {
                        "type": "location-picker",
                        "places": {"data-source": SOURCE, "template": {"title": "{{Name}}", "latitude": "{{Lat}}"}},
                    },
                },
                {
                    "type": "question",
                    "entity": "place",
                    "entity-type": "Place",
                    "display": {
                        "type": "quick-reply",
                        "data-source": SOURCE,
                        "template": {"title": "{{Name}}", "value": "{{Id}}", "image": "{{Image}}"},
                    },
                },
                {
                    "type": "question",
                    "entity": "name",
                    "entity-type": "Text",
                    "display": {
                        "type": "quick-reply",
                        "data-source": {"entity": "names", "selector": "", "payload": ""},
                        "template": "{{this}}",
                    },
                },
                {"type": "webhook", "data-source": SOURCE, "entity": "booking", "messages": ["Booked."]},
                {"type": "confirmation", "entity": "sure", "messages": ["Sure?"]},
                {"type": "conversation", "conversation": "welcome"},
                {"type": "command", "command": "set-entity", "entity": "x", "data": {"a": "{{city}}"}},
                {"type": "command", "command": "invalidate-entity city"},
                {"type": "command", "command": "invalidate-entity", "entities": ["city", "name"]},
                {"type": "command", "command": "go-to welcome"},
                {"type": "message", "messages": ["Bye"], "display": {"type": "quick-reply", "data": ["Bye"]}},
            ],
        },
    },
}

WHOLE_TRAINING: dict[str, Any] = {
    "entity-definitions": [
        {
            "name": "City",
            "lookup-strategy": "keywords",
            "data": [
                {"value": "Vienna", "synonyms": ["Wien"], "metadata": {"country": "Austria"}},
                {"value": "Graz", "metadata": ""},
            ],
        },
        {"name": "Place", "lookup-strategy": "regex", "data": {"pattern": "[A-Z]{2}"}},
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "book", "expressions": ["book"]}, {"value": "restart", "expressions": ["anew"]}],
        },
    ]
}


HELP: dict[str, Any] = {"type": "support", "steps": [{"type": "command", "command": "go-to book"}]}

OF_THE_WHOLE = {check.rule for check in CHECKS if check.is_doubt} - {"no-message", "unmatched-option"}


def whole() -> dict[str, str]:
    """The texts of the bot that uses every key."""
    return texts(WHOLE_BOT, WHOLE_FLOW, WHOLE_TRAINING)


def texts(bot: Any, flow: Any, training: Any = None) -> dict[str, str]:
    """Texts of the three files, as a folder would hold them."""
    files = {"bot.json": bot, "flow.json": flow, "training.json": training}
    return {name: json.dumps(value, indent=2) for name, value in files.items() if value is not None}


def steps(*found: dict[str, Any], training: Any = None, bot: Any = None, settings: Any = None) -> list[Finding]:
    """What is found in a bot with these steps in its one goal, ``book``; ``help`` leads there."""
    flow: dict[str, Any] = {"conversations": {"book": {"type": "goal", "steps": list(found)}, "help": HELP}}
    if settings is not None:
        flow["settings"] = settings
    return check_files(texts(bot or {"id": "bot"}, flow, training))


def certain(findings: list[Finding]) -> list[Finding]:
    """The findings that do not look at the bot as a whole."""
    return [finding for finding in findings if finding.rule not in OF_THE_WHOLE]


def said(findings: list[Finding], rule: str) -> list[str]:
    """Path and message of the findings of one rule."""
    return [f"{finding.path}: {finding.message}" for finding in findings if finding.rule == rule]
