"""What templates see of memory (flow-language.md sections 5 and 6)."""

from dialoom.messages import Profile
from tests.engine.talking import Chat, bot, do, goal, keywords, q, quick, say, support, talk, trait

GO = trait(go=["go"])


def shown(text: str, *, profile: Profile | None = None, **context: object) -> str:
    chat = Chat(bot({"help": support(say(text))}))
    more = {} if profile is None else {"profile": profile}
    [answer] = chat.say("hm", context=context, **more)
    return answer


def test_the_user_is_there_as_the_channel_knows_them() -> None:
    profile = Profile(
        id="7",
        channel="main",
        provider="web",
        first_name="Ada",
        last_name="L",
        external_id="x",
        avatar="a",
        locale="en-GB",
        timezone="Europe/Sofia",
    )
    text = "{{user.Id}} {{user.Channel}} {{user.FirstName}} {{user.LastName}} {{user.ExternalId}} {{user.Avatar}} {{user.Locale}} {{user.Timezone}}"
    assert shown(text, profile=profile) == "7 main Ada L x a en-GB Europe/Sofia"


def test_an_entity_named_user_is_laid_over_the_profile() -> None:
    flow = bot(
        {
            "help": support(
                do("set-entity", entity="user", data={"FirstName": "Bo", "plan": "gold"}),
                say("{{user.FirstName}} {{user.plan}} {{user.Id}}"),
            )
        }
    )
    assert Chat(flow).say("hm") == ["Bo gold u1"]


def test_system_tells_language_and_channel() -> None:
    assert shown("{{_system.culture}} {{_system.channel.ProviderName}} {{_system.debug}}") == "en web false"


def test_dates_and_times_print_in_their_own_form() -> None:
    flow = bot(
        {
            "go": goal(
                q("day", "Date"),
                q("time", "Time"),
                say("{{day}} {{time}} {{$date day 'DD/MM'}} {{$gt day '2026-11-20'}}"),
            )
        },
        GO,
    )
    talk(flow, [("go", ["day?"]), ("tomorrow", ["time?"]), ("3 pm", ["2026.11.21 15:00 21/11 true"])])


def test_a_custom_value_stands_for_its_value_and_has_its_metadata() -> None:
    car = {
        "name": "car",
        "lookup-strategy": "keywords",
        "data": [{"value": "Fiat", "synonyms": [], "metadata": {"price": 9}}],
    }
    flow = bot({"go": goal(q("car", "car"), say("{{car}} {{car.price}} {{$eq car 'Fiat'}} {{$json car}}"))}, GO, car)
    talk(flow, [("go", ["car?"]), ("fiat", ['Fiat 9 true {"price":9,"value":"Fiat"}'])])


def test_a_value_of_a_regex_type_stands_for_its_text() -> None:
    number = {"name": "number", "lookup-strategy": "regex", "data": {"pattern": "C-\\d{4}"}}
    flow = bot(
        {
            "go": goal(
                q("x", "number", display=quick({"title": "One", "value": "C-0001"})), say("{{x}} {{$eq x 'C-1234'}}")
            )
        },
        GO,
        number,
    )
    chat = talk(flow, [("go", ["x? [One]"]), ("it is C-1234", ["C-1234 true"]), ("go", ["x? [One]"])])
    assert chat.tap("One") == ["C-0001 false"]


def test_entity_display_changes_only_how_the_bare_value_prints() -> None:
    car = {
        "name": "car",
        "lookup-strategy": "keywords",
        "data": [{"value": "Fiat", "synonyms": [], "metadata": {"price": 9}}],
    }
    flow = bot(
        {
            "go": goal(
                q("car", "car", entity_display="a {{car}} for {{car.price}}"),
                q("day", "Date", entity_display="{{$date day 'mediumDate'}}"),
                say("{{car}}, {{car.price}}, {{$eq car 'Fiat'}}; {{day}}"),
            )
        },
        GO,
        car,
    )
    talk(flow, [("go", ["car?"]), ("fiat", ["day?"]), ("tomorrow", ["a Fiat for 9, 9, true; Nov 21, 2026"])])


def test_context_stands_at_the_top_and_answers_hide_it() -> None:
    flow = bot({"go": goal(q("n", "Number"), say("{{plan.name}} {{n}}"))}, GO)
    chat = Chat(flow)
    chat.tell(plan={"name": "gold"})
    chat.say("go")
    assert chat.say("4") == ["gold 4"]


