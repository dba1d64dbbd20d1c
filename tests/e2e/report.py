# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.py - the figures of farlink report, computed once more from packets.csv
#
# Nothing of farlink's own reckoning is used here but what the manual says of
# it: quantiles by nearest rank, standard deviations divided by the count.

import csv
import hashlib
import json
import math
import os
import re
import shutil
import subprocess

from stand import (SCRATCH, check, command, free_ports, main, rows, same,
                   write)

EVIL = "<script>alert(1)</script>"
LOSSES = ("suppressed", "dropped")
AT_END = ("shutdown", "reset")

ARM = """[arm]
name = {name}
description = "</script><img src=x onerror=alert(2)> & 'quotes'
seed = 11
[link]
robot = internal
listen = 127.0.0.1
[uplink command]
port = {up}
chain = wifi, lossy
duplicate = 5%
[downlink odom]
port = {down}
chain = earth
[downlink state]
port = {state}
[condition wifi]
type = jitter
base = 120ms
jitter = 110ms
[condition lossy]
type = gilbert-elliott
loss = 25%
mean_burst = 3
[condition earth]
type = smooth-jitter
base = 80ms
jitter = 20ms
[vehicle]
preset = rosbot-2r
"""

SCRIPT = """time,vx,vy,wz
0,0.2,0,0
1,0.2,0,0.6
2.5,0,0,0
"""


