"""What the channels refuse at their door."""

from __future__ import annotations

import pytest

from dialoom.channels import limits
from dialoom.errors import RequestError


def _code(context: dict[str, object]) -> str:
    with pytest.raises(RequestError) as caught:
        limits.check_page_context(context, {"order": "a webhook step writes it"}, "/context")
    return caught.value.code


def test_context_of_a_page_is_bounded_in_size() -> None:
    assert _code({f"key{number}": number for number in range(8000)}) == "context-too-large"
    assert _code({"text": "x" * 70_000}) == "context-too-large"


def test_a_reserved_name_is_refused_with_its_reason() -> None:
    assert _code({"order": 1}) == "context-refused"
    assert _code({"_system": 1}) == "context-refused"
    assert limits.check_page_context({"shop": "x"}, {}, "/context") == {"shop": "x"}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (None, (None, None)),
        (" ", (None, None)),
        ("Ada", ("Ada", None)),
        (" Ada  King Lovelace ", ("Ada", "King Lovelace")),
    ],
)
def test_a_name_is_its_first_word_and_the_rest(name: str | None, parts: tuple[str | None, str | None]) -> None:
    assert limits.names(name, "/name") == parts
