"""The specification mode differs from the product in printing, escaping, functions and options; a sample of each."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.errors import TemplateError
from tests.template.specification import Options, render


def test_values_print_as_javascript_prints_them() -> None:
    assert render("{{a}} {{b}} {{c}}", {"a": [1, [2, None]], "b": {}, "c": False}) == "1,2, [object Object] false"


def test_double_braces_escape_html() -> None:
    assert render("{{a}} {{{a}}}", {"a": "<'=>"}) == "&lt;&#x27;&#x3D;&gt; <'=>"


def test_helpers_get_arguments_options_and_their_block() -> None:
    def twice(this: Any, arguments: list[Any], options: Options) -> str:
        return options.fn(this) + options.hash["sep"] + options.fn({"x": arguments[0]}, block_params=["p"])

    assert render("{{#twice 'b' sep='-' as |p|}}{{x}}{{p}}{{/twice}}", {"x": "a"}, {"twice": twice}) == "a-bp"


def test_functions_in_the_data_are_called() -> None:
    assert render("{{f}} {{f 1}}", {"f": lambda _this, arguments, _options: len(arguments)}) == "0 1"


def test_partials_come_from_outside() -> None:
    assert render("{{> p a}}", {"a": {"b": 1}}, partials={"p": "[{{b}}]"}) == "[1]"


def test_options_change_how_names_are_sought() -> None:
    data = {"o": {"x": 1}, "y": 2}
    assert render("{{#with o}}{{y}}{{/with}}", data) == ""
    assert render("{{#with o}}{{y}}{{/with}}", data, compile_options={"compat": True}) == "2"
    with pytest.raises(TemplateError, match="not defined"):
        render("{{z}}", data, compile_options={"strict": True})
    with pytest.raises(TemplateError, match="Missing helper"):
        render("{{z 1}}", data)
