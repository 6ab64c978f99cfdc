"""After logins of every kind, good and bad: no code, token, secret, proof or state in anything that somebody may read.

Searched are the log at its most talkative, every span, the metrics, history, exports, dead letters, every page and header
that a browser was shown, and each byte of the data folder. The codes that a user typed, the right one and a wrong one, are
searched as all else is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from tests.identity import bots, social
from tests.identity.bots import BALANCE, LEAVE, PROMPT, THANKS, authentication, callback, running_banks, write_bank
from tests.identity.browser import Browser, Page
from tests.identity.provider import ADA, CLIENT, SECRET, provider
from tests.identity.talk import Rest, Web, history, state_of, texts
from tests.live import call, free_port, wait_until
from tests.service.collector import collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.live import Service

BANKS = ("off", "code", "cookie", "confirm")


@dataclass
class Run:
    """What a whole run left, as bytes under the name of the place; and what must not stand there."""

    service: Service
    issuer: str
    social: str
    places: dict[str, bytes] = field(default_factory=dict)
    pages: list[Page] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)

    def browser(self) -> Browser:
        browser = Browser()
        browser.seen = self.pages
        return browser

    def link(self, user: Rest | Web, text: str = BALANCE) -> str:
        link = user.link(text)
        self.states.append(state_of(link))
        return link

    def keep(self, browser: Browser) -> None:
        """Its cookies are secrets too."""
        for number, cookie in enumerate(browser.cookies):
            if cookie.name.startswith("dialoom_login"):
                self.secrets[f"cookie {number} of {id(browser)}"] = cookie.value or ""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    port, folder = free_port(), tmp_path_factory.mktemp("secrets")
    with collector() as (traces, spans), social.social() as network, provider(callback(port), ttl=2) as identity:

        def make(at: Path) -> list[Path]:
            accounts = f"{identity.issuer}/accounts"
            banks = [
                write_bank(at, rule, accounts, authentication(identity.issuer, binding=rule, refresh=True))
                for rule in BANKS
            ]
            app = {"app-id": social.APP_ID, "app-secret": social.APP_SECRET}
            wrong = authentication(identity.issuer)
            wrong["oidc"] |= {"client-secret": f"wrong {SECRET}"}
            return [
                *banks,
                write_bank(at, "social", f"{network.url}/me", authentication("", oidc=None, socialnet=app)),
                write_bank(at, "wrong", accounts, wrong),
            ]

        environment = {
            "DIALOOM_LOG_LEVEL": "debug",
            "DIALOOM_LOG_REQUESTS": "on",
            "DIALOOM_SOCIALNET_DIALOG_URL": network.dialog_url,
            "DIALOOM_SOCIALNET_GRAPH_URL": network.graph_url,
            "OTEL_EXPORTER_OTLP_ENDPOINT": traces,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        with running_banks(folder, make, port, **environment) as service:
            found = Run(service, identity.issuer, network.url)
            _talk(found)
            _gather(found)
            service.stop()
        found.places["log"] = service.output.encode()
        found.places["traces"] = b"\0".join(spans)
        for file in sorted(path for path in Path(service.data).rglob("*") if path.is_file()):
            found.places[f"data: {file.relative_to(service.data)}"] = file.read_bytes()
        found.secrets |= {f"provider {number}": text for number, text in enumerate(identity.secrets())}
        found.secrets |= {f"social {number}": text for number, text in enumerate(network.network.given)}
        found.secrets |= {
            f"proof {n}": social.proof(token) for n, token in enumerate([social.OWN_TOKEN, *network.network.tokens])
        }
        basic = base64.b64encode(f"{quote_plus(CLIENT)}:{quote_plus(SECRET)}".encode()).decode()
        found.secrets |= {"client secret": SECRET, "app secret": social.APP_SECRET, "basic": basic}
        yield found


def _talk(run: Run) -> None:
    """Every kind of login, and every way in which one may end."""
    service = run.service
    for rule in ("off", "confirm", "social"):
        user, browser = Rest(service, rule, f"user-of-{rule}"), run.browser()
        page = browser.go(run.link(user), run.social if rule == "social" else run.issuer)
        page = browser.submit(page) if rule == "social" else browser.sign_in(page, ADA)
        assert page.status == 200, page.text
        wait_until(lambda user=user: THANKS in user.later())
        run.keep(browser)
    _typed(run)
    _refused(run)
    # Renewed, as its token lived for a second; then given back.
    user = Rest(service, "off", "user-of-off")
    wait_until(lambda: PROMPT not in texts(user.say(BALANCE)))
    user.say(LEAVE)
    web = Web(service, "cookie")
    browser = run.browser()
    page = browser.open(run.link(web))
    [challenge] = re.findall(r'data-challenge="([^"]+)"', page.body.decode())
    proof = web.call("POST", "login-proof", {"challenge": challenge}).json["proof"]
    run.secrets["window's proof"] = proof
    browser.sign_in(browser.open(browser.send(page.address, {"proof": proof})["address"]), ADA)
    wait_until(lambda: THANKS in texts(web.heard()))
    run.keep(browser)


def _typed(run: Run) -> None:
    """A code: read on the page, typed wrongly once, then rightly."""
    user, browser = Rest(run.service, "code", "user-of-code"), run.browser()
    page = browser.sign_in(browser.go(run.link(user), run.issuer), ADA)
    code = re.sub(r"\s", "", re.findall(r"(?<!\d)\d{3}\s?\d{3}(?!\d)", page.text)[0])
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    run.secrets |= {"typed rightly": code, "typed wrongly": wrong}
    assert THANKS not in texts(user.say(wrong))
    assert THANKS in texts(user.say(code))
    run.keep(browser)


def _refused(run: Run) -> None:
    """A provider that refuses the client, a cancel, a replay, states that are none."""
    wrong, browser = Rest(run.service, "wrong", "user-of-wrong"), run.browser()
    assert browser.sign_in(browser.open(run.link(wrong)), ADA).status >= 400
    cancels, other = Rest(run.service, "off", "cancels"), run.browser()
    other.submit(other.open(run.link(cancels)), nth=1)
    replays = Rest(run.service, "off", "replays")
    own = run.browser()
    back = own.sign_in(own.open(run.link(replays)), ADA, until=callback(run.service.port))
    for _ in range(2):
        own.ask(back.location)
    own.ask(f"{callback(run.service.port)}?code=c0de&state={run.states[0][:-8]}")
    own.ask(f"{callback(run.service.port)}?error=server_error&error_description={quote(SECRET)}&state={run.states[-1]}")


def _gather(run: Run) -> None:
    """What the service tells those who ask it, while it runs."""
    service = run.service
    run.places["metrics"] = call("GET", f"{service.url}/metrics").body
    for bot in (*BANKS, "social", "wrong"):
        for kind in ("conversations", "messages"):
            run.places[f"{kind} of {bot}"] = json.dumps(history(service, bot, kind)).encode()
        headers = {"Authorization": f"Bot-Server-Access-Token {bots.HISTORY_TOKEN}-{bot}"}
        for place in (f"users/user-of-{bot}/export?channel=rest", "dead-letters"):
            answer = call("GET", f"{service.url}/v1/bots/{bot}/{place}", None, headers)
            assert answer.status in {200, 404}, answer.body
            run.places[f"{place} of {bot}"] = answer.body
    # Of the commands one, as each is a process.
    command = [sys.executable, "-m", "dialoom.cli", "user", "export", "off", "user-of-off", "--data", str(service.data)]
    done = subprocess.run(command, capture_output=True, check=True)
    run.places["command"] = done.stdout + done.stderr


def _forms_of(secret: str) -> Iterator[bytes]:
    """As it is, in an address, in JSON, in base64 at any place."""
    plain = secret.encode()
    yield from {plain, quote(secret, safe="").encode(), quote_plus(secret).encode(), json.dumps(secret)[1:-1].encode()}
    for shift in range(3):
        packed = base64.b64encode(b"\0" * shift + plain)
        # A sign has six bits: the first and the last may depend on what stands around.
        yield packed[-(-8 * shift // 6) : 8 * (shift + len(plain)) // 6]


def _stands(form: bytes, content: bytes) -> bool:
    """Of digits, only by themselves: the six of a code are part of many a time of day."""
    return bool(re.search(rb"(?<!\d)%b(?!\d)" % form, content)) if form.isdigit() else form in content


def _found(secrets: dict[str, str], places: dict[str, bytes]) -> list[str]:
    return [
        f"{name} in {place}"
        for name, secret in secrets.items()
        for place, content in places.items()
        if any(_stands(form, content) for form in _forms_of(secret))
    ]


def test_the_run_had_all_that_is_looked_for(run: Run) -> None:
    """Else the others would prove nothing."""
    kinds = {name.split()[0] for name in run.secrets}
    assert {"provider", "social", "proof", "client", "app", "basic", "cookie", "typed"} <= kinds
    assert len(run.states) >= 7
    assert b"dialoom_" in run.places["metrics"]
    assert all(f"user-of-{bot}".encode() in run.places[f"messages of {bot}"] for bot in ("off", "code", "social"))
    assert b"user-of-off" in run.places["command"]
    assert b"memory" in run.places["users/user-of-code/export?channel=rest of code"]
    assert b"turn" in run.places["traces"]
    assert any(name.endswith(".sqlite") for name in run.places)
    assert all(len(secret) >= 20 for name, secret in run.secrets.items() if not name.startswith("typed"))


@pytest.mark.parametrize("shift", range(6))
def test_the_search_finds_a_secret_in_each_of_its_forms(shift: int) -> None:
    secret = SECRET + "tail"
    forms = [secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)]
    packed = [base64.b64encode(f"{'x' * shift}{secret}{'y' * shift}".encode()).decode()]
    for form in [*forms, *packed]:
        assert _found({"it": secret}, {"there": f"<{form}>".encode()}) == ["it in there"], form
    assert _found({"it": secret}, {"there": b"something else"}) == []


@pytest.mark.parametrize("shift", range(6))
def test_the_search_finds_a_code_that_stands_by_itself(shift: int) -> None:
    packed = base64.b64encode(f"{'x' * shift}407213{'y' * shift}".encode())
    for place in (b"407213", b"a407213b", b"\xff407213\xff", b'{"Text": "407213"}', packed):
        assert _found({"it": "407213"}, {"there": place}) == ["it in there"], place
    for other in (b"1407213", b"4072130", b"17640721309", b"40721", base64.b64encode(b"407214")):
        assert _found({"it": "407213"}, {"there": other}) == [], other


def test_no_token_code_or_secret_stands_in_any_record_log_trace_metric_or_file(run: Run) -> None:
    assert _found(run.secrets, run.places) == []


def test_no_state_stands_there_either(run: Run) -> None:
    assert _found({f"state {number}": state for number, state in enumerate(run.states)}, run.places) == []


def test_no_page_or_header_shows_a_token_a_secret_or_the_provider_s_code(run: Run) -> None:
    ours = [page for page in run.pages if page.address.startswith(run.service.url)]
    assert {page.status for page in ours} == {200, 303, 403, 404, 410, 502}
    shown = {
        f"{page.status} {number}": page.body
        + b"\n".join(f"{k}: {v}".encode() for k, v in page.headers.items() if k != "set-cookie")
        for number, page in enumerate(ours)
    }
    kept = {name: secret for name, secret in run.secrets.items() if name != "typed rightly"}
    assert _found(kept, shown) == []


def test_no_page_of_the_service_lets_the_next_one_know_its_address(run: Run) -> None:
    """States stand in addresses: what a browser really says to the provider is seen in ``tests/e2e``."""
    ours = [page for page in run.pages if page.address.startswith(run.service.url)]
    led_away = [page for page in ours if page.status == 303 and not page.location.startswith(run.service.url)]
    assert {page.location.split("?")[0] for page in led_away} >= {f"{run.issuer}/auth", f"{run.social}/dialog/oauth"}
    assert {page.headers.get("referrer-policy") for page in ours} == {"no-referrer"}


def test_only_the_page_of_the_code_shows_the_code_and_no_page_of_an_end_shows_a_state(run: Run) -> None:
    ended = [
        page
        for page in run.pages
        if page.address.startswith(callback(run.service.port) + "?") and page.status not in {302, 303}
    ]
    assert len(ended) > 5
    for page in ended:
        assert not any(state.encode() in page.body for state in run.states), page.text
    code = run.secrets["typed rightly"]
    assert sum(code in re.sub(r"(?<=\d)\s(?=\d)", "", page.text) for page in run.pages) == 1


def test_what_a_browser_keeps_is_not_in_clear_at_the_service(run: Run) -> None:
    """Of its secret the row has the SHA-256, sealed."""
    cookies = [secret for name, secret in run.secrets.items() if name.startswith("cookie")]
    hashes = {f"hash of {n}": hashlib.sha256(text.encode()).hexdigest() for n, text in enumerate(cookies)}
    assert _found(hashes, run.places) == []


def test_a_failing_conversation_test_prints_no_token_that_it_logs_in_with(tmp_path: Path) -> None:
    bank = write_bank(tmp_path, "tested", "https://api.example.com/accounts", authentication("https://id.example.com"))
    token = "conversation-test-token-of-nobody"
    talk: list[Any] = [
        {"user": {"text": BALANCE}, "bot": [[{"text": "This is not what comes."}]]},
        {"user": {"login": {"access_token": token}}, "bot": [[{"text": "Nor this."}]]},
    ]
    mocks = {"https://api.example.com/accounts": {"GET": {"name": "Ada", "balance": 1}}}
    suite = {"name": "login", "scenarios": [{"it": "logs in", "mocks": mocks, "steps": talk}]}
    (bank / "tests").mkdir()
    (bank / "tests" / "login.json").write_text(json.dumps(suite))
    command = [sys.executable, "-m", "dialoom.cli", "test", str(bank)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Nor this." in done.stdout or "This is not what comes." in done.stdout
    assert bots.PROMPT in done.stdout
    assert token not in done.stdout + done.stderr
