# SPDX-License-Identifier: GPL-2.0-or-later
#
# sandbox.py - a full tour in the sandbox, and ways out of it

import http.client
import os
import re
import signal
import time
from signal import SIGHUP, SIGSYS

from stand import (SCRATCH, Peer, Run, await_that, check, command, confined,
                   free_ports, main, rows, same, write)

STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'


def arm(up, down, chain="delay", *settings, robot="127.0.0.9", more=""):
    return "\n".join((f"""[arm]
name = sandbox
seed = 3
[link]
robot = {robot}
listen = 127.0.0.7
[uplink command]
port = {up}
chain = one
[downlink sample]
port = {down}
to = 127.0.0.1:{down}
[safety]
stream = command
[record]
pcap = yes
[condition one]
type = {chain}""", *settings, more, ""))


class Ends:
    def __init__(self):
        self.up, self.down = free_ports(2)
        self.robot = Peer("127.0.0.9", self.up)
        self.other = Peer("127.0.0.10", self.up)
        self.screen = Peer("127.0.0.1", self.down)
        self.stick = Peer("127.0.0.1")

    def pass_on(self, what, robot=None):
        """A datagram each way, behind what of stops there is."""
        robot = robot or self.robot
        word = what.encode()
        self.stick.send(word, self.up, "127.0.0.7")
        while (got := robot.take()) == STOP:
            pass
        same(got, word, what, "uplink")
        robot.send(word[::-1], self.down, "127.0.0.7")
        same(self.screen.take(), word[::-1], what, "downlink")


def order(path, *words):
    status, out, err = command("ctl", "--socket", path, *words)
    same(status, 0, "ctl", *words, out, err)


def pages(run):
    """What a page asks for."""
    found = re.search(r"http://[\d.]+:(\d+)/#token=(\w+)", run.stderr())
    link = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=10)
    for path in "/", "/page.js", "/api/status", "/metrics":
        link.request("GET", path,
                     headers={"Authorization": f"Bearer {found[2]}"})
        answer = link.getresponse()
        answer.read()
        check(answer.status in (200, 404), path, answer.status)
    link.close()


def tour():
    """Every order, arms with files and with plug-ins, signals, the page."""
    ends = Ends()
    folder = os.path.join(SCRATCH, "tour")
    path = os.path.join(SCRATCH, "socket")
    write("delays.csv", "delay_ms\n1\n2\n3\n")
    arms = {
        "own": write("own.ini", arm(ends.up, ends.down, "./fade.so",
                                    "depth = 0%", "period = 1s")),
        "file": write("file.ini", arm(ends.up, ends.down, "replay",
                                      "file = delays.csv", "repeat = yes")),
        "none": write("none.ini", arm(ends.up, ends.down, "delay",
                                      "delay = 2ms")),
    }
    with Run(arm(ends.up, ends.down, "delay", "delay = 1ms"), "--record",
             folder, "--control", path, "--dashboard", "127.0.0.1:0") as run:
        await_that("the socket is there", lambda: os.path.exists(path))
        check(len(os.listdir(f"/proc/{run.child.pid}/task")) >= 3,
              "threads: a loop, a writer, a desk")
        confined(run.child.pid, 1)
        ends.pass_on("first")
        pages(run)
        for words in (["status"], ["pending"], ["help"], ["mark", "a word"],
                      ["trial", "start", "two"],
                      ["set", "condition one.delay", "3ms"]):
            order(path, *words)
        for name, file in arms.items():
            order(path, "arm", file)
            ends.pass_on(name)
        run.kill(SIGHUP)
        run.says("read anew")
        order(path, "trial", "stop")
        order(path, "robot", "127.0.0.10")
        ends.pass_on("moved", ends.other)
        order(path, "trial", "start", "three")
        os.kill(run.child.pid, signal.SIGSTOP)
        time.sleep(0.1)
        os.kill(run.child.pid, signal.SIGCONT)
        ends.pass_on("stopped and gone on", ends.other)
        order(path, "stop")
        run.wait(0)
    status, out, err = command("verify", folder)
    same(status, 0, "verify", out, err)
    check(not os.path.exists(path), "the socket is left")


def vehicle():
    """With a vehicle inside, and the picture of its way."""
    up, down = free_ports(2)
    folder = os.path.join(SCRATCH, "vehicle")
    script = write("drive.csv", "time,vx,vy,wz\n0,0.1,0,0\n0.5,0,0,0\n")
    with Run(arm(up, down, "delay", "delay = 50ms",
                 more="[vehicle]\npreset = turtlebot3-waffle-pi\n"), "--loopback", "--drive",
             script, "--record", folder, "--control", "off") as run:
        confined(run.child.pid, 0)
        run.wait(0)
    check(any(name.endswith(".svg") for name in os.listdir(folder)),
          "there is a picture among", os.listdir(folder))


def ways_out():
    """It dies, the call is said, and the robot is stopped by the guard."""
    for way in "program", "stream", "signal", "process":
        ends = Ends()
        folder = os.path.join(SCRATCH, f"way-{way}")
        with Run(arm(ends.up, ends.down, "./escape.so", f"way = {way}"),
                 "--record", folder, "--control", "off") as run:
            same(ends.robot.take_all(10), [STOP] * 10, way, "at the start")
            ends.stick.send(b"go", ends.up, "127.0.0.7")
            same(run.wait(None), -SIGSYS, way, "how it ended")
            check(re.search("system call [0-9]+ is not", run.stderr()), way,
                  "it says why:", run.stderr()[-300:])
            same(ends.robot.take_all(5), [STOP] * 5, way, "the guard's stops")
            check(ends.robot.silent(), way, "there is something behind them")
            await_that("the guard wrote it down", lambda: any(
                e["event"] == "guard-stop"
                for e in rows(folder, "events.csv")))


def without():
    """--no-sandbox: nothing is refused."""
    ends = Ends()
    with Run(arm(ends.up, ends.down, "./escape.so", "way = stream"),
             "--no-sandbox", "--control", "off") as run:
        with open(f"/proc/{run.child.pid}/status") as file:
            check("Seccomp:\t0" in file.read(), "no filter")
        ends.pass_on("as ever")
        run.end()


main(tour, vehicle, ways_out, without)
