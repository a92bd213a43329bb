"""How far a call is that has several parts."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], object]


class Parts:
    """Calls a function with the bytes done and the bytes in all of several calls, one after the other."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._part = 0

    def part(self, size: int | None) -> Progress:
        """What the next call tells, which is about so many bytes; None are as many as the library says.

        The library may count more than the data, padding for one: what it counts is scaled.
        """
        self._done += self._part
        self._part = size or 0

        def tell(done: int, total: int) -> None:
            if size is None:
                self._total += total - self._part
                self._part = total
            if self._total > 0:
                self._progress(self._done + self._part * done // total, self._total)

        return tell
