"""Spanish."""

from __future__ import annotations

from dialoom.understanding.words.table import Words

_TO_TWENTY = (
    *("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece"),
    *("catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós"),
    *("veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve"),
)
_TENS = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
_MONTHS = (
    *(("enero", "ene"), ("febrero", "feb"), ("marzo", "mar"), ("abril", "abr"), ("mayo",), ("junio", "jun")),
    *(("julio", "jul"), ("agosto", "ago"), ("septiembre", "setiembre", "sept", "sep"), ("octubre", "oct")),
    *(("noviembre", "nov"), ("diciembre", "dic")),
)
_WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")

WORDS = Words(
    language="es",
    numbers={
        "cero": 0,
        "un": 1,
        "una": 1,
        "veintiún": 21,
        "docena": 12,
        **{word: value for value, word in enumerate(_TO_TWENTY, 1)},
        **{word: value * 10 for value, word in enumerate(_TENS, 3)},
    },
    multipliers={"cien": 100, "ciento": 100, "mil": 1_000, "millón": 1_000_000, "millones": 1_000_000},
    number_joiners=("y",),
    articles=("un", "una"),
    months={name: number for number, names in enumerate(_MONTHS, 1) for name in names},
    weekdays={name: number for number, name in enumerate(_WEEKDAYS)},
    days={
        "hoy": 0,
        "esta noche": 0,
        "esta tarde": 0,
        "esta mañana": 0,
        "mañana": 1,
        "pasado mañana": 2,
        "ayer": -1,
        "anteayer": -2,
    },
    not_days=("por la mañana", "de la mañana", "en la mañana", "la mañana", "cada mañana"),
    ordinals={"primero": 1, "primer": 1},
    counted_days=True,
    ordinal_suffixes=("º", "ª", "°", "ro"),
    bare_suffix=False,
    bare_days=("el", "el día", "día"),
    ordinal_nouns=("piso", "planta", "personas", "veces", "por ciento", "horas"),
    of=("de", "del"),
    on=("el", "día", "el día"),
    coming=("próximo", "el próximo", "este próximo", "que viene"),
    next_week=("de la próxima semana", "de la semana que viene"),
    this=("este",),
    units={
        **dict.fromkeys(("segundo", "segundos"), "second"),
        **dict.fromkeys(("minuto", "minutos", "min"), "minute"),
        **dict.fromkeys(("hora", "horas"), "hour"),
        **dict.fromkeys(("día", "días"), "day"),
        **dict.fromkeys(("semana", "semanas"), "week"),
        **dict.fromkeys(("mes", "meses"), "month"),
        **dict.fromkeys(("año", "años"), "year"),
    },
    within=("en", "dentro de"),
    ago_before=("hace",),
    at=("a las", "a la", "sobre las", "a eso de las", "para las"),
    near=("antes de las", "después de las", "hasta las", "desde las"),
    range_before=("de", "entre"),
    hour_words=("h", "hs", "hrs", "horas", "en punto"),
    minute_words=("minutos", "min"),
    fixed_times={"mediodía": 720, "medianoche": 0},
    parts={
        **dict.fromkeys(("de la mañana", "por la mañana", "en la mañana", "esta mañana", "a.m.", "am"), "am"),
        **dict.fromkeys(("de la tarde", "por la tarde", "en la tarde", "esta tarde", "p.m.", "pm"), "pm"),
        **dict.fromkeys(("de la noche", "por la noche", "en la noche", "esta noche"), "night"),
        **dict.fromkeys(("de la madrugada",), "am"),
    },
    after_hour={"y media": 30, "y cuarto": 15, "menos cuarto": -15},
    after_to=("menos",),
    yes=(
        *("sí", "si", "sip", "sí por favor", "sí gracias", "claro", "claro que sí", "por supuesto", "desde luego"),
        *("vale", "de acuerdo", "correcto", "es correcto", "exacto", "exactamente", "cierto", "así es", "perfecto"),
        *("confirmar", "confirmo", "confirmado", "está bien", "bueno", "bien", "muy bien", "adelante", "ok", "okay"),
        *("verdadero", "dale", "me parece bien", "genial"),
    ),
    no=(
        *("no", "nop", "no gracias", "para nada", "nunca", "jamás", "de ninguna manera", "todavía no", "aún no"),
        *("ahora no", "no es correcto", "incorrecto", "falso", "está mal", "claro que no", "por supuesto que no"),
        *("no quiero", "mejor no", "cancelar", "no está bien"),
    ),
    strong=("sí", "no", "claro", "vale", "por supuesto"),
    polite=("por favor", "gracias", "muchas gracias", "porfa", "para mí"),
    neither=("no sé", "no lo sé", "no estoy seguro", "no estoy segura", "ni idea", "no entiendo", "si no", "si puede"),
    fillers=("ah", "oh", "eh", "pues", "bueno", "y", "entonces", "hola", "hm"),
    common=(
        *("el", "la", "los", "las", "lo", "un", "una", "unos", "unas", "de", "del", "al", "a", "y", "o", "pero", "que"),
        *("yo", "tú", "él", "ella", "me", "mi", "mis", "te", "tu", "se", "su", "sus", "nos", "le", "les", "es", "son"),
        *("está", "están", "soy", "estoy", "ser", "estar", "he", "ha", "hay", "puedo", "puede", "quiero", "quisiera"),
        *("en", "con", "por", "para", "sobre", "qué", "cuál", "cómo", "dónde", "cuándo", "quién", "no", "más", "muy"),
        *("este", "esta", "esto", "ese", "esa", "eso"),
    ),
)
