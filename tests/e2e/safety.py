# SPDX-License-Identifier: GPL-2.0-or-later
#
# safety.py - whatever happens to farlink, the robot is stopped

import json
import os
import time
from signal import SIGKILL, SIGSEGV, SIGTERM

from stand import (SCRATCH, Peer, Run, await_that, check, children_of,
                   free_ports, main, rows, same)

STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'
GO = b'{"vx":0.1500,"vy":0.0000,"wz":0.0000}'


def arm(up, delay="20ms", safety=""):
    return f"""[arm]
name = safety
[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink command]
port = {up}
chain = far
[condition far]
type = delay
delay = {delay}
[safety]
stream = command
{safety}
"""


class Ends:
    def __init__(self):
        self.up, = free_ports(1)
        self.robot = Peer("127.0.0.9", self.up)
        self.stick = Peer("127.0.0.1")

    def go(self, n=1):
        for _ in range(n):
            self.stick.send(GO, self.up, "127.0.0.7")

    def moving(self):
        """The robot has its stops of the start, and moves."""
        same(self.robot.take_all(10), [STOP] * 10, "stops at the start")
        self.go(3)
        same(self.robot.take_all(3), [GO] * 3, "commands")
        return self.robot.sender


def is_guard(pid):
    with open(f"/proc/{pid}/comm") as file:
        return file.read() == "farlink-guard\n"


def die_by(number):
    """It dies in motion: the stops come within 100 ms (the best of three, as
    the machine may be busy), from the port that the commands came from.
    """
    took = []
    for attempt in range(3):
        ends = Ends()
        folder = os.path.join(SCRATCH, f"die-{number}-{attempt}")
        # a sanitizer takes its time to say what the signal was
        env = {**os.environ, "ASAN_OPTIONS": "handle_segv=0"}
        with Run(arm(ends.up), "--record", folder, env=env) as run:
            sender = ends.moving()
            ends.go(5)
            begin = time.monotonic()
            run.kill(number)
            got = ends.robot.take()
            while got == GO:  # what was due just then
                got = ends.robot.take()
            took.append(time.monotonic() - begin)
            same([got] + ends.robot.take_all(4, 2), [STOP] * 5, "stops")
            same(ends.robot.sender, sender, "where the stops come from")
            check(ends.robot.silent(), "there is nothing behind them")
            run.child.wait(10)
            await_that("the guard wrote it down", lambda: any(
                e["event"] == "guard-stop"
                for e in rows(folder, "events.csv")))
        if took[-1] < 0.1:
            return
    check(False, "stops came after", took, "s")


def killed():
    die_by(SIGKILL)


def crashed():
    die_by(SIGSEGV)


def stops_last(ends, folder, run):
    """The queue is dropped, and five stops are the last that is sent."""
    run.wait()
    same(ends.robot.take_all(5, 2), [STOP] * 5, "stops at the end")
    check(ends.robot.silent(), "there is nothing behind them")
    table = rows(folder)
    same([r["by"] for r in table if r["fate"] == "injected"],
         ["on_start"] * 10 + ["on_exit"] * 5, "injected")
    same(sorted((r["fate"], r["by"]) for r in table
                if r["fate"] != "injected"), [("dropped", "shutdown")] * 500,
         "the queue")
    events = [(e["event"], e["detail"]) for e in rows(folder, "events.csv")]
    same(events.count(("stop-sent", "on_exit")), 5, "stops among the events")
    check(not any(e == "guard-stop" for e, _ in events), "no guard")


def terminated():
    """SIGTERM with a full queue."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "terminated")
    with Run(arm(ends.up, "10min"), "--record", folder) as run:
        same(ends.robot.take_all(10), [STOP] * 10, "stops at the start")
        ends.go(500)
        await_that("all are in", lambda: run.counts().get(
            "uplink command", {}).get("queued") == 500)
        run.kill(SIGTERM)
        stops_last(ends, folder, run)


def time_is_over():
    """--for, with a full queue."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "over")
    with Run(arm(ends.up, "10min"), "--record", folder, "--for",
             "2500ms") as run:
        same(ends.robot.take_all(10), [STOP] * 10, "stops at the start")
        ends.go(500)
        stops_last(ends, folder, run)


def guard_killed():
    """That the guard is dead is said, and on record; the traffic goes on."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "guard")
    with Run(arm(ends.up), "--record", folder) as run:
        ends.moving()
        guards = [pid for pid in children_of(run.child.pid) if is_guard(pid)]
        same(len(guards), 1, "guards")
        os.kill(guards[0], SIGKILL)
        run.says("the guard process died")
        ends.go(2)
        same(ends.robot.take_all(2), [GO] * 2, "commands")
        run.end()
        same(ends.robot.take_all(5, 2), [STOP] * 5, "stops at the end")
        check(any(e["event"] == "guard-lost"
                  for e in rows(folder, "events.csv")), "it is on record")


def dead_man():
    """Silence: one stop, said, on record; and again after the next command."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "deadman")
    with Run(arm(ends.up, safety="deadman = 300ms"), "--record",
             folder) as run:
        ends.moving()
        same(ends.robot.take(), STOP, "a stop")
        check(ends.robot.silent(0.8), "one, not more")
        run.says("a stop is sent")
        ends.go()
        same(ends.robot.take_all(2), [GO, STOP], "and again")
        run.end()
        same([r["by"] for r in rows(folder) if r["by"] == "deadman"],
             ["deadman"] * 2, "rows")
        stops = [r for r in rows(folder) if r["by"] == "deadman"]
        gone = [r for r in rows(folder) if r["fate"] == "released"]
        for stop in stops:
            last = max(int(r["due_ns"]) for r in gone
                       if int(r["due_ns"]) < int(stop["ingress_ns"]))
            same(int(stop["ingress_ns"]) - last, 300 * 10**6, "silence")


def vehicle_stopped():
    """The model is stopped by the same stops, past its chain."""
    up, state = free_ports(2)
    folder = os.path.join(SCRATCH, "model")
    text = arm(up, "1h").replace("[safety]", f"""[downlink state]
port = {state}
[vehicle]
preset = rosbot-2r
[safety]""")
    ear, stick = Peer("127.0.0.1", state), Peer("127.0.0.1")
    with Run(text, "--loopback", "--record", folder) as run:
        stick.send(GO, up)  # so that the headset is known
        await_that("stops of the start are applied", lambda: json.loads(
            ear.take() or b"{}").get("cmd", {}).get("count") == 10)
        run.end()
    same([r["by"] for r in rows(folder) if r["fate"] == "injected"],
         ["on_start"] * 10 + ["on_exit"] * 5, "injected")


main(killed, crashed, terminated, time_is_over, guard_killed, dead_man,
     vehicle_stopped)
