"""Makes the app package that is uploaded to Teams: manifest and icons in a ZIP file.

Source: https://learn.microsoft.com/microsoftteams/platform/resources/schema/manifest-schema (limits of each field) and
.../concepts/build-and-test/apps-package (sizes of the icons).
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from dialoom.channels._contract.fit import clipped
from dialoom.channels.teams.sign_on import connection_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.service.outbox.bot_channel import BotChannel

VERSION: Final = "1.17"
COLOR: Final = (0x42, 0x63, 0xEB)
MAX_SHORT_NAME_CHARS: Final = 30
MAX_NAME_CHARS: Final = 100
COLOR_ICON_PIXELS: Final = 192
OUTLINE_ICON_PIXELS: Final = 32
SIGN_IN_DOMAIN: Final = "token.botframework.com"
"""Where the pop-up of single sign-on is."""
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)

Pixel = tuple[int, int, int, int]


def app_package(bot_channel: BotChannel, base_url: str) -> bytes:
    """Return the package, the same bytes for the same bot. Raises ``SettingError``."""
    files = {
        "manifest.json": msgspec.json.format(msgspec.json.encode(manifest(bot_channel, base_url)), indent=2),
        "color.png": _icon(COLOR_ICON_PIXELS, lambda is_sign: (255, 255, 255, 255) if is_sign else (*COLOR, 255)),
        "outline.png": _icon(OUTLINE_ICON_PIXELS, lambda is_sign: (255, 255, 255, 255 if is_sign else 0)),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), content)
    return packed.getvalue()


def manifest(bot_channel: BotChannel, base_url: str) -> dict[str, Any]:
    """Return the manifest. ``base_url``: where the service is reached; login and picker pages are there."""
    app_id, name, has_sign_on = (
        bot_channel.required("app-id"),
        bot_channel.bot.name,
        connection_of(bot_channel) is not None,
    )
    host = urlsplit(base_url).netloc
    schema = f"https://developer.microsoft.com/json-schemas/teams/v{VERSION}/MicrosoftTeams.schema.json"
    return {
        "$schema": schema,
        "manifestVersion": VERSION,
        "version": "1.0.0",
        "id": app_id,
        "developer": {
            "name": clipped(name, 32),
            "websiteUrl": base_url,
            "privacyUrl": base_url,
            "termsOfUseUrl": base_url,
        },
        "name": {"short": clipped(name, MAX_SHORT_NAME_CHARS), "full": clipped(name, MAX_NAME_CHARS)},
        "description": {"short": clipped(name, 80), "full": clipped(name, 4000)},
        "icons": {"color": "color.png", "outline": "outline.png"},
        "accentColor": "#{:02X}{:02X}{:02X}".format(*COLOR),
        "bots": [{"botId": app_id, "scopes": ["personal", "team", "groupChat"], "supportsFiles": True}],
        "permissions": ["identity", "messageTeamMembers"],
        "validDomains": [host, *([SIGN_IN_DOMAIN] if has_sign_on else [])],
        **({"webApplicationInfo": {"id": app_id, "resource": f"api://botid-{app_id}"}} if has_sign_on else {}),
    }


def _icon(pixels: int, color: Callable[[bool], Pixel]) -> bytes:
    """Return a square PNG with the sign of a speech bubble in it (w3.org/TR/png)."""
    rows = b"".join(
        b"\0" + b"".join(bytes(color(_is_in_bubble((x + 0.5) / pixels, (y + 0.5) / pixels))) for x in range(pixels))
        for y in range(pixels)
    )
    header = struct.pack(">IIBBBBB", pixels, pixels, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, chunks))


def _chunk(chunk: tuple[bytes, bytes]) -> bytes:
    kind, data = chunk
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _is_in_bubble(x: float, y: float) -> bool:
    """Return whether a point of the unit square lies in a rounded box or its tail."""
    left, right, top, bottom, radius = 0.22, 0.78, 0.26, 0.64, 0.1
    if left <= x <= right and top <= y <= bottom:
        dx = max(left + radius - x, x - (right - radius), 0.0)
        dy = max(top + radius - y, y - (bottom - radius), 0.0)
        return dx * dx + dy * dy <= radius * radius
    return 0.32 <= x <= 0.48 and bottom <= y <= bottom + (0.48 - x)
