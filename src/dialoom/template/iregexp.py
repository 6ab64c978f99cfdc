"""Regular expressions of ``match()`` and ``search()`` in selectors (RFC 9485), in time linear in the text.

Text of a user may stand in such an expression. Python's ``re`` would take hours over ``(a+)+$``; here an expression is
a set of states, and each character is looked at once. Beyond RFC 9485 the anchors ``^`` and ``$`` and the classes
``\\d``, ``\\s`` and ``\\w`` hold, which authors write by habit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from dialoom.errors import TemplateError

MAX_STATES: Final = 1000
MAX_STEPS: Final = 3_000_000
MAX_NESTING: Final = 50

Test = Callable[[str], bool]

SPECIAL: Final = frozenset("()*+.?[\\]{|}^$")
ESCAPED: Final = {**{sign: sign for sign in "()*+-.?[\\]^{|}$/"}, "n": "\n", "r": "\r", "t": "\t"}
CATEGORIES: Final = {
    "L": "lmotu",
    "M": "cen",
    "N": "dlo",
    "P": "cdefios",
    "S": "ckmo",
    "Z": "lps",
    "C": "cfno",
}
CLASSES: Final[dict[str, Test]] = {
    "d": lambda sign: "0" <= sign <= "9",
    "s": str.isspace,
    "w": lambda sign: sign == "_" or sign.isalnum(),
}


class NotValid(Exception):
    """The text is no expression; the functions then hold for nothing (RFC 9535 section 2.4.6)."""


class Budget:
    """What all matching for one application of a selector may cost together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def renew(self) -> None:
        self.left = MAX_STEPS

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TemplateError("The selector's regular expressions cost too much on these texts. Make them simpler.")


class State:
    """``test`` set: reads one character. Else an empty move to ``then``, where ``anchor`` holds."""

    __slots__ = ("anchor", "index", "test", "then")

    def __init__(self, index: int) -> None:
        self.index = index
        self.test: Test | None = None
        self.anchor = ""
        self.then: list[State] = []


class Expression:
    """A compiled expression."""

    def __init__(self, source: str, budget: Budget) -> None:
        self.start, self.end = _Builder(source).build()
        self.budget = budget
        self.known: dict[tuple[frozenset[State], str], frozenset[State]] = {}

    def matches(self, text: str) -> bool:
        """Whether the whole text fits."""
        self.budget.spend(len(text) >> 4)
        states = self._reach([self.start], True, not text)
        for position, sign in enumerate(text):
            if not states:
                return False
            states = self._advance(states, sign, position + 1 == len(text))
        return self.end in states

    def occurs_in(self, text: str) -> bool:
        """Whether some part of the text fits."""
        self.budget.spend(len(text) >> 4)
        begin = self._reach([self.start], False, False)
        states = self._reach([self.start], True, not text)
        for position, sign in enumerate(text):
            if self.end in states:
                return True
            is_last = position + 1 == len(text)
            states = self._advance(states, sign, is_last)
            states |= self._reach([self.start], False, True) if is_last else begin
        return self.end in states

    def _advance(self, states: frozenset[State], sign: str, is_last: bool) -> frozenset[State]:
        if is_last:
            return self._move(states, sign, True)
        key = (states, sign)
        found = self.known.get(key)
        if found is None:
            if len(self.known) > 2000:
                self.known.clear()
            found = self.known[key] = self._move(states, sign, False)
        return found

    def _move(self, states: frozenset[State], sign: str, is_last: bool) -> frozenset[State]:
        self.budget.spend(len(states))
        reached = [after for state in states if state.test is not None and state.test(sign) for after in state.then]
        return self._reach(reached, False, is_last)

    def _reach(self, states: list[State], is_first: bool, is_last: bool) -> frozenset[State]:
        """The states and all that empty moves lead to from them."""
        seen: set[State] = set()
        while states:
            state = states.pop()
            if state in seen:
                continue
            if (state.anchor == "^" and not is_first) or (state.anchor == "$" and not is_last):
                continue
            seen.add(state)
            if state.test is None:
                states.extend(state.then)
        self.budget.spend(len(seen))
        return frozenset(seen)


Piece = Callable[[State], State]
"""Adds a part of the expression in front of a state and gives the state where it begins."""


