"""German."""

from __future__ import annotations

from dialoom.understanding.words.table import Words

_UNITS = {"ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9}
_TEENS = (
    *("zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"),
)
_TENS = {
    "zwanzig": 20,
    "dreißig": 30,
    "vierzig": 40,
    "fünfzig": 50,
    "sechzig": 60,
    "siebzig": 70,
    "achtzig": 80,
    "neunzig": 90,
}
_ORDINALS = (
    *("erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft"),
    *("dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst"),
    *("einundzwanzigst", "zweiundzwanzigst", "dreiundzwanzigst", "vierundzwanzigst", "fünfundzwanzigst"),
    *("sechsundzwanzigst", "siebenundzwanzigst", "achtundzwanzigst", "neunundzwanzigst", "dreißigst"),
    "einunddreißigst",
)
_MONTHS = (
    *(("januar", "jan", "jänner"), ("februar", "feb"), ("märz", "maerz", "mär"), ("april", "apr"), ("mai",)),
    *(("juni", "jun"), ("juli", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("oktober", "okt")),
    *(("november", "nov"), ("dezember", "dez")),
)
_WEEKDAYS = (
    *(("montag", "mo"), ("dienstag", "di"), ("mittwoch", "mi"), ("donnerstag", "do"), ("freitag", "fr")),
    *(("samstag", "sonnabend", "sa"), ("sonntag", "so")),
)

_BELOW_HUNDRED = {
    **_UNITS,
    "eins": 1,
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **_TENS,
    **{f"{unit}und{ten}": u + t for unit, u in _UNITS.items() for ten, t in _TENS.items()},
}
_HUNDREDS = {f"{unit}hundert": 100 * u for unit, u in {"": 1, **_UNITS}.items()}
_COMPOUNDS = {
    **_HUNDREDS,
    **{f"{hundred}{small}": h + s for hundred, h in _HUNDREDS.items() for small, s in _BELOW_HUNDRED.items()},
    **{f"{small}tausend": 1_000 * s for small, s in {**_BELOW_HUNDRED, "": 1}.items()},
    **{
        f"{unit}tausend{hundred}": 1_000 * u + h
        for unit, u in {"": 1, **_UNITS}.items()
        for hundred, h in _HUNDREDS.items()
    },
}
"""Numbers of three and four digits are one word; longer ones are usually written in digits."""

WORDS = Words(
    language="de",
    numbers={
        **_COMPOUNDS,
        **_BELOW_HUNDRED,
        "null": 0,
        "zwo": 2,
        "ein dutzend": 12,
        "ein halbes dutzend": 6,
    },
    multipliers={"dutzend": 12, "hundert": 100, "tausend": 1_000, "million": 1_000_000, "millionen": 1_000_000},
    number_joiners=("und", "mit"),
    articles=("ein", "eine", "einen", "einem", "einer"),
    order="day-month",
    months={name: number for number, names in enumerate(_MONTHS, 1) for name in names},
    weekdays={name: number for number, names in enumerate(_WEEKDAYS) for name in names if len(name) > 2},
    days={
        "heute": 0,
        "heute abend": 0,
        "heute nachmittag": 0,
        "heute vormittag": 0,
        "heute früh": 0,
        "morgen": 1,
        "übermorgen": 2,
        "heute in einer woche": 7,
        "heute in acht tagen": 7,
        "morgen in einer woche": 8,
        "heute in zwei wochen": 14,
        "gestern": -1,
        "vorgestern": -2,
    },
    not_days=("guten morgen", "am morgen", "morgens", "jeden morgen", "diesen morgen", "der morgen", "den morgen"),
    ordinals={f"{word}{ending}": day for day, word in enumerate(_ORDINALS, 1) for ending in ("e", "en", "er")},
    ordinal_suffixes=(".",),
    bare_suffix=False,
    bare_days=("am", "der", "den", "dem", "zum", "bis zum"),
    ordinal_nouns=("stock", "etage", "person", "personen", "mal", "reihe", "klasse", "woche", "uhr", "platz"),
    of=("im", "des", "vom"),
    on_weekday=("am",),
    on=("der", "den", "dem", "am", "vom"),
    next_week=("nächsten", "nächster", "nächste", "nächstem", "nächste woche", "nächster woche", "kommende woche"),
    after_next=("übernächsten", "übernächster", "übernächste", "übernächste woche", "übernächster woche"),
    last=("letzten", "letzter", "letzte", "letztem", "vergangenen", "vorigen", "letzte woche", "letzter woche"),
    coming=("kommenden", "kommender", "kommendem", "am kommenden"),
    this=("diesen", "dieser", "diesem", "diese", "diese woche", "dieser woche"),
    units={
        **dict.fromkeys(("sekunde", "sekunden"), "second"),
        **dict.fromkeys(("minute", "minuten", "min"), "minute"),
        **dict.fromkeys(("stunde", "stunden", "std"), "hour"),
        **dict.fromkeys(("tag", "tage", "tagen"), "day"),
        **dict.fromkeys(("woche", "wochen"), "week"),
        **dict.fromkeys(("monat", "monate", "monaten"), "month"),
        **dict.fromkeys(("jahr", "jahre", "jahren"), "year"),
    },
    within=("in",),
    ago_before=("vor",),
    at=("um", "so um"),
    near=("gegen", "ab", "vor", "nach", "bis", "von", "zwischen", "und", "circa", "ca."),
    range_before=("von", "zwischen"),
    hour_words=("uhr", "h"),
    minute_words=("minuten", "min"),
    now=("jetzt", "sofort", "jetzt gleich", "so bald wie möglich", "sobald wie möglich"),
    fixed_times={"mittag": 720, "mittags": 720, "mitternacht": 0},
    parts={
        **dict.fromkeys(
            ("morgens", "vormittags", "früh", "am morgen", "am vormittag", "vormittag", "in der früh"), "am"
        ),
        **dict.fromkeys(("nachmittags", "abends", "am nachmittag", "am abend", "nachmittag", "abend", "mittags"), "pm"),
        **dict.fromkeys(("heute abend", "heute nachmittag"), "pm"),
        **dict.fromkeys(("nachts", "in der nacht"), "night"),
    },
    before_hour={"halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "drei viertel": -15},
    past=("nach",),
    to=("vor",),
    halves=("halb",),
    and_half=("einhalb", "und ein halb", "und eine halbe"),
    with_half={"anderthalb": 1.5, **{f"{unit}einhalb": u + 0.5 for unit, u in _UNITS.items()}},
    minus=("minus",),
    point=("komma",),
    cents=("cent", "cents", "rappen", "pfennig"),
    until=("bis", "bis zum", "und", "oder", "auf den"),
    months_near={
        **dict.fromkeys(
            ("diesen monats", "dieses monats", "des monats", "monats", "diesen monat", "dieser monat", "monat"), 0
        ),
        **dict.fromkeys(("nächsten monats", "nächsten monat", "kommenden monats", "des nächsten monats"), 1),
        **dict.fromkeys(("letzten monats", "letzten monat"), -1),
    },
    start_of=("anfang", "am anfang", "zu beginn", "beginn"),
    middle_of=("mitte",),
    end_of=("ende", "am ende", "zum ende"),
    feasts={
        **dict.fromkeys(("weihnachten", "erster weihnachtstag", "erster weihnachtsfeiertag"), (12, 25)),
        "heiligabend": (12, 24),
        **dict.fromkeys(("silvester", "ende des jahres", "jahresende", "ende dieses jahres"), (12, 31)),
        "neujahr": (1, 1),
        "valentinstag": (2, 14),
        "tag der deutschen einheit": (10, 3),
    },
    streets=("straße", "strasse", "straße des", "platz des", "platz der"),
    streets_after=("straße", "strasse", "platz", "allee", "weg"),
    not_slips=("montage", "sonntags", "samstags", "juliane", "marz", "freitags", "montags"),
    lengths={
        **dict.fromkeys(("halbe stunde", "eine halbe stunde", "einer halben stunde", "halben stunde"), (0.5, "hour")),
        **dict.fromkeys(("viertelstunde", "eine viertelstunde", "einer viertelstunde"), (0.25, "hour")),
        **dict.fromkeys(("dreiviertelstunde", "eine dreiviertelstunde", "einer dreiviertelstunde"), (0.75, "hour")),
        **dict.fromkeys(("halber tag", "einen halben tag", "halben tag"), (0.5, "day")),
        **dict.fromkeys(("ein halbes jahr", "halbes jahr", "einem halben jahr"), (6, "month")),
    },
    yes=(
        *("ja", "jo", "jawohl", "jep", "jap", "klar", "na klar", "sicher", "natürlich", "gerne", "gern", "ja gerne"),
        *("ja bitte", "stimmt", "das stimmt", "richtig", "genau", "korrekt", "passt", "das passt", "in ordnung"),
        *("einverstanden", "bestätigen", "bestätigt", "auf jeden fall", "selbstverständlich", "alles klar", "gut"),
        *("okay", "ok", "perfekt", "super", "von mir aus", "mach das", "das ist richtig", "ja das stimmt"),
    ),
    no=(
        *("nein", "nee", "ne", "nö", "nein danke", "auf keinen fall", "keinesfalls", "niemals", "nicht", "falsch"),
        *(
            "das ist falsch",
            "stimmt nicht",
            "das stimmt nicht",
            "noch nicht",
            "lieber nicht",
            "eher nicht",
        ),
        *("passt nicht", "das passt nicht", "nicht richtig", "natürlich nicht"),
    ),
    strong=("ja", "nein", "nee", "nö", "klar"),
    polite=("bitte", "danke", "vielen dank", "so", "dann", "für mich"),
    neither=(
        "nicht sicher",
        "weiß nicht",
        "weiss nicht",
        "ich weiß nicht",
        "keine ahnung",
        "gut möglich",
        "guten morgen",
    ),
    fillers=("ach", "also", "äh", "ähm", "hm", "na", "und", "oh", "ich sagte", "hallo"),
    common=(
        *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "und", "oder", "aber"),
        *(
            "ich",
            "du",
            "sie",
            "er",
            "es",
            "wir",
            "ihr",
            "mich",
            "mir",
            "dich",
            "dir",
            "mein",
            "meine",
            "meinen",
            "ihre",
        ),
        *("ist", "sind", "bin", "war", "habe", "hat", "haben", "wird", "werden", "kann", "können", "könnte", "möchte"),
        *("will", "würde", "gerne", "bitte", "mal", "zu", "in", "im", "an", "am", "auf", "für", "von", "vom", "mit"),
        *("bei", "nach", "über", "was", "wie", "wo", "wer", "wann", "welche", "nicht", "auch", "noch", "so", "da"),
    ),
)
