# SPDX-License-Identifier: GPL-2.0-or-later
#
# cases.py - what is measured, of farlink and of what it is compared with
#
# A case is a function of the report.  It hands compare() the variants, each a
# function that measures once and returns figures by name; these take turns, so
# that whatever else the machine does falls on all of them alike.

import csv
import json
import os
import re
import shutil
import subprocess
from contextlib import nullcontext

import stage
from stage import MS, SECOND, Load, Tools, bare, delay_of, farlink

PORTS = stage.free_row(2 * stage.CHANNELS)
AT, TO = PORTS, PORTS + stage.CHANNELS


def room(n=1):
    """So much may wait that no limit is hit; all channels together."""
    return f"limit_packets = {2000000 // n}\nlimit_bytes = {3000 // n}MB\n"


def quantile(sorted_values, q):
    return sorted_values[min(len(sorted_values) - 1,
                             int(len(sorted_values) * q))]


def errors_of(folder):
    """How late the packets of a record left, by quantile."""
    with open(os.path.join(folder, "packets.csv"), newline="") as file:
        late = [int(row["released_ns"]) - int(row["due_ns"])
                for row in csv.DictReader(file) if row["released_ns"]]
    late = sorted(late[10:])
    return {f"late_{name}": quantile(late, q) / 1e3 for name, q in
            (("p50", .5), ("p99", .99), ("p999", .999))}


# ---- how late packets leave

