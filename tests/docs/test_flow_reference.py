"""The reference of the flow language: every key of the model has an example, and every example is run as it stands."""

from __future__ import annotations

import asyncio
import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.authoring import scenarios
from dialoom.authoring.play import Player
from dialoom.authoring.scenarios import read_suites
from dialoom.engine import compile_flow
from dialoom.flow import check_files, model, parts, read_bot, steps
from dialoom.flow.check.steps import COMMANDS
from dialoom.flow.schema import schema_of
from dialoom.flow.steps import STEP_TYPES
from dialoom.flow.words import word
from dialoom.languages import LANGUAGES, system_texts
from tests.docs.keys import keys_in, keys_of_model
from tests.docs.pages import (
    CODE,
    DOCS,
    PAGES,
    Section,
    example,
    expected,
    is_as_said,
    is_call,
    play,
    section,
    sections,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = [one.id for one in sections() if one.blocks]
PLAYED = [id for id in EXAMPLES if section(id).talk]

TABLES = {
    "Described": "flow#in-every-object",
    "FromEnvironment": "flow#a-secret",
    "BotFile": "flow#botjson",
    "Look": "flow#look",
    "Channel": "flow#channels",
    "BasicCredential": "flow#basic",
    "BearerCredential": "flow#bearer",
    "CertificateCredential": "flow#client-certificate",
    "FlowFile": "flow#flowjson",
    "Settings": "flow#settings",
    "Misunderstood": "flow#settingsmisunderstood",
    "Understanding": "flow#settingsunderstanding",
    "Commands": "flow#settingscommands",
    "Authentication": "flow#settingsauthentication",
    "LoginCard": "flow#display-of-a-login",
    "LoginTemplate": "flow#template-of-a-login",
    "Oidc": "flow#oidc",
    "Socialnet": "flow#socialnet",
    "Workchat": "flow#workchat",
    "ConfirmationPage": "flow#confirmation-page-contents",
    "Conversation": "flow#conversations",
    "_Step": "steps#all-steps",
    **{row.struct.__name__: f"steps#{row.name}" for row in STEP_TYPES.values()},
    "QuickReply": "displays#quick-reply",
    "SingleSelect": "displays#single-select",
    "MultiSelect": "displays#multi-select",
    "Carousel": "displays#carousel",
    "DatePicker": "displays#date-picker",
    "LocationPicker": "displays#location-picker",
    "Places": "displays#places",
    "PlaceTemplate": "displays#template-of-places",
    "Confirm": "displays#confirm",
    "OptionTemplate": "displays#template",
    "DataSource": "data-source#data-source",
    "Reactions": "reactions#reactions",
    "Validation": "reactions#validations",
    "ValidationParameters": "reactions#parameters",
    "TrainingFile": "training#trainingjson",
    "TraitType": "training#trait",
    "TraitValue": "training#data-of-a-trait",
    "KeywordsType": "training#keywords",
    "KeywordValue": "training#data-of-keywords",
    "DynamicData": "training#dynamic-data",
    "RegexType": "training#regex",
    "Pattern": "training#data-of-a-regex",
    "QnAType": "training#qna",
    "QnAValue": "training#data-of-a-qna",
}

CREDENTIALS = ("BasicCredential", "BearerCredential", "CertificateCredential")

NOT_IN_A_TALK = {
    "Described": {"$schema"},
    "BotFile": {"name", "avatar", "look", "access-token", "channels", "live-agents", "retention-days", "trace"},
    "Authentication": {
        "acknowledgements",
        "oidc",
        "socialnet",
        "workchat",
        "refresh",
        "forget-after",
        "binding",
        "confirmation-page-auto-redirect",
        "confirmation-page-contents",
        "confirmation-page-redirect-url-web",
    },
    **dict.fromkeys(("Look", "Channel", "Oidc", "Socialnet", "Workchat", "ConfirmationPage", *CREDENTIALS)),
}
"""What a talk cannot show: channels, secrets, and the login itself. None: every key of the object."""

NO_MATTER = {"missing-help", "few-expressions", "default-taken", "no-labeller", "shared-synonym"}
"""Warnings that a small example cannot help."""

SHOWN = {
    "flow#a-guess-asks-before-it-acts": "acts-on-a-guess",
    "steps#alternatives-and-sequences": "unset-entity",  # a text that prints nothing is not sent
}
"""What an example is there to show although it is found."""


@pytest.mark.parametrize("id", PLAYED)
def test_the_talk_of_an_example_goes_as_it_says(id: str) -> None:
    of = section(id)
    for (user, bot), (_, came, calls) in zip(of.talk or (), play(of), strict=True):
        alternatives, called = expected(bot)
        assert any(_is_same(came, wanted) for wanted in alternatives), f"{user} -> {came}"
        assert len(calls) == len(called), f"{user} -> {calls}"
        for request, codes in zip(calls, called, strict=True):
            assert is_call(request, codes), f"{user} -> {request}"


def _is_same(came: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    return len(came) == len(wanted) and all(map(is_as_said, came, wanted))


@cache
def shown_in(id: str) -> frozenset[tuple[str, str]]:
    files = example(section(id)).files
    return frozenset(pair for name, value in files.items() for pair in keys_in(name, value))


def rows(id: str) -> dict[str, list[str]]:
    """The table of an object: key to its row."""
    for table in section(id).tables:
        if table[0] == ["Key", "What it is", "Example"]:
            return {code: row for row in table[1:] for code in CODE.findall(row[0])}
    raise AssertionError(f"no table of keys under {id}")


def sentence(owner: str, key: str) -> str | None:
    """Return what the schema says of a key; a step may describe its own in its struct."""
    told: str | None = word(owner, key)
    if told is None:
        told = schema_of("flow.json")["$defs"][owner]["properties"][key].get("description")
    return told


def targets(of: Section, cell: str) -> list[str]:
    links = re.findall(r"\]\((?:([\w-]+)\.md)?#([\w-]+)\)", cell)
    return [f"{page or of.page}#{anchor}" for page, anchor in links]


@pytest.mark.parametrize("owner", TABLES)
def test_every_key_of_an_object_has_a_row_whose_example_shows_it(owner: str) -> None:
    of = section(TABLES[owner])
    table = rows(of.id)
    wanted = {key: needed for (name, key), needed in keys_of_model().items() if name == owner}
    assert set(table) == set(wanted)
    for key, needed in wanted.items():
        named, told, link = table[key]
        assert told.replace("\\<", "<") == sentence(owner, key), f"{owner}.{key}"
        assert ("(needed)" in named) == needed, f"{owner}.{key}"
        examples = targets(of, link)
        assert examples, f"{owner}.{key}"
        for id in examples:
            assert (owner, key) in shown_in(id), f"{id} does not show {owner}.{key}"
        left_out = NOT_IN_A_TALK.get(owner, set())
        if left_out is not None and key not in left_out:
            assert any(id in PLAYED for id in examples), f"{owner}.{key} is in no talk"


def test_the_table_of_steps_says_what_the_rows_of_the_types_say() -> None:
    told = {CODE.findall(row[0])[0]: row[1:] for row in section("steps#steps").tables[0][1:]}
    assert {name: does for name, (does, _) in told.items()} == {row.name: row.does for row in STEP_TYPES.values()}
    for name, (_, passed) in told.items():
        assert passed.startswith("its entity") == STEP_TYPES[name].is_done_by_value, name


def test_every_key_stands_in_the_list_from_a_to_z_with_all_its_places() -> None:
    of = section("flow#every-key-from-a-to-z")
    listed = {CODE.findall(row[0])[0]: set(targets(of, row[1])) for row in of.tables[0][1:]}
    places: dict[str, set[str]] = {}
    for owner, key in keys_of_model():
        places.setdefault(key, set()).add(TABLES[owner])
    assert listed == places
    assert list(listed) == sorted(listed, key=lambda key: key.lower().lstrip("$"))


def test_no_object_of_the_model_is_left_out() -> None:
    assert {owner for owner, _ in keys_of_model()} == set(TABLES)


@pytest.mark.parametrize("id", EXAMPLES)
def test_an_example_loads_without_an_error_or_a_warning_that_it_could_help(id: str) -> None:
    of = section(id)
    shown = example(of)
    said = [json.loads(found[0]) for user, _ in of.talk or () if (found := re.search(r"\{.*\}", user))]
    suite = shown.suite or {"scenarios": [shown.scenario | {"steps": [{"user": user} for user in said]}]}
    found = check_files(whole(shown.files) | {"tests/shown.json": json.dumps(suite)})
    allowed = {*NO_MATTER, SHOWN.get(id)}
    assert [str(one) for one in found if one.rule not in allowed] == []


def test_every_form_of_a_command_is_played() -> None:
    forms = CODE.findall("".join(row[0] for row in section("steps#commands").tables[0][1:]))
    assert {form.split()[0] for form in forms} == set(COMMANDS)
    steps = [step for id in PLAYED for step in _steps(example(section(id)).files)]
    commands = [step["command"] for step in steps if step.get("type") == "command"]
    for form in forms:
        pattern = re.sub(r"<\w+>", r"\\S+", form)
        assert any(re.fullmatch(pattern, command) for command in commands), form


def _steps(files: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for conversation in files.get("flow.json", {}).get("conversations", {}).values():
        yield from conversation["steps"]


def test_every_kind_of_validation_is_played() -> None:
    kinds = set(schema_of("flow.json")["$defs"]["Validation"]["properties"]["type"]["enum"])
    steps = [step for id in PLAYED for step in _steps(example(section(id)).files)]
    checks = [check["type"] for step in steps for check in step.get("reactions", {}).get("validations", ())]
    assert set(checks) == kinds


def test_defaults_are_those_of_the_model() -> None:
    told = 0
    for owner, id in TABLES.items():
        struct = next(getattr(module, owner) for module in (model, parts, steps) if hasattr(module, owner))
        defaults = {one.encode_name: one.default for one in msgspec.structs.fields(struct)}
        for key, row in rows(id).items():
            said = re.search(r"; (\S+) by default", row[1])
            if said is not None and isinstance(defaults.get(key), bool | int | float | str):
                told += 1
                assert said[1] == json.dumps(defaults[key]).strip('"'), f"{owner}.{key}"
    assert told >= 10


def test_every_name_of_memory_is_seen_in_a_talk() -> None:
    table = next(table for table in section("memory#memory").tables if table[0][0] == "Name")
    for name, _, link in table[1:]:
        for id in targets(section("memory#memory"), link):
            assert id in PLAYED, id
            for code in CODE.findall(name):
                assert re.search(rf"\{{\{{[^}}]*\b{code}\b", section(id).text), f"{id} does not show {code}"
    said = section("memory#the-user").text
    for heading, name in (("memory#user", "user"), ("memory#_system", "_system")):
        for row in section(heading).tables[0][1:]:
            for code in CODE.findall(row[0]):
                assert f"{{{{{name}.{code}}}}}" in said, code


def test_no_two_headings_of_a_page_have_one_anchor() -> None:
    ids = [one.id for one in sections()]
    assert [id for id in ids if ids.count(id) > 1] == []


COMMAND_PHRASES = ("back", "stop", "skip")
LABELS = ("yes", "no", "confirm", "next_page", "previous_page", "restart", "open", "submit", "select")
SENTENCES = ("invalid_replies", "not_a_yes", "stopped", "general_failure", "previous_conversation_messages")
OWN_QUESTIONS = (
    *("stop_question", "guess_question", "which_question", "you_can_say"),
    *("meant_question", "meant_either", "neither"),
)
LOGINS = ("login_code_wrong", "login_code_void")


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("labels", LABELS),
        ("commands", COMMAND_PHRASES),
        ("sentences", SENTENCES),
        ("questions-of-its-own", OWN_QUESTIONS),
        ("logins", LOGINS),
    ],
)
def test_the_texts_of_the_service_are_those_of_the_page(heading: str, names: tuple[str, ...]) -> None:
    table = section(f"system-texts#{heading}").tables[0][1:]
    assert {row[0].strip("`") for row in table} == set(LANGUAGES)
    for row in table:
        language = row[0].strip("`")
        told = msgspec.structs.asdict(system_texts(language))
        assert row == [f"`{language}`", *(_joined(told[name]) for name in names)]


def _joined(texts: str | tuple[str, ...]) -> str:
    return texts if isinstance(texts, str) else ", ".join(texts)


def test_links_to_a_heading_of_these_pages_lead_there() -> None:
    ids = {one.id for one in sections()}
    broken = []
    for file in DOCS.parent.rglob("*.md"):
        links = re.findall(r"\]\(([\w./-]*\.md)?#([\w-]+)\)", file.read_text("utf-8"))
        for path, anchor in links:
            to = (file.parent / path).resolve() if path else file
            if to.parent == DOCS and to.stem in PAGES and f"{to.stem}#{anchor}" not in ids:
                broken.append(f"{file.name}: {path}#{anchor}")
    assert broken == []


# ---- conversation tests ------------------------------------------------------------------------------------------

OF_TESTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "tests#the-file": (scenarios.RawSuite,),
    "tests#scenarios": (scenarios.RawScenario,),
    "tests#steps-of-a-scenario": (scenarios.TestStep,),
    "tests#user": (scenarios.UserTurn,),
    "tests#attachments": (scenarios.File,),
    "tests#event": (scenarios.Happens,),
}