def quantile(values, permille):
    rank = -(-len(values) * permille // 1000)
    return sorted(values)[max(rank, 1) - 1]


def spread(values):
    if not values:
        return None
    mean = math.fsum(values) / len(values)
    return {"n": len(values), "mean_ns": mean,
            "sd_ns": math.sqrt(math.fsum((v - mean) ** 2 for v in values)
                               / len(values)),
            "min_ns": min(values), "max_ns": max(values),
            **{f"p{p}_ns": quantile(values, 10 * p)
               for p in (50, 90, 95, 99)}}


def runs(lost):
    """Lengths of the runs of True."""
    return [len(run) for run in "".join("x" if x else " "
                                        for x in lost).split()]


def age_of(known, bounds):
    """@known: (when, of when), in order; how old it was in between."""
    span = known[-1][0] - known[0][0]
    area, over, most = 0, [0] * len(bounds), 0
    for (now, of), (then, _) in zip(known, known[1:]):
        first, last = now - of, then - of
        most = max(most, first, last)
        area += (last ** 2 - first ** 2) / 2
        for i, bound in enumerate(bounds):
            over[i] += max(0, min(last - bound, then - now))
    return {"mean_ns": area / span, "watched_ns": span,
            "min_ns": min(now - of for now, of in known),
            "max_ns": max(most, known[-1][0] - known[-1][1]),
            "over": [x / span for x in over]}


def figures(packets, live, timeouts, ages):
    """All that is told of the rows of a channel, in the order of the file."""
    copies = [p for p in packets if p["by"] == "duplicate"]
    stops = [p for p in packets if p["fate"] == "injected"]
    packets = [p for p in packets if p not in copies and p not in stops]
    for p in packets:
        for key in "id", "size", "ingress_ns", "due_ns", "released_ns":
            p[key] = int(p[key]) if p[key] != "" else None
    passed = [p for p in packets if p["fate"] in ("released", "forwarded")]
    ended = [p for p in packets if p["fate"] == "dropped"
             and p["by"] in AT_END]
    lost = [p for p in packets if p["fate"] in LOSSES and p not in ended]
    top, late = -1, 0
    for p in passed:
        late += p["id"] < top
        top = max(top, p["id"])
    arrived = sorted(packets, key=lambda p: p["id"])
    bursts = runs([p in lost for p in arrived if p not in ended])
    left = sorted(passed, key=lambda p: (p["released_ns"], p["id"]))
    gaps_in = [b["ingress_ns"] - a["ingress_ns"]
               for a, b in zip(arrived, arrived[1:])]
    gaps_out = [b["released_ns"] - a["released_ns"]
                for a, b in zip(left, left[1:])]
    place = {p["id"]: i for i, p in enumerate(arrived)}
    table = []
    for timeout in timeouts:
        stopped = [gap - timeout for gap, a, b
                   in zip(gaps_out, left, left[1:]) if gap > timeout
                   and not any(g > timeout for g in gaps_in[slice(
                       *sorted((place[a["id"]], place[b["id"]])))])]
        table.append({"timeout_ns": timeout,
                      "gaps_sent": sum(g > timeout for g in gaps_in),
                      "gaps": sum(g > timeout for g in gaps_out),
                      "false_stops": len(stopped), "halted_ns": sum(stopped)})
    known, newest = [], -1
    for p in left:
        newest = max(newest, p["ingress_ns"])
        known.append((p["released_ns"], newest))
    return {
        "asked": spread([p["due_ns"] - p["ingress_ns"] for p in passed]),
        "realised": spread([p["released_ns"] - p["ingress_ns"]
                            for p in passed]),
        "release_error": spread([p["released_ns"] - p["due_ns"]
                                 for p in passed]) if live else None,
        "in": len(packets), "released": len(passed), "lost": len(lost),
        "payload_bytes": sum(p["size"] for p in packets),
        "suppressed": sum(p["fate"] == "suppressed" for p in packets),
        "dropped": sum(p["fate"] == "dropped" for p in lost),
        "waiting_at_end": len(ended), "duplicates": len(copies),
        "injected": len(stops),
        "loss": len(lost) / max(1, len(packets) - len(ended)),
        "bursts": len(bursts),
        "mean_burst": sum(bursts) / len(bursts) if bursts else 0,
        "longest_burst": max(bursts, default=0),
        "reordered": late, "reordered_share": late / max(1, len(passed)),
        "longest_gap_ns": max(gaps_out, default=0),
        "longest_gap_sent_ns": max(gaps_in, default=0),
        "timeouts": table, "age": age_of(known, ages),
    }


def equal(found, wanted, what):
    """Whole numbers to the last digit, others to twelve."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            equal(found[key], value, f"{what} {key}")
    elif isinstance(wanted, list):
        same(len(found), len(wanted), what, "entries")
        for i, value in enumerate(wanted):
            got = found[i]
            if isinstance(got, dict) and not isinstance(value, dict):
                got = got["share_over"]
            equal(got, value, f"{what} {i}")
    elif isinstance(wanted, float):
        check(math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-9), what,
              "is", found, "not", wanted)
    else:
        same(found, wanted, what)


def report(*args, status=0):
    found, out, err = command("report", *args)
    same(found, status, "exit status of report", args, err)
    return out.split("\n")[:-1], err


def load(name):
    with open(name) as file:
        return json.load(file)


def compare(folder, told):
    """A record of the report with its packets.csv."""
    packets = rows(folder)
    for trial in told["trials"]:
        for channel in trial["channels"]:
            what = f"{folder} {trial['trial']} {channel['stream']}"
            mine = [p for p in packets if p["trial"] == trial["trial"]
                    and p["direction"] == channel["direction"]
                    and p["stream"] == channel["stream"]]
            check(len(mine) > 10, what, "has only", len(mine), "packets")
            equal(channel, figures(
                mine, told["live"],
                [t["timeout_ns"] for t in channel["timeouts"]],
                [a["age_ns"] for a in channel["age"]["over"]]), what)
    same({(t["trial"], c["direction"], c["stream"]) for t in told["trials"]
          for c in t["channels"]},
         {(p["trial"], p["direction"], p["stream"]) for p in packets},
         "channels told")
    same(told["rows"], len(packets), "rows")


def view(folder, told):
    """The operator's view with operator.csv."""
    for trial in told["trials"]:
        known = [(int(v["time_ns"]), int(v["sampled_ns"]))
                 for v in rows(folder, "operator.csv")
                 if v["trial"] == trial["trial"]]
        found = trial["vehicle"]["view_age"]
        equal(found, age_of(known, [a["age_ns"] for a in found["over"]]),
              "age of the view")
        steps = [(float(s["x"]), float(s["y"]))
                 for s in rows(folder, "vehicle.csv")
                 if s["trial"] == trial["trial"]]
        way = sum(math.dist(a, b) for a, b in zip(steps, steps[1:]))
        check(math.isclose(trial["vehicle"]["travelled_m"], way,
                           rel_tol=1e-9), "travelled")


def page_of(name):
    with open(name, encoding="utf-8") as file:
        page = file.read()
    data = re.search(r'<script type="application/json" id="data">\n(.*)\n'
                     r'</script>', page)[1]
    check("<" not in data and ">" not in data, "the data has brackets")
    same(page.count("</script>"), 3, "ends of scripts")
    check(not re.search(r'(src|href)="?(https?:)?//', page), "outside things")
    return page, json.loads(data)


def browse(name):
    """The page as a browser makes it, where there is one."""
    browser = shutil.which("chromium")
    if not browser:
        return None
    home = os.path.join(SCRATCH, "browser")
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu",
         f"--user-data-dir={home}", "--dump-dom", "file://" + name],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return done.stdout.decode()


