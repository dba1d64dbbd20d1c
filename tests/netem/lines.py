# SPDX-License-Identifier: GPL-2.0-or-later
#
# lines.py - the netem lines that are compared, and the traffic for each
#
# The oracle reads it; run by itself, "lines.py DIR" writes what the guest is to
# send.  Times, sizes and numbers of the packets are fixed here; the guest notes
# when it really sent, and that is what farlink gets.

import os
import random
import sys

SHORT = os.environ.get("NETEM_SHORT", "") not in ("", "0")

# Those that lose independently of time are sent as fast as it goes.
MANY = 8000 if SHORT else 60000
TIMED = 500 if SHORT else 4000
GAP = 0.002


class Line:
    """A tc line, how many packets it gets, and how far apart."""

    def __init__(self, name, text, count, gap=0.0, tail=0.2):
        self.name = name
        self.text = text  # what tc gets and farlink translates
        self.count = count
        self.gap = gap
        self.tail = tail  # seconds until the last one must be there

    @property
    def timed(self):
        return self.gap > 0.0

    def schedule(self):
        """(seconds, payload bytes) of every packet."""
        if self.name == "rate":
            return self.bunched()
        gap = self.gap or 0.001
        return [(i * gap, 40 + 37 * i % 160) for i in range(self.count)]

    def write(self, folder, to):
        """The line and its packets, as the guest reads them."""
        how = "at-its-time" if self.timed else "at-once"
        to.write(f"{self.name} {how} {self.tail * 1000:.0f} {self.text}\n")
        path = os.path.join(folder, self.name + ".plan")
        with open(path, "w", encoding="ascii") as plan:
            for at, size in self.schedule():
                plan.write(f"{at * 1e9:.0f},{size}\n")

    def bunched(self):
        """At random, so that a queue builds up and empties again."""
        draw = random.Random(20260817)
        at, packets = 0.0, []
        for _ in range(self.count):
            packets.append((at, draw.randrange(100, 300)))
            at += draw.expovariate(1.0 / self.gap)
        return packets


# The first one measures how late the guest itself is.
LINES = [
    Line("delay", "delay 50ms", TIMED // 2, GAP),
    Line("jitter", "delay 50ms 20ms", TIMED, GAP),
    Line("normal", "delay 50ms 10ms distribution normal", TIMED, GAP),
    Line(
        "correlated-delay",
        "delay 50ms 20ms 90% distribution normal",
        TIMED,
        GAP,
        tail=0.4,
    ),
    Line("reorder", "delay 50ms reorder 25% 50%", TIMED, GAP),
    Line("rate", "rate 100kbit", 60 if SHORT else 240, 0.024, tail=1.0),
    Line("loss", "loss 10%", MANY),
    Line("correlated-loss", "loss 10% 50%", MANY),
    Line("gemodel", "loss gemodel 2% 20%", MANY),
    Line("state", "loss state 2% 20% 30% 50% 1%", MANY),
    Line("duplicate", "duplicate 10%", MANY),
    Line("corrupt", "corrupt 10%", MANY),
]


def main():
    folder = sys.argv[1]
    path = os.path.join(folder, "lines")
    with open(path, "w", encoding="ascii") as to:
        # until everything is in memory; nothing looks at it
        Line("warm", "", 50, GAP).write(folder, to)
        for line in LINES:
            line.write(folder, to)


if __name__ == "__main__":
    main()
