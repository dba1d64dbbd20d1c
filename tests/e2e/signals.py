# SPDX-License-Identifier: GPL-2.0-or-later
#
# signals.py - stops, re-reads, and what becomes of stdin, stdout and terminals

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from signal import SIGCONT, SIGHUP, SIGINT, SIGSTOP, SIGTERM

from stand import (PATIENCE, SCRATCH, Peer, Run, await_that, check, command, free_ports,
                   main, rows, same)


def arm(up, down, delay="300ms", link="", more=""):
    return f"""[arm]
name = signals
[link]
robot = 127.0.0.9
listen = 127.0.0.7
{link}
[uplink command]
port = {up}
chain = far
[downlink sample]
port = {down}
to = 127.0.0.1:{down}
chain = far
[condition far]
type = delay
delay = {delay}
{more}
"""


class Ends:
    """A headset and a robot, and how much went in."""

    def __init__(self):
        self.up, self.down = free_ports(2)
        self.robot = Peer("127.0.0.9", self.up)
        self.screen = Peer("127.0.0.1", self.down)
        self.stick = Peer("127.0.0.1")

    def fill(self, n):
        for i in range(n):
            self.stick.send(b"up %d" % i, self.up, "127.0.0.7")
            self.robot.send(b"down %d" % i, self.down, "127.0.0.7")


def taken(run, n):
    """Wait until a line of stdout says that @n came in each channel."""
    return await_that(f"{n} are in; it says {run.stdout()[-300:]}",
                      lambda: [c["in"] for c in run.counts().values()
                               if c["in"]] == [n, n])


def stop_by(number, word):
    """A stop drops the uplink, which is recorded, and drains the downlink."""
    ends = Ends()
    folder = os.path.join(SCRATCH, f"stop-{number}")
    with Run(arm(ends.up, ends.down, "1500ms"), "--record", folder) as run:
        ends.fill(30)
        run.end(number)
        same(len(ends.screen.take_all(30, 1)), 30, "datagrams drained")
        check(ends.robot.silent(), "no command came through")
        table = rows(folder)
        same([(r["fate"], r["by"]) for r in table
              if r["direction"] == "uplink"], [("dropped", "shutdown")] * 30,
             "fates of the uplink")
        same([r["fate"] for r in table if r["direction"] == "downlink"],
             ["released"] * 30, "fates of the downlink")
        for r in table:
            if r["fate"] == "released":
                same(int(r["due_ns"]) - int(r["ingress_ns"]), 1500 * 10**6,
                     "delay")
        events = rows(folder, "events.csv")
        check(any(e["event"] == "stopping" and word in e["detail"]
                  for e in events), "the stop is among the events")
        same(run.counts()["uplink command"]["dropped"], 30, "dropped")


def sigterm():
    stop_by(SIGTERM, "SIGTERM")


def sigint():
    stop_by(SIGINT, "SIGINT")


