"""All targets by name."""

from __future__ import annotations

from tests.fuzz.file_targets import FILE_TARGETS
from tests.fuzz.model_targets import MODEL_TARGETS
from tests.fuzz.target import Target
from tests.fuzz.text_targets import TEXT_TARGETS
from tests.fuzz.window_targets import WINDOW_TARGETS

ENGINE_TARGETS: dict[str, Target] = {one.name: one for one in (*TEXT_TARGETS, *FILE_TARGETS, *MODEL_TARGETS)}
EXPLORER_TARGETS: dict[str, Target] = {one.name: one for one in WINDOW_TARGETS}
TARGETS: dict[str, Target] = {**ENGINE_TARGETS, **EXPLORER_TARGETS}
