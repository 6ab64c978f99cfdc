"""What a process pays for templates before it uses them."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from dialoom.template import (
    Scope,
    Selector,
    Template,
    compile,
    compile_endpoint,
    compile_header,
    compile_payload,
    compile_selector,
    prepare,
)

HEAVY = ("babel", "jsonpath")


def test_heavy_libraries_are_imported_when_they_are_first_needed() -> None:
    program = (
        "import sys; from dialoom.template import *; compile('{{#each a}}{{$eq b 1}}{{/each}}').text(Scope({}));"
        "compile_selector('$.a[0]'); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(HEAVY) & set(ran.stdout.split()) == set()


async def test_rendering_does_not_wait_for_the_disk_when_language_and_zone_are_prepared() -> None:
    scope = Scope({"d": "2015-06-15T10:00:00Z", "n": 1}, locale="sw", timezone="Africa/Nairobi")
    template, selector = await asyncio.to_thread(load)
    assert template.needs_formats
    assert template.text(scope) == "Juni 2015 13:00 Ksh\xa01.00 1"
    assert selector.apply({"a": 1}, scope) == [1]


def load() -> tuple[Template, Selector]:
    prepare("sw", "Africa/Nairobi")
    return compile("{{$date d 'MMMM YYYY HH:mm'}} {{$currency n 'KES'}} {{$number n}}"), compile_selector("$..{{x}}a")


def test_a_template_says_whether_it_formats_by_language() -> None:
    assert not compile("{{a}} {{$add 1 2}}").needs_formats
    assert compile_payload({"a": ["{{$date x}}"]}).needs_formats
    assert compile_endpoint("https://example.com/{{$date x 'YYYY'}}").needs_formats
    assert compile_header("{{$number x}}").needs_formats
