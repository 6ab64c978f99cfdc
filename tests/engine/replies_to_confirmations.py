"""Replies to "Shall I book that?", by language: those that mean yes, those that mean no, and all the others.

``{time}`` and the like are not needed: all talk about the same booking, an inspection of an Audi on Tuesday at 9:00 with the
phone number 555 1234.
"""

from __future__ import annotations

QUESTIONS = {
    "en": "Shall I book the inspection of your Audi on {{date}} at {{time}}?",
    "de": "Soll ich die Inspektion für Ihren Audi am {{date}} um {{time}} buchen?",
    "fr": "Dois-je réserver l’inspection de votre Audi le {{date}} à {{time}} ?",
    "es": "¿Reservo la revisión de su Audi el {{date}} a las {{time}}?",
    "it": "Prenoto la revisione della sua Audi il {{date}} alle {{time}}?",
    "nl": "Zal ik de inspectie van uw Audi op {{date}} om {{time}} boeken?",
    "pt": "Reservo a revisão do seu Audi em {{date}} às {{time}}?",
    "bg": "Да запазя ли прегледа на вашето Audi за {{date}} в {{time}}?",
    "sv": "Ska jag boka kontrollen av din Audi den {{date}} klockan {{time}}?",
}

YES = {
    "en": [
        "yes", "Yes", "YES!", "yes please", "yeah", "yep", "yup", "y", "sure", "sure thing", "of course", "ok", "okay", "ok thanks", "k",
        "alright", "fine", "that's fine", "correct", "that's right", "perfect", "great", "go ahead", "please do", "do it",
        "yes, book it", "yes book it please", "book it", "yes, go ahead and book it", "yes, that is correct", "sounds good",
        "yes, Tuesday at 9", "yes, the Audi", "yes yes", "yes I am sure", "yes do that", "absolutely", "definitely", "👍", "ok 👍",
        "oh yes", "hm, yes", "yes, thank you very much", "yes it is", "confirm", "I confirm", "yes, I want that",
    ],
    "de": [
        "ja", "Ja!", "ja bitte", "jo", "klar", "na klar", "ok", "okay", "gerne", "ja gerne", "stimmt", "passt", "das passt", "genau",
        "richtig", "ja, buchen", "ja, bitte buchen", "bitte buchen", "ja das ist richtig", "ja, am Dienstag um 9", "einverstanden",
        "ja mach das", "auf jeden fall", "in ordnung", "perfekt", "ja danke", "ja, den Audi", "selbstverständlich", "ja, genau so",
    ],
    "fr": [
        "oui", "Oui !", "oui merci", "oui s'il vous plaît", "ouais", "d'accord", "ok", "bien sûr", "parfait", "c'est bon", "c'est ça",
        "oui, réservez", "réservez", "oui c'est exact", "ça marche", "ça me va", "très bien", "oui, mardi à 9 h", "volontiers",
        "oui, allez-y", "je confirme", "oui, l'Audi", "exactement",
    ],
    "es": [
        "sí", "si", "Sí!", "sí por favor", "claro", "vale", "ok", "de acuerdo", "por supuesto", "perfecto", "correcto", "sí, reserve",
        "resérvelo", "sí, el martes a las 9", "está bien", "confirmo", "sí, gracias", "adelante", "sí sí",
    ],
    "it": [
        "sì", "si", "Sì!", "sì grazie", "sì per favore", "certo", "va bene", "ok", "d'accordo", "perfetto", "esatto", "sì, prenoti",
        "prenoti pure", "confermo", "sì, martedì alle 9", "giusto", "certamente",
    ],
    "nl": [
        "ja", "Ja!", "ja graag", "prima", "ok", "oké", "akkoord", "klopt", "dat klopt", "natuurlijk", "ja, boek maar", "ja boeken",
        "perfect", "ja, dinsdag om 9 uur", "is goed", "ja dank u", "zeker",
    ],
    "pt": [
        "sim", "Sim!", "sim por favor", "claro", "ok", "está bem", "com certeza", "perfeito", "certo", "sim, reserve", "pode ser",
        "confirmo", "sim, terça às 9", "isso mesmo", "sim obrigado",
    ],
    "bg": [
        "да", "Да!", "да моля", "добре", "ок", "разбира се", "точно така", "да, запазете", "съгласен съм", "става", "потвърждавам",
        "да, във вторник в 9", "да, благодаря",
    ],
    "sv": ["ja", "Ja!", "ja tack", "javisst", "okej", "ok", "självklart", "perfekt", "ja, boka", "det stämmer", "visst", "ja, på tisdag klockan 9"],
}  # fmt: skip

