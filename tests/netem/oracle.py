# SPDX-License-Identifier: GPL-2.0-or-later
#
# oracle.py - netem's figures beside those of the arms that translate made
#
#     oracle.py DIR    DIR: what the guest wrote; $farlink: the program
#
# Three kinds of comparison.  "as translated": the arm as it comes out, which
# should do the same.  "foretold": translate says that netem did not do what the
# line asks for; netem must show the figure that translate gives, the arm the
# one asked for, and they must really differ.  "as done": the arm changed as
# translate says to repeat what netem did, which then should do the same.
#
# Bounds are SIGMA standard errors of both sides.  netem is never early; how
# late it may be comes from the guest's own clock (measure.py, Lateness).

import csv
import math
import os
import re
import subprocess
import sys

from lines import LINES
from measure import (
    Guest,
    Lateness,
    Run,
    error,
    mean,
    quantile,
    share_below,
    successive,
)

FARLINK = os.environ["farlink"]
SIGMA = 4.0
# The arm's draws are the same in every run and netem's are not: a seed whose
# bursts are far out would take up most of the bound every time.  This one was
# held against the formulas; 1 is three standard errors short.
SEED = 20260817
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
AGREES, FORETOLD = "agrees", "differs as foretold"
DISAGREES = "DISAGREES"


