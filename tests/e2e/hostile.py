# SPDX-License-Identifier: GPL-2.0-or-later
#
# hostile.py - floods, forgeries and nonsense: the program lives, stays within
# its memory, and every datagram that it took in has a fate

import os
import random
import re
import socket
import time
from multiprocessing import Process

from stand import (SCRATCH, Peer, Run, check, free_ports, is_sanitized, main,
                   rows, same)

SECONDS = 2
PER_SECOND = 100_000

ARM = """[arm]
name = hostile
[link]
robot = 127.0.0.9
listen = 127.0.0.7
headset = 127.0.1.0/24
[uplink command]
port = {low}
chain = far
limit_packets = 500
limit_bytes = 256KiB
[uplink lidar]
port = {first}-{last}
chain = far
limit_packets = 500
limit_bytes = 256KiB
[downlink answer]
reply = command
chain = far
limit_packets = 500
limit_bytes = 256KiB
[downlink sample]
port = {down}
chain = far
limit_packets = 500
limit_bytes = 256KiB
[condition far]
type = delay
delay = 250ms
"""

NONSENSE = [b"", b"\0", b"{", b'{"vx":', b'{"vx":1e999,"vy":NaN,"wz":null}',
            b"[" * 2000, b'"' + b"\\" * 999, b"\xff\xfe\xfd" * 100,
            b"%n%s%x" * 50, b"x" * 1472, b"x" * 9000, b"x" * 65507]


def flood(source, ports, sizes, seconds, per_second):
    """As many as asked for, or as the machine can: spread over the ports."""
    random.seed(1)
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.bind((source, 0))
    out.setblocking(False)
    begin = time.monotonic()
    sent = 0
    while (age := time.monotonic() - begin) < seconds:
        if sent > age * per_second:
            time.sleep(0.001)
            continue
        for _ in range(100):
            payload = random.choice(NONSENSE)[:random.choice(sizes)]
            try:
                out.sendto(payload, ("127.0.0.7", random.choice(ports)))
            except OSError:
                pass
            sent += 1


def under_flood():
    low, = free_ports(1, spare=9)
    first, last, down = low + 1, low + 8, low + 9
    robot = Peer("127.0.0.9", low)
    text = ARM.format(low=low, first=first, last=last, down=down)
    ports = list(range(low - 3, low + 13))  # some that nobody listens on
    with Run(text) as run:
        before = run.high_water()
        honest = Peer("127.0.1.5")
        honest.send(b"hello", low, "127.0.0.7")
        same(robot.take(), b"hello", "a command before")
        answered = robot.sender[1]
        floods = [Process(target=flood, args=args) for args in (
            ("127.0.1.6", ports, (100, 2000), SECONDS, PER_SECOND // 2),
            ("127.0.2.6", ports, (100, 70000), SECONDS, PER_SECOND // 4),
            ("127.0.3.9", [answered, down], (100, 70000), SECONDS,
             PER_SECOND // 4))]
        for one in floods:
            one.start()
        seen = 0
        while any(one.is_alive() for one in floods):
            seen += robot.take(0.05) is not None
        for one in floods:
            one.join()
        check(seen > 0, "some of it came through")
        check(run.child.poll() is None, "it lives")
        while robot.take(0.6) is not None:
            pass
        # and works on as if nothing had been
        honest.send(b"still there", low, "127.0.0.7")
        same(robot.take(), b"still there", "a command afterwards")
        robot.answer(b"I am")
        same(honest.take(), b"I am", "an answer afterwards")
        grown = run.high_water() - before
        # the limits of four channels, what may be in hand, and as much again
        # for the kinds of size that each take a page
        if not is_sanitized():
            check(grown < 96 << 20, "it has grown by", grown >> 20, "MiB")
        run.end()
        for name, c in run.counts().items():
            same(c["in"], c["released"] + c["suppressed"] + c["dropped"],
                 name, "in")
        refused = int((re.findall(r"refused (\d+)", run.stdout())
                       or ["0"])[-1])
        check(refused > 1000, "forged ones are refused:", refused)
        same(run.counts()["downlink sample"]["in"], 0, "forged samples")
        same(run.counts()["downlink answer"]["in"], 1, "answers")
        lines = run.stderr().count("\n")
        check(lines < 200, "messages are limited, there are", lines)


def headsets_in_turn():
    """Senders that change with every packet flood neither log nor record."""
    up, = free_ports(1)
    robot = Peer("127.0.0.9", up)
    folder = os.path.join(SCRATCH, "turns")
    text = f"""[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink command]
port = {up}
"""
    with Run(text, "--record", folder) as run:
        peers = [Peer(f"127.0.{i}.1") for i in range(1, 9)]
        for i in range(2000):
            peers[i % 8].send(b"me", up, "127.0.0.7")
            same(robot.take(), b"me", "a command")
        run.end()
        lines = run.stderr().count("\n")
        check(lines < 100, "messages are limited, there are", lines)
        events = len(rows(folder, "events.csv"))
        check(events < 100, "events are limited, there are", events)
        same(len(rows(folder)), 2000, "rows")


def every_limit():
    """A queue that is full drops the newcomer, says so, and counts."""
    up, = free_ports(1)
    robot = Peer("127.0.0.9", up)
    headset = Peer()
    folder = os.path.join(SCRATCH, "limit")
    text = f"""[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink command]
port = {up}
chain = far
limit_packets = 10
on_exit = drain
[condition far]
type = delay
delay = 1s
"""
    with Run(text, "--record", folder) as run:
        for i in range(50):
            headset.send(b"%d" % i, up, "127.0.0.7")
        run.says("is full")
        run.end()
        same(robot.take_all(10, 1), [b"%d" % i for i in range(10)],
             "what was in first")
        table = sorted(rows(folder), key=lambda r: int(r["id"]))
        same([r["by"] for r in table], [""] * 10 + ["limit"] * 40, "fates")


def odd_senders():
    """Port 0 as a source, which cannot be answered; and a sender that is gone.
    """
    up, = free_ports(1)
    robot = Peer("127.0.0.9", up)
    text = f"""[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink command]
port = {up}
[downlink answer]
reply = command
"""
    with Run(text) as run:
        try:
            raw = socket.socket(socket.AF_INET, socket.SOCK_RAW,
                                socket.IPPROTO_UDP)
        except PermissionError:
            raw = None
        if raw:
            raw.sendto(bytes((0, 0, up >> 8, up & 255, 0, 11, 0, 0)) + b"odd",
                       ("127.0.0.7", 0))
            same(robot.take(), b"odd", "a command from port 0")
            robot.answer(b"to nobody")
        gone = Peer()
        gone.send(b"bye", up, "127.0.0.7")
        gone.close()
        same(robot.take(), b"bye", "a command of a sender that is gone")
        for _ in range(20):
            robot.answer(b"too late")
        stays = Peer()
        stays.send(b"hello", up, "127.0.0.7")
        same(robot.take(), b"hello", "a command of one that stays")
        robot.answer(b"welcome")
        # answers go to the latest sender, late ones too
        answers = stays.take_all(21, 1)
        check(b"welcome" in answers, "its answer is among", answers)
        run.end()


main(under_flood, headsets_in_turn, every_limit, odd_senders)