class _Builder:
    """Reads the expression from left to right; each piece can be laid down as often as its quantifier says."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.count = 0
        self.depth = 0

    def build(self) -> tuple[State, State]:
        piece = self.alternatives()
        if self.position < len(self.source):
            raise NotValid
        end = self.state()
        return piece(end), end

    def state(self) -> State:
        self.count += 1
        if self.count > MAX_STATES:
            raise NotValid
        return State(self.count)

    def peek(self) -> str:
        return self.source[self.position : self.position + 1]

    def take(self) -> str:
        sign = self.peek()
        if not sign:
            raise NotValid
        self.position += 1
        return sign

    def alternatives(self) -> Piece:
        branches = [self.branch()]
        while self.peek() == "|":
            self.take()
            branches.append(self.branch())
        if len(branches) == 1:
            return branches[0]

        def lay(after: State) -> State:
            state = self.state()
            state.then = [branch(after) for branch in branches]
            return state

        return lay

    def branch(self) -> Piece:
        pieces: list[Piece] = []
        while self.peek() not in {"", "|", ")"}:
            pieces.append(self.quantified(self.atom()))

        def lay(after: State) -> State:
            for piece in reversed(pieces):
                after = piece(after)
            return after

        return lay

    def quantified(self, piece: Piece) -> Piece:
        sign = self.peek()
        if sign == "*":
            least, most = 0, None
        elif sign == "+":
            least, most = 1, None
        elif sign == "?":
            least, most = 0, 1
        elif sign == "{":
            return self.repeated(piece, *self.bounds())
        else:
            return piece
        self.take()
        return self.repeated(piece, least, most)

    def bounds(self) -> tuple[int, int | None]:
        self.take()
        least = most = self.number()
        if self.peek() == ",":
            self.take()
            most = self.number() if self.peek() != "}" else None
        if self.take() != "}" or least is None or (most is not None and most < least):
            raise NotValid
        return least, most

    def number(self) -> int | None:
        start = self.position
        while "0" <= self.peek() <= "9":
            self.take()
        digits = self.source[start : self.position]
        if not digits or len(digits) > 4:
            raise NotValid
        return int(digits)

    def repeated(self, piece: Piece, least: int, most: int | None) -> Piece:
        if max(least, most or 0) > MAX_STATES:
            raise NotValid

        def lay(after: State) -> State:
            if most is None:
                turn = self.state()
                turn.then = [piece(turn), after]
                after = turn
            else:
                end = after
                for _ in range(most - least):
                    option = self.state()
                    option.then = [piece(after), end]
                    after = option
            for _ in range(least):
                after = piece(after)
            return after

        return lay

    def atom(self) -> Piece:
        sign = self.take()
        if sign == "(":
            self.depth += 1
            if self.depth > MAX_NESTING:
                raise NotValid
            if self.source.startswith("?:", self.position):
                self.position += 2
            piece = self.alternatives()
            if self.take() != ")":
                raise NotValid
            self.depth -= 1
            return piece
        if sign in "^$":
            return self.anchored(sign)
        if sign == ".":
            return self.reading(lambda one: one not in "\r\n")
        if sign == "[":
            return self.reading(self.character_class())
        if sign == "\\":
            escaped = self.escape()
            return self.reading(escaped if callable(escaped) else _same(escaped))
        if sign in SPECIAL:
            raise NotValid
        return self.reading(_same(sign))

    def reading(self, test: Test) -> Piece:
        def lay(after: State) -> State:
            state = self.state()
            state.test, state.then = test, [after]
            return state

        return lay

    def anchored(self, sign: str) -> Piece:
        def lay(after: State) -> State:
            state = self.state()
            state.anchor, state.then = sign, [after]
            return state

        return lay

    def escape(self) -> str | Test:
        """What stands after a backslash: a character, or a test for a class of them."""
        sign = self.take()
        if sign in "pP":
            return self.category(sign == "P")
        known = CLASSES.get(sign.lower())
        if known is not None:
            return _negated(known) if sign.isupper() else known
        if sign not in ESCAPED:
            raise NotValid
        return ESCAPED[sign]

    def category(self, is_negated: bool) -> Test:
        end = self.source.find("}", self.position)
        name = self.source[self.position + 1 : end]
        if self.peek() != "{" or end < 0 or name[:1] not in CATEGORIES or len(name) > 2:
            raise NotValid
        if len(name) == 2 and name[1] not in CATEGORIES[name[0]]:
            raise NotValid
        self.position = end + 1

        def test(sign: str) -> bool:
            return unicodedata.category(sign).startswith(name)

        return _negated(test) if is_negated else test

    def character_class(self) -> Test:
        is_negated = self.peek() == "^"
        if is_negated:
            self.take()
        tests: list[Test] = []
        if self.peek() == "-":
            tests.append(_same(self.take()))
        while self.peek() != "]":
            if self.peek() == "-" and self.source[self.position + 1 : self.position + 2] == "]":
                tests.append(_same(self.take()))
                continue
            tests.append(self.class_member())
        self.take()
        if not tests:
            raise NotValid

        def test(sign: str) -> bool:
            return any(one(sign) for one in tests)

        return _negated(test) if is_negated else test

    def class_member(self) -> Test:
        first = self.class_character()
        if not isinstance(first, str):
            return first
        if self.peek() != "-" or self.source[self.position + 1 : self.position + 2] == "]":
            return _same(first)
        self.take()
        last = self.class_character()
        if not isinstance(last, str) or last < first:
            raise NotValid
        return lambda sign: first <= sign <= last

    def class_character(self) -> str | Test:
        sign = self.take()
        if sign == "\\":
            return self.escape()
        if sign in "-[]":
            raise NotValid
        return sign


def _same(wanted: str) -> Test:
    return lambda sign: sign == wanted


def _negated(test: Test) -> Test:
    return lambda sign: not test(sign)
