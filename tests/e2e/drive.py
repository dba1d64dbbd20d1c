# SPDX-License-Identifier: GPL-2.0-or-later
#
# drive.py - farlink drive, the loop in virtual time, and what is published

import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from xml.etree import ElementTree

from stand import (FARLINK, SCRATCH, Peer, await_that, check, children, command,
                   main, rows, same, write)

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'


def start(*args, **more):
    child = subprocess.Popen([FARLINK, "drive", *args], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, **more)
    children.append(child)
    return child


def script():
    """Ten stops, the script at its rate, five stops; four decimals in any
    locale; one port.
    """
    robot = Peer("127.0.0.1")
    text = write("s.csv", "time,vx,vy,wz\n0,0.15,-0.05,0.32\n0.5,0,0,-0.1\n"
                          "1,0,0,0\n")
    env = {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    child = start("127.0.0.1", "--port", str(robot.port), "--script", text,
                  env=env)
    got, ports = [], set()
    begin = time.monotonic()
    while len(got) < 25:
        payload = robot.take(3)
        if payload is None:
            break
        got.append(payload)
        ports.add(robot.sender)
    took = time.monotonic() - begin
    same(got, [STOP] * 10 +
         [b'{"vx":0.1500,"vy":-0.0500,"wz":0.3200}'] * 5 +
         [b'{"vx":0.0000,"vy":0.0000,"wz":-0.1000}'] * 5 + [STOP] * 5,
         "datagrams")
    same(len(ports), 1, "ports it sends from")
    check(took > 0.8, "it took", took, "s")
    check(robot.silent(), "nothing comes behind the stops")
    same(child.wait(5), 0, "exit status")
    same(child.stdout.read(), b"25 commands sent\n", "it says")


def silent():
    """Silence in place of zeros, at another rate; nobody needs to listen."""
    robot = Peer("127.0.0.1")
    text = write("i.csv", "0,0,0,0\n0.5,0.0004,0,0\n1,0.1,0,0\n1.5,0,0,0\n")
    child = start("127.0.0.1", "--port", str(robot.port), "--script", text,
                  "--silent-when-idle", "--rate", "20")
    same(robot.take_all(25, 2), [STOP] * 10 +
         [b'{"vx":0.1000,"vy":0.0000,"wz":0.0000}'] * 10 + [STOP] * 5,
         "datagrams")
    same(child.wait(5), 0, "exit status")
    robot.close()
    child = start("127.0.0.1", "--port", str(robot.port), "--script", text)
    same(child.wait(10), 0, "exit status where nobody listens")


def stopped():
    """A signal: five stops, and nothing behind them."""
    text = write("l.csv", "0,0.1,0,0\n100,0,0,0\n")
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        robot = Peer("127.0.0.1")
        child = start("127.0.0.1", "--port", str(robot.port), "--script", text)
        robot.take_all(12)
        child.send_signal(number)
        same(child.wait(5), 0, "exit status")
        got = []
        while (payload := robot.take(0.2)) is not None:
            got.append(payload)
        same(got[-5:], [STOP] * 5, "the last five")


def keyboard():
    """Keys on a terminal, which is given back as it was."""
    robot = Peer("127.0.0.1")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)

    def shown():
        while select.select([master], [], [], 0)[0]:
            os.read(master, 65536)

    child = subprocess.Popen(
        [FARLINK, "drive", "127.0.0.1", "--port", str(robot.port),
         "--keyboard", "--max-speed", "0.2m/s"],
        stdin=slave, stdout=slave, stderr=slave)
    children.append(child)
    same(robot.take_all(10), [STOP] * 10, "stops at the start")
    for keys, wanted in ((b"w", b'{"vx":0.2000,"vy":0.0000,"wz":0.0000}'),
                         (b" q", b'{"vx":0.0000,"vy":0.0000,"wz":0.5000}'),
                         (b" D", b'{"vx":0.0000,"vy":-0.2000,"wz":0.0000}'),
                         (b" ", STOP)):
        os.write(master, keys)
        end = time.monotonic() + 5
        while robot.take() != wanted and time.monotonic() < end:
            shown()
        check(time.monotonic() < end, keys, "does not give", wanted)
    os.write(master, b"w")
    os.write(master, b"x")
    shown()
    same(child.wait(5), 0, "exit status")
    got = []
    while (payload := robot.take(0.2)) is not None:
        got.append(payload)
    same(got[-5:], [STOP] * 5, "the last five")
    same(termios.tcgetattr(slave), before, "the terminal")
    # killed in a way that it cannot catch but by a handler of its own
    child = subprocess.Popen(
        [FARLINK, "drive", "127.0.0.1", "--port", str(robot.port),
         "--keyboard"], stdin=slave, stdout=slave, stderr=slave)
    children.append(child)
    await_that("it reads keys", lambda: termios.tcgetattr(slave) != before)
    child.send_signal(signal.SIGABRT)
    child.wait(10)
    same(termios.tcgetattr(slave), before, "the terminal after a crash")
    os.close(master)
    os.close(slave)


