"""No template runs longer, deeper or wider than the limits allow."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile
from dialoom.template.frame import MAX_OUTPUT_CHARS


def failure(source: str, **memory: object) -> TemplateError:
    with pytest.raises(TemplateError) as raised:
        compile(source).text(Scope(memory))
    return raised.value


def test_loops_in_loops_are_refused_before_they_run() -> None:
    raised = failure("ab{{#each l}}{{#each ../l}}{{#each ../../l}}x{{/each}}{{/each}}{{/each}}", l=[1] * 1000)
    assert "loops more than" in str(raised)


def test_a_loop_with_many_parts_counts_them() -> None:
    assert "does too much" in str(failure("{{#each l}}" + "{{x}}" * 100 + "{{/each}}", l=[1] * 40_000, x=""))


def test_a_text_cannot_grow_without_end() -> None:
    big = "x" * 100_000
    for source in ("{{#each l}}{{../x}}{{/each}}", "{{#forEach l}}{{x}}{{/forEach}}", "{{x}}" * 50, "{{x}}{{x}}{{y}}"):
        assert str(MAX_OUTPUT_CHARS) in str(failure(source, l=[1] * 100, x=big, y="y" * 900_000))


def test_helpers_cannot_multiply_a_text() -> None:
    big = "a" * 100_000
    assert str(MAX_OUTPUT_CHARS) in str(failure("{{$replace x 'a' x}}", x=big))
    assert str(MAX_OUTPUT_CHARS) in str(failure("{{$join l x}}", x=big, l=[1] * 1000))
    assert str(MAX_OUTPUT_CHARS) in str(failure("{{$join l}}", l=[big] * 20))


def test_long_values_looked_at_again_and_again_are_work() -> None:
    big = {"a": [[1, 2, 3]] * 3000}
    for source in (
        "{{$eq @root.big @root.big}}",
        "{{$in 4 @root.big.a}}",
        "{{#if ($eq ($json @root.big) 'x')}}y{{/if}}",
    ):
        assert "does too much" in str(failure("{{#each l}}" + source + "{{/each}}", l=[1] * 45_000, big=big))


def test_partials_that_double_each_time_are_loops() -> None:
    source = "".join(f'{{{{#*inline "p{n}"}}}}{{{{> p{n + 1}}}}}{{{{> p{n + 1}}}}}{{{{/inline}}}}' for n in range(30))
    raised = failure(source + '{{#*inline "p30"}}{{/inline}}{{> p0}}')
    assert "loops more than" in str(raised)


def test_usual_templates_stay_far_below_the_limits() -> None:
    source = "{{#each l}}{{@index}} {{name}} {{$currency price 'USD'}} {{#if note}}({{note}}){{/if}}\n{{/each}}"
    rows = [{"name": f"row {n}", "price": n, "note": "n" * 20} for n in range(2000)]
    assert compile(source).text(Scope({"l": rows})).count("\n") == 2000


@pytest.mark.parametrize(
    "source",
    [
        "{{#a}}" * 50 + "{{/a}}" * 50,
        "{{^a}}" * 50 + "{{/a}}" * 50,
        "{{#each a}}" * 50 + "{{/each}}" * 50,
        "{{#if a}}" + "{{else if a}}" * 48 + "{{/if}}",
        "{{#> p}}" * 40 + "{{/p}}" * 40,
        '{{#> p}}{{#*inline "p"}}' * 25 + "{{/inline}}{{/p}}" * 25,
        "{{$not " + "($not " * 49 + "a" + ")" * 49 + "}}",
    ],
)
def test_the_deepest_nesting_compiles_each_part_once(source: str) -> None:
    assert isinstance(compile(source).text(Scope({"a": True})), str)
