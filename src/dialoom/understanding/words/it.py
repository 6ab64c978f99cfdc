"""Italian."""

from __future__ import annotations

from dialoom.understanding.words.table import Words

_UNITS = {"uno": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9}
_TEENS = (
    *("dieci", "undici", "dodici", "tredici", "quattordici", "quindici", "sedici"),
    *("diciassette", "diciotto", "diciannove"),
)
_TENS = {
    "venti": 20,
    "trenta": 30,
    "quaranta": 40,
    "cinquanta": 50,
    "sessanta": 60,
    "settanta": 70,
    "ottanta": 80,
    "novanta": 90,
}
_MONTHS = (
    *(("gennaio", "gen"), ("febbraio", "feb"), ("marzo", "mar"), ("aprile", "apr"), ("maggio", "mag")),
    *(("giugno", "giu"), ("luglio", "lug"), ("agosto", "ago"), ("settembre", "set", "sett"), ("ottobre", "ott")),
    *(("novembre", "nov"), ("dicembre", "dic")),
)
_WEEKDAYS = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")

_BELOW_HUNDRED = {
    **_UNITS,
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **_TENS,
    # The ten loses its vowel before "uno" and "otto": ventuno, ventotto, but ventidue.
    **{
        (ten[:-1] if unit in ("uno", "otto") else ten) + unit: t + u
        for ten, t in _TENS.items()
        for unit, u in _UNITS.items()
    },
}
_PREFIXES = {"": 1, **{unit: u for unit, u in _UNITS.items() if u > 1}}
_HUNDREDS = {f"{unit}cento": 100 * u for unit, u in _PREFIXES.items()}
_COMPOUNDS = {
    **_BELOW_HUNDRED,
    **{hundred: h for hundred, h in _HUNDREDS.items() if h > 100},
    **{f"{hundred}{small}": h + s for hundred, h in _HUNDREDS.items() for small, s in _BELOW_HUNDRED.items()},
    # "Centotto", "centottanta": one vowel for the two that meet.
    **{
        f"{hundred[:-1]}{small}": h + s
        for hundred, h in _HUNDREDS.items()
        for small, s in _BELOW_HUNDRED.items()
        if small.startswith("o")
    },
    **{f"{small}mila": 1_000 * s for small, s in _BELOW_HUNDRED.items() if s > 1},
    **{f"mille{hundred}": 1_000 + h for hundred, h in _HUNDREDS.items()},
}
"""Numbers of three and four digits are one word."""

