from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.flow.check.known import plain
from dialoom.understanding import normalise

texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
near = st.sampled_from(
    ["Café", "cafe", "CAFE!", "Good  day", "good day", "👍", "👎", "No.", "no", "สวัสดี", "हिन्दी", "हिनदी", "ﬁn", "20 €"]
)


def test_case_accents_and_signs_do_not_count() -> None:
    assert plain("  Café, PLEASE! ") == "cafe please"
    assert plain("👍") != plain("👎")
    assert plain("?!") == "?!"


@settings(max_examples=200)
@given(texts | near, texts | near)
def test_what_is_one_text_here_is_one_text_to_the_understanding(one: str, other: str) -> None:
    if plain(one) == plain(other):
        assert normalise(one) == normalise(other)
