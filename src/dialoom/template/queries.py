"""JSONPath queries that are no plain paths, by ``python-jsonpath`` in its strict mode.

Its ``match()`` and ``search()`` are replaced: they need two more packages to follow RFC 9535, and backtrack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError
from jsonpath.function_extensions import ExpressionType, FilterFunction

from dialoom.errors import TemplateError
from dialoom.template.iregexp import Budget, Expression, NotValid


def library_query(text: str) -> Callable[[Any], Any]:
    """The query as a function of a document: the value of a query for one node, else a list."""
    budget = Budget()
    environment = JSONPathEnvironment(strict=True)
    environment.function_extensions["match"] = Pattern(budget, Expression.matches)
    environment.function_extensions["search"] = Pattern(budget, Expression.occurs_in)
    try:
        path = environment.compile(text)
        is_single = isinstance(path, JSONPath) and path.singular_query()
    except (JSONPathError, RecursionError) as error:
        raise TemplateError(f"The selector is no JSONPath query (RFC 9535): {_reason(error)}") from None

    def find(document: Any) -> Any:
        if not isinstance(document, (Mapping, list, tuple)):
            return None if is_single else []  # only $ selects it, which is plain; the library would read a text as JSON
        budget.renew()
        try:
            found = list(path.findall(document))
        except (JSONPathError, RecursionError) as error:
            raise TemplateError(f"The selector cannot be applied: {_reason(error)}") from None
        if is_single:
            return found[0] if found else None
        return found

    return find


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
            except NotValid:
                self.last = (source, None)
        expression = self.last[1]
        return expression is not None and self.holds(expression, text)


def _reason(error: Exception) -> str:
    """The bare message; the library's own text with the place in it fails at the end of a query."""
    return str(error.args[0]) if error.args else "it is too deep"
