"""The models that are open: the one in use, those used before it, and the loading of others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from engine.chart.parser import Parser
from engine.model.model import Model
from explorer.document.messages import Messages
from explorer.graphics.pictures.parse_facts import look_up
from explorer.tasks.worker import Job, Worker

KEPT_MODELS = 3
_WARM_UP_SENTENCE = "a/DT man/NN saw/VBD a/DT dog/NN"


class OpenModels:
    """Keeps the models used last in memory, so that undoing a change of model is at once.

    Parameters
    ----------
    loading
        The thread that loads.
    messages
        Where a message says why a model cannot be used.
    """

    def __init__(self, loading: Worker, messages: Messages) -> None:
        self._current: Model | None = None
        self._loaded: Model | None = None
        self._kept: OrderedDict[str, Model] = OrderedDict()
        self._loading = loading
        self._messages = messages
        self._wanted = ""
        self._live: Model | None = None
        self._live_problem = ""
        self._has_live = False

    @property
    def current(self) -> Model | None:
        """The model in use."""
        return self._current

    @property
    def latest(self) -> Model | None:
        """The model in use, or the one that was just loaded: what is read right after it is read with it."""
        return self._current or self._loaded

    @property
    def loading(self) -> bool:
        """Whether a model, or another file before it, is being loaded."""
        return self._loading.busy

    @property
    def wanted(self) -> str:
        """The file of the model that is to be used as soon as it is loaded; empty if that is the one in use."""
        return self._wanted

    def load(
        self, name: str, on_loaded: Callable[[], None], on_failed: Callable[[Exception], None] = lambda error: None
    ) -> Job:
        """Load a model and keep it; the one in use stays so, whether this succeeds or not."""

        def on_result(model: Model) -> None:
            self._keep(name, model)
            on_loaded()

        def work(job: Job) -> Model:
            self._loaded = load_model(job, name)
            return self._loaded

        def on_error(error: Exception) -> None:
            self._messages.show_error(error)
            on_failed(error)

        return self._loading.request(work, on_result, on_error)

    def find(self, name: str, on_loaded: Callable[[], None]) -> Model | None:
        """Get a model beside the one in use; if it is not in memory load it, and call `on_loaded` when it is."""
        found = self._kept.get(name)
        if found is None:
            self.load(name, on_loaded)
        return found

    def kept(self, name: str) -> Model | None:
        """The model of a file, if it is in memory."""
        return self._kept.get(name)

    def use(self, name: str, on_found: Callable[[], None], on_failed: Callable[[Exception], None]) -> bool:
        """Use the model of this name.

        Parameters
        ----------
        name
            Its file; empty for none.
        on_found
            Called when it is in memory, if it first has to be loaded: undone or restored to one that is no longer kept.
        on_failed
            Called if it cannot be loaded.

        Returns
        -------
        bool
            Whether another model is in use now.
        """
        model = self._kept.get(name)
        if model is not None:
            other = model is not self._current
            self._keep(name, model)
            self._current = model
            return other
        if name and name != self._wanted:
            self._wanted = name

            def on_loaded() -> None:
                self._wanted = ""
                on_found()

            def on_error(error: Exception) -> None:
                self._wanted = ""
                on_failed(error)

            self.load(name, on_loaded, on_error)
        return False

    def share(self, other: OpenModels) -> None:
        """Keep what another window has in memory: its models need not be loaded again."""
        for name, model in other._kept.items():
            self._keep(name, model)

    @property
    def has_live(self) -> bool:
        """Whether a model was trained in the window, be it on no tree at all."""
        return self._has_live

    @property
    def problem(self) -> str:
        """Why there is no model to parse with although one was trained, in one sentence; empty if there is one."""
        return self._live_problem if self._current is None else ""

    def set_live(self, model: Model | None, problem: str = "") -> None:
        """Keep the model that was trained in the window; ``None`` where its trees are too few, with the `problem`."""
        self._live, self._live_problem, self._has_live = model, problem, True

    def use_live(self) -> bool:
        """Use the model that was trained in the window; whether another one was in use."""
        other = self._live is not self._current
        self._current = self._live
        return other

    def cancel_loading(self) -> None:
        """Stop loading; the same model may be asked for again."""
        self._loading.cancel()
        self._wanted = ""

    def _keep(self, name: str, model: Model) -> None:
        self._kept[name] = model
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT_MODELS:
            self._kept.popitem(last=False)


def load_model(job: Job, name: str) -> Model:
    """Load a model and parse a first sentence with it."""
    job.report(None, f"Opening {Path(name).name}")
    model = Model.load(name)
    # A first parse loads the compiled kernels and fills the model's tables, here and not when somebody waits.
    look_up(Parser.preset(model).parse(_WARM_UP_SENTENCE, n_best=2, trace=True))
    return model
