"""The description of the interface: valid, whole, and the same as what the service sends and reads."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import msgspec
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR
from tests.http.support import BASE, Client, serving

from dialoom.http.endpoints import ENDPOINTS
from dialoom.http.history.parameters import COUNT_PARAMETERS, LIST_PARAMETERS
from dialoom.http.history.users import USER_PARAMETERS
from dialoom.http.openapi.document import describe
from dialoom.http.problems import PROBLEMS
from dialoom.query.errors import CODES
from dialoom.query.operators import LOGICAL, OPERATORS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

METHODS = {"get", "post", "put", "patch", "delete"}
NOT_FOR_CLIENTS = (
    "/v1/studio",
    "/studio",
    "/static",
    "/v1/bots/{bot_id}/channels/{channel_id}/{type}",
    "/v1/bots/{bot_id}/channels/{channel_id}/directline/",
)
"""The studio speaks with its own page alone, files of pages have no interface, platforms call in their own way, and the
clients of Direct Line in Microsoft's."""
DESCRIPTION = describe(BASE)
SCHEMAS = DESCRIPTION["components"]["schemas"]
OPERATIONS = {
    operation["operationId"]: (method, path, [*members.get("parameters", ()), *operation["parameters"]], operation)
    for path, members in DESCRIPTION["paths"].items()
    for method, operation in members.items()
    if method in METHODS
}
SOURCE = Path(__file__).parents[3] / "src"
ERRORS = (Path(__file__).parents[3] / "docs" / "look-up" / "errors.md").read_text("utf-8")


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


def check(schema: Any, value: Any) -> list[str]:
    """What is wrong with a value by a schema of the description."""
    whole = {**schema, "components": DESCRIPTION["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    return [error.message for error in validator.iter_errors(value)]


def test_it_is_openapi_3_1() -> None:
    assert [error.message for error in OPENAPI_31_VALIDATOR.iter_errors(DESCRIPTION)] == []


def test_every_reference_leads_somewhere() -> None:
    targets = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(DESCRIPTION)))
    assert len(targets) > 30
    for target in targets:
        found: Any = DESCRIPTION
        for part in target.removeprefix("#/").split("/"):
            found = found[part]


async def test_the_service_gives_it(client: Client) -> None:
    answer = await client.call("GET", "/openapi.json")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json == DESCRIPTION


# -- examples


def _header(header: Any) -> Any:
    """A header, or the one of ``components`` that it refers to."""
    return DESCRIPTION["components"]["headers"][header["$ref"].rpartition("/")[2]] if "$ref" in header else header


def _examples() -> Iterator[tuple[str, Any, Any]]:
    """Of every place that has one: where it is, the schema and the value."""
    named = DESCRIPTION["components"]["examples"]
    for id, (_, _, parameters, operation) in OPERATIONS.items():
        held = [(f"{id} {parameter['name']}", parameter) for parameter in parameters]
        held += [(f"{id} body", one) for one in operation.get("requestBody", {}).get("content", {}).values()]
        for status, response in operation["responses"].items():
            held += [(f"{id} {status} {media}", one) for media, one in response.get("content", {}).items()]
            held += [(f"{id} {status} {name}", _header(one)) for name, one in response["headers"].items()]
        for where, inner in held:
            for name, example in inner.get("examples", {}).items():
                shown = named[example["$ref"].rpartition("/")[2]] if "$ref" in example else example
                yield f"{where} {name}", inner["schema"], shown["value"]
            if "example" in inner:
                yield where, inner["schema"], inner["example"]
    for name, schema in SCHEMAS.items():
        for place, one in _inside(schema):
            for number, value in enumerate(one.get("examples", ())):
                yield f"{name}{place} {number}", one, value


