"""What the command line asks for: models, sessions, files and sentences, told apart and checked before a start."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from engine.common.characters import readable
from engine.common.errors import EngineError
from engine.common.resources import bundled_models, model_file
from engine.model.model import Model
from engine.settings import DEFAULT_PRESET, PRESETS, Settings
from explorer.kit.file_kinds import LESSON, MODEL, SENTENCES, SESSION, FileKind, is_name_of_file, kind_of
from explorer.session.document import TextLine, check_characters, read_file, split_text


class StartPlan:
    """What the arguments name: a model, a session, a lesson, files of sentences, sentences."""

    def __init__(self, options: argparse.Namespace) -> None:
        model = find_model(options.model) if options.model else None
        named: list[tuple[FileKind, Path]] = []
        self.texts: list[str] = []
        for text in options.inputs:
            path = Path(text)
            if not text.strip():
                raise EngineError("the text is empty: there is no sentence to draw")
            if _is_there(path, Path.is_dir) or _is_there(path, Path.is_file):
                named.append((_kind(path), path))
                continue
            if is_name_of_file(text):
                raise EngineError(f"{text}: there is no such file")
            check_characters(text)
            self.texts.append(readable(text))
        # Of models, sessions and lessons there can be one: the one that was named last.
        last = dict(named)
        self.model: Path | None = last.get(MODEL, model)
        self.session, self.lesson = last.get(SESSION), last.get(LESSON)
        self.files = [path for kind, path in named if kind not in (MODEL, SESSION, LESSON)]
        changes = {"beam": options.beam} if options.beam is not None else {}
        preset = options.preset if options.preset is not None else DEFAULT_PRESET
        if preset not in PRESETS:
            raise EngineError(f"there is no preset {preset}; choose one of {', '.join(map(str, PRESETS))}")
        self.chosen = options.preset is not None or options.beam is not None
        self.preset, self.settings = preset, Settings.preset(preset, **changes)

    @property
    def empty(self) -> bool:
        """Whether nothing was named that is to be shown."""
        return not (self.session or self.lesson or self.files or self.texts)

    def sentences(self, model: Model | None) -> list[TextLine]:
        """What the texts and files hold, split as the window splits what is typed; none if nothing was named."""
        found = [line for text in self.texts for line in split_text(text, model)]
        for file in self.files:
            lines = split_text(read_file(file), model, file.name)
            if not lines:
                raise EngineError(f"{file}: there is no sentence in the file")
            found += lines
        return found

    def found_model(self) -> Path:
        """The model that was named, or the one that comes with the program."""
        if self.model is not None:
            return self.model
        bundled = bundled_models()
        if not bundled:
            raise EngineError("there is no model; name one with `--model FILE`, or train one with `parse-engine train`")
        return next(iter(bundled.values()))


def _is_there(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether this is a file or folder; a sentence may be longer than any name of one can be."""
    try:
        return kind(path)
    except OSError:
        return False


def find_model(name: str) -> Path:
    """The file of a model: as it is named, or the bundled one of that name."""
    path = model_file(name)
    if path is None or not path.is_file():
        bundled = bundled_models()
        known = f" (bundled: {', '.join(bundled)})" if bundled else ""
        raise EngineError(f"{name}: there is no such model{known}")
    return path


def _kind(path: Path) -> FileKind:
    """What a file is; that one cannot be read says whoever opens it."""
    try:
        return kind_of(path)
    except OSError:
        return MODEL if path.suffix in MODEL.suffixes else SENTENCES


def window_size(text: str) -> tuple[int, int]:
    """Read ``1280x800``."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    # Longer numbers are no sizes, and Python refuses to read very long ones.
    numbers = all(one.isdecimal() and len(one) <= 9 for one in (width, height))
    if not numbers or not (320 <= int(width) <= 7680 and 240 <= int(height) <= 4320):
        raise EngineError(f"a size is written 1280x800, from 320x240 to 7680x4320, not `{text}`")
    return int(width), int(height)
