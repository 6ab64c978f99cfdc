"""What people count, by language: the word beside a number that says what it is a number of ("4 people", "3-star").

A word stands for a thing, which has one name in all languages: an entity ``guests`` takes "4 Personen". Which question
that makes a number belong to is left to the engine.
"""

from __future__ import annotations

from functools import cache

from dialoom.understanding.normalise import fold

WHOLE = frozenset({"persons", "children", "rooms", "days"})
"""Things of which there is no half: "4.2" counts none of them."""
_GROUPS = {"children": "persons"}
"""A child is a person too; only where both are asked for does the word tell them apart."""

_THINGS: dict[str, dict[str, str]] = {
    "en": {
        "persons": "people person persons adult adults guest guests traveler travelers traveller travellers passenger "
        "passengers us visitor visitors attendee attendees participant participants pax party group ticket tickets "
        "seat seats",
        "children": "child children kid kids",
        "rooms": "room rooms bedroom bedrooms bed beds",
        "baths": "bath baths bathroom bathrooms",
        "days": "day days night nights",
        "weeks": "week weeks",
        "months": "month months",
        "hours": "hour hours",
        "minutes": "minute minutes",
        "stars": "star stars rating ratings rated",
    },
    "de": {
        "persons": "person personen leute erwachsene erwachsener erwachsenen gast gäste gästen reisende reisenden "
        "passagier passagiere besucher teilnehmer mann gruppe ticket tickets karte karten platz plätze sitzplätze",
        "children": "kind kinder kindern",
        "rooms": "zimmer zimmern schlafzimmer raum räume räumen bett betten",
        "baths": "bad bäder bädern badezimmer",
        "days": "tag tage tagen nacht nächte nächten übernachtung übernachtungen",
        "weeks": "woche wochen",
        "months": "monat monate monaten",
        "hours": "stunde stunden",
        "minutes": "minute minuten",
        "stars": "stern sterne sternen bewertung bewertet",
    },
    "fr": {
        "persons": "personne personnes adulte adultes invité invités convive convives groupe voyageur voyageurs "
        "passager passagers billet billets place places",
        "children": "enfant enfants",
        "rooms": "chambre chambres lit lits",
        "days": "jour jours journée journées nuit nuits nuitée nuitées",
        "weeks": "semaine semaines",
        "months": "mois",
        "hours": "heure heures",
        "minutes": "minute minutes",
        "stars": "étoile étoiles note noté notée",
    },
    "es": {
        "persons": "persona personas adulto adultos huésped huéspedes invitado invitados grupo viajero viajeros "
        "pasajero pasajeros entrada entradas billete billetes asiento asientos plaza plazas",
        "children": "niño niños niña niñas",
        "rooms": "habitación habitaciones dormitorio dormitorios cama camas",
        "baths": "baño baños",
        "days": "día días noche noches",
        "weeks": "semana semanas",
        "months": "mes meses",
        "hours": "hora horas",
        "minutes": "minuto minutos",
        "stars": "estrella estrellas valoración puntuación",
    },
    "it": {
        "persons": "persona persone adulto adulti ospite ospiti gruppo viaggiatore viaggiatori passeggero passeggeri "
        "biglietto biglietti posto posti",
        "children": "bambino bambini bambina bambine",
        "rooms": "camera camere stanza stanze letto letti",
        "baths": "bagno bagni",
        "days": "giorno giorni notte notti",
        "weeks": "settimana settimane",
        "months": "mese mesi",
        "hours": "ora ore",
        "minutes": "minuto minuti",
        "stars": "stella stelle valutazione",
    },
    "nl": {
        "persons": "persoon personen mensen volwassene volwassenen gast gasten groep reiziger reizigers "
        "passagier passagiers kaartje kaartjes ticket tickets stoel stoelen plaats plaatsen",
        "children": "kind kinderen",
        "rooms": "kamer kamers slaapkamer slaapkamers bed bedden",
        "baths": "badkamer badkamers",
        "days": "dag dagen nacht nachten overnachting overnachtingen",
        "weeks": "week weken",
        "months": "maand maanden",
        "hours": "uur uren",
        "minutes": "minuut minuten",
        "stars": "ster sterren beoordeling",
    },
    "pt": {
        "persons": "pessoa pessoas adulto adultos hóspede hóspedes convidado convidados grupo viajante viajantes "
        "passageiro passageiros bilhete bilhetes ingresso ingressos lugar lugares",
        "children": "criança crianças",
        "rooms": "quarto quartos cama camas",
        "baths": "banheiro banheiros",
        "days": "dia dias noite noites diária diárias",
        "weeks": "semana semanas",
        "months": "mês meses",
        "hours": "hora horas",
        "minutes": "minuto minutos",
        "stars": "estrela estrelas avaliação classificação",
    },
    "bg": {
        "persons": "човек човека хора души група възрастен възрастни гост гости пътник пътници посетител посетители "
        "билет билета билети място места",
        "children": "дете деца",
        "rooms": "стая стаи спалня спални легло легла",
        "baths": "баня бани",
        "days": "ден дни дена нощ нощи нощувка нощувки",
        "weeks": "седмица седмици",
        "months": "месец месеца месеци",
        "hours": "час часа часове",
        "minutes": "минута минути",
        "stars": "звезда звезди оценка рейтинг",
    },
}

_LINKING = {
    "en": "with and or in on at for to from by as is are be that which who please i we it a an the",
    "de": "mit und oder in im am um für bis von zu ab ist sind dass die der das bitte ich wir es ein eine",
    "fr": "avec et ou en dans à au aux pour de du des est sont que qui je nous le la les un une",
    "es": "con y e o u en a al para por de del es son que yo el la los las un una",
    "it": "con e ed o in a al alla per da di del è sono che io noi il la i le un una",
    "nl": "met en of in op om voor tot van naar is zijn dat die ik wij het de een",
    "pt": "com e ou em no na a ao para por de do da é são que eu o os as um uma",
    "bg": "с със и или в във на за до от е са че който аз ние",
}
"""Behind these begins another thought: "4 with rooms" counts no rooms."""


@cache
def linking_words(language: str) -> frozenset[str]:
    own = _LINKING.get(language.lower().replace("_", "-").split("-")[0], _LINKING["en"])
    return frozenset(map(fold, own.split()))


@cache
def things_for(language: str) -> dict[str, str]:
    """A folded word to the thing it counts, of a language tag such as ``en-GB``; English words always count, since
    names of entities may be English."""
    own = _THINGS.get(language.lower().replace("_", "-").split("-")[0], {})
    return {
        fold(word): thing for table in (_THINGS["en"], own) for thing, words in table.items() for word in words.split()
    }


def group_of(thing: str) -> str:
    """The wider thing that it is one of, itself where there is none."""
    return _GROUPS.get(thing, thing)
