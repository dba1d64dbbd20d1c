# SPDX-License-Identifier: GPL-2.0-or-later
#
# soak_world.py - who is around a run: robots, a headset, those who steer

import json
import os
import socket
import struct
import time
from signal import SIGCONT, SIGHUP, SIGSTOP

from stand import Peer, check, free_ports, write

STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'
STOPS = 5

ARM = """[arm]
name = soak
seed = {seed}
[link]
robot = 127.0.0.9
listen = 127.0.0.7
[uplink command]
port = {command}
chain = far
[uplink video]
port = {video}
chain = {lossy}, far
[downlink sample]
port = {sample}
to = 127.0.0.1:{sample}
chain = {lossy}, near
[safety]
stream = command
[condition far]
type = delay
delay = {far}ms
[condition near]
type = smooth-jitter
base = 20ms
jitter = 5ms
[condition lossy]
type = loss
probability = 5%
"""


class World:
    """Two robots, a headset, and all that they do."""

    PORTS = "command", "video", "sample"

    def __init__(self, rng, sizes=(8, 40, 300, 1400, 9000, 60000)):
        self.rng, self.sizes = rng, sizes
        self.port = dict(zip(self.PORTS, free_ports(3)))
        self.settings = {"seed": rng.randrange(1000), "far": 50,
                         "lossy": "lossy", **self.port}
        self.sent = dict.fromkeys(self.PORTS, 0)
        self.got = set()
        self.last = []  # what a robot got last
        self.n = self.strange = self.changes = 0
        self.silent = []
        self.robots = {}
        for host in "127.0.0.9", "127.0.0.10":
            for name in "command", "video":
                self.appear(host, name)
        self.appear("127.0.0.1", "sample")
        self.stick, self.source = Peer(), Peer("127.0.0.9")

    def appear(self, host, name):
        self.robots[host, name] = Peer(host, self.port[name])

    def arm(self):
        return ARM.format(**self.settings)

    def put(self, name):
        """One datagram, numbered."""
        self.n += 1
        payload = struct.pack("=Q", self.n) + bytes(
            self.rng.choice(self.sizes) - 8)
        by = self.source if name == "sample" else self.stick
        by.send(payload, self.port[name], "127.0.0.7")
        self.sent[name] += 1

    def traffic(self):
        for name, chance in ("command", 0.5), ("video", 0.3), ("sample", 0.5):
            if self.rng.random() < chance:
                for _ in range(self.rng.choice((1, 1, 2, 8))):
                    self.put(name)

    def take(self):
        """What came; each at most once."""
        for (_, name), peer in self.robots.items():
            while peer and (payload := peer.take(0)) is not None:
                if name == "command":
                    self.last = self.last[-STOPS + 1:] + [payload]
                if payload == STOP:
                    continue
                number, = struct.unpack("=Q", payload[:8])
                if number in self.got or number > self.n:
                    self.strange += 1
                self.got.add(number)

    def vanish(self):
        """Somebody goes, or comes back, perhaps from another port."""
        if self.rng.random() < 0.5:
            who = self.rng.choice(list(self.robots))
            if self.robots[who]:
                self.take()
                self.robots[who].close()
                self.robots[who] = None
            else:
                self.appear(*who)
            return
        name = self.rng.choice(("stick", "source"))
        old = getattr(self, name)
        old.close()
        port = old.port if self.rng.random() < 0.5 else 0
        try:
            setattr(self, name, Peer(old.at[0], port))
        except OSError:  # another has it by now
            setattr(self, name, Peer(old.at[0]))

    def all_back(self):
        for who, peer in self.robots.items():
            if not peer:
                self.appear(*who)

    def close(self):
        for peer in (*self.robots.values(), self.stick, self.source):
            if peer:
                peer.close()
        for line in self.silent:
            line.close()


def order(path, text, patience=5):
    """The answer to a line; None if there is none."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(patience)
        try:
            line.connect(path)
            line.sendall(text.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                part = line.recv(65536)
                if not part:
                    return None
                answer += part
        except OSError:
            return None
    return json.loads(answer)


def keep_silent(world, path):
    """A client that says nothing, or half of something, and stays."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(1)
    world.silent.append(line)
    try:
        line.connect(path)
        if world.rng.random() < 0.5:
            line.sendall(b"trial sta")
    except OSError:
        pass
    while len(world.silent) > 8:
        world.silent.pop(0).close()


def steer(world, run, path):
    """Somebody asks for something, sensible or not."""
    rng = world.rng
    text = rng.choice((
        f"set condition far.delay {rng.randrange(0, 120)}ms",
        f"set condition lossy.probability {rng.randrange(0, 30)}%",
        "set condition far.delay never", f"arm {run.arm}", "arm /nowhere",
        "trial start", "trial stop", "mark soak", "status", "pending", "help",
        "robot 127.0.0.10", "robot 127.0.0.9", "nonsense"))
    answer = order(path, text)
    check(answer and "ok" in answer, "no answer to", text, answer)
    world.changes += text.split()[0] in ("set", "arm", "robot")


def reread(world, run):
    world.settings["far"] = world.rng.randrange(0, 120)
    write(os.path.basename(run.arm), world.arm())
    run.kill(SIGHUP)
    world.changes += 1


def pause(world, run):
    run.kill(SIGSTOP)
    time.sleep(world.rng.uniform(0.05, 0.2))
    run.kill(SIGCONT)


def settle(world, patience=0.4):
    """Until nothing comes any more."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        before = len(world.got), world.last
        world.take()
        if (len(world.got), world.last) != before:
            end = time.monotonic() + patience
        time.sleep(0.02)


def live(world, run, seconds, upset, every=0.1):
    end = time.monotonic() + seconds
    due = time.monotonic()
    while (now := time.monotonic()) < end and run.child.poll() is None:
        world.traffic()
        world.take()
        if now >= due:
            upset()
            due = now + world.rng.uniform(0, 2 * every)
        time.sleep(0.004)
