"""The third stage: of all that is proposed, what the message is taken for.

One table. The first row that holds decides (flow-language.md section 5); docs, trace and Why read the same rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from dialoom.engine.interpret import rows
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.proposals import Proposal
from dialoom.engine.interpret.proposed import Proposed
from dialoom.engine.interpret.situation import Situation


class Row(NamedTuple):
    name: str
    when: str
    """In words, for authors."""
    becomes: str
    decide: Callable[[Proposed], Meaning | None]


OPEN: tuple[Row, ...] = (
    Row("tapped", "An option was tapped.", "It is chosen.", rows.tapped),
    Row(
        "named option",
        "The text names options of the open question by value, title or in a list.",
        "They are chosen.",
        rows.named_option,
    ),
)
COMMANDS: tuple[Row, ...] = (
    Row(
        "command",
        "The whole message is a phrase of BACK, STOP or SKIP, and no trained expression.",
        "The command runs.",
        rows.command,
    ),
)


def _second_wish(proposed: Proposed) -> Meaning | None:
    two = proposed.two_wishes
    if two is None:
        return None
    meaning = decide(Proposed(proposed.s, two.answer))
    is_answer = meaning.row in _ANSWERS and not any(found.value is False for found in meaning.found)
    return msgspec.structs.replace(meaning, next_wish=(two.key, two.wish)) if is_answer else None


SECOND: tuple[Row, ...] = (
    Row(
        "second wish",
        "An answer to the open question, and behind it the wish for another goal.",
        "The answer counts as it would alone; the other goal starts when the open one has ended.",
        _second_wish,
    ),
)
SUGGESTION: tuple[Row, ...] = (
    Row(
        "suggested value",
        "A past value is suggested, and the text is a yes, a no or another value.",
        "It is taken.",
        rows.suggested,
    ),
)
QNA: tuple[Row, ...] = (
    Row(
        "question of a QnA type",
        "The text is a value of the QnA type that is asked for.",
        "Its answer is sent.",
        rows.qna_question,
    ),
)
TEXT: tuple[Row, ...] = (
    Row(
        "said in full",
        "A text is asked for, and the message equals an expression, key or name of something else.",
        "That starts or is answered.",
        rows.text_in_full,
    ),
    Row(
        "refused text",
        "A text is asked for, its checks turn the message away, and it is a value of another question.",
        "That question takes it.",
        rows.text_elsewhere,
    ),
    Row(
        "question named at a text",
        "A text is asked for, and the message is the name of another question beside words of change.",
        "That question is asked again.",
        rows.text_naming,
    ),
    Row(
        "correction at a text",
        "A text is asked for, and the message begins with a correcting word and holds a value of an answered question.",
        "That answer is corrected, and the text asked for again; beside more words it is asked which is meant.",
        rows.text_correcting,
    ),
    Row("text", "A text is asked for.", "The message is the answer.", rows.text),
)
PLACE: tuple[Row, ...] = (
    Row(
        "option by position",
        "The text names options by their position, or with a slip of the finger.",
        "They are chosen.",
        rows.placed_option,
    ),
    Row("typed place", "A place is asked for, and the text names one.", "It is the answer.", rows.typed_place),
)
CONFIRMATION: tuple[Row, ...] = (
    Row(
        "asked beside",
        "The words outside the values ask for something by themselves.",
        "That starts or is answered; no value changes.",
        rows.asked_beside,
    ),
    Row(
        "yes or no",
        "A plain yes or no, and nothing that would change an answer.",
        "It is the answer.",
        rows.yes_or_no,
    ),
    Row(
        "corrected",
        "Values that differ from the known ones, a denied value, or the name of a question.",
        "They are taken or asked again, and the confirmation comes again.",
        rows.corrected,
    ),
    Row("not a yes", "Anything else at a confirmation.", "Nothing is done, and it is asked again.", rows.not_a_yes),
)
FREE: tuple[Row, ...] = (
    Row(
        "asked value",
        "The reader of the open question takes a value.",
        "It is the answer; other values beside it go to their questions.",
        rows.asked_value,
    ),
    Row(
        "told values",
        "Values of other questions, and nothing but words that say that they are meant.",
        "Their questions take them.",
        rows.told_values,
    ),
    Row(
        "named question",
        "Words of change or wrong beside the name of a question.",
        "It is asked again, or takes the value that came along.",
        rows.named_question,
    ),
    Row(
        "wish",
        "A conversation or QnA at the threshold, with its lead; no goal that a few words of a reply only resemble.",
        "It starts or is answered.",
        rows.wished,
    ),
    Row(
        "values among words",
        "Values for questions among other words, or denied ones.",
        "They are taken, or asked again.",
        rows.other_values,
    ),
    Row(
        "did you mean",
        "Nothing was understood, and one or two wishes are likely enough to be asked about.",
        "They are offered, without one that the message denies.",
        rows.did_you_mean,
    ),
    Row("nothing", "Nothing else holds.", "It was not understood.", rows.nothing),
)
ROWS: tuple[Row, ...] = (*OPEN, *COMMANDS, *SECOND, *SUGGESTION, *QNA, *TEXT, *PLACE, *CONFIRMATION, *FREE)


def decide(proposed: Proposed) -> Meaning:
    """Return what the first row that holds makes of a message, with the name of that row."""
    for row in _rows_for(proposed.s):
        meaning = row.decide(proposed)
        if meaning is not None:
            if not meaning.row:
                refused = _refused(proposed, meaning) if proposed.s.is_traced else ()
                meaning = msgspec.structs.replace(meaning, row=row.name, refused=refused)
            return meaning
    return Meaning()


def _refused(proposed: Proposed, meaning: Meaning) -> tuple[Proposal, ...]:
    """Return what was proposed and is no part of the meaning."""
    taken = {
        *(("fill", found.node.step.entity) for found in meaning.found),
        *(("deny", slot.entity) for slot in meaning.reopened),
        *(("ask-again", slot.entity) for slot in (*meaning.reopened, *meaning.which)),
        ("start", meaning.named),
        ("answer", None if meaning.answer is None else meaning.answer[1]),
        (meaning.command or "skip", ""),
    }
    is_option = any(found.is_asked for found in meaning.found)
    return tuple(
        one for one in proposed.all() if (one.kind, one.what) not in taken and not (one.kind == "choose" and is_option)
    )


def _rows_for(s: Situation) -> tuple[Row, ...]:
    """Return the rows that can hold here."""
    if s.node is None:
        return _NOTHING_OPEN
    if s.awaits_yes:
        return _AT_A_CONFIRMATION
    if s.is_suggestion:
        return _AT_A_SUGGESTION
    return _AT_A_TEXT if s.question is not None and s.question.type == "Text" else _AT_A_QUESTION


_NOTHING_OPEN = (*COMMANDS, *FREE)
_AT_A_CONFIRMATION = (*OPEN, *COMMANDS, *SECOND, *CONFIRMATION)
_AT_A_SUGGESTION = (*OPEN, *COMMANDS, *SECOND, *SUGGESTION, *QNA, *TEXT, *PLACE, *FREE)
_AT_A_TEXT = (*OPEN, *COMMANDS, *TEXT)
_AT_A_QUESTION = (*OPEN, *COMMANDS, *SECOND, *QNA, *PLACE, *FREE)
_ANSWERS = frozenset(
    {"yes or no", "corrected", "asked value", "told values", "named option", "suggested value", "option by position"}
)