def _inside(schema: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The schema, and those of its properties and elements."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for name, one in schema.get("properties", {}).items():
        yield from _inside(one, f"{place}/{name}")
    yield from _inside(schema.get("items"), f"{place}/[]")


def test_every_example_is_right_by_its_schema() -> None:
    examples = [*_examples()]
    assert len(examples) > 200
    wrong = {where: found for where, schema, value in examples if (found := check(schema, value))}
    assert wrong == {}


@pytest.mark.parametrize("id", OPERATIONS)
def test_every_operation_shows_an_answer_and_all_it_reads(id: str) -> None:
    _, _, parameters, operation = OPERATIONS[id]
    assert operation["summary"]
    assert operation["description"]
    success = next(response for status, response in operation["responses"].items() if status[0] in "25")
    json_media = success.get("content", {}).get("application/json")
    assert json_media is None or json_media.get("examples") or id == "description"
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    assert body is None or body["examples"]
    for parameter in parameters:
        assert parameter["description"], parameter["name"]
    for status, response in operation["responses"].items():
        if status[0] in "45" and "text/html" not in response["content"]:
            (media,) = response["content"].values()
            assert media["examples"], status


# -- routes


def test_every_public_route_stands_in_it() -> None:
    told = {(path, method) for method, path, _, _ in OPERATIONS.values()}
    assert told == {(row.path, row.method.lower()) for row in ENDPOINTS if not row.path.startswith(NOT_FOR_CLIENTS)}


async def test_every_described_address_leads_to_something(client: Client) -> None:
    for id, (method, path, parameters, _) in OPERATIONS.items():
        filled = path
        for parameter in parameters:
            if parameter["in"] == "path":
                filled = filled.replace(f"{{{parameter['name']}}}", "tea" if "bot" in parameter["name"] else "x")
        answer = await client.call(method.upper(), filled)
        assert answer.status != 405, id
        if answer.status == 404 and answer.headers["content-type"] == "application/problem+json":
            # Nothing of this id; the address itself is known.
            assert answer.json["detail"] != f"There is nothing at {filled}.", id
        refused = str(answer.status) in OPERATIONS[id][3]["responses"]
        assert refused, (id, answer.status, answer.body)


@pytest.mark.parametrize(
    ("id", "known"),
    [
        ("listConversations", LIST_PARAMETERS),
        ("listMessages", LIST_PARAMETERS),
        ("countConversations", COUNT_PARAMETERS),
        ("countMessages", COUNT_PARAMETERS),
        ("exportUser", USER_PARAMETERS),
        ("eraseUser", USER_PARAMETERS),
        ("getConversation", ()),
    ],
)
def test_parameters_are_those_that_the_service_knows(id: str, known: tuple[str, ...]) -> None:
    assert {one["name"] for one in OPERATIONS[id][2] if one["in"] == "query"} == set(known)


# -- types


def _names(model: type[msgspec.Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(model)]


@pytest.mark.parametrize("name", ["ConversationRecord", "MessageRecord", "Receipt", "DeadLetter", "Problem"])
def test_every_property_of_a_record_has_its_meaning_and_an_example(name: str) -> None:
    for place, one in _inside(SCHEMAS[name]):
        assert one.get("description"), place
        assert {"properties", "$ref"} & one.keys() or one.get("examples"), place


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_named_property_has_its_meaning(name: str) -> None:
    for place, one in _inside(SCHEMAS[name]):
        if place and not place.endswith("/[]"):
            assert one.get("description") or "$ref" in one, place


def test_a_whole_record_needs_all_properties_and_a_part_its_id() -> None:
    example = OPERATIONS["listConversations"][3]["responses"]["200"]["content"]["application/json"]
    (record,) = example["examples"]["1"]["value"]
    assert check(SCHEMAS["ConversationRecord"], {"_id": record["_id"]}) != []
    assert check(SCHEMAS["ConversationPart"], {"_id": record["_id"], "Data": {"user": {}}}) == []
    assert check(SCHEMAS["ConversationPart"], {"User": "ada"}) != []


@pytest.mark.parametrize("row", [*OPERATORS, *LOGICAL])
def test_every_operator_may_stand_in_a_query(row: str) -> None:
    held = SCHEMAS["QueryOperators"] if row in OPERATORS else SCHEMAS["HistoryQuery"]
    assert held["properties"][row]["description"]


@pytest.mark.parametrize(
    ("query", "is_right"),
    [
        ({}, True),
        ({"Status": "success"}, True),
        ({"$or": [{"a": None}, {"b": {"$in": [1]}}]}, True),
        ({"a": {"$not": {"$size": 2}}}, True),
        ({"a": {"b": 1}}, True),
        ({"$where": "1"}, False),
        ({"$or": []}, False),
        ([], False),
        ("Status", False),
    ],
)
def test_queries_are_told_apart(query: Any, is_right: bool) -> None:
    assert (check(SCHEMAS["HistoryQuery"], query) == []) == is_right


# -- problems


@pytest.mark.parametrize("code", sorted({*PROBLEMS} - {*CODES}))
def test_every_problem_stands_in_the_docs_with_its_status(code: str) -> None:
    assert f"| `{code}` | {PROBLEMS[code][0]} |" in ERRORS


def test_every_refusal_of_the_source_has_a_status() -> None:
    source = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    raised = set(re.findall(r'RequestError\(\s*"([a-z-]+)"', source))
    assert len(raised) > 60
    assert raised <= {*PROBLEMS}


def test_every_problem_of_the_docs_stands_in_it() -> None:
    pages = {"bad-signature", "bad-skill-request", "link-over", "studio-session", "login-cancelled", "login-landing"}
    pages |= {"login-lost"}
    # Of the studio, which is no part of the public interface.
    pages |= {"administrator-needed", "bot-exists", "bot-lacks", "draft-changed", "draft-is-folder", "findings"}
    pages |= {"folder-not-written", "no-fix", "other-id", "role", "version-unusable"}
    pages |= {"backup-failed", "erases-conversations", "hand-off-over", "hand-off-taken", "version-changed"}
    pages |= {"try-out-changed", "try-out-empty", "try-out-full", "try-out-training", "try-out-waits"}
    other_form = {"directline-conversation", "directline-expired", "directline-token"}
    told = set(re.findall(r"^\| `([a-z-]+)` \| \d+ \|", ERRORS, re.MULTILINE))
    missing = told - {*DESCRIPTION["components"]["examples"]} - pages - other_form
    assert [code for code in missing if f"`{code}`" not in DESCRIPTION["info"]["description"]] == []


def test_every_problem_belongs_to_an_operation() -> None:
    used = set(re.findall(r'"#/components/examples/([a-z-]+)"', json.dumps(DESCRIPTION)))
    assert used == {*DESCRIPTION["components"]["examples"]}


def test_what_answers_with_a_stream_may_be_cut_off_by_a_stop() -> None:
    streams = [
        operation
        for _, _, _, operation in OPERATIONS.values()
        if "application/x-ndjson" in operation["responses"].get("200", {}).get("content", {})
    ]
    assert len(streams) == 3
    for operation in streams:
        assert '"#/components/examples/stopping"' in json.dumps(operation["responses"]["503"]), operation["operationId"]


def test_problems_that_can_come_from_anywhere_name_their_headers() -> None:
    for id, (_, _, _, operation) in OPERATIONS.items():
        for status, response in operation["responses"].items():
            wanted = {"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"}.get(status)
            assert wanted is None or wanted in response["headers"], (id, status)


def test_the_list_describes_its_headers() -> None:
    headers = OPERATIONS["listConversations"][3]["responses"]["200"]["headers"]
    rate = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
    assert {*headers} == {"Link", "X-Total-Count", "Request-Id", *rate}


@pytest.mark.parametrize(
    ("query", "headers", "code"),
    [
        ({"query": '{"Errors": {"$gtt": 0}}'}, {}, "unknown-operator"),
        ({"query": '{"$where": "1"}'}, {}, "operator-not-allowed"),
        ({"query": '{"Data.context.tags": {"$size": -1}}'}, {}, "bad-operand"),
        ({"query": "Status"}, {}, "not-json"),
        ({"sort": "[1]"}, {}, "bad-sort"),
        ({"after": "x"}, {}, "bad-cursor"),
        ({"fields": "User,,Status"}, {}, "bad-fields"),
        ({"offset": "1"}, {}, "unknown-parameter"),
        ({"limit": "1001"}, {}, "bad-parameter"),
        ({}, {"Authorization": "Bearer x"}, "unauthorized"),
        ({}, {"Accept": "text/html"}, "not-acceptable"),
        ({"sort": "Data.context.plan"}, {"Accept": "application/x-ndjson"}, "unsortable-stream"),
    ],
)
async def test_problems_come_as_the_examples_show(
    client: Client, query: dict[str, str], headers: dict[str, str], code: str
) -> None:
    token = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    answer = await client.call("GET", "/v1/bots/tea/conversations", None, token | headers, query)
    response = OPERATIONS["listConversations"][3]["responses"][str(answer.status)]
    example = DESCRIPTION["components"]["examples"][code]["value"]
    assert code in response["content"]["application/problem+json"]["examples"]
    # The example names the rule; the answer says with its own words what was met.
    assert {**answer.json, "detail": ""} == {**example, "detail": ""}