def second_stop():
    """A second signal ends at once, and what waited has a fate."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "second")
    with Run(arm(ends.up, ends.down, "10min"), "--record", folder) as run:
        ends.fill(30)
        run.kill(SIGINT)
        await_that("the uplink is dropped", lambda:
                   "uplink command: in 30 released 0 suppressed 0 dropped 30"
                   in run.stdout())
        check(run.child.poll() is None, "it drains for ten minutes")
        run.end(SIGINT)
        same(sorted((r["direction"], r["fate"], r["by"])
                    for r in rows(folder)),
             [("downlink", "dropped", "shutdown")] * 30 +
             [("uplink", "dropped", "shutdown")] * 30, "fates")


def policies():
    """on_exit turns each policy round."""
    ends = Ends()
    text = arm(ends.up, ends.down, "1500ms")
    text = text.replace("[downlink", "on_exit = drain\n[downlink")
    text = text.replace("[condition", "on_exit = drop\n[condition")
    with Run(text) as run:
        ends.fill(10)
        run.end()
        same(len(ends.robot.take_all(10, 1)), 10, "commands drained")
        check(ends.screen.silent(), "no sample came through")


def stop_takes_in():
    """What had come before the stop is written down or counted, once, read or
    not, and so is what the kernel had no room for.
    """
    for n, size in (100, 8), (2500, 8), (4000, 8000):
        ends = Ends()
        folder = os.path.join(SCRATCH, f"takes-in-{n}")
        with Run(arm(ends.up, ends.down, "1h"), "--record", folder,
                 "--set", "sample.on_exit=drop", "--set",
                 "command.limit_packets=100000", "--set",
                 "command.limit_bytes=256MiB") as run:
            run.kill(SIGSTOP)  # it reads nothing
            for i in range(n):
                ends.stick.send(b"%d" % i + bytes(size), ends.up, "127.0.0.7")
            ends.robot.send(b"last", ends.down, "127.0.0.7")
            run.kill(SIGTERM)
            run.kill(SIGCONT)
            run.wait()
        with open(os.path.join(folder, "summary.json")) as file:
            told = json.load(file)
        drops = told["trials"][0]["kernel_drops"]
        found = [r["direction"] for r in rows(folder)]
        same(found.count("downlink"), 1, "rows of the downlink")
        same(found.count("uplink") + drops + told["rows_lost"], n,
             "rows,", drops, "kernel drops and rows lost")
        # more than any buffer of ours holds, or less
        if n != 2500:
            check(bool(drops) == (n == 4000), drops, "kernel drops of", n)


def reread():
    """A good arm governs what enters later; queued packets keep their fate."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "reread")
    with Run(arm(ends.up, ends.down, "1s"), "--record", folder) as run:
        ends.fill(10)
        taken(run, 10)
        good = arm(ends.up, ends.down, "1200ms")
        with open(run.arm, "w") as file:
            file.write(good)
        run.kill(SIGHUP)
        run.says("read anew")
        ends.fill(10)
        for text, word in (
                (good.replace("1200ms", "-1ms"), "delay"),
                (good.replace("1200ms", "5"), "unit"),
                (good.replace("chain = far", "chain = near", 1), "near"),
                ("", "no channel"),
                (good.replace(str(ends.up), "1"), "restart"),
                (good.replace("listen = 127.0.0.7", "listen = 127.0.0.8"),
                 "restart"),
                (good.replace("[downlink sample]", "[downlink other]"),
                 "restart"),
                (good + "[uplink more]\nport = 1\n", "restart"),
                (b"\0\xff\xfe" * 100, "zero byte")):
            before = run.stderr()
            with open(run.arm, "wb") as file:
                file.write(text if isinstance(text, bytes)
                           else text.encode())
            run.kill(SIGHUP)
            await_that(f"{word!r} makes it say that nothing changed",
                       lambda: "nothing was changed" in
                       run.stderr()[len(before):])
            check(word in run.stderr()[len(before):], "it does not say",
                  repr(word), "but", run.stderr()[len(before):])
        os.unlink(run.arm)
        run.kill(SIGHUP)
        run.says("No such file")
        same(len(ends.robot.take_all(20)), 20, "commands that came")
        run.end()
        same(command("verify", folder)[::2], (0, ""), "verify")
        delays = [int(r["due_ns"]) - int(r["ingress_ns"])
                  for r in rows(folder) if r["direction"] == "uplink"]
        same(delays, [10**9] * 10 + [1200 * 10**6] * 10, "delays")
        events = [e["event"] for e in rows(folder, "events.csv")]
        same((events.count("reload"), events.count("reload-refused")),
             (1, 10), "re-reads among the events")


def for_a_time():
    """--for ends by itself, by the same policies."""
    ends = Ends()
    with Run(arm(ends.up, ends.down, "1h"), "--for", "500ms",
             "--set", "sample.on_exit=drop") as run:
        ends.fill(5)
        run.wait()
        same([c["dropped"] for c in run.counts().values()], [5, 5],
             "dropped")


