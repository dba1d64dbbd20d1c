# SPDX-License-Identifier: GPL-2.0-or-later
#
# measure.py - what went through netem or an arm, and how sure its figures are
#
# Times are milliseconds as float where they are differences, nanoseconds as int
# where they are moments.

import bisect
import csv
import math
import os

BLOCK = 40  # packets; draws further apart than that do not know each other
PATH = 0.25  # ms that a packet needs in the guest without any netem
STEP = 0.05  # ms, grid of a lateness


class Run:
    """Packets sent at @ingress (ns), and who arrived (number, ns) in order."""

    def __init__(self, ingress, arrivals):
        self.ingress = ingress
        self.arrivals = arrivals
        self.first = {}
        for number, at in arrivals:
            self.first.setdefault(number, at)

    @property
    def count(self):
        return len(self.ingress)

    def lost(self):
        """1 for each packet that never arrived, in order of sending."""
        return [int(i not in self.first) for i in range(self.count)]

    def delays(self, only):
        """(number, ms) of the packets in @only that arrived."""
        return [
            (i, (self.first[i] - self.ingress[i]) / 1e6)
            for i in sorted(only)
            if i in self.first
        ]

    def behind(self):
        """1 for each arrival that a later packet came before."""
        highest, flags = -1, []
        for number, _ in self.arrivals:
            flags.append(int(number < highest))
            highest = max(highest, number)
        return flags

    def bursts(self):
        """Lengths of the runs of lost packets."""
        lengths, length = [], 0
        for lost in self.lost() + [0]:
            if lost:
                length += 1
            elif length:
                lengths.append(length)
                length = 0
        return lengths


class Guest(Run):
    """What the guest wrote of a line."""

    def __init__(self, folder, name):
        base = os.path.join(folder, name)
        with open(base + ".sent", encoding="ascii") as file:
            sent = [tuple(map(int, row)) for row in csv.reader(file)]
        with open(base + ".got", encoding="ascii") as file:
            got = [tuple(map(int, row)) for row in csv.reader(file)]
        with open(base + ".tc", encoding="ascii") as file:
            self.counters = file.read()
        with open(base + ".clock", encoding="ascii") as file:
            self.clock = [int(line) for line in file]
        self.after = [after for _, after in sent]
        super().__init__([before for before, _ in sent], got)
        # Where the call itself was interrupted, it is not known when the
        # packet came to netem.
        self.clean = {
            i
            for i, (before, after) in enumerate(sent)
            if after - before < 500000
        }


class Lateness:
    """How late a guest may be that stands still now and then.

    Between two looks at its clock the guest may have stood still all the time.
    What was due in such a gap left at its end: of all moments, a share
    sum(max(0, gap - x)) / sum(gap) is further than x from the end of its gap.
    That is the chance at most that a packet was late by more than x.
    """

    def __init__(self, guest):
        looks = guest.clock
        gaps = sorted((b - a) / 1e6 for a, b in zip(looks, looks[1:]))
        self.mean = sum(g * g for g in gaps) / 2.0 / sum(gaps) + PATH
        self.grid = []
        rest, number, at, below = sum(gaps), len(gaps), 0.0, 0
        whole, above = rest, rest
        while at < gaps[-1]:
            while gaps[below] <= at:
                above -= gaps[below]
                number -= 1
                below += 1
            self.grid.append((above - number * at) / whole)
            at += STEP
        self.grid.append(0.0)

    def beyond(self, x):
        """The share that may be late by more than @x ms."""
        x -= PATH
        if x < 0.0:
            return 1.0
        return self.grid[min(int(x / STEP), len(self.grid) - 1)]


def mean(values):
    return sum(values) / len(values) if values else 0.0


def error(values):
    """Standard error of the mean of values that follow each other.

    From the means of blocks, at least that of independent values; and a share
    that happened to be 0 or 1 is not known exactly either.
    """
    n = len(values)
    if n < 2:
        return math.inf
    middle = mean(values)
    alone = sum((v - middle) ** 2 for v in values) / (n - 1) / n
    blocks = [
        mean(values[i : i + BLOCK]) for i in range(0, n - BLOCK + 1, BLOCK)
    ]
    if len(blocks) > 1:
        middle = mean(blocks)
        spread = sum((b - middle) ** 2 for b in blocks) / (len(blocks) - 1)
        alone = max(alone, spread / len(blocks))
    return math.sqrt(alone) + 0.25 / n


def quantile(ordered, level):
    return ordered[min(len(ordered) - 1, int(level * len(ordered)))]


def share_below(ordered, x):
    return bisect.bisect_right(ordered, x) / len(ordered)


def successive(delays):
    """Correlation of the delays of packets that follow each other."""
    known = dict(delays)
    pairs = [(d, known[i + 1]) for i, d in delays if i + 1 in known]
    middle = mean(list(known.values()))
    spread = mean([(d - middle) ** 2 for d in known.values()])
    both = mean([(a - middle) * (b - middle) for a, b in pairs])
    return both / spread if spread else 0.0
