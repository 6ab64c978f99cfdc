"""A flow with a question for each display and one with a login, for platforms whose stand-in talks with a running
service, and a browser that logs in."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from tests.http.support import FLOW, TRAINING

TABLES = [f"The round table for two by the window, number {number}" for number in range(1, 8)]
CAKES = [
    {
        "title": f"Cake **{number}** {'with cream ' * 9}",
        "subtitle": "baked today " * 9,
        "image": f"https://c.example/{number}.png",
    }
    for number in range(1, 13)
]


def question(entity: str, kind: str, text: str, **display: Any) -> dict[str, Any]:
    return {
        "type": "question",
        "entity": entity,
        "entity-type": kind,
        "messages": [text],
        "display": {name.replace("_", "-"): value for name, value in display.items()},
    }


DISPLAYS: dict[str, Any] = {
    "conversations": {
        "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello!"]}]},
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]},
        "tea": {
            "type": "goal",
            "display-name": "your order",
            "steps": [
                question("table", "Text", "Which *table*?", type="quick-reply", data=TABLES),
                question("place", "Location", "Where to?", type="location-picker", title="Show where"),
                question("day", "Date", "Which day?", type="date-picker", title="Open"),
                question(
                    "country",
                    "Country",
                    "Which country?",
                    type="single-select",
                    title="Countries",
                    data=["Bulgaria", "Germany"],
                ),
                question(
                    "extras",
                    "Extra",
                    "What else?",
                    type="multi-select",
                    title="Extras",
                    data=["Candles", "Card", "Flowers"],
                )
                | {"capture-multiple-values": True},
                question(
                    "cake",
                    "Text",
                    "These are of today:",
                    type="carousel",
                    title="Show the cakes",
                    button_text="This one",
                    data=CAKES,
                    template={"title": "{{title}}", "subtitle": "{{subtitle}}", "image": "{{image}}"},
                ),
                {
                    "type": "message",
                    "messages": ["{{table}} / {{place.latitude}} / {{country}} / {{extras}} / {{cake}}"],
                },
            ],
        },
    }
}

TYPES: dict[str, Any] = {
    "entity-definitions": [
        *TRAINING["entity-definitions"],
        *(
            {"name": name, "lookup-strategy": "keywords", "data": [{"value": value} for value in values]}
            for name, values in (("Country", ["Bulgaria", "Germany"]), ("Extra", ["Candles", "Card", "Flowers"]))
        ),
    ]
}
CLAIM: dict[str, Any] = {
    "conversations": {
        **{name: one for name, one in FLOW["conversations"].items() if name != "tea"},
        "tea": {
            "type": "goal",
            "display-name": "your claim",
            "steps": [
                {"type": "question", "entity": "leaf", "entity-type": "File", "messages": ["A photo?"]},
                {"type": "message", "messages": ["{{leaf.name}} {{leaf.mimeType}}"]},
            ],
        },
    }
}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)


async def log_in(link: str) -> str:
    """Open a login's link in a browser, say that the chat is one's own, come back from the provider, and return the
    address that the browser is sent to, or that the last page has a button for."""
    place = urlsplit(link)
    # The jar of cookies keeps none of an address of numbers unless told to.
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        async with browser.get(link) as page:
            answer = re.search(r'name="answer" value="([^"]+)"', await page.text())
        assert answer is not None
        async with browser.post(link, data={"answer": answer[1]}) as left:
            assert left.status == 200, await left.text()
        back = f"{place.scheme}://{place.netloc}/v1/account-linking?{place.query}&code=c0de"
        async with browser.get(back, allow_redirects=False) as done:
            button = re.search(r'<a[^>]* href="([^"]+)"', await done.text())
            return done.headers["Location"] if button is None else html.unescape(button[1])


async def pick(link: str, body: dict[str, Any]) -> str | None:
    """Answer a question on its hosted page, and return the address that leads back into the chat."""
    async with aiohttp.ClientSession() as browser, browser.post(link, json=body) as sent:
        assert sent.status == 200, await sent.text()
        back: str | None = (await sent.json())["back"]
        return back


async def key_of(link: str, title: str) -> str:
    """Return the key of the option whose title begins like this, as the hosted page of a question has it."""
    async with aiohttp.ClientSession() as browser, browser.get(f"{link}/question") as page:
        options = (await page.json())["dialog"]["options"]
    return next(str(option["key"]) for option in options if option["title"].replace("*", "").startswith(title))