NO = {
    "en": [
        "no", "No!", "nope", "nah", "no thanks", "no thank you", "no way", "not now", "not yet", "don't", "please don't", "rather not",
        "no, forget about it", "no I don't want that", "absolutely not", "no, do not book it", "👎", "no, I need to think",
        "no no", "don't book it",
    ],
    "de": [
        "nein", "Nein!", "nee", "nö", "nein danke", "lieber nicht", "auf keinen fall", "noch nicht", "nein, bitte nicht buchen",
        "nein, ich überlege noch", "bitte nicht buchen", "nicht buchen",
    ],
    "fr": ["non", "Non !", "non merci", "nan", "surtout pas", "pas maintenant", "pas encore", "non, je vais réfléchir", "plutôt pas", "ne réservez pas"],
    "es": ["no", "No!", "no gracias", "todavía no", "ahora no", "no, mejor no", "claro que no", "no quiero", "no reserve"],
    "it": ["no", "No!", "no grazie", "non ancora", "assolutamente no", "no, ci penso", "meglio di no", "non prenotare"],
    "nl": ["nee", "Nee!", "nee bedankt", "nog niet", "liever niet", "zeker niet", "nee, ik denk er nog over na", "niet boeken"],
    "pt": ["não", "Não!", "não obrigado", "ainda não", "agora não", "de jeito nenhum", "não, vou pensar", "não reserve"],
    "bg": ["не", "Не!", "не благодаря", "още не", "по-добре не", "в никакъв случай", "не, ще помисля", "не запазвайте"],
    "sv": ["nej", "Nej!", "nej tack", "inte nu", "absolut inte", "helst inte", "nej, jag ska fundera", "boka inte"],
}  # fmt: skip

