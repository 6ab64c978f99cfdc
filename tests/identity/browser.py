"""A browser without a window: it keeps cookies, follows redirects one by one, and reads forms and links. No script runs.

Cookies belong to a host, whatever the port, as in every browser; ``Secure`` ones come to no plain address.
"""

from __future__ import annotations

import http.cookiejar
import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin

REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 12


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass
class Form:
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        if tag in {"style", "script"}:
            self._hidden += 1
        elif tag == "form":
            self.forms.append(Form(urljoin(self.address, found.get("action", "")), found.get("method", "get").upper()))
        elif tag in {"input", "button"} and self.forms and found.get("name"):
            self.forms[-1].fields[found["name"]] = found.get("value", "")
        elif tag == "a" and found.get("href"):
            self.links.append(urljoin(self.address, found["href"]))

    def handle_endtag(self, tag: str) -> None:
        if tag in {"style", "script"}:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.words.append(data.strip())


@dataclass
class Page:
    address: str
    status: int
    headers: dict[str, str]
    body: bytes

    def __post_init__(self) -> None:
        reader = _Reader(self.address)
        reader.feed(self.body.decode("utf-8", "replace"))
        self.forms, self.links, self.text = reader.forms, reader.links, " ".join(reader.words)

    @property
    def location(self) -> str:
        """Where it redirects to."""
        assert self.status in REDIRECTS, (self.status, self.text)
        return urljoin(self.address, self.headers["location"])


class Browser:
    """One person's. ``seen``: every page that was shown, redirects too."""

    def __init__(self) -> None:
        self.cookies = http.cookiejar.CookieJar()
        self.seen: list[Page] = []
        jar = urllib.request.HTTPCookieProcessor(self.cookies)
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay, jar)

    def ask(
        self, address: str, form: dict[str, str] | None = None, headers: dict[str, str] | None = None, wait: float = 60
    ) -> Page:
        """One request; a redirect is an answer like any other. ``form``: posted."""
        data = None if form is None else urlencode(form).encode()
        return self._ask(urllib.request.Request(address, data, {"Accept": "text/html", **(headers or {})}), wait)

    def send(self, address: str, value: Any) -> Any:
        """JSON, as a page's own script sends it; gives the JSON that comes."""
        headers = {"Content-Type": "application/json", "Origin": "/".join(address.split("/")[:3])}
        return json.loads(self._ask(urllib.request.Request(address, json.dumps(value).encode(), headers), 60).body)

    def _ask(self, request: urllib.request.Request, wait: float) -> Page:
        address = request.full_url
        try:
            with self._opener.open(request, timeout=wait) as answer:
                page = Page(address, answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                page = Page(address, error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())
        self.seen.append(page)
        return page

    def follow(self, page: Page, until: str = "") -> Page:
        """Redirects, one after the other, up to one that leads to an address which begins with ``until``."""
        for _ in range(MOST_REDIRECTS):
            if page.status not in REDIRECTS or (until and page.location.startswith(until)):
                return page
            page = self.ask(page.location)
        raise AssertionError(
            f"redirected more than {MOST_REDIRECTS} times, at last to {page.address.partition('?')[0]}"
        )

    def open(self, address: str, until: str = "") -> Page:
        return self.follow(self.ask(address), until)

    def go(self, link: str, to: str) -> Page:
        """What a person does who wants to get on: opens the link, and presses what there is to press until a page whose
        address begins with ``to`` is there."""
        page = self.open(link)
        for _ in range(4):
            if page.address.startswith(to):
                return page
            if page.status != 200 or not (page.forms or page.links):
                break
            page = self.submit(page) if page.forms else self.open(page.links[0])
        raise AssertionError(f"it does not get on: {page.status} {page.text}")

    def submit(self, page: Page, nth: int = 0, until: str = "", **fields: str) -> Page:
        """A form of the page, with these fields filled in."""
        form = page.forms[nth]
        filled = form.fields | fields
        headers = {"Origin": "/".join(page.address.split("/")[:3])}
        if form.method == "POST":
            return self.follow(self.ask(form.action, filled, headers), until)
        return self.open(f"{form.action}?{urlencode(filled)}", until)

    def sign_in(self, page: Page, person: tuple[str, str], until: str = "") -> Page:
        """Fills in the provider's login form."""
        return self.submit(page, until=until, login=person[0], password=person[1])

    def cookie(self, name: str) -> str | None:
        return next((cookie.value for cookie in self.cookies if cookie.name.startswith(name)), None)
