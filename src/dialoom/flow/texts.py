"""What the service itself says, in every language that it speaks: labels of buttons and default replies.

A flow's own settings and commands come before these; who asks is the engine and, for buttons, the channels.
"""

from __future__ import annotations

import msgspec


class SystemTexts(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of one language. The value of a reply or a paging button is its label (flow-language.md section 2)."""

    yes: str
    no: str
    confirm: str
    next_page: tuple[str, ...]
    previous_page: tuple[str, ...]
    restart: tuple[str, ...]
    open: str
    submit: str
    select: str
    invalid_replies: tuple[str, ...]
    general_failure: tuple[str, ...]
    previous_conversation_messages: tuple[str, ...]


def system_texts(language: str) -> SystemTexts:
    """The texts of a BCP 47 tag: of the tag itself, else of its base language, else the English ones."""
    base = language.replace("_", "-").split("-")[0].lower()
    return _BY_LANGUAGE.get(base) or _BY_LANGUAGE["en"]


def languages() -> tuple[str, ...]:
    """The languages that have texts of their own."""
    return tuple(_BY_LANGUAGE)


# One row a language: Yes, No, Confirm; Next 5, Prev 5, restart; Open, Submit, Select; then the reply to what was not
# understood, the one when something broke, and the one on going back to a conversation.
_NAME = "{{conversationDisplayName}}"
_ROWS: dict[str, tuple[str, ...]] = {
    "en": (
        *("Yes", "No", "Confirm", "Next 5", "Prev 5", "restart", "Open", "Submit", "Select"),
        "I am not sure I understood what you said.",
        "We are experiencing technical difficulties at this moment.",
        f"I am going back to {_NAME} now.",
    ),
    "de": (
        *("Ja", "Nein", "Bestätigen", "Nächste 5", "Vorige 5", "neu beginnen", "Öffnen", "Senden", "Auswählen"),
        "Ich bin nicht sicher, ob ich das richtig verstanden habe.",
        "Im Moment haben wir technische Schwierigkeiten.",
        f"Ich kehre jetzt zurück zu {_NAME}.",
    ),
    "fr": (
        *("Oui", "Non", "Confirmer", "5 suivants", "5 précédents", "recommencer", "Ouvrir", "Envoyer", "Choisir"),
        "Je ne suis pas sûr d'avoir compris ce que vous avez dit.",
        "Nous rencontrons des difficultés techniques en ce moment.",
        f"Je reviens maintenant à {_NAME}.",
    ),
    "es": (
        *("Sí", "No", "Confirmar", "5 siguientes", "5 anteriores", "reiniciar", "Abrir", "Enviar", "Seleccionar"),
        "No estoy seguro de haber entendido lo que dijo.",
        "En este momento tenemos dificultades técnicas.",
        f"Ahora vuelvo a {_NAME}.",
    ),
    "it": (
        *("Sì", "No", "Conferma", "Prossimi 5", "Precedenti 5", "ricomincia", "Apri", "Invia", "Seleziona"),
        "Non sono sicuro di aver capito quello che ha detto.",
        "Al momento abbiamo difficoltà tecniche.",
        f"Ora torno a {_NAME}.",
    ),
    "nl": (
        *("Ja", "Nee", "Bevestigen", "Volgende 5", "Vorige 5", "opnieuw beginnen", "Openen", "Verzenden", "Kiezen"),
        "Ik weet niet zeker of ik u goed begrepen heb.",
        "We hebben op dit moment technische problemen.",
        f"Ik ga nu terug naar {_NAME}.",
    ),
    "pt": (
        *("Sim", "Não", "Confirmar", "Próximos 5", "5 anteriores", "recomeçar", "Abrir", "Enviar", "Selecionar"),
        "Não tenho a certeza de ter entendido o que disse.",
        "De momento temos dificuldades técnicas.",
        f"Volto agora a {_NAME}.",
    ),
    "bg": (
        *("Да", "Не", "Потвърждавам", "Следващи 5", "Предишни 5", "отначало", "Отваряне", "Изпращане", "Избор"),
        "Не съм сигурен, че разбрах какво казахте.",
        "В момента имаме технически затруднения.",
        f"Връщам се към {_NAME}.",
    ),
    "fi": (
        *("Kyllä", "Ei", "Vahvista", "Seuraavat 5", "Edelliset 5", "aloita alusta", "Avaa", "Lähetä", "Valitse"),
        "En ole varma, ymmärsinkö oikein.",
        "Meillä on juuri nyt teknisiä ongelmia.",
        f"Palaan nyt tähän: {_NAME}.",
    ),
    "hr": (
        *("Da", "Ne", "Potvrdi", "Sljedećih 5", "Prethodnih 5", "ispočetka", "Otvori", "Pošalji", "Odaberi"),
        "Nisam siguran da sam razumio što ste rekli.",
        "Trenutačno imamo tehničkih poteškoća.",
        f"Sada se vraćam na {_NAME}.",
    ),
    "tr": (
        *("Evet", "Hayır", "Onayla", "Sonraki 5", "Önceki 5", "baştan başla", "Aç", "Gönder", "Seç"),
        "Söylediğinizi anladığımdan emin değilim.",
        "Şu anda teknik sorunlar yaşıyoruz.",
        f"Şimdi {_NAME} konusuna dönüyorum.",
    ),
    "zh": (
        *("是", "否", "确认", "后 5 项", "前 5 项", "重新开始", "打开", "提交", "选择"),
        "我不确定是否听懂了您的话。",
        "我们目前遇到了技术问题。",
        f"我现在回到{_NAME}。",
    ),
    "ar": (
        *("نعم", "لا", "تأكيد", "الخمسة التالية", "الخمسة السابقة", "ابدأ من جديد", "فتح", "إرسال", "اختيار"),
        "لست متأكدا من أنني فهمت ما قلته.",
        "نواجه صعوبات تقنية في هذه اللحظة.",
        f"سأعود الآن إلى {_NAME}.",
    ),
    "th": (
        *("ใช่", "ไม่ใช่", "ยืนยัน", "5 รายการถัดไป", "5 รายการก่อนหน้า", "เริ่มใหม่", "เปิด", "ส่ง", "เลือก"),
        "ฉันไม่แน่ใจว่าเข้าใจสิ่งที่คุณพูด",
        "ขณะนี้เรากำลังประสบปัญหาทางเทคนิค",
        f"ตอนนี้ฉันจะกลับไปที่ {_NAME}",
    ),
}


def _texts(row: tuple[str, ...]) -> SystemTexts:
    yes, no, confirm, following, preceding, restart, opening, submit, select, invalid, failure, back = row
    return SystemTexts(
        yes=yes,
        no=no,
        confirm=confirm,
        next_page=(following,),
        previous_page=(preceding,),
        restart=(restart,),
        open=opening,
        submit=submit,
        select=select,
        invalid_replies=(invalid,),
        general_failure=(failure,),
        previous_conversation_messages=(back,),
    )


_BY_LANGUAGE = {language: _texts(row) for language, row in _ROWS.items()}
