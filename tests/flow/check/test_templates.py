from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.flow import check_files
from dialoom.flow.check.templates import KINDS
from dialoom.flow.pieces import pieces
from tests.flow.files import WHOLE_BOT, WHOLE_FLOW, WHOLE_TRAINING, certain, said, steps, texts


def test_a_broken_template_is_shown_at_its_character_past_escapes() -> None:
    flow = '{"conversations": {"a": {"type": "goal", "steps": [\n{"type": "message", "messages": ["\\u00e4\\n{{$nix x}}"]}]}}}'
    (found,) = certain(check_files({"bot.json": '{"id": "bot"}', "flow.json": flow}))
    assert found.rule == "bad-template"
    assert found.line == 2
    assert flow.splitlines()[1][found.column - 1 :].startswith(("{{$nix", "$nix"))


def test_an_unknown_helper_is_told_with_the_nearest_one() -> None:
    (message,) = said(steps({"type": "message", "messages": ["{{$lowecase x}}"]}), "bad-template")
    assert "$lowercase" in message


QUESTION = {"type": "question", "entity": "a", "entity-type": "Text"}
SOURCE = {"endpoint": "https://a.at", "method": "GET"}


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ({**QUESTION, "conditions": ["{{#"]}, "conditions/0"),
        ({**QUESTION, "messages": ["a", ["b", "{{"]]}, "messages/1/1"),
        ({**QUESTION, "entity-display": "{{"}, "entity-display"),
        ({**QUESTION, "reactions": {"acknowledgements": ["{{"]}}, "reactions/acknowledgements/0"),
        (
            {**QUESTION, "reactions": {"validations": [{"type": "email", "error-message": ["{{"]}]}},
            "reactions/validations/0/error-message/0",
        ),
        (
            {**QUESTION, "reactions": {"validations": [{"type": "custom", "parameters": {"condition": "{{"}}]}},
            "reactions/validations/0/parameters/condition",
        ),
        ({**QUESTION, "display": {"type": "quick-reply", "data": ["{{"]}}, "display/data/0"),
        ({**QUESTION, "display": {"type": "quick-reply", "data": [{"title": "{{"}]}}, "display/data/0/title"),
        ({**QUESTION, "display": {"type": "quick-reply", "data": ["a"], "template": "{{"}}, "display/template"),
        (
            {**QUESTION, "display": {"type": "quick-reply", "data": ["a"], "template": {"value": "{{"}}},
            "display/template/value",
        ),
        ({"type": "webhook", "data-source": {**SOURCE, "endpoint": "https://a.at/{{"}}, "data-source/endpoint"),
        ({"type": "webhook", "data-source": {**SOURCE, "selector": "$.a[{{"}}, "data-source/selector"),
        ({"type": "webhook", "data-source": {**SOURCE, "selector": "$.a["}}, "data-source/selector"),
        ({"type": "webhook", "data-source": {**SOURCE, "payload": {"a": [{"b": "{{"}]}}}, "data-source/payload/a/0/b"),
        ({"type": "webhook", "data-source": {**SOURCE, "headers": {"A": "{{"}}}, "data-source/headers/A"),
        ({"type": "command", "command": "set-entity", "entity": "a", "data": ["{{"]}, "data/0"),
    ],
)
def test_every_place_of_a_template_is_checked(step: dict[str, Any], path: str) -> None:
    (finding,) = (one for one in certain(steps(step)) if one.rule != "no-message")
    assert (finding.rule, finding.path) == ("bad-template", f"conversations/book/steps/0/{path}")


def test_elements_of_data_are_plain_data_where_a_template_makes_the_options() -> None:
    display = {"type": "quick-reply", "data": ["{{", {"title": "{{"}], "template": {"title": "{{title}}"}}
    assert steps({**QUESTION, "display": display}) == []


def test_every_kind_of_piece_with_templates_is_one_that_files_come_apart_into() -> None:
    values = {"bot.json": WHOLE_BOT, "flow.json": WHOLE_FLOW, "training.json": WHOLE_TRAINING}
    assert KINDS - {"dynamic-data"} <= {piece.kind for piece in pieces(values)}
    dynamic = {"data-source": SOURCE, "value-template": "{{", "synonym-templates": ["{{"]}
    definition = {"name": "A", "lookup-strategy": "keywords", "dynamic-data": dynamic}
    files = texts({"id": "bot"}, {"conversations": {}}, {"entity-definitions": [definition]})
    assert len(said(check_files(files), "bad-template")) == 2
    assert json.loads(files["training.json"])
