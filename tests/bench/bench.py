# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench.py - measure farlink beside what it is compared with; "make bench"
#
# Prints a table and writes bench.json.  No figure stands alone: each has its
# baseline from the same run and the ratio to it.  Figures are medians of
# several rounds in which the variants take turns, with the least and the most;
# a ratio is the median of the rounds' ratios, so that a slow minute of the
# machine counts on both sides.

import argparse
import datetime
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys

import cases
import stage
from stage import Refused, Tools

FIGURES = {  # name: unit, and what it says
    "late_p50": ("us", "late p50"),
    "late_p99": ("us", "late p99"),
    "late_p999": ("us", "late p99.9"),
    "off_p50": ("us", "seen off p50"),
    "off_p99": ("us", "seen off p99"),
    "cpu": ("us", "core per packet"),
    "rate": ("k/s", "came through"),
    "lost": ("", "lost"),
    "limit": ("", "limits hit"),
    "memory": ("B", "memory"),
}


def summary(values):
    return {"median": statistics.median(values), "least": min(values),
            "most": max(values), "n": len(values)}


def ratio(ours, theirs):
    """Of two lists of rounds: the median of the ratios, or None."""
    ratios = [a / b for a, b in zip(ours, theirs) if b > 0]
    return statistics.median(ratios) if ratios else None


class Report:
    def __init__(self, short, repeat):
        self.short = short
        self.rounds = repeat or 3
        self.found = {}
        self.rows = []
        self.skipped = []

    def say(self, *what):
        print(*what, flush=True)

    def skip(self, case, why):
        self.skipped.append({"case": case, "why": why})
        self.say(f"{case}: left out: {why}")

    def figure(self, case, what, unit, values):
        """One that has no baseline, such as bytes."""
        self.row(case, what, "farlink", unit, unit, values, None, None)

    def row(self, case, what, who, figure, unit, values, baseline, theirs):
        found = {"case": case, "what": what, "who": who, "figure": figure,
                 "unit": unit, **summary(values), "baseline": baseline,
                 "baseline_median": None, "ratio": None}
        if theirs:
            found["baseline_median"] = statistics.median(theirs)
            found["ratio"] = ratio(values, theirs)
        self.rows.append(found)
        self.say(line(found))

    def compare(self, case, what, variants, baseline, names, repeat=None,
                all_of_them=False, **_):
        found = {name: [] for name in variants}
        for turn in range(repeat or self.rounds):
            order = list(found)
            for name in order[turn % len(order):] + order[:turn % len(order)]:
                try:
                    found[name].append(variants[name]())
                except Refused as why:
                    self.skip(f"{case}, {what}, {name}", str(why).strip())
                    del found[name]
        self.found[case, what] = found
        for who in found:
            if who == baseline and not all_of_them:
                continue
            for figure in names:
                theirs = None
                if baseline in found and who != baseline:
                    theirs = [one[figure] for one in found[baseline]]
                unit, text = FIGURES[figure]
                if any(figure in one for one in found[who]):
                    self.row(case, what, who, text, unit,
                             [one[figure] for one in found[who]], baseline,
                             theirs)
        return found

    def ratio(self, case, what, a, b, figure):
        found = self.found.get((case, what), {})
        if a not in found or b not in found:
            return None
        return ratio([one[figure] for one in found[a]],
                     [one[figure] for one in found[b]])

    def median(self, case, figure):
        """Of farlink's only variant of a case."""
        for (name, _), found in self.found.items():
            if name == case:
                values = [one[figure] for one in next(iter(found.values()))]
                return statistics.median(values)
        return None


def short_number(value):
    if value is None:
        return "-"
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


HEAD = ("case", "setting", "who", "figure", "median", "least..most", "unit",
        "baseline", "ratio")
FORM = "{:13} {:32} {:26} {:16} {:>8} {:>15} {:4} {:>8} {:>6}"


