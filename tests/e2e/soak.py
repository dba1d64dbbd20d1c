# SPDX-License-Identifier: GPL-2.0-or-later
#
# soak.py - mixed traffic while everything around it goes wrong; afterwards all
# is accounted for, and nothing is left
#
# A round is one run.  What it meets is drawn from a seed of its own, which is
# said with each finding: SOAK_SEED=… does the same again, as far as the machine
# keeps time.  Rounds take turns until SOAK_SECONDS are over.

import json
import mmap
import os
import random
import re
import shutil
import struct
import subprocess
import time
from signal import SIGABRT, SIGKILL, SIGTERM

import lab
import stand
from soak_world import (STOP, STOPS, World, keep_silent, live, order, pause,
                        reread, settle, steer)
from stand import (SCRATCH, Run, await_that, check, children_of, command, rows,
                   same, write)

SECONDS = float(os.environ.get("SOAK_SECONDS", 15))
SEED = int(os.environ.get("SOAK_SEED") or random.randrange(10**6))
ROUND = min(max(SECONDS / 6, 2), 60)  # seconds of trouble
MEBI = 1 << 20
# A run keeps the arms that it had, some 100 kB each.
GROWTH, A_CHANGE = 8 * MEBI, 128 * 1024

def trouble(world, run, path):
    """What one moment brings."""
    world.rng.choice((
        world.vanish, world.vanish, lambda: pause(world, run),
        lambda: reread(world, run), lambda: steer(world, run, path),
        lambda: steer(world, run, path), lambda: steer(world, run, path),
        lambda: keep_silent(world, path)))()


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) * 1024


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def summary(folder):
    with open(os.path.join(folder, "summary.json")) as file:
        return json.load(file)


def conserved(world, folder):
    """Each datagram is in the record once, or the kernel dropped it."""
    table = [row for row in rows(folder)
             if row["fate"] != "injected" and row["by"] != "duplicate"]
    told = summary(folder)
    dropped = sum(trial.get("kernel_drops", 0) for trial in told["trials"])
    check(len(table) <= sum(world.sent.values()), "rows of nothing:",
          len(table), "of", world.sent)
    same(len(table) + dropped + told["rows_lost"], sum(world.sent.values()),
         "rows, kernel drops and rows lost of", world.sent)
    same(len({(row["trial"], row["direction"], row["stream"], row["id"])
              for row in table}), len(table), "rows of one datagram")


def verified(folder, good=(0,)):
    status, out, err = command("verify", folder, patience=120)
    check(status in good, "verify", status, (out + err)[-600:])


def stops_last(world, what="the last that the robot gets"):
    settle(world)
    same(world.last, [STOP] * STOPS, what)


def nothing_left(run, children, path=None):
    for pid in children:
        await_that(f"child {pid} ends", lambda: not os.path.exists(
            f"/proc/{pid}"))
    if path:
        check(not os.path.exists(path), "the socket is left")


def endure(rng):
    """Peers, orders, signals: all is accounted for, and nothing grows."""
    world = World(rng)
    folder, path = os.path.join(SCRATCH, "endure"), f"{SCRATCH}/endure.sock"
    with Run(world.arm(), "--record", folder, "--control", path) as run:
        pid, children = run.child.pid, children_of(run.child.pid)
        live(world, run, ROUND / 3, lambda: steer(world, run, path))
        settle(world)
        fds, before, changed = descriptors(pid), memory(pid), world.changes
        live(world, run, ROUND, lambda: trouble(world, run, path))
        world.all_back()
        for line in world.silent:
            line.close()
        order(path, "robot 127.0.0.9")
        await_that("descriptors are given back",
                   lambda: descriptors(pid) == fds)
        grown = memory(pid) - before
        check(grown < GROWTH + A_CHANGE * (world.changes - changed),
              "memory grew by", grown, "at", world.changes - changed,
              "changes")
        settle(world)
        run.kill(SIGTERM)
        run.wait(None)
        same(run.child.returncode, 0, run.stderr()[-300:])
        stops_last(world)
        same(world.strange, 0, "datagrams twice, or of nobody")
        nothing_left(run, children, path)
    conserved(world, folder)
    verified(folder)
    world.close()


