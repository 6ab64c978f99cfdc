"""What the pages of account linking say when a login does not go on: what happened, and what to do.

Nothing of the request stands in them, and nothing that helps an attacker: who refused what stands in the log.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dialoom.flow.texts import language_of_texts

Reason = Literal["unknown", "over", "browser", "failed", "cancelled", "lost", "busy"]
REASONS: dict[str, Reason] = {
    "login-unknown": "unknown",
    "login-over": "over",
    "login-browser": "browser",
    "login-failed": "failed",
    "login-timeout": "failed",
    "login-cancelled": "cancelled",
    "login-lost": "lost",
    "bad-text": "unknown",
    "bad-parameter": "unknown",
    "method": "unknown",
}
"""By the code of a refusal. All others are passing: overload, a store that is away, a stop."""


class RefusalText(msgspec.Struct, frozen=True):
    title: str
    text: str
    ask: str
    """What to do; empty where the text says it."""


def refusal_text(language: str, code: str) -> RefusalText:
    return _BY_LANGUAGE[language_of_texts(language)][REASONS.get(code, "busy")]


# One row a language: the titles of unknown, over, browser, failed, cancelled, lost and busy, their texts in the same
# order, and last what to do about all of them but the last.
_ROWS: dict[str, tuple[str, ...]] = {
    "en": (
        *(
            "This link leads nowhere",
            "This link is no longer valid",
            "This is another browser",
            "The login did not work",
            "The login was cancelled",
            "The login did not reach the chat",
            "Not possible right now",
        ),
        "It was not made here, or a part of it is missing.",
        "It was used already, it is older than ten minutes, or there is a newer one in the chat.",
        "The login was begun in another browser than this one, so nothing was done here.",
        "The login page’s own service did not give a usable answer. Nothing was stored.",
        "You are not logged in, and nothing was stored.",
        "The chat could not take it in at this moment. Loading this page again does not help.",
        "Please wait a moment, then load this page again.",
        "Please ask for a new link in the chat.",
    ),
    "de": (
        *(
            "Dieser Link führt nirgendwohin",
            "Dieser Link gilt nicht mehr",
            "Das ist ein anderer Browser",
            "Die Anmeldung hat nicht geklappt",
            "Die Anmeldung wurde abgebrochen",
            "Die Anmeldung kam nicht im Chat an",
            "Im Moment nicht möglich",
        ),
        "Er wurde nicht hier erstellt, oder ein Teil davon fehlt.",
        "Er wurde schon benutzt, ist älter als zehn Minuten, oder im Chat steht ein neuerer.",
        "Die Anmeldung wurde in einem anderen Browser begonnen, deshalb wurde hier nichts getan.",
        "Der Anmeldedienst hat keine brauchbare Antwort gegeben. Es wurde nichts gespeichert.",
        "Sie sind nicht angemeldet, und es wurde nichts gespeichert.",
        "Der Chat konnte sie gerade nicht annehmen. Diese Seite neu zu laden hilft nicht.",
        "Bitte warten Sie einen Moment und laden Sie diese Seite dann neu.",
        "Bitte fordern Sie im Chat einen neuen Link an.",
    ),
    "fr": (
        *(
            "Ce lien ne mène nulle part",
            "Ce lien n’est plus valable",
            "Ceci est un autre navigateur",
            "La connexion a échoué",
            "La connexion a été annulée",
            "La connexion n’est pas arrivée dans la conversation",
            "Impossible pour le moment",
        ),
        "Il n’a pas été créé ici, ou il en manque une partie.",
        "Il a déjà été utilisé, il date de plus de dix minutes, ou un lien plus récent se trouve dans la conversation.",
        "La connexion a été commencée dans un autre navigateur\u00a0; rien n’a donc été fait ici.",
        "Le service de connexion n’a pas donné de réponse utilisable. Rien n’a été enregistré.",
        "Vous n’êtes pas connecté et rien n’a été enregistré.",
        "La conversation n’a pas pu la recevoir pour le moment. Recharger cette page n’y changera rien.",
        "Veuillez patienter un instant, puis recharger cette page.",
        "Veuillez demander un nouveau lien dans la conversation.",
    ),
    "es": (
        *(
            "Este enlace no lleva a ninguna parte",
            "Este enlace ya no es válido",
            "Este es otro navegador",
            "No se pudo iniciar sesión",
            "Se canceló el inicio de sesión",
            "El inicio de sesión no llegó al chat",
            "Ahora mismo no es posible",
        ),
        "No se creó aquí o le falta una parte.",
        "Ya se utilizó, tiene más de diez minutos o hay uno más reciente en el chat.",
        "El inicio de sesión empezó en otro navegador, por lo que aquí no se ha hecho nada.",
        "El servicio de inicio de sesión no dio una respuesta utilizable. No se ha guardado nada.",
        "No ha iniciado sesión y no se ha guardado nada.",
        "El chat no pudo recibirlo en este momento. Volver a cargar esta página no sirve de nada.",
        "Espere un momento y vuelva a cargar esta página.",
        "Pida un nuevo enlace en el chat.",
    ),
    "it": (
        *(
            "Questo link non porta da nessuna parte",
            "Questo link non è più valido",
            "Questo è un altro browser",
            "L’accesso non è riuscito",
            "L’accesso è stato annullato",
            "L’accesso non è arrivato alla chat",
            "Al momento non è possibile",
        ),
        "Non è stato creato qui oppure ne manca una parte.",
        "È già stato usato, ha più di dieci minuti oppure nella chat ce n’è uno più recente.",
        "L’accesso è iniziato in un altro browser, quindi qui non è stato fatto nulla.",
        "Il servizio di accesso non ha dato una risposta utilizzabile. Non è stato salvato nulla.",
        "L’accesso non è avvenuto e non è stato salvato nulla.",
        "In questo momento la chat non ha potuto riceverlo. Ricaricare questa pagina non serve.",
        "Attenda un momento, poi ricarichi questa pagina.",
        "Chieda un nuovo link nella chat.",
    ),
    "nl": (
        *(
            "Deze link leidt nergens naartoe",
            "Deze link is niet meer geldig",
            "Dit is een andere browser",
            "Het inloggen is mislukt",
            "Het inloggen is geannuleerd",
            "De aanmelding heeft de chat niet bereikt",
            "Op dit moment niet mogelijk",
        ),
        "Hij is niet hier gemaakt, of er ontbreekt een deel.",
        "Hij is al gebruikt, is ouder dan tien minuten, of er staat een nieuwere in de chat.",
        "Het inloggen is in een andere browser begonnen, daarom is hier niets gedaan.",
        "De inlogdienst gaf geen bruikbaar antwoord. Er is niets opgeslagen.",
        "U bent niet ingelogd en er is niets opgeslagen.",
        "De chat kon die op dit moment niet ontvangen. Deze pagina opnieuw laden helpt niet.",
        "Wacht even en laad deze pagina daarna opnieuw.",
        "Vraag in de chat om een nieuwe link.",
    ),
    "pt": (
        *(
            "Este link não leva a lugar nenhum",
            "Este link não é mais válido",
            "Este é outro navegador",
            "O login não funcionou",
            "O login foi cancelado",
            "O login não chegou ao chat",
            "Não é possível no momento",
        ),
        "Ele não foi criado aqui ou falta uma parte dele.",
        "Ele já foi usado, tem mais de dez minutos ou há um mais novo no chat.",
        "O login começou em outro navegador, por isso nada foi feito aqui.",
        "O serviço de login não deu uma resposta utilizável. Nada foi salvo.",
        "Você não fez login, e nada foi salvo.",
        "O chat não pôde recebê-lo neste momento. Recarregar esta página não ajuda.",
        "Aguarde um momento e recarregue esta página.",
        "Peça um novo link no chat.",
    ),
    "bg": (
        *(
            "Тази връзка не води никъде",
            "Тази връзка вече не важи",
            "Това е друг браузър",
            "Входът не беше успешен",
            "Входът беше отказан",
            "Входът не стигна до чата",
            "В момента не е възможно",
        ),
        "Тя не е създадена тук или липсва част от нея.",
        "Вече е използвана, по-стара е от десет минути или в чата има по-нова.",
        "Входът е започнат в друг браузър, затова тук не беше направено нищо.",
        "Услугата за вход не даде използваем отговор. Нищо не беше запазено.",
        "Не сте влезли и нищо не беше запазено.",
        "Чатът не можа да го приеме в момента. Презареждането на тази страница не помага.",
        "Моля, изчакайте малко и заредете страницата отново.",
        "Моля, поискайте нова връзка в чата.",
    ),
    "fi": (
        *(
            "Tämä linkki ei johda mihinkään",
            "Tämä linkki ei ole enää voimassa",
            "Tämä on eri selain",
            "Kirjautuminen ei onnistunut",
            "Kirjautuminen peruttiin",
            "Kirjautuminen ei päässyt perille",
            "Ei juuri nyt mahdollista",
        ),
        "Sitä ei ole tehty täällä, tai siitä puuttuu osa.",
        "Se on jo käytetty, se on yli kymmenen minuuttia vanha, tai keskustelussa on uudempi.",
        "Kirjautuminen aloitettiin eri selaimessa, joten täällä ei tehty mitään.",
        "Kirjautumispalvelu ei antanut käyttökelpoista vastausta. Mitään ei tallennettu.",
        "Et ole kirjautunut, eikä mitään tallennettu.",
        "Keskustelu ei voinut ottaa sitä vastaan juuri nyt. Tämän sivun lataaminen uudelleen ei auta.",
        "Odota hetki ja lataa sitten tämä sivu uudelleen.",
        "Pyydä uusi linkki keskustelussa.",
    ),
    "hr": (
        *(
            "Ova poveznica ne vodi nikamo",
            "Ova poveznica više ne vrijedi",
            "Ovo je drugi preglednik",
            "Prijava nije uspjela",
            "Prijava je otkazana",
            "Prijava nije stigla do razgovora",
            "Trenutačno nije moguće",
        ),
        "Nije izrađena ovdje ili joj nedostaje dio.",
        "Već je iskorištena, starija je od deset minuta ili u razgovoru postoji novija.",
        "Prijava je započeta u drugom pregledniku, pa ovdje ništa nije učinjeno.",
        "Usluga za prijavu nije dala upotrebljiv odgovor. Ništa nije spremljeno.",
        "Niste prijavljeni i ništa nije spremljeno.",
        "Razgovor je trenutačno nije mogao primiti. Ponovno učitavanje ove stranice ne pomaže.",
        "Pričekajte trenutak, a zatim ponovno učitajte ovu stranicu.",
        "Zatražite novu poveznicu u razgovoru.",
    ),
    "tr": (
        *(
            "Bu bağlantı hiçbir yere gitmiyor",
            "Bu bağlantı artık geçerli değil",
            "Bu başka bir tarayıcı",
            "Giriş yapılamadı",
            "Giriş iptal edildi",
            "Giriş sohbete ulaşmadı",
            "Şu anda mümkün değil",
        ),
        "Burada oluşturulmamış ya da bir bölümü eksik.",
        "Zaten kullanılmış, on dakikadan eski ya da sohbette daha yenisi var.",
        "Girişe başka bir tarayıcıda başlandı, bu yüzden burada hiçbir şey yapılmadı.",
        "Giriş hizmeti kullanılabilir bir yanıt vermedi. Hiçbir şey kaydedilmedi.",
        "Giriş yapmadınız ve hiçbir şey kaydedilmedi.",
        "Sohbet şu anda bu girişi alamadı. Bu sayfayı yeniden yüklemek işe yaramaz.",
        "Lütfen biraz bekleyip bu sayfayı yeniden yükleyin.",
        "Lütfen sohbette yeni bir bağlantı isteyin.",
    ),
    "zh": (
        *(
            "此链接无效",
            "此链接已失效",
            "这是另一个浏览器",
            "登录未成功",
            "登录已取消",
            "登录结果未送达聊天",
            "暂时无法进行",
        ),
        "它不是在此处生成的，或者缺少一部分。",
        "它已被使用、已超过十分钟，或者聊天中有更新的链接。",
        "登录是在另一个浏览器中开始的，因此这里没有进行任何操作。",
        "登录服务没有给出可用的答复。没有保存任何内容。",
        "您尚未登录，也没有保存任何内容。",
        "聊天暂时无法接收。重新加载此页面没有作用。",
        "请稍候片刻，然后重新加载此页面。",
        "请在聊天中索取新的链接。",
    ),
    "ar": (
        *(
            "هذا الرابط لا يؤدي إلى أي مكان",
            "لم يعد هذا الرابط صالحًا",
            "هذا متصفح آخر",
            "لم ينجح تسجيل الدخول",
            "أُلغي تسجيل الدخول",
            "لم يصل تسجيل الدخول إلى المحادثة",
            "غير ممكن في الوقت الحالي",
        ),
        "لم يُنشأ هنا، أو ينقصه جزء منه.",
        "سبق استخدامه، أو مضى عليه أكثر من عشر دقائق، أو يوجد رابط أحدث في المحادثة.",
        "بدأ تسجيل الدخول في متصفح آخر، ولذلك لم يُنفذ أي شيء هنا.",
        "لم تقدم خدمة تسجيل الدخول إجابة صالحة. لم يُحفظ أي شيء.",
        "لم يتم تسجيل الدخول، ولم يُحفظ أي شيء.",
        "لم تتمكن المحادثة من استقباله في الوقت الحالي. إعادة تحميل هذه الصفحة لا تفيد.",
        "يرجى الانتظار قليلًا ثم إعادة تحميل هذه الصفحة.",
        "يرجى طلب رابط جديد في المحادثة.",
    ),
    "th": (
        *(
            "ลิงก์นี้ไม่นำไปที่ใด",
            "ลิงก์นี้ใช้ไม่ได้แล้ว",
            "นี่เป็นเบราว์เซอร์อื่น",
            "เข้าสู่ระบบไม่สำเร็จ",
            "ยกเลิกการเข้าสู่ระบบแล้ว",
            "การเข้าสู่ระบบไปไม่ถึงแชท",
            "ขณะนี้ยังทำไม่ได้",
        ),
        "ลิงก์นี้ไม่ได้สร้างขึ้นที่นี่ หรือมีบางส่วนหายไป",
        "ลิงก์ถูกใช้ไปแล้ว เก่าเกินสิบนาที หรือมีลิงก์ใหม่กว่าในแชท",
        "การเข้าสู่ระบบเริ่มขึ้นในเบราว์เซอร์อื่น จึงไม่มีการดำเนินการใด ๆ ที่นี่",
        "บริการเข้าสู่ระบบไม่ได้ให้คำตอบที่ใช้ได้ ไม่มีการบันทึกข้อมูลใด ๆ",
        "คุณยังไม่ได้เข้าสู่ระบบ และไม่มีการบันทึกข้อมูลใด ๆ",
        "แชทไม่สามารถรับได้ในขณะนี้ การโหลดหน้านี้ใหม่ไม่ช่วยอะไร",
        "โปรดรอสักครู่แล้วโหลดหน้านี้อีกครั้ง",
        "โปรดขอลิงก์ใหม่ในแชท",
    ),
}


def _texts(row: tuple[str, ...]) -> dict[Reason, RefusalText]:
    order: tuple[Reason, ...] = ("unknown", "over", "browser", "failed", "cancelled", "lost", "busy")
    titles, texts, ask = row[: len(order)], row[len(order) : -1], row[-1]
    told = zip(order, titles, texts, strict=True)
    return {one: RefusalText(title, text, "" if one == "busy" else ask) for one, title, text in told}


_BY_LANGUAGE = {language: _texts(row) for language, row in _ROWS.items()}
