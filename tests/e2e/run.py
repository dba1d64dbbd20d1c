# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.py - a headset and a robot through a run, its record, and its twins:
# what simulate and verify make of the recorded ingress times

import os
import random
import threading
import time
from signal import SIGTERM

from stand import (PATIENCE, SCRATCH, Peer, Run, await_that, check, command,
                   free_ports, main, rows, same, write)

MS = 10**6

ARM = """[arm]
name = e2e
seed = 20260817

[link]
robot = 127.0.0.9
listen = 127.0.0.7

[uplink command]
port = {up}
chain = wifi, cell, lossy

[downlink answer]
reply = command
chain = back

[downlink wifi-sample]
port = {down}
to = 127.0.0.1:{down}
chain = back, wifi

[uplink plain]
port = {plain}

[condition wifi]
type = jitter
base = 60ms
jitter = 40ms

[condition cell]
type = token-bucket
rate = 50kbit
max_wait = 200ms

[condition lossy]
type = loss
probability = 10%

[condition back]
type = delay
delay = 25ms

[record]
pcap = yes
"""


def command_text(i):
    """What the reference headset app sends: four decimals, three keys."""
    vx = 0.15 * ((i % 21) - 10) / 10
    return b'{"vx":%.4f,"vy":%.4f,"wz":%.4f}' % (vx, -vx * 0.5, 0.5 - i / 100)


STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'


class Robot(threading.Thread):
    """Answers each command, and opens a stream of samples of its own."""

    def __init__(self, up, down):
        super().__init__(daemon=True)
        self.ears = Peer("127.0.0.9", up)
        self.mouth = Peer("127.0.0.9")
        self.down = down
        self.heard, self.said = [], []
        self.ports = set()
        self.over = False

    def run(self):
        while not self.over:
            payload = self.ears.take(0.05)
            if payload is None:
                continue
            self.ports.add(self.ears.sender)
            self.heard.append(payload)
            self.ears.answer(b"ok " + payload)
            if len(self.heard) % 3 == 0:
                sample = b'{"type":"sample","k":%d,"x":%s}' % (
                    len(self.heard), b"1" * random.randrange(1, 1400))
                self.said.append(sample)
                self.mouth.send(sample, self.down, "127.0.0.7")


def app(up, commands):
    """One start of the headset app: 10 stops in one frame, then 10 Hz (here
    faster, with its jitter), 5 stops at the end.  The port is a new one.
    """
    socket = Peer("127.0.0.1")
    sent = []

    def send(payload):
        socket.send(payload, up, "127.0.0.7")
        sent.append(payload)

    for _ in range(10):
        send(STOP)
    for i in range(commands):
        time.sleep(random.choice((0.011, 0.014, 0.025)))
        send(command_text(i))
    for _ in range(5):
        send(STOP)
    return socket, sent


def whole_run():
    up, down, plain = free_ports(3)
    robot = Robot(up, down)
    screen = Peer("127.0.0.1", down)
    sink = Peer("127.0.0.9", plain)
    folder = os.path.join(SCRATCH, "record")
    with Run(ARM.format(up=up, down=down, plain=plain), "--record",
             folder) as run:
        robot.start()
        first, sent = app(up, 40)
        second, more = app(up, 40)
        sent += more
        for i in range(20):  # the undegraded baseline keeps its order
            first.send(b"plain %d" % i, plain, "127.0.0.7")
        same(sink.take_all(20), [b"plain %d" % i for i in range(20)],
             "the stream without a chain")
        await_that("all has left", lambda: sum(
            c["queued"] for c in run.counts().values()) == 0 and
            run.counts()["uplink command"]["in"] == len(sent) and
            run.counts()["downlink answer"]["in"] == len(robot.heard) and
            run.counts()["downlink answer"]["released"] ==
            len(robot.heard))
        run.end(SIGTERM)
        robot.over = True
        robot.join(PATIENCE)
        table = rows(folder)
        answers = first.take_all(1000, 0.05) + second.take_all(1000, 0.05)
        samples = screen.take_all(1000, 0.05)
        judge(table, robot, sent, answers, samples)
        counted(run, table)
    twins(run.arm, folder, table)


