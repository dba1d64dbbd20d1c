# SPDX-License-Identifier: GPL-2.0-or-later
#
# addresses.py - who may speak, to whom it goes on, and from where

import time
from signal import SIGTERM

from stand import Peer, Run, check, free_ports, main, same

COMMAND = b'{"vx":0.1500,"vy":-0.0000,"wz":0.3200}'


def arm(link, *sections, more=""):
    return "\n".join(["[arm]", "name = addresses", more, "[link]", link,
                      *sections, ""])


def length(payload):
    return None if payload is None else len(payload)


def learnt_headset():
    """A robot-opened stream goes to the latest sender of an uplink stream."""
    up, down, robot_port = free_ports(3)
    robot = Peer("127.0.0.9", robot_port)
    text = arm("robot = 127.0.0.9",
               f"[uplink command]\nport = {up}\nto = 127.0.0.9:{robot_port}",
               "[downlink answer]\nreply = command",
               f"[downlink sample]\nport = {down}")
    first = Peer("127.0.0.1")
    second = Peer("127.0.0.2")
    with Run(text, "--set", "link.listen=127.0.0.7") as run:
        # before anybody was heard there is nobody to send to: counted
        robot.send(b"too early", down, "127.0.0.7")
        run.says("nowhere to go")
        # the headset app listens at the stream's own port
        at_first = Peer("127.0.0.1", down)
        at_second = Peer("127.0.0.2", down)
        first.send(COMMAND, up, "127.0.0.7")
        same(robot.take(), COMMAND, "a command")
        stable = robot.sender
        robot.send(b"sample", down, "127.0.0.7")
        same(at_first.take(), b"sample", "a sample to the first headset")
        robot.answer(b"ok 1")
        same(first.take(), b"ok 1", "an answer")
        same(first.sender, ("127.0.0.7", up), "an answer's sender")
        # the app restarts: another source port, then another address
        again = Peer("127.0.0.1")
        again.send(COMMAND, up, "127.0.0.7")
        same(robot.take(), COMMAND, "a command after a restart")
        same(robot.sender, stable, "the port that the robot sees")
        robot.answer(b"ok 2")
        same(again.take(), b"ok 2", "an answer after a restart")
        second.send(COMMAND, up, "127.0.0.7")
        same(robot.take(), COMMAND, "a command from another address")
        same(robot.sender, stable, "the port that the robot sees")
        robot.send(b"sample", down, "127.0.0.7")
        same(at_second.take(), b"sample", "a sample to the second headset")
        check(at_first.silent(), "the first headset gets nothing any more")
        run.says("headset-changed: 127.0.0.2")
        run.end()
        counts = run.counts()
        same(counts["uplink command"]["released"], 3, "commands released")
        same(counts["downlink sample"]["dropped"], 1, "samples dropped")
        same(counts["downlink sample"]["released"], 2, "samples released")


def fixed_headset():
    """A fixed headset gets the robot's stream before it ever spoke."""
    up, down = free_ports(2)
    robot = Peer("127.0.0.9", up)
    headset = Peer("127.0.0.3", down)
    speaker = Peer("127.0.0.3")
    stranger = Peer("127.0.0.4")
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7\nheadset = 127.0.0.3",
               f"[uplink command]\nport = {up}",
               f"[downlink sample]\nport = {down}")
    with Run(text) as run:
        robot.send(b"first", down, "127.0.0.7")
        same(headset.take(), b"first", "a sample before any command")
        stranger.send(b"drive!", up, "127.0.0.7")
        run.says("refused 127.0.0.4")
        speaker.send(COMMAND, up, "127.0.0.7")
        same(robot.take(), COMMAND, "a command")
        # somebody else in the robot's place
        stranger.send(b"false", down, "127.0.0.7")
        robot.send(b"true", down, "127.0.0.7")
        same(headset.take(), b"true", "what the headset gets")
        run.end()
        check("refused 2" in run.stdout(), "2 are counted as refused",
              run.stdout())


def network_of_headsets():
    """A headset is learnt out of its network only."""
    up, down = free_ports(2)
    robot = Peer("127.0.0.9", up)
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7\n"
               "headset = 127.0.1.0/24",
               f"[uplink command]\nport = {up}",
               "[downlink answer]\nreply = command",
               f"[downlink sample]\nport = {down}")
    inside, outside = Peer("127.0.1.77"), Peer("127.0.2.77")
    at_inside = Peer("127.0.1.77", down)
    with Run(text) as run:
        outside.send(b"no", up, "127.0.0.7")
        run.says("refused 127.0.2.77")
        inside.send(COMMAND, up, "127.0.0.7")
        same(robot.take(), COMMAND, "the first that the robot gets")
        outside.send(b"no", up, "127.0.0.7")
        robot.send(b"sample", down, "127.0.0.7")
        same(at_inside.take(), b"sample", "a sample")
        robot.answer(b"ok")
        same(inside.take(), b"ok", "an answer")
        # who answers in the robot's place is refused as well
        forger = Peer("127.0.0.5")
        forger.send(b"forged", robot.sender[1], "127.0.0.7")
        forger.send(b"forged", robot.sender[1], "127.0.0.1")
        robot.answer(b"ok again")
        same(inside.take(), b"ok again", "an answer after a forged one")
        run.end()


