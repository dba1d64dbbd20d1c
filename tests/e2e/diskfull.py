# SPDX-License-Identifier: GPL-2.0-or-later
#
# diskfull.py - a disk that fills: the traffic goes on, the loss is counted,
# told and judged, and what was written is whole

import atexit
import json
import os
import re
import subprocess
import time

from stand import (PATIENCE, SCRATCH, Peer, Run, await_that, check, command,
                   free_ports, main, same, skip)

ARM = """[arm]
name = diskfull
[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink video]
port = {up}
[record]
pcap = {pcap}
"""


def mount(name, size):
    """A small file system of the test's own name space of mounts."""
    path = os.path.join(SCRATCH, name)
    os.mkdir(path)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}",
                           "farlink-e2e", path], stderr=subprocess.PIPE)
    if done.returncode:
        skip("no small file system can be mounted: "
             + done.stderr.decode().strip())
    atexit.register(subprocess.run, ["umount", "-l", path])
    return path


def fill(pcap):
    up, = free_ports(1)
    disk = mount(f"disk-{pcap}", "256k")
    folder = os.path.join(disk, "record")
    headset, robot = Peer(), Peer("127.0.0.9", up)
    sent = 0
    with Run(ARM.format(up=up, pcap=pcap), "--record", folder) as run:
        end = time.monotonic() + PATIENCE
        while not (lost := re.search("rows lost [1-9]", run.stdout())) and \
                time.monotonic() < end:
            for _ in range(200):
                headset.send(b"x" * 500, up, "127.0.0.7")
                sent += 1
                robot.take(1)
        check(lost, "rows are lost, sooner or later")
        # it goes on all the same
        for i in range(100):
            headset.send(b"later %d" % i, up, "127.0.0.7")
        same(robot.take_all(100), [b"later %d" % i for i in range(100)],
             "what comes with a full disk")
        sent += 100
        run.kill(15)
        status = run.wait(None)
        same(status, 1, "exit status:", run.stderr()[-400:])
        said = run.stderr() + run.stdout()
        check("No space left" in said or "space" in said,
              "it says why:", said[-600:])
        check("lost" in said, "it says that rows were lost:", said[-600:])
        check("trial 1: valid" not in said, "the trial is not called valid")
        same(run.counts()["uplink video"]["released"], sent, "released")
    whole(folder, sent)


def whole(folder, sent):
    """Nothing half written misleads."""
    with open(os.path.join(folder, "packets.csv")) as file:
        text = file.read()
    lines = text.split("\n")
    n = len(lines[0].split(","))
    check(text.endswith("\n"), "packets.csv ends in a whole line, not with",
          repr(text[-60:]))
    for line in lines[:-1]:
        if line.count(",") != n - 1:
            check(False, "a line is cut:", repr(line))
    check(0 <= len(lines) - 2 < sent, "rows:", len(lines) - 2, "of", sent)
    summary = os.path.join(folder, "summary.json")
    if os.path.exists(summary):
        with open(summary) as file:
            text = file.read()
        try:
            json.loads(text)
            check('"valid"' not in text, "the summary says valid")
        except ValueError as fault:
            check(False, "summary.json is half written:", fault)
    status, said, faults = command("verify", folder)
    check(status in (0, 1), "verify tells what it can:", status, faults)
    check("lost" in said + faults or status == 1,
          "verify says that rows are missing:", said, faults)


def rows_only():
    fill("no")


def with_captures():
    fill("yes")


def no_room_at_all():
    """A disk that is full at the start: no run without the record asked for.
    """
    up, = free_ports(1)
    disk = mount("disk-0", "16k")
    try:
        with open(os.path.join(disk, "filler"), "wb") as file:
            file.write(b"x" * (1 << 20))
    except OSError:
        pass
    with Run(ARM.format(up=up, pcap="no"), "--for", "1s", "--record",
             os.path.join(disk, "record"), may_end=True) as run:
        same(run.wait(None), 1, "exit status")
        check("space" in run.stderr(), "it says why:", run.stderr())


main(rows_only, with_captures, no_room_at_all)
