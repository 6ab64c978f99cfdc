"""Random small flows that load: every kind of step, display, validation and setting, over a few entities that they share.

Entities, texts and conditions are few on purpose, so that steps get in each other's way.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from dialoom.engine import Flow, compile_flow
from dialoom.errors import FlowError
from dialoom.flow import read_files
from tests.engine.talking import keywords, trait

KEYS = ("welcome", "help", "restart", "book", "taxi", "info", "more")
ENTITIES = ("a", "b", "day", "end-day", "city", "to", "ok", "list", "user", "token")
URLS = ("https://api.test/x", "https://api.test/{{a}}?b={{$encodeURI b}}", "{{base}}/y", "https://api.test/{{city}}")

TRAINING = (
    trait(book=["book"], taxi=["taxi", "a taxi to", "from {city} to {City} on {day}"], info=["info"], more=["more"], help=["help"], welcome=["hi"], restart=["anew"]),
    keywords("City", Sofia=["capital"], Varna=[], Springfield_A=["springfield"], Springfield_B=["springfield"]),
    {"name": "Bare", "lookup-strategy": "keywords", "data": []},
    {"name": "Code", "lookup-strategy": "regex", "data": {"pattern": "[A-Z]-\\d+"}},
    {"name": "Mood", "lookup-strategy": "trait", "data": [{"value": "glad", "expressions": ["I am glad"]}]},
    {
        "name": "Faq",
        "lookup-strategy": "QnA",
        "data": [{"value": "pets", "expressions": ["my dog"], "answers": ["Yes {{a}}."]}],
    },
)  # fmt: skip
TYPES = (
    *("Text", "Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url", "Location"),
    *("File", "Confirmation", "Conversation", "City", "City", "Bare", "Code", "Mood", "Faq", "Number", "Date", "Text"),
)

entity = st.sampled_from(ENTITIES)
answered = st.sampled_from([name for name in ENTITIES if name != "user"])
text = st.sampled_from(
    ["What?", "{{a}}?", "One</newline>{{b}}", "{{$date day}} {{city}}", "{{#each list}}{{this}}{{/each}}", "{{$join a}}",
     "{{user.FirstName}} {{conversation}}", "{{$json a}}", "{{$currency b 'USD'}}", ""]
)  # fmt: skip
texts = st.lists(st.one_of(text, st.lists(text, max_size=2)), max_size=2)
condition = st.sampled_from(
    ["{{a}}", "{{$not a}}", "{{$gt b 3}}", "{{$eq city 'Sofia'}}", "{{$has ok}}", "{{ok}}", "{{$not ok}}", "{{$gt day end-day}}",
     "{{$not ($has conversation)}}", "{{$in a list}}"]
)  # fmt: skip
common = {"conditions": st.lists(condition, max_size=1), "protected": st.sampled_from([False] * 6 + [True])}


def _some(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional)


places = st.sampled_from(
    [
        {"data": [{"title": "Here", "latitude": 1, "longitude": 2}]},
        {"data-source": {"entity": "list"}},
        {"data": [{"name": "{{a}}"}], "template": {"title": "{{name}}", "latitude": "{{b}}", "longitude": "1"}},
    ]
)
request = _some(
    {"endpoint": st.sampled_from(URLS)},
    {
        "method": st.sampled_from(["GET", "POST"]),
        "payload": st.sampled_from([{"a": "{{a}}", "all": "{{$json list}}"}, "{{b}}", ["{{day}}"]]),
        "headers": st.just({"X-A": "{{a}}"}),
        "response": st.sampled_from(["body", "full"]),
        "selector": st.sampled_from(["$", "$[*]", "$[*].name", "$.a", "$[?(@.name == '{{a}}')]"]),
    },
)
source = st.one_of(request, _some({"entity": entity}, {"selector": st.sampled_from(["$", "$[*].name", "$.body"])}))
template = st.one_of(
    st.sampled_from(["{{name}}", "{{this}}", "{{@root.a}}!"]),
    _some(
        {"title": st.sampled_from(["{{name}}", "**{{this}}**"])},
        {"value": st.sampled_from(["{{id}}", "{{value}}", "restart"]), "image": st.just("https://i.test/{{id}}")},
    ),
)
data = st.lists(
    st.one_of(
        st.sampled_from(["Sofia", "1", "tomorrow", "restart", "help", "x {{a}}", "Next 5"]),
        st.sampled_from([{"title": "One", "value": "1"}, {"title": "{{b}}", "value": "{{a}}"}, {"title": "Varna"}]),
    ),
    max_size=8,
)
suggested = st.one_of(
    st.fixed_dictionaries({"type": st.just("quick-reply"), "data": data.filter(bool)}),
    _some({"type": st.just("quick-reply"), "data-source": source}, {"template": template}),
)
display = st.one_of(
    _some({"type": st.just("quick-reply")}, {"data": data}),
    _some({"type": st.just("quick-reply"), "data-source": source}, {"template": template}),
    _some(
        {"type": st.just("date-picker")},
        {"title": text, "min": st.sampled_from(["today", "{{day}}", "{{a}}"]), "off": st.just(["sunday", "{{list}}"])},
    ),
    _some({"type": st.just("location-picker")}, {"title": text, "places": places}),
    _some({"type": st.sampled_from(["single-select", "multi-select"]), "title": text}, {"data": data}),
    st.fixed_dictionaries(
        {
            "type": st.just("carousel"),
            "title": text,
            "data-source": source,
            "template": st.just({"title": "{{name}}", "image": "https://i.test/{{id}}"}),
        }
    ),
)
PARAMETERS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "phone": _some({}, {"region": st.sampled_from(["BG", "us"])}),
    "email": st.just({}),
    "regex": st.fixed_dictionaries({"value": st.sampled_from(["^[a-z]+$", "\\d"])}),
    "length": st.just({"min": 1, "max": "9"}),
    "range": st.fixed_dictionaries({"min": st.sampled_from([1, "{{a}}"]), "max": st.sampled_from([9, "{{b}}"])}),
    "match": st.just({"values": ["Sofia", "{{a}}", 1]}),
    "image": st.just({"contains": ["cat"]}),
    "custom": _some({"condition": condition}, {"data-source": request}),
}  # fmt: skip
validation = st.sampled_from(sorted(PARAMETERS)).flatmap(
    lambda type: st.fixed_dictionaries({"type": st.just(type), "parameters": PARAMETERS[type], "error-message": texts})
)
reactions = _some(
    {},
    {
        "validations": st.lists(validation, max_size=2),
        "acknowledgements": texts,
        "ambiguities": texts,
        "suggestions": texts,
    },
)
command = st.one_of(
    st.sampled_from(KEYS).map(lambda key: {"command": f"go-to {key}"}),
    entity.map(lambda name: {"command": f"invalidate-entity {name}"}),
    st.just({"command": "invalidate-entity conversation"}),
    st.lists(entity, min_size=1, max_size=2).map(lambda names: {"command": "invalidate-entity", "entities": names}),
    st.fixed_dictionaries(
        {
            "command": st.just("set-entity"),
            "entity": entity,
            "data": st.sampled_from(
                ["{{a}}", "{{$add b 1}}", "x {{city}}", ["{{day}}", 1], {"a": "{{list}}"}, None, 3]
            ),
        }
    ),
    st.sampled_from(
        [{"command": "stay-silent"}, {"command": "stay-silent 1"}, {"command": "stay-silent 2", "live-agent": "desk"}]
    ),
    st.just({"command": "logout"}),
)
question = _some(
    {
        "type": st.just("question"),
        "entity": answered,
        "entity-type": st.sampled_from(TYPES),
        "messages": texts,
        **common,
    },
    {
        "display": display,
        "entity-display": st.sampled_from(["<{{a}}>", "{{$date day 'DD'}}", "{{city.value}}"]),
        "capture-multiple-values": st.booleans(),
        "is-explicit": st.booleans(),
        "reactions": reactions,
    },
)
step = st.one_of(
    question,
    question,
    question,
    _some({"type": st.just("message"), "messages": texts, **common}, {"display": suggested}),
    _some({"type": st.just("webhook"), "data-source": source, **common}, {"entity": entity, "messages": texts}),
    st.fixed_dictionaries({"type": st.just("confirmation"), "entity": answered, "messages": texts, **common}),
    st.fixed_dictionaries(
        {
            "type": st.just("entities-confirmation"),
            "entity": st.sampled_from(["ok", "sure"]),
            "entities": st.lists(entity, min_size=1, max_size=8, unique=True),
            "messages": texts,
            **common,
        }
    ),
    st.fixed_dictionaries({"type": st.just("conversation"), "conversation": st.sampled_from(KEYS), **common}),
    st.tuples(command, st.fixed_dictionaries(common)).map(lambda parts: {"type": "command", **parts[0], **parts[1]}),
)  # fmt: skip


def _conversations() -> st.SearchStrategy[dict[str, Any]]:
    def of(kind: str, least: int) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({"type": st.just(kind), "steps": st.lists(step, min_size=least, max_size=5)})

    kinds = {"book": "goal", "taxi": "goal"}
    return st.fixed_dictionaries({key: of(kinds.get(key, "support"), 1 if key in kinds else 0) for key in KEYS})


settings = _some(
    {},
    {
        "persist-entities": st.lists(entity, max_size=2),
        "silence-timeout": st.sampled_from([1, 60]),
        "session-timeout": st.sampled_from([5, 1440]),
        "invalid-replies": texts,
        "general-failure": texts,
        "previous-conversation-messages": texts,
        "authentication": st.just(
            {
                "entity": "token",
                "messages": ["Log in, {{a}}."],
                "acknowledgements": ["Welcome."],
                "display": {"type": "login", "template": {"title": "Log in {{b}}", "image": "https://i.test/1"}},
                "oidc": {"issuer": "https://id.test", "client-id": "c", "client-secret": {"env": "BOT_SECRET"}},
                "refresh": True,
            }
        ),
    },
)


def load(conversations: dict[str, Any], chosen: dict[str, Any]) -> Flow:
    """The flow through the reader and its checks."""
    if any(one.get("protected") for conversation in conversations.values() for one in conversation["steps"]):
        login = {"entity": "token", "messages": ["Log in."], "acknowledgements": [], "display": _CARD, "oidc": _OIDC}
        chosen = {"authentication": login, **chosen}
    files = {
        "bot.json": json.dumps({"id": "b", "language": "en"}),
        "flow.json": json.dumps({"conversations": conversations, "settings": chosen}),
        "training.json": json.dumps({"entity-definitions": TRAINING}),
    }
    return compile_flow(read_files(files))


_CARD = {"type": "login", "template": {"title": "Log in", "image": "https://i.test/1"}}
_OIDC = {"issuer": "https://id.test", "client-id": "c", "client-secret": {"env": "BOT_SECRET"}}


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    try:
        return load(draw(_conversations()), draw(settings))
    except FlowError:  # two parts that do not go together
        reject()


FLOWS = flows()