def test_a_value_of_null_is_none() -> None:
    assert shown("[{{x}}] {{$has x}}", x=None) == "[] false"


def test_today_is_meant_in_the_bots_zone() -> None:
    flow = bot({"go": goal(q("day", "Date"), say("{{day}}"))}, GO, timezone="Pacific/Kiritimati")
    talk(flow, [("go", ["day?"]), ("today", ["2026.11.21"])])


def test_or_in_the_users_where_the_flow_wants_it() -> None:
    flow = bot({"go": goal(q("day", "Date"), say("{{day}}"))}, GO, use_user_timezone=True)
    far = Profile(id="u", timezone="Pacific/Kiritimati")
    chat = Chat(flow)
    chat.say("go", profile=far)
    assert chat.say("today", profile=far) == ["2026.11.21"]
    for zone in ("", "No/Where", "../etc", "America"):
        odd = Profile(id="u", timezone=zone)
        chat.say("go", profile=odd)
        assert chat.say("today", profile=odd) == ["2026.11.20"], zone


def test_text_is_not_escaped_and_newline_splits_it() -> None:
    assert shown("<b>{{x}}</b>", x="&") == "<b>&</b>"
    chat = Chat(bot({"help": support(say(["One</newline>Two </newline>  </newline>", "", "Three"]))}))
    assert chat.say("hm") == ["One", "Two ", "Three"]


def test_alternatives_are_chosen_by_the_seed() -> None:
    flow = bot({"help": support(say("a", "b", "c", "d"))})

    def said(seed: int) -> str:
        from dialoom.engine import begin, turn
        from dialoom.engine.effects import Send
        from dialoom.engine.events import Said

        event = Said(id="e", now=1, seed=seed, profile=Profile(id="u"), text="x")
        [text] = [effect.message.text for effect in turn(flow, begin(), event).effects if isinstance(effect, Send)]
        return text

    first = [said(seed) for seed in range(100)]
    assert set(first) == {"a", "b", "c", "d"}
    assert first == [said(seed) for seed in range(100)]


def test_a_persisted_date_still_prints_as_a_date_in_the_next_session() -> None:
    flow = bot({"go": goal(q("day", "Date"), say("{{day}}"))}, GO, persist_entities=["day"])
    chat = talk(flow, [("go", ["day?"]), ("tomorrow", ["2026.11.21"])])
    chat.wait(1440)
    assert chat.say("go") == ["2026.11.21"]


def test_a_keyword_type_with_two_values_of_one_name_is_no_trouble() -> None:
    flow = bot({"go": goal(q("x", "t"), say("{{x}}"))}, GO, keywords("t", a=["one"], b=["two"]))
    talk(flow, [("go", ["x?"]), ("one", ["a"])])


def test_a_display_that_fails_stops_the_flow_with_the_steps_path_until_a_restart() -> None:
    failure = "We are experiencing technical difficulties at this moment."
    flow = bot(
        {
            "go": goal(
                q("n", entity_display="{{$date n}}"),
                do("set-entity", entity="m", data="{{n}}"),
                q("hall", display={"type": "quick-reply", "data": ["A {{n}}"]}),
            ),
            "restart": support(say("Anew.")),
        },
        GO,
    )
    chat = talk(flow, [("go", ["n?"]), ("soon", [failure])])
    assert [step for step, _ in chat.failures] == ["go/1"]
    assert chat.say("hm") == [failure]
    assert [step for step, _ in chat.failures] == ["go/1"]
    assert chat.say("restart") == ["Anew."]
    assert chat.say("go") == ["n?"]


def test_a_display_that_reads_another_entity_shows_its_new_value() -> None:
    steps = [
        q("hours", "Number", entity_display="{{hours}} hours ({{word.text}})"),
        do("set-entity", entity="word", data={"text": "for {{hours}}"}),
        say("{{hours}}."),
        do("set-entity", entity="word", data={"text": "again"}),
        say("{{hours}}."),
    ]
    chat = Chat(bot({"go": goal(*steps)}, trait(go=["go"])))
    chat.say("go")
    assert chat.say("2") == ["2 hours (for 2).", "2 hours (again)."]
