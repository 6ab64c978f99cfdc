"""Dutch."""

from __future__ import annotations

from dialoom.understanding.words.table import Words

_UNITS = {"een": 1, "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8, "negen": 9}
_TEENS = (
    *("tien", "elf", "twaalf", "dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien"),
)
_TENS = {
    "twintig": 20,
    "dertig": 30,
    "veertig": 40,
    "vijftig": 50,
    "zestig": 60,
    "zeventig": 70,
    "tachtig": 80,
    "negentig": 90,
}
_MONTHS = (
    *(("januari", "jan"), ("februari", "feb"), ("maart", "mrt"), ("april", "apr"), ("mei",), ("juni", "jun")),
    *(("juli", "jul"), ("augustus", "aug"), ("september", "sept", "sep"), ("oktober", "okt"), ("november", "nov")),
    ("december", "dec"),
)
_WEEKDAYS = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")
_ORDINALS = (
    *("eerste", "tweede", "derde", "vierde", "vijfde", "zesde", "zevende", "achtste", "negende", "tiende", "elfde"),
    *("twaalfde", "dertiende", "veertiende", "vijftiende", "zestiende", "zeventiende", "achttiende", "negentiende"),
    "twintigste",
)

WORDS = Words(
    language="nl",
    numbers={
        "nul": 0,
        "één": 1,
        **_UNITS,
        **{word: value for value, word in enumerate(_TEENS, 10)},
        **_TENS,
        **{f"{unit}en{ten}": u + t for unit, u in _UNITS.items() for ten, t in _TENS.items()},
        "dozijn": 12,
    },
    multipliers={"honderd": 100, "duizend": 1_000, "miljoen": 1_000_000},
    number_joiners=("en",),
    articles=("een",),
    months={name: number for number, names in enumerate(_MONTHS, 1) for name in names},
    weekdays={name: number for number, name in enumerate(_WEEKDAYS)},
    days={
        "vandaag": 0,
        "vanavond": 0,
        "vanmiddag": 0,
        "vanochtend": 0,
        "vanmorgen": 0,
        "morgen": 1,
        "overmorgen": 2,
        "gisteren": -1,
        "eergisteren": -2,
    },
    not_days=("goede morgen", "de morgen", "elke morgen", "in de morgen"),
    ordinals={word: day for day, word in enumerate(_ORDINALS, 1)},
    counted_days=True,
    ordinal_suffixes=("ste", "de", "e"),
    bare_days=("de",),
    ordinal_nouns=("verdieping", "etage", "keer", "persoon", "personen", "rij", "plaats", "klas", "uur", "week"),
    of=("van",),
    on=("de",),
    next_week=("volgende week",),
    coming=("volgende", "aanstaande", "aankomende", "komende", "eerstvolgende"),
    this=("deze",),
    units={
        **dict.fromkeys(("seconde", "seconden"), "second"),
        **dict.fromkeys(("minuut", "minuten", "min"), "minute"),
        **dict.fromkeys(("uur", "uren"), "hour"),
        **dict.fromkeys(("dag", "dagen"), "day"),
        **dict.fromkeys(("week", "weken"), "week"),
        **dict.fromkeys(("maand", "maanden"), "month"),
        **dict.fromkeys(("jaar", "jaren"), "year"),
    },
    within=("over", "binnen"),
    ago=("geleden",),
    at=("om",),
    near=("rond", "tegen", "na", "voor", "vanaf", "tot", "van"),
    range_before=("van", "tussen"),
    hour_words=("uur", "u", "h"),
    minute_words=("minuten", "min"),
    fixed_times={"middernacht": 0, "12 uur 's middags": 720},
    parts={
        **dict.fromkeys(("'s ochtends", "'s morgens", "in de ochtend", "ochtend", "vanochtend", "vanmorgen"), "am"),
        **dict.fromkeys(
            ("'s middags", "in de middag", "middag", "vanmiddag", "'s avonds", "in de avond", "avond"), "pm"
        ),
        **dict.fromkeys(("vanavond",), "pm"),
        **dict.fromkeys(("'s nachts", "in de nacht"), "night"),
    },
    before_hour={"half": -30, "kwart over": 15, "kwart voor": -15},
    past=("over",),
    to=("voor",),
    yes=(
        *("ja", "jazeker", "ja graag", "ja hoor", "jep", "yep", "zeker", "natuurlijk", "graag", "klopt", "dat klopt"),
        *("juist", "correct", "precies", "goed", "prima", "in orde", "akkoord", "bevestigen", "bevestigd", "oké", "ok"),
        *("is goed", "dat is goed", "uiteraard", "tuurlijk", "perfect", "helemaal goed", "waar"),
    ),
    no=(
        *("nee", "neen", "nee hoor", "nee bedankt", "nee dank je", "nooit", "niet", "nog niet", "klopt niet"),
        *(
            "dat klopt niet",
            "niet juist",
            "niet goed",
            "fout",
            "onjuist",
            "liever niet",
            "natuurlijk niet",
            "annuleren",
        ),
        *("helemaal niet", "zeker niet", "onwaar"),
    ),
    strong=("ja", "nee", "neen", "zeker", "natuurlijk"),
    polite=("bedankt", "dank je", "dank u", "alsjeblieft", "alstublieft", "graag", "hoor"),
    neither=("niet zeker", "weet niet", "weet ik niet", "ik weet het niet", "geen idee", "goede morgen", "goede avond"),
    fillers=("ach", "oh", "eh", "ehm", "nou", "en", "dus", "hm", "hallo"),
    common=(
        *("de", "het", "een", "en", "of", "maar", "ik", "je", "jij", "u", "hij", "zij", "ze", "we", "wij", "mij", "me"),
        *("mijn", "uw", "jouw", "is", "zijn", "ben", "was", "heb", "heeft", "hebben", "kan", "kunnen", "kunt", "wil"),
        *("wilt", "zou", "willen", "graag", "van", "voor", "met", "op", "in", "aan", "te", "om", "naar", "bij", "over"),
        *("wat", "wie", "waar", "hoe", "wanneer", "welke", "dat", "dit", "die", "deze", "er", "niet", "ook", "nog"),
    ),
)