def judge(table, robot, sent, answers, samples):
    """What arrived is what was sent, less what the record says."""
    of = {}
    for row in table:
        of.setdefault((row["direction"], row["stream"]), []).append(row)
    up = of["uplink", "command"]
    same(len(up), len(sent), "rows of the uplink")
    up.sort(key=lambda r: int(r["id"]))
    same([int(r["size"]) for r in up], [len(p) for p in sent],
         "sizes in the record, in the order of arrival")
    released = [sent[i] for i, r in enumerate(up)
                if r["fate"] == "released"]
    check(0 < len(released) < len(sent), "the conditions act:",
          len(released), "of", len(sent))
    same(sorted(robot.heard), sorted(released),
         "what the robot heard, byte for byte")
    same(len(robot.ports), 1, "ports that the robot sees")
    same(sorted(answers), sorted(b"ok " + p for p in robot.heard),
         "what was answered")
    same(sorted(samples), sorted(robot.said), "what the robot said")
    same(len(of["downlink", "wifi-sample"]), len(robot.said), "samples")
    same({r["fate"] for r in of["uplink", "plain"]}, {"released"}, "plain")
    for r in of["downlink", "answer"]:
        same(int(r["due_ns"]) - int(r["ingress_ns"]), 25 * MS, "delay")
    for r in of["uplink", "plain"]:
        same(r["due_ns"], r["ingress_ns"], "due without a chain")
    for r in of["downlink", "wifi-sample"]:
        delay = int(r["due_ns"]) - int(r["ingress_ns"])
        check(45 * MS <= delay <= 125 * MS, "delay", delay)
    for r in table:
        check(r["fate"] in ("released", "suppressed"), "fate", r)
        if r["fate"] == "released":
            check(int(r["released_ns"]) >= int(r["due_ns"]) >=
                  int(r["ingress_ns"]), "order of times", r)
        else:
            same((r["due_ns"], r["released_ns"]), ("", ""), "no times")
            check(r["by"] in ("cell", "lossy", "token-bucket", "loss"),
                  "by", r["by"])
    ids = sorted(int(r["id"]) for r in table)
    same(ids, list(range(len(table))), "ids")


def counted(run, table):
    for name, counts in run.counts().items():
        direction, _, stream = name.partition(" ")
        mine = [r for r in table if r["stream"] == stream
                and r["direction"] == direction]
        same(counts["in"], len(mine), name, "in")
        for fate in "released", "suppressed", "dropped":
            same(counts[fate], sum(r["fate"] == fate for r in mine), name,
                 fate)


def fates(table):
    """Fates and due times, channel by channel, in the order of entry."""
    found = {}
    for r in sorted(table, key=lambda r: (int(r["ingress_ns"]),
                                          int(r["id"]))):
        found.setdefault((r["direction"], r["stream"]), []).append(
            (r["ingress_ns"], r["size"], r["fate"], r["by"], r["due_ns"]))
    return found


def twins(arm, folder, table):
    """simulate, fed the recorded ingress times, decides the same; and so
    does verify.
    """
    lines = ["time,direction,stream,size"]
    for r in sorted(table, key=lambda r: (int(r["ingress_ns"]),
                                          int(r["id"]))):
        seconds, ns = divmod(int(r["ingress_ns"]), 10**9)
        lines.append(f"{seconds}.{ns:09d},{r['direction']},{r['stream']},"
                     f"{r['size']}")
    schedule = write("schedule.csv", "\n".join(lines) + "\n")
    twin = os.path.join(SCRATCH, "twin")
    status, _, said = command("simulate", arm, "--schedule", schedule,
                              "--record", twin)
    same(status, 0, "status of simulate", said)
    live, simulated = fates(table), fates(rows(twin))
    same(sorted(simulated), sorted(live), "channels")
    for channel, wanted in live.items():
        different = [(a, b) for a, b in zip(simulated.get(channel, []), wanted)
                     if a != b]
        check(not different and len(simulated.get(channel, [])) ==
              len(wanted), channel, "simulated and live differ, first:",
              different[:1])
    for record in folder, twin:
        status, said, faults = command("verify", record)
        same(status, 0, "status of verify", record, said, faults)
    # and it does notice
    path = os.path.join(folder, "packets.csv")
    with open(path) as file:
        text = file.read()
    row = next(r for r in table if r["fate"] == "released"
               and r["stream"] == "command")
    with open(path, "w") as file:
        file.write(text.replace(f",{row['due_ns']},",
                                f",{int(row['due_ns']) + 1},"))
    status, said, faults = command("verify", folder)
    same(status, 1, "status of verify after one due time was changed", said,
         faults)


main(whole_run)
