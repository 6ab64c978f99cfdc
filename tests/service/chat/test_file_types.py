"""What a file is by its content, and a name that is safe to hand on."""

from __future__ import annotations

import io
import unicodedata
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.service.chat.attachments import IMAGES, MARKS, MAX_NAME_CHARS, safe_name, type_of


def packed(*names: str, first: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if first:
            archive.writestr("mimetype", first)
        for name in names:
            archive.writestr(name, b"x")
    return file.getvalue()


OPEN_TEXT = "application/vnd.oasis.opendocument.text"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.mark.parametrize(
    ("content", "type"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"RIFF\x24\0\0\0AVI LIST", "application/octet-stream"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "image/heic"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0", "image/heif"),
        (b"\0\0\0\x20ftypavif\0\0\0\0", "image/avif"),
        (b"\0\0\0\x20ftypisom\0\0\x02\0", "video/mp4"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0", "video/quicktime"),
        (b"\0\0\0\x14ftyp3gp5\0\0\0\0", "video/3gpp"),
        (b"\0\0\0\x20ftypM4A \0\0\0\0", "audio/mp4"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm", "video/webm"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska", "video/x-matroska"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"OggS\0\x02", "audio/ogg"),
        (b"ID3\x04\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"{\\rtf1\\ansi", "application/rtf"),
        (packed("a.txt"), "application/zip"),
        (packed("[Content_Types].xml", "word/document.xml"), WORD),
        (packed("[Content_Types].xml", *(f"media/{n}.bin" for n in range(1500)), "xl/workbook.xml"), EXCEL),
        (packed("content.xml", first=OPEN_TEXT.encode()), OPEN_TEXT),
        (packed("content.xml", first=b"text/html"), "application/zip"),
        (b"Hello,\tworld\r\n", "text/plain"),
        ("Grüße 😀".encode(), "text/plain"),
        (("a" * 65_535 + "ü" + "a" * 100).encode(), "text/plain"),
        (b"\xef\xbb\xbfname;city\n", "text/plain"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain"),
        (b"<?xml version='1.0'?><svg/>", "text/plain"),
        (b"<!doctype html><script>alert(1)</script>", "text/plain"),
        (b"MZ\x90\0\x03", "application/octet-stream"),
        (b"a\0b", "application/octet-stream"),
        ("Grüße".encode("latin-1"), "application/octet-stream"),
        (b"x", "text/plain"),
    ],
)
def test_the_content_says_what_a_file_is(content: bytes, type: str) -> None:
    assert type_of(content) == type


def test_what_can_hold_script_is_never_an_image() -> None:
    assert not any("svg" in type or "xml" in type or "html" in type for type in IMAGES)
    assert not any("svg" in mark.type or "html" in mark.type for mark in MARKS)


@given(st.binary(max_size=200))
def test_any_content_has_a_type(content: bytes) -> None:
    assert type_of(content).count("/") == 1


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("leaf.png", "leaf.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\Ada\\leaf.png", "leaf.png"),
        ("Mein  Blatt (1).png", "Mein Blatt (1).png"),
        ("a\r\nX-Header: b.png", "a X-Header_ b.png"),
        ("gnp\u202efdp.exe", "gnp fdp.exe"),
        ("a\0b", "a b"),
        (".htaccess", "htaccess"),
        ("nul...", "nul"),
        ('a"b<c>.png', "a_b_c_.png"),
        ("Blätter.png", "Blätter.png"),
        ("葉.png", "葉.png"),
        ("", "file.png"),
        ("/", "file.png"),
        (" . ", "file.png"),
        ("a" * 300 + ".png", "a" * 116 + ".png"),
        ("a." + "b" * 300, "a." + "b" * 118),
        ("\ud800.png", "png"),
    ],
)
def test_a_name_is_cleaned(name: str, safe: str) -> None:
    assert safe_name(name, "image/png") == safe


@given(st.text())
def test_any_name_is_made_safe(name: str) -> None:
    safe = safe_name(name, "text/plain")
    assert 1 <= len(safe) <= MAX_NAME_CHARS
    assert not set(safe) & set('/\\"<>:|?*\r\n\0')
    assert not safe.startswith(".")
    assert all(unicodedata.category(character)[0] != "C" for character in safe)
