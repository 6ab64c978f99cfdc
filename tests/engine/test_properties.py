"""Any list of events: a turn never raises, its state survives storing, and a replay gives the same bytes."""

from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dialoom.engine import Flow, State, Turn, begin, compile_flow, turn
from dialoom.engine.effects import Effect, Failed, Heard, Send
from dialoom.engine.events import (
    Attached,
    Attachment,
    Began,
    CodeRefused,
    ContextGiven,
    Event,
    Fetched,
    Located,
    LoggedIn,
    LoggedOut,
    LoginFailed,
    NoResponse,
    Picked,
    Response,
    Said,
    TimedOut,
)
from dialoom.messages import Profile
from tests.engine.flows import FLOWS
from tests.engine.talking import (
    bot,
    check,
    confirm,
    do,
    goal,
    hook,
    keywords,
    q,
    quick,
    run,
    say,
    support,
    trait,
    unchecked,
)

WORDS = trait(
    book=["book", "I want to book"],
    taxi=["taxi"],
    loop=["loop"],
    help=["help"],
    info=["info"],
    welcome=["hi"],
    restart=["anew"],
)
CITY = keywords("city", Sofia=["capital"], Varna=[], Springfield_A=["springfield"], Springfield_B=["springfield"])
FAQ = {
    "name": "faq",
    "lookup-strategy": "QnA",
    "data": [{"value": "pets", "expressions": ["my dog"], "answers": ["Yes.", "Sure."]}],
}
SOURCE = {
    "type": "quick-reply",
    "data-source": {"endpoint": "https://api.test/{{to}}"},
    "template": {"title": "{{name}}", "value": "{{id}}"},
}

FLOW = compile_flow(
    unchecked(
        {
            "welcome": support(
                say("Hello!", "Hi!", "Hey!"), q("mood", "Text", conditions=["{{$not ($has conversation)}}"])
            ),
            "help": support(say("Help."), q("topic", "city", display=quick())),
            "restart": support(say("Anew."), do("go-to info")),
            "info": support(
                hook("info", "https://api.test/info", "{{info.a}}"), do("set-entity", entity="seen", data="{{info}}")
            ),
            "book": goal(
                q("to", "city", reactions={"acknowledgements": ["{{to}}."]}),
                q("hall", "Text", display=SOURCE),
                q("day", "Date", reactions={"validations": [check("range", "Past.", min="today")]}),
                q(
                    "n",
                    "Number",
                    reactions={
                        "validations": [
                            {
                                "type": "custom",
                                "parameters": {
                                    "condition": "{{$gt n 0}}",
                                    "data-source": {"endpoint": "https://api.test/{{n}}"},
                                },
                                "error-message": ["No {{n}}."],
                            }
                        ]
                    },
                ),
                run("who", conditions=["{{$gt n 2}}"]),
                hook("price", "https://api.test/price?n={{n}}", "{{$currency price 'USD'}}"),
                confirm("ok", "{{to}} {{day}} {{n}}?"),
                do("invalidate-entity", entities=["day", "n"], conditions=["{{$not ok}}"]),
                say("{{#each list}}{{this}}{{/each}}", "Done</newline>and done."),
            ),
            "who": support(q("name"), q("color", "city", capture_multiple_values=True)),
            "taxi": goal(q("where", "Location"), q("picture", "File"), q("to", "city"), say("Off.")),
            "loop": goal(say("x"), do("go-to back")),
            "back": goal(do("go-to loop")),
        },
        WORDS,
        CITY,
        FAQ,
        persist_entities=["name"],
    )
)