def timing(rate, delay, ms):
    return {"rate": rate, "for": ms, "expect": delay,
            "wait": delay // MS + 200}


def in_us(figures, *names):
    return {name: figures[name] / 1e3 for name in names}


def release_of_farlink(rate, delay, ms, load=False, options=(), record="",
                       beside=nullcontext):
    folder = os.path.join(stage.scratch, "record")
    shutil.rmtree(folder, ignore_errors=True)
    with Load(load), farlink(AT, TO, chain="d", conditions=delay_of(delay),
                             record=record, options=(
                                 "--record", folder,
                                 *options)) as program, beside():
        seen = stage.read(stage.gauge(AT, TO, **timing(rate, delay, ms)))
        spent = program.spent()
        program.stop()
    found = errors_of(folder)
    shutil.rmtree(folder, ignore_errors=True)
    found |= in_us(seen, "off_p50", "off_p99")
    found["cpu"] = spent / max(seen["received"], 1) / 1e3
    found["lost"] = seen["sent"] - seen["received"]
    return found


def release_of_bare(rate, delay, ms, load=False, options=()):
    with Load(load), bare(AT, TO, options=("--delay", str(delay),
                                           *options)) as program:
        seen = stage.read(stage.gauge(AT, TO, **timing(rate, delay, ms)))
        spent = program.spent()
        found = json.loads(program.stop().splitlines()[-1])
    found = in_us(found, "late_p50", "late_p99", "late_p999")
    found |= in_us(seen, "off_p50", "off_p99")
    found["cpu"] = spent / max(seen["received"], 1) / 1e3
    found["lost"] = seen["sent"] - seen["received"]
    return found


LATE = ("late_p50", "late_p99", "off_p50", "off_p99", "cpu")


def release(report):
    delays = (0, 200) if report.short else (0, 1, 20, 200, 2560)
    rates = (1000,) if report.short else (100, 1000, 10000)
    for load in False, True:
        for rate in rates:
            for delay in delays:
                if load and rate != 1000 and delay not in (0, 200):
                    continue
                ms = 700 if report.short else 1500 if rate < 1000 else 1000
                more = (rate, delay * MS, ms, load)
                report.compare(
                    "release", f"{rate}/s, {delay} ms, "
                    f"{'one core loaded' if load else 'idle'}",
                    {"farlink": lambda: release_of_farlink(*more),
                     "bare relay": lambda: release_of_bare(*more)},
                    "bare relay", LATE, unit="us", fewer=True)


PRECISION = (
    ((), ()),
    (("--realtime",), ("--realtime", "50")),
    (("--spin", "50us"), ("--spin", "50000")),
    (("--realtime", "--spin", "50us"), ("--realtime", "50", "--spin",
                                        "50000")),
    (("--realtime", "--spin", "50us", "--lock-memory", "--cpu", "1"),
     ("--realtime", "50", "--spin", "50000", "--lock-memory", "--cpu", "1")),
)


def precision(report):
    cases = PRECISION
    if (os.cpu_count() or 1) < 2:
        cases = cases[:-1]
    if report.short:
        cases = (PRECISION[1], PRECISION[3])
    for load in (True,) if report.short else (False, True):
        for ours, theirs in cases:
            more = (1000, 200 * MS, 700 if report.short else 1000, load)
            report.compare(
                "precision", f"{' '.join(ours) or 'no option'}, "
                f"{'one core loaded' if load else 'idle'}",
                {"farlink": lambda: release_of_farlink(*more, ours),
                 "bare relay": lambda: release_of_bare(*more, theirs)},
                "bare relay", LATE, unit="us", fewer=True)


# ---- how many pass

def flat_out(program, ms, n=1, size=300, join=1, delay=0):
    """What comes through when more is sent than can."""
    options = {"rate": 0, "for": ms, "size": size, "channels": n,
               "wait": delay + 150}
    if join > 1:
        join = max(1, min(join, 65507 // size))
        options |= {"join": join, "batch": 4}
    elif size < 20000:
        options["batch"] = 32
    seen = stage.read(stage.gauge(AT if program else TO, TO, **options))
    spent = program.spent() if program else 0
    seconds = max(seen["send_ns"], seen["receive_ns"]) / SECOND
    return {"rate": seen["received"] / seconds / 1e3,
            "cpu": spent / max(seen["received"], 1) / 1e3,
            "offered": seen["sent"] / seconds / 1e3}


def through(start, **more):
    def measure():
        if not start:
            return flat_out(None, **more)
        with start() as program:
            return flat_out(program, **more)
    return measure


CATALOGUE = """
[condition jitter]
type = jitter
base = 5ms
jitter = 2ms
[condition monotonic]
type = monotonic-jitter
base = 5ms
jitter = 2ms
[condition smooth]
type = smooth-jitter
base = 10ms
jitter = 5ms
[condition bucket]
type = token-bucket
rate = 100Gbit
[condition loss]
type = loss
probability = 0.01%
[condition burst]
type = gilbert-elliott
loss = 0.01%
mean_burst = 3
[condition markov]
type = markov-loss
p13 = 0.01%
p31 = 50%
[condition periodic]
type = periodic-loss
every = 10000
[condition outage]
type = outage
at = 600s
for = 500ms
[condition profile]
type = profile
points = 0s 5ms, 30s 10ms
[condition sine]
type = sine
mean = 10ms
amplitude = 5ms
period = 7s
[condition trace]
type = link-trace
file = bench.trace
opportunity = 100MB
[condition replay]
type = replay
file = bench.csv
repeat = yes
[condition slot]
type = slot
interval = 1ms
[condition reorder]
type = reorder
probability = 1%
hold = 10ms
"""
CHAIN = ("d, jitter, monotonic, smooth, bucket, loss, burst, markov, periodic,"
         "\n  outage, profile, sine, trace, replay, slot, reorder")


def whole_catalogue(**more):
    stage.write("bench.trace", "1\n")
    stage.write("bench.csv", "delay_ms\n" + "5\n6\n7\n" * 10)
    return farlink(AT, TO, chain=CHAIN, conditions=delay_of(5 * MS) +
                   CATALOGUE, extra=room(), **more)


def others():
    """The peers that are here: name and how it is started."""
    found = {}
    if Tools.nginx:
        found["nginx stream"] = lambda: stage.nginx(AT, TO)
    if Tools.socat:
        found["socat"] = lambda: stage.socat(AT, TO)
    for name, command in Tools.peers.items():
        found[name] = lambda start=stage.peer(command): start(AT, TO)
    return found


def ours(n=1):
    return {"farlink": lambda: farlink(AT, TO, n, extra=room(n)),
            "farlink, 200 ms": lambda: farlink(
                AT, TO, n, chain="d", conditions=delay_of(200 * MS),
                extra=room(n))}


def simple(n=1, *options):
    wait = ("--delay", str(200 * MS))
    return {"bare relay": lambda: bare(AT, TO, n, options),
            "bare relay, 200 ms": lambda: bare(AT, TO, n, (*wait, *options)),
            "bare relay, 200 ms, heap": lambda: bare(
                AT, TO, n, (*wait, "--heap", *options))}


def rates(report, what, programs, baseline, **more):
    ms = 400 if report.short else 700
    variants = {name: through(start, ms=ms,
                              delay=200 if "200 ms" in name else 0, **more)
                for name, start in programs.items()}
    report.compare("throughput", what, variants, baseline, ("rate", "cpu"),
                   unit="k/s", fewer=False, all_of_them=True)


def throughput(report):
    one = {"direct": None, **simple(), **ours(), **others(),
           "farlink, whole catalogue": whole_catalogue}
    if report.short:
        del one["bare relay, 200 ms, heap"]
    rates(report, "300 B, 1 channel", one, "bare relay")
    joined = {"direct": None, **simple(1, "--join"), **ours(), **others()}
    del joined["bare relay, 200 ms, heap"]
    rates(report, "300 B in runs of 40, 1 channel", joined, "bare relay",
          join=40)
    few = {"direct": None, "bare relay": simple()["bare relay"],
           "farlink": ours()["farlink"]}
    for size in (1400,) if report.short else (40, 1400, 60000):
        rates(report, f"{size} B, 1 channel", few, "bare relay", size=size)
    for n in (64,) if report.short else (8, 64):
        many = {name: start for name, start in {**simple(n),
                                                **ours(n)}.items()
                if "heap" not in name}
        rates(report, f"300 B, {n} channels", many, "bare relay", n=n)


# ---- what waits, and what it costs

def queued(report):
    """The same traffic with more and more of it under way."""
    rate, ms = (100000, 1000) if report.short else (200000, 5000)
    counts = (1000, 100000) if report.short else (1000, 10000, 100000,
                                                  1000000)

    def measure(n):
        delay = n * SECOND // rate
        with farlink(AT, TO, chain="d", conditions=delay_of(delay),
                     extra=room()) as program:
            seen = stage.read(stage.gauge(
                AT, TO, rate=rate, batch=20, wait=delay // MS + 200,
                **{"for": ms}))
            got = max(seen["received"], 1)
            return {"cpu": program.spent() / got / 1e3,
                    "lost": seen["sent"] - got}

    report.compare(
        "queued", "live, by packets waiting",
        {f"{n} waiting": lambda n=n: measure(n) for n in counts},
        f"{counts[0]} waiting", ("cpu", "lost"), unit="us", fewer=True,
        all_of_them=True, repeat=1 if report.short else 2)


def memory(report):
    """What each packet that waits takes, beyond its payload."""
    rate, ms = 100000, 1000 if report.short else 10000

    def measure():
        with farlink(AT, TO, chain="d", conditions=delay_of(3600 * SECOND),
                     extra=room()) as program:
            # what is touched once is touched before
            first = stage.read(stage.gauge(AT, TO, rate=rate, batch=20,
                                           wait=300, **{"for": 50}))
            before = program.most_memory()
            stage.read(stage.gauge(AT, TO, rate=rate, batch=20, wait=300,
                                   **{"for": ms}))
            after = program.most_memory()
            said = program.stop()
        waited = int(re.findall(r" in (\d+) released", said)[-1])
        return (after - before) / max(waited - first["sent"], 1) - 300

    report.figure("memory", f"beyond the payload, {rate * ms // 1000} of "
                  "300 B wait", "B", [measure() for _ in range(2)])


def simulated(report):
    packets, counts = 1000000, (1000, 250000)
    if not report.short:
        packets, counts = 4000000, (1000, 10000, 100000, 1000000)
    stage.write("schedule.csv", "time,direction,stream,size\n" + "".join(
        f"{i // 10**6}.{i % 10**6:06d},uplink,c0,300\n"
        for i in range(packets)))
    schedule = os.path.join(stage.scratch, "schedule.csv")

    def measure(n=None, *options, record=""):
        conditions = delay_of((n or 0) * 1000) + \
            "\n[condition b]\ntype = token-bucket\nrate = 100Gbit\n"
        path = stage.arm([("uplink", "c0", AT, TO)], "d, b" if n else "",
                         conditions if n else "", room(), record)
        folder = os.path.join(stage.scratch, "record")
        shutil.rmtree(folder, ignore_errors=True)
        cpu, _ = stage.run_to_end([Tools.farlink, "simulate", path,
                                   "--schedule", schedule, *options])
        shutil.rmtree(folder, ignore_errors=True)
        return {"rate": packets / cpu / 1e3, "cpu": cpu / packets * 1e6}

    folder = os.path.join(stage.scratch, "record")
    variants = {"empty chain": measure}
    variants |= {f"{n} waiting": lambda n=n: measure(n) for n in counts}
    variants["1000 waiting, recorded"] = \
        lambda: measure(1000, "--record", folder)
    variants["1000 waiting, recorded with captures"] = \
        lambda: measure(1000, "--record", folder,
                        record="\n[record]\npcap = yes\n")
    report.compare("simulate", "delay and token bucket", variants,
                   "1000 waiting", ("rate", "cpu"), unit="k/s", fewer=False,
                   all_of_them=True)


# ---- what is switched on beside it

def recording(report):
    folder = os.path.join(stage.scratch, "record")

    def measure(record, captures=False):
        shutil.rmtree(folder, ignore_errors=True)
        with farlink(AT, TO, extra=room(),
                     options=("--record", folder) if record else (),
                     record="\n[record]\npcap = yes\n" if captures
                     else "") as program:
            found = stage.read(stage.gauge(
                AT, TO, rate=20000, batch=4, **{"for": 1000}))
            cpu = program.spent() / max(found["received"], 1) / 1e3
        shutil.rmtree(folder, ignore_errors=True)
        return {"cpu": cpu, "lost": found["sent"] - found["received"]}

    report.compare("recording", "20 000/s of 300 B, empty chain",
                   {"nothing": lambda: measure(False),
                    "record": lambda: measure(True),
                    "record and captures": lambda: measure(True, True)},
                   "nothing", ("cpu", "lost"), unit="us", fewer=True,
                   all_of_them=True)


def page(report):
    """What a browser that looks on costs the releases."""
    known = subprocess.run([Tools.farlink, "conditions", "--sections",
                            "dashboard"], capture_output=True, check=False)
    if known.returncode:
        report.skip("page", "this farlink has no dashboard")
        return
    at = stage.free_row(1)
    section = f"\n[dashboard]\nlisten = 127.0.0.1:{at}\n"

    def measure(reader):
        return release_of_farlink(1000, 200 * MS, 1000, record=section,
                                  beside=lambda: stage.Reader(at, reader))

    report.compare("page", "1000/s, 200 ms",
                   {"page closed": lambda: measure(False),
                    "page open": lambda: measure(True)},
                   "page closed", LATE, unit="us", fewer=True,
                   all_of_them=True)


def teleoperation(report):
    """500 Hz both ways and 60 frames/s of 41 datagrams, 2.56 s, defaults."""
    streams = (("uplink", "command", 500, 1, 64),
               ("downlink", "feedback", 500, 1, 64),
               ("downlink", "video", 60 * 41, 41, 1400))
    ms = 2000 if report.short else 6000

    def measure():
        path = stage.arm([(way, name, AT + i, TO + i) for i, (way, name, *_)
                          in enumerate(streams)], "d", delay_of(2560 * MS))
        with stage.Program([Tools.farlink, "run", path], AT + 2) as program:
            gauges = [stage.gauge(AT + i, TO + i, rate=rate, batch=batch,
                                  size=size, wait=3000, **{"for": ms})
                      for i, (_, _, rate, batch, size) in enumerate(streams)]
            seen = [stage.read(one) for one in gauges]
            cpu = program.spent() / sum(s["received"] for s in seen) / 1e3
            program.stop()
        return {"lost": sum(s["sent"] - s["received"] for s in seen),
                "limit": program.text(
                program.err).count("is full"), "cpu": cpu}

    report.compare("teleoperation", "500 Hz both ways, 60 x 41 x 1400 B",
                   {"farlink": measure}, None, ("lost", "cpu"), unit="us",
                   fewer=True, all_of_them=True,
                   repeat=1 if report.short else 3)


ALL = (release, precision, throughput, queued, memory, simulated, recording,
       page, teleoperation)
