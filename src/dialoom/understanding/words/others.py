"""Languages without a table of their own: names of months and weekdays from CLDR, and yes and no for the languages
whose system texts are shipped. Everything else they read in ISO and numeric forms.
"""

from __future__ import annotations

from dialoom.understanding.words.table import Words

_YES_AND_NO: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "ar": (("نعم", "أجل", "اي", "تأكيد", "حسنا", "طبعا", "صحيح"), ("لا", "كلا", "خطأ")),
    "fi": (("kyllä", "joo", "juu", "totta kai", "vahvista", "oikein", "selvä", "sopii"), ("ei", "en", "ei kiitos")),
    "hr": (("da", "naravno", "potvrdi", "točno", "u redu", "može"), ("ne", "ne hvala", "netočno", "nikako")),
    "th": (("ใช่", "ครับ", "ค่ะ", "ตกลง", "ยืนยัน", "ได้"), ("ไม่", "ไม่ใช่", "ไม่เอา")),
    "tr": (("evet", "tabii", "tamam", "olur", "onayla", "doğru", "elbette"), ("hayır", "yok", "olmaz", "yanlış")),
    "zh": (
        ("是", "是的", "对", "好", "好的", "可以", "确认", "行", "嗯"),
        ("否", "不", "不是", "不要", "不用", "不行"),
    ),
}


def words_from_cldr(tag: str) -> Words:
    """What is known of a language without a table; nothing but its tag for one that CLDR does not have."""
    # Imported for such languages only: Babel's data of a locale costs some milliseconds and megabytes.
    from babel import Locale, UnknownLocaleError

    primary = tag.replace("_", "-").split("-")[0].lower()
    yes, no = _YES_AND_NO.get(primary, ((), ()))
    try:
        locale = Locale.parse(tag.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Words(language=primary, yes=yes, no=no, strong=(*yes[:1], *no[:1]))
    months = {
        name: number
        for context, width in (("stand-alone", "wide"), ("format", "wide"), ("format", "abbreviated"))
        for number, name in locale.months[context][width].items()
        # "3月" and "3" are read as numbers already.
        if len(name) > 2 and not any(sign.isdecimal() for sign in name)
    }
    weekdays = {
        name: number
        for context in ("stand-alone", "format")
        for number, name in locale.days[context]["wide"].items()
        if len(name) > 2
    }
    return Words(
        language=primary,
        months=months,
        weekdays=weekdays,
        counted_days=True,
        yes=yes,
        no=no,
        strong=(*yes[:1], *no[:1]),
    )
