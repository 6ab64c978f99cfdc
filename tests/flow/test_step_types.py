from __future__ import annotations

from typing import get_args

from dialoom.flow.steps import STEP_TYPES, Step


def test_every_type_of_the_union_has_one_row() -> None:
    assert sorted(row.struct.__name__ for row in STEP_TYPES.values()) == sorted(one.__name__ for one in get_args(Step))