class Faults:
    """What the program is to meet, in memory that it shares: faults.c."""

    SHAPE = "=6Iq3Q"
    KINDS = "memory", "files", "sockets"

    def __init__(self, seed):
        self.seed = seed
        self.name = write("faults", bytes(struct.calcsize(self.SHAPE)))
        with open(self.name, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def env(self):
        return {**os.environ, "FAULTS": self.name,
                "LD_PRELOAD": os.environ["faults"]}

    def set(self, wall=0, stall=0, **one_in):
        struct.pack_into("=6Iq", self.memory, 0, *(
            one_in.get(kind, 0) for kind in self.KINDS), self.seed, stall, 0,
            wall)

    def failed(self):
        return dict(zip(self.KINDS, struct.unpack_from("=3Q", self.memory,
                                                       32)))


def whole(folder):
    """A record is readable up to its end, which may be cut only by a death."""
    with open(os.path.join(folder, "packets.csv")) as file:
        lines = file.read().split("\n")
    for line in lines[1:-1]:
        if line.count(",") != lines[0].count(","):
            check(False, "a row is no row:", repr(line))


def unlucky(rng, what, **one_in):
    """Calls fail: it goes on, or ends with a message and the robot stopped."""
    world, faults = World(rng), Faults(rng.randrange(1 << 32))
    folder, path = os.path.join(SCRATCH, what), f"{SCRATCH}/{what}.sock"
    faults.set()
    with Run(world.arm(), "--record", folder, "--control", path,
             env=faults.env()) as run:
        children = children_of(run.child.pid)
        live(world, run, 0.3, lambda: None)
        faults.set(**one_in)

        def upset():
            if rng.random() < 0.5:
                order(path, rng.choice((
                    "status", "pending", "trial start", "mark unlucky",
                    "set condition far.delay 7ms", f"arm {run.arm}")), 1)
            elif rng.random() < 0.3:
                reread(world, run)

        live(world, run, ROUND / 2, upset)
        faults.set()
        if run.child.poll() is None:
            world.put("command")
            settle(world)
            run.kill(SIGTERM)
        run.wait(None)
        status, failed = run.child.returncode, faults.failed()
        died = status == -SIGABRT and failed["memory"]
        check(status in (0, 1) or died, what, "exit status", status, failed,
              run.stderr()[-600:])
        if status == 1:
            check("farlink: " in run.stderr(), what, "it says why")
        stops_last(world, f"{what}: the last that the robot gets ({status})")
        same(world.strange, 0, what, "datagrams twice, or of nobody")
        nothing_left(run, children, None if died else path)
    whole(folder)
    if not died and os.path.exists(os.path.join(folder, "summary.json")):
        lost = summary(folder)["rows_lost"]
        if not lost and what != "files":
            conserved(world, folder)
        verified(folder, (0,) if not lost and status == 0 else (0, 1))
    else:
        verified(folder, (0, 1))
    world.close()
    return failed


def no_memory(rng):
    failed = unlucky(rng, "memory", memory=rng.choice((20, 100, 400)))
    check(failed["memory"] or SECONDS < 60, "no allocation failed")


def no_files(rng):
    check(unlucky(rng, "files", files=3)["files"], "no file failed")


def no_sockets(rng):
    check(unlucky(rng, "sockets", sockets=8)["sockets"], "no socket failed")


def stalled(rng):
    """The disk takes its time: nothing waits for it, and nothing is lost."""
    world, faults = World(rng, (8, 40, 300)), Faults(1)
    folder = os.path.join(SCRATCH, "stalled")
    faults.set()
    with Run(world.arm(), "--record", folder, "--control", "off",
             env=faults.env()) as run:
        live(world, run, 0.3, lambda: None)
        faults.set(stall=1000)
        live(world, run, ROUND / 2, lambda: None)
        world.put("command")
        await_that("a command that does not wait for the disk",
                   lambda: world.take() or world.n in world.got, 5)
        settle(world)
        faults.set()
        run.end()
        stops_last(world)
    same(summary(folder)["rows_lost"], 0, "rows lost")
    conserved(world, folder)
    verified(folder)
    world.close()


def clock_set(rng):
    """The wall clock steps, back and forth: said, and nothing else."""
    world, faults = World(rng, (8, 40, 300)), Faults(1)
    folder = os.path.join(SCRATCH, "clock")
    faults.set()
    with Run(world.arm(), "--record", folder, "--control", "off",
             env=faults.env()) as run:
        live(world, run, 0.3, lambda: None)
        for step in rng.sample((-86400, -2, 3, 3600), 2):
            faults.set(step * 10**9)
            live(world, run, 1.2, lambda: None)
        run.says("the wall clock was set by")
        settle(world)
        run.end()
        stops_last(world)
    check(any(e["event"] == "clock-step" for e in rows(folder, "events.csv")),
          "it is written down")
    conserved(world, folder)
    verified(folder)
    world.close()


def disk_full(rng):
    """The disk fills, and has room again; what is missing is counted."""
    disk = os.path.join(SCRATCH, "disk")
    os.makedirs(disk, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "farlink-soak",
                    disk], check=True)
    world, folder = World(rng, (8, 40)), os.path.join(disk, "record")
    filler = os.path.join(disk, "filler")
    try:
        with Run(world.arm(), "--record", folder, "--control", "off") as run:
            def upset():
                if os.path.exists(filler):
                    os.unlink(filler)
                    return
                try:
                    with open(filler, "wb") as file:
                        file.write(bytes(2 * MEBI))
                except OSError:
                    pass

            live(world, run, ROUND, upset, 0.7)
            if os.path.exists(filler):
                os.unlink(filler)
            settle(world)
            run.kill(SIGTERM)
            run.wait(None)
            stops_last(world)
            check(run.child.returncode in (0, 1), run.stderr()[-300:])
        whole(folder)
        told = summary(folder)
        found = len([row for row in rows(folder) if row["fate"] != "injected"])
        check(found <= sum(world.sent.values()), "rows of nothing")
        check(found + told["rows_lost"] >= sum(world.sent.values()),
              found, "rows and", told["rows_lost"], "lost are less than",
              world.sent)
        same(run.child.returncode, 1 if told["rows_lost"] else 0,
             "exit status with", told["rows_lost"], "rows lost")
        verified(folder, (0, 1) if told["rows_lost"] else (0,))
    finally:
        world.close()
        subprocess.run(["umount", "-l", disk], check=False)


