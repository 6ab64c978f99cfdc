"""The sections of a language's file: what the service says by itself (``system``, ``login``), and what its readers know
(``words``, ``roles``, ``ordinals``, ``counted``). The chat's texts are the front end's.

Words stand as people write them: who compares them folds them.
"""

from __future__ import annotations

import itertools
import re
from typing import Literal

import msgspec

_PLACE = re.compile(r"\{(\w+)\}")
DateOrder = Literal["day-month", "month-day", "year-month"]
PartOfDay = Literal["am", "pm", "night"]
Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]


class Section(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of a language's file: keys in camel case, and none that nobody reads."""


class SystemTexts(Section, frozen=True, kw_only=True):
    """Labels of buttons, default replies, pages. The value of a reply or a paging button is its label (flow-language.md
    section 2)."""

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
    back: tuple[str, ...]
    stop: tuple[str, ...]
    skip: tuple[str, ...]
    stop_question: str
    """With ``{{conversationDisplayName}}``, as the next two."""
    stopped: tuple[str, ...]
    guess_question: str
    change_question: str
    """With ``{{question}}``, the name of a question that was answered, and ``{{value}}``."""
    which_question: str
    """Before the names of the questions that a message may mean."""
    meant_question: str
    """With ``{a}``, the name of what a message may ask for; the next one with ``{b}`` as well."""
    meant_either: str
    neither: tuple[str, ...]
    """Answers to it that turn both down; the first is the label of the reply."""
    not_a_yes: tuple[str, ...]
    you_can_say: str
    """With ``{phrases}``, those of the commands that would help now."""
    greeting: str
    """Of a bot that has no ``welcome`` and no ``help``, over the names of its goals."""
    unknown_place: str
    """With ``{place}``, one that is known."""
    share_place: str
    """Behind it, where users can do so."""
    example_place: str


class RefusalText(Section, frozen=True, kw_only=True):
    """Why a login does not go on."""

    title: str
    text: str


class Refusals(Section, frozen=True, kw_only=True):
    """By the reason. Nothing of the request stands in them, and nothing that helps an attacker, which is left to the
    log."""

    unknown: RefusalText
    over: RefusalText
    browser: RefusalText
    failed: RefusalText
    cancelled: RefusalText
    lost: RefusalText
    busy: RefusalText


class LoginTexts(Section, frozen=True, kw_only=True):
    """What the pages of account linking say. No sentence names the bot: grammar would bend its name."""

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
    refusals: Refusals
    ask_for_link: str
    """What to do about every refusal but ``busy``."""


class ChannelTexts(Section, frozen=True, kw_only=True):
    """What channels say by themselves, where a platform cannot show something or has to hear a word."""

    choose_numbers: str
    """Below a numbered list of which several may be chosen."""
    you_can_say: str
    """``{options}``: the options, the last two joined by ``or``."""
    or_: str = msgspec.field(name="or")
    more: tuple[str, ...]
    """What a user says to hear what did not fit into an answer; in lower case."""
    say_more: str
    working: str
    """A turn takes longer than the platform waits."""
    one_moment: str
    """A turn takes some seconds, and its answer still comes."""
    link_account: str


class Homograph(Section, frozen=True, kw_only=True):
    """Where a number word is another word: Italian "sei" (six, you are)."""

    behind: tuple[str, ...] = ()
    """Right before it: "tu sei"."""
    before: tuple[str, ...] = ()
    """Right behind it: "sei un"."""
    endings: tuple[str, ...] = ()
    """Of words behind it that have no plural, which a number would ask for: "sei libero"."""
    not_: tuple[str, ...] = msgspec.field(name="not", default=())
    """Words with such an ending behind which it is a number all the same."""


class Words(Section, frozen=True, kw_only=True):
    """The words that a language has for numbers, days, hours, yes and no."""

    with_library: bool = False
    """True if months, weekdays, near days and lengths of time come from a library as well (``understanding.words``)."""
    stems: dict[str, dict[str, int]] = {}
    """What compounds in ``numbers``, ``ordinals`` and ``months`` are made of, by name (see ``compounds``)."""

    # ---- numbers
    numbers: dict[str, int] = {}
    """Words of one number each, compounds that are written as one word among them: ``"{unit}und{ten}": 1``."""
    multipliers: dict[str, int] = {}
    """hundred, thousand ..."""
    number_joiners: tuple[str, ...] = ()
    """What may stand between tens and units, or after a hundred."""
    articles: tuple[str, ...] = ()
    """Number words that are articles or pronouns as well: a number only as the whole text or with a unit."""
    not_one_after: tuple[str, ...] = ()
    """Words after which "one" is a pronoun."""
    countable: tuple[str, ...] = ()
    """Nouns before which it is a number all the same: "make that one ticket"."""
    halves: tuple[str, ...] = ()
    """One half as the whole number: "half"."""
    and_half: tuple[str, ...] = ()
    """One half more, after a number or a unit: "two and a half hours", "an hour and a half"."""
    with_half: dict[str, float] = {}
    """Words of a number with its half: German "anderthalb"."""
    minus: tuple[str, ...] = ()
    not_numbers: tuple[str, ...] = ()
    """Phrases that hold a number word and tell none: "one way", "thanks a million", Spanish "por ciento"."""
    homographs: dict[str, Homograph] = {}
    """Number words that mean something else beside other words."""
    point: tuple[str, ...] = ()
    """Between a whole number and its decimals: "two point five"."""
    cents: tuple[str, ...] = ()
    """The hundredth part of a currency, after an amount: "five dollars and 50 cents"."""
    with_cents: tuple[str, ...] = ()
    """Between an amount and its hundredths, besides the joiners: Spanish "con"."""
    spaced: bool = True
    """True if words are written with spaces between them."""

    # ---- days
    order: DateOrder = "day-month"
    months: dict[str, int] = {}
    weekdays: dict[str, int] = {}
    """Monday is 0."""
    days: dict[str, int] = {}
    """Words for a day by its distance from today."""
    not_days: tuple[str, ...] = ()
    """Phrases that hold such a word and are none: German "guten Morgen"."""
    ordinals: dict[str, int] = {}
    counted_days: bool = False
    """True if days of the month are said with plain numbers: "tres de marzo"."""
    ordinal_suffixes: tuple[str, ...] = ()
    """What follows the digits of a day of the month: "rd", "er", "."."""
    bare_days: tuple[str, ...] = ()
    """What makes the digits after it a day of the month without more: French "le 12"."""
    bare_suffix: bool = True
    """True if digits with an ordinal suffix are a day of the month by themselves."""
    ordinal_nouns: tuple[str, ...] = ()
    """Nouns that take an ordinal away from the calendar: "the 3rd floor"."""
    before_days: tuple[str, ...] = ()
    """The same where the sentence ends after the digits or goes on with an hour: "on the 12"."""
    until: tuple[str, ...] = ()
    """Between two days of one month: "from the 3rd to the 5th of March"."""
    of: tuple[str, ...] = ()
    """Between day and month, month and year."""
    on: tuple[str, ...] = ()
    """Before the day: "the", "den"."""
    on_weekday: tuple[str, ...] = ()
    """Between "next week" and a weekday: Bulgarian "в"."""
    next_week: tuple[str, ...] = ()
    """Before or after a weekday: the one in the week (from Monday) after this one."""
    after_next: tuple[str, ...] = ()
    """Before or after a weekday: the one in the week after that."""
    last: tuple[str, ...] = ()
    """Before or after a weekday: the last one before today."""
    coming: tuple[str, ...] = ()
    """Before or after a weekday: the first one after today."""
    this: tuple[str, ...] = ()
    """Before or after a weekday: the first one from today on."""
    before_last: tuple[str, ...] = ()
    """Before or after a weekday: the one a week before the last one."""
    short_weekdays: dict[str, int] = {}
    """Weekdays in two or three letters that are other words too: days only where a day is asked for, or beside one."""
    weekday_later: dict[str, int] = {}
    """Behind a weekday: so many days after the coming one ("Tuesday week", "mardi en quinze")."""
    in_month: tuple[str, ...] = ()
    """Between a weekday and its month: "the first Monday in December"."""
    day_shifts: dict[str, int] = {}
    """Before a day: so many days from it ("the day after", "la veille de")."""
    later_than: tuple[str, ...] = ()
    """Before a day from which a length of time is counted: "two days after Christmas". Without one it tells none."""
    earlier_than: tuple[str, ...] = ()
    """The same backwards."""
    unread_before: tuple[str, ...] = ()
    """Right before a day or an hour, of which it makes what no one value tells: "every", "not before"."""
    unread_after: tuple[str, ...] = ()
    """The same right behind it: "or later"."""
    months_near: dict[str, int] = {}
    """A month by its distance from this one, as it follows a day: "of this month", "of next month"."""
    start_of: tuple[str, ...] = ()
    middle_of: tuple[str, ...] = ()
    end_of: tuple[str, ...] = ()
    """Before the name of a month or one of ``months_near``."""
    feasts: dict[str, tuple[int, int]] = {}
    """Days of the year that have a name: month and day."""
    streets: tuple[str, ...] = ()
    """Before what would be a date, and makes it the name of a street: "rue du 8 mai"."""
    streets_after: tuple[str, ...] = ()
    """The same behind it: "12 May Street"."""
    not_slips: tuple[str, ...] = ()
    """Words that are one slip away from a month, weekday or word of yes, no or courtesy, and mean something else."""
    units: dict[str, Unit] = {}
    lengths: dict[str, tuple[int | float, Unit]] = {}
    """Phrases for a length of time that no number tells: "half an hour"."""
    counted: tuple[tuple[str, Unit, int], ...] = ()
    """Phrases of lengths counted from now with ``{n}`` for the number, their unit and direction (1 ahead, -1 back), for
    languages whose grammar the other fields cannot hold."""
    within: tuple[str, ...] = ()
    """Before a length of time: "in three days"."""
    from_now: tuple[str, ...] = ()
    """After a length of time: "three days from now"."""
    ago: tuple[str, ...] = ()
    """After a length of time, backwards."""
    ago_before: tuple[str, ...] = ()
    """Before a length of time, backwards: "vor drei Tagen"."""

    # ---- hours
    twelve_hours: bool = False
    """True if "4:30" in digits is said by a twelve-hour clock."""
    at: tuple[str, ...] = ()
    """Before a bare hour."""
    near: tuple[str, ...] = ()
    """Before a bare hour too, but before other numbers as well: only where no noun follows ("about 5 people")."""
    either: tuple[str, ...] = ()
    """Before two bare hours of which one is meant."""
    loose_after: tuple[str, ...] = ()
    """After a bare hour that is not meant to the minute: "10ish", "10 or so"."""
    range_before: tuple[str, ...] = ()
    """Before the first of two hours, where "3 to 5" is no "three minutes to five"."""
    lasting: tuple[str, ...] = ()
    """Before hours that are a length and no time of day: "pendant 2 heures"."""
    hour_words: tuple[str, ...] = ()
    """After a bare hour: "o'clock", "Uhr", "h"."""
    minute_words: tuple[str, ...] = ()
    fixed_times: dict[str, int] = {}
    """Words for a minute of the day: noon, midnight."""
    now: tuple[str, ...] = ()
    """A message that says no more than this means this day and minute."""
    not_part_after: tuple[str, ...] = ()
    """Before a part of the day it is none: German "zu früh" is no morning."""
    parts: dict[str, PartOfDay] = {}
    """Before or after an hour."""
    before_hour: dict[str, int] = {}
    """Minutes that a phrase before the hour adds: "half past", German "halb" (-30)."""
    after_hour: dict[str, int] = {}
    """Minutes that a phrase after the hour adds: "y media"."""
    past: tuple[str, ...] = ()
    """Between minutes and the hour that they follow: "ten past four"."""
    to: tuple[str, ...] = ()
    """Between minutes and the hour that they precede."""
    after_to: tuple[str, ...] = ()
    """Between an hour and the minutes that it lacks: "las cuatro menos diez"."""

    # ---- yes and no
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()
    """Those of them that answer even when a sentence goes on: "no make it four"."""
    polite: tuple[str, ...] = ()
    """What may follow a yes or no."""
    farewells: tuple[str, ...] = ()
    """Goodbyes and good wishes, which may stand beside one: "bye", "have a nice day"; ``*`` at the end stands for a day
    that was told before: "bis *"."""
    regrets: tuple[str, ...] = ()
    """What may stand before or behind a no, and before a yes that was late: "sorry", "unfortunately"."""
    neither: tuple[str, ...] = ()
    """Phrases that hold a word of yes or no and are neither."""
    fillers: tuple[str, ...] = ()
    """What may stand before a yes or no: "well", "oh"."""

    # ---- sentences
    common: tuple[str, ...] = ()
    """Words that say little about what a sentence is about."""

    # ---- names that only this language has
    currencies: dict[str, str] = {}
    """Words for currencies to their ISO 4217 codes, besides ``currencies.json``, which all languages share."""


class Vocabulary(Section, frozen=True, kw_only=True):
    """Common words of a language of four letters or more: none of them is taken for a slip of a trained word."""

    source: str
    licence: str
    words: tuple[str, ...]
    """Many words an entry, blanks between them, the commonest first."""


class Roles(Section, frozen=True, kw_only=True):
    """Words that tell the first of two values of one type from the second: from and to, departure and return."""

    first: frozenset[str]
    """Right before a value: it is where or when something begins."""
    first_of_two: frozenset[str] = frozenset()
    """The same, but only where a second value follows: words that mean much else ("de", "van")."""
    second: frozenset[str]
    """Right before a value: it is where or when something ends."""
    second_of_places: frozenset[str] = frozenset()
    """The same for values of custom types only: before a time they mean "at" or "after" ("nach", "alle")."""
    second_after_first: frozenset[str] = frozenset()
    """The same, but only where the first value precedes: "between nine and five", "de 9 h à 17 h"."""
    passed: frozenset[str] = frozenset()
    """May stand between such a word and the value: articles, "on", "at"."""
    making: frozenset[str] = frozenset()
    """With one of these the sentence takes up the last value that was spoken of: "no, make it Friday please"."""
    changing: frozenset[str] = frozenset()
    """With one of these in the sentence, "to" only names a new value: "change it to Varna"."""
    alternatives: frozenset[str] = frozenset()
    both: frozenset[str] = frozenset()
    """Between values that are meant together."""
    first_names: frozenset[str] = frozenset()
    """Nouns and verbs, in the sentence or in the name of an entity: departure, start."""
    second_names: frozenset[str] = frozenset()
    first_phrases: frozenset[tuple[str, str]] = frozenset()
    """Verbs of two words, between which others may stand: "pick it up"."""
    second_phrases: frozenset[tuple[str, str]] = frozenset()
    turning: frozenset[str] = frozenset()
    """Nouns and verbs that turn with what is spoken of: one leaves on a journey first, but arrives for a stay."""
    ends_with_verb: bool = False
    """A verb may stand right behind its value: "am 8. abholen"."""
    leading_to_persons: frozenset[str] = frozenset()
    """Right before a number with nothing counted behind it: "a table for 4"."""
    pronouns: frozenset[str] = frozenset()
    """Number words that mostly stand for a thing: "find me one in Berlin"."""
    counting_pronouns: frozenset[str] = frozenset()
    """Behind these they count: "only one"."""
    articles: frozenset[str] = frozenset()
    """A little before them these make them no number: "a regular one"."""
    not_: frozenset[str] = msgspec.field(default=frozenset(), name="not")
    """Right before a value that is not wanted; words that are an answer too ("no" in Spanish) are none of them."""
    why: frozenset[str] = frozenset()
    """Before such a word they make a proposal of it: "why not Friday"."""
    weighing: frozenset[str] = frozenset()
    """May stand between such a word and the value: "not too expensive"."""


class Ordinals(Section, frozen=True, kw_only=True):
    """Words that name one of several shown things by its place: "the second one", "option 2", "the last"."""

    stems: dict[str, dict[str, int]] = {}
    """What compounds in ``places`` are made of (see ``compounds``)."""
    places: dict[str, int] = {}
    """Each form of an ordinal number to the place that it names; ``LAST`` for the last."""
    suffixes: frozenset[str] = frozenset()
    """What may stand at digits: "2nd"."""
    nouns: frozenset[str] = frozenset()
    """What is so named, beside the place: "one", "option". With one of them nothing else can be meant."""
    around: frozenset[str] = frozenset()
    """What people say around it: articles, "I take", "please"."""
    around_numbers: frozenset[str] = frozenset()
    """Those of them that leave a number a place: "I take 2" may be two of them, "number 2 please" is the second."""
    both: frozenset[str] = frozenset()
    """Between two places."""
    not_alone: frozenset[str] = frozenset()
    """Ordinals that are also names of something else and so need a noun: Portuguese "a segunda" is Monday."""


class Counted(Section, frozen=True, kw_only=True):
    """What people count: the word beside a number that says what it is a number of ("4 people", "3-star")."""

    things: dict[str, tuple[str, ...]]
    """A thing, which has one name in all languages, to the words that stand for it: persons to "Personen", "Gäste"."""
    linking: frozenset[str]
    """Behind these begins another thought: "4 with rooms" counts no rooms."""
    asking: tuple[str, ...] = ()
    """In a question, before what comes in wholes: "how many"."""
    uncounted: tuple[str, ...] = ()
    """Behind such a phrase, what has halves, besides units of time: "litres"; verbs too where it asks "how much"."""
    speaker: tuple[str, ...] = ()
    """Who speaks: "two friends and me" are not two."""
    persons: dict[str, int] = {}
    """What says without a number how many come: "just me"."""
    kinds: frozenset[str] = frozenset()
    """Kinds of persons, whose numbers make one sum: "two adults and a child"."""
    more: tuple[str, ...] = ()
    """Beside a number, what makes it one that is added to the known one: "2 more"."""
    less: tuple[str, ...] = ()
    """Beside a number, what makes it one that is taken off the known one: "one guest less"."""
    later: tuple[str, ...] = ()
    """Beside a duration, what moves a known day or hour on by it: "an hour later"."""
    earlier: tuple[str, ...] = ()
    """Beside a duration, what moves a known day or hour back by it."""


class Currencies(Section, frozen=True, kw_only=True):
    """The content of ``currencies.json``: how currencies are written in all languages, each to its ISO 4217 code."""

    signs: dict[str, str]
    codes: dict[str, str]
    """Codes and abbreviations, which may stand on either side of an amount as signs may."""
    names: dict[str, str]
    """What only follows an amount: "five dollars"."""
    also_words: tuple[str, ...] = ()
    """Those of them that are words of some language as well: in a question they name no currency."""


def compounds(patterns: dict[str, int], stems: dict[str, dict[str, int]]) -> dict[str, int]:
    """Return all words of a table by their numbers: patterns such as ``"{unit}und{ten}": 1`` with every word of the
    stems that they name, which may be patterns too. A word's number is that of the pattern times the sum of its stems'
    numbers."""
    words: dict[str, int] = {}
    for pattern, factor in patterns.items():
        names = _PLACE.findall(pattern)
        if not names:
            words[pattern] = factor
            continue
        text = _PLACE.sub("{}", pattern)
        for chosen in itertools.product(*(compounds(stems[name], stems).items() for name in names)):
            words[text.format(*(word for word, _ in chosen))] = factor * sum(number for _, number in chosen)
    return words


class Replies(Section, frozen=True, kw_only=True):
    """What people say beside a yes, a no or a value, and what it makes of it (flow-language.md section 5, rule 4)."""

    changing: tuple[str, ...] = ()
    """Beside the name of a question: it is to be asked again."""
    wrong: tuple[str, ...] = ()
    all_but: tuple[str, ...] = ()
    """Right before the name of the only question that is to be asked again."""
    unsuitable: tuple[str, ...] = ()
    """At a confirmation, beside a name or a stored value: it is to be asked again. ``*`` stands for up to four words:
    "passt * nicht"."""
    unable: tuple[str, ...] = ()
    """The same beside a stored value alone: "can't"."""
    asking: tuple[str, ...] = ()
    """Beginnings of questions that wish for nothing: "do you", "how long". A value behind one changes nothing."""
    putting_off: tuple[str, ...] = ()
    """With one of these a value says when the user decides or answers, and changes nothing: "I'll tell you". ``*``
    stands for up to four words."""
    another: tuple[str, ...] = ()
    """Before the thing itself these ask for one more of it: "another table"."""
    asking_for: tuple[str, ...] = ()
    """Words of a question that asks for another day or hour ("does Monday work?"), not about one."""
    being: tuple[str, ...] = ()
    """In a question that says no more beside values, they change nothing: "isn't the 15th a Monday?"."""
    clauses: tuple[str, ...] = ()
    """Words with which another clause begins: "but", "because"."""
    unchanged: tuple[str, ...] = ()
    """Phrases that hold a word of change or wrong and ask for none: "nothing wrong with"."""
    doubts: tuple[str, ...] = ()
    """With one of these a yes is no plain yes: "but", "wait", "after"."""
    unfinished: tuple[str, ...] = ()
    """Words that no reply ends with: "yes and", "ok if"."""
    hedges: tuple[str, ...] = ()
    """What is a yes elsewhere and too little of one to act on: "I think so"."""
    beside: tuple[str, ...] = ()
    """Pronouns, articles and the like, which leave a yes a plain one."""
    doing: tuple[str, ...] = ()
    """Verbs that are a yes where the question has the same one and no other: "book it"."""
    undoing: tuple[str, ...] = ()
    """Verbs that take something back. A value beside one is no correction where it is not the question's: "but cancel
    the one on Friday"."""
    separable: tuple[str, ...] = ()
    """What stands apart from such a verb: German "ab" in "sag ihn ab"."""
    alike: tuple[str, ...] = ()
    """Such verbs that ask for the same, blanks between them: "book reserve"."""
    first_persons: tuple[str, ...] = ()
    """Beside such a verb they make it what the user does: "I book it", Italian "prenoto io"."""
    clitics: tuple[str, ...] = ()
    """Pronouns that hang at the end of such a verb: Spanish "resérvala"."""
    permitting: tuple[str, ...] = ()
    """What may stand beside such a verb: "you can book it"."""
    praise: tuple[str, ...] = ()
    """What something is that is wanted: "perfect", "great"."""
    praising: tuple[str, ...] = ()
    """A yes with one of these for ``*``: "that would be *"."""
    strengthening: tuple[str, ...] = ()
    """May stand before them: "really"."""
    softening: tuple[str, ...] = ()
    """Words of doubt that are none behind such a verb: Dutch "boek maar", German "mach mal"."""
    alone: tuple[str, ...] = ()
    """What is a yes only as the whole reply: "please"."""
    continuing: tuple[str, ...] = ()
    """At the question whether to stop: a no. "go on"."""
    wishes: tuple[str, ...] = ()
    """What people put before or behind a wish."""
    none: tuple[str, ...] = ()
    """Answers to an optional question that leave it without a value."""
    denying: tuple[str, ...] = ()
    """Right before a value that is not wanted."""
    becoming: tuple[str, ...] = ()
    """Between the name of a question and its new text: "change the name to ...", "the name is ..."."""
    marks: tuple[str, ...] = ()
    """Before or behind a value: it corrects an answer ("no wait", "I meant")."""
    refusals: tuple[str, ...] = ()
    """With one of these a wish is denied: "I do not want". ``*`` stands for up to four words."""
    negations: tuple[str, ...] = ()
    """With one of these it is denied as well, unless a word of trouble is there: "don't block it"."""
    troubles: tuple[str, ...] = ()
    """Words beside a negation that tell what is wrong and deny no wish: "I don't see my order"."""
    seconds: tuple[str, ...] = ()
    """Between an answer and another wish: "and also"."""
    types: dict[str, tuple[str, ...]] = {}
    """Built-in type to the words for a question of it: Date to "date" and "day"."""
