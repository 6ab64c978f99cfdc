"""What the service itself says, in every language that it speaks: labels of buttons, default replies, pages.

A flow's own settings and commands come before these; who asks is the engine, the channels and `http`.
The chat's own words are the front end's (`frontend/src/texts`).
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
    no_script: str
    no_script_picker: str
    login_code_wrong: str
    """With ``{left}``, the number of tries."""
    login_code_void: str


def system_texts(language: str) -> SystemTexts:
    """The texts of a BCP 47 tag: of the tag itself, else of its base language, else the English ones."""
    return _BY_LANGUAGE[language_of_texts(language)]


def language_of_texts(language: str) -> str:
    """The language that ``system_texts`` answers in for this tag."""
    base = language.replace("_", "-").split("-")[0].lower()
    return base if base in _BY_LANGUAGE else "en"


def languages() -> tuple[str, ...]:
    """The languages that have texts of their own."""
    return tuple(_BY_LANGUAGE)


# One row a language: Yes, No, Confirm; Next 5, Prev 5, restart; Open, Submit, Select; the reply to what was not
# understood, the one when something broke, the one on going back to a conversation; then the words of pages, the chat
# and the picker without script; the replies to a wrong code of a login, and to the last one. Users are addressed
# formally where a language does so (Finnish pages do not), the bot has no gender, and a name stands after a colon where
# grammar would bend it.
_NAME = "{{conversationDisplayName}}"
_ROWS: dict[str, tuple[str, ...]] = {
    "en": (
        *("Yes", "No", "Confirm", "Next 5", "Prev 5", "restart", "Open", "Submit", "Select"),
        "I am not sure I understood what you said.",
        "We are experiencing technical difficulties at this moment.",
        f"I am going back to {_NAME} now.",
        "This chat needs JavaScript. Please allow it for this page and load the page again.",
        (
            "This page needs JavaScript. Please allow it for this page and load the page again, or write your "
            "answer in the chat."
        ),
        "This is not the code that the login page shows. Tries left: {left}.",
        "This was not the right code either, so that this login no longer counts. Please log in again.",
    ),
    "de": (
        *("Ja", "Nein", "Bestätigen", "Nächste 5", "Vorige 5", "neu beginnen", "Öffnen", "Senden", "Auswählen"),
        "Ich bin nicht sicher, ob ich Sie richtig verstanden habe.",
        "Im Moment haben wir technische Schwierigkeiten.",
        f"Ich mache jetzt hier weiter: {_NAME}.",
        "Dieser Chat braucht JavaScript. Bitte erlauben Sie es für diese Seite und laden Sie die Seite neu.",
        (
            "Diese Seite braucht JavaScript. Bitte erlauben Sie es für diese Seite und laden Sie die Seite neu, "
            "oder schreiben Sie Ihre Antwort in den Chat."
        ),
        "Das ist nicht der Code, den die Anmeldeseite zeigt. Verbleibende Versuche: {left}.",
        (
            "Auch das war nicht der richtige Code, deshalb gilt diese Anmeldung nicht mehr. Bitte melden Sie "
            "sich erneut an."
        ),
    ),
    "fr": (
        *("Oui", "Non", "Confirmer", "5 suivants", "5 précédents", "recommencer", "Ouvrir", "Envoyer", "Choisir"),
        "Je ne sais pas si j’ai bien compris ce que vous avez dit.",
        "Nous rencontrons des difficultés techniques en ce moment.",
        f"Je reviens maintenant au sujet précédent\u00a0: {_NAME}.",
        "Cette conversation nécessite JavaScript. Veuillez l’autoriser pour cette page, puis recharger la page.",
        (
            "Cette page nécessite JavaScript. Veuillez l’autoriser pour cette page et la recharger, ou écrire "
            "votre réponse dans la conversation."
        ),
        "Ce n’est pas le code affiché sur la page de connexion. Essais restants\u00a0: {left}.",
        (
            "Ce n’était pas non plus le bon code, cette connexion n’est donc plus valable. Veuillez vous "
            "connecter à nouveau."
        ),
    ),
    "es": (
        *("Sí", "No", "Confirmar", "5 siguientes", "5 anteriores", "reiniciar", "Abrir", "Enviar", "Seleccionar"),
        "No sé si he entendido bien lo que ha dicho.",
        "En este momento tenemos dificultades técnicas.",
        f"Ahora vuelvo al tema anterior: {_NAME}.",
        "Este chat necesita JavaScript. Permítalo para esta página y vuelva a cargarla.",
        (
            "Esta página necesita JavaScript. Permítalo para esta página y vuelva a cargarla, o escriba su respuesta "
            "en el chat."
        ),
        "Este no es el código que muestra la página de inicio de sesión. Intentos restantes: {left}.",
        "Tampoco era el código correcto, por lo que este inicio de sesión ya no es válido. Inicie sesión de nuevo.",
    ),
    "it": (
        *("Sì", "No", "Conferma", "5 successivi", "5 precedenti", "ricomincia", "Apri", "Invia", "Seleziona"),
        "Non so se ho capito bene quello che ha detto.",
        "Al momento abbiamo difficoltà tecniche.",
        f"Ora torno all’argomento precedente: {_NAME}.",
        "Questa chat richiede JavaScript. Lo consenta per questa pagina e la ricarichi.",
        (
            "Questa pagina richiede JavaScript. Lo consenta per questa pagina e la ricarichi, oppure scriva la "
            "Sua risposta nella chat."
        ),
        "Questo non è il codice mostrato dalla pagina di accesso. Tentativi rimasti: {left}.",
        "Neanche questo era il codice giusto, quindi questo accesso non è più valido. Acceda di nuovo.",
    ),
    "nl": (
        *("Ja", "Nee", "Bevestigen", "Volgende 5", "Vorige 5", "opnieuw beginnen", "Openen", "Verzenden", "Kiezen"),
        "Ik weet niet zeker of ik u goed begrepen heb.",
        "We hebben op dit moment technische problemen.",
        f"Ik ga nu hiermee verder: {_NAME}.",
        "Deze chat heeft JavaScript nodig. Sta het toe voor deze pagina en laad de pagina opnieuw.",
        (
            "Deze pagina heeft JavaScript nodig. Sta het toe voor deze pagina en laad de pagina opnieuw, of schrijf "
            "uw antwoord in de chat."
        ),
        "Dit is niet de code die op de inlogpagina staat. Resterende pogingen: {left}.",
        "Ook dit was niet de juiste code, daarom geldt deze login niet meer. Log opnieuw in.",
    ),
    "pt": (
        *("Sim", "Não", "Confirmar", "Próximos 5", "5 anteriores", "recomeçar", "Abrir", "Enviar", "Selecionar"),
        "Não sei se entendi bem o que você disse.",
        "Estamos com dificuldades técnicas no momento.",
        f"Volto agora ao assunto anterior: {_NAME}.",
        "Este chat precisa de JavaScript. Permita o JavaScript nesta página e recarregue-a.",
        (
            "Esta página precisa de JavaScript. Permita o JavaScript nesta página e recarregue-a, ou escreva sua "
            "resposta no chat."
        ),
        "Este não é o código que aparece na página de login. Tentativas restantes: {left}.",
        "Também não era o código certo, por isso este login não vale mais. Faça login novamente.",
    ),
    "bg": (
        *("Да", "Не", "Потвърждавам", "Следващи 5", "Предишни 5", "отначало", "Отваряне", "Изпращане", "Избор"),
        "Не знам дали разбрах правилно какво казахте.",
        "В момента имаме технически затруднения.",
        f"Сега се връщам към предишната тема: {_NAME}.",
        "Този чат се нуждае от JavaScript. Моля, разрешете го за тази страница и я заредете отново.",
        (
            "Тази страница се нуждае от JavaScript. Моля, разрешете го за нея и я заредете отново или напишете "
            "отговора си в чата."
        ),
        "Това не е кодът от страницата за вход. Оставащи опити: {left}.",
        "И това не беше верният код, затова този вход вече не важи. Моля, влезте отново.",
    ),
    "fi": (
        *("Kyllä", "Ei", "Vahvista", "Seuraavat 5", "Edelliset 5", "aloita alusta", "Avaa", "Lähetä", "Valitse"),
        "En ole varma, ymmärsinkö oikein.",
        "Meillä on juuri nyt teknisiä ongelmia.",
        f"Palaan nyt tähän aiheeseen: {_NAME}.",
        "Tämä keskustelu tarvitsee JavaScriptin. Salli se tälle sivulle ja lataa sivu uudelleen.",
        (
            "Tämä sivu tarvitsee JavaScriptin. Salli se tälle sivulle ja lataa sivu uudelleen, tai kirjoita "
            "vastauksesi keskusteluun."
        ),
        "Tämä ei ole kirjautumissivulla näkyvä koodi. Yrityksiä jäljellä: {left}.",
        "Tämäkään ei ollut oikea koodi, joten tämä kirjautuminen ei ole enää voimassa. Kirjaudu uudelleen.",
    ),
    "hr": (
        *("Da", "Ne", "Potvrdi", "Sljedećih 5", "Prethodnih 5", "ispočetka", "Otvori", "Pošalji", "Odaberi"),
        "Nije mi sasvim jasno što ste rekli.",
        "Trenutačno imamo tehničkih poteškoća.",
        f"Sada se vraćam na prethodnu temu: {_NAME}.",
        "Ovaj razgovor treba JavaScript. Dopustite ga za ovu stranicu i ponovno je učitajte.",
        (
            "Ova stranica treba JavaScript. Dopustite ga za ovu stranicu i ponovno je učitajte ili napišite svoj "
            "odgovor u razgovoru."
        ),
        "Ovo nije kôd koji prikazuje stranica za prijavu. Preostali pokušaji: {left}.",
        "Ni ovo nije bio točan kôd, pa ova prijava više ne vrijedi. Prijavite se ponovno.",
    ),
    "tr": (
        *("Evet", "Hayır", "Onayla", "Sonraki 5", "Önceki 5", "baştan başla", "Aç", "Gönder", "Seç"),
        "Söylediğinizi doğru anladığımdan emin değilim.",
        "Şu anda teknik sorunlar yaşıyoruz.",
        f"Şimdi şu konuya dönüyorum: {_NAME}.",
        "Bu sohbet için JavaScript gerekiyor. Lütfen bu sayfa için izin verin ve sayfayı yeniden yükleyin.",
        (
            "Bu sayfa için JavaScript gerekiyor. Lütfen izin verip sayfayı yeniden yükleyin ya da yanıtınızı "
            "sohbete yazın."
        ),
        "Bu, giriş sayfasında gösterilen kod değil. Kalan deneme hakkı: {left}.",
        "Bu da doğru kod değildi, bu yüzden bu giriş artık geçerli değil. Lütfen yeniden giriş yapın.",
    ),
    "zh": (
        *("是", "否", "确认", "后 5 项", "前 5 项", "重新开始", "打开", "提交", "选择"),
        "我不确定是否听懂了您的话。",
        "我们目前遇到了技术问题。",
        f"现在回到之前的话题：{_NAME}。",
        "此聊天需要 JavaScript。请为此页面启用 JavaScript，然后重新加载。",
        "此页面需要 JavaScript。请为此页面启用 JavaScript 后重新加载，或在聊天中写下您的回答。",
        "这不是登录页面上显示的验证码。剩余尝试次数：{left}。",
        "验证码仍不正确，本次登录已失效。请重新登录。",
    ),
    "ar": (
        *("نعم", "لا", "تأكيد", "الخمسة التالية", "الخمسة السابقة", "ابدأ من جديد", "فتح", "إرسال", "اختيار"),
        "يبدو أنني لم أفهم ما قلته جيدًا.",
        "نواجه صعوبات تقنية في هذه اللحظة.",
        f"سأعود الآن إلى الموضوع السابق: {_NAME}.",
        "تحتاج هذه المحادثة إلى JavaScript. يرجى السماح به لهذه الصفحة ثم إعادة تحميلها.",
        ("تحتاج هذه الصفحة إلى JavaScript. يرجى السماح به لهذه الصفحة ثم إعادة تحميلها، أو كتابة الإجابة في المحادثة."),
        "هذا ليس الرمز الظاهر في صفحة تسجيل الدخول. المحاولات المتبقية: {left}.",
        "لم يكن هذا الرمز صحيحًا أيضًا، ولذلك لم يعد تسجيل الدخول هذا صالحًا. يرجى تسجيل الدخول من جديد.",
    ),
    "th": (
        *("ใช่", "ไม่ใช่", "ยืนยัน", "5 รายการถัดไป", "5 รายการก่อนหน้า", "เริ่มใหม่", "เปิด", "ส่ง", "เลือก"),
        "ไม่แน่ใจว่าเข้าใจสิ่งที่คุณพูดถูกต้องหรือไม่",
        "ขณะนี้เรากำลังประสบปัญหาทางเทคนิค",
        f"ตอนนี้กลับไปที่เรื่องก่อนหน้า: {_NAME}",
        "แชทนี้ต้องใช้ JavaScript โปรดอนุญาตสำหรับหน้านี้แล้วโหลดหน้าอีกครั้ง",
        "หน้านี้ต้องใช้ JavaScript โปรดอนุญาตสำหรับหน้านี้แล้วโหลดหน้าอีกครั้ง หรือพิมพ์คำตอบของคุณในแชท",
        "นี่ไม่ใช่รหัสที่แสดงในหน้าเข้าสู่ระบบ จำนวนครั้งที่ยังลองได้: {left}",
        "รหัสนี้ก็ไม่ถูกต้องเช่นกัน การเข้าสู่ระบบครั้งนี้จึงใช้ไม่ได้แล้ว โปรดเข้าสู่ระบบอีกครั้ง",
    ),
}


def _texts(row: tuple[str, ...]) -> SystemTexts:
    yes, no, confirm, following, preceding, restart, opening, submit, select, *sentences = row
    invalid, failure, back, no_script, no_script_picker, wrong, void = sentences
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
        no_script=no_script,
        no_script_picker=no_script_picker,
        login_code_wrong=wrong,
        login_code_void=void,
    )


_BY_LANGUAGE = {language: _texts(row) for language, row in _ROWS.items()}
