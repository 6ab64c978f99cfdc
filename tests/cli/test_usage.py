"""What the command line says of words that it does not know, and which variables a command sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.cli.env_file import read_env_file
from dialoom.errors import SettingError
from tests.cli.test_run import dialoom


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("pubish bot", '"publish"'),
        ("token lst bot", '"list"'),
        ("check bot --formt json", "--format"),
        ("check bot --format jsno", '"json"'),
        ("token list bot --shw", "--show"),
    ],
)
def test_a_mistyped_command_option_or_value_is_told_with_the_one_that_was_meant(words: str, meant: str) -> None:
    done = dialoom(*words.split())
    assert done.returncode == 2
    assert f"Did you mean {meant}?" in done.stderr


def test_what_is_near_to_nothing_is_told_with_all_that_is_allowed() -> None:
    assert "choose from" in dialoom("zzzzzz").stderr
    assert "unrecognized arguments: --zzzzzz" in dialoom("check", "bot", "--zzzzzz").stderr


def test_a_global_option_behind_the_command_is_told_where_it_goes() -> None:
    assert "--env-file goes before the command" in dialoom("check", "bot", "--env-file", "x").stderr


def test_a_file_of_variables_is_read_as_systemd_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.env"
    file.write_text(
        '# a comment\n; another\n\nBOT_A=https://a.example   \n  BOT_B = b c "d"  \n'
        'BOT_C="x \\"y\\" \\\\ z \\n"\nBOT_D=\'it $HOME\'"two"\nBOT_E=one\\\ntwo\nBOT_F={"a": 1}\nBOT_G=\n'
        'BOT_H="two\nlines"\nBOT_I=last\\ one'
    )
    assert read_env_file(file) == {
        "BOT_A": "https://a.example",
        "BOT_B": 'b c "d"',
        "BOT_C": 'x "y" \\ z \\n',
        "BOT_D": "it $HOMEtwo",
        "BOT_E": "onetwo",
        "BOT_F": '{"a": 1}',
        "BOT_G": "",
        "BOT_H": "two\nlines",
        "BOT_I": "last one",
    }


def test_a_line_that_is_none_is_named_and_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.env"
    file.write_text("BOT_A=1\nhunter2\n")
    with pytest.raises(SettingError) as error:
        read_env_file(file)
    assert f"{file}:2 is no line KEY=value" in str(error.value)
    assert "hunter2" not in str(error.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = dialoom("--env-file", str(tmp_path / "nowhere"), "check", "bot")
    assert (done.returncode, "cannot be read: No such file" in done.stderr) == (2, True)


def test_a_command_takes_its_settings_from_the_file_before_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.env"
    file.write_text(f'DIALOOM_DATA="{tmp_path}/of the file"\n')
    done = dialoom("--env-file", str(file), "token", "list", "bot", DIALOOM_DATA=str(tmp_path / "other"))
    assert f"{tmp_path}/of the file" in done.stderr
