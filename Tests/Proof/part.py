"""One part of the proof: bounded in time, replayable by its seed, told as one row."""
import time
from dataclasses import asdict, dataclass, field


@dataclass
class Figures:
    """`total`: how many cases there are in all, where they can be counted. `fell`: what was not as it must be, and how to
    see it again."""
    cases: int = 0
    total: int = None
    fell: list = field(default_factory=list)
    note: str = ""

    fields = asdict


class Clock:
    """The time that a part may take."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    @property
    def left(self):
        return self.end - time.monotonic()
