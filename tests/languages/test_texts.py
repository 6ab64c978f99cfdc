from __future__ import annotations

import msgspec
import pytest

from dialoom.languages import LANGUAGES, SystemTexts, language_of_texts, system_texts

YES_NO_CONFIRM = """en Yes No Confirm · de Ja Nein Bestätigen · fr Oui Non Confirmer · es Sí No Confirmar · it Sì No Conferma ·
nl Ja Nee Bevestigen · pt Sim Não Confirmar · bg Да Не Потвърждавам · fi Kyllä Ei Vahvista · hr Da Ne Potvrdi ·
sv Ja Nej Bekräfta · tr Evet Hayır Onayla · zh 是 否 确认 · ar نعم لا تأكيد · th ใช่ ไม่ใช่ ยืนยัน"""


@pytest.mark.parametrize("row", YES_NO_CONFIRM.split("·"))
def test_yes_no_and_confirm_are_those_of_the_specification(row: str) -> None:
    language, *words = row.split()
    texts = system_texts(language)
    assert [texts.yes, texts.no, texts.confirm] == words


def test_english_defaults_are_those_of_the_specification() -> None:
    texts = system_texts("en")
    assert texts.next_page + texts.previous_page + texts.restart == ("Next 5", "Prev 5", "restart")
    assert texts.invalid_replies == ("I am not sure I understood what you said.",)
    assert texts.general_failure == ("We are experiencing technical difficulties at this moment.",)
    assert texts.previous_conversation_messages == ("I am going back to {{conversationDisplayName}} now.",)
    assert (texts.open, texts.submit, texts.select) == ("Open", "Submit", "Select")


@pytest.mark.parametrize(
    ("tag", "like"), [("de-AT", "de"), ("PT_br", "pt"), ("zh-Hant-TW", "zh"), ("xx", "en"), ("", "en")]
)
def test_an_unknown_tag_falls_back_to_its_base_language_and_then_to_english(tag: str, like: str) -> None:
    assert isinstance(system_texts(tag), SystemTexts)
    assert system_texts(tag) is system_texts(like)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_those_of_their_language_alone(language: str) -> None:
    assert language_of_texts(f"{language}-XX") == language
    if language != "en":
        theirs, english = map(msgspec.structs.asdict, (system_texts(language), system_texts("en")))
        assert [name for name, text in theirs.items() if text == english[name]] in ([], ["no"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_means_one_thing(language: str) -> None:
    texts = system_texts(language)
    paging = (*texts.next_page, *texts.previous_page, *texts.restart)
    assert len({label.casefold() for label in (texts.yes, texts.no, texts.confirm, *paging)}) == 3 + len(paging)