def mistakes():
    """What is wrong is told, and nothing is sent."""
    text = write("bad.csv", "time,vx,vy,wz\n0,0,0\n")
    for args, word in ((("host", "--keyboard"), "no IP address"),
                       (("127.0.0.1",), "either"),
                       (("127.0.0.1", "--keyboard", "--gamepad"), "either"),
                       (("127.0.0.1", "--keyboard"), "terminal"),
                       (("127.0.0.1", "--script", text), "line 2"),
                       (("127.0.0.1", "--script", "none.csv"), "none.csv"),
                       (("127.0.0.1", "--keyboard", "--rate", "61"), "60"),
                       (("127.0.0.1", "--keyboard", "--rate", "nan"), "60"),
                       (("127.0.0.1", "--keyboard", "--port", "0"), "port"),
                       (("127.0.0.1", "--keyboard", "--max-speed", "1"),
                        "m/s"),
                       (("127.0.0.1", "--gamepad=/dev/null"), "gamepad")):
        status, _, said = command("drive", *args)
        same(status, 2, args, "exit status")
        check(word in said, args, "gives", said)


SPLIT = """[arm]
seed = 1
[link]
robot = internal
[uplink command]
port = 5002
chain = there
[downlink odom]
port = 5010
chain = back
[condition there]
type = delay
delay = %dms
[condition back]
type = delay
delay = %dms
[vehicle]
odom_every = 10ms
[safety]
stream = command
"""


def splits():
    """200/0, 0/200 and 100/100 in virtual time, to the nanosecond; twice the
    same; and the record can be derived again.
    """
    go = write("go.csv", "0,0,0,0\n1,0.15,0,0\n3,0,0,0\n")
    for up, down in (200, 0), (0, 200), (100, 100):
        path = write(f"split-{up}.ini", SPLIT % (up, down))
        folders = [os.path.join(SCRATCH, f"virtual-{up}-{n}") for n in (1, 2)]
        for folder in folders:
            same(command("simulate", path, "--drive", go, "--record",
                         folder)[0], 0, "exit status")
        steps = rows(folders[0], "vehicle.csv")
        views = rows(folders[0], "operator.csv")
        same(min(int(s["time_ns"]) for s in steps if float(s["vx"]) > 0),
             (1000 + up) * 10**6, f"{up}/{down}: it reacts at")
        seen = next(v for v in views if float(v["x"]) > 0)
        same(int(seen["time_ns"]), 1200 * 10**6, f"{up}/{down}: it is seen at")
        same({int(v["age_ns"]) for v in views}, {down * 10**6},
             f"{up}/{down}: ages")
        for name in sorted(os.listdir(folders[0])):
            with open(os.path.join(folders[0], name), "rb") as a, \
                    open(os.path.join(folders[1], name), "rb") as b:
                check(a.read() == b.read(), name, "differs")
        injected = [r["by"] for r in rows(folders[0])
                    if r["fate"] == "injected"]
        same(injected, ["on_start"] * 10 + ["on_exit"] * 5, "stops")
        # the script's end, the way up, and two seconds
        stopping = next(e for e in rows(folders[0], "events.csv")
                        if e["event"] == "stopping")
        same(int(stopping["time_ns"]), (5000 + up) * 10**6, "it ends at")
        same(command("verify", folders[0])[::2], (0, ""), "verify")


