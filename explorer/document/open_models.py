"""The models of a session: the one in use, those used before it, and the loading of others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from engine.model.model import Model
from explorer.document.session_tasks import load_model
from explorer.tasks.worker import Job, Worker

KEPT_MODELS = 3


class Models:
    """Keeps the models used last in memory, so that undoing a change of model is at once.

    Parameters
    ----------
    loading
        The thread that loads.
    failed
        Told, on the GUI thread, why a model cannot be used.
    """

    def __init__(self, loading: Worker, failed: Callable[[Exception], None]) -> None:
        self.current: Model | None = None
        self._loaded: Model | None = None
        self._kept: OrderedDict[str, Model] = OrderedDict()
        self._loading = loading
        self._failed = failed
        self._wanted = ""

    def load(self, name: str, on_loaded: Callable[[], None]) -> Job:
        """Load a model and keep it; the one in use stays so, whether this succeeds or not."""

        def loaded(model: Model) -> None:
            self._keep(name, model)
            on_loaded()

        def work(job: Job) -> Model:
            self._loaded = load_model(job, name)
            return self._loaded

        return self._loading.request(work, loaded, self._failed)

    @property
    def at_hand(self) -> Model | None:
        """The model in use, or the one that was just loaded: what is read right after it is read with it."""
        return self.current or self._loaded

    def kept(self, name: str) -> Model | None:
        """A model that is in memory."""
        return self._kept.get(name)

    def use(self, name: str, found: Callable[[], None]) -> bool:
        """Use the model of this name.

        Parameters
        ----------
        name
            Its file; empty for none.
        found
            Called when it is in memory, if it first has to be loaded: undone or restored to one that is no longer kept.

        Returns
        -------
        bool
            Whether another model is in use now.
        """
        model = self._kept.get(name)
        if model is not None:
            other = model is not self.current
            self._keep(name, model)
            self.current = model
            return other
        if name and name != self._wanted:
            self._wanted = name

            def on_loaded() -> None:
                self._wanted = ""
                found()

            self.load(name, on_loaded)
        return False

    def cancelled(self) -> None:
        """No load is under way any more: the same model may be asked for again."""
        self._wanted = ""

    def _keep(self, name: str, model: Model) -> None:
        self._kept[name] = model
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT_MODELS:
            self._kept.popitem(last=False)
