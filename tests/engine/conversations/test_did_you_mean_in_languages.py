"""*Did you mean* in seven languages: asked, chosen by place or name, and turned down in the user's own words."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.engine.talking import Chat, bot, say, support, trait


class Language(NamedTuple):
    block: list[str]
    unblock: list[str]
    names: tuple[str, str]
    said: str
    """What is like both."""
    asked: str
    second: list[str]
    neither: list[str]


LANGUAGES = {
    "en": Language(
        ["block my card", "I lost my card", "my card was stolen"],
        ["unblock my card", "my card works again", "I found my card"],
        ("Block a card", "Unblock a card"),
        "my card and the block",
        "Did you mean {} or {}?",
        ["the second one", "2", "yes the second one", "number two"],
        ["no", "neither", "neither of them", "no thanks", "something else", "none"],
    ),
    "de": Language(
        ["Karte sperren", "ich habe meine Karte verloren", "meine Karte wurde gestohlen"],
        ["Karte entsperren", "meine Karte geht wieder", "ich habe meine Karte gefunden"],
        ("Karte sperren", "Karte entsperren"),
        "meine Karte und die Sperre",
        "Meinten Sie: {} oder {}?",
        ["das zweite", "die zweite", "2", "ja, die zweite bitte", "nummer zwei", "das letzte"],
        ["nein", "nö", "keins davon", "nein, danke", "weder noch", "nichts davon", "etwas anderes", "keine"],
    ),
    "fr": Language(
        ["bloquer ma carte", "j'ai perdu ma carte", "on m'a volé ma carte"],
        ["débloquer ma carte", "ma carte marche de nouveau", "j'ai retrouvé ma carte"],
        ("Bloquer une carte", "Débloquer une carte"),
        "à propos de ma carte",
        "Vouliez-vous dire : {} ou {} ?",
        ["la deuxième", "le second", "2", "oui la deuxième"],
        ["non", "aucune des deux", "ni l'un ni l'autre", "non merci", "autre chose", "aucune"],
    ),
    "es": Language(
        ["bloquear mi tarjeta", "perdí mi tarjeta", "me robaron la tarjeta"],
        ["desbloquear mi tarjeta", "mi tarjeta funciona otra vez", "encontré mi tarjeta"],
        ("Bloquear una tarjeta", "Desbloquear una tarjeta"),
        "sobre mi tarjeta",
        "¿Quería decir: {} o {}?",
        ["la segunda", "el segundo", "2", "sí, la segunda"],
        ["no", "ninguna", "ninguna de las dos", "no gracias", "otra cosa", "ni una ni otra"],
    ),
    "it": Language(
        ["bloccare la carta", "ho perso la carta", "mi hanno rubato la carta"],
        ["sbloccare la carta", "la carta funziona di nuovo", "ho ritrovato la carta"],
        ("Bloccare una carta", "Sbloccare una carta"),
        "la mia carta",
        "Intendeva: {} o {}?",
        ["la seconda", "il secondo", "2", "sì la seconda"],
        ["no", "nessuna delle due", "nessuna", "no grazie", "né l'una né l'altra", "qualcos'altro"],
    ),
    "nl": Language(
        ["mijn pas blokkeren", "ik ben mijn pas kwijt", "mijn pas is gestolen"],
        ["mijn pas deblokkeren", "mijn pas werkt weer", "ik heb mijn pas gevonden"],
        ("Pas blokkeren", "Pas deblokkeren"),
        "iets met mijn pas",
        "Bedoelde u: {} of {}?",
        ["de tweede", "2", "ja de tweede"],
        ["nee", "geen van beide", "geen van de twee", "nee bedankt", "iets anders", "geen"],
    ),
    "pt": Language(
        ["bloquear meu cartão", "perdi meu cartão", "roubaram meu cartão"],
        ["desbloquear meu cartão", "meu cartão voltou a funcionar", "achei meu cartão"],
        ("Bloquear um cartão", "Desbloquear um cartão"),
        "sobre o meu cartão",
        "Você quis dizer: {} ou {}?",
        ["o segundo", "2", "sim, o segundo"],
        ["não", "nenhum dos dois", "nenhum", "não obrigado", "outra coisa", "nem um nem outro"],
    ),
}


def asked_in(code: str) -> tuple[Chat, list[str]]:
    """A chat in which both are offered, and their names in that order."""
    words = LANGUAGES[code]
    names = dict(zip(("block", "unblock"), words.names, strict=True))
    conversations = {key: support(say(f"{key}."), name=name) for key, name in names.items()}
    wishes = trait(block=words.block, unblock=words.unblock)
    flow = bot(conversations, wishes, language=code, understanding={"ask": 0.1, "threshold": 1})
    chat = Chat(flow)
    [said] = chat.say(words.said)
    order = [names[key] for _, key in chat.heard.offered]
    assert said.startswith(words.asked.format(*order))
    return chat, order


ROWS = [
    (code, kind, said)
    for code, row in LANGUAGES.items()
    for kind in ("second", "neither")
    for said in getattr(row, kind)
]


@pytest.mark.parametrize(("code", "kind", "said"), ROWS)
def test_a_typed_answer_is_understood_in_its_language(code: str, kind: str, said: str) -> None:
    chat, order = asked_in(code)
    chat.say(said)
    chosen = None if chat.heard.chosen is None else LANGUAGES[code].names[chat.heard.chosen[1] == "unblock"]
    assert (chosen, chat.heard.has_refused) == ((order[1], False) if kind == "second" else (None, True))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_typed_name_is_chosen_in_its_language(code: str) -> None:
    for key, name in zip(("block", "unblock"), LANGUAGES[code].names, strict=True):
        chat, _ = asked_in(code)
        assert chat.say(name.lower()) == [f"{key}."]
