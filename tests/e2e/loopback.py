# SPDX-License-Identifier: GPL-2.0-or-later
#
# loopback.py - a headset drives the vehicle model through an arm
#
# The headset stands in a few lines of its own: raw sockets, the reference app's
# formats, nothing of farlink's.

import json
import os
import time

from stand import (SCRATCH, Peer, Run, await_that, check, command, free_ports,
                   main, rows, same)

MODEL = """preset = rosbot-2r
lidar_every = 100ms
wifi_every = 5cm
state_every = 50ms
"""


def arm(ports, model=MODEL, delay="60ms"):
    """An arm for a real robot; --loopback runs it unchanged."""
    up, odom, lidar, wifi = ports
    return f"""[arm]
name = loopback
seed = 3
[link]
robot = 192.168.1.20
headset = 127.0.0.0/8
[uplink command]
port = {up}
chain = far
[downlink odom]
port = {odom}
chain = far
[downlink lidar]
port = {lidar}
[downlink wifi-sample]
port = {wifi}
[downlink state]
reply = command
chain = far
[condition far]
type = delay
delay = {delay}
[vehicle]
{model}
"""


class Headset:
    """What the app does with its sockets."""

    def __init__(self, ports):
        self.up = ports[0]
        self.ears = [Peer("127.0.0.1", port) for port in ports[1:]]
        self.open()

    def open(self):
        """A new socket: another port, as with each start of the app."""
        self.mouth = Peer("127.0.0.1")
        self.payload = None
        for _ in range(10):
            self.say(0, 0, 0)

    def say(self, vx, vy, wz):
        self.raw('{"vx":%.4f,"vy":%.4f,"wz":%.4f}' % (vx, vy, wz))

    def raw(self, text):
        self.mouth.send(text.encode(), self.up)

    def drive(self, seconds, vx, vy, wz):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.say(vx, vy, wz)
            time.sleep(0.1)

    def latest(self, peer):
        """The latest message, or None; waits for one if there is none."""
        text = peer.take(3)
        while text is not None:
            more = peer.take(0.001)
            if more is None:
                return json.loads(text)
            text = more
        return check(False, "nothing came") and None

    def state(self):
        """The vehicle's state, as it is answered to the sender."""
        return self.latest(self.mouth) or {}


def x_of(odom):
    return odom["pose"]["position"]["x"]


def drives():
    """It moves, all streams come, and the record has the same."""
    ports = free_ports(4)
    folder = os.path.join(SCRATCH, "drives")
    headset = Headset(ports)
    with Run(arm(ports), "--loopback", "--record", folder) as run:
        headset.open()
        headset.drive(1.5, 0.15, 0, 0)
        odom, lidar, wifi = map(headset.latest, headset.ears)
        check(x_of(odom) > 0.02, "odometry stands at", x_of(odom))
        same(odom["header"]["frame_id"], "odom", "frame")
        same(len(lidar["ranges"]), 800, "beams")
        same(wifi["type"], "sample", "type of a Wi-Fi sample")
        check(headset.state()["cmd"]["count"] >= 15, "commands were applied")
        headset.drive(0.3, 0, 0, 0)
        run.end()
        steps = rows(folder, "vehicle.csv")
        views = rows(folder, "operator.csv")
        check(float(steps[-1]["x"]) >= x_of(odom) - 1e-3, "the record ends at",
              steps[-1]["x"])
        same({int(b["time_ns"]) - int(a["time_ns"])
              for a, b in zip(steps, steps[1:])}, {10**7}, "steps")
        check(all(int(v["age_ns"]) >= 60 * 10**6 for v in views
                  if v["x"] == views[-1]["x"]), "what is seen is late")
        with open(os.path.join(folder, "path.svg")) as file:
            check("where the operator saw it" in file.read(), "a picture")
        check("At the end" in run.stdout(), "it tells where it was")
        same(command("verify", folder)[::2], (0, ""), "verify")


def restart():
    """Another port: the commands are heard, the answers go there."""
    ports = free_ports(4)
    with Run(arm(ports), "--loopback") as run:
        headset = Headset(ports)
        headset.drive(0.5, 0.15, 0, 0)
        before = headset.state()["cmd"]["count"]
        old = headset.mouth
        headset.open()
        headset.drive(0.8, 0.15, 0, 0)
        check(headset.state()["cmd"]["count"] >= before + 10,
              "the new port's commands are applied")
        while old.take(0.001) is not None:
            pass
        check(old.silent(), "the old port is answered no more")
        run.end()