SECURED = compile_flow(
    unchecked(
        {
            "welcome": support(say("Hello!"), say("Only you.", protected=True)),
            "help": support(say("Help."), q("topic", "city", display=quick())),
            "restart": support(say("Anew.")),
            "info": support(q("seen", "Number", protected=True), say("{{token.sub}}")),
            "book": goal(
                q("to", "city", reactions={"acknowledgements": ["{{to}}."]}),
                hook("price", "https://api.test/price", "{{$currency price 'USD'}}", protected=True),
                q("hall", "Text", display=SOURCE, protected=True),
                run("who", protected=True),
                do("logout", conditions=["{{$eq to 'Varna'}}"]),
                confirm("ok", protected=True),
                do("invalidate-entity token", conditions=["{{$not ok}}"]),
            ),
            "who": support(q("name"), do("set-entity", entity="list", data="{{token}}")),
            "taxi": goal(do("stay-silent 1"), say("Off, {{token.sub}}.", protected=True)),
            "loop": goal(say("x", protected=True), do("go-to loop")),
        },
        WORDS,
        CITY,
        FAQ,
        authentication={
            "entity": "token",
            "messages": ["Log in, {{$currency to 'USD'}}."],
            "acknowledgements": ["Thanks, {{$currency token.sub 'USD'}}."],
            "display": {"type": "login", "template": {"title": "Log in"}},
            "oidc": {"issuer": "https://id.test", "client-id": "c", "client-secret": {"env": "BOT_SECRET"}},
            "refresh": True,
        },
    )
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
SAYINGS = st.sampled_from(
    ["book", "taxi", "loop", "help", "info", "hi", "anew", "restart", "next 5", "prev 5", "yes", "no", "Sofia", "springfield", "Sofia and Varna",
     "from Sofia to Varna", "change the end day to the 5th", "A-1", "I am glad", "ada@example.org", "confirm",
     "tomorrow", "3", "-1", "A", "my dog", "make it Varna, 4 people on the 25th", "nonsense", "", "I want to book for 3 tomorrow"]
) | st.text(max_size=20)  # fmt: skip
CONTEXT = st.just({}) | st.dictionaries(
    st.sampled_from(["to", "n", "ok", "list", "info", "x", "user", "conversation", "price"]), JSON, max_size=2
)
LOGINS = st.fixed_dictionaries(
    {"access_token": st.sampled_from(["opaque", "", "e30.eyJleHAiOjF9.x"]) | JSON},
    optional={"sub": st.sampled_from(["a", "b", 1]), "expires_at": JSON},
) | st.dictionaries(st.text(max_size=5), JSON, max_size=3)
KEYS = st.from_regex(r"[0-9]{1,2}\.([0-9]|next|previous)", fullmatch=True) | st.text(max_size=6)


def events() -> st.SearchStrategy[dict[str, Any]]:
    common = {
        "seed": st.integers(0, 2**48),
        "gap": st.sampled_from([0, 1, 1000, 60_000, 90_000_000]),
        "context": CONTEXT,
    }
    return st.one_of(
        st.fixed_dictionaries({"kind": st.just(Said), "text": SAYINGS, **common}),
        st.fixed_dictionaries({"kind": st.just(Said), "text": SAYINGS, **common}),
        st.fixed_dictionaries({"kind": st.just(Said), "text": SAYINGS, **common}),
        st.fixed_dictionaries({"kind": st.just(Picked), "value": JSON | SAYINGS, "ask": st.sampled_from([None, None, "1", "2", "x"]), **common}),
        st.fixed_dictionaries({"kind": st.just(Picked), "key": KEYS, **common}),
        st.fixed_dictionaries({"kind": st.just(Picked), "keys": st.lists(KEYS, max_size=3).map(tuple), **common}),
        st.fixed_dictionaries({"kind": st.just(Located), "latitude": st.floats(-90, 90), "longitude": st.floats(-180, 180), **common}),
        st.fixed_dictionaries({"kind": st.just(Attached), "files": st.just((Attachment("https://f.test/1", "image/png", None, ("cat",)),)), **common}),
        st.fixed_dictionaries({"kind": st.just(Began), "clear": st.booleans(), **common}),
        st.fixed_dictionaries({"kind": st.just(ContextGiven), **common}),
        st.fixed_dictionaries({"kind": st.just(TimedOut), "timer": st.sampled_from(["session", "silence"]), **common}),
        st.fixed_dictionaries({"kind": st.just(LoggedIn), "value": LOGINS, "is_typed": st.booleans(), **common}),
        st.fixed_dictionaries({"kind": st.just(CodeRefused), "left": st.integers(0, 2), **common}),
        st.fixed_dictionaries({"kind": st.just(LoginFailed), "reason": st.sampled_from(["", "The provider is away."]), **common}),
        st.fixed_dictionaries({"kind": st.just(LoggedOut), **common}),
    )  # fmt: skip


RESPONSES = st.one_of(
    JSON.map(
        lambda value: Response(
            status=200, headers={"content-type": ["application/json"]}, body=msgspec.json.encode(value)
        )
    ),
    st.just(Response(status=200, body=b'[{"name":"A","id":1},{"name":"B","id":"2"}]')),
    st.just(Response(status=200, body=b'[{"name":"A","id":1},{"name":"B","id":"2"}]')),
    st.just(Response(status=200, body=b'{"access_token":"opaque"}')),
    st.binary(max_size=20).map(
        lambda body: Response(status=200, headers={"content-type": ["text/plain; charset=utf-16"]}, body=body)
    ),
    st.sampled_from([204, 301, 404, 500]).map(lambda code: Response(status=code)),
    st.just(NoResponse("timeout", "nothing came")),
)

TALK = st.lists(st.tuples(events(), st.lists(RESPONSES, min_size=6, max_size=6)), min_size=1, max_size=12)


def event_of(row: dict[str, Any], number: int, now: int) -> Event:
    row = dict(row)
    kind, _ = row.pop("kind"), row.pop("gap")
    profile = Profile(id="u", provider="workplace-chat" if row["seed"] % 4 == 0 else "web")
    event: Event = kind(id=f"e{number}", now=now, profile=profile, **row)
    return event


def through_json(state: State) -> State:
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def through(rows: list[Any], *, stores: bool, flow: Flow = FLOW, is_traced: bool = False) -> list[bytes]:
    """All that a talk gives, as bytes: of every step the state and the effects."""
    state, now, seen = begin(), 1_795_176_000_000, []
    for number, (row, answers) in enumerate(rows):
        now += row["gap"]
        result = run_turn(flow, state, event_of(row, number, now), answers, stores=stores, is_traced=is_traced)
        assert (result.trace is not None) == is_traced
        state = through_json(result.state) if stores else result.state
        seen.append(msgspec.json.encode(state))
        seen.append(msgspec.json.encode(list(result.effects)))
        msgspec.json.decode(seen[-1], type=list[Effect])
    return seen


def run_turn(
    flow: Flow, state: State, event: Event, answers: list[Any], *, stores: bool = False, is_traced: bool = False
) -> Turn:
    """A turn to its end, its calls answered in order; what is missing got no answer."""
    left = list(answers)
    result = turn(flow, state, event, is_traced=is_traced)
    while (wanted := result.pending) is not None:
        assert result.effects == (wanted,)
        answer = left.pop(0) if left else NoResponse("timeout", "nothing came")
        is_there = isinstance(answer, Response)
        fetched = Fetched(key=wanted.key, response=answer if is_there else None, failure=None if is_there else answer)
        going_on = through_json(result.state) if stores else result.state
        result = turn(flow, going_on, fetched, is_traced=is_traced)
    return result


def talked(flow: Flow, state: State, rows: list[Any]) -> State:
    now = 1_795_176_000_000
    for number, (row, answers) in enumerate(rows):
        now += row["gap"]
        state = through_json(run_turn(flow, state, event_of(row, number, now), answers).state)
    return state


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALK)
def test_any_list_of_events_never_raises_and_continues_alike_from_what_was_stored(rows: list[Any]) -> None:
    assert through(rows, stores=True) == through(rows, stores=False)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALK)
