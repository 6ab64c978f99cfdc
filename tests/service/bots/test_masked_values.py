"""Values under secret names are found wherever else a turn says them."""

from __future__ import annotations

from typing import Any

from dialoom.service.bots.masking import (
    MASK,
    MAX_MATCHES,
    MAX_VALUES_PER_TEXT,
    MaskedValues,
    Masking,
    hidden_in,
    secrets_in,
)


def hidden(after: dict[str, Any], before: dict[str, Any] | None = None) -> MaskedValues:
    masking = Masking("member")
    return hidden_in([secrets_in(after, masking)], [secrets_in(before or {}, masking)])


def test_a_value_is_found_as_a_number_as_that_of_an_option_and_among_several() -> None:
    known = hidden({"pin": 4711, "password": {"value": "open sesame"}, "secret": ["first one", "second one"]})
    said = known.said({"text": "4711, open sesame, second one", "more": ["first one", 4711, "94711"]})
    assert said == {"text": "***, ***, ***", "more": ["***", 4711, "94711"]}


def test_a_number_is_no_part_of_a_longer_one_or_of_a_date() -> None:
    assert hidden({"pin": 2026}).said("On 2026-11-20 at 12026 or 2026.") == "On 2026-11-20 at 12026 or ***."


def test_what_a_login_gave_is_hidden_by_its_own_names_only() -> None:
    known = hidden({"member": {"name": "Lovelace", "access_token": "abc-def"}})
    assert known.said("Hello Lovelace: abc-def") == "Hello Lovelace: ***"


def test_a_short_value_is_hidden_in_the_message_that_brought_it_and_nowhere_else() -> None:
    understanding = {"Number": [{"value": 12, "text": "twelve", "start": 6}], "Text": [{"value": "green twelve"}]}
    brought = hidden({"pin": 12})
    assert brought.heard("green twelve", {"value": 12}, understanding) == (
        "green ***",
        {"value": "***"},
        {"Number": [{"value": "***", "text": "***", "start": 6}], "Text": [{"value": "green ***"}]},
    )
    assert brought.said("12 cups") == "12 cups"
    assert hidden({"pin": 12}, {"pin": 12}).heard("12 cups", None, None) == ("12 cups", None, None)


def test_nothing_hidden_leaves_everything_as_it_is() -> None:
    said = {"text": "tea", "number": 3}
    assert hidden({"kind": "tea", "pin": None}).said(said) is said


class CountedText(str):
    """Counts how often something is looked for in it."""

    __slots__ = ()
    looks = 0

    def find(self, *args: Any) -> int:
        CountedText.looks += 1
        return super().find(*args)


def test_of_thousands_of_values_those_alone_are_looked_for_that_may_stand_in_the_text() -> None:
    known = hidden({"secret": [f"{number:05}-word" for number in range(8000)]})
    text = CountedText("00017-word, 00017, 09000-word and 07999-word again: 07999-word")
    CountedText.looks = 0
    assert known.said(text) == "***, 00017, 09000-word and *** again: ***"
    assert CountedText.looks <= 100


def test_a_text_in_which_more_values_may_stand_than_are_looked_for_is_hidden_as_a_whole() -> None:
    values = [f"{number:05}-word" for number in range(8000)]
    known = hidden({"secret": values})
    CountedText.looks = 0
    assert known.said([CountedText(" ".join(values[::20])), "tea"]) == [MASK, "tea"]
    assert CountedText.looks == 0
    assert (
        hidden({"secret": values[: MAX_VALUES_PER_TEXT + 1 : 2]}).said(" ".join(values[:3])) == f"*** {values[1]} ***"
    )


def test_a_text_with_very_many_places_for_a_value_is_hidden_as_a_whole() -> None:
    CountedText.looks = 0
    assert hidden({"pin": ["1111", "11111"]}).said(CountedText("1" * 8000)) == MASK
    assert CountedText.looks <= MAX_MATCHES + 2


def test_values_that_overlap_are_hidden_both() -> None:
    assert hidden({"secret": ["abcd", "cdef", "bc"]}).said("abcdef, abcd") == "***, ***"
    assert hidden({"secret": ["open sesame", "sesame"]}).said("open sesame sesame") == "*** ***"
    assert hidden({"pin": [1234], "secret": "abcd"}).said("abcdabcd 1234 1234-5 v.1234") == "****** *** 1234-5 v.1234"


def test_values_of_an_object_that_stays_the_same_are_not_looked_for_again() -> None:
    masking = Masking("member")
    held = {"list": [{"pin": "1234"}]}
    before = secrets_in({"held": held, "password": "first"}, masking)
    held["list"].append({"pin": "5678"})  # nobody does this; it shows that nobody looks
    after = secrets_in({"held": held, "password": "second"}, masking, before)
    assert after.values() == {"1234", "second"}
    assert secrets_in(before.memory, masking, before) is before
    assert secrets_in({"held": held}, Masking("held"), before).values() >= {"1234", "5678"}
