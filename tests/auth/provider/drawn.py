"""What a provider may answer with, drawn: any bytes, any JSON, and right answers with something of them changed."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tests.auth.provider.right import body

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=6,
)
BYTES = st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
FEW = settings(max_examples=150, deadline=None)


def changes(names: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(sorted(names)), JSON, min_size=1, max_size=3)


def cut(data: bytes) -> st.SearchStrategy[bytes]:
    """A right answer with one stretch of it replaced."""
    return st.tuples(st.integers(0, len(data)), st.integers(0, 40), BYTES).map(
        lambda how: data[: how[0]] + how[2] + data[how[0] + how[1] :]
    )


def answers(right: dict[str, Any], *more: str) -> st.SearchStrategy[bytes]:
    """``more``: members that the right one does not have."""
    return (
        BYTES
        | JSON.map(body)
        | cut(body(right))
        | changes([*right, *more]).map(lambda some: body(right | some))
        | st.sets(st.sampled_from(sorted(right)), min_size=1).map(
            lambda gone: body({name: value for name, value in right.items() if name not in gone})
        )
    )
