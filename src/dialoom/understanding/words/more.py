"""What is known of languages without a whole table, besides what ``others`` takes from libraries: yes and no, numbers,
hours, and words beside a weekday.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.understanding.words.table import Words

if TYPE_CHECKING:
    from collections.abc import Sequence


def _counted_up(words: Sequence[str], first: int = 0, step: int = 1) -> dict[str, int]:
    return {word: first + step * index for index, word in enumerate(words) if word}


def _with_tens(tens: Sequence[str], units: Sequence[str], joiner: str) -> dict[str, int]:
    """Compounds of tens (from twenty) and units (from one) that are one word."""
    return {f"{ten}{joiner}{unit}": 10 * t + u for t, ten in enumerate(tens, 2) for u, unit in enumerate(units, 1)}


_FI = ("yksi", "kaksi", "kolme", "neljä", "viisi", "kuusi", "seitsemän", "kahdeksan", "yhdeksän")
_FI_TENS = tuple(f"{unit}kymmentä" for unit in _FI[1:])
_FINNISH = Words(
    language="fi",
    numbers={
        "nolla": 0,
        **_counted_up(_FI, 1),
        "kymmenen": 10,
        **_counted_up([f"{unit}toista" for unit in _FI], 11),
        **_counted_up(_FI_TENS, 20, 10),
        **_with_tens(_FI_TENS, _FI, ""),
        **_counted_up(("yhden", "kahden", "kolmen", "neljän", "viiden", "kuuden"), 1),
    },
    multipliers={"sata": 100, "sataa": 100, "tuhat": 1_000, "tuhatta": 1_000, "miljoona": 1_000_000},
    days={"ylihuomenna": 2, "toissapäivänä": -2, "tänä iltana": 0, "illalla": 0},
    next_week=("ensi", "ensi viikon"),
    coming=("tulevana",),
    this=("tänä",),
    last=("viime",),
    from_now=("kuluttua", "päästä"),
    ago=("sitten",),
    at=("klo", "kello"),
    hour_words=("h",),
    before_hour={"puoli": -30, "varttia vaille": -15, "vartin yli": 15},
    fixed_times={"puolipäivä": 720, "keskipäivällä": 720, "puoliyö": 0, "keskiyöllä": 0},
    parts={"aamulla": "am", "aamupäivällä": "am", "iltapäivällä": "pm", "illalla": "pm", "yöllä": "night"},
    now=("nyt", "heti"),
    lengths={"puoli tuntia": (0.5, "hour"), "puolitoista tuntia": (1.5, "hour")},
    yes=("kyllä", "joo", "juu", "totta kai", "vahvista", "oikein", "selvä", "sopii"),
    no=("ei", "en", "ei kiitos"),
    strong=("kyllä", "ei"),
)

_HR = ("jedan", "dva", "tri", "četiri", "pet", "šest", "sedam", "osam", "devet")
_CROATIAN = Words(
    language="hr",
    numbers={
        "nula": 0,
        **_counted_up(_HR, 1),
        "jedna": 1,
        "jedno": 1,
        "dvije": 2,
        **_counted_up(("deset", "jedanaest", "dvanaest", "trinaest", "četrnaest", "petnaest", "šesnaest"), 10),
        **_counted_up(("sedamnaest", "osamnaest", "devetnaest"), 17),
        **_counted_up(("dvadeset", "trideset", "četrdeset", "pedeset", "šezdeset"), 20, 10),
        **_counted_up(("sedamdeset", "osamdeset", "devedeset"), 70, 10),
    },
    multipliers={"sto": 100, "tisuću": 1_000, "tisuća": 1_000, "tisuće": 1_000, "milijun": 1_000_000},
    number_joiners=("i",),
    weekdays={"srijedu": 2, "subotu": 5, "nedjelju": 6},
    days={"večeras": 0, "jutros": 0},
    next_week=("sljedeći", "sljedeće", "sljedeću", "sljedeća", "idući", "iduću", "iduća"),
    this=("ovaj", "ovu", "ova"),
    last=("prošli", "prošlu", "prošla"),
    units={"dana": "day", "tjedna": "week", "tjedana": "week", "mjeseca": "month", "sata": "hour", "minuta": "minute"},
    within=("za",),
    ago_before=("prije",),
    at=("u", "oko"),
    hour_words=("sati", "sata", "sat", "h"),
    fixed_times={"podne": 720, "u podne": 720, "ponoć": 0, "u ponoć": 0},
    parts={"ujutro": "am", "prijepodne": "am", "popodne": "pm", "poslijepodne": "pm", "navečer": "pm"},
    before_hour={"pola": -30},
    now=("sada", "sad", "odmah"),
    lengths={"pola sata": (0.5, "hour"), "sat i pol": (1.5, "hour")},
    yes=("da", "naravno", "potvrdi", "točno", "u redu", "može"),
    no=("ne", "ne hvala", "netočno", "nikako"),
    strong=("da", "ne"),
)

_TR_MONTHS = (
    *("ocak", "şubat", "mart", "nisan", "mayıs", "haziran", "temmuz", "ağustos", "eylül", "ekim", "kasım", "aralık"),
)
_TURKISH = Words(
    language="tr",
    numbers={
        **_counted_up(("sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz", "on")),
        **_counted_up(("yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"), 20, 10),
        **_counted_up(
            [f"on {unit}" for unit in ("bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")], 11
        ),
    },
    multipliers={"yüz": 100, "bin": 1_000, "milyon": 1_000_000},
    months={f"{name}{end}": number for number, name in enumerate(_TR_MONTHS, 1) for end in ("ta", "te", "da", "de")},
    days={"öbür gün": 2, "ertesi gün": 2, "bu akşam": 0, "bu gece": 0, "yarından sonra": 2},
    next_week=("gelecek", "haftaya", "gelecek hafta", "önümüzdeki hafta"),
    coming=("önümüzdeki",),
    this=("bu",),
    last=("geçen",),
    at=("saat",),
    after_hour={"buçuk": 30, "buçukta": 30},
    fixed_times={"öğlen": 720, "öğle": 720, "öğleyin": 720, "gece yarısı": 0},
    parts={"sabah": "am", "öğleden sonra": "pm", "akşam": "pm", "bu akşam": "pm", "gece": "night"},
    now=("şimdi", "hemen"),
    lengths={"yarım saat": (0.5, "hour"), "bir buçuk saat": (1.5, "hour")},
    yes=("evet", "tabii", "tamam", "olur", "onayla", "doğru", "elbette"),
    no=("hayır", "yok", "olmaz", "yanlış"),
    strong=("evet", "hayır"),
)

_HAN = ("一", "二", "三", "四", "五", "六", "七", "八", "九")
_HAN_NUMBERS = {
    "零": 0,
    **_counted_up(_HAN, 1),
    "十": 10,
    **_counted_up([f"十{unit}" for unit in _HAN], 11),
    **_counted_up([f"{unit}十" for unit in _HAN[1:]], 20, 10),
    **_with_tens([f"{unit}十" for unit in _HAN[1:]], _HAN, ""),
}
_CHINESE = Words(
    language="zh",
    numbers={**_HAN_NUMBERS, "两": 2, "兩": 2, "〇": 0},
    multipliers={"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000},
    days={"今晚": 0, "今早": 0, "明早": 1, "明晚": 1, "前天": -2, "後天": 2, "大後天": 3},
    next_week=("下", "下个", "下個"),
    this=("这", "这个", "這個", "本"),
    last=("上", "上个", "上個"),
    units={
        **dict.fromkeys(("天",), "day"),
        **dict.fromkeys(("周", "星期", "个星期", "礼拜"), "week"),
        **dict.fromkeys(("个月", "個月"), "month"),
        **dict.fromkeys(("小时", "个小时", "小時", "個小時"), "hour"),
        **dict.fromkeys(("分钟", "分鐘"), "minute"),
    },
    hour_words=("点钟", "点", "點", "时"),
    minute_words=("分",),
    after_hour={"半": 30, "一刻": 15, "三刻": 45},
    fixed_times={"中午": 720, "正午": 720, "午夜": 0, "半夜": 0},
    parts={
        **dict.fromkeys(("早上", "上午", "早晨", "凌晨"), "am"),
        **dict.fromkeys(("下午", "晚上", "傍晚", "中午", "今晚", "明晚"), "pm"),
        **dict.fromkeys(("今早", "明早"), "am"),
    },
    now=("现在", "马上", "現在"),
    lengths={"半小时": (0.5, "hour"), "半个小时": (0.5, "hour"), "一个半小时": (1.5, "hour"), "半天": (0.5, "day")},
    yes=("是", "是的", "对", "好", "好的", "可以", "确认", "行", "嗯"),
    no=("否", "不", "不是", "不要", "不用", "不行"),
    strong=("是", "否"),
)
_JAPANESE = Words(
    language="ja",
    numbers=_HAN_NUMBERS,
    multipliers={"十": 10, "百": 100, "千": 1_000, "万": 10_000},
    weekdays=_counted_up(("月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜")),
    days={"あした": 1, "あさって": 2, "明後日": 2, "今晩": 0, "今夜": 0, "おととい": -2},
    of=("の",),
    next_week=("来週の", "来週"),
    coming=("次の",),
    this=("今週の", "今週"),
    last=("先週の", "先週"),
    units={"時間": "hour", "分間": "minute", "日間": "day", "週間": "week", "か月": "month", "ヶ月": "month"},
    hour_words=("時",),
    minute_words=("分",),
    after_hour={"半": 30},
    fixed_times={"正午": 720, "深夜零時": 0},
    parts={"午前": "am", "朝": "am", "午後": "pm", "夕方": "pm", "夜": "pm", "今夜": "pm", "今晩": "pm"},
    now=("今", "今すぐ"),
    yes=("はい", "ええ", "うん", "お願いします"),
    no=("いいえ", "いや", "違います", "結構です"),
    strong=("はい", "いいえ"),
)

_ARABIC = Words(
    language="ar",
    numbers={
        **_counted_up(("صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة")),
        **_counted_up(("واحدة", "اثنين", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"), 1),
        **_counted_up(("عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"), 20, 10),
    },
    multipliers={"مئة": 100, "مائة": 100, "ألف": 1_000, "مليون": 1_000_000},
    number_joiners=("و",),
    days={"غدا": 1, "بكرة": 1, "بعد غد": 2, "بعد بكرة": 2, "أول أمس": -2, "الليلة": 0, "هذا المساء": 0},
    coming=("القادم", "القادمة", "المقبل", "المقبلة"),
    this=("هذا", "هذه"),
    last=("الماضي", "الماضية"),
    units={"أيام": "day", "يوما": "day", "أسابيع": "week", "أشهر": "month", "ساعات": "hour", "دقائق": "minute"},
    within=("بعد", "خلال"),
    ago_before=("قبل", "منذ"),
    at=("الساعة", "في الساعة", "على الساعة"),
    after_hour={"والنصف": 30, "ونصف": 30, "والربع": 15, "وربع": 15, "إلا ربع": -15, "إلا ربعا": -15},
    fixed_times={"الظهر": 720, "منتصف الليل": 0, "ظهرا": 720},
    parts={
        "صباحا": "am",
        "الصباح": "am",
        "مساء": "pm",
        "المساء": "pm",
        "ظهرا": "pm",
        "بعد الظهر": "pm",
        "ليلا": "night",
    },
    now=("الآن", "حالا", "فورا"),
    lengths={"نصف ساعة": (0.5, "hour"), "ساعة ونصف": (1.5, "hour"), "ربع ساعة": (0.25, "hour"), "يومين": (2, "day")},
    yes=("نعم", "أجل", "اي", "تأكيد", "حسنا", "طبعا", "صحيح"),
    no=("لا", "كلا", "خطأ"),
    strong=("نعم", "لا"),
)

_THAI = Words(
    language="th",
    numbers=_counted_up(("ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า", "สิบ")),
    days={"มะรืนนี้": 2, "มะรืน": 2, "คืนนี้": 0, "เย็นนี้": 0, "เมื่อวานนี้": -1, "เมื่อวานซืน": -2},
    on=("วันที่",),
    next_week=("หน้า", "สัปดาห์หน้า", "อาทิตย์หน้า"),
    this=("นี้", "สัปดาห์นี้"),
    last=("ที่แล้ว",),
    units={"วัน": "day", "สัปดาห์": "week", "เดือน": "month", "ปี": "year", "ชั่วโมง": "hour", "นาที": "minute"},
    within=("อีก", "ใน", "ภายใน"),
    at=("เวลา", "ตอน"),
    hour_words=("นาฬิกา", "น.", "น"),
    fixed_times={"เที่ยง": 720, "เที่ยงวัน": 720, "เที่ยงคืน": 0},
    parts={"เช้า": "am", "ตอนเช้า": "am", "บ่าย": "pm", "ตอนบ่าย": "pm", "เย็น": "pm", "ตอนเย็น": "pm"},
    now=("ตอนนี้", "เดี๋ยวนี้"),
    lengths={"ครึ่งชั่วโมง": (0.5, "hour")},
    yes=("ใช่", "ครับ", "ค่ะ", "ตกลง", "ยืนยัน", "ได้"),
    no=("ไม่", "ไม่ใช่", "ไม่เอา"),
    strong=("ใช่", "ไม่"),
)

_RUSSIAN = Words(
    language="ru",
    numbers={
        **_counted_up(("ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")),
        "одна": 1,
        "две": 2,
        **_counted_up(("двадцать", "тридцать", "сорок", "пятьдесят"), 20, 10),
        **_counted_up(("одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать"), 11),
        **_counted_up(("шестнадцать", "семнадцать", "восемнадцать", "девятнадцать"), 16),
        **_counted_up(("шестьдесят", "семьдесят", "восемьдесят", "девяносто"), 60, 10),
    },
    multipliers={"сто": 100, "тысяча": 1_000, "тысячи": 1_000, "тысяч": 1_000},
    next_week=("следующий", "следующая", "следующую", "следующее"),
    this=("этот", "эта", "эту", "это"),
    last=("прошлый", "прошлая", "прошлую", "прошлое"),
    within=("через",),
    ago=("назад",),
    at=("в",),
    hour_words=("часов", "часа", "час", "ч"),
    fixed_times={"полдень": 720, "полночь": 0},
    parts={"утра": "am", "дня": "pm", "вечера": "pm", "ночи": "night"},
    counted=(("через неделю", "week", 1), ("через месяц", "month", 1), ("через час", "hour", 1)),
    now=("сейчас",),
    yes=("да", "конечно", "хорошо", "верно"),
    no=("нет", "неверно", "ни за что"),
    strong=("да", "нет"),
)
_POLISH = Words(
    language="pl",
    numbers=_counted_up(
        ("zero", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć", "dziesięć"),
    ),
    weekdays={"środę": 2, "sobotę": 5, "niedzielę": 6},
    days={"pojutrze": 2, "przedwczoraj": -2, "dziś wieczorem": 0},
    next_week=("następny", "następną", "następna", "przyszły", "przyszłą"),
    this=("ten", "tę", "ta"),
    last=("zeszły", "zeszłą", "ostatni", "ostatnią"),
    within=("za",),
    ago=("temu",),
    at=("o", "o godzinie", "o godz."),
    fixed_times={"południe": 720, "północ": 0},
    counted=(("za tydzień", "week", 1), ("za miesiąc", "month", 1), ("za godzinę", "hour", 1)),
    now=("teraz",),
    yes=("tak", "oczywiście", "dobrze", "zgadza się"),
    no=("nie", "nie dziękuję"),
    strong=("tak", "nie"),
)
_CZECH = Words(
    language="cs",
    numbers=_counted_up(("nula", "jeden", "dva", "tři", "čtyři", "pět", "šest", "sedm", "osm", "devět", "deset")),
    weekdays={"středu": 2, "sobotu": 5, "neděli": 6},
    units={"dny": "day", "dní": "day", "týdny": "week", "měsíce": "month", "hodiny": "hour", "minuty": "minute"},
    within=("za",),
    ago_before=("před",),
    next_week=("příští",),
    this=("tento", "tuto"),
    last=("minulý", "minulou"),
    at=("v", "ve"),
    hour_words=("hodin", "hodiny", "hod", "h"),
    fixed_times={"poledne": 720, "půlnoc": 0},
    counted=(("za týden", "week", 1), ("za měsíc", "month", 1), ("za hodinu", "hour", 1)),
    now=("teď", "nyní"),
    yes=("ano", "jasně", "dobře", "souhlasím"),
    no=("ne", "ne děkuji"),
    strong=("ano", "ne"),
)
_SWEDISH = Words(
    language="sv",
    numbers=_counted_up(
        ("noll", "ett", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "elva", "tolv")
    ),
    articles=("ett", "en"),
    days={"i övermorgon": 2, "övermorgon": 2, "i förrgår": -2, "ikväll": 0, "i kväll": 0},
    on=("den",),
    next_week=("nästa",),
    this=("den här", "nu på"),
    last=("förra",),
    within=("om",),
    at=("kl", "kl.", "klockan"),
    before_hour={"halv": -30, "kvart över": 15, "kvart i": -15},
    fixed_times={"middag": 720, "midnatt": 0},
    now=("nu", "genast"),
    yes=("ja", "japp", "visst", "okej", "absolut"),
    no=("nej", "nej tack"),
    strong=("ja", "nej"),
)

MORE: dict[str, Words] = {
    words.language: words
    for words in (
        *(_FINNISH, _CROATIAN, _TURKISH, _CHINESE, _ARABIC, _THAI),
        *(_RUSSIAN, _POLISH, _CZECH, _SWEDISH, _JAPANESE),
    )
}
"""By language."""
