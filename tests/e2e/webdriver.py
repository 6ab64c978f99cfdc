"""Drives browsers that Playwright does not: WebKit by its W3C WebDriver over HTTP, Firefox by Marionette, which takes the
same commands over a socket of its own (what geckodriver, which Debian does not have, would do).

https://www.w3.org/TR/webdriver2/ and https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.live import free_port, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

START_SECONDS = 60.0
TRIES = 50
PATHS = {
    "Navigate": ("POST", "url"),
    "Refresh": ("POST", "refresh"),
    "ExecuteScript": ("POST", "execute/sync"),
    "SetWindowRect": ("POST", "window/rect"),
    "TakeScreenshot": ("GET", "screenshot"),
    "ElementClick": ("POST", "element/{id}/click"),
    "ElementSendKeys": ("POST", "element/{id}/value"),
    "GetComputedLabel": ("GET", "element/{id}/computedlabel"),
    "GetComputedRole": ("GET", "element/{id}/computedrole"),
}
"""Marionette's name of a command, and its HTTP method and path."""
SEE = """
    const found = [];
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (element.matches(arguments[0])) found.push(element);
            if (element.shadowRoot) walk(element.shadowRoot);
        }
    };
    walk(document);
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
    return arguments[1] ? found : found.filter(isSeen);
"""
"""Elements that a CSS selector matches, inside shadow roots too."""


class Failed(Exception):
    """The browser's answer to a command: no such element, element click intercepted, ..."""


class StaleElement(Failed):
    """The element is no longer in the page."""


def _failed(answer: Any) -> Failed:
    return StaleElement(answer) if answer["error"] == "stale element reference" else Failed(answer)


class Browser:
    """One window of a browser; ``do`` sends a command and returns the answer's value."""

    def __init__(self, name: str, version: str, do: Callable[..., Any]) -> None:
        self.name, self.version, self.do = name, version, do

    def run(self, script: str, *arguments: Any) -> Any:
        return self.do("ExecuteScript", script=script, args=list(arguments))

    def open(self, url: str) -> None:
        self.do("Navigate", url=url)

    def reload(self) -> None:
        self.do("Refresh")

    def all(self, selector: str, *, hidden: bool = False) -> list[str]:
        for _ in range(TRIES):
            # An element may go away while the answer is made; Firefox and WebKit refuse the whole answer then.
            with contextlib.suppress(StaleElement):
                return [next(iter(element.values())) for element in self.run(SEE, selector, hidden)]
        raise AssertionError(f"what {selector} finds changes all the time")

    def by_label(self, selector: str, name: str) -> str | None:
        """The first whose accessible name, as the browser tells it to a screen reader, matches the regular expression."""
        for element in self.all(selector):
            with contextlib.suppress(Failed):
                if re.search(name, self.do("GetComputedLabel", id=element)):
                    return element
        return None

    def click(self, selector: str, name: str) -> None:
        """Once it is there and nothing moves over it."""
        wait_until(lambda: self._clicks(selector, name))

    def _clicks(self, selector: str, name: str) -> bool:
        element = self.by_label(selector, name)
        if element is None:
            return False
        try:
            self.do("ElementClick", id=element)
        except Failed:
            return False
        return True

    def role(self, selector: str, name: str) -> str | None:
        element = self.by_label(selector, name)
        return None if element is None else str(self.do("GetComputedRole", id=element))

    def write(self, selector: str, text: str, *, hidden: bool = False) -> None:
        """Type into the first, once it is there; into a field for files: choose the file of this path."""
        wait_until(lambda: self._writes(selector, text, hidden))

    def _writes(self, selector: str, text: str, hidden: bool) -> bool:
        for element in self.all(selector, hidden=hidden)[:1]:
            with contextlib.suppress(StaleElement):
                self.do("ElementSendKeys", id=element, text=text)
                return True
        return False

    def picture(self, file: Path) -> None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(base64.b64decode(self.do("TakeScreenshot", full=False)))


# -- WebKit


@contextlib.contextmanager
def _display() -> Iterator[dict[str, str]]:
    """The environment with a display: that of this machine, or a virtual one."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield {**os.environ}
        return
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    virtual = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert virtual.stdout is not None
    try:
        yield {**os.environ, "DISPLAY": f":{virtual.stdout.readline().strip()}"}
    finally:
        virtual.terminate()
        virtual.wait()
        virtual.stdout.close()


@contextlib.contextmanager
def webkit(folder: Path) -> Iterator[Browser]:
    """WebKitGTK's own small browser. ``folder``: where it keeps what it stores."""
    port = free_port()
    with _display() as environment:
        places = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        command = ["WebKitWebDriver", f"--port={port}"]
        driver = subprocess.Popen(command, env=environment | places, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: _listens(port), START_SECONDS)
            opened = _ask(port, "POST", "session", {"capabilities": {"alwaysMatch": {}}})
            session = f"session/{opened['sessionId']}"

            def do(command: str, **parameters: Any) -> Any:
                method, path = PATHS[command]
                where = f"{session}/{path.format(id=parameters.pop('id', ''))}"
                return _ask(port, method, where, parameters if method == "POST" else None)

            yield Browser("WebKitGTK", opened["capabilities"]["browserVersion"], do)
            _ask(port, "DELETE", session)
        finally:
            driver.terminate()
            driver.wait()


def _ask(port: int, method: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", data, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        with error:
            raise _failed(json.load(error)["value"]) from None


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    return False


# -- Firefox

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # Nothing but the service under test is asked for anything.
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


class _Marionette:
    def __init__(self, port: int) -> None:
        wait_until(lambda: _listens(port), START_SECONDS)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._read()

    def _read(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise EOFError("Firefox closed the connection.")
            length += byte
        return json.loads(self._stream.read(int(length)))

    def ask(self, command: str, **parameters: Any) -> Any:
        self._number += 1
        data = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(data), data))
        _, _, error, value = self._read()
        if error:
            raise _failed(error)
        # Most answers stand in an object of their own, lists and the session's do not.
        return value["value"] if isinstance(value, dict) and value.keys() == {"value"} else value

    def do(self, command: str, **parameters: Any) -> Any:
        return self.ask(f"WebDriver:{command}", **parameters)

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """Firefox without a window. ``folder``: its profile."""
    port = free_port()
    preferences = {**PREFERENCES, "marionette.port": port}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items())
    (folder / "user.js").write_text("\n".join(lines), "utf-8")
    command = [find_firefox() or "firefox", "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    environment = {**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        marionette = _Marionette(port)
        try:
            opened = marionette.do("NewSession", capabilities={"alwaysMatch": {}})
            yield Browser("Firefox", opened["capabilities"]["browserVersion"], marionette.do)
            marionette.ask("Marionette:Quit", flags=["eForceQuit"])
        finally:
            marionette.close()
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        process.kill()
        process.wait()


# -- what is on this machine


def find_firefox() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def missing(name: str) -> str | None:
    """What to install so that this browser can be driven; None if nothing is missing."""
    if name == "firefox":
        return None if find_firefox() else "No Firefox: apt-get install firefox-esr."
    if shutil.which("WebKitWebDriver") is None:
        return "No WebKitWebDriver: apt-get install webkit2gtk-driver."
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or shutil.which("Xvfb")
    return None if has_display else "No display for WebKit: apt-get install xvfb."
