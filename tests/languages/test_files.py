"""A language's file is whole: it says all that English says, with the same places to fill, and reads what a table must read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dialoom.languages import FOLDER, LANGUAGES, PARTIAL, reader_words, system_texts
from dialoom.languages.sections import compounds

TEXTS = ("system", "login", "channel", "chat")
WHOLE = [code for code in LANGUAGES if (words := reader_words(code).words) is not None and not words.with_library]
NEEDED = {
    "words": """andHalf articles cents coming common days endOf feasts fillers fixedTimes halves last lengths middleOf minus
        months monthsNear multipliers near neither nextWeek no notSlips now numberJoiners numbers of on ordinalNouns
        ordinalSuffixes ordinals parts point polite rangeBefore startOf strong this units until weekdays within yes""",
    "roles": """alternatives both changing first firstNames leadingToPersons making passed second secondAfterFirst
        secondNames turning""",
    "ordinals": "around aroundNumbers both nouns places",
    "counted": "things linking",
    "correcting": "",
}
"""What every language with a whole table has; the other keys are for those whose grammar has such words."""
THINGS = {"persons", "children", "rooms", "days", "weeks", "months", "hours", "minutes", "stars"}


@cache
def content(code: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{code}.json").read_text("utf-8"))


def leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Texts by their paths: ``login.refusals.lost.title``."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}.{key}")
    else:
        yield path, value if isinstance(value, str) else "".join(value)


def texts(code: str) -> dict[str, str]:
    return {path: text for section in TEXTS for path, text in leaves(content(code).get(section, {}), section)}


def lacking(code: str) -> list[str]:
    """What a language's file should have and has not, one line each."""
    theirs, english = texts(code), texts("en")
    place = f"src/dialoom/languages/{code}.json"
    found = [f"{place}: {path} is missing; in English: {english[path]}" for path in english if not theirs.get(path)]
    return found + [f"{place}: {path} is unknown, English has no such text" for path in theirs if path not in english]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_says_all_that_english_says(code: str) -> None:
    assert lacking(code) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_has_the_places_to_fill_of_the_english_one(code: str) -> None:
    english = texts("en")
    wrong = [
        f"src/dialoom/languages/{code}.json: {path} must have {places(english[path])}, not {places(text)}: {text}"
        for path, text in texts(code).items()
        if places(text) != places(english[path])
    ]
    assert wrong == []


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{+\w+\}+", text))


@pytest.mark.parametrize("code", WHOLE)
def test_a_whole_table_has_the_words_that_all_whole_tables_have(code: str) -> None:
    theirs = content(code)
    lacks = [
        f"src/dialoom/languages/{code}.json: {section}.{key} is missing"
        for section, keys in NEEDED.items()
        for key in keys.split()
        if not theirs.get(section, {}).get(key)
    ]
    assert lacks == []
    assert theirs["correcting"]
    assert set(theirs["counted"]["things"]) >= THINGS


@pytest.mark.parametrize("code", [*LANGUAGES, *PARTIAL])
def test_every_language_reads_yes_no_and_numbers(code: str) -> None:
    words = reader_words(code).words
    assert words is not None
    assert words.yes
    assert words.no
    assert set(range(11)) <= set(words.numbers.values())


def test_no_language_is_in_both_folders() -> None:
    assert set(LANGUAGES) & set(PARTIAL) == set()
    assert "en" in LANGUAGES


def test_a_missing_text_and_an_unknown_key_are_told_with_their_file_and_place(tmp_path: Path) -> None:
    package = tmp_path / "dialoom" / "languages"
    shutil.copytree(FOLDER, package)
    (tmp_path / "dialoom" / "__init__.py").touch()
    for code, section, key in (("fr", "login", "goOn"), ("de", "words", "nubmers")):
        whole = json.loads((package / f"{code}.json").read_text("utf-8"))
        if whole[section].pop(key, None) is None:
            whole[section][key] = {}
        (package / f"{code}.json").write_text(json.dumps(whole))
    script = """if True:
        from dialoom.languages import reader_words
        for code in ("fr", "de"):
            try:
                reader_words(code)
            except ValueError as error:
                print(error)
    """
    told = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    first, second = told.stdout.splitlines()
    assert "fr.json: Object missing required field `goOn` - at `$.login`" in first
    assert "de.json: Object contains unknown field `nubmers` - at `$.words`" in second


def test_compounds_are_made_of_stems_and_their_numbers_are_added() -> None:
    stems = {"unit": {"ein": 1, "zwei": 2}, "ten": {"zwanzig": 20}, "small": {"{unit}": 1, "{unit}und{ten}": 1}}
    assert compounds({"null": 0, "{small}": 1, "{unit}hundert": 100}, stems) == {
        "null": 0,
        "ein": 1,
        "zwei": 2,
        "einundzwanzig": 21,
        "zweiundzwanzig": 22,
        "einhundert": 100,
        "zweihundert": 200,
    }


def test_the_files_of_a_bots_language_are_read_when_it_is_compiled_and_in_no_turn() -> None:
    script = """if True:
        import sys
        read = []
        def watch(event, arguments):
            if event == "open" and str(arguments[0]).endswith(".json"):
                read.append(str(arguments[0]).replace("\\\\", "/").rpartition("/")[2])
        sys.addaudithook(watch)
        import json
        from dialoom.engine import begin, compile_flow, turn
        from dialoom.engine.events import Said
        from dialoom.flow import read_files
        from dialoom.messages import Profile
        print(read)
        steps = [{"type": "question", "entity": name, "entity-type": "Date", "messages": [name]} for name in ("to", "from")]
        files = {
            "bot.json": json.dumps({"id": "b", "language": "fi"}),
            "flow.json": json.dumps({"conversations": {"go": {"type": "goal", "steps": steps}}}),
            "training.json": json.dumps({"entity-definitions": [
                {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "go", "expressions": ["go"]}]}
            ]}),
        }
        flow = compile_flow(read_files(files))
        print(sorted(read))
        state = begin()
        for text in ("go", "from huomenna", "no, the second one", "2 guests"):
            state = turn(flow, state, Said(id=text, now=1, seed=1, profile=Profile(id="u"), text=text)).state
        print(len(read), state.entities)
    """
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    imported, compiled, said = told.stdout.splitlines()
    assert imported == "[]"
    assert compiled == "['currencies.json', 'en.json', 'fi.json']"
    assert said == "3 {'from': '1970-01-02'}"


def test_the_texts_are_read_once() -> None:
    assert system_texts("sv") is system_texts("sv-FI")


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_key_stands_twice_in_one_section(code: str) -> None:
    twice: list[str] = []

    def read(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        twice.extend(key for key in set(keys) if keys.count(key) > 1)
        return dict(pairs)

    json.loads((FOLDER / f"{code}.json").read_text("utf-8"), object_pairs_hook=read)
    assert twice == []