def silence():
    """A headset that is taken off: the time-out stops it."""
    ports = free_ports(4)
    folder = os.path.join(SCRATCH, "silence")
    with Run(arm(ports), "--loopback", "--record", folder) as run:
        headset = Headset(ports)
        headset.drive(0.6, 0.15, 0, 0)
        await_that("it times out", lambda: headset.state()["cmd"]["timed_out"],
                   3)
        run.end()
    steps = rows(folder, "vehicle.csv")
    check(any(float(s["vx"]) > 0.1 for s in steps), "it moved")
    for step in steps:
        # 500 ms, and 0.15 m/s by a braking of 1 m/s2
        if step["command_age_ns"] and int(step["command_age_ns"]) > 660 * 10**6:
            same(float(step["vx"]), 0.0, "speed at", step["time_ns"])


def refused():
    """What is no command moves nothing, is counted, and said now and then."""
    ports = free_ports(4)
    folder = os.path.join(SCRATCH, "refused")
    with Run(arm(ports), "--loopback", "--record", folder) as run:
        headset = Headset(ports)
        bad = ('{"speed":1.0,"steering_angle":0.1}', '{"vx":NaN,"vy":0,"wz":0}',
               '{"vx":1e999,"vy":0,"wz":0}', "", "stop", '{"vx":1,"vy":2}',
               '{"vx":1,"vx":1,"vy":0,"wz":0}', "\0" * 600, "[" * 500)
        begin = time.monotonic()
        for _ in range(20):
            for text in bad:
                headset.raw(text)
            time.sleep(0.1)
        run.says("it takes {\"vx\",\"vy\",\"wz\"} or {\"left\",\"right\"}")
        await_that("all are counted", lambda:
                   headset.state()["cmd"]["rejected"] == 20 * len(bad), 3)
        same(headset.state()["cmd"]["count"], 10, "commands applied")
        run.end()
        took = time.monotonic() - begin
        said = [line for line in run.stderr().splitlines()
                if "refused commands" in line]
        check(len(said) <= took + 2, f"{len(said)} messages in {took:.1f} s")
        check("type 20" in said[-1] and "not-finite 40" in said[-1],
              "the last says", said[-1])
    same({float(s["x"]) for s in rows(folder, "vehicle.csv")}, {0.0}, "places")
    check(any(e["event"] == "commands-refused"
              for e in rows(folder, "events.csv")), "it is on record")


def not_a_number_after_a_command():
    """A stream of NaN does not keep alive what a good command began."""
    ports = free_ports(4)
    folder = os.path.join(SCRATCH, "nan")
    with Run(arm(ports), "--loopback", "--record", folder) as run:
        headset = Headset(ports)
        headset.drive(0.4, 0.15, 0, 0)
        for _ in range(15):
            headset.raw('{"vx":NaN,"vy":0.0,"wz":0.0}')
            time.sleep(0.1)
        same(headset.state()["cmd"]["timed_out"], True, "timed out")
        run.end()
    same(float(rows(folder, "vehicle.csv")[-1]["vx"]), 0.0, "speed at the end")


def live_split():
    """200/0, 0/200 and 100/100, live: never early."""
    for up, down in (200, 0), (0, 200), (100, 100):
        ports = free_ports(4)
        folder = os.path.join(SCRATCH, f"split-{up}")
        script = os.path.join(SCRATCH, "split.csv")
        with open(script, "w") as file:
            file.write("time,vx,vy,wz\n0,0,0,0\n0.5,0.15,0,0\n1,0,0,0\n")
        text = arm(ports, "odom_every = 10ms\nstate_every = 0ms",
                   f"{up}ms").replace(
            f"port = {ports[1]}\nchain = far", f"port = {ports[1]}\n"
            "chain = back") + f"[condition back]\ntype = delay\n" \
                              f"delay = {down}ms\n"
        with Run(text, "--loopback", "--drive", script, "--record",
                 folder) as run:
            run.wait(patience=30)
        sent = min(int(r["ingress_ns"]) for r in rows(folder)
                   if r["direction"] == "uplink" and r["fate"] == "released"
                   and int(r["ingress_ns"]) >= 500 * 10**6)
        moved = min(int(s["time_ns"]) for s in rows(folder, "vehicle.csv")
                    if float(s["vx"]) > 0)
        seen = min(int(v["time_ns"]) for v in rows(folder, "operator.csv")
                   if float(v["x"]) > 0)
        check(moved - sent >= up * 10**6, f"{up}/{down}: it moved",
              moved - sent, "ns after the command")
        check(seen - sent >= (up + down) * 10**6, f"{up}/{down}: it was seen",
              seen - sent, "ns after the command")
        ages = [int(v["age_ns"]) for v in rows(folder, "operator.csv")]
        check(min(ages) >= down * 10**6, f"{up}/{down}: ages", min(ages))


main(drives, restart, silence, refused, not_a_number_after_a_command,
     live_split)