def in_time():
    """--for ends the drive; what waits goes by its policy, the stops last."""
    go = write("long.csv", "0,0.15,0,0\n100,0,0,0\n")
    path = write("for.ini", SPLIT % (500, 500))
    folder = os.path.join(SCRATCH, "for")
    same(command("simulate", path, "--drive", go, "--for", "2s", "--record",
                 folder)[0], 0, "exit status")
    table = rows(folder)
    same(max(int(r["ingress_ns"]) for r in table), 2 * 10**9, "the last entry")
    up = [r for r in table if r["direction"] == "uplink"]
    same([r["by"] for r in up[-5:]], ["on_exit"] * 5, "the last five")
    check(any(r["by"] == "shutdown" for r in up), "commands are dropped")
    same(int(rows(folder, "vehicle.csv")[-1]["time_ns"]), 2 * 10**9,
         "the last step")


def loss():
    """30 % of the commands lost: a vehicle that holds them is hardly slower,
    one that moves by the command is as much slower as is lost.
    """
    go = write("far.csv", "0,0.15,0,0\n100,0,0,0\n")
    base = (SPLIT % (0, 0)).replace("type = delay\ndelay = 0ms", "type = loss\n"
                                    "probability = 30%", 1)
    end = {}
    for how in "hold", "per-packet":
        for lost in base, SPLIT % (0, 0):
            path = write("loss.ini", lost.replace(
                "[safety]", f"apply = {how}\npacket_time = 100ms\n[safety]"))
            folder = os.path.join(SCRATCH, f"loss-{how}-{lost == base}")
            command("simulate", path, "--drive", go, "--record", folder)
            x = float(rows(folder, "vehicle.csv")[-1]["x"])
            released = sum(r["fate"] == "released" and r["stream"] == "command"
                           and 10 <= int(r["id"]) for r in rows(folder))
            end[how, lost == base] = x, released
    check(end["hold", True][0] > 0.97 * end["hold", False][0],
          "held:", end)
    # every command moves 15 mm, the stops at the start and end none
    check(abs(end["per-packet", False][0] - 15.0) < 1e-6, "all:", end)
    check(abs(end["per-packet", True][0] - 0.7 * 15) <
          3 * 0.015 * (1000 * 0.3 * 0.7) ** 0.5, "by the packet:", end)


def paths_of(value, path=""):
    """Keys of a message, written as in the manual."""
    if isinstance(value, dict):
        return {found for key, inner in value.items()
                for found in paths_of(inner, f"{path}.{key}" if path else key)}
    if isinstance(value, list):
        return {found for inner in value for found in paths_of(inner,
                                                               path + "[]")}
    check(value is not None and value == value, path, "is", value)
    return {path}


def manual():
    """Keys of each message, as farlink-messages(5) has them."""
    keys, more, name = {}, {}, None
    with open(os.path.join(TOP, "man", "farlink-messages.5")) as file:
        for line in file:
            if line.startswith(".Sh"):
                name = None
            elif line.startswith(".Ss "):
                name = line[4:].strip()
                keys[name], more[name] = set(), []
            elif name and line.startswith('.\\" KEYS '):
                more[name] = line.split()[2:]
            elif name and line.startswith(".It Cm "):
                keys[name].add(line[7:].strip())
    for name, others in more.items():
        for other in others:
            keys[name] = keys[name] | keys[other]
    return keys


