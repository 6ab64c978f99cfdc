"""Words that tell the first of two values of one type from the second: from and to, departure and return, by language.

Read by the engine, which gives values to questions; what the values are is left to ``values``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from dialoom.understanding.normalise import fold
from dialoom.understanding.words import LANGUAGES, words_for


class Roles(msgspec.Struct, frozen=True, kw_only=True):
    """One language's words. All are folded."""

    first: frozenset[str]
    """Right before a value: it is where or when something begins."""
    first_of_two: frozenset[str] = frozenset()
    """The same, but only where a second value follows: words that mean much else ("de", "van")."""
    second: frozenset[str]
    """Right before a value: it is where or when something ends."""
    second_of_places: frozenset[str] = frozenset()
    """The same for values of custom types only: before a time they mean "at" or "after" ("nach", "alle")."""
    second_after_first: frozenset[str] = frozenset()
    """The same, but only where the first value precedes: "between nine and five", "de 9 h à 17 h"."""
    passed: frozenset[str] = frozenset()
    """May stand between such a word and the value: articles, "on", "at"."""
    making: frozenset[str] = frozenset()
    """With one of these the sentence takes up the last value that was spoken of: "no, make it Friday please"."""
    changing: frozenset[str] = frozenset()
    """With one of these in the sentence, "to" only names a new value: "change it to Varna"."""
    alternatives: frozenset[str] = frozenset()
    both: frozenset[str] = frozenset()
    """Between values that are meant together."""
    first_names: frozenset[str] = frozenset()
    """Nouns and verbs, in the sentence or in the name of an entity: departure, start."""
    second_names: frozenset[str] = frozenset()
    first_phrases: frozenset[tuple[str, str]] = frozenset()
    """Verbs of two words, between which others may stand: "pick it up"."""
    second_phrases: frozenset[tuple[str, str]] = frozenset()
    turning: frozenset[str] = frozenset()
    """Nouns and verbs that turn with what is spoken of: one leaves on a journey first, but arrives for a stay."""
    ends_with_verb: bool = False
    """A verb may stand right behind its value: "am 8. abholen"."""
    leading_to_persons: frozenset[str] = frozenset()
    """Right before a number with nothing counted behind it: "a table for 4"."""
    pronouns: frozenset[str] = frozenset()
    """Number words that mostly stand for a thing: "find me one in Berlin"."""
    counting_pronouns: frozenset[str] = frozenset()
    """Behind these they count: "only one"."""
    articles: frozenset[str] = frozenset()
    """A little before them these make them no number: "a regular one"."""
    not_: frozenset[str] = frozenset()
    """Right before a value that is not wanted; words that are an answer too ("no" in Spanish) are none of them."""
    why: frozenset[str] = frozenset()
    """Before such a word they make a proposal of it: "why not Friday"."""
    weighing: frozenset[str] = frozenset()
    """May stand between such a word and the value: "not too expensive"."""


STAY = frozenset({"checkin", "checkout"})
"""Names that tell a stay from a journey."""


def _words(text: str) -> frozenset[str]:
    return frozenset(map(fold, text.split()))


def _phrases(text: str) -> frozenset[tuple[str, str]]:
    """Pairs from ``verb verb+particle particle``: each verb with each particle."""
    pairs = (part.split("+") for part in text.split(","))
    return frozenset(
        (fold(verb), fold(particle)) for verbs, last in pairs for verb in verbs.split() for particle in last.split()
    )