def cells(row):
    return (row["case"], row["what"], row["who"], row["figure"],
            short_number(row["median"]),
            f"{short_number(row['least'])}..{short_number(row['most'])}",
            row["unit"], short_number(row["baseline_median"]),
            "-" if row["ratio"] is None else f"{row['ratio']:.2f}")


def line(row):
    return FORM.format(*cells(row))


def budgets(report):
    """What is promised: name, found, bound, whether it holds."""
    one, runs = "300 B, 1 channel", "300 B in runs of 40, 1 channel"
    wanted = []

    def most(name, value, bound):
        wanted.append((name, value, f"<= {bound}", value is not None and
                       value <= bound))

    def least(name, value, bound):
        wanted.append((name, value, f">= {bound}", value is not None and
                       value >= bound))

    for case, what in report.found:
        if "1000/s, 200 ms, idle" in what or case == "precision":
            for figure in "late_p50", "late_p99":
                most(f"{case}: {what}: {FIGURES[figure][1]}, to a bare relay",
                     report.ratio(case, what, "farlink", "bare relay",
                                  figure), 1.25)
    for wait in "", ", 200 ms":
        us, bare = "farlink" + wait, "bare relay" + wait
        least(f"{us}: rate, to a bare relay",
              report.ratio("throughput", one, us, bare, "rate"), 0.9)
        for peer, bound in ("nginx stream", 1.3), ("socat", 2.5):
            least(f"{us}: rate, to {peer}",
                  report.ratio("throughput", one, us, peer, "rate"), bound)
        least(f"{us}: rate in runs, to nginx stream", report.ratio(
            "throughput", runs, us, "nginx stream", "rate"), 3)
    for case, bound in ("queued", 3), ("simulate", 5):
        for (name, what), found in report.found.items():
            if name == case:
                who = [w for w in found if w.endswith("waiting")]
                most(f"{case}: cost, {who[-1]} to {who[0]}", report.ratio(
                    case, what, who[-1], who[0], "cpu"), bound)
    for row in report.rows:
        if row["case"] == "memory":
            most("memory of one that waits, beyond its payload, B",
                 row["median"], 128)
        if row["case"] == "simulate" and row["who"] == "1000 waiting" and \
                row["unit"] == "k/s":
            least("simulate, thousands/s", row["median"], 2000)
    most("teleoperation: lost", report.median("teleoperation", "lost"), 0)
    most("teleoperation: limits hit", report.median("teleoperation", "limit"),
         0)
    return [dict(zip(("budget", "found", "bound", "met"), one))
            for one in wanted]


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
    except OSError:
        return None
    said = (done.stdout + done.stderr).strip().splitlines()
    return next((text for text in said if "version" in text or
                 "farlink" in text), said[0] if said else None)


def machine():
    model = ""
    with open("/proc/cpuinfo") as file:
        for text in file:
            if text.startswith("model name"):
                model = text.partition(":")[2].strip()
                break
    return {"system": platform.system(), "kernel": platform.release(),
            "machine": platform.machine(), "cores": os.cpu_count(),
            "model": model,
            "memory": os.sysconf("SC_PHYS_PAGES") *
            os.sysconf("SC_PAGE_SIZE"),
            "load": os.getloadavg()}


def versions():
    found = {"farlink": first_line(Tools.farlink, "--version"),
             "python": platform.python_version()}
    if Tools.nginx:
        found["nginx"] = first_line(Tools.nginx, "-v")
    if Tools.socat:
        found["socat"] = first_line(Tools.socat, "-V")
    return found


def find_peers(options):
    Tools.nginx = options.nginx or shutil.which("nginx") or \
        shutil.which("nginx", path="/usr/sbin")
    Tools.socat = shutil.which("socat")
    if Tools.nginx:
        usr = os.path.dirname(os.path.dirname(Tools.nginx))
        for folder in usr, "/usr":
            module = os.path.join(os.path.abspath(folder),
                                  "lib/nginx/modules/ngx_stream_module.so")
            if os.path.exists(module):
                Tools.nginx_module = module
                break
    for text in options.peer:
        name, _, command = text.partition("=")
        if "{at}" not in command or "{to}" not in command:
            sys.exit(f"bench: --peer {text}: write NAME=COMMAND with {{at}} "
                     "and {to} where its ports stand")
        Tools.peers[name] = command


