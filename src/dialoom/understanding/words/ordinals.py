"""Words that name one of several shown things by its place: "the second one", "option 2", "die letzte", by language.

Read by ``choosing``. Days of a month ("the 2nd") are no matter of this table.
"""

from __future__ import annotations

from functools import cache

import msgspec

from dialoom.understanding.normalise import fold
from dialoom.understanding.words import LANGUAGES, words_for

LAST = -1
MAX_ORDINAL = 10


class Ordinals(msgspec.Struct, frozen=True, kw_only=True):
    """One language's words. All are folded."""

    places: dict[str, int] = {}
    """Each form of an ordinal number to the place that it names; ``LAST`` for the last."""
    counted: dict[str, int] = {}
    """Words for numbers from two on: "number two"."""
    suffixes: frozenset[str] = frozenset()
    """What may stand at digits: "2nd"."""
    nouns: frozenset[str] = frozenset()
    """What is so named, beside the place: "one", "option". With one of them nothing else can be meant."""
    around: frozenset[str] = frozenset()
    """What people say around it: articles, "I take", "please"."""
    around_numbers: frozenset[str] = frozenset()
    """Those of them that leave a number a place: "I take 2" may be two of them, "number 2 please" is the second."""
    both: frozenset[str] = frozenset()
    """Between two places."""
    not_alone: frozenset[str] = frozenset()
    """Ordinals that are also names of something else and so need a noun: Portuguese "a segunda" is Monday."""


def _words(text: str) -> frozenset[str]:
    return frozenset(map(fold, text.split()))


def _places(rows: str, last: str, endings: str = "") -> dict[str, int]:
    """``rows``: the places in order, forms of one place joined by ``/``; ``endings``: of stems, in all their forms."""
    places = {}
    for place, forms in [*enumerate(rows.split(), 1), (LAST, last)]:
        for form in forms.split("/"):
            for ending in endings.split("/"):
                places[fold(form + ending)] = place
    return places


_TABLES: dict[str, Ordinals] = {
    "en": Ordinals(
        places=_places("first second third fourth fifth sixth seventh eighth ninth tenth", "last"),
        suffixes=_words("st nd rd th"),
        nouns=_words("one ones option choice"),
        around=_words(
            "the number nr i ll d m would like want wanna to take have choose pick prefer think let s go for with "
            "maybe then please pls plz thanks thank you ok okay my answer is it on list from um hmm well"
        ),
        around_numbers=_words("the number nr please pls plz thanks thank you ok okay"),
        both=_words("and"),
    ),
    "de": Ordinals(
        places=_places("erst zweit dritt viert fünft sechst siebt/siebent acht neunt zehnt", "letzt", "e/er/es/en/em"),
        nouns=_words("option möglichkeit variante auswahl vorschlag"),
        around=_words(
            "der die das den dem nummer nr ich nehme nehm nehmen wir möchte will wähle hätte würde lieber gern gerne "
            "dann bitte danke ok okay also ähm hm mir davon von auf liste"
        ),
        around_numbers=_words("die nummer nr bitte danke ok okay"),
        both=_words("und"),
    ),
    "fr": Ordinals(
        places=_places(
            "premier/première deuxième/second/seconde troisième quatrième cinquième sixième septième huitième neuvième "
            "dixième",
            "dernier/dernière",
        ),
        suffixes=_words("er re e eme"),
        nouns=_words("option choix possibilité proposition"),
        around=_words(
            "le la l numéro no je j prends prendrai prendrais veux voudrais aimerais choisis préfère plutôt alors donc "
            "s il vous te plaît svp stp merci ok d accord de liste euh"
        ),
        around_numbers=_words("le la numéro no s il vous te plaît svp stp merci ok"),
        both=_words("et"),
    ),
    "es": Ordinals(
        places=_places(
            "primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta quinto/quinta sexto/sexta "
            "séptimo/séptima octavo/octava noveno/novena décimo/décima",
            "último/última",
        ),
        suffixes=_words("o a er"),
        nouns=_words("opción alternativa"),
        around=_words(
            "el la lo número núm yo quiero quisiera tomo elijo escojo prefiero me quedo gustaría con entonces pues por "
            "favor gracias ok vale de lista"
        ),
        around_numbers=_words("el la número núm por favor gracias ok vale"),
        both=_words("y"),
    ),
    "it": Ordinals(
        places=_places(
            "primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima "
            "ottavo/ottava nono/nona decimo/decima",
            "ultimo/ultima",
        ),
        suffixes=_words("o a"),
        nouns=_words("opzione scelta possibilità"),
        around=_words(
            "il la lo l numero io prendo voglio vorrei scelgo preferisco allora per favore grazie ok va bene di lista"
        ),
        around_numbers=_words("il la numero per favore grazie ok"),
        both=_words("e ed"),
        not_alone=_words("prima"),  # also "earlier"
    ),
    "nl": Ordinals(
        places=_places("eerste tweede derde vierde vijfde zesde zevende achtste negende tiende", "laatste"),
        suffixes=_words("e de ste"),
        nouns=_words("optie keuze mogelijkheid"),
        around=_words(
            "de het nummer nr ik neem wil wou zou kies graag liever doe maar dan alstublieft alsjeblieft aub bedankt "
            "dank u je ok oké van lijst"
        ),
        around_numbers=_words("de het nummer nr graag alstublieft alsjeblieft aub bedankt dank u je ok oké"),
        both=_words("en"),
    ),
    "pt": Ordinals(
        places=_places(
            "primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto/sexta "
            "sétimo/sétima oitavo/oitava nono/nona décimo/décima",
            "último/última",
        ),
        suffixes=_words("o a"),
        nouns=_words("opção escolha alternativa"),
        around=_words(
            "o a número eu quero queria gostaria escolho prefiro fico com então por favor obrigado obrigada ok de da "
            "lista"
        ),
        around_numbers=_words("o a número por favor obrigado obrigada ok"),
        both=_words("e"),
        not_alone=_words("segunda terça quarta quinta sexta"),
    ),
    "bg": Ordinals(
        places=_places(
            "първи/първия/първият/първа/първата/първо/първото втори/втория/вторият/втора/втората/второ/второто "
            "трети/третия/третият/трета/третата/трето/третото четвърти/четвъртия/четвъртият/четвърта/четвъртата/"
            "четвърто пети/петия/петият/пета/петата/пето/петото шести/шестия/шестият/шеста/шестата/шесто/шестото "
            "седми/седмия/седмият/седма/седмата/седмо/седмото осми/осмия/осмият/осма/осмата/осмо/осмото "
            "девети/деветия/деветият/девета/деветата/девето/деветото "
            "десети/десетия/десетият/десета/десетата/десето/десетото",
            "последен/последния/последният/последна/последната/последно/последното",
        ),
        suffixes=_words("ри ра ро ти та то ви ва во ми ма мо"),
        nouns=_words("опция опцията вариант варианта вариантът възможност възможността"),
        around=_words("номер аз искам избирам вземам взимам предпочитам бих желал желала ще взема за тогава моля ок"),
        around_numbers=_words("номер моля ок"),
        both=_words("и"),
    ),
}


@cache
def ordinals_for(language: str) -> Ordinals:
    """Of a language tag; languages without a table know digits only ("2")."""
    primary = language.lower().replace("_", "-").split("-")[0]
    if primary not in LANGUAGES:
        return Ordinals()
    numbers = {fold(word): int(value) for word, value in words_for(primary).numbers.items()}
    counted = {word: value for word, value in numbers.items() if 1 < value <= MAX_ORDINAL}
    return msgspec.structs.replace(_TABLES[primary], counted=counted)
