from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.errors import FlowError
from dialoom.flow import check_files, check_folder, files_of, read_bot, read_files
from dialoom.flow.parts import MultiSelect, SingleSelect
from dialoom.flow.read import MAX_FINDINGS
from dialoom.flow.steps import Command, Message, Question
from tests.flow.files import WHOLE_BOT, WHOLE_FLOW, WHOLE_TRAINING, certain, steps, texts, whole

if TYPE_CHECKING:
    from pathlib import Path

TWELVE = """{
  "settings": {
    "timezone": "Europe/Wien",
    "invalid-replies": 12345678
  },
  "conversations": {
    "welcome": {
      "type": "suport",
      "steps": []
    },
    "book": {
      "type": "goal",
      "steps": [
        {"type": "qestion", "entity": "a"},
        {
          "type": "question",
          "entity": "city",
          "entity-type": "Cty",
          "display": {"type": "quickreply"}
        },
        {
          "type": "question",
          "entity": "date",
          "entity-type": "Date",
          "mesages": ["When?"],
          "reactions": {"validations": [{"type": "regex", "parameters": {"value": "ab(c"}}]}
        },
        {"type": "conversation", "conversation": "welcom"},
        {"type": "command", "command": "go-to bok"},
        {"type": "webhook", "data-source": {"method": "GET"}},
        {"type": "message", "messages": ["Thank you, {{#if name}}friend"]}
      ]
    }
  }
}
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_twelve_mistakes_give_twelve_findings_each_at_its_line_and_column() -> None:
    training = {"entity-definitions": [{"name": "City", "lookup-strategy": "keywords", "data": []}]}
    files = {**texts({"id": "bot"}, {}, training), "flow.json": TWELVE}
    found = check_files(files)
    assert [(finding.line, finding.column, finding.rule) for finding in found if finding.severity == "error"] == [
        (3, 17, "bad-timezone"),
        (4, 24, "wrong-type"),
        (8, 15, "not-allowed"),
        (14, 18, "not-allowed"),
        (18, 26, "unknown-entity-type"),
        (19, 31, "not-allowed"),
        (25, 11, "unknown-key"),
        (26, 86, "bad-regex"),
        (28, 50, "unknown-conversation"),
        (29, 40, "unknown-conversation"),
        (30, 44, "data-source"),
        (31, 54, "bad-template"),
    ]
    with pytest.raises(FlowError) as error:
        read_files(files)
    assert len(error.value.findings) == 12
    assert error.value.findings[5] == (
        'flow.json:19:31 conversations/book/steps/1/display/type: "quickreply" is no display. Did you mean "quick-reply"?'
    )


def test_a_bot_that_uses_every_key_is_read_without_an_error() -> None:
    found = check_files(whole())
    wrong = [str(finding) for finding in found if finding.severity == "error"]
    assert wrong == []


def test_mistakes_in_all_three_files_are_told_together() -> None:
    found = check_files(
        {"bot.json": '{"id": 3}', "flow.json": '{"conversations": {,}}', "training.json": '{"entities": []}'}
    )
    assert [(finding.file, finding.rule) for finding in found] == [
        ("bot.json", "wrong-type"),
        ("flow.json", "broken-json"),
        ("training.json", "unknown-key"),
    ]


def test_names_of_a_file_that_cannot_be_read_are_not_called_dangling() -> None:
    flow = {
        "conversations": {
            "a": {
                "type": "goal",
                "steps": [
                    {
                        "type": "question",
                        "entity": "x",
                        "entity-type": "Mine",
                        "display": {
                            "type": "quick-reply",
                            "data-source": {"endpoint": "https://a.at", "method": "GET", "authentication-method": "me"},
                        },
                    }
                ],
            }
        }
    }
    found = check_files({"bot.json": "{", "flow.json": json.dumps(flow), "training.json": "["})
    assert {finding.rule for finding in found} == {"broken-json"}


def test_training_json_may_be_left_out_and_the_others_may_not() -> None:
    assert read_files(texts({"id": "bot"}, {"conversations": {}})).training.entity_definitions == ()
    assert [(finding.file, finding.rule) for finding in check_files({})] == [
        ("bot.json", "missing-file"),
        ("flow.json", "missing-file"),
    ]


def test_a_file_with_a_misspelt_name_is_recognised(tmp_path: Path) -> None:
    write(tmp_path, {"bot.json": '{"id": "bot"}', "flows.json": "{}"})
    (found,) = check_folder(tmp_path)
    assert str(found) == 'flow.json:1:1: The folder has no flow.json. Did you mean "flows.json"?'


def test_a_folder_and_the_published_texts_of_it_give_the_same_bot(tmp_path: Path) -> None:
    write(tmp_path, texts({"id": "bot"}, {"conversations": {"help": {"type": "support"}}}, {"entity-definitions": []}))
    (tmp_path / "tests").mkdir()
    files = files_of(tmp_path)
    assert sorted(files) == ["bot.json", "flow.json", "training.json"]
    assert read_files(files) == read_bot(tmp_path)


def test_white_space_and_the_order_of_keys_make_no_other_version() -> None:
    files = texts({"id": "bot", "name": "Bot"}, {"conversations": {}})
    same = {"bot.json": '\ufeff{"name":"Bot","id":"bot"}', "flow.json": '{"conversations":{}}'}
    other = texts({"id": "bot", "name": "Another"}, {"conversations": {}})
    assert read_files(files).version == read_files(same).version
    assert read_files(files).version != read_files(other).version


def test_an_empty_text_counts_as_absent_for_selector_payload_metadata_and_image() -> None:
    source = {"endpoint": "https://a.at", "method": "GET", "selector": "", "payload": ""}
    flow = {
        "conversations": {
            "a": {
                "type": "goal",
                "steps": [
                    {"type": "webhook", "data-source": source},
                    {
                        "type": "question",
                        "entity": "x",
                        "entity-type": "City",
                        "display": {"type": "quick-reply", "data": [{"title": "Graz", "image": ""}]},
                    },
                    {
                        "type": "question",
                        "entity": "y",
                        "entity-type": "City",
                        "display": {
                            "type": "quick-reply",
                            "data": ["Graz"],
                            "template": {"title": "{{this}}", "image": ""},
                        },
                    },
                ],
            }
        }
    }
    training = {
        "entity-definitions": [
            {"name": "City", "lookup-strategy": "keywords", "data": [{"value": "Graz", "metadata": ""}]}
        ]
    }
    bot = read_files(texts({"id": "bot"}, flow, training))
    webhook, with_option, with_template = bot.flow.conversations["a"].steps
    assert webhook.data_source.selector is None
    assert repr(webhook.data_source.payload) == "UNSET"
    assert with_option.display.data == ({"title": "Graz"},)
    assert with_template.display.template.image is None
    assert bot.training.entity_definitions[0].data[0].metadata is None


def test_an_empty_text_inside_plain_data_stays() -> None:
    source = {"endpoint": "https://a.at", "method": "POST", "payload": {"selector": "", "image": ""}}
    bot = read_files(
        texts(
            {"id": "bot"},
            {"conversations": {"a": {"type": "goal", "steps": [{"type": "webhook", "data-source": source}]}}},
        )
    )
    assert bot.flow.conversations["a"].steps[0].data_source.payload == {"selector": "", "image": ""}


def test_a_select_without_type_is_single_or_multi_by_the_question() -> None:
    display = {"title": "Choose", "data": ["a"]}
    question = {"type": "question", "entity": "x", "entity-type": "Text", "display": display}
    flow = {
        "conversations": {"a": {"type": "goal", "steps": [question, {**question, "capture-multiple-values": True}]}}
    }
    one, many = read_files(texts({"id": "bot"}, flow)).flow.conversations["a"].steps
    assert isinstance(one, Question)
    assert isinstance(many, Question)
    assert isinstance(one.display, SingleSelect)
    assert isinstance(many.display, MultiSelect)


def test_a_display_without_type_in_a_message_step_is_told() -> None:
    found = steps({"type": "message", "messages": ["a"], "display": {"data": ["a"]}})
    assert [(finding.rule, finding.message) for finding in found] == [
        ("missing-key", '"type" is missing: a quick-reply needs it. Allowed: quick-reply.')
    ]


@pytest.mark.parametrize("days", ["30", "30.0", "3e1", "36500.0"])
def test_a_whole_number_may_be_written_with_a_point(days: str) -> None:
    bot = read_files({"bot.json": f'{{"id": "bot", "retention-days": {days}}}', "flow.json": '{"conversations": {}}'})
    assert bot.file.retention_days == float(days)
    assert isinstance(bot.file.retention_days, int)


def test_texts_that_look_like_something_else_stay_texts() -> None:
    words = ("null", "true", "1", "1.5", "")
    steps: list[dict[str, Any]] = [{"type": "message", "messages": [word]} for word in words]
    steps += [{"type": "command", "command": "set-entity", "entity": "a", "data": word} for word in words]
    flow = {"conversations": {"help": {"type": "support", "display-name": "null", "steps": steps}}}
    read = read_files(texts({"id": "bot", "name": "null"}, flow))
    assert (read.file.name, read.flow.conversations["help"].display_name) == ("null", "null")
    kept = read.flow.conversations["help"].steps
    assert [step.messages for step in kept if isinstance(step, Message)] == [(word,) for word in words]
    assert [step.data for step in kept if isinstance(step, Command)] == list(words)


def test_commands_of_the_settings_win_command_by_command() -> None:
    flow = {
        "conversations": {},
        "commands": {"NEXT-PAGE": ["more"], "RESTART": ["again"]},
        "settings": {"commands": {"NEXT-PAGE": ["further"], "PREVIOUS-PAGE": ["back"]}},
    }
    commands = read_files(texts({"id": "bot"}, flow)).commands
    assert (commands.next_page, commands.previous_page, commands.restart) == (("further",), ("back",), ("again",))


def test_a_linters_error_does_not_keep_the_bot_from_loading() -> None:
    training = {"entity-definitions": [{"name": "City", "lookup-strategy": "keywords", "data": [{"value": "Graz"}]}]}
    flow = {
        "conversations": {
            "a": {
                "type": "goal",
                "steps": [
                    {
                        "type": "question",
                        "entity": "c",
                        "entity-type": "City",
                        "display": {"type": "quick-reply", "data": ["Linz"]},
                    }
                ],
            }
        }
    }
    files = texts({"id": "bot"}, flow, training)
    (found,) = (finding for finding in check_files(files) if finding.severity == "error")
    assert (found.rule, found.prevents_loading) == ("unmatched-option", False)
    assert isinstance(read_files(files).flow.conversations["a"].steps[0], Question)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b'{"id":\n "\xfc"}', "is no UTF-8"),
    ],
)
def test_a_file_that_is_no_utf_8_is_told_and_the_others_are_read(tmp_path: Path, content: bytes, words: str) -> None:
    write(tmp_path, {"flow.json": '{"conversation": {}}'})
    (tmp_path / "bot.json").write_bytes(content)
    found = check_folder(tmp_path)
    assert words in found[0].message
    assert [finding.file for finding in found] == ["bot.json", "flow.json", "flow.json"]
    with pytest.raises(FlowError, match=r"bot\.json"):
        files_of(tmp_path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match="is no folder"):
        read_bot(tmp_path / "nowhere")


@given(st.dictionaries(st.sampled_from(["bot.json", "flow.json", "training.json"]), st.binary(max_size=80)))
@settings(max_examples=150)
def test_any_bytes_as_any_of_the_files_give_findings(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("bot")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    found = check_folder(folder)
    assert found
    "\n".join(map(str, found)).encode()


odd_values = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        10**30,
        1.5,
        30.0,
        1e300,
        "",
        " ",
        "x",
        "{{",
        "{{x}}",
        "go-to ",
        "a\nb",
        "*",
        [],
        {},
        [[]],
        [None],
        {"": 1},
        {"type": "x"},
        {"env": 1},
    ]
)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_a_value_of_any_kind_at_any_place_is_told_or_read(data: st.DataObject) -> None:
    files = copy.deepcopy({"bot.json": WHOLE_BOT, "flow.json": WHOLE_FLOW, "training.json": WHOLE_TRAINING})
    holder: Any = files
    key: Any = data.draw(st.sampled_from(sorted(files)))
    while isinstance(holder[key], dict | list) and holder[key] and data.draw(st.integers(0, 9)) > 0:
        holder = holder[key]
        key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
    holder[key] = data.draw(odd_values)
    published = texts(files["bot.json"], files["flow.json"], files["training.json"])
    found = check_files(published)
    "\n".join(map(str, found)).encode()
    for finding in found:
        assert finding.line <= published.get(finding.file, "").count("\n") + 1
    if not any(finding.prevents_loading for finding in found):
        assert read_files(published).version


def test_a_doubled_conversation_hides_no_mistake_of_its_first_copies() -> None:
    flow = """{"conversations": {
      "book": {"type": "goal", "steps": [
        {"type": "mesage"},
        {"type": "conversation", "conversation": "hlep"}]},
      "book": {"type": "gaol", "steps": [{"type": "command", "command": "go-to help"}]},
      "book": {"type": "goal", "stps": []},
      "help": {"type": "support"}}}"""
    found = check_files({"bot.json": '{"id": "bot"}', "flow.json": flow})
    assert [(finding.line, finding.rule) for finding in found] == [
        (3, "not-allowed"),
        (4, "unknown-conversation"),
        (5, "doubled-key"),
        (5, "not-allowed"),
        (6, "doubled-key"),
        (6, "unknown-key"),
    ]
    assert found[0].path == "conversations/book/steps/0/type"


def test_the_first_copy_of_a_doubled_key_makes_no_mistakes_outside_of_itself() -> None:
    flow = """{"conversations": {"old": {"type": "goal", "steps": []}},
      "conversations": {"new": {"type": "goal", "steps": [{"type": "message", "type": "question",
        "entity": "a", "entity-type": "Text"}]}}}"""
    training = """{"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait",
        "data": [{"value": "new"}]}]}"""
    found = check_files({"bot.json": '{"id": "bot"}', "flow.json": flow, "training.json": training})
    assert [finding.rule for finding in certain(found) if finding.rule != "no-message"] == ["doubled-key"] * 2


def test_a_key_that_is_doubled_very_often_is_read_a_few_times_only() -> None:
    flow = '{"conversations": {' + ", ".join(['"a": {"type": "gaol"}'] * 900) + "}}"
    found = check_files({"bot.json": '{"id": "bot"}', "flow.json": flow})
    assert [finding.rule for finding in found].count("doubled-key") == 899
    assert 2 <= [finding.rule for finding in found].count("not-allowed") <= 10


def test_a_mistake_under_an_empty_key_is_told_where_it_stands() -> None:
    flow = '{"conversations": {\n "": {"type": "goal",\n  "steps": {}}, "a": {"type": "goal", "": 1}}}'
    found = check_files({"bot.json": '{"id": "bot"}', "flow.json": flow})
    assert [(finding.line, finding.column, finding.rule, finding.path) for finding in certain(found)] == [
        (2, 2, "blank-name", "conversations/"),
        (3, 12, "wrong-type", "conversations//steps"),
        (3, 39, "unknown-key", "conversations/a/"),
    ]


def test_of_a_folder_that_is_not_there_only_that_is_told(tmp_path: Path) -> None:
    assert [finding.rule for finding in check_folder(tmp_path / "nowhere")] == ["missing-folder"]


def test_of_very_many_mistakes_a_thousand_are_told() -> None:
    flow = json.dumps({"conversations": {}} | {f"key-{number}": 1 for number in range(MAX_FINDINGS + 500)})
    found = check_files({"bot.json": '{"id": "bot"}', "flow.json": flow})
    assert [finding.rule for finding in found].count("unknown-key") <= MAX_FINDINGS == len(found) - 1
    assert [finding.prevents_loading for finding in found if finding.rule == "too-many-findings"] == [True]


def test_an_error_behind_very_many_warnings_is_told_and_the_bot_does_not_load() -> None:
    webhook = {"type": "webhook", "entity": "answer", "data-source": {"endpoint": "https://a.at"}}
    webhooks = [webhook] * (MAX_FINDINGS + 1)
    last = [
        {"type": "question", "entity": "city", "entity-type": "Cty", "messages": ["Where?"]},
        {"type": "conversation", "conversation": "nowhere"},
    ]
    flow = {"conversations": {"book": {"type": "goal", "steps": [*webhooks, *last]}}}
    files = {"bot.json": '{"id": "bot"}', "flow.json": json.dumps(flow)}
    found = check_files(files)
    assert [one.rule for one in found if one.severity == "error"] == ["unknown-entity-type", "unknown-conversation"]
    assert [one.severity for one in found if one.rule == "too-many-findings"] == ["warning"]
    with pytest.raises(FlowError):
        read_files(files)
