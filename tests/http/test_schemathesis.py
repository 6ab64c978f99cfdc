"""Every operation is called as its description allows, and as it does not: the service answers as it says it does.

A service that is really run, with records in it; schemathesis draws the requests and checks the answers. What is drawn is
the same in each run.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from tests.http import real_queries
from tests.http.support import BASE, BOT, write_bot
from tests.live import Service, call

from dialoom.http.openapi.document import describe
from dialoom.query.operators import LOGICAL, OPERATORS
from dialoom.service.service import DATABASE
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
SCHEMA = schemathesis.openapi.from_dict(describe(BASE))
OPERATIONS = {one.ok().definition.raw["operationId"]: one.ok() for one in SCHEMA.get_all_operations()}
WITHOUT_END = frozenset({"listen"})
"""Streams that go on until somebody leaves: asked without a session only."""
RECORDS = 60
PLACES = {
    "bot_id": ["tea"],
    "user_id": ["user 1", "user 5", "nobody"],
    "conversation_id": ["c000003", "none"],
    "name": ["my-app"],
    "type": ["Tea"],
}
"""Parts of addresses behind which there is something."""


MOSTLY = st.sampled_from((True, True, True, True, True, False))


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def _conversation(number: int) -> dict[str, Any]:
    start = f"2026-11-20T08:{number // 60:02d}:{number % 60:02d}.030Z"
    status = ("success", "failure", "active", "abandoned", "closed")[number % 5]
    channel = "rest" if number % 3 else "web"
    names = ("ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone")
    return {
        "_id": f"c{number:06d}",
        "Bot": "tea",
        "User": f"user {number % 7}",
        "Channel": channel,
        "Status": status,
        "StartedAt": start,
        "UpdatedAt": start,
        "EndedAt": None if status == "active" else start,
        "Goal": (None, "tea")[number % 2],
        "Errors": number % 4,
        "Messages": {"user": number % 9, "bot": number % 8},
        "FlowVersion": "v1",
        "Data": {
            "channel": {"Id": channel, "ProviderName": channel, "Name": None},
            "user": dict.fromkeys(names) | {"FirstName": (None, "Ada", "Ben")[number % 3]},
            "context": {
                "tags": ["a", number % 5],
                "orders": [{"total": number, "paid": number % 2 == 0}] * (number % 3),
            },
            "entities": {"kind": ("Green", "Mint", number)[number % 3]},
        },
    }


def _message(talk: dict[str, Any], sequence: int) -> dict[str, Any]:
    about = {name: talk[name] for name in ("Bot", "User", "Channel")}
    nothing = dict.fromkeys(("Step", "Understanding", "Error"))
    said = {"From": ("bot", "user")[sequence % 2], "Type": "text", "Text": f"Ada says {sequence}", "Sequence": sequence}
    payload = {"replies": [{"title": "Green", "value": "Green"}]} if sequence % 2 == 0 else None
    place = {"_id": f"m-{talk['_id']}-{sequence}", "Conversation": talk["_id"], "CreatedAt": talk["StartedAt"]}
    return place | about | said | nothing | {"Payload": payload}


async def _fill(store: SqliteStore) -> None:
    await store.open()
    talks = [_conversation(number) for number in range(RECORDS)]
    said = [_message(talk, sequence) for talk in talks for sequence in (1, 2)]
    await store.import_records("conversations", "tea", talks, "conversations", len(talks))
    await store.import_records("messages", "tea", said, "messages", len(said))
    await store.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("schemathesis")
    (folder / "data").mkdir()
    asyncio.run(_fill(SqliteStore(folder / "data" / DATABASE)))
    unnamed = {
        name: [{"id": one["id"], "type": one["type"]} for one in value] if name == "channels" else value
        for name, value in BOT.items()
        if name != "access-token"
    }
    free = {f"DIALOOM_RATE_{name}": "off" for name in ("TOKEN", "USER", "ADDRESS")}
    running = Service([write_bot(folder / "tea", unnamed)], folder / "data", environment=free)
    yield running
    running.stop()
    assert "Traceback" not in running.output, running.output


@pytest.fixture(scope="module")
def tokens(service: Service) -> dict[str, str]:
    """What a client sends in ``Authorization``, by the scheme of the description."""
    make = [sys.executable, "-m", "dialoom.cli", "token", "create", "tea", "--scope", "read", "--scope", "erase"]
    made = subprocess.run([*make, "--data", str(service.data)], capture_output=True, text=True, check=True)
    web = {"Authorization": f"Bearer {service.tokens['token of web']}"}
    opened = call("POST", f"{service.url}/v1/bots/tea/channels/web/web/sessions", {}, web)
    assert opened.status == 200, opened.body
    return {
        "Bot-Server-Access-Token": f"Bot-Server-Access-Token {made.stdout.split()[-1]}",
        "channel": f"Bearer {service.tokens['token of rest']}",
        "web": web["Authorization"],
        "session": f"Bearer {opened.json['token']}",
        "metrics": "Bearer none",
    }


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as made:
        yield made


def _token(id: str, tokens: dict[str, str], place: dict[str, Any]) -> dict[str, str]:
    schemes = [scheme for one in OPERATIONS[id].definition.raw["security"] for scheme in one]
    if not schemes or id in WITHOUT_END:
        return {}
    if schemes[0] == "channel" and place.get("channel_id") == "web":
        return {"Authorization": tokens["web"]}
    return {"Authorization": tokens[schemes[0]]}


@pytest.mark.parametrize("id", OPERATIONS)
def test_it_answers_as_described(id: str, service: Service, tokens: dict[str, str], session: requests.Session) -> None:
    """Drawn from the description: what it allows, and what it does not."""
    operation = OPERATIONS[id]
    places = PLACES | {"channel_id": ["rest" if "/rest/" in operation.path else "web"]}
    names = [one.name for one in operation.path_parameters]
    known = st.fixed_dictionaries({name: st.sampled_from(places[name]) for name in names if name in places})
    cases = operation.as_strategy(GenerationMode.POSITIVE) | operation.as_strategy(GenerationMode.NEGATIVE)

    @_settings(24)
    @given(case=cases, known=known, is_known=MOSTLY, has_token=MOSTLY)
    def ask(case: Any, known: dict[str, str], is_known: bool, has_token: bool) -> None:
        if is_known:
            case.path_parameters = {**(case.path_parameters or {}), **known}
        if isinstance(case.query, dict):
            # Nobody waits here for what nobody says.
            case.query.pop("wait", None)
        headers = _token(id, tokens, case.path_parameters or {}) if has_token else {}
        response = case.call(base_url=service.url, session=session, headers=headers, timeout=30)
        case.validate_response(response, checks=CHECKS)

    ask()


COLLECTIONS = {"conversations": "listConversations", "messages": "listMessages"}


def _ask(
    service: Service, tokens: dict[str, str], session: requests.Session, id: str, query: dict[str, str], **headers: str
) -> requests.Response:
    """A list with these parameters, its answer checked by the description."""
    case = OPERATIONS[id].Case(path_parameters={"bot_id": "tea"}, query=query)
    token = {"Authorization": tokens["Bot-Server-Access-Token"]}
    response = case.call(base_url=service.url, session=session, headers=token | headers, timeout=30)
    case.validate_response(response, checks=CHECKS)
    return response  # type: ignore[no-any-return]  # as schemathesis has it, with the same face


def _ids(response: Any) -> list[str]:
    return [record["_id"] for record in json.loads(response.content)]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_real_queries_are_walked_to_their_end(
    collection: str, service: Service, tokens: dict[str, str], session: requests.Session
) -> None:
    """By the addresses in ``Link``: each record once, as many as are counted, in the order of one large page."""
    id = COLLECTIONS[collection]

    @_settings(60)
    @given(wanted=real_queries.wanted(collection))
    def walk(wanted: dict[str, str]) -> None:
        asked = wanted | {"total": "true", "limit": wanted.get("limit", "7")}
        response = _ask(service, tokens, session, id, asked)
        if response.status_code == 400:
            assert response.json()["code"] in {"parallel-arrays", "ambiguous-path", "bad-operand"}, response.json()
            return
        whole = _ask(service, tokens, session, id, wanted | {"limit": "1000"})
        found = _ids(response)
        while link := re.fullmatch(r'<(.*)>; rel="next"', _header(response, "link")):
            assert len(_ids(response)) == int(asked["limit"])
            response = _ask(service, tokens, session, id, dict(parse_qsl(urlsplit(link[1]).query)))
            found += _ids(response)
        if asked["limit"] != "0":
            assert found == _ids(whole)
            total = int(_header(response, "x-total-count"))
            assert len(found) == max(0, total - int(wanted.get("skip", "0")))

    walk()


def _header(response: Any, name: str) -> str:
    """Of requests' answers or of schemathesis' own, which has lists."""
    value = response.headers.get(name, "")
    return value if isinstance(value, str) else value[0]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_stream_gives_what_a_page_gives(
    collection: str, service: Service, tokens: dict[str, str], session: requests.Session
) -> None:
    id = COLLECTIONS[collection]

    @_settings(40)
    @given(wanted=real_queries.wanted(collection))
    def read(wanted: dict[str, str]) -> None:
        without = {name: value for name, value in wanted.items() if name != "limit"}
        page = _ask(service, tokens, session, id, without | {"limit": "1000"})
        stream = _ask(service, tokens, session, id, without, Accept="application/x-ndjson")
        if stream.status_code == 400:
            assert (
                json.loads(stream.content)["code"] in {"unsortable-stream", json.loads(page.content).get("code")}
                if (page.status_code == 400)
                else {"unsortable-stream"}
            )
            return
        assert [json.loads(line) for line in stream.content.splitlines()] == json.loads(page.content)

    read()


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_count_is_the_length_of_the_list(
    collection: str, service: Service, tokens: dict[str, str], session: requests.Session
) -> None:
    operation = OPERATIONS[f"count{collection.title()}"]
    token = {"Authorization": tokens["Bot-Server-Access-Token"]}

    @_settings(40)
    @given(query=real_queries.queries(collection).map(json.dumps))
    def count(query: str) -> None:
        case = operation.Case(path_parameters={"bot_id": "tea"}, query={"query": query})
        counted = case.call(base_url=service.url, session=session, headers=token, timeout=30)
        case.validate_response(counted, checks=CHECKS)
        listed = _ask(service, tokens, session, COLLECTIONS[collection], {"query": query, "limit": "1000"})
        if counted.status_code == 200:
            assert counted.json() == {"count": len(_ids(listed))}
        else:
            assert listed.status_code == counted.status_code == 400

    count()


def test_every_operator_is_drawn() -> None:
    assert set(real_queries.OPERANDS) >= set(OPERATORS)
    drawn: set[str] = set()

    @_settings(250)
    @given(query=real_queries.queries("conversations"))
    def draw(query: dict[str, Any]) -> None:
        drawn.update(re.findall(r'"(\$\w+)"', json.dumps(query)))

    draw()
    assert {*OPERATORS, *LOGICAL} <= drawn
