"""How well the library's bot understands what people type, on questions that are none of its expressions.

They were written in three lots, as readers would type them and without a look at the expressions; each lot was run
before the training was mended for it. Of what can be answered the first lot had 40 of 70 right, 27 missed and 3 wrong;
the second 42 of 70, 28 and 0; the third 31 of 43, 8 and 4. Of what cannot, 9 of 10, 16 of 18 and 5 of 7 were not
answered. The floors below keep what the mending gained. They are no measure of what a new reader sees: the third lot is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.authoring.play import channel_of, event_of
from dialoom.authoring.scenarios import UserTurn
from dialoom.engine import begin, dynamic, turn
from dialoom.engine.compile import compile_flow
from dialoom.engine.effects import Heard
from dialoom.engine.events import Fetched, NoResponse
from dialoom.flow import read_bot

from .test_library_backend import NOW, backend

if TYPE_CHECKING:
    from dialoom.engine.compiled import Flow
    from dialoom.flow.model import Bot

FOLDER = Path(__file__).parents[2] / "examples" / "library"

NONE = "none"
BEYOND = "Not the library's business"
"""The answer to what has nothing to do with libraries; as good as none."""

UNREACHED = NoResponse("connection", "nothing is called")

QUESTIONS: dict[str, tuple[str, ...]] = {
    "Join the library": (
        "hey, how do i sign up as a member??",
        "ive just moved to ellerby and would like to borrow books",
        "what do i need to bring to get a card made",
        "can you tell me how to register",
    ),
    "Cost of membership": (
        "what does it cost me to be a member",
        "is the membership really for free?",
        "do pensioners pay for membership",
    ),
    "Card for a child": (
        "can i get a card for my 4 year old",
        "my grandson is 9, does he need a card of his own",
        "can a newborn have a library card",
    ),
    "Visitors": (
        "im just here for a week on vacation, can i still take books out",
        "im a student from abroad staying till summer, may i borrow",
        "we are tourists, is there a short term card",
    ),
    "Lost card": (
        "think i left my library card on the bus and now its gone",
        "someone nicked my wallet and the library card was in there",
        "card vanished, need a new one",
    ),
    "Forgotten PIN": (
        "cant remember the pin for my account",
        "website says wrong pin",
        "how do i set a new password",
    ),
    "Change of address": (
        "i have moved, where do i tell you the new address",
        "got married, need to change my surname on the card",
        "my street name changed",
    ),
    "Late fees": (
        "my books are 2 weeks too late how much will that be",
        "do u have fines for late returns",
        "how much do i owe you if im 3 days overdue",
        "got a letter about overdue books, what's the charge",
    ),
    "Pay a fee": (
        "is it possible to pay my fines with apple pay",
        "can i settle my fees by credit card",
        "which ways of payment do you accept",
    ),
    "Lost or damaged item": (
        "my toddler ripped a page out of a picture book, what now",
        "i dropped a book in the bath",
        "someone spilled juice over the comic we borrowed",
    ),
    "Loan period": (
        "for how long can i have a book",
        "how many weeks for dvds",
        "how long do i get for a novel",
        "when do i need to bring the book back",
    ),
    "How many items": (
        "how many things can i take home at a time",
        "is 15 books ok or too many",
        "am i allowed to take 25 books",
    ),
    "How often a loan can be renewed": (
        "can i extend a book more than twice",
        "how many times may i prolong",
    ),
    "Place a hold": (
        "someone else has the book i want, can you keep it for me when its back",
        "can you put me on the list for the new mantel",
        "how do i get a book that someone else has at the moment",
    ),
    "From other libraries": (
        "could you order a book from the university for me",
        "i need a journal article none of your branches has",
    ),
    "Where to return": (
        "can i hand in books at northside that i borrowed at central",
        "does it matter which branch i bring it back to",
        "can i give books back in harbour",
    ),
    "Return when closed": (
        "where do i drop my books off at midnight",
        "do you have a letterbox for returns",
    ),
    "E-books": (
        "how do i get ebooks on my kindle",
        "is there an app for reading",
        "how can i read ebooks from you",
        "do you have kindle books",
    ),
    "Audiobooks": (
        "do you have audio books for the car",
        "audio book download?",
        "want to listen to novels while driving",
    ),
    "Newspapers and magazines": (
        "can i read the guardian at yours",
        "is there the daily mail or any other paper to read",
        "do you have the new york times",
    ),
    "Films and music": (
        "got any movies to take home",
        "can i get a movie for tonight",
    ),
    "Games and things": (
        "can you lend me a drill",
        "do you have playstation games",
        "which computer games do you have",
    ),
    "Printing": (
        "i need to print my cv",
        "whats the price for a colour print",
        "where can i print out a boarding pass",
        "need 20 pages printed, how much",
    ),
    "Copying and scanning": (
        "can i photocopy my passport somewhere",
        "need to scan a contract",
        "is there a scanner i can use",
    ),
    "Computers": (
        "i dont have a computer at home, can i use one of yours",
        "are there any pcs for the public",
    ),
    "Wifi": (
        "whats the wifi code",
        "cant connect to your wi-fi",
        "do i need a password for the internet",
    ),
    "Power for devices": (
        "is there somewhere to plug in my laptop",
        "phone is nearly dead can i charge it",
        "can i plug in my notebook",
    ),
    "Rules of the study rooms": (
        "is the study room free of charge",
        "is there a beamer or screen in the group room",
        "can we have pizza in the group room",
    ),
    "Cancel a reservation of a room": (
        "we cant make it to our room booking tomorrow",
        "please cancel my room for thursday",
    ),
    "Quiet places": (
        "somewhere really quiet to revise for my exams?",
        "which floor is the silent one",
        "where can i revise without noise",
    ),
    "Food and drink": (
        "can i bring my own sandwiches",
        "is there anywhere to get a coffee",
        "can i drink water at my desk",
    ),
    "Toilets and baby changing": (
        "is there a loo at harbour",
        "where is the nearest toilet",
    ),
    "Parking and bicycles": (
        "where do i leave my car",
        "is there parking at westfield",
        "where do i park my bike",
    ),
    "Buses and trains": (
        "what bus do i take to get to you",
        "how do i get to you from the station",
        "is there a bus to westfield",
    ),
    "Wheelchairs and lifts": (
        "my dad is in a wheelchair, can he get in",
        "are there lifts, i have a pram and a broken leg",
        "do you have an elevator",
    ),
    "Hearing and sight": (
        "do you have books with big print for my gran",
        "i can hardly see any more, what can i still read",
    ),
    "Home delivery": (
        "my neighbour is housebound, could someone bring her some books",
        "im in bed with a broken hip, do you deliver",
        "do you bring books to old people at home",
    ),
    "Children alone": (
        "can i leave my 7 year old in the library for an hour",
        "can my 9 year old stay by herself",
        "can my twins come without me, they are 10",
    ),
    "Rooms for children": (
        "have you got a corner where little ones can play",
        "where would i find books for toddlers",
    ),
    "Homework help": (
        "my daughter needs help with her maths homework",
        "is there tutoring for teenagers",
        "my son struggles with maths, is there help",
    ),
    "School classes and groups": (
        "id like to bring year 4 for a tour",
        "our nursery would like to visit you",
        "school trip with 28 kids possible?",
    ),
    "Give books away": (
        "i've got 3 boxes of novels id like to get rid of, do you want them",
        "got a shelf of paperbacks to give away",
    ),
    "Give money": (
        "how can i donate some cash",
        "how can i become a friend or sponsor",
    ),
    "Book sale": (
        "do you sell off old books",
        "when can i buy your discarded books",
        "is there a flea market with library books",
    ),
    "Suggest a title": (
        "you dont have the new rushdie, can you buy it",
        "please get the latest grisham",
    ),
    "What to read": (
        "any tips what to read next",
        "im bored, recommend something thrilling",
        "what's a good thriller",
    ),
    "Jobs": (
        "are you looking for staff at the moment",
        "do you offer apprenticeships",
        "is there a vacancy for a librarian",
    ),
    "Volunteering": (
        "im retired and would love to help out, unpaid",
        "i want to do voluntary work with kids",
    ),
    "Lost property": (
        "i think i forgot my jumper at yours yesterday",
        "has anybody handed in a black umbrella",
        "lost my gloves at central",
    ),
    "Dogs": (
        "can my dog come in with me",
        "can i come in with my labrador",
    ),
    "Photos and filming": (
        "am i allowed to take pictures inside",
        "can we do a photo shoot there",
    ),
    "Local history": (
        "im looking into my family tree",
        "where can i look at old maps of the town",
    ),
    "Books in other languages": (
        "do you stock polish novels",
        "do you have anything in russian",
    ),
    "Workshop": (
        "can i use the 3d printer",
        "do you have a laser cutter",
    ),
    "Public holidays": ("are you shut on boxing day",),
    "Complaints and praise": (
        "your colleague was really rude to me today",
        "where can i leave a complaint",
    ),
    "Phone and e-mail": (
        "whats your number so i can ring you",
        "what email can i write to",
    ),
    "My data": (
        "do you save what books i read",
        "how do i get my account deleted",
    ),
    "opening-hours": (
        "when do you shut tonight",
        "r u open on sundays",
        "where exactly is the castle hill one",
        "how late is mill lane open on mondays",
    ),
    "find-title": (
        "have u got the hobbit",
        "is wuthering heights on the shelf",
        "could you check if you have beloved by toni morrison",
    ),
    "reserve-room": (
        "i want to book a room for me and 3 friends",
        "we need a room for 5 on monday afternoon",
        "need a study space for our team next friday at 10",
    ),
    "renew-loans": (
        "i need more time with my books",
        "pls prolong all my books",
        "please give me another 3 weeks for all my loans",
    ),
    "events-this-week": (
        "anything going on this weekend?",
        "whats on at harbour",
        "which events do you have at northside",
    ),
    "none": (
        "what's the weather like tomorrow",
        "can you order me a pizza",
        "who won the match last night",
        "how do i renew my passport",
        "what time is it in tokyo",
        "i need a dentist",
        "how many people live in ellerby",
        "do you rent out bicycles",
        "can i get married in the library",
        "translate good evening into french",
        "how tall is the eiffel tower",
        "i want to buy train tickets",
        "whats 17 times 23",
        "is there a swimming pool in town",
        "my landlord wants to throw me out",
        "when is bin collection",
        "who is the prime minister",
        "can you fix my bike",
        "how do i boil an egg",
        "where can i vote on sunday",
        "i have a headache",
        "do you sell stamps",
        "write me an essay about napoleon",
        "whats the exchange rate of the dollar",
        "how do i get a parking permit for residents",
        "asdf jkl",
        "blue",
        "the quick brown fox",
        "do you have a dentist",
        "how far is the moon",
        "i need a plumber",
        "is the supermarket open",
        "sell my car",
        "who wrote hamlet",
        "can i get a loan from the bank",
    ),
    "Safe and warm": ("can i stay the whole day without buying anything",),
    "event-info": ("what day is the lego thing",),
    "librarian": (
        "i'd rather talk to a real person",
        "how do i talk to a member of staff",
    ),
}


@pytest.fixture(scope="module")
def bot() -> tuple[Bot, Flow]:
    read = read_bot(FOLDER)
    return read, compile_flow(read)


@pytest.fixture(scope="module")
def flow(bot: tuple[Bot, Flow], tmp_path_factory: pytest.TempPathFactory) -> Flow:
    """With the lists as the library's system gives them."""
    library = backend.Library(tmp_path_factory.mktemp("library"), now=lambda: NOW)
    lists = {"Branch": library.branches(), "Event": library.programme(), "Title": library.titles(None)}
    return dynamic.filled(bot[1], lists)


