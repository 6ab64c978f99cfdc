"""JSONPath queries that are no plain paths, by ``python-jsonpath`` in its strict mode.

Its ``match()`` and ``search()`` are replaced: they need two more packages to follow RFC 9535, and backtrack.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from typing import Any, ClassVar

from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError, JSONPathMatch, JSONPathSyntaxError
from jsonpath.filter import BaseExpression, FilterQuery
from jsonpath.function_extensions import ExpressionType, FilterFunction
from jsonpath.parse import Parser
from jsonpath.segments import JSONPathSegment
from jsonpath.selectors import Filter
from jsonpath.token import TOKEN_SINGLE_QUOTE_STRING, Token

from dialoom.errors import TemplateError
from dialoom.template.requests.iregexp import Budget, Expression, InvalidExpression
from dialoom.template.values.printing import LONE_SURROGATE

ESCAPE_OR_QUOTE = re.compile(r"\\.|\"", re.DOTALL)
AS_JSON = {"\\'": "'", '"': '\\"', '\\"': "\\'"}
"""What stands between single quotes, as it stands between double ones; the last is an error in both."""

MAX_VISITS = 100_000
"""Nodes that one application of a query may visit, those of the queries in its filters included; they take 0.2 s, in
filters of many comparisons up to 0.9 s. Without a bound a query in a filter of a descendant segment
("$..[?count($..*) > 1]") visits the square of what the document holds, and one turn holds up all users."""


def library_query(text: str) -> Callable[[Any], Any]:
    """Return the query as a function of a document: the value of a query for one node, else a list."""
    budget = Budget()
    environment = Environment(strict=True)
    environment.function_extensions["match"] = Pattern(budget, Expression.matches)
    environment.function_extensions["search"] = Pattern(budget, Expression.occurs_in)
    try:
        path = environment.compile(text)
        is_single = isinstance(path, JSONPath) and path.singular_query()
        visits = Visits()
        for query in _queries(path, visits):
            query.segments = (Beginning(query, visits), *query.segments)
    except (JSONPathError, RecursionError) as error:
        raise TemplateError(f"The selector is no JSONPath query (RFC 9535): {_reason(error)}") from None

    def find(document: Any) -> Any:
        if not isinstance(document, (Mapping, list, tuple)):
            return None if is_single else []  # only $ selects it, which is plain; the library would read a text as JSON
        budget.renew()
        visits.left = MAX_VISITS
        try:
            found = list(path.findall(document))
        except (JSONPathError, RecursionError) as error:
            raise TemplateError(f"The selector cannot be applied: {_reason(error)}") from None
        if is_single:
            return found[0] if found else None
        return found

    return find


class LiteralParser(Parser):
    """Reads string literals as RFC 9535 has them (section 2.3.1.1): the library refuses ``\\u000b``."""

    def _decode_string_literal(self, token: Token) -> str:
        written = token.value
        if token.kind == TOKEN_SINGLE_QUOTE_STRING:
            written = ESCAPE_OR_QUOTE.sub(lambda found: AS_JSON.get(found[0], found[0]), written)
        try:
            text: str = json.loads(f'"{written}"')
        except json.JSONDecodeError:
            raise JSONPathSyntaxError("a string literal with an escape that means nothing", token=token) from None
        if LONE_SURROGATE.search(text):
            raise JSONPathSyntaxError("a string literal with half of a surrogate pair", token=token)
        return text


class Environment(JSONPathEnvironment):
    parser_class = LiteralParser


class Visits:
    """What one application of a query may still visit. Elements that are only looked at, and the parts of the filters
    that are asked of each, count for less."""

    __slots__ = ("each", "left")

    def __init__(self) -> None:
        self.left = MAX_VISITS
        self.each = 4
        """Sixteenths of a visit that an element of a list or an object takes."""

    def spend(self, obj: object, depth: int) -> None:
        """Count the look at all elements of ``obj``, which stands so deep inside of the document."""
        if isinstance(obj, (dict, list, tuple)):
            self.left -= len(obj) * self.each >> 4
        self.left -= depth >> 3  # the library hands each node of a descendant segment up through a generator a level
        if self.left < 0:
            raise TemplateError(
                f"The selector visits more than {MAX_VISITS} nodes of this document. Make it narrower: name the keys "
                "on the way, and keep queries of the whole document out of its filters."
            )


class Beginning(JSONPathSegment):
    """The first segment of every query: makes nodes whose children are counted of what comes in, and selects all."""

    def __init__(self, query: JSONPath, visits: Visits) -> None:
        first = query.segments[0]
        super().__init__(env=first.env, token=first.token, selectors=())
        self.visits = visits
        self.is_single = query.singular_query()

    def resolve(self, nodes: Iterable[JSONPathMatch]) -> Iterable[JSONPathMatch]:
        return map(self._counted, nodes)

    async def resolve_async(self, nodes: AsyncIterable[JSONPathMatch]) -> AsyncIterator[JSONPathMatch]:
        async for node in nodes:
            yield self._counted(node)

    def _counted(self, node: JSONPathMatch) -> JSONPathMatch:
        if not self.is_single:
            self.visits.spend(node.obj, 0)
        return Counted(self.visits, node, node.obj, node.parent)

    def __str__(self) -> str:
        return ""


class Counted(JSONPathMatch):
    """A node whose children cost visits."""

    __slots__ = ("depth", "visits")

    def __init__(
        self, visits: Visits, near: JSONPathMatch, obj: object, parent: JSONPathMatch | None, depth: int = 0
    ) -> None:
        """``near``: of the same document. Where a node stands is told nobody, so that no path is written for it."""
        super().__init__(
            filter_context=near.filter_context(), obj=obj, parent=parent, path="", parts=(), root=near.root
        )
        self.visits = visits
        self.depth = depth

    def new_child(self, obj: object, key: int | str) -> JSONPathMatch:
        self.visits.left -= 1
        self.visits.spend(obj, self.depth)
        return Counted(self.visits, self, obj, self, self.depth + 1)


def _queries(path: object, visits: Visits) -> list[JSONPath]:
    """Return a query and those in its filters, in theirs and so on, but for ``@`` and ``$`` alone. Each part of a
    filter raises the price of a visit."""
    if not isinstance(path, JSONPath) or not path.segments:
        return []
    found = [path]
    waiting: list[BaseExpression] = []
    for segment in path.segments:
        waiting += [selector.expression for selector in segment.selectors if isinstance(selector, Filter)]
    while waiting:
        expression = waiting.pop()
        visits.each += 1
        if isinstance(expression, FilterQuery):
            found += _queries(expression.path, visits)
        else:
            waiting += expression.children()
    return found


class Pattern(FilterFunction):
    """``match(text, expression)`` or ``search(text, expression)``; an expression not valid holds for nothing."""

    arg_types: ClassVar = [ExpressionType.VALUE, ExpressionType.VALUE]
    return_type = ExpressionType.LOGICAL

    def __init__(self, budget: Budget, holds: Callable[[Expression, str], bool]) -> None:
        self.budget = budget
        self.holds = holds
        self.last: tuple[str, Expression | None] = ("", None)
        """The expression used last: mostly it is the same for every element."""

    def __call__(self, text: object, source: object) -> bool:
        if not isinstance(text, str) or not isinstance(source, str):
            return False
        if self.last[0] != source or self.last[1] is None:
            try:
                self.last = (source, Expression(source, self.budget))
            except InvalidExpression:
                self.last = (source, None)
        expression = self.last[1]
        return expression is not None and self.holds(expression, text)


def _reason(error: Exception) -> str:
    """Return the bare message; the library's own text with the place in it fails at the end of a query."""
    return str(error.args[0]) if error.args else "it is too deep"
