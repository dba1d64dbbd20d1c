# SPDX-License-Identifier: GPL-2.0-or-later
#
# traffic.py - in the guest: every line's packets through netem on the loopback
#
# One process sends and receives: the kernel stamps each arrival, so it does
# not matter when that is read.  Written for each line: NAME.sent (number,
# planned time, clock before and after the call), NAME.got (number, kernel's stamp) in order
# of arrival, NAME.tc (netem's own counters).

import gc
import os
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from lines import LINES

SO_TIMESTAMPNS = 35
SO_RCVBUFFORCE = 33
CLOCK = time.CLOCK_REALTIME  # that of the kernel's stamps
READ_EVERY = 25


def tc(*words):
    done = subprocess.run(
        ["tc", *words], stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout


class Ends:
    """A sender and a receiver on the loopback."""

    def __init__(self):
        self.far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.far.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
        self.far.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.far.bind(("127.0.0.1", 0))
        self.far.setblocking(False)
        self.near = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.near.connect(self.far.getsockname())
        self.got = []

    def read(self):
        """Take all that has arrived."""
        room = socket.CMSG_SPACE(16)
        while True:
            try:
                data, extra, _, _ = self.far.recvmsg(2048, room)
            except BlockingIOError:
                return
            stamp = 0
            for _, kind, value in extra:
                if kind == SO_TIMESTAMPNS:
                    sec, nsec = struct.unpack("qq", value[:16])
                    stamp = sec * 1000000000 + nsec
            self.got.append((struct.unpack_from("I", data)[0], stamp))

    def send(self, packets, timed):
        """Send them at their times; returns the clock around each call."""
        now = time.clock_gettime_ns
        start = now(CLOCK) + 5000000
        clocks = []
        for i, (at, size) in enumerate(packets):
            planned = start + int(at * 1e9)
            if timed:
                wait = planned - now(CLOCK)
                if wait > 0:
                    time.sleep(wait * 1e-9)
            data = struct.pack("I", i).ljust(size, b"x")
            before = now(CLOCK) if timed else 0
            self.near.send(data)
            after = now(CLOCK) if timed else 0
            clocks.append((i, planned, before, after))
            if i % READ_EVERY == READ_EVERY - 1:
                self.read()
        return clocks


def write(name, rows):
    with open(os.path.join(sys.argv[1], name), "w", encoding="ascii") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def run(ends, line):
    tc("qdisc", "replace", "dev", "lo", "root", "netem", *line.tc.split())
    ends.got = []
    clocks = ends.send(line.schedule(), line.timed)
    time.sleep(line.tail)
    ends.read()
    counters = tc("-s", "qdisc", "show", "dev", "lo")
    tc("qdisc", "del", "dev", "lo", "root")
    write(line.name + ".sent", clocks)
    write(line.name + ".got", ends.got)
    write(line.name + ".tc", [[counters]])


def main():
    gc.disable()
    ends = Ends()
    ends.send([(0.0, 100)] * 50, True)  # until everything is in memory
    ends.read()
    for line in LINES:
        began = time.monotonic()
        run(ends, line)
        print(f"{line.name}: {time.monotonic() - began:.1f} s", flush=True)


main()