def fixed_ends():
    """to, source_port, and the listening address of one stream."""
    up, down, from_port, robot_port, wall_port = free_ports(5)
    robot = Peer("127.0.0.9", robot_port)
    wall = Peer("127.0.0.6", wall_port)
    headset = Peer()
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[uplink command]\nport = {up}\nto = 127.0.0.9:{robot_port}\n"
               f"source_port = {from_port}\nlisten = 127.0.0.8",
               f"[downlink sample]\nport = {down}\n"
               f"to = 127.0.0.6:{wall_port}")
    with Run(text) as run:
        headset.send(COMMAND, up, "127.0.0.8")
        same(robot.take(), COMMAND, "a command")
        same(robot.sender[1], from_port, "the port that the robot sees")
        robot.send(b"sample", down, "127.0.0.7")
        same(wall.take(), b"sample", "a sample to a fixed place")
        run.end()


def port_ranges():
    """A list and a range of ports keep each datagram's own port."""
    low, = free_ports(1, spare=9)
    ports = [low, low + 3, low + 4, low + 5, low + 9]
    robots = {port: Peer("127.0.0.9", port) for port in ports}
    headset = Peer()
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[uplink lidar]\nport = {low}, {low + 3}-{low + 5},{low + 9}")
    with Run(text) as run:
        for port in ports:
            headset.send(b"to %d" % port, port, "127.0.0.7")
            same(robots[port].take(), b"to %d" % port, "at port", port)
        same(len({robots[port].sender for port in ports}), 1,
             "source ports of one stream")
        headset.send(b"between", low + 1, "127.0.0.7")
        run.end()
        same(run.counts()["uplink lidar"]["in"], 5, "datagrams in")


def shared_port(unmatched):
    """Streams that share a port, by first byte; the rest has a policy."""
    up, robot_port = free_ports(2)
    robot = Peer("127.0.0.9", robot_port)
    headset = Peer()
    to = f"to = 127.0.0.9:{robot_port}"
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[uplink pose]\nport = {up}\nmatch = udp[8:1] = 0x01\n{to}",
               f"[uplink drive]\nport = {up}\nmatch = udp[8:1] = 0x02\n{to}",
               more=f"unmatched = {unmatched}")
    with Run(text) as run:
        sent = [b"\x01pose", b"\x02drive", b"\x03statistics", b"", b"\x02b"]
        for payload in sent:
            headset.send(payload, up, "127.0.0.7")
        wanted = sent if unmatched == "forward" else \
            [p for p in sent if p[:1] in (b"\x01", b"\x02")]
        same(sorted(robot.take_all(len(wanted))), sorted(wanted), "what came")
        check(robot.silent(), "nothing more came")
        run.end()
        counts = run.counts()
        same(counts["uplink pose"]["in"], 1, "pose")
        same(counts["uplink drive"]["in"], 2, "drive")
        same(counts["(no channel)"]["in"], 2, "unmatched")


def unmatched_dropped():
    shared_port("drop")


def unmatched_forwarded():
    shared_port("forward")


def ipv6():
    """Over ::1, both ways, of every size."""
    up, down = free_ports(2)
    robot_port, sink_port = free_ports(2)
    robot = Peer("::1", robot_port)
    sink = Peer("::1", sink_port)
    headset = Peer("::1")
    text = arm("robot = ::1\nlisten = ::1",
               f"[uplink command]\nport = {up}\nto = [::1]:{robot_port}",
               "[downlink answer]\nreply = command",
               f"[downlink sample]\nport = {down}\nto = [::1]:{sink_port}")
    with Run(text) as run:
        for size in 0, 1, 38, 1452, 65507, 65527:
            headset.send(bytes(size), up)
            same(length(robot.take()), size, "bytes to the robot")
            robot.answer(b"y" * size)
            same(length(headset.take()), size, "bytes back")
            robot.send(b"z" * size, down)
            same(length(sink.take()), size, "bytes of a sample")
        run.end()


