"""UUIDv7 texts that sort by time."""

from __future__ import annotations

import uuid

from dialoom.service.clock import IdSource


def test_ids_are_uuids_of_version_7_that_hold_the_time() -> None:
    id = IdSource().make(1_790_000_000_123)
    assert uuid.UUID(id).version == 7
    assert uuid.UUID(id).variant == uuid.RFC_4122
    assert uuid.UUID(id).int >> 80 == 1_790_000_000_123


def test_ids_rise_within_a_millisecond_past_the_counter_and_when_the_clock_jumps_back() -> None:
    source = IdSource()
    times = [*[1000] * 5000, 999, 500, 1001, 1002]
    ids = [source.make(time) for time in times]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