def heading(said):
    host = said["machine"]
    return (f"{said['date']}, {host['model']}, {host['cores']} cores, "
            f"{host['system']} {host['kernel']}, load "
            f"{host['load'][0]:.1f}; {said['versions']['farlink']}; medians "
            f"of {said['rounds']} rounds")


def print_budgets(said):
    for one in said["budgets"]:
        met = "met" if one["met"] else \
            "not measured" if one["found"] is None else "NOT MET"
        print(f"{met:13} {one['budget']}: {short_number(one['found'])} "
              f"({one['bound']})")


def print_markdown(said):
    """The tables of the README."""
    print(heading(said) + ".\n")
    print("| what is promised | found | bound | |\n|---|---|---|---|")
    for one in said["budgets"]:
        print(f"| {one['budget']} | {short_number(one['found'])} | "
              f"{one['bound']} | {'yes' if one['met'] else 'no'} |")
    print("\n| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for row in said["rows"]:
        print("| " + " | ".join(cells(row)) + " |")


def read_options():
    parser = argparse.ArgumentParser(
        description="Measure farlink beside what it is compared with.")
    parser.add_argument("--farlink", help="the program")
    parser.add_argument("--tools", help="folder of the bench's own programs")
    parser.add_argument("--short", action="store_true",
                        default=os.environ.get("BENCH_SHORT", "0") not in
                        ("", "0"), help="two minutes instead of fifteen; "
                        "also by BENCH_SHORT=1")
    parser.add_argument("--rounds", type=int, help="of each measurement")
    parser.add_argument("--only", action="append", default=[],
                        choices=[case.__name__ for case in cases.ALL],
                        help="a case; may stand several times")
    parser.add_argument("--peer", action="append", default=[],
                        metavar="NAME=COMMAND",
                        help="another proxy; {at} and {to} in the command "
                        "are its ports on 127.0.0.1")
    parser.add_argument("--nginx", help="where nginx is")
    parser.add_argument("--json", default="bench.json", help="where to write")
    parser.add_argument("--markdown", metavar="FILE",
                        help="measure nothing: print the tables of a "
                        "bench.json for the README")
    return parser.parse_args()


def measure(options):
    report = Report(options.short, options.rounds)
    said = {"date": datetime.datetime.now(datetime.timezone.utc).strftime(
        "%Y-%m-%d %H:%M UTC"), "machine": machine(), "versions": versions(),
        "short": options.short, "rounds": report.rounds}
    print(heading(said) + "\n\n" + FORM.format(*HEAD), flush=True)
    for name in "nginx", "socat":
        if not getattr(Tools, name):
            report.skip("throughput", f"{name} is not installed")
    try:
        for case in cases.ALL:
            if not options.only or case.__name__ in options.only:
                case(report)
    finally:  # what there is, also when it was interrupted
        said |= {"rows": report.rows, "budgets": budgets(report),
                 "skipped": report.skipped,
                 "found": [{"case": case, "what": what, "rounds": found}
                           for (case, what), found in report.found.items()]}
        with open(options.json, "w") as file:
            json.dump(said, file, indent=1)
            file.write("\n")
        print()
        print_budgets(said)


def main():
    options = read_options()
    if options.markdown:
        with open(options.markdown) as file:
            print_markdown(json.load(file))
        return
    if not options.farlink or not options.tools:
        sys.exit("bench: name --farlink and --tools, or type 'make bench'")
    Tools.farlink = os.path.abspath(options.farlink)
    with open(Tools.farlink, "rb") as file:
        if b"__asan_init" in file.read():
            sys.exit("bench: this farlink has sanitizers in it; measure a "
                     "build without")
    Tools.gauge = os.path.join(options.tools, "gauge")
    Tools.relay = os.path.join(options.tools, "relay")
    find_peers(options)
    try:
        measure(options)
    finally:
        stage.clean_up()


main()