_ROLES = {
    "en": Roles(
        first=_words("from between since"),
        second=_words("to until till til through thru into"),
        second_after_first=_words("and"),
        passed=_words("the on at in about around airport station"),
        making=_words("make making say rather"),
        changing=_words("change changed changing switch move set update correct shift postpone"),
        alternatives=_words("or"),
        both=_words("and"),
        first_names=_words(
            "origin source departure depart departs departing start starts starting begin begins beginning leave "
            "leaves leaving outbound pickup checkin"
        ),
        second_names=_words(
            "destination target arrival arrive arrives arriving end ends ending finish finishing return returns "
            "returning inbound back dropoff checkout"
        ),
        first_phrases=_phrases("pick picks picking picked+up, check checks checking+in into, set sets setting+off out"),
        second_phrases=_phrases(
            "drop drops dropping dropped+off, check checks checking+out, turn turning+in, go going come coming+home, "
            "leave leaves leaving depart departs departing head heading headed+for"
        ),
        turning=_words("arrival arrive arrives arriving departure depart departs departing leave leaves leaving"),
        leading_to_persons=_words("for"),
        pronouns=_words("one"),
        counting_pronouns=_words("only just it be is are with"),
        articles=_words("a an the"),
        not_=_words("not"),
        why=_words("why if"),
        weighing=_words("very too so that really"),
    ),
    "de": Roles(
        first=_words("von vom ab zwischen seit"),
        second=_words("bis"),
        second_of_places=_words("nach zum zur richtung"),
        second_after_first=_words("und nach zum"),
        passed=_words("der die das dem den zum zur um am gegen etwa"),
        making=_words("mach mache machen sagen lieber"),
        changing=_words("ändern ändere ändert verschieben verschiebe verschiebt setzen setze tauschen korrigiere"),
        alternatives=_words("oder"),
        both=_words("und sowie"),
        first_names=_words(
            "start beginn beginnt anfang abfahrt abflug abreise hinfahrt hinflug hinreise herkunft abholung "
            "abholort startort hole abholen abgeholt einchecken losfahren abfahren abfliegen abreisen"
        ),
        second_names=_words(
            "ende endet ziel zielort ankunft rückfahrt rückflug rückreise rückkehr zurück rückgabe zurückbringen "
            "zurückgeben abgeben auschecken ankommen anreise anreisen zurückfahren zurückkommen zurückfliegen"
        ),
        turning=_words("ankunft ankommen anreise anreisen abreise abreisen abfahrt abflug"),
        ends_with_verb=True,
        leading_to_persons=_words("für"),
        not_=_words("nicht"),
        why=_words("warum wieso weshalb wenn falls"),
        weighing=_words("sehr zu so allzu"),
    ),
    "fr": Roles(
        first=_words("depuis entre dès"),
        first_of_two=_words("de du des"),
        second=_words("jusqu jusque vers"),
        second_of_places=_words("à au aux pour"),
        second_after_first=_words("et à au aux"),
        passed=_words("le la les l à au aux environ"),
        making=_words("mets disons plutôt"),
        changing=_words("changer changez change modifier modifiez modifie déplacer déplacez corriger mettre mettez"),
        alternatives=_words("ou"),
        both=_words("et"),
        first_names=_words("départ début origine commence partant partir aller provenance récupérer retirer"),
        second_names=_words("arrivée arriver fin destination retour retourner revenir finit rendre ramener restituer"),
        turning=_words("arrivée arriver départ partant partir"),
        leading_to_persons=_words("pour"),
        not_=_words("pas"),
        why=_words("pourquoi si"),
        weighing=_words("très trop si"),
    ),
    "es": Roles(
        first=_words("desde entre"),
        first_of_two=_words("de del"),
        second=_words("hasta"),
        second_of_places=_words("a al para hacia"),
        second_after_first=_words("y e a al"),
        passed=_words("el la los las a eso sobre"),
        making=_words("mejor digamos"),
        changing=_words("cambiar cambia cambie cámbialo mover mueve mueva poner pon ponga corregir corrige"),
        alternatives=_words("o u"),
        both=_words("y e"),
        first_names=_words("origen salida salgo saliendo salir inicio comienzo empieza ida partida recogida recoger"),
        second_names=_words("destino llegada llego llegar fin final termina vuelta regreso volver devolución devolver"),
        turning=_words("llegada llego llegar salida salgo saliendo salir"),
        leading_to_persons=_words("para"),
    ),
    "it": Roles(
        first=_words("da dal dalla dalle dall dallo dai tra fra"),
        second=_words("fino sino entro"),
        second_of_places=_words("a al alla per verso"),
        second_after_first=_words("e ed a al alle all alla"),
        passed=_words("il la le lo l i a al alle alla all circa"),
        making=_words("facciamo diciamo"),
        changing=_words("cambia cambiare cambi sposta spostare modifica modificare correggi metti"),
        alternatives=_words("o oppure"),
        both=_words("e ed"),
        first_names=_words("origine partenza parto partendo partire inizio andata ritiro ritirare"),
        second_names=_words("destinazione arrivo arrivare fine ritorno tornare riconsegna riconsegnare restituire"),
        turning=_words("arrivo arrivare partenza parto partendo partire"),
        leading_to_persons=_words("per"),
        not_=_words("non"),
        why=_words("perché se"),
        weighing=_words("molto troppo così"),
    ),
    "nl": Roles(
        first=_words("vanaf vanuit tussen sinds"),
        first_of_two=_words("van"),
        second=_words("tot totenmet"),
        second_of_places=_words("naar"),
        second_after_first=_words("en naar"),
        passed=_words("de het op om rond met en"),
        making=_words("maak liever"),
        changing=_words("wijzig wijzigen verander veranderen verplaats verplaatsen verzet verzetten zet"),
        alternatives=_words("of"),
        both=_words("en"),
        first_names=_words("vertrek vertrekken start begin begint heenreis herkomst ophalen inchecken"),
        second_names=_words(
            "aankomst bestemming einde eindigt terug terugreis retour terugkeer inleveren "
            "aankomen terugbrengen teruggeven uitchecken terugkomen"
        ),
        turning=_words("aankomst aankomen vertrek vertrekken"),
        ends_with_verb=True,
        leading_to_persons=_words("voor"),
        not_=_words("niet"),
        why=_words("waarom als"),
        weighing=_words("heel erg te zo"),
    ),
    "pt": Roles(
        first=_words("desde entre"),
        first_of_two=_words("de do da das dos"),
        second=_words("até"),
        second_of_places=_words("para a ao à"),
        second_after_first=_words("e a ao à às aos"),
        passed=_words("o a os as à às ao cerca"),
        making=_words("melhor digamos"),
        changing=_words("mudar mude muda alterar altere altera trocar troque troca corrigir corrija"),
        alternatives=_words("ou"),
        both=_words("e"),
        first_names=_words("origem partida saída sair saindo início começo começa ida recolha buscar"),
        second_names=_words("destino chegada chegar fim final termina volta regresso voltar devolução devolver"),
        turning=_words("chegada chegar partida saída sair saindo"),
        leading_to_persons=_words("para"),
    ),
    "bg": Roles(
        first=_words("от между"),
        second=_words("до към"),
        second_of_places=_words("за"),
        second_after_first=_words("и"),
        passed=_words("около в на"),
        making=_words("нека"),
        changing=_words("промени променете смени сменете премести преместете поправи"),
        alternatives=_words("или"),
        both=_words("и"),
        first_names=_words("начало тръгване заминаване отиване тръгвам започва начална взема вземам"),
        second_names=_words("край пристигане пристигам връщане връщам върна дестинация завършва крайна"),
        turning=_words("пристигане пристигам заминаване тръгване тръгвам"),
        leading_to_persons=_words("за"),
    ),
}
_ENGLISH = _ROLES["en"]


@cache
def roles_for(language: str) -> Roles:
    """The words of a language tag such as ``en-GB``; a language without a table has the English ones."""
    return _ROLES.get(language.lower().replace("_", "-").split("-")[0], _ENGLISH)


@cache
def turning_for(language: str) -> frozenset[str]:
    """The turning words of a language and of English, which names of entities may be in."""
    return roles_for(language).turning | _ENGLISH.turning


@cache
def near_words(language: str) -> frozenset[str]:
    """Words before a number that make it neither an hour nor anything else by themselves: about, by, until."""
    if language.lower().replace("_", "-").split("-")[0] not in LANGUAGES:
        return frozenset()
    words = words_for(language)
    return frozenset(fold(word) for word in words.near if " " not in word and word not in words.at)


def role_of_name(word: str, roles: Roles) -> int:
    """1 for the first, 2 for the second, 0 for neither: of a word in an entity's name, which may always be English."""
    for table in (roles, _ENGLISH):
        if word in table.first or word in table.first_names:
            return 1
        if word in table.second or word in table.second_names:
            return 2
    return 0
