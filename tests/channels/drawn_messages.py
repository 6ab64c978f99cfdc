"""Messages of a bot as hypothesis draws them: every dialog, any number of options, titles of any signs and length."""

from __future__ import annotations

from hypothesis import strategies as st

from dialoom.messages import BotMessage, Dialog, Option
from dialoom.service.chat.transcript import Spoken

_WORDS = (
    "**bold** ",
    "_x_ ",
    "[a page](https://a.example/b) ",
    "<b>&amp; ",
    "😀👩‍👩‍👧🇧🇬",
    "سلام ",
    "`code` ",
    "~old~ ",
    "\n",
    "a. ",
    '"\\',
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_WORDS), max_size=40).map("".join),
    st.tuples(st.sampled_from(_WORDS), st.sampled_from([1, 500, 3000])).map(lambda drawn: drawn[0] * drawn[1]),
)
pictures = st.sampled_from(
    [
        None,
        "https://pictures.example/one.png",
        "/one.png",
        "data:image/png;base64,aa",
        "https://p.example/" + "a" * 3000,
    ]
)


@st.composite
def options(draw: st.DrawFn, most: int) -> tuple[Option, ...]:
    titles = draw(st.lists(texts, max_size=most))
    return tuple(
        Option(title, title, f"3.{index}", subtitle=draw(st.none() | texts), image=draw(pictures))
        for index, title in enumerate(titles)
    )


@st.composite
def dialogs(draw: st.DrawFn) -> Dialog:
    kind = draw(st.sampled_from(["location-picker", "date-picker", "single-select", "multi-select", "carousel"]))
    has_options = kind not in ("location-picker", "date-picker")
    return Dialog(kind, draw(texts), draw(texts), draw(options(25)) if has_options else (), key="3")


logins = st.builds(
    lambda title, url: Dialog("login", title, url=url),
    texts,
    st.just("https://bots.example/v1/account-linking/start?state=s"),
)


@st.composite
def spoken(draw: st.DrawFn) -> Spoken:
    """A message with its quick replies, which may be more than any platform shows."""
    replies = draw(options(30))
    if draw(st.booleans()):
        replies = (*replies[:5], Option("Next 5", "Next 5", "3.next", system="next"), Option("Hi", "Hi"))
    message = BotMessage(draw(texts), replies, draw(st.none() | dialogs() | logins))
    return Spoken("m", message, draw(st.sampled_from([None, "https://bots.example/pick/t"])))
