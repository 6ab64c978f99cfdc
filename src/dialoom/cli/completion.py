"""``dialoom completion bash|zsh|fish``: the script that completes commands, options and their values in a shell.

It is made of the parsers of all commands and asks for nothing when it runs. Where a file or a folder may stand, the
shell completes those itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from dialoom.cli import COMMANDS, parser


class Word(NamedTuple):
    """A word that may stand somewhere, and what it is for."""

    text: str
    help: str = ""


Listed = Callable[[list[Word]], str]


class Place(NamedTuple):
    """What may follow ``path``, the commands that were given so far with a space before each."""

    path: str
    words: list[Word]
    options: list[Word]
    values: dict[str, list[str]]
    """Of options that take a value; empty where that is free, or a file."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    found = subparsers.add_parser("completion", description=__doc__)
    found.add_argument("shell", metavar="SHELL", choices=tuple(SCRIPTS), help=" or ".join(SCRIPTS))
    return found


def run(args: argparse.Namespace) -> int:
    """Print the script of a shell."""
    print(SCRIPTS[args.shell](list(_places())), end="")
    return 0


def _places() -> Iterator[Place]:
    root = _place("", parser())
    yield root._replace(words=[Word(name, summary) for name, summary in COMMANDS.items()])
    for name in COMMANDS:
        yield from _below(f" {name}", _commands_of(parser(name))[name])


def _below(path: str, given: argparse.ArgumentParser) -> Iterator[Place]:
    yield _place(path, given)
    for name, inner in _commands_of(given).items():
        yield from _below(f"{path} {name}", inner)


def _commands_of(given: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = (action for action in given._actions if isinstance(action, argparse._SubParsersAction))
    return {name: inner for action in found for name, inner in action.choices.items()}


def _place(path: str, given: argparse.ArgumentParser) -> Place:
    place = Place(path, [], [], {})
    for action in given._actions:
        if isinstance(action, argparse._SubParsersAction):
            place.words.extend(Word(one.dest, one.help or "") for one in action._choices_actions)
        elif not action.option_strings:
            place.words.extend(Word(str(choice)) for choice in action.choices or ())
        else:
            help_text = (action.help or "") % {**vars(action), "prog": given.prog} if action.help else ""
            place.options.extend(Word(option, help_text) for option in action.option_strings)
            if action.nargs != 0:
                choices = [str(choice) for choice in action.choices or ()]
                place.values.update(dict.fromkeys(action.option_strings, choices))
    return place


def _quoted(text: str) -> str:
    """Return a text as a word of the shells; apostrophes, which fish quotes in another way, become typographic."""
    return "'" + text.replace("'", "\u2019").replace("\\", "/") + "'"


# ---- bash and zsh: the same search for what may stand here, and their own way to offer it ----------------------------


def _search(places: list[Place], offer: str, listed: Listed) -> str:
    """Return the lines that find what may follow the words ``given``, the last of which is ``last``, where ``current``
    is begun. ``offer``: the assignment that offers words, which ``listed`` writes."""

    def rows(kind: Iterable[tuple[str, list[Word]]], end: str = "") -> str:
        return "\n".join(f"        {_quoted(key)}) {offer.format(listed(words))}{end} ;;" for key, words in kind)

    values = [(f"{place.path} {option}", place.values[option]) for place in places for option in place.values]
    return f"""\
    local at='' word='' skipped=''
    for word in "${{given[@]}}"; do
        if [[ -n $skipped ]]; then skipped=''; continue; fi
        case "$at $word" in
            {"|".join(_quoted(option) for option, _ in values)}) skipped=1 ;;
            {"|".join(_quoted(place.path) for place in places if place.path)}) at="$at $word" ;;
        esac
    done
    case "$at $last" in
{rows(((option, [Word(choice) for choice in choices]) for option, choices in values), " at=-")}
    esac
    if [[ $current == -* ]]; then case "$at" in
{rows((place.path, place.options) for place in places)}
    esac; else case "$at" in
{rows((place.path, place.words) for place in places)}
    esac; fi
"""


def _in_bash(words: list[Word]) -> str:
    return _quoted(" ".join(word.text for word in words))


def _in_zsh(words: list[Word]) -> str:
    return " ".join(_quoted(f"{word.text}:{word.help}" if word.help else word.text) for word in words)


def _bash(places: list[Place]) -> str:
    return f"""\
# Completes dialoom in bash: eval "$(dialoom completion bash)" in ~/.bashrc
_dialoom() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} found=''
    local given=("${{COMP_WORDS[@]:1:COMP_CWORD-1}}")
{_search(places, "found={}", _in_bash)}\
    COMPREPLY=($(compgen -W "$found" -- "$current"))
}}
complete -o default -F _dialoom dialoom
"""


def _zsh(places: list[Place]) -> str:
    return f"""\
#compdef dialoom
# Completes dialoom in zsh: eval "$(dialoom completion zsh)" in ~/.zshrc, behind compinit
_dialoom() {{
    local current=${{words[CURRENT]}} last=${{words[CURRENT-1]}}
    local -a given=("${{(@)words[2,CURRENT-1]}}") found=()
{_search(places, "found=({})", _in_zsh)}\
    if (( $#found )); then _describe dialoom found; else _files; fi
}}
if [[ $funcstack[1] == _dialoom ]]; then _dialoom "$@"; else compdef _dialoom dialoom; fi
"""


# ---- fish ------------------------------------------------------------------------------------------------------------


def _fish(places: list[Place]) -> str:
    taking = " ".join(_quoted(f"{place.path} {option}") for place in places for option in place.values)
    paths = " ".join(_quoted(place.path) for place in places if place.path)
    lines = [
        "# Completes dialoom in fish: dialoom completion fish > ~/.config/fish/completions/dialoom.fish",
        f"set -g __dialoom_taking {taking}",
        f"set -g __dialoom_paths {paths}",
        "function __dialoom_at",
        "    set -l at ''",
        "    set -l skipped 0",
        "    for word in (commandline -opc)[2..-1]",
        "        if test $skipped = 1",
        "            set skipped 0",
        '        else if contains -- "$at $word" $__dialoom_taking',
        "            set skipped 1",
        '        else if contains -- "$at $word" $__dialoom_paths',
        '            set at "$at $word"',
        "        end",
        "    end",
        '    test "$at" = "$argv[1]"',
        "end",
        "complete -c dialoom -e",
    ]
    for place in places:
        here = f"complete -c dialoom -n {_quoted('__dialoom_at ' + chr(34) + place.path + chr(34))}"
        lines += [f"{here} -f -a {_quoted(word.text)} -d {_quoted(word.help)}" for word in place.words]
        for option in place.options:
            kind = f"-l {option.text[2:]}" if option.text.startswith("--") else f"-s {option.text[1:]}"
            choices = place.values.get(option.text)
            takes = "" if choices is None else f" -x -a {_quoted(' '.join(choices))}" if choices else " -r"
            lines.append(f"{here} {kind}{takes} -d {_quoted(option.help)}")
    return "\n".join(lines) + "\n"


SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
