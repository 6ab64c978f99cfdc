"""BACK, STOP, SKIP, a guess, a named question, a denied value and what is not understood, as users of
eight languages meet them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.engine.talking import Chat, bot, confirm, do, goal, hook, keywords, q, say, support, trait

POST = "https://garage.test/bookings"


class Words(NamedTuple):
    """What a user says, and what the service says of its own."""

    back: tuple[str, ...]
    stop: tuple[str, ...]
    yes_stop: str
    stopped: str
    skip: tuple[str, ...]
    skip_label: str
    person: tuple[str, str]
    """An expression of the conversation, and a sentence that resembles it."""
    wrong_day: tuple[str, ...]
    not_the_audi: tuple[str, ...]
    not_understood: str
    asks_to_stop: str
    asks_of_guess: str


WORDS = {
    "en": Words(
        ("go back", "back", "one step back"),
        ("never mind", "nevermind", "cancel", "Stop!"),
        "yes, stop it",
        "All right, I stopped trip.",
        ("skip", "no", "none", "nothing, thanks", "I don't have one"),
        "Skip",
        ("I want to talk to a person", "could I maybe talk to a person now"),
        ("the date is wrong", "change the day please", "everything but the date"),
        ("not the Audi", "no, not the Audi"),
        "asdf qwer",
        "Do you want to stop trip?",
        "Do you want person?",
    ),
    "de": Words(
        ("zurück", "einen Schritt zurück", "Geh zurück"),
        ("abbrechen", "vergiss es", "Stopp!", "lass es"),
        "ja, bitte abbrechen",
        "In Ordnung, abgebrochen: trip.",
        ("überspringen", "nein", "keine", "nein danke", "habe ich nicht"),
        "Überspringen",
        ("ich möchte mit einem Menschen sprechen", "könnte ich vielleicht mit einem Menschen sprechen"),
        ("das Datum ist falsch", "den Tag bitte ändern", "alles außer dem Datum"),
        ("nicht den Audi", "nein, nicht den Audi"),
        "asdf qwer",
        "Möchten Sie das abbrechen: trip?",
        "Möchten Sie das: person?",
    ),
    "fr": Words(
        ("retour", "revenir en arrière", "question précédente"),
        ("laisse tomber", "annuler", "Stop !", "arrêtez"),
        "oui, arrêtez",
        "D’accord, c’est arrêté : trip.",
        ("passer", "non", "aucun", "non merci", "je n'en ai pas"),
        "Passer",
        ("je veux parler à une personne", "pourrais-je peut-être parler à une personne"),
        ("la date est fausse", "changez le jour s'il vous plaît", "tout sauf la date"),
        ("pas l'Audi", "non, pas l'Audi"),
        "asdf qwer",
        "Voulez-vous arrêter ceci : trip ?",
        "Est-ce ce que vous voulez : person ?",
    ),
    "es": Words(
        ("atrás", "volver atrás", "pregunta anterior"),
        ("olvídalo", "cancelar", "déjelo", "¡Basta!"),
        "sí, déjalo",
        "De acuerdo, lo dejo: trip.",
        ("omitir", "no", "ninguno", "no gracias", "no tengo"),
        "Omitir",
        ("quiero hablar con una persona", "podría quizás hablar con una persona"),
        ("la fecha está mal", "cambie el día por favor", "todo menos la fecha"),
        ("todo menos el Audi", "cualquiera menos el Audi"),
        "asdf qwer",
        "¿Quiere dejar esto: trip?",
        "¿Es esto lo que quiere: person?",
    ),
    "it": Words(
        ("indietro", "torna indietro", "domanda precedente"),
        ("lascia perdere", "annulla", "basta", "Stop!"),
        "sì, interrompi",
        "Va bene, ho interrotto: trip.",
        ("salta", "no", "nessuno", "no grazie", "non ce l'ho"),
        "Salta",
        ("vorrei parlare con una persona", "potrei forse parlare con una persona adesso"),
        ("la data è sbagliata", "cambi il giorno per favore", "tutto tranne la data"),
        ("non la Audi", "no, non la Audi"),
        "asdf qwer",
        "Vuole interrompere: trip?",
        "È questo che desidera: person?",
    ),
    "nl": Words(
        ("terug", "ga terug", "een stap terug"),
        ("laat maar", "annuleren", "vergeet het", "Stop!"),
        "ja graag",
        "Goed, ik ben gestopt met: trip.",
        ("overslaan", "nee", "geen", "nee bedankt", "heb ik niet"),
        "Overslaan",
        ("ik wil met een mens praten", "kan ik misschien met een mens praten"),
        ("de datum klopt niet", "de dag wijzigen alstublieft", "alles behalve de datum"),
        ("niet de Audi", "nee, niet de Audi"),
        "asdf qwer",
        "Wilt u hiermee stoppen: trip?",
        "Wilt u dit: person?",
    ),
    "pt": Words(
        ("voltar", "volta", "pergunta anterior"),
        ("deixa pra lá", "cancelar", "esquece", "Pare!"),
        "sim, pode parar",
        "Tudo bem, paramos por aqui: trip.",
        ("pular", "não", "nenhum", "não obrigado", "não tenho"),
        "Pular",
        ("quero falar com uma pessoa", "eu poderia talvez falar com uma pessoa agora"),
        ("a data está errada", "mude o dia por favor", "tudo menos a data"),
        ("tudo menos o Audi", "qualquer um menos o Audi"),
        "asdf qwer",
        "Quer parar por aqui: trip?",
        "É isto que você quer: person?",
    ),
    "bg": Words(
        ("назад", "върни се", "предишния въпрос"),
        ("забрави", "откажи", "остави", "Стоп!"),
        "да, моля",
        "Добре, спряхме дотук: trip.",
        ("пропусни", "не", "няма", "не благодаря", "нямам"),
        "Пропусни",
        ("искам да говоря с човек", "може ли да поговоря с човек сега"),
        ("датата е грешна", "сменете деня моля", "всичко освен датата"),
        ("всичко освен Audi", "но не Audi"),
        "фйцу йцук",
        "Искате ли да спрем дотук: trip?",
        "Това ли искате: person?",
    ),
}


def opened(language: str, *answers: str) -> Chat:
    flow = bot(
        {
            "trip": goal(
                q("car", "Car"),
                q("day", "Date"),
                q("note", optional=True),
                confirm("sure"),
                hook("x", POST, "ok", source={"method": "POST"}, conditions=["{{sure}}"]),
                say("dropped", conditions=["{{$not sure}}"]),
            ),
            "person": support(say("A person."), do("stay-silent 10")),
            "phone": support(say("Call us.")),
        },
        keywords("Car", Audi=[], BMW=[]),
        trait(trip=["trip"], person=[WORDS[language].person[0]], phone=["zzz"]),
        language=language,
        misunderstood={"after": 3, "conversation": "phone"},
        understanding={"act": 1, "threshold": 0.3},
    )
    chat = Chat(flow, {POST: 1})
    for said in ("trip", *answers):
        chat.say(said)
    return chat


def of(field: str) -> list[tuple[str, str]]:
    found = []
    for language, words in WORDS.items():
        said = getattr(words, field)
        found += [(language, one) for one in ((said,) if isinstance(said, str) else said)]
    return found


@pytest.mark.parametrize(("language", "said"), of("back"))
def test_back_asks_the_question_before_again(language: str, said: str) -> None:
    chat = opened(language, "Audi")
    assert chat.say(said) == ["car? [Audi]"]


@pytest.mark.parametrize(("language", "said"), of("stop"))
def test_stop_asks_whether_to_stop_and_a_yes_stops(language: str, said: str) -> None:
    words = WORDS[language]
    chat = opened(language, "Audi")
    [asked] = chat.say(said)
    assert asked.startswith(words.asks_to_stop)
    assert chat.say(words.yes_stop) == [words.stopped]
    assert chat.records == ["abandoned"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(("en", "continue the trip"), ("en", "no, go on please"), ("en", "proceed")),
        *(("de", "weiter"), ("fr", "continuez"), ("es", "siga"), ("it", "andiamo avanti"), ("nl", "ga verder")),
        *(("pt", "continue"), ("bg", "продължи")),
    ],
)
def test_to_go_on_is_a_no_to_the_question_whether_to_stop(language: str, said: str) -> None:
    chat = opened(language, "Audi")
    chat.say(WORDS[language].stop[0])
    assert chat.say(said)[0].startswith("day?")


@pytest.mark.parametrize(("language", "said"), of("skip"))
def test_skip_and_a_plain_no_pass_an_optional_question(language: str, said: str) -> None:
    chat = opened(language, "Audi")
    assert chat.say("2026-11-24") == [f"note? [{WORDS[language].skip_label}]"]
    assert chat.say(said)[0].startswith("Right?")
    assert chat.memory["note"] is None


@pytest.mark.parametrize("language", WORDS)
def test_a_guess_asks_before_it_acts(language: str) -> None:
    words = WORDS[language]
    chat = opened(language, "Audi")
    assert chat.say(words.person[1])[0].startswith(words.asks_of_guess)
    assert not chat.state.silent_until
    assert chat.say(words.person[0]) == ["A person."]
    assert chat.state.silent_until


@pytest.mark.parametrize(("language", "said"), of("wrong_day"))
def test_a_question_that_is_named_as_wrong_is_asked_again(language: str, said: str) -> None:
    chat = opened(language, "Audi", "2026-11-24", "abc")
    assert chat.say(said)[-1].startswith("day?")
    assert not chat.calls


@pytest.mark.parametrize(("language", "said"), of("not_the_audi"))
def test_a_denied_value_is_asked_for_again(language: str, said: str) -> None:
    chat = opened(language, "Audi", "2026-11-24", "abc")
    assert chat.say(said)[-1].startswith("car?")
    assert not chat.calls


@pytest.mark.parametrize("language", WORDS)
def test_what_is_not_understood_brings_help_in_steps(language: str) -> None:
    words = WORDS[language]
    chat = opened(language, "Audi")
    assert len(chat.say(words.not_understood)) == 2
    told = chat.say(words.not_understood)
    assert len(told) == 3
    assert f"“{words.back[0]}”" in told[1]
    assert chat.say(words.not_understood) == ["Call us."]
    assert chat.say("2026-11-24")[0].startswith("note?")