def make_arm(name=EVIL):
    up, down, state = free_ports(3)
    return write("arm.ini", ARM.format(name=name, up=up, down=down,
                                       state=state))


def live():
    """A real run, against its own rows."""
    folder = os.path.join(SCRATCH, "live")
    drive = write("drive.csv", SCRIPT)
    status, _, err = command("run", make_arm(), "--loopback", "--drive",
                             drive, "--record", folder, patience=60)
    same(status, 0, "run", err)
    names, err = report(folder)
    same(names, [f"{folder}/report.{end}" for end in ("html", "json", "csv")],
         "what is written")
    same(err, "", "messages")
    numbers = load(names[1])
    told = numbers["records"][0]
    compare(folder, told)
    view(folder, told)
    same(told["arm"]["name"], EVIL, "name")
    with open(f"{SCRATCH}/arm.ini", "rb") as file:
        same(told["arm"]["sha256"], hashlib.sha256(file.read()).hexdigest(),
             "SHA-256")
    same(told["trials"][0]["arm_sha256"], told["arm"]["sha256"], "the same")
    same(told["verification"]["same"], True, "verifies")
    same(told["ended"], True, "ended")
    trial = told["trials"][0]
    summary = load(f"{folder}/summary.json")["trials"][0]
    same((trial["verdict"], trial["reasons"]),
         (summary["verdict"], summary["reasons"]), "verdict")
    for channel in trial["channels"]:
        if channel["stream"] == "command":
            same(channel["intended"]["mean_ns"], 120e6, "intended mean")
            same(channel["intended"]["loss"], 0.25, "intended loss")
            same((channel["intended"]["min_ns"],
                  channel["intended"]["max_ns"]), (10e6, 230e6), "range")
    page, data = page_of(names[0])
    for record in data["records"]:
        check(record["trials"][0]["channels"][0].pop("charts"), "no charts")
    same(EVIL in page, False, "its name, as HTML")
    tables(names[2], told)
    seen = browse(names[0])
    if seen is not None:
        check("&lt;script&gt;alert(1)&lt;/script&gt;" in seen,
              "the name is not on the page")
        check("<img" not in seen, "the description became an image")
        for channel in trial["channels"]:
            check(f"{channel['realised']['p99_ns'] / 1e6:.1f} ms" in seen
                  or channel["realised"]["p99_ns"] < 100e6,
                  "p99 of", channel["stream"], "is not on the page")
            check(str(channel["longest_burst"]) in seen, "bursts")
    # once more: the same bytes
    before = [open(name, "rb").read() for name in names]
    report(folder)
    same([open(name, "rb").read() for name in names] == before, True,
         "made again, it is the same")


def tables(name, told):
    with open(name, newline="") as file:
        table = {(r["trial"], r["stream"], r["quantity"]): r["value"]
                 for r in csv.DictReader(file)}
    for trial in told["trials"]:
        same(table[trial["trial"], "", "verdict"], trial["verdict"], "verdict")
        for c in trial["channels"]:
            key = trial["trial"], c["stream"]
            same(int(table[*key, "realised.p99_ns"]), c["realised"]["p99_ns"],
                 "p99 in the table")
            same(float(table[*key, "loss"]), c["loss"], "loss in the table")
            same(int(table[*key, "timeouts.500ms.false_stops"]),
                 c["timeouts"][3]["false_stops"], "false stops in the table")


def simulated(name="simulated", *more):
    folder = os.path.join(SCRATCH, name)
    status, _, err = command("simulate", make_arm(name), "--drive",
                             write("drive.csv", SCRIPT), "--record", folder,
                             *more)
    same(status, 0, "simulate", err)
    return folder


def virtual():
    """In virtual time no release error is measured."""
    folder = simulated()
    out = os.path.join(SCRATCH, "virtual.html")
    report(folder, "-o", out)
    told = load(f"{SCRATCH}/virtual.json")["records"][0]
    compare(folder, told)
    check(all(c["release_error"] is None for c in told["trials"][0]["channels"]),
          "a release error")
    same(os.path.exists(f"{folder}/report.html"), False, "written elsewhere")


