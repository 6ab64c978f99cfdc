"""Replies to "Shall I book the table?" as people type them: with emoji, thanks, goodbyes, regrets and slips of the finger.

By language: those that mean yes, those that mean no, and those that are neither. Conditions, doubts, questions and other
wishes are neither, however many yeses stand beside them.
"""

from __future__ import annotations

QUESTIONS = {
    "en": "Shall I book the table for {{guests}} on {{date}} at {{time}}?",
    "de": "Soll ich den Tisch für {{guests}} am {{date}} um {{time}} buchen?",
    "fr": "Dois-je réserver la table pour {{guests}} le {{date}} à {{time}} ?",
    "es": "¿Reservo la mesa para {{guests}} el {{date}} a las {{time}}?",
    "it": "Prenoto il tavolo per {{guests}} il {{date}} alle {{time}}?",
    "nl": "Zal ik de tafel voor {{guests}} op {{date}} om {{time}} boeken?",
    "pt": "Reservo a mesa para {{guests}} em {{date}} às {{time}}?",
    "bg": "Да резервирам ли масата за {{guests}} на {{date}} в {{time}}?",
    "sv": "Ska jag boka bordet för {{guests}} den {{date}} klockan {{time}}?",
}

YES = {
    "en": [
        "yes 😊", "👍🏽 yes please", "yes!! 🎉🎉", "😀 sure", "ok 🙏", "yes please, thanks, bye!", "yes, thank you, goodbye", "yep cheers bye",
        "yes please, that would be wonderful", "that would be amazing", "yes that'd be really great thank you", "yess pls", "ys", "yes plesae", "yse please",
        "yes pleeease", "absolutley", "definately", "prefect", "okkk", "sure thing buddy, have a nice day", "sorry, yes", "ah sorry, yes please",
        "yes, book the table please", "booking it is fine", "go ahead and book it, thanks!", "book the table", "yes do book it", "please go ahead and book",
        "yes ❤️", "yes, see you then!", "yes, sounds wonderful", "yup, ta, bye", "yes please :)", "sure :-)", "yes xx",
    ],
    "de": [
        "ja 😊", "👍🏽 ja gerne", "ja!! 🎉", "🙂 gerne", "ok 🙏", "ja, danke, tschüss", "ja bitte, vielen dank und auf wiedersehen", "jo danke ciao", "ja bittte",
        "das wäre toll", "ja, das wäre sehr nett", "ja das wäre echt super, danke", "ja, sehr gerne, dankeschön", "jaaa bitte", "gerrne", "jaa gern", "ja dnake",
        "natürlcih", "buchen Sie ihn", "ja, buchen Sie ihn bitte", "buch ihn", "buche bitte", "ja buch den tisch", "bitte den tisch buchen", "können Sie buchen",
        "sorry, ja", "ja, entschuldigung", "ja ❤️", "ja, schönen tag noch", "super, dann bis bald", "ja gerne :)", "klar, danke dir", "perfekt, vielen lieben dank",
        "ja, reservieren Sie bitte", "einverstanden, liebe grüße", "sicherr",
    ],
    "fr": [
        "oui 😊", "👍🏽 oui avec plaisir", "oui !! 🎉", "😀 d'accord", "ok 🙏", "oui merci, au revoir", "oui s'il vous plaît, bonne journée", "oui merrci",
        "oui mercii", "ouii svp", "oui, ce serait parfait", "ce serait super, merci", "oui ça serait génial", "je veux bien merci", "oui volontiers, merci à vous",
        "oiu", "ouis", "parfiat", "daccord merci", "réservez-le", "réservez-la", "oui réservez-la", "réservez la table", "oui, réserve-la s'il te plaît",
        "vous pouvez la réserver", "désolé, oui", "pardon, oui", "oui ❤️", "oui, à bientôt", "super merci, à mardi", "oui :)", "bien sûr, bonne soirée",
        "oui, c'est très gentil, merci", "oui sivouplait", "volontier", "oui, faites la réservation",
    ],
    "es": [
        "sí 😊", "👍🏽 sí, gracias", "sí!! 🎉", "😀 vale", "ok 🙏", "sí, gracias, hasta luego", "sí por favor, adiós", "vale gracias, un saludo", "si porfavor",
        "si porfa", "sí, sería perfecto", "sería genial", "sí, me encantaría", "sí, estaría muy bien, gracias", "resérvala", "resérvela", "reserva", "reserva la mesa",
        "sí, resérvamela", "puedes reservarla", "puede reservar", "sí, haz la reserva", "sii grcias", "si grasias", "por favro", "perfcto", "perfecro",
        "perdón, sí", "lo siento, sí", "sí ❤️", "sí, nos vemos", "claro, muchas gracias, buen día", "sí :)", "sí, muy amable", "vale, hasta el martes", "calro que si",
    ],
    "it": [
        "sì 😊", "👍🏽 sì grazie", "sì!! 🎉", "😀 va bene", "ok 🙏", "sì grazie, arrivederci", "sì per favore, ciao", "va bene grazie, a presto", "sì per favore, sarebbe perfetto",
        "sarebbe fantastico", "sì, sarebbe bello, grazie", "sì, mi farebbe piacere", "prenotala", "prenotalo", "lo prenoti", "sì, prenotalo pure", "prenota il tavolo",
        "puoi prenotare", "può prenotare", "sì, prenotamelo", "si graize", "sì grazei", "perfavore sì", "perfeto", "va benne", "cetro", "ceerto",
        "scusi, sì", "mi scusi, sì grazie", "sì ❤️", "sì, a martedì", "certo, buona giornata", "sì :)", "sì, molto gentile", "volentieri, grazie mille", "esatto grazie, buona serata",
    ],
    "nl": [
        "ja 😊", "👍🏽 ja graag", "ja!! 🎉", "😀 prima", "ok 🙏", "ja bedankt, doei", "ja graag, tot ziens", "prima, dank je, fijne dag", "doe dat maar", "ja doe dat maar",
        "dat zou fijn zijn", "ja, dat zou geweldig zijn", "ja dat zou leuk zijn, dank u", "boek maar", "boek hem maar", "boek 'm", "ja, boek de tafel maar", "boekt u maar",
        "u mag hem boeken", "je kunt boeken", "ja grag", "jaa graagg", "ja bedant", "natuurlik", "prefect", "jaaa", "sorry, ja", "ja, excuus", "ja ❤️",
        "ja, tot dan", "top, fijne avond", "ja :)", "ja hoor, hartelijk bedankt", "graag, alvast bedankt", "akkoord, groetjes", "ja, reserveer maar",
    ],
    "pt": [
        "sim 😊", "👍🏽 sim, obrigado", "sim!! 🎉", "😀 pode ser", "ok 🙏", "sim obrigado, tchau", "sim por favor, até logo", "tá bom, obrigada, abraço", "pode ser sim",
        "sim, seria ótimo", "seria perfeito, obrigada", "sim, adoraria", "sim, gostaria muito", "pode reservar", "reserva", "reserva a mesa", "reserve-a", "pode reservar a mesa sim",
        "sim, faça a reserva", "sim, pode marcar por favor", "sim orbigado", "simm porfavor", "sim obrigdo", "perfieto", "craro", "claor", "desculpa, sim",
        "desculpe, sim por favor", "sim ❤️", "sim, até terça", "claro, bom dia", "sim :)", "sim, muito gentil", "com certeza, valeu", "isso, muito obrigado", "ok, boa tarde",
    ],
    "bg": [
        "да 😊", "👍🏽 да, моля", "да!! 🎉", "ок 🙏", "да, благодаря, довиждане", "да моля, чао", "да, би било чудесно", "резервирайте я", "резервирай я", "да, резервирайте",
        "да, моля, приятен ден", "извинете, да", "дааа", "блгодаря, да",
    ],
    "sv": [
        "ja 😊", "👍🏽 ja tack", "ja!! 🎉", "ok 🙏", "ja tack, hej då", "ja tack, ha en bra dag", "ja, det vore toppen", "det vore jättebra", "boka det", "ja, boka bordet", "ja tcak",
        "förlåt, ja", "jaaa", "ja gärna, vi ses",
    ],
}  # fmt: skip

