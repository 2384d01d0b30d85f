"""The progress bar of a long run, and how it is interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class Bar:
    """A progress line; without a terminal, a plain line for every tenth of the run."""

    def __init__(self, what: str, total: int, done: int = 0, unit: str = "decisions") -> None:
        self.console = Console(stderr=True, highlight=False)
        columns = (TextColumn("{task.description}"), BarColumn(24), TaskProgressColumn(), TimeRemainingColumn())
        self.progress = Progress(
            *columns, TextColumn("{task.fields[told]}"), console=self.console, disable=not self.console.is_terminal
        )
        self.what, self.total, self.done, self.tenth = what, total, done, 10 * done // total
        self.unit = unit
        self.task = self.progress.add_task(what, total=total, completed=done, told="")

    def __enter__(self) -> Bar:
        self.progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.progress.stop()

    def move(self, done: int) -> None:
        """Show how much has been done."""
        self.done = done
        self.progress.update(self.task, completed=min(done, self.total))

    def tell(self, told: str) -> None:
        """Show further figures."""
        self.progress.update(self.task, told=told)
        tenth = 10 * self.done // self.total
        if self.progress.disable and tenth > self.tenth:
            self.tenth = tenth
            self.say(f"{self.what}: {self.done:,} of {self.total:,} {self.unit}, {told}")

    def say(self, words: str) -> None:
        """Print a separate line."""
        self.console.print(words, soft_wrap=True, markup=False)


class Interrupt:
    """Ctrl-C and the termination signal ask for an orderly end (``wanted``); a second one ends at once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.wanted = False
        self._say = say
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = {each: signal.signal(each, self._note) for each in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *raised: object) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
        self._say(
            "Interrupted: this update is finished and saved first (once more: at once, back to the last checkpoint)"
        )