class Arm:
    """What translate makes of a line, and what it says about it."""

    def __init__(self, folder, line):
        self.folder = folder
        self.line = line
        done = subprocess.run(
            [FARLINK, "translate", line.text],
            capture_output=True,
            check=True,
            text=True,
        )
        self.text = done.stdout
        self.notes = re.sub(r"\s+", " ", done.stderr.replace("\u00a0", " "))
        self.runs = 0

    def said(self, pattern):
        """The number in what translate said; "#" stands for it."""
        number = r"([0-9.]+(?:e-?[0-9]+)?)"
        found = re.search(pattern.replace("#", number), self.notes)
        if not found:
            sys.exit(f"{self.line.text}: translate does not say: {pattern}")
        return float(found.group(1)) if found.groups() else None

    def run(self, ingress, *changes):
        """The line's packets, at @ingress, through the arm."""
        text = self.text
        for old, new in changes:
            if old not in text:
                sys.exit(f"{self.line.text}: no '{old}' in the arm:\n{text}")
            text = text.replace(old, new)
        self.runs += 1
        base = os.path.join(self.folder, f"{self.line.name}-{self.runs}")
        with open(base + ".ini", "w", encoding="utf-8") as file:
            file.write(text)
        with open(base + ".csv", "w", encoding="ascii") as file:
            file.write("time,direction,stream,size\n")
            for at, (_, size) in zip(ingress, self.line.schedule()):
                file.write(f"{at // 10**9}.{at % 10**9:09d},")
                file.write(f"uplink,command,{size}\n")
        subprocess.run(
            [FARLINK, "simulate", base + ".ini", "--schedule", base + ".csv"]
            + ["--record", base, "--set", f"arm.seed={SEED}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with open(base + "/packets.csv", encoding="ascii") as file:
            rows = [r for r in csv.DictReader(file) if r["fate"] == "released"]
        arrivals = [(int(r["id"]), int(r["released_ns"])) for r in rows]
        arrivals.sort(key=lambda arrival: arrival[1])
        return Run(ingress, arrivals)


class Table:
    """The figures of both, a row each, and the verdict."""

    def __init__(self):
        self.bad = 0

    def row(self, what, netem, ours, allowed, verdict):
        self.bad += verdict == DISAGREES
        print(
            f"  {what:34} {netem:>11} {ours:>11}  {allowed:22} {verdict}",
            flush=True,
        )

    def agree(self, what, netem, ours, bound, form="{:.2f}"):
        """The same within @bound."""
        good = abs(netem - ours) <= bound
        self.row(
            what,
            form.format(netem),
            form.format(ours),
            "\u00b1" + form.format(bound),
            AGREES if good else DISAGREES,
        )

    def differ(self, what, netem, ours, bounds, form="{:.2f}"):
        """@netem and @ours are (figure, foretold); @bounds is for each."""
        good = (
            abs(netem[0] - netem[1]) <= bounds[0]
            and abs(ours[0] - ours[1]) <= bounds[1]
            and abs(netem[0] - ours[0]) > math.hypot(*bounds)
        )
        told = f"{form.format(netem[1])} and {form.format(ours[1])}"
        self.row(
            what,
            form.format(netem[0]),
            form.format(ours[0]),
            told,
            FORETOLD if good else DISAGREES,
        )


    def told(self, what, figures, said, bounds, form="{:.2f}"):
        """What translate says in so many figures, of netem and of the arm."""
        good = all(abs(f - said) <= b for f, b in zip(figures, bounds))
        self.row(
            what,
            *(form.format(f) for f in figures),
            f"{said:g} is foretold",
            AGREES if good else DISAGREES,
        )


def both(a, b):
    """The bound for a difference of two means."""
    return SIGMA * math.hypot(error(a), error(b))


def loss(table, netem, ours, label="lost %"):
    a, b = netem.lost(), ours.lost()
    table.agree(label, 100 * mean(a), 100 * mean(b), 100 * both(a, b))


def bursts(table, netem, ours):
    """Bursts are independent of each other: so are their lengths."""
    a, b = netem.bursts(), ours.bursts()
    table.agree("mean burst", mean(a), mean(b), both(a, b))
    for least, most in (1, 1), (2, 2), (3, 4), (5, math.inf):
        share = [
            [int(least <= length <= most) for length in side] for side in (a, b)
        ]
        label = f"{least}" if least == most else f"{least} to {most}"
        label = label.replace(" to inf", " and more")
        table.agree(
            f"bursts of {label}, %",
            100 * mean(share[0]),
            100 * mean(share[1]),
            100 * both(*share),
        )


def order(table, netem, ours, label="behind a later one, %"):
    a, b = netem.behind(), ours.behind()
    table.agree(label, 100 * mean(a), 100 * mean(b), 100 * both(a, b))


def delays(table, netem, ours, late):
    """Mean and quantiles; netem may be late, never early."""
    a = [d for _, d in netem.delays(netem.clean)]
    b = [d for _, d in ours.delays(netem.clean)]
    bound = both(a, b)
    table.row(
        "mean delay, ms",
        f"{mean(a):.2f}",
        f"{mean(b):.2f}",
        f"-{bound:.2f} +{bound + late.mean:.2f}",
        AGREES
        if -bound <= mean(a) - mean(b) <= bound + late.mean
        else DISAGREES,
    )
    high, low = sorted(a), sorted(b)
    for level in LEVELS:
        x = quantile(low, level)
        flags = [[int(d <= x) for d in side] for side in (a, b)]
        bound = both(*flags)
        most = share_below(low, x) + bound
        least = mean([1.0 - late.beyond(x - d) for d in b]) - bound
        good = least <= share_below(high, x) <= most
        table.row(
            f"delay at {100 * level:.0f} %, ms",
            f"{quantile(high, level):.2f}",
            f"{x:.2f}",
            f"{max(0, 100 * least):.1f} to {min(100, 100 * most):.1f} % below",
            AGREES if good else DISAGREES,
        )


def early(table, netem, due):
    """Each packet by itself: never before its due, give or take 10 us."""
    by = max((at - netem[i]) / 1e6 for i, at in due.items() if i in netem)
    table.row(
        "earliest before its due, ms",
        f"{max(0.0, by):.3f}",
        "0.000",
        "0.010",
        AGREES if by <= 0.01 else DISAGREES,
    )


def lateness(table, netem, due, late):
    """Each packet by itself: as late as the guest's clock allows."""
    by = [(netem[i] - at) / 1e6 for i, at in due.items() if i in netem]
    for x in 0.5, 1.0, 2.0, 5.0, 10.0:
        flags = [int(d > x) for d in by]
        most = late.beyond(x) + SIGMA * error(flags)
        table.row(
            f"later than its due by {x:g} ms, %",
            f"{100 * mean(flags):.2f}",
            "0.00",
            f"{min(100, 100 * most):.2f} by its clock",
            AGREES if mean(flags) <= most else DISAGREES,
        )


# ---- the lines, one function each


def line_delay(table, arm, netem, late):
    ours = arm.run(netem.ingress)
    due = {i: ours.first[i] for i in netem.clean}
    early(table, netem.first, due)
    lateness(table, netem.first, due, late)
    loss(table, netem, ours)
    order(table, netem, ours)


def line_jitter(table, arm, netem, late):
    ours = arm.run(netem.ingress)
    delays(table, netem, ours, late)
    order(table, netem, ours)
    arm.said("smooth-jitter")
    kept = arm.run(netem.ingress, ("type = jitter", "type = smooth-jitter"))
    share = netem.behind()
    table.differ(
        "smooth-jitter instead: behind, %",
        (100 * mean(share), 100 * mean(ours.behind())),
        (100 * mean(kept.behind()), 0.0),
        (100 * both(share, ours.behind()), 0.1),
    )


line_normal = line_jitter


def line_correlated_delay(table, arm, netem, late):
    arm.said("correlation of 90 % had no effect")
    ours = arm.run(netem.ingress)
    a, b = netem.delays(netem.clean), ours.delays(netem.clean)
    table.differ(
        "correlation with the next",
        (successive(a), 0.0),
        (successive(b), 0.9),
        (
            SIGMA / math.sqrt(len(a)),
            SIGMA * math.sqrt((1.0 - 0.9**2) / len(b)) + 2.0 / len(b),
        ),
    )
    arm.said("leave correlation out to repeat what was done")
    done = arm.run(netem.ingress, ("correlation = 90%\n", ""))
    table.agree(
        "as done: correlation",
        successive(a),
        successive(done.delays(netem.clean)),
        SIGMA * math.sqrt(2.0 / len(a)),
    )
    delays(table, netem, done, late)
    order(table, netem, done)


def line_reorder(table, arm, netem, late):
    real = arm.said("netem did it to # % of packets")
    ours = arm.run(netem.ingress)

    def spared(run):
        return [int(d < 25.0) for _, d in run.delays(netem.clean)]

    a, b = spared(netem), spared(ours)
    table.differ(
        "sent at once, %",
        (100 * mean(a), real),
        (100 * mean(b), arm.said("Asked for # %")),
        (100 * SIGMA * error(a), 100 * SIGMA * error(b)),
    )
    done = arm.run(netem.ingress, ("75%", f"{100 - real}%"))
    c = spared(done)
    table.agree(
        "as done: sent at once, %",
        100 * mean(a),
        100 * mean(c),
        100 * both(a, c),
    )
    due = {
        i: netem.ingress[i] + 50000000
        for i, d in netem.delays(netem.clean)
        if d >= 25.0
    }
    early(table, netem.first, due)
    lateness(table, netem.first, due, late)


def line_rate(table, arm, netem, late):
    """A packet that comes later to a queue never leaves earlier."""
    first = arm.run(netem.ingress)
    last = arm.run(netem.after)
    loss(table, netem, first)
    table.row(
        "mean delay, ms",
        *(
            f"{mean([d for _, d in run.delays(range(run.count))]):.2f}"
            for run in (netem, first)
        ),
        "each by itself:",
        "",
    )
    early(table, netem.first, first.first)
    lateness(table, netem.first, last.first, late)
    order(table, netem, first)


def line_loss(table, arm, netem, _):
    ours = arm.run(netem.ingress)
    loss(table, netem, ours)
    bursts(table, netem, ours)
    return ours


def line_model(table, arm, netem, late):
    ours = line_loss(table, arm, netem, late)
    lost = [run.lost() for run in (netem, ours)]
    table.told(
        "lost %",
        [100 * mean(side) for side in lost],
        arm.said("loses # %"),
        [100 * SIGMA * error(side) for side in lost],
    )


line_gemodel = line_state = line_model


def loss_foretold(table, netem, real, ours, asked):
    a, b = netem.lost(), ours.lost()
    least = SIGMA * math.sqrt(real * (100 - real) / netem.count)
    table.differ(
        "lost %",
        (100 * mean(a), real),
        (100 * mean(b), asked),
        (max(100 * SIGMA * error(a), least), 100 * SIGMA * error(b)),
    )


def line_correlated_loss(table, arm, netem, _):
    ours = arm.run(netem.ingress)
    real = arm.said("netem really lost # %")
    loss_foretold(table, netem, real, ours, arm.said("The arm loses # %"))
    lengths = [run.bursts() for run in (netem, ours)]
    table.told(
        "mean burst",
        [mean(side) for side in lengths],
        arm.said("# in a row on average"),
        [math.inf, SIGMA * error(lengths[1])],
    )
    real = arm.said("To repeat what was done: probability = # %")
    done = arm.run(
        netem.ingress, ("= 10%", f"= {real}%"), ("correlation = 50%\n", "")
    )
    loss(table, netem, done, "as done: lost %")


def line_duplicate(table, arm, netem, _):
    ours = arm.run(netem.ingress)

    def copies(run):
        flags = [-1] * run.count
        for number, _ in run.arrivals:
            flags[number] += 1
        return flags

    a, b = copies(netem), copies(ours)
    table.agree("twice %", 100 * mean(a), 100 * mean(b), 100 * both(a, b))
    table.agree("lost", a.count(-1), b.count(-1), 0, "{:.0f}")
    table.agree("most copies", max(a), max(b), 0, "{:.0f}")


def line_corrupt(table, arm, netem, _):
    # A bit of the frame's source address, 6 bytes, is nobody's concern.
    frames = [size + 42 for _, size in arm.line.schedule()]
    spared = 6 / mean(frames)
    real = arm.said("none of them and lost # %")
    ours = arm.run(netem.ingress)
    loss_foretold(table, netem, real * (1.0 - spared), ours, 0.0)
    arm.said("type loss with probability = 10 %")
    done = arm.run(
        netem.ingress,
        ("corrupt = 10%", "chain = loss"),
        (
            "[downlink",
            "[condition loss]\ntype = loss\nprobability = "
            f"{real * (1.0 - spared):.3f}%\n\n[downlink",
        ),
    )
    loss(table, netem, done, "as done: lost %")
    bursts(table, netem, done)


def received_all(line, netem):
    """Whether what netem passed on, by its own count, also arrived."""
    dropped = int(re.search(r"dropped (\d+)", netem.counters).group(1))
    if line.name == "corrupt":
        return dropped == 0
    return netem.count - len(netem.first) == dropped


def main():
    folder = sys.argv[1]
    table = Table()
    for line in LINES:
        netem = Guest(folder, line.name)
        origin = netem.ingress[0]
        if line.timed:
            late = Lateness(netem)
            said = f", the guest late by {late.mean:.1f} ms at most on average"
        else:
            late, said = None, ""
            netem.ingress = [int(at * 1e9) for at, _ in line.schedule()]
            origin = 0
        netem = rebased(netem, origin)
        print(f"{line.text}   ({netem.count} packets{said})")
        print(f"  {'':34} {'netem':>11} {'farlink':>11}  allowed or foretold")
        if not received_all(line, netem):
            sys.exit("the guest's receiver lost packets: nothing is proved")
        check = globals()["line_" + line.name.replace("-", "_")]
        check(table, Arm(folder, line), netem, late)
    print(f"{table.bad} disagreements")
    return 1 if table.bad else 0


def rebased(netem, origin):
    """Times from the first packet on, as a schedule has them."""
    netem.ingress = [at - origin for at in netem.ingress]
    netem.after = [at - origin for at in netem.after]
    netem.arrivals = [(number, at - origin) for number, at in netem.arrivals]
    netem.first = {number: at - origin for number, at in netem.first.items()}
    return netem


if __name__ == "__main__":
    sys.exit(main())