def flapping(rng):
    """Interfaces of a router go and come; rules stay, and go with the run."""
    lab.build("routed")
    plain, ends = stand.FARLINK, lab.Ends("routed", 4)
    lab.program()
    folder = os.path.join(SCRATCH, "flapping")
    text = ends.arm("[uplink command]\nport = 5002\nchain = far",
                    "[downlink answer]\nreply = command",
                    "[condition far]\ntype = delay\ndelay = 20ms",
                    "[safety]\nstream = command")
    robot = lab.peer("robot", ends.robot, 5002)
    headset = lab.peer("headset", ends.headset)
    kills = rng.random() < 0.5
    try:
        with Run(text, "--record", folder, "--control", "off") as run:
            children, end = children_of(run.child.pid), time.monotonic() + ROUND
            while time.monotonic() < end:
                link = rng.choice(("hs", "rb"))
                lab.ip("router", f"link set {link} down")
                for _ in range(20):
                    try:
                        headset.send(b"go", 5002, ends.robot)
                    except OSError:  # the way is gone
                        pass
                    time.sleep(0.005)
                lab.ip("router", f"link set {link} up")
                lab.routes()
            await_that("it carries again", lambda: not headset.send(
                b"again", 5002, ends.robot) and b"again" in robot.take_all(
                    1000, 0.1))
            run.kill(SIGKILL if kills else SIGTERM)
            run.wait(-SIGKILL if kills else 0)
            same(robot.take_all(1000, 0.5)[-STOPS:], [STOP] * STOPS,
                 "the last that the robot gets")
            nothing_left(run, children)
        await_that(f"no rule is left ({lab.left()})", lambda: not lab.left())
    finally:
        stand.FARLINK = plain
    if not kills:
        verified(folder)
    robot.close()
    headset.close()


def is_root():
    return os.environ.get("farlink_unshared") == "yes"


def soak():
    rounds = [endure]
    if os.environ.get("faults"):
        rounds += [no_memory, no_files, no_sockets, stalled, clock_set]
    if is_root():
        rounds.append(disk_full)
    if os.environ.get("router"):
        rounds.append(flapping)
    only = os.environ.get("SOAK_ONLY", "").split()
    rounds = [part for part in rounds if not only or part.__name__ in only]
    end, seed = time.monotonic() + SECONDS, SEED
    print(f"SOAK_SEED={SEED}, {SECONDS:.0f} s of",
          *(part.__name__ for part in rounds), flush=True)
    done = 0
    while True:
        for part in rounds:
            stand.subject = f"{part.__name__}, SOAK_SEED={seed}"
            part(random.Random(f"{part.__name__}{seed}"))
            for name in os.listdir(SCRATCH):
                if os.path.isdir(os.path.join(SCRATCH, name)):
                    shutil.rmtree(os.path.join(SCRATCH, name))
            if stand.findings:
                return
            done += 1
        if time.monotonic() > end:
            print(f"{done} rounds, nothing found")
            return
        seed += 1


stand.BOUND = int(SECONDS * 2 + 150)
stand.main(soak)