NO = {
    "en": [
        "no 😞", "👎", "👎🏼 no thanks", "❌", "no 🙏", "sorry, no", "sorry no thanks", "unfortunately no", "unfortunately not", "I'm afraid not", "I'm sorry, no",
        "no thank you, bye", "no, goodbye", "no thansk", "noo thnks", "nope, sorry, have a nice day", "no, it's too expensive for me, thanks", "no, we are not coming",
        "don't book the table", "please don't book", "sorry, don't book it", "no, thanks anyway", "no thanks, maybe another time", "thanks but no thanks", "thanks, but no",
        "no :(",
    ],
    "de": [
        "nein 😞", "👎", "👎🏼 nein danke", "❌", "leider nein", "leider nicht", "sorry, nein", "tut mir leid, nein", "entschuldigung, nein", "nein, tut mir leid",
        "nein danke, tschüss", "nein, auf wiedersehen", "nein dnake", "nien", "neiin", "nein, das ist uns zu teuer, danke", "nein, wir kommen doch nicht", "den tisch nicht buchen",
        "buchen Sie nicht", "buch ihn nicht", "bitte nicht reservieren", "nein, trotzdem danke", "danke, nein", "leider nein, danke", "nein :(", "nö sorry",
    ],
    "fr": [
        "non 😞", "👎", "👎🏼 non merci", "❌", "désolé, non", "desolé non", "désolée mais non", "malheureusement non", "malheureusement pas", "hélas non", "pardon, non",
        "non merci, au revoir", "non, bonne journée", "non merrci", "nno merci", "non, c'est trop cher pour nous, merci", "non, nous ne venons plus", "ne réservez pas la table",
        "ne la réservez pas", "ne réserve pas", "non, merci quand même", "merci, mais non", "merci non", "non désolé", "non :(", "je suis désolé, non",
    ],
    "es": [
        "no 😞", "👎", "👎🏼 no gracias", "❌", "lo siento, no", "lo siento pero no", "perdón, no", "desgraciadamente no", "lamentablemente no", "por desgracia no", "disculpe, no",
        "no gracias, adiós", "no, hasta luego", "no grcias", "no graicas", "no, es muy caro para nosotros, gracias", "no, no vamos a ir", "no reserves la mesa",
        "no la reserves", "no la reserve", "no, gracias de todas formas", "gracias, pero no", "gracias, no", "no, lo siento", "no :(", "me temo que no",
    ],
    "it": [
        "no 😞", "👎", "👎🏼 no grazie", "❌", "purtroppo no", "mi dispiace, no", "mi spiace no", "scusi, no", "scusa ma no", "spiacente, no", "temo di no",
        "no grazie, arrivederci", "no, buona giornata", "no graize", "no gazie", "no, è troppo caro per noi, grazie", "no, non veniamo più", "non prenotare il tavolo",
        "non prenotarlo", "non lo prenoti", "no, grazie lo stesso", "grazie, ma no", "grazie no", "no, mi dispiace", "no :(", "no purtroppo",
    ],
    "nl": [
        "nee 😞", "👎", "👎🏼 nee bedankt", "❌", "helaas niet", "helaas nee", "sorry, nee", "het spijt me, nee", "jammer genoeg niet", "excuses, nee", "nee sorry",
        "nee bedankt, doei", "nee, tot ziens", "nee bedant", "neee", "nee, dat is ons te duur, bedankt", "nee, we komen toch niet", "boek niet", "boek de tafel niet",
        "boek hem niet", "niet reserveren", "nee, toch bedankt", "bedankt, maar nee", "dank je, nee", "nee :(", "nee helaas",
    ],
    "pt": [
        "não 😞", "👎", "👎🏼 não obrigado", "❌", "infelizmente não", "desculpe, não", "desculpa, não", "sinto muito, não", "lamento, não", "lamentavelmente não", "perdão, não",
        "não obrigado, tchau", "não, até logo", "não orbigado", "nao obrigdo", "não, é muito caro para nós, obrigado", "não, já não vamos", "não reserve a mesa",
        "não a reserve", "não reserva", "não, obrigado mesmo assim", "obrigado, mas não", "obrigada, não", "não, desculpe", "não :(", "acho que não, obrigado",
    ],
    "bg": [
        "не 😞", "👎", "👎🏼 не, благодаря", "за съжаление не", "съжалявам, не", "извинете, не", "не благодаря, довиждане", "не, чао", "не я резервирайте", "не резервирай",
        "благодаря, но не", "не, скъпо ни е",
    ],
    "sv": [
        "nej 😞", "👎", "👎🏼 nej tack", "tyvärr inte", "tyvärr nej", "förlåt, nej", "nej tack, hej då", "nej tcak", "boka inte bordet", "boka det inte", "tack men nej", "nej, ledsen",
    ],
}  # fmt: skip

