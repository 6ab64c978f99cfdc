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
    login_not_yet: str
    login_not_yet_text: str


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
# understood, the one when something broke, the one on going back to a conversation; then the words of pages: the chat
# and the picker without script, the title and text of the login page. Users are addressed formally where a language
# does so (Finnish pages do not), the bot has no gender, and a name stands after a colon where grammar would bend it.
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
        "Logging in is not possible yet",
        (
            "This version of the service cannot log you in, and nothing was sent anywhere. Close this page and go "
            "on in the chat."
        ),
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
        "Die Anmeldung ist noch nicht möglich",
        (
            "Diese Version des Dienstes kann Sie nicht anmelden, und es wurde nichts übertragen. Schließen Sie "
            "diese Seite und fahren Sie im Chat fort."
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
        "La connexion n’est pas encore possible",
        (
            "Cette version du service ne permet pas de vous connecter, et rien n’a été transmis. Fermez cette page "
            "et poursuivez dans la conversation."
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
        "Todavía no es posible iniciar sesión",
        (
            "Esta versión del servicio no permite iniciar sesión y no se ha enviado nada. Cierre esta página y "
            "continúe en el chat."
        ),
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
        "L’accesso non è ancora possibile",
        (
            "Questa versione del servizio non permette l’accesso e non è stato inviato nulla. Chiuda questa pagina "
            "e prosegua nella chat."
        ),
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
        "Inloggen is nog niet mogelijk",
        (
            "Met deze versie van de dienst kunt u niet inloggen, en er is niets verzonden. Sluit deze pagina en "
            "ga verder in de chat."
        ),
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
        "O login ainda não é possível",
        "Esta versão do serviço não permite fazer login, e nada foi enviado. Feche esta página e continue no chat.",
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
        "Входът все още не е възможен",
        (
            "Тази версия на услугата не поддържа вход и нищо не беше изпратено. Затворете тази страница и продължете "
            "в чата."
        ),
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
        "Kirjautuminen ei ole vielä mahdollista",
        "Tällä palvelun versiolla ei voi kirjautua, eikä mitään lähetetty. Sulje tämä sivu ja jatka keskustelussa.",
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
        "Prijava još nije moguća",
        (
            "Ova inačica usluge ne omogućuje prijavu i ništa nije poslano. Zatvorite ovu stranicu i nastavite u "
            "razgovoru."
        ),
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
        "Giriş yapmak henüz mümkün değil",
        (
            "Hizmetin bu sürümünde giriş yapılamıyor ve hiçbir yere bilgi gönderilmedi. Bu sayfayı kapatıp sohbette "
            "devam edin."
        ),
    ),
    "zh": (
        *("是", "否", "确认", "后 5 项", "前 5 项", "重新开始", "打开", "提交", "选择"),
        "我不确定是否听懂了您的话。",
        "我们目前遇到了技术问题。",
        f"现在回到之前的话题：{_NAME}。",
        "此聊天需要 JavaScript。请为此页面启用 JavaScript，然后重新加载。",
        "此页面需要 JavaScript。请为此页面启用 JavaScript 后重新加载，或在聊天中写下您的回答。",
        "暂时无法登录",
        "此版本的服务还不能为您登录，也没有发送任何信息。请关闭此页面，回到聊天中继续。",
    ),
    "ar": (
        *("نعم", "لا", "تأكيد", "الخمسة التالية", "الخمسة السابقة", "ابدأ من جديد", "فتح", "إرسال", "اختيار"),
        "يبدو أنني لم أفهم ما قلته جيدًا.",
        "نواجه صعوبات تقنية في هذه اللحظة.",
        f"سأعود الآن إلى الموضوع السابق: {_NAME}.",
        "تحتاج هذه المحادثة إلى JavaScript. يرجى السماح به لهذه الصفحة ثم إعادة تحميلها.",
        ("تحتاج هذه الصفحة إلى JavaScript. يرجى السماح به لهذه الصفحة ثم إعادة تحميلها، أو كتابة الإجابة في المحادثة."),
        "تسجيل الدخول غير ممكن بعد",
        ("لا يمكن تسجيل الدخول بهذا الإصدار من الخدمة، ولم يُرسل أي شيء. يرجى إغلاق هذه الصفحة والمتابعة في المحادثة."),
    ),
    "th": (
        *("ใช่", "ไม่ใช่", "ยืนยัน", "5 รายการถัดไป", "5 รายการก่อนหน้า", "เริ่มใหม่", "เปิด", "ส่ง", "เลือก"),
        "ไม่แน่ใจว่าเข้าใจสิ่งที่คุณพูดถูกต้องหรือไม่",
        "ขณะนี้เรากำลังประสบปัญหาทางเทคนิค",
        f"ตอนนี้กลับไปที่เรื่องก่อนหน้า: {_NAME}",
        "แชทนี้ต้องใช้ JavaScript โปรดอนุญาตสำหรับหน้านี้แล้วโหลดหน้าอีกครั้ง",
        "หน้านี้ต้องใช้ JavaScript โปรดอนุญาตสำหรับหน้านี้แล้วโหลดหน้าอีกครั้ง หรือพิมพ์คำตอบของคุณในแชท",
        "ยังไม่สามารถเข้าสู่ระบบได้",
        "บริการรุ่นนี้ยังไม่รองรับการเข้าสู่ระบบ และไม่มีการส่งข้อมูลใด ๆ โปรดปิดหน้านี้แล้วสนทนาต่อในแชท",
    ),
}


def _texts(row: tuple[str, ...]) -> SystemTexts:
    yes, no, confirm, following, preceding, restart, opening, submit, select, *sentences = row
    invalid, failure, back, no_script, no_script_picker, login, login_text = sentences
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
        login_not_yet=login,
        login_not_yet_text=login_text,
    )


_BY_LANGUAGE = {language: _texts(row) for language, row in _ROWS.items()}
