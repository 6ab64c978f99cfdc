"""Words that beside a value only say that it is meant, and mostly instead of another: "no wait", "I meant", "make it".

A sentence of such words and values is no wish of its own: "no, 4 pm" is not the "no" that some bot is trained to take
as giving up. Read by the engine.
"""

from __future__ import annotations

from functools import cache

from dialoom.understanding.normalise import words_of

_WORDS = {
    "en": (
        "no nope nah not wait hold on sorry oops pardon actually i mean meant make it that rather instead "
        "better prefer please pls then ok okay oh ah hmm hm um uh well but yes yeah to at for let s lets say "
        "want d ll would like take the a is be should change set move switch correct update"
    ),
    "de": (
        "nein nee nö doch nicht warte warten moment halt ach quatsch sorry entschuldigung ich meine meinte "
        "lieber eher stattdessen sondern besser bitte dann ok okay also äh ähm hm oh aber ja und auf um am "
        "für zu nehmen wir mach machen machs es das den die der ist soll sein ändern ändere will möchte hätte "
        "gern gerne"
    ),
    "fr": (
        "non attends attendez en fait plutôt finalement pardon désolé désolée je veux voulais dire mets "
        "mettez mettre changez change oups oh ok bon alors donc euh mais oui et à le la les l pour c est s il "
        "vous te plaît svp stp voudrais préfère prends"
    ),
    "es": (
        "no espera espere perdón perdona perdone en realidad mejor más bien quiero quería quise decir digo "
        "pon ponga que sea cambia cambie cambiar ok vale bueno pues entonces pero sí y a las la el los para "
        "por favor"
    ),
    "it": (
        "no aspetta aspetti anzi invece scusa scusi in realtà intendevo voglio volevo vorrei dire meglio "
        "piuttosto facciamo metti metta cambia cambi ok va bene allora ma sì e alle per il la lo le l favore"
    ),
    "nl": (
        "nee wacht even eigenlijk sorry ik bedoel bedoelde liever toch maar maak er van het de om op voor oh "
        "ok oké dan nou verander wil graag alsjeblieft alstublieft aub ja en"
    ),
    "pt": (
        "não espera espere desculpa desculpe na verdade afinal quero queria dizer digo melhor antes prefiro "
        "põe ponha muda mude mudar ok então mas sim e às as para o a os por favor"
    ),
    "bg": (
        "не чакай чакайте всъщност извинете извинявай извинявайте имам имах предвид исках искам да кажа по "
        "добре нека е бъде смени сменете промени променете ок тогава но и в във за на моля"
    ),
}


@cache
def correcting_words(language: str) -> frozenset[str]:
    """Of a language tag, folded; none for a language without a table."""
    primary = language.lower().replace("_", "-").split("-")[0]
    return frozenset(word.folded for word in words_of(_WORDS.get(primary, "")))
