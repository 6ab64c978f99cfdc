from __future__ import annotations

import pytest

from tests.understanding.values.reading import read, values


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *(
            (text, "en")
            for text in ("yes", "Yes please!", "yeah, sure", "ok", "OK book it", "that's right", "👍🏽", "✅")
        ),
        *((text, "en") for text in ("well, yes", "yes yes", "sounds good", "no problem", "I think so", "y", "right.")),
        *(("ja gerne", "de"), ("stimmt", "de"), ("oui", "fr"), ("d’accord", "fr"), ("sí", "es"), ("si", "es")),
        *(("va bene", "it"), ("ja graag", "nl"), ("sim", "pt"), ("да", "bg"), ("Добре, запазете", "bg")),
        *(("kyllä", "fi"), ("是的", "zh"), ("نعم", "ar"), ("ใช่", "th"), ("evet", "tr"), ("da", "hr"), ("ok", "xx")),
    ],
)
def test_a_yes_is_understood(text: str, language: str) -> None:
    assert values("Confirmation", text, language) == [True]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((text, "en") for text in ("no", "No, thanks", "nope", "no make it 4", "of course not", "not really", "👎")),
        *((text, "en") for text in ("oh no", "don't", "that's wrong", "no no no")),
        *(("nein danke", "de"), ("non", "fr"), ("bien sûr que non", "fr"), ("claro que no", "es"), ("no grazie", "it")),
        *(
            ("nee", "nl"),
            ("não, às 16h", "pt"),
            ("не", "bg"),
            ("ei", "fi"),
            ("不是", "zh"),
            ("ไม่ใช่", "th"),
            ("hayır", "tr"),
        ),
    ],
)
def test_a_no_is_understood(text: str, language: str) -> None:
    assert values("Confirmation", text, language) == [False]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((text, "en") for text in ("no idea", "not sure", "yes and no", "maybe", "I have no doctor", "good morning")),
        *((text, "en") for text in ("right hand side", "nobody", "yesterday", "I don't know", "👍👎", "book it", "")),
        *(("weiß nicht", "de"), ("je ne sais pas", "fr"), ("no sé", "es"), ("non so", "it"), ("не знам", "bg")),
    ],
)
def test_what_is_neither_gives_nothing(text: str, language: str) -> None:
    assert values("Confirmation", text, language) == []


def test_the_rest_of_the_sentence_is_left_to_other_types() -> None:
    assert read("Confirmation", "no, make it 4") == [(False, "no")]