def understood(bot: Bot, flow: Flow, text: str) -> str:
    """The conversation or question that a first message is taken for."""
    said = event_of(UserTurn(text=text), channel_of(bot, None), {}, 0, int(NOW.timestamp() * 1000), "m1")
    done = turn(flow, begin(), said)
    while done.pending is not None:
        done = turn(flow, done.state, Fetched(key=done.pending.key, failure=UNREACHED))
    heard: Any = next(effect.understanding for effect in done.effects if isinstance(effect, Heard))
    senses = [one for type in ("Conversation", "Question", "SmallTalk") for one in heard.get(type, ())]
    best = max(senses, key=lambda one: float(one["confidence"]), default=None)
    return NONE if best is None else str(best["value"]["value"])


def test_questions_as_people_type_them_are_answered_and_others_are_not(bot: tuple[Bot, Flow], flow: Flow) -> None:
    came = {(want, text): understood(bot[0], flow, text) for want in QUESTIONS for text in QUESTIONS[want]}
    answerable = {key: got for key, got in came.items() if key[0] != NONE}
    wrong = {key: got for key, got in answerable.items() if got not in (key[0], NONE)}
    missed = [key for key, got in answerable.items() if got == NONE]
    guessed = {key: got for key, got in came.items() if key[0] == NONE and got not in (NONE, BEYOND)}
    told = f"wrong: {wrong}\nmissed: {missed}\nguessed: {guessed}"
    assert len(wrong) <= 0.02 * len(answerable), told
    assert len(missed) <= 0.05 * len(answerable), told
    assert len(guessed) <= 5, told


def test_no_question_is_an_expression() -> None:
    training = json.loads((FOLDER / "training.json").read_text("utf-8"))
    values = [value for one in training["entity-definitions"] if isinstance(one["data"], list) for value in one["data"]]
    trained = {plain(expression) for value in values for expression in value.get("expressions", ())}
    assert [text for texts in QUESTIONS.values() for text in texts if plain(text) in trained] == []


def plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