def no_reader():
    """A broken pipe, closed descriptors: the traffic goes on."""
    for how in "broken", "closed", "both closed":
        ends = Ends()
        more = {}
        folder = os.path.join(SCRATCH, how.replace(" ", "-"))
        if how == "broken":
            reader, writer = os.pipe()
            more["stdout"] = os.fdopen(writer, "wb")
            os.close(reader)
        else:
            closed = (0, 1) if how == "closed" else (0, 1, 2)
            more["preexec_fn"] = lambda: [os.close(fd) for fd in closed]
        with Run(arm(ends.up, ends.down, "10ms"), "--record", folder,
                 **({"stderr": subprocess.DEVNULL, **more}
                    if how == "both closed" else more)) as run:
            if how == "both closed":
                await_that("there is a record", lambda: os.path.exists(
                    os.path.join(folder, "events.csv")))
                time.sleep(0.5)
            if "stdout" in more:
                more["stdout"].close()
            ends.fill(5)
            same(len(ends.robot.take_all(5)), 5, how, "commands")
            time.sleep(1.2)  # a line is written meanwhile
            ends.fill(5)
            same(len(ends.robot.take_all(5)), 5, how, "commands, later")
            run.end()
            same(len(rows(folder)), 20, how, "rows")


def stopped_reader():
    """A pager that does not read on stops no packet, and no end of a record.
    """
    ends = Ends()
    folder = os.path.join(SCRATCH, "pager")
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
    os.set_blocking(writer, False)
    try:
        while os.write(writer, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(writer, True)
    with os.fdopen(writer, "wb") as stdout, \
            Run(arm(ends.up, ends.down, "10ms"), "--record", folder,
                stdout=stdout) as run:
        time.sleep(1.5)
        for _ in range(3):
            ends.fill(5)
            same(len(ends.robot.take_all(5)), 5, "commands")
            time.sleep(0.5)
        run.kill(SIGTERM)
        await_that("the record is complete", lambda: os.path.exists(
            os.path.join(folder, "summary.json")))
        same(command("verify", folder)[0], 0, "verify")
        stdout.close()
        text = b""
        while part := os.read(reader, 65536):
            text += part
        run.wait()
        check(b"trial 1: " in text, "it says how the trial was:", text[-300:])
    os.close(reader)


def read_terminal(fd, pattern):
    """What a terminal is sent, until @pattern comes."""
    text, end = "", time.monotonic() + PATIENCE
    while not re.search(pattern, text):
        if time.monotonic() > end:
            check(False, "no", pattern, "in", repr(text[-600:]))
            break
        if select.select([fd], [], [], 0.1)[0]:
            text += os.read(fd, 65536).decode(errors="replace")
    return text


def terminal():
    """On a terminal there is a table, drawn over itself; Ctrl-S stops it and
    nothing else; when the terminal goes, so does the run.
    """
    ends = Ends()
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def own_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with Run(arm(ends.up, ends.down, "10ms"), stdin=slave, stdout=slave,
             stderr=slave, preexec_fn=own_terminal) as run:
        os.close(slave)
        text = read_terminal(master, "uplink command")
        ends.fill(7)
        text = read_terminal(master, r"uplink command +7 +7 ")
        check(re.search(r"\033\[\d+A", text), "drawn over itself")
        os.write(master, b"\x13")  # Ctrl-S
        time.sleep(1.3)
        for _ in range(4):
            ends.fill(5)
            time.sleep(0.4)
        same(len(ends.robot.take_all(27)), 27, "commands")
        os.close(master)
        run.wait(status=None, patience=10)
        check(run.child.returncode in (0, 1), "it ended by itself, with",
              run.child.returncode)


main(sigterm, sigint, second_stop, policies, stop_takes_in, reread,
     for_a_time, no_reader, stopped_reader, terminal)