def test_logins_at_any_time_never_raise_and_continue_alike_from_what_was_stored(rows: list[Any]) -> None:
    assert through(rows, stores=True, flow=SECURED) == through(rows, stores=False, flow=SECURED)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALK)
def test_a_replay_gives_the_same_bytes_with_and_without_a_trace(rows: list[Any]) -> None:
    assert through(rows, stores=False) == through(rows, stores=False, is_traced=True)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALK)
def test_a_turn_leaves_the_state_that_it_was_given_as_it_was(rows: list[Any]) -> None:
    state, now = begin(), 1_795_176_000_000
    for number, (row, _) in enumerate(rows):
        now += row["gap"]
        before = msgspec.json.encode(state)
        result = turn(FLOW, state, event_of(row, number, now))
        assert msgspec.json.encode(state) == before
        if result.pending is None:
            state = result.state


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(FLOWS, TALK)
def test_no_flow_that_loads_ever_raises_and_each_continues_alike_from_what_was_stored_and_with_a_trace(
    flow: Flow, rows: list[Any]
) -> None:
    assert through(rows, stores=True, flow=flow, is_traced=True) == through(rows, stores=False, flow=flow)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(FLOWS, TALK)
def test_after_every_message_the_bot_waits_for_an_answer_or_says_why_not(flow: Flow, rows: list[Any]) -> None:
    waits_or_says_why(flow, rows)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(TALK)
