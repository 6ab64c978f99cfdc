"""What is said when an answer no longer holds after a correction (flow-language.md section 5, rule 8)."""

from typing import Any

from tests.engine.talking import Chat, bot, check, goal, keywords, q, talk, trait

WORDS = trait(go=["go please"])
FIELDS = keywords("field", skin=["dermatology"], heart=["cardiology"])
DOCTORS = {"https://api.test/skin": ["Weber", "Roth"], "https://api.test/heart": ["Okoye", "Roth"]}
SOURCE = {"type": "quick-reply", "data-source": {"endpoint": "https://api.test/{{field}}"}}


def asking(**reactions: Any) -> Chat:
    doctor = q("doctor", display=SOURCE, **({"reactions": reactions} if reactions else {}))
    flow = bot({"go": goal(q("field", "field"), doctor, q("n", "Number"))}, FIELDS, WORDS)
    return talk(
        flow, [("go please", ["field?"]), ("dermatology", ["doctor? [Weber] [Roth]"]), ("Weber", ["n?"])], DOCTORS
    )


def test_the_error_text_of_the_validation_is_said_and_no_invalid_reply() -> None:
    chat = asking(
        validations=[
            check(
                "custom", "{{doctor}} is not in {{field}}.", condition="{{$or ($eq field 'skin') ($eq doctor 'Okoye')}}"
            )
        ]
    )
    assert chat.say("actually cardiology") == ["Weber is not in heart.", "doctor? [Okoye] [Roth]"]
    assert chat.say("Okoye") == ["n?"]


def test_where_only_the_options_speak_against_it_the_question_alone_comes_again() -> None:
    chat = asking()
    assert chat.say("actually cardiology") == ["doctor? [Okoye] [Roth]"]
    assert chat.say("Roth") == ["n?"]
    assert chat.say("no, dermatology") == ["n?"]


def test_options_are_looked_at_where_the_validation_holds() -> None:
    chat = asking(validations=[check("custom", "No.", condition="{{$has field}}")])
    assert chat.say("actually cardiology") == ["doctor? [Okoye] [Roth]"]