WORDS = Words(
    language="it",
    numbers={
        "zero": 0,
        "un": 1,
        "una": 1,
        **_UNITS,
        **{word: value for value, word in enumerate(_TEENS, 10)},
        **_TENS,
        **_COMPOUNDS,
        "una dozzina": 12,
        "dozzina": 12,
        "mezza dozzina": 6,
    },
    multipliers={"cento": 100, "mille": 1_000, "mila": 1_000, "milione": 1_000_000, "milioni": 1_000_000},
    articles=("un", "una", "uno"),
    months={name: number for number, names in enumerate(_MONTHS, 1) for name in names},
    weekdays={name: number for number, name in enumerate(_WEEKDAYS)},
    days={
        "oggi": 0,
        "stasera": 0,
        "stamattina": 0,
        "questa sera": 0,
        "questo pomeriggio": 0,
        "domani": 1,
        "dopodomani": 2,
        "oggi a otto": 7,
        "domani a otto": 8,
        "dopo domani": 2,
        "ieri": -1,
        "l'altro ieri": -2,
    },
    ordinals={"primo": 1, "1º": 1},
    counted_days=True,
    ordinal_suffixes=("º", "°"),
    bare_suffix=False,
    bare_days=("il", "il giorno", "giorno", "l'"),
    ordinal_nouns=("piano", "persone", "volte", "per cento", "posto"),
    of=("di", "del"),
    on=("il", "l'", "il giorno", "dal", "al", "dall'", "all'"),
    on_weekday=("il",),
    coming=("prossimo", "prossima", "il prossimo", "la prossima", "che viene"),
    next_week=(
        "della prossima settimana",
        "della settimana prossima",
        "la prossima settimana",
        "la settimana prossima",
    ),
    last=("scorso", "scorsa", "passato", "passata", "lo scorso", "la scorsa", "della settimana scorsa"),
    this=("questo", "questa", "di questa settimana", "questa settimana"),
    units={
        **dict.fromkeys(("secondo", "secondi"), "second"),
        **dict.fromkeys(("minuto", "minuti", "min"), "minute"),
        **dict.fromkeys(("ora", "ore"), "hour"),
        **dict.fromkeys(("giorno", "giorni"), "day"),
        **dict.fromkeys(("settimana", "settimane"), "week"),
        **dict.fromkeys(("mese", "mesi"), "month"),
        **dict.fromkeys(("anno", "anni"), "year"),
    },
    within=("tra", "fra", "in"),
    ago=("fa",),
    at=("alle", "alle ore", "ore", "verso le", "per le", "le", "alle ore"),
    near=("dopo le", "prima delle", "dalle", "fino alle"),
    range_before=("dalle", "tra le"),
    lasting=("per",),
    hour_words=("in punto", "h"),
    minute_words=("minuti",),
    now=("adesso", "ora", "subito", "immediatamente", "appena possibile", "il prima possibile"),
    fixed_times={
        "mezzogiorno": 720,
        "mezzogiorno e mezzo": 750,
        "mezzogiorno e mezza": 750,
        "mezzanotte": 0,
        "all'una": 780,
    },
    parts={
        **dict.fromkeys(("di mattina", "del mattino", "della mattina", "mattina", "stamattina"), "am"),
        **dict.fromkeys(("del pomeriggio", "di pomeriggio", "pomeriggio", "di sera", "della sera", "sera"), "pm"),
        **dict.fromkeys(("stasera", "questa sera", "questo pomeriggio"), "pm"),
        **dict.fromkeys(("di notte", "della notte"), "night"),
    },
    after_hour={"e mezza": 30, "e mezzo": 30, "e un quarto": 15, "e tre quarti": 45, "meno un quarto": -15},
    number_joiners=("e",),
    after_to=("meno",),
    halves=("mezzo", "la metà"),
    and_half=("e mezza", "e mezzo"),
    minus=("meno",),
    not_numbers=("per cento",),
    point=("virgola",),
    cents=("centesimo", "centesimi"),
    until=("al", "all'", "e", "o", "fino al", "e il", "o il"),
    months_near={
        **dict.fromkeys(("questo mese", "mese", "mese corrente", "il mese"), 0),
        **dict.fromkeys(("prossimo mese", "mese prossimo", "il mese prossimo", "il prossimo mese"), 1),
        **dict.fromkeys(("mese scorso", "scorso mese", "il mese scorso"), -1),
    },
    start_of=("inizio", "all'inizio", "l'inizio", "inizi", "agli inizi", "primi"),
    middle_of=("metà", "a metà"),
    end_of=("fine", "alla fine", "la fine", "a fine"),
    feasts={
        **dict.fromkeys(("natale", "il giorno di natale"), (12, 25)),
        **dict.fromkeys(("vigilia di natale", "la vigilia di natale"), (12, 24)),
        "santo stefano": (12, 26),
        **dict.fromkeys(("capodanno",), (1, 1)),
        **dict.fromkeys(("san silvestro", "fine anno", "fine dell'anno", "la fine dell'anno"), (12, 31)),
        "ferragosto": (8, 15),
        "epifania": (1, 6),
        "san valentino": (2, 14),
    },
    streets=("via", "viale", "piazza", "corso", "largo"),
    not_slips=("marco", "sabati", "giulia", "marta", "marte"),
    lengths={
        **dict.fromkeys(("mezz'ora", "mezzora", "una mezz'ora", "mezza ora"), (0.5, "hour")),
        **dict.fromkeys(("quarto d'ora", "un quarto d'ora"), (0.25, "hour")),
        **dict.fromkeys(("tre quarti d'ora",), (0.75, "hour")),
        **dict.fromkeys(("un'ora",), (1, "hour")),
        **dict.fromkeys(("un'ora e mezza", "un'ora e mezzo"), (1.5, "hour")),
        **dict.fromkeys(("mezza giornata",), (0.5, "day")),
    },
    yes=(
        *("sì", "si", "sì grazie", "sì per favore", "certo", "certamente", "certo che sì", "esatto", "esattamente"),
        *("giusto", "corretto", "è corretto", "è giusto", "va bene", "d'accordo", "perfetto", "confermo", "conferma"),
        *("confermato", "ok", "okay", "bene", "benissimo", "volentieri", "assolutamente", "vero", "ovviamente"),
    ),
    no=(
        *("no", "no grazie", "mai", "per niente", "assolutamente no", "non ancora", "non adesso", "non ora", "falso"),
        *("sbagliato", "è sbagliato", "non è corretto", "non va bene", "certo che no", "meglio di no"),
        "non voglio",
    ),
    strong=("sì", "no", "certo", "va bene"),
    polite=("grazie", "per favore", "prego", "per me"),
    neither=("non so", "non lo so", "non sono sicuro", "non sono sicura", "nessuna idea", "non capisco", "bene bene"),
    fillers=("ah", "oh", "eh", "beh", "allora", "e", "ehm", "ciao", "hm"),
    common=(
        *("il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una", "di", "del", "della", "dei", "delle", "a", "al"),
        *(
            "alla",
            "da",
            "dal",
            "in",
            "nel",
            "nella",
            "con",
            "su",
            "per",
            "tra",
            "e",
            "o",
            "ma",
            "che",
            "chi",
            "io",
            "tu",
        ),
        *("lui", "lei", "noi", "mi", "ti", "si", "ci", "mio", "mia", "miei", "suo", "sua", "è", "sono", "ho", "ha"),
        *("hanno", "essere", "avere", "posso", "può", "vorrei", "voglio", "cosa", "come", "dove", "quando", "quale"),
        *("non", "più", "questo", "questa", "c", "ce"),
    ),
)