def side_by_side():
    """Two records, the same name in two folders."""
    first = simulated("one")
    second = os.path.join(SCRATCH, "other", "one")
    shutil.copytree(first, second)
    report(first, second + "/", "-o", f"{SCRATCH}/both", "--no-verify")
    records = load(f"{SCRATCH}/both.json")["records"]
    same([r["record"] for r in records], ["one", second], "names")
    same(records[0]["trials"], records[1]["trials"], "figures")
    same(records[0]["verification"], {"done": False}, "verification")
    page_of(f"{SCRATCH}/both.html")
    _, err = report(first, second, status=2)
    check("-o FILE.html" in err, "no remedy:", err)


def many_trials():
    """Trials, what lies between them, marks, and a change of the arm."""
    folder = simulated("trials")
    slower = simulated("slower", "--set", "wifi.base=300ms")
    shutil.copy(f"{slower}/manifest.json", f"{folder}/arm-1.json")
    with open(f"{folder}/packets.csv") as file:
        head, *lines = file.read().splitlines(True)
    with open(f"{folder}/packets.csv", "w") as file:
        file.write(head)
        for trial in "1,", "between-1,", "p7,":
            file.writelines(trial + line[2:] for line in lines)
    with open(f"{folder}/events.csv", "w") as file:
        file.write("time_ns,event,detail\n0,trial-start,1\n"
                   f'5,mark,"{EVIL}, ""said"" he"\n9,trial-stop,1\n'
                   "0,trial-start,between-1\n9,trial-stop,between-1\n"
                   "3,arm,arm-1.json\n0,trial-start,p7\n"
                   "7,arm,manifest.json\n")
    os.unlink(f"{folder}/summary.json")
    report(folder)
    told = load(f"{folder}/report.json")["records"][0]
    same([(t["trial"], t["between"], t["changes"]) for t in told["trials"]],
         [("1", False, 0), ("between-1", True, 0), ("p7", False, 1)],
         "trials")
    compare(folder, told)
    same([t["channels"][0]["intended"]["mean_ns"] for t in told["trials"]],
         [120e6, 120e6, 300e6], "intended by the arm of each trial")
    same([t["arm_sets"] for t in told["trials"]],
         [[], [], ["wifi.base=300ms"]], "sets")
    same(told["events"][1], {"time_ns": 5, "trial": "1", "event": "mark",
                             "detail": f'{EVIL}, "said" he'}, "the mark")
    page_of(f"{folder}/report.html")


def died():
    """A run that did not end: no summary, the last row cut off."""
    folder = simulated("died")
    os.unlink(f"{folder}/summary.json")
    with open(f"{folder}/packets.csv", "rb+") as file:
        file.truncate(os.path.getsize(f"{folder}/packets.csv") * 2 // 3)
        file.seek(-1, os.SEEK_END)
        if file.read() == b"\n":
            file.truncate(file.tell() - 1)
    report(folder)
    told = load(f"{folder}/report.json")["records"][0]
    same((told["ended"], told["trials"][0]["ended"]), (False, False), "ended")
    same(told["verification"]["same"], False, "verifies")
    check("cut off" in told["faults"][0], "faults:", told["faults"])
    with open(f"{folder}/packets.csv") as file:
        same(told["rows"], len(file.readlines()) - 2, "rows before it")
    # a time that no difference can be taken of
    with open(f"{folder}/packets.csv", "a") as file:
        file.write(f"\n1,99999,uplink,command,40,{2**63 - 1},,,suppressed,wifi"
                   f"\n1,99998,uplink,command,40,{2**63 - 2},0,0,released,\n")
    report(folder)
    # and where there is no more than the manifest and no row
    with open(f"{folder}/packets.csv", "w") as file:
        file.write("trial,id,direction\n")
    os.unlink(f"{folder}/events.csv")
    report(folder)


def refusals():
    """Nothing of a record is written over; faults have their remedy."""
    folder = simulated("refusals")
    before = sorted(os.listdir(folder))
    for name in "packets.html", "summary", "manifest.html", "arm-1.html":
        _, err = report(folder, "-o", f"{folder}/{name}", status=2)
        check("choose another name" in err, "no remedy:", err)
    same(sorted(os.listdir(folder)), before, "files of the record")
    _, err = report(SCRATCH, status=2)
    check("name the folder of a record" in err, err)
    report(status=2)
    report(folder, "-o", f"{SCRATCH}/", status=2)
    _, err = report(folder, "-o", f"{SCRATCH}/nowhere/x.html", status=1)
    check("-o FILE.html" in err, "no remedy:", err)


main(live, virtual, side_by_side, many_trials, died, refusals)