@pytest.mark.parametrize("id", OF_TESTS)
def test_every_key_of_a_conversation_test_has_a_row_whose_example_shows_it(id: str) -> None:
    fields = {one.encode_name: one for struct in OF_TESTS[id] for one in msgspec.structs.fields(struct)}
    table = rows(id)
    assert set(table) == set(fields)
    for key, (named, _, link) in table.items():
        assert ("(needed)" in named) == fields[key].required, key
        for example_id in targets(section(id), link):
            assert f'"{key}":' in json.dumps(example(section(example_id)).suite), f"{example_id} does not show {key}"


@pytest.mark.parametrize("id", [id for id in EXAMPLES if id.startswith("tests#")])
def test_the_test_files_of_the_page_pass(id: str, tmp_path: Path) -> None:
    made = example(section(id))
    for name, text in whole(made.files).items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "page.json").write_text(json.dumps(made.suite), "utf-8")
    bot = read_bot(tmp_path)
    player = Player(bot, compile_flow(bot))
    (suite,) = read_suites(tmp_path)
    modes = {scenario.mode for scenario in suite.scenarios}
    run = [one for one in suite.scenarios if one.mode == ("fit" if "fit" in modes else "it")]
    assert run
    for scenario in run:
        assert asyncio.run(player.play(scenario)).lines == (), scenario.title
