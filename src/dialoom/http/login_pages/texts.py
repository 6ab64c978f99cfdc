"""What the pages of account linking say, in every language that the service speaks: those on which all is well.

The bot's language is spoken, as in the chat; refusals have their words in ``refusals``.
"""

from __future__ import annotations

import msgspec

from dialoom.flow.texts import language_of_texts


class PageTexts(msgspec.Struct, frozen=True):
    """The texts of one language, in the order of the rows."""

    wait_title: str
    go_on: str
    confirm_title: str
    confirm_bot: str
    confirm_channel: str
    confirm_name: str
    confirm_yes: str
    leave_title: str
    done_title: str
    again_title: str
    back: str
    code_title: str
    wait_text: str
    wait_code: str
    confirm_text: str
    confirm_no: str
    leave_text: str
    done_text: str
    code_text: str


def page_texts(language: str) -> PageTexts:
    """Those of a BCP 47 tag, found as ``flow.texts`` finds its own."""
    return _BY_LANGUAGE[language_of_texts(language)]


# One row a language: titles and labels first, then the sentences. Users are addressed formally where a language does
# so.
# No sentence names the bot, whose name stands above it: grammar would bend it.
_ROWS: dict[str, tuple[str, ...]] = {
    "en": (
        *(
            "One moment",
            "Go on",
            "Is this your chat?",
            "Bot",
            "Channel",
            "User",
            "Yes, log in",
            "Off to the login",
            "Login successful!",
            "You are logged in already",
            "Back to the chat",
            "Your code",
        ),
        "We are making sure that this login belongs to your chat.",
        "You can also go on without waiting. Then you get a code at the end, which you type into the chat.",
        (
            "Go on only if you asked for this login yourself, in this chat. Otherwise whoever sent you the link "
            "could act in your name."
        ),
        "If it is not your chat, just close this page. Nothing has happened.",
        "If the login page does not open by itself, go on here.",
        "You can now close this tab and continue your conversation.",
        "Type this code into the chat to complete the login. Do not give it to anybody.",
    ),
    "de": (
        *(
            "Einen Moment",
            "Weiter",
            "Ist das Ihr Chat?",
            "Bot",
            "Kanal",
            "Name",
            "Ja, anmelden",
            "Weiter zur Anmeldung",
            "Anmeldung erfolgreich!",
            "Sie sind bereits angemeldet",
            "Zurück zum Chat",
            "Ihr Code",
        ),
        "Wir prüfen, ob diese Anmeldung zu Ihrem Chat gehört.",
        (
            "Sie können auch weitergehen, ohne zu warten. Dann erhalten Sie am Ende einen Code, den Sie in den "
            "Chat eingeben."
        ),
        (
            "Gehen Sie nur weiter, wenn Sie diese Anmeldung selbst in diesem Chat angefordert haben. Sonst könnte "
            "in Ihrem Namen handeln, wer Ihnen den Link geschickt hat."
        ),
        "Wenn es nicht Ihr Chat ist, schließen Sie diese Seite einfach. Es ist nichts geschehen.",
        "Wenn sich die Anmeldeseite nicht von selbst öffnet, geht es hier weiter.",
        "Sie können diesen Tab jetzt schließen und Ihre Unterhaltung fortsetzen.",
        "Geben Sie diesen Code in den Chat ein, um die Anmeldung abzuschließen. Geben Sie ihn an niemanden weiter.",
    ),
    "fr": (
        *(
            "Un instant",
            "Continuer",
            "Est-ce votre conversation\u00a0?",
            "Bot",
            "Canal",
            "Nom",
            "Oui, me connecter",
            "Vers la connexion",
            "Connexion réussie\u00a0!",
            "Vous êtes déjà connecté",
            "Retour à la conversation",
            "Votre code",
        ),
        "Nous vérifions que cette connexion appartient bien à votre conversation.",
        (
            "Vous pouvez aussi continuer sans attendre. Vous recevrez alors à la fin un code à saisir dans la "
            "conversation."
        ),
        (
            "Ne continuez que si vous avez demandé cette connexion vous-même, dans cette conversation. Sinon, la "
            "personne qui vous a envoyé le lien pourrait agir en votre nom."
        ),
        "Si ce n’est pas votre conversation, fermez simplement cette page. Rien ne s’est passé.",
        "Si la page de connexion ne s’ouvre pas d’elle-même, continuez ici.",
        "Vous pouvez maintenant fermer cet onglet et poursuivre votre conversation.",
        "Saisissez ce code dans la conversation pour terminer la connexion. Ne le communiquez à personne.",
    ),
    "es": (
        *(
            "Un momento",
            "Continuar",
            "¿Es este su chat?",
            "Bot",
            "Canal",
            "Nombre",
            "Sí, iniciar sesión",
            "Vamos al inicio de sesión",
            "¡Sesión iniciada!",
            "Ya ha iniciado sesión",
            "Volver al chat",
            "Su código",
        ),
        "Estamos comprobando que este inicio de sesión pertenece a su chat.",
        "También puede continuar sin esperar. En ese caso recibirá al final un código que deberá escribir en el chat.",
        (
            "Continúe solo si usted ha pedido este inicio de sesión en este chat. De lo contrario, quien le envió "
            "el enlace podría actuar en su nombre."
        ),
        "Si no es su chat, cierre esta página. No ha pasado nada.",
        "Si la página de inicio de sesión no se abre sola, continúe aquí.",
        "Ya puede cerrar esta pestaña y continuar su conversación.",
        "Escriba este código en el chat para completar el inicio de sesión. No se lo dé a nadie.",
    ),
    "it": (
        *(
            "Un momento",
            "Continua",
            "È questa la Sua chat?",
            "Bot",
            "Canale",
            "Nome",
            "Sì, accedi",
            "Verso l’accesso",
            "Accesso riuscito!",
            "Accesso già effettuato",
            "Torna alla chat",
            "Il Suo codice",
        ),
        "Stiamo verificando che questo accesso appartenga alla Sua chat.",
        "Può anche continuare senza attendere. In tal caso riceverà alla fine un codice da scrivere nella chat.",
        (
            "Continui solo se ha chiesto Lei stesso questo accesso, in questa chat. Altrimenti chi Le ha inviato "
            "il link potrebbe agire a Suo nome."
        ),
        "Se non è la Sua chat, chiuda semplicemente questa pagina. Non è successo nulla.",
        "Se la pagina di accesso non si apre da sola, continui qui.",
        "Ora può chiudere questa scheda e continuare la conversazione.",
        "Scriva questo codice nella chat per completare l’accesso. Non lo comunichi a nessuno.",
    ),
    "nl": (
        *(
            "Een ogenblik",
            "Verder",
            "Is dit uw chat?",
            "Bot",
            "Kanaal",
            "Naam",
            "Ja, inloggen",
            "Naar de inlogpagina",
            "Inloggen gelukt!",
            "U bent al ingelogd",
            "Terug naar de chat",
            "Uw code",
        ),
        "We controleren of deze login bij uw chat hoort.",
        "U kunt ook verdergaan zonder te wachten. Dan krijgt u aan het einde een code die u in de chat typt.",
        (
            "Ga alleen verder als u zelf in deze chat om deze login hebt gevraagd. Anders kan degene die u de link "
            "stuurde namens u handelen."
        ),
        "Als het niet uw chat is, sluit dan gewoon deze pagina. Er is niets gebeurd.",
        "Als de inlogpagina niet vanzelf opent, gaat u hier verder.",
        "U kunt dit tabblad nu sluiten en uw gesprek voortzetten.",
        "Typ deze code in de chat om het inloggen te voltooien. Geef hem aan niemand door.",
    ),
    "pt": (
        *(
            "Um momento",
            "Continuar",
            "Este é o seu chat?",
            "Bot",
            "Canal",
            "Nome",
            "Sim, fazer login",
            "Indo para o login",
            "Login concluído!",
            "Você já fez login",
            "Voltar ao chat",
            "Seu código",
        ),
        "Estamos verificando se este login pertence ao seu chat.",
        "Você também pode continuar sem esperar. Nesse caso, receberá no final um código para digitar no chat.",
        (
            "Continue somente se você mesmo pediu este login, neste chat. Caso contrário, quem lhe enviou o link "
            "poderia agir em seu nome."
        ),
        "Se não for o seu chat, basta fechar esta página. Nada aconteceu.",
        "Se a página de login não abrir sozinha, continue aqui.",
        "Agora você pode fechar esta aba e continuar a conversa.",
        "Digite este código no chat para concluir o login. Não o passe a ninguém.",
    ),
    "bg": (
        *(
            "Един момент",
            "Продължаване",
            "Това вашият чат ли е?",
            "Бот",
            "Канал",
            "Име",
            "Да, вход",
            "Към входа",
            "Успешен вход!",
            "Вече сте влезли",
            "Обратно в чата",
            "Вашият код",
        ),
        "Проверяваме дали този вход принадлежи на вашия чат.",
        "Можете да продължите и без да чакате. Тогава накрая ще получите код, който да напишете в чата.",
        (
            "Продължете само ако сами сте поискали този вход в този чат. Иначе изпратилият ви връзката би могъл да "
            "действа от ваше име."
        ),
        "Ако това не е вашият чат, просто затворете страницата. Нищо не се е случило.",
        "Ако страницата за вход не се отвори сама, продължете оттук.",
        "Вече можете да затворите този раздел и да продължите разговора.",
        "Напишете този код в чата, за да завършите входа. Не го давайте на никого.",
    ),
    "fi": (
        *(
            "Hetkinen",
            "Jatka",
            "Onko tämä sinun keskustelusi?",
            "Botti",
            "Kanava",
            "Nimi",
            "Kyllä, kirjaudu",
            "Siirrytään kirjautumaan",
            "Kirjautuminen onnistui!",
            "Olet jo kirjautunut",
            "Takaisin keskusteluun",
            "Koodisi",
        ),
        "Varmistamme, että tämä kirjautuminen kuuluu keskusteluusi.",
        "Voit myös jatkaa odottamatta. Silloin saat lopuksi koodin, jonka kirjoitat keskusteluun.",
        (
            "Jatka vain, jos pyysit tätä kirjautumista itse tässä keskustelussa. Muuten linkin lähettäjä voisi "
            "toimia sinun nimissäsi."
        ),
        "Jos tämä ei ole sinun keskustelusi, sulje vain tämä sivu. Mitään ei ole tapahtunut.",
        "Jos kirjautumissivu ei avaudu itsestään, jatka tästä.",
        "Voit nyt sulkea tämän välilehden ja jatkaa keskustelua.",
        "Viimeistele kirjautuminen kirjoittamalla tämä koodi keskusteluun. Älä anna sitä kenellekään.",
    ),
    "hr": (
        *(
            "Trenutak",
            "Nastavi",
            "Je li ovo vaš razgovor?",
            "Bot",
            "Kanal",
            "Ime",
            "Da, prijavi me",
            "Prelazak na prijavu",
            "Prijava je uspjela!",
            "Već ste prijavljeni",
            "Natrag na razgovor",
            "Vaš kôd",
        ),
        "Provjeravamo pripada li ova prijava vašem razgovoru.",
        "Možete nastaviti i bez čekanja. Tada ćete na kraju dobiti kôd koji upisujete u razgovor.",
        (
            "Nastavite samo ako ste sami zatražili ovu prijavu u ovom razgovoru. Inače bi onaj tko vam je poslao "
            "poveznicu mogao djelovati u vaše ime."
        ),
        "Ako ovo nije vaš razgovor, samo zatvorite ovu stranicu. Ništa se nije dogodilo.",
        "Ako se stranica za prijavu ne otvori sama, nastavite ovdje.",
        "Sada možete zatvoriti ovu karticu i nastaviti razgovor.",
        "Upišite ovaj kôd u razgovor da biste dovršili prijavu. Nemojte ga nikome davati.",
    ),
    "tr": (
        *(
            "Bir dakika",
            "Devam et",
            "Bu sizin sohbetiniz mi?",
            "Bot",
            "Kanal",
            "Ad",
            "Evet, giriş yap",
            "Girişe geçiliyor",
            "Giriş başarılı!",
            "Zaten giriş yaptınız",
            "Sohbete dön",
            "Kodunuz",
        ),
        "Bu girişin sizin sohbetinize ait olduğunu doğruluyoruz.",
        "Beklemeden de devam edebilirsiniz. O zaman sonunda sohbete yazacağınız bir kod alırsınız.",
        (
            "Yalnızca bu girişi bu sohbette kendiniz istediyseniz devam edin. Aksi hâlde bağlantıyı size gönderen "
            "kişi sizin adınıza işlem yapabilir."
        ),
        "Bu sizin sohbetiniz değilse bu sayfayı kapatmanız yeterli. Hiçbir şey olmadı.",
        "Giriş sayfası kendiliğinden açılmazsa buradan devam edin.",
        "Artık bu sekmeyi kapatıp konuşmanıza devam edebilirsiniz.",
        "Girişi tamamlamak için bu kodu sohbete yazın. Kodu kimseye vermeyin.",
    ),
    "zh": (
        *(
            "请稍候",
            "继续",
            "这是您的聊天吗？",
            "机器人",
            "渠道",
            "姓名",
            "是，登录",
            "正在前往登录页面",
            "登录成功！",
            "您已登录",
            "返回聊天",
            "您的验证码",
        ),
        "我们正在确认此次登录属于您的聊天。",
        "您也可以不等待，直接继续。这样最后会得到一个验证码，请将其输入聊天中。",
        "仅当您本人在此聊天中请求了此次登录时才继续。否则，向您发送链接的人可能会以您的名义行事。",
        "如果这不是您的聊天，直接关闭此页面即可，没有发生任何事情。",
        "如果登录页面没有自动打开，请点击此处继续。",
        "您现在可以关闭此标签页，继续对话。",
        "请在聊天中输入此验证码以完成登录。请勿将其告诉任何人。",
    ),
    "ar": (
        *(
            "لحظة من فضلك",
            "متابعة",
            "هل هذه محادثتك؟",
            "الروبوت",
            "القناة",
            "الاسم",
            "نعم، تسجيل الدخول",
            "الانتقال إلى تسجيل الدخول",
            "تم تسجيل الدخول بنجاح!",
            "لقد سجلت الدخول بالفعل",
            "العودة إلى المحادثة",
            "رمزك",
        ),
        "نتأكد من أن تسجيل الدخول هذا يخص محادثتك.",
        "يمكنك أيضًا المتابعة دون انتظار، وعندها يظهر في النهاية رمز لكتابته في المحادثة.",
        "لا تتابع إلا إذا طلبت تسجيل الدخول هذا بنفسك في هذه المحادثة، وإلا فقد يتصرف مرسل الرابط باسمك.",
        "إن لم تكن هذه محادثتك، فيكفي إغلاق هذه الصفحة. لم يحدث أي شيء.",
        "إذا لم تُفتح صفحة تسجيل الدخول تلقائيًا، فتابع من هنا.",
        "يمكنك الآن إغلاق علامة التبويب هذه ومتابعة محادثتك.",
        "اكتب هذا الرمز في المحادثة لإتمام تسجيل الدخول، ولا تعطه لأي شخص.",
    ),
    "th": (
        *(
            "โปรดรอสักครู่",
            "ดำเนินการต่อ",
            "นี่คือแชทของคุณใช่หรือไม่",
            "บอท",
            "ช่องทาง",
            "ชื่อ",
            "ใช่ เข้าสู่ระบบ",
            "กำลังไปยังหน้าเข้าสู่ระบบ",
            "เข้าสู่ระบบสำเร็จ!",
            "คุณเข้าสู่ระบบแล้ว",
            "กลับไปที่แชท",
            "รหัสของคุณ",
        ),
        "เรากำลังตรวจสอบว่าการเข้าสู่ระบบนี้เป็นของแชทของคุณ",
        "คุณดำเนินการต่อโดยไม่ต้องรอก็ได้ แล้วจะได้รับรหัสในตอนท้ายเพื่อพิมพ์ลงในแชท",
        ("ดำเนินการต่อเฉพาะเมื่อคุณขอเข้าสู่ระบบนี้ในแชทนี้ด้วยตนเอง มิฉะนั้นผู้ที่ส่งลิงก์ให้คุณอาจกระทำการในนามของคุณได้"),
        "หากไม่ใช่แชทของคุณ ให้ปิดหน้านี้ ยังไม่มีอะไรเกิดขึ้น",
        "หากหน้าเข้าสู่ระบบไม่เปิดขึ้นเอง ให้ดำเนินการต่อที่นี่",
        "ตอนนี้คุณปิดแท็บนี้แล้วสนทนาต่อได้",
        "พิมพ์รหัสนี้ลงในแชทเพื่อเข้าสู่ระบบให้เสร็จสมบูรณ์ อย่าให้รหัสนี้แก่ใคร",
    ),
}
_BY_LANGUAGE = {language: PageTexts(*row) for language, row in _ROWS.items()}