def test_so_it_does_where_steps_are_protected(rows: list[Any]) -> None:
    waits_or_says_why(SECURED, rows)


def waits_or_says_why(flow: Flow, rows: list[Any]) -> None:
    """What is open asks something, wants a login, is silent or has failed; what it says can be read."""
    state, now = begin(), 1_795_176_000_000
    for number, (row, answers) in enumerate(rows):
        now += row["gap"]
        event = event_of(row, number, now)
        result = run_turn(flow, state, event, answers)
        was_silent, state = state.silent_until > now, result.state
        sent = [effect.message for effect in result.effects if isinstance(effect, Send)]
        failed = [effect for effect in result.effects if isinstance(effect, Failed)]
        heard = [index for index, effect in enumerate(result.effects) if isinstance(effect, Heard)]
        assert len(failed) <= 1
        is_typed = isinstance(event, CodeRefused) or (isinstance(event, LoggedIn) and event.is_typed)
        assert len(heard) == (is_typed or isinstance(event, Said | Picked | Located | Attached))
        assert all(message.text.strip() or message.replies or message.dialog for message in sent)
        if isinstance(event, ContextGiven | TimedOut | LoginFailed | LoggedOut):
            assert not sent
        elif isinstance(event, CodeRefused) and event.left:
            assert was_silent or len(sent) == 1
        elif state.failures is not None:
            assert state.stack  # the next message tries the step again; a goal in between does not
        elif heard and state.stack and not was_silent and not failed and state.silent_until <= now:
            asks_login = any(message.dialog is not None and message.dialog.type == "login" for message in sent)
            # A message beside ``welcome`` may be answered by "Did you mean ...?", which then waits in its place.
            offers = state.own is not None and state.own.kind == "meant"
            assert state.ask is not None or offers or asks_login
        if state.ask is not None:
            node = flow.scripts[state.stack[-1].key].nodes[state.ask.node]
            assert node.type.asks


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(FLOWS, FLOWS, TALK, TALK)
def test_a_state_of_another_flow_never_makes_a_turn_raise(
    old: Flow, new: Flow, before: list[Any], after: list[Any]
) -> None:
    """Conversations, steps and options that the new one does not know are passed over."""
    state = talked(old, begin(), before)
    talked(new, state, after)


DISPLAYS_THAT_FAIL = compile_flow(
    unchecked(
        {
            "welcome": support(do("set-entity", entity="to", data="{{name}}")),
            "help": support(say("{{to}}"), do("invalidate-entity to")),
            "book": goal(
                q("to", "city", display=quick("Sofia", "Varna"), entity_display="{{$date n}}"),
                q("n", "Text", entity_display="{{$date n}}"),
                q("hall", "Text", display={"type": "single-select", "title": "Hall", "data": ["A", "{{to}}"]}),
                do("set-entity", entity="n", data={"a": "{{to}}"}),
                hook("price", "https://api.test/price?n={{n}}", "{{price}}"),
                confirm("ok"),
            ),
            "taxi": goal(
                q(
                    "x",
                    "Text",
                    entity_display="{{$date x}}",
                    reactions={"validations": [check("length", "{{x}}", min=3)]},
                )
            ),
        },
        WORDS,
        CITY,
        persist_entities=["to"],
    )
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALK)
def test_a_display_that_fails_never_makes_a_turn_raise(rows: list[Any]) -> None:
    through(rows, stores=False, flow=DISPLAYS_THAT_FAIL)


def test_a_digression_never_asks_the_open_question_twice() -> None:
    flow = bot(
        {"go": goal(q("n", "Number", "How many?")), "help": support(say("Help."))}, trait(go=["go"], help=["help"])
    )
    state = begin()
    for number, text in enumerate(["go", "help", "help", "go", "help"]):
        result = turn(flow, state, Said(id=f"e{number}", now=number, seed=number, profile=Profile(id="u"), text=text))
        state = result.state
        texts = [effect.message.text for effect in result.effects if hasattr(effect, "message")]
        assert texts.count("How many?") == 1
        assert texts.count("I am going back to go now.") <= 1
