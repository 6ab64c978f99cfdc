"""What a template sees while it runs, and what it may use up. Where the values come from is left to the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from dialoom.errors import TemplateError
from dialoom.template.values.types import MISSING

MAX_OUTPUT_CHARS: Final = 1024 * 1024
"""Characters of one rendered text."""

MAX_LOOPS: Final = 50_000
"""Times that the blocks of one rendering may begin a body again, all loops together."""

MAX_WORK: Final = 600_000
"""Parts that one rendering may evaluate inside loops, elements that its helpers may look at, and 64 characters of text
for one more. 0.4 seconds at most: thousands of elements with dozens of parts stay far below, loops in loops do not."""

MAX_PARTIALS: Final = 40
"""Partials inside each other; one that calls itself ends here."""


class Scope:
    """What one rendering is about: the memory, the context (``this``; else memory), language and zone.

    ``this`` is a single element when options are formatted; the memory is then reached through ``@root``.
    """

    __slots__ = ("locale", "memory", "this", "timezone")

    def __init__(
        self, memory: Mapping[str, object], this: object = MISSING, locale: str = "en", timezone: str = "UTC"
    ) -> None:
        self.memory = memory
        self.this = this
        self.locale = locale
        self.timezone = timezone


NO_DATA: Final[Mapping[str, object]] = {}
NO_PARTIALS: Final[Mapping[str, PartialBody]] = {}

Read = Callable[["Frame"], object]
"""A compiled expression."""

Part = Callable[["Frame"], str]
"""A compiled piece of text."""

Locals = tuple[Any, ...] | None
"""Block parameters: the values of the innermost block and, last, those of the block around it."""


class Frame:
    """One level of context. ``parent`` is what ``../`` leads to; ``data`` holds the ``@`` names."""

    __slots__ = ("block", "context", "data", "locals", "parent", "partials")

    context: object
    parent: Frame | None
    data: Mapping[str, object]
    locals: Locals
    partials: Mapping[str, PartialBody]
    block: PartialBody | None
    """What ``@partial-block`` stands for."""

    @property
    def root(self) -> Root:
        raise NotImplementedError


class Inner(Frame):
    """The frame of a block's body. It shares with ``outer`` all but the context."""

    __slots__ = ("_root",)

    def __init__(self, context: object, parent: Frame | None, outer: Frame) -> None:
        self.context = context
        self.parent = parent
        self.data = outer.data
        self.locals = outer.locals
        self.partials = outer.partials
        self.block = outer.block
        self._root = outer.root

    @property
    def root(self) -> Root:
        return self._root


class Root(Frame):
    """The outermost frame of one rendering, with what that rendering has used up."""

    __slots__ = ("display", "loops", "nested", "scope", "work")

    def __init__(self, scope: Scope, display: bool) -> None:
        this = scope.this
        self.context = scope.memory if this is MISSING else this
        self.parent = None
        self.data = NO_DATA
        self.locals = None
        self.partials = NO_PARTIALS
        self.block = None
        self.scope = scope
        self.display = display
        self.loops = 0
        self.nested = 0
        self.work = 0

    @property
    def root(self) -> Root:
        return self

    def loop(self, rounds: int, cost: int, offset: int) -> None:
        """Count a loop before it runs, so that one too long is refused at once."""
        self.loops += rounds
        if self.loops > MAX_LOOPS:
            raise TemplateError(f"The template loops more than {MAX_LOOPS} times. Loop over fewer elements.", offset)
        self.spend(rounds * cost, offset)

    def spend(self, amount: int, offset: int) -> None:
        """Count work; past the limit the rendering ends."""
        self.work += amount
        if self.work > MAX_WORK:
            raise TemplateError("The template does too much. Loop over fewer elements or shorter values.", offset)


class PartialBody(NamedTuple):
    """A partial that can be run, with the frame that it was written in; ``None`` for one that stands by itself."""

    part: Part
    home: Frame | None
    is_inline: bool = False
    """Written with ``#*inline``: ``../`` leads to what is around the program that it stands in, as in handlebars.js."""


def check_length(length: int, offset: int = 0) -> None:
    if length > MAX_OUTPUT_CHARS:
        raise TemplateError(
            f"The text grows past {MAX_OUTPUT_CHARS} characters. Print fewer or shorter values.", offset
        )