def dual_stack():
    """Listening on :: takes IPv4 as well, and answers in kind."""
    up, down, robot_port = free_ports(3)
    robot = Peer("127.0.0.9", robot_port)
    old, new = Peer("127.0.0.1"), Peer("::1")
    text = arm("robot = 127.0.0.9\nlisten = ::",
               f"[uplink command]\nport = {up}\nto = 127.0.0.9:{robot_port}",
               "[downlink answer]\nreply = command",
               f"[downlink sample]\nport = {down}")
    with Run(text) as run:
        for headset in old, new, old:
            headset.send(COMMAND, up)
            same(robot.take(), COMMAND, "a command from", headset.at)
            robot.answer(b"ok")
            same(headset.take(), b"ok", "an answer to", headset.at)
            same(headset.sender[1], up, "an answer's port")
        # the headset is the latest sender, of whichever version
        run.says("headset-changed: [::1]")
        new.send(COMMAND, up)
        same(robot.take(), COMMAND, "a command over IPv6")
        run.end()


def sizes():
    """From nothing to the most that IPv4 carries, unchanged."""
    up, robot_port = free_ports(2)
    robot = Peer("127.0.0.9", robot_port)
    headset = Peer()
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[uplink any]\nport = {up}\nto = 127.0.0.9:{robot_port}",
               "[downlink back]\nreply = any")
    with Run(text) as run:
        for size in 0, 1, 2, 1472, 1473, 9000, 60000, 65507:
            payload = bytes(i * 7 & 255 for i in range(size))
            headset.send(payload, up, "127.0.0.7")
            check(robot.take() == payload, size, "bytes to the robot")
            robot.answer(payload[::-1])
            check(headset.take() == payload[::-1], size, "bytes back")
        run.end()
        same(run.counts()["uplink any"]["released"], 8, "released")


def absent_robot():
    """ICMP errors eat nothing: what is sent once the robot is there comes."""
    up, robot_port = free_ports(2)
    headset = Peer()
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[uplink command]\nport = {up}\nto = 127.0.0.9:{robot_port}",
               "[downlink answer]\nreply = command")
    with Run(text) as run:
        for _ in range(3):
            for i in range(20):
                headset.send(b"nobody %d" % i, up, "127.0.0.7")
                time.sleep(0.002)
            robot = Peer("127.0.0.9", robot_port)
            time.sleep(0.1)  # what is under way may still reach it
            while robot.take(0.05) is not None:
                pass
            sent = [b"somebody %d" % i for i in range(50)]
            for payload in sent:
                headset.send(payload, up, "127.0.0.7")
            same(robot.take_all(50), sent, "what came when it was there")
            robot.answer(b"ok")
            same(headset.take(), b"ok", "an answer")
            robot.close()
        run.end()
        same(run.counts()["uplink command"]["released"], 210, "released")


def absent_headset():
    """The same for a headset that is fixed and not there."""
    down, sink_port = free_ports(2)
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[downlink sample]\nport = {down}\n"
               f"to = 127.0.0.1:{sink_port}")
    robot = Peer("127.0.0.9")
    with Run(text) as run:
        for i in range(20):
            robot.send(b"nobody %d" % i, down, "127.0.0.7")
            time.sleep(0.002)
        time.sleep(0.1)
        sink = Peer("127.0.0.1", sink_port)
        while sink.take(0.05) is not None:
            pass
        sent = [b"somebody %d" % i for i in range(50)]
        for payload in sent:
            robot.send(payload, down, "127.0.0.7")
        same(sink.take_all(50), sent, "what came when it was there")
        run.end()


def answer_of_the_headset():
    """What the headset answers to a robot-opened stream goes to its sender."""
    down, sink_port = free_ports(2)
    robot, headset = Peer("127.0.0.9"), Peer("127.0.0.1", sink_port)
    text = arm("robot = 127.0.0.9\nlisten = 127.0.0.7",
               f"[downlink video]\nport = {down}\n"
               f"to = 127.0.0.1:{sink_port}",
               "[uplink receipt]\nreply = video")
    with Run(text) as run:
        robot.send(b"frame", down, "127.0.0.7")
        same(headset.take(), b"frame", "a frame")
        headset.answer(b"receipt")
        same(robot.take(), b"receipt", "a receipt")
        same(robot.sender, ("127.0.0.7", down), "a receipt's sender")
        run.end()


def no_circle():
    """A datagram of ours that comes back to us does not go round for ever."""
    up, = free_ports(1)
    headset = Peer()
    status = None
    # the robot's address is the proxy's own: refused, or cut at once
    text = arm("robot = 127.0.0.1", f"[uplink command]\nport = {up}")
    with Run(text, may_end=True) as run:
        headset.send(COMMAND, up)
        time.sleep(0.5)
        if run.child.poll() is None:
            run.kill(SIGTERM)
        status = run.wait(None)
    if status == 0:
        check(run.counts()["uplink command"]["in"] < 10,
              "it went round", run.counts())
    else:
        same(status, 2, "exit status")
        check("itself" in run.stderr(), "it says why:", run.stderr())


main(learnt_headset, fixed_headset, network_of_headsets, fixed_ends,
     port_ranges, unmatched_dropped, unmatched_forwarded, ipv6, dual_stack,
     sizes, absent_robot, absent_headset, answer_of_the_headset, no_circle)