def no_number(text):
    check(False, "a message has", text)


def messages():
    """What is published is what the manual says."""
    streams = ("odom", "state", "scan", "truth", "range", "lidar",
               "wifi-sample")
    ports = dict(zip(streams, range(5010, 5020)))
    documented = manual()
    turn = write("turn.csv", "0,0.2,0,0.3\n4,0,0,0\n")
    walls = write("walls.csv", "x1,y1,x2,y2\n-2,-2,2,-2\n2,-2,2,2\n"
                               "2,2,-2,2\n-2,2,-2,-2\n")
    for preset in ("rosbot-2r", "rosbot-2r-mecanum", "f1tenth",
                   "turtlebot3-waffle-pi"):
        text = ("[arm]\nseed = 4\n[link]\nrobot = internal\n"
                "[uplink command]\nport = 5002\n")
        for stream, port in ports.items():
            text += f"[downlink {stream}]\nport = {port}\n"
        text += f"[vehicle]\npreset = {preset}\nworld = {walls}\n"
        text += "range_sensors = 0.1 0 0 0.4 0.01 0.9\n"
        text += ("odom_every = 50ms\nstate_every = 50ms\nscan_every = 100ms\n"
                 "truth_every = 100ms\nrange_every = 100ms\n"
                 "lidar_every = 100ms\nwifi_every = 20cm\n"
                 "[record]\npcap = yes\n")
        folder = os.path.join(SCRATCH, "messages-" + preset)
        status, _, said = command("simulate", write("m.ini", text), "--drive",
                                  turn, "--record", folder)
        same(status, 0, preset, said)
        found = {stream: [] for stream in streams}
        with open(os.path.join(folder, "downlink-out.pcap"), "rb") as file:
            data = file.read()
        at = 24
        while at < len(data):
            size, = struct.unpack_from("<I", data, at + 8)
            packet = data[at + 16:at + 16 + size]
            at += 16 + size
            port, = struct.unpack_from(">H", packet, 22)
            stream = next(s for s, p in ports.items() if p == port)
            found[stream].append(packet[28:])
        for stream in streams:
            check(found[stream], preset, stream, "is not published")
            for payload in found[stream]:
                message = json.loads(payload, parse_constant=no_number)
                same(paths_of(message), documented[stream], preset, stream)
                if "schema" in message:
                    same((message["schema"], message["type"]),
                         ("farlink/1", stream), "schema and type")
        sizes = {s: (min(map(len, found[s])), max(map(len, found[s])))
                 for s in streams}
        check(sizes["odom"][1] <= 400 and sizes["truth"][1] <= 450
              and sizes["state"][1] <= 1200 and sizes["scan"][1] <= 1400
              and sizes["wifi-sample"][1] <= 220, preset, "sizes", sizes)


def picture():
    """path.svg is XML, and has what it promises."""
    folder = os.path.join(SCRATCH, "picture")
    arms = os.path.join(TOP, "etc", "arms")
    drive = os.path.join(TOP, "etc", "drives", "round-the-table.csv")
    status, said, _ = command("simulate", os.path.join(arms, "dry-run.ini"),
                              "--drive", drive, "--record", folder)
    same(status, 0, "exit status")
    for words in ("When the last command was sent (20.00 s)", "it was at",
                  "odometry put it at", "the operator saw it at",
                  "At the end"):
        check(words in said, "it does not say", words)
    with open(os.path.join(folder, "path.svg")) as file:
        svg = file.read()
    root = ElementTree.fromstring(svg)
    texts = {e.text for e in root.iter() if e.tag.endswith("}text")}
    for text in ("dry-run", "x, m", "y, m", "where it was", "start",
                 "where its odometry put it", "where the operator saw it"):
        check(text in texts, "there is no", text)
    check(not re.search(r"[ \"L](-?nan|-?inf)", svg), "a number is none")


main(script, silent, stopped, keyboard, mistakes, splits, in_time, loss,
     messages, picture)