OTHER = {
    "en": [
        "yes but change the time", "yes, but at 10", "yes but not on Tuesday", "ok wait, I need to ask my wife first", "ok wait", "yes if it is free",
        "yes, after lunch", "maybe", "maybe yes", "yes maybe", "yes no", "no yes", "I guess so", "I think so", "probably", "not sure", "I'm not sure",
        "I don't know", "yes, only if you can fix it the same day", "ok, how much is it?", "yes?", "ok?", "what?", "why?", "sure, unless it rains",
        "yes and also wash it", "yes for my BMW", "yes tomorrow", "ok, in an hour", "yes on Friday", "sure, at 4pm", "almost", "right, but the phone is wrong",
        "yes, the phone number is wrong though", "change the time", "the time is wrong", "everything but the date", "everything is right except the time",
        "hold on", "let me think", "one moment", "can I change the car?", "I want to change the date", "not Tuesday", "any day but Tuesday",
        "yes, I have a question", "yes, call me first", "ok, talk to you later", "good question", "fine, whatever you say about the BMW", "yes later",
        "yes when my wife agrees", "yes until 5", "hmm", "asdf", "42", "yes with a replacement car", "is it free?", "yes, what does it cost?",
        "sure you can", "can you do Friday?", "could be", "yes I would like to cancel", "ok cancel it", "cancel it", "ok stop", "yes but no",
        "it depends", "what happens if I say yes?", "do you have other times?", "yesterday", "yes, twice", "ok google", "order it", "yes, delete it",
        "Wednesday works better", "10 o'clock", "change", "please wait", "a different time please", "yes, for two cars",
    ],
    "de": [
        "ja aber um 10", "ja, aber nicht am Dienstag", "ja vielleicht", "vielleicht", "ja, wenn es geht", "ok warte", "ja moment", "ja nein", "jein",
        "ich weiß nicht", "keine ahnung", "ja, aber die Telefonnummer ist falsch", "die Uhrzeit ist falsch", "Uhrzeit ändern", "alles außer dem Datum",
        "nicht am Dienstag", "ich glaube ja", "wahrscheinlich", "ja, später", "ja, am Freitag", "ja für meinen BMW", "ok, was kostet das?", "ja?", "wie bitte?",
        "muss erst meine Frau fragen", "ja, erst wenn ich anrufe", "stornieren", "ja, morgen", "ok, um 16 Uhr", "gut, aber ohne Öl", "ja sobald ich da bin",
        "hm", "ja und einen Ersatzwagen", "kommt darauf an", "warum?", "ja, außer am Dienstag", "passt nicht ganz", "eher um 10", "ja falls es nicht regnet",
    ],
    "fr": [
        "oui mais pas à 10h", "oui mais à 10 h", "oui, peut-être", "peut-être", "oui si c'est possible", "attendez", "ok attends", "je ne sais pas", "oui non",
        "l'heure est fausse", "changer l'heure", "tout sauf la date", "pas mardi", "oui, vendredi", "oui pour ma BMW", "oui, plus tard", "combien ça coûte ?",
        "oui ?", "je dois demander à ma femme", "oui, sauf s'il pleut", "bien sûr, mais pas mardi", "d'accord, et le prix ?", "je crois", "probablement",
        "oui demain", "oui, après le déjeuner", "annulez", "hein ?", "ça dépend", "oui et un lavage", "pas sûr", "le téléphone est faux",
    ],
    "es": [
        "sí pero a las 10", "sí, pero no el martes", "quizás", "tal vez sí", "espera", "vale, espera", "no sé", "sí no", "la hora está mal", "cambiar la hora",
        "todo menos la fecha", "sí, el viernes", "sí, para mi BMW", "sí, más tarde", "¿cuánto cuesta?", "¿sí?", "sí si no llueve", "creo que sí", "sí, mañana",
        "tengo que preguntar", "depende", "sí y lavarlo", "cancelar la cita", "sí, cuando llame", "el teléfono es incorrecto",
    ],
    "it": [
        "sì ma alle 10", "sì, ma non martedì", "forse", "sì forse", "aspetta", "ok aspetta un attimo", "non so", "sì no", "l'ora è sbagliata", "cambiare l'ora",
        "tutto tranne la data", "sì, venerdì", "sì, per la mia BMW", "sì, più tardi", "quanto costa?", "sì?", "sì se non piove", "credo di sì", "sì domani",
        "devo chiedere a mia moglie", "dipende", "sì e lavarla", "il telefono è sbagliato", "va bene ma senza olio",
    ],
    "nl": [
        "ja maar om 10 uur", "ja, maar niet op dinsdag", "misschien", "ja misschien", "wacht even", "ok wacht", "ik weet het niet", "ja nee",
        "de tijd is verkeerd", "tijd wijzigen", "alles behalve de datum", "ja, vrijdag", "ja, voor mijn BMW", "ja, later", "wat kost het?", "ja?",
        "ja als het niet regent", "ik denk het", "ja morgen", "moet ik eerst vragen", "hangt ervan af", "ja en wassen", "het telefoonnummer klopt niet",
    ],
    "pt": [
        "sim mas às 10", "sim, mas não na terça", "talvez", "sim talvez", "espera", "ok, espere", "não sei", "sim não", "a hora está errada", "mudar a hora",
        "tudo menos a data", "sim, sexta", "sim, para o meu BMW", "sim, mais tarde", "quanto custa?", "sim?", "sim se não chover", "acho que sim", "sim amanhã",
        "tenho que perguntar", "depende", "sim e lavar", "o telefone está errado",
    ],
    "bg": [
        "да, но в 10", "да, но не във вторник", "може би", "да, може би", "чакай", "добре, изчакайте", "не знам", "да не", "часът е грешен", "промени часа",
        "всичко освен датата", "да, в петък", "да, за моето BMW", "да, по-късно", "колко струва?", "да?", "да, ако не вали", "мисля, че да", "да, утре",
        "трябва да попитам", "зависи", "телефонът е грешен",
    ],
    "sv": [
        "ja men klockan 10", "ja, men inte på tisdag", "kanske", "ja kanske", "vänta", "ok vänta", "jag vet inte", "ja nej", "tiden är fel", "ändra tiden",
        "allt utom datumet", "ja, på fredag", "ja, för min BMW", "ja, senare", "vad kostar det?", "ja?", "ja om det inte regnar", "jag tror det",
        "ja i morgon", "måste fråga först", "det beror på", "telefonnumret är fel",
    ],
}  # fmt: skip
