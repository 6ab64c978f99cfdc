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

_BELOW_HUNDRED = {
    **_UNITS,
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **_TENS,
    **{f"{unit}en{ten}": u + t for unit, u in _UNITS.items() for ten, t in _TENS.items()},
}
_HUNDREDS = {f"{unit}honderd": 100 * u for unit, u in {"": 1, **_UNITS}.items()}
_COMPOUNDS = {
    **_HUNDREDS,
    **{
        f"{hundred}{en}{small}": h + s
        for hundred, h in _HUNDREDS.items()
        for small, s in _BELOW_HUNDRED.items()
        for en in ("", "en")
    },
    **{f"{small}duizend": 1_000 * s for small, s in {**_BELOW_HUNDRED, "": 1}.items()},
    **{f"{small}honderd": 100 * s for small, s in _BELOW_HUNDRED.items() if 10 < s < 20},
}
"""Numbers of three and four digits are one word."""

WORDS = Words(
    language="nl",
    numbers={
        **_COMPOUNDS,
        "nul": 0,
        "één": 1,
        **_UNITS,
        **{word: value for value, word in enumerate(_TEENS, 10)},
        **_TENS,
        **{f"{unit}en{ten}": u + t for unit, u in _UNITS.items() for ten, t in _TENS.items()},
        "een dozijn": 12,
        "dozijn": 12,
        "half dozijn": 6,
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
        "morgenochtend": 1,
        "morgenmiddag": 1,
        "morgenavond": 1,
        "overmorgen": 2,
        "vandaag over een week": 7,
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
    on_weekday=("op",),
    on=("de",),
    next_week=("volgende week", "van volgende week"),
    last=("vorige", "afgelopen", "vorige week", "van vorige week"),
    coming=("volgende", "aanstaande", "aankomende", "komende", "eerstvolgende"),
    this=("deze", "deze week", "van deze week"),
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
    lasting=("gedurende",),
    hour_words=("uur", "u", "h"),
    minute_words=("minuten", "min"),
    now=("nu", "meteen", "nu meteen", "zo snel mogelijk", "direct"),
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
    halves=("half", "de helft"),
    and_half=("en een half", "en een halve", "en half"),
    with_half={
        "anderhalf": 1.5,
        "anderhalve": 1.5,
        **{f"{unit}{i}neenhalf": u + 0.5 for unit, u in _UNITS.items() for i in ("e", "ë")},
    },
    minus=("min", "minus"),
    point=("komma",),
    cents=("cent", "centen"),
    until=("tot", "tot en met", "t/m", "en", "of", "tot de"),
    months_near={
        **dict.fromkeys(("deze maand", "de maand", "maand"), 0),
        **dict.fromkeys(("volgende maand", "komende maand"), 1),
        **dict.fromkeys(("vorige maand", "afgelopen maand"), -1),
    },
    start_of=("begin", "het begin", "aan het begin", "in het begin"),
    middle_of=("half", "medio", "midden", "het midden"),
    end_of=("eind", "einde", "het einde", "het eind", "aan het einde", "aan het eind"),
    feasts={
        **dict.fromkeys(("kerst", "kerstmis", "eerste kerstdag"), (12, 25)),
        "tweede kerstdag": (12, 26),
        **dict.fromkeys(("kerstavond",), (12, 24)),
        **dict.fromkeys(
            ("oudejaarsavond", "oudjaar", "einde van het jaar", "eind van het jaar", "het einde van het jaar"), (12, 31)
        ),
        "nieuwjaarsdag": (1, 1),
        "koningsdag": (4, 27),
        "sinterklaas": (12, 5),
        "valentijnsdag": (2, 14),
    },
    streets_after=("straat", "laan", "plein", "weg"),
    not_slips=("maarten", "maars", "meert"),
    lengths={
        **dict.fromkeys(("half uur", "een half uur", "halfuur", "een halfuur", "een half uurtje"), (0.5, "hour")),
        **dict.fromkeys(("kwartier", "een kwartier"), (0.25, "hour")),
        **dict.fromkeys(("drie kwartier",), (0.75, "hour")),
        **dict.fromkeys(("halve dag", "een halve dag"), (0.5, "day")),
        **dict.fromkeys(("half jaar", "een half jaar"), (6, "month")),
    },
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