OTHER = {
    "en": [
        "yes 🤔", "🤔", "🤷", "yes? 😕", "yes but not there 😊", "yes please, if there's a window seat", "that would be great if you had a terrace", "that would be great but not at that time",
        "no idea 😅", "maybe yes 🙂", "yes, well, maybe", "no problem 👍 but later", "thanks, but can it be earlier?", "bye", "thanks", "thank you, goodbye", "sorry", "I'm sorry",
        "sorry, what?", "sorry, I meant Friday", "sorry, can you repeat that", "you have yet to say yes", "he said yes", "say yes if you can hear me", "I never said yes",
        "did you book it already?", "who booked the table?", "book another table", "book it only if it's outside", "rebook it", "unbook it", "booking for whom?", "have you booked a table",
        "👍👎", "yes 👎", "no 👍", "it would be perfect for my mother", "yes I would, were it not so late", "as if", "yeah sure, whatever", "yes and bring flowers 💐",
        "would be nicer at noon", "yesterday 😊", "eyes", "see you", "could you book a taxi too", "yes for six",
    ],
    "de": [
        "ja 🤔", "🤔", "🤷", "ja? 😕", "ja aber nicht da 😊", "ja bitte, falls es einen Fensterplatz gibt", "das wäre toll, wenn es draußen wäre", "das wäre toll, aber nicht um die Zeit",
        "keine ahnung 😅", "vielleicht ja 🙂", "ja, na ja, mal sehen", "danke, aber geht es auch früher?", "tschüss", "danke", "vielen dank, auf wiedersehen", "sorry", "tut mir leid",
        "entschuldigung, was?", "sorry, ich meinte Freitag", "entschuldigung, können Sie das wiederholen", "er hat ja gesagt", "ich habe nie ja gesagt", "das ist ja teuer", "ja ist denn schon Weihnachten",
        "haben Sie ihn schon gebucht?", "wer hat gebucht?", "buchen Sie einen anderen Tisch", "buchen Sie nur draußen", "umbuchen", "buchen Sie ihn um", "wann buchen Sie", "haben Sie gebucht",
        "👍👎", "ja 👎", "nein 👍", "das wäre schade", "das wäre zu früh", "ja klar, von wegen", "ja und Blumen dazu 💐", "wäre mittags besser", "bis bald", "gern geschehen",
        "können Sie auch ein Taxi buchen", "ja für sechs", "leider weiß ich es nicht", "leider",
    ],
    "fr": [
        "oui 🤔", "🤔", "🤷", "oui ? 😕", "oui mais pas là 😊", "oui s'il y a une terrasse", "ce serait parfait si c'était dehors", "ce serait super mais pas à cette heure",
        "aucune idée 😅", "peut-être oui 🙂", "oui, enfin, à voir", "merci, mais plus tôt c'est possible ?", "au revoir", "merci", "merci, au revoir", "désolé", "pardon",
        "pardon, quoi ?", "désolé, je voulais dire vendredi", "pardon, vous pouvez répéter", "il a dit oui", "je n'ai jamais dit oui", "dites oui si vous m'entendez", "et si oui",
        "vous l'avez déjà réservée ?", "qui a réservé ?", "réservez une autre table", "réservez-la seulement en terrasse", "avez-vous réservé", "réservez-la ailleurs", "quand réservez-vous",
        "👍👎", "oui 👎", "non 👍", "ce serait dommage", "ce serait trop tôt", "mais bien sûr, et puis quoi encore", "oui et des fleurs 💐", "ce serait mieux à midi", "à bientôt", "de rien",
        "pouvez-vous réserver un taxi aussi", "oui pour six", "malheureusement je ne sais pas", "hélas", "ouïe",
    ],
    "es": [
        "sí 🤔", "🤔", "🤷", "¿sí? 😕", "sí pero ahí no 😊", "sí, si hay terraza", "sería perfecto si fuera fuera", "sería genial pero no a esa hora", "ni idea 😅", "quizás sí 🙂",
        "sí, bueno, ya veré", "gracias, pero ¿puede ser antes?", "adiós", "gracias", "gracias, hasta luego", "perdón", "lo siento", "perdón, ¿qué?", "perdón, quería decir el viernes",
        "disculpe, ¿puede repetir?", "ella dijo que sí", "nunca dije que sí", "di que sí si me oyes", "si no hay problema con el perro", "¿ya la reservaste?", "¿quién reservó?", "reserva otra mesa",
        "resérvala solo si es fuera", "¿ha reservado?", "resérvala en otro sitio", "cuándo reservas", "👍👎", "sí 👎", "no 👍", "sería una pena", "sería demasiado pronto", "sí claro, y qué más",
        "sí y flores 💐", "sería mejor al mediodía", "hasta pronto", "de nada", "¿puede reservar un taxi también?", "sí para seis", "lamentablemente no lo sé", "por desgracia", "si la reservas",
    ],
    "it": [
        "sì 🤔", "🤔", "🤷", "sì? 😕", "sì ma non lì 😊", "sì, se c'è la terrazza", "sarebbe perfetto se fosse fuori", "sarebbe bello ma non a quell'ora", "nessuna idea 😅", "forse sì 🙂",
        "sì, insomma, vedremo", "grazie, ma si può prima?", "arrivederci", "grazie", "grazie, ciao", "scusi", "mi dispiace", "scusi, cosa?", "scusi, volevo dire venerdì", "scusi, può ripetere",
        "ha detto di sì", "non ho mai detto sì", "di' sì se mi senti", "se sì quando", "l'hai già prenotato?", "chi ha prenotato?", "prenota un altro tavolo", "prenotalo solo se è fuori",
        "ha prenotato?", "prenotalo altrove", "quando prenoti", "👍👎", "sì 👎", "no 👍", "sarebbe un peccato", "sarebbe troppo presto", "sì certo, come no, figuriamoci", "sì e dei fiori 💐",
        "sarebbe meglio a mezzogiorno", "a presto", "prego", "può prenotare anche un taxi", "sì per sei", "purtroppo non lo so", "purtroppo", "si prenota online",
    ],
    "nl": [
        "ja 🤔", "🤔", "🤷", "ja? 😕", "ja maar niet daar 😊", "ja, als er een terras is", "dat zou fijn zijn als het buiten was", "dat zou leuk zijn maar niet op die tijd", "geen idee 😅",
        "misschien ja 🙂", "ja, nou, we zullen zien", "bedankt, maar kan het eerder?", "doei", "bedankt", "bedankt, tot ziens", "sorry", "het spijt me", "sorry, wat?", "sorry, ik bedoelde vrijdag",
        "sorry, kunt u dat herhalen", "zij zei ja", "ik heb nooit ja gezegd", "zeg ja als je me hoort", "dat is ja duur", "heb je hem al geboekt?", "wie heeft geboekt?", "boek een andere tafel",
        "boek hem alleen buiten", "heeft u geboekt", "boek hem elders", "wanneer boek je", "👍👎", "ja 👎", "nee 👍", "dat zou jammer zijn", "dat zou te vroeg zijn", "ja hoor, dat zal wel",
        "ja en bloemen 💐", "dat zou beter 's middags zijn", "tot snel", "graag gedaan", "kunt u ook een taxi boeken", "ja voor zes", "helaas weet ik het niet", "helaas", "omboeken",
    ],
    "pt": [
        "sim 🤔", "🤔", "🤷", "sim? 😕", "sim mas aí não 😊", "sim, se tiver varanda", "seria perfeito se fosse fora", "seria ótimo mas não a essa hora", "nem ideia 😅", "talvez sim 🙂",
        "sim, bem, logo se vê", "obrigado, mas pode ser mais cedo?", "tchau", "obrigado", "obrigada, até logo", "desculpe", "sinto muito", "desculpe, o quê?", "desculpe, queria dizer sexta",
        "desculpe, pode repetir", "ela disse que sim", "nunca disse que sim", "diga sim se me ouve", "se sim quando", "já reservou?", "quem reservou?", "reserve outra mesa",
        "reserve só se for fora", "você reservou", "reserve noutro lugar", "quando reserva", "👍👎", "sim 👎", "não 👍", "seria uma pena", "seria cedo demais", "sim claro, só que não",
        "sim e flores 💐", "seria melhor ao meio-dia", "até breve", "de nada", "pode reservar um táxi também", "sim para seis", "infelizmente não sei", "infelizmente", "não sei se sim",
    ],
    "bg": [
        "да 🤔", "🤔", "🤷", "да? 😕", "да, ама не там 😊", "да, ако има тераса", "би било чудесно, ако е навън", "може би да 🙂", "довиждане", "благодаря", "съжалявам", "извинете",
        "извинете, какво?", "тя каза да", "резервирайте друга маса", "резервирайте я само навън", "👍👎", "да 👎", "не 👍", "би било жалко", "за съжаление не знам", "за съжаление",
    ],
    "sv": [
        "ja 🤔", "🤔", "🤷", "ja? 😕", "ja men inte där 😊", "ja, om det finns uteplats", "det vore toppen om det var ute", "kanske ja 🙂", "hej då", "tack", "förlåt", "ursäkta, vad?",
        "hon sa ja", "boka ett annat bord", "boka det bara ute", "👍👎", "ja 👎", "nej 👍", "det vore synd", "tyvärr vet jag inte", "tyvärr", "ja för sex",
    ],
}  # fmt: skip
