"""What the channels refuse at their door."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.channels._contract import limits
from dialoom.channels._contract.channel import UNSET_FIELDS, from_platform
from dialoom.engine.events import Attached, Attachment, Event, Picked, Said
from dialoom.errors import RequestError
from dialoom.messages import Profile


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
    ("value", "code", "pointer"),
    [
        ("x" * 8001, "text-too-long", "/option"),
        (["a", "x" * 8001], "text-too-long", "/option/1"),
        ([], "bad-message", "/option"),
        ([1] * 1001, "bad-message", "/option"),
        (["a", ["b"]], "bad-message", "/option/1"),
        ({"text": "x" * 65_536}, "too-long", "/option"),
        (["x" * 8000] * 9, "too-long", "/option"),
    ],
)
def test_an_option_is_bounded_as_a_text_is(value: Any, code: str, pointer: str) -> None:
    with pytest.raises(RequestError) as caught:
        limits.check_option(value, "/option")
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


@pytest.mark.parametrize("value", ["x" * 8000, 1, 2.5, True, None, {"id": 1}, [{"id": 1}, "a"], ["a"] * 1000])
def test_whatever_a_flow_may_offer_can_be_chosen(value: Any) -> None:
    assert limits.check_option(value, "/option") == value


PROFILE = Profile(id="ada", first_name="Ada")
LEAF = Attachment(url="https://files.example.com/leaf.png")
COMMON: dict[str, Any] = {**UNSET_FIELDS, "profile": PROFILE}


@pytest.mark.parametrize(
    ("event", "id", "code"),
    [
        (Said(**COMMON, text="x" * 8000), "e" * 200, None),
        (Said(**COMMON, text="x" * 8001), "e", "text-too-long"),
        (Said(**COMMON, text="x"), "", "bad-id"),
        (Said(**COMMON, text="x"), "e" * 201, "bad-id"),
        (Said(**COMMON | {"profile": Profile(id="", first_name="Ada")}, text="x"), "e", "bad-id"),
        (Said(**COMMON | {"profile": Profile(id="ada", first_name="x" * 257)}, text="x"), "e", "too-long"),
        (Picked(**COMMON, key="3.1"), "e", None),
        (Picked(**COMMON, key="x" * 65), "e", "too-long"),
        (Picked(**COMMON, keys=("1.0",) * 1001), "e", "bad-message"),
        (Picked(**COMMON, value="x" * 8001), "e", "text-too-long"),
        (Attached(**COMMON, files=()), "e", "bad-message"),
        (Attached(**COMMON, files=(LEAF,) * 30, text="x" * 8000), "e", None),
        (Attached(**COMMON, files=(LEAF,) * 31), "e", "bad-message"),
        (Attached(**COMMON, files=(LEAF,), text="x" * 8001), "e", "text-too-long"),
        (Attached(**COMMON, files=(Attachment(url="file:///etc/hosts"),)), "e", "bad-url"),
    ],
)
def test_an_event_of_a_platform_is_bounded_as_one_of_ours_is(event: Event, id: str, code: str | None) -> None:
    found = from_platform(event, id)
    if code is None:
        limits.check_platform_event(found.user, found.inbound)
        return
    with pytest.raises(RequestError) as caught:
        limits.check_platform_event(found.user, found.inbound)
    assert caught.value.code == code


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
