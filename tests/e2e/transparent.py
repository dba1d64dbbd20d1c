# SPDX-License-Identifier: GPL-2.0-or-later
#
# transparent.py - both ends see each other, and the arm acts between them

import json
import random
import shutil
import socket
import threading
import time
from signal import SIGKILL

import lab
import stand
from lab import Ends, peer
from stand import Run, await_that, check, confined, main, same, skip

UP, DOWN = 0.12, 0.08  # seconds of delay, one-way
COMMAND = b'{"vx":0.1500,"vy":-0.0000,"wz":0.3200}'
STREAMS = ("[uplink command]\nport = 5002, 5010-5020\nchain = up",
           "[downlink sample]\nport = 5007\nchain = lossy",
           "[downlink answer]\nreply = command\nchain = down",
           "[condition up]\ntype = delay\ndelay = 120ms",
           "[condition down]\ntype = delay\ndelay = 80ms",
           "[condition lossy]\ntype = periodic-loss\nevery = 4")


def record(name):
    return f"{stand.SCRATCH}/{name}"


def verify(folder, *what):
    status, out, err = stand.command("verify", folder)
    same(status, 0, *what, f"verify ({out}{err})")


def streams(ends):
    """Commands, answers, a port range, two headsets, a new source port."""
    robot = peer("robot", ends.robot, 5002)
    ranged = peer("robot", ends.robot, 5013)
    first = peer("headset", ends.headset)
    second = peer("headset", ends.second)
    again = peer("headset", ends.headset)
    for headset, to in ((first, robot), (second, robot), (again, robot),
                        (first, ranged)):
        for size in 40, 0, 1472, 8000, 60000:
            payload = bytes(random.randrange(256) for _ in range(size))
            began = time.monotonic()
            headset.send(payload, to.port, ends.robot)
            check(to.take() == payload, ends, f"{size} bytes reach the robot")
            same(to.sender, headset.at, ends, "the sender that it sees")
            check(time.monotonic() - began >= UP, ends, "a command is late")
            to.answer(payload[::-1])
            check(headset.take() == payload[::-1], ends,
                  f"an answer of {size} bytes")
            same(headset.sender, to.at, ends, "the answer's sender")
            check(time.monotonic() - began >= UP + DOWN, ends,
                  "an answer is late")
    for one in robot, ranged, first, second, again:
        one.close()


def robot_opens(ends):
    """A stream that the robot opens; every fourth datagram is lost."""
    headset = peer("headset", ends.headset, 5007)
    other = peer("headset", ends.second, 5007)
    robot = peer("robot", ends.robot)
    for i in range(16):
        robot.send(b"sample %d" % i, 5007, ends.headset)
    got = headset.take_all(12)
    same(len(got), 12, ends, "samples that the arm let pass")
    same(headset.sender, robot.at, ends, "their sender")
    check(headset.silent(), ends, "every fourth is lost")
    robot.send(b"to the other", 5007, ends.second)
    same(other.take(), b"to the other", ends, "a second headset's sample")
    for one in headset, other, robot:
        one.close()


def left_alone(ends):
    """TCP on the same port, another UDP port, a port that nobody has."""
    robot = lab.stream("robot", ends.robot, 5002)
    robot.listen()
    headset = lab.stream("headset", ends.headset)
    headset.connect((ends.robot, 5002))
    server, seen = robot.accept()
    same(seen[:2], headset.getsockname()[:2], ends, "TCP's other end")
    best = stand.PATIENCE
    for _ in range(20):
        began = time.monotonic()
        headset.sendall(b"ping")
        server.sendall(server.recv(4))
        headset.recv(4)
        best = min(best, time.monotonic() - began)
    check(best < UP, ends, "TCP is not delayed", best)
    for one in robot, headset, server:
        one.close()
    robot = peer("robot", ends.robot, 6002)
    headset = peer("headset", ends.headset)
    best = stand.PATIENCE
    for size in [40] * 10 + [8000] * 10:
        began = time.monotonic()
        headset.send(b"x" * size, 6002, ends.robot)
        same(len(robot.take() or b""), size, ends, "another port's datagram")
        best = min(best, time.monotonic() - began)
    check(best < UP, ends, "another port is not delayed", best)
    robot.close()
    headset.socket.connect((ends.robot, 5020))
    headset.socket.send(b"to nobody")
    try:
        got = headset.take()
        check(False, ends, f"an unreachable port is told, not {got!r}")
    except ConnectionRefusedError:
        pass
    headset.close()


def marked(ends):
    """Hops and service pass unchanged."""
    robot = peer("robot", ends.robot, 5002)
    headset = peer("headset", ends.headset)
    if ends.version == 4:
        headset.socket.setsockopt(socket.SOL_IP, socket.IP_TTL, 33)
        headset.socket.setsockopt(socket.SOL_IP, socket.IP_TOS, 0xb8)
        robot.socket.setsockopt(socket.SOL_IP, 12, 1)
        robot.socket.setsockopt(socket.SOL_IP, 13, 1)
    else:
        six = socket.IPPROTO_IPV6
        headset.socket.setsockopt(six, socket.IPV6_UNICAST_HOPS, 33)
        headset.socket.setsockopt(six, socket.IPV6_TCLASS, 0xb8)
        robot.socket.setsockopt(six, socket.IPV6_RECVHOPLIMIT, 1)
        robot.socket.setsockopt(six, socket.IPV6_RECVTCLASS, 1)
    headset.send(COMMAND, 5002, ends.robot)
    robot.socket.settimeout(stand.PATIENCE)
    got, control, _, _ = robot.socket.recvmsg(100, 256)
    same(got, COMMAND, ends, "a marked command")
    same(sorted(data[0] for _, _, data in control), [33, 0xb8], ends,
         "its hops and service")
    robot.close()
    headset.close()


def carried():
    """Both topologies, both IP versions."""
    for kind in "routed", "bridged":
        lab.build(kind)
        for version in 4, 6:
            ends = Ends(kind, version)
            folder = record(f"carried-{kind}-{version}")
            with Run(ends.arm(*STREAMS), "--record", folder) as run:
                confined(run.child.pid, 1)
                streams(ends)
                robot_opens(ends)
                marked(ends)
                left_alone(ends)
                privileges(run.child.pid)
                run.end()
            verify(folder, ends)
            rows = stand.rows(folder)
            counts = {}
            for row in rows:
                key = row["stream"], row["fate"]
                counts[key] = counts.get(key, 0) + 1
            same(counts, {("command", "released"): 22,
                          ("answer", "released"): 20,
                          ("sample", "released"): 13,
                          ("sample", "suppressed"): 4}, ends, "its record")
            same(lab.left(), [], ends, "what is left")


def privileges(pid):
    """CAP_NET_ADMIN and CAP_NET_BIND_SERVICE; the writer has none."""
    wanted = {"0000000000001400", "0000000000000000"}
    for name in "CapEff", "CapPrm":
        found = set()
        for thread in stand.os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status") as file:
                found |= {line.split()[1] for line in file
                          if line.startswith(name)}
        same(found, wanted, f"{name} of the threads")


def captured():
    """Captures at both ends, read by tshark, show what the record says."""
    for kind in "routed", "bridged":
        lab.build(kind)
        ends = Ends(kind, 4)
        folder = record(f"captured-{kind}")
        robot = peer("robot", ends.robot, 5002)
        headset = peer("headset", ends.headset, 5007)
        at_headset, at_robot = lab.Capture("headset"), lab.Capture("robot")
        with Run(ends.arm(*STREAMS), "--record", folder) as run:
            for i in range(20):
                headset.send(b"command %d" % i, 5002, ends.robot)
                robot.send(b"sample %d" % i, 5007, ends.headset)
                time.sleep(0.01)
            same(len(robot.take_all(20)), 20, ends, "commands")
            same(len(headset.take_all(15)), 15, ends, "samples")
            run.end()
        with open(folder + "/manifest.json") as file:
            start = json.load(file)["start"]["utc_ns"]
        compare(ends, folder, start, at_headset, at_robot)
        robot.close()
        headset.close()


def compare(ends, folder, start, at_headset, at_robot):
    """Each row of a record against what the two captures have of it."""
    near = 2_000_000  # ns: two clocks were read one after the other
    for name, port, before, behind in (
            ("command", 5002, at_headset, at_robot),
            ("sample", 5007, at_robot, at_headset)):
        rows = [row for row in stand.rows(folder) if row["stream"] == name]
        passed = [row for row in rows if row["fate"] == "released"]
        came = before.packets(f"udp.dstport == {port}")
        left = behind.packets(f"udp.dstport == {port}")
        same(len(came), len(rows), ends, name, "in the first capture")
        same(len(left), len(passed), ends, name, "in the second capture")
        for row, packet in zip(rows, came):
            same(int(row["size"]), len(packet[5]), ends, name, "size")
            check(packet[0] <= start + int(row["ingress_ns"]) + near, ends,
                  name, "came before it was seen to")
        sent = {packet[5]: packet for packet in came}
        for row, packet in zip(passed, left):
            same(packet[1:], sent[packet[5]][1:], ends, name,
                 "addresses and ports at both ends")
            check(packet[0] >= start + int(row["due_ns"]) - near, ends, name,
                  "left when it was due")
        same([packet[5] for packet in left],
             [packet[5] for row, packet in zip(rows, came)
              if row["fate"] == "released"], ends, name, "which passed")


def stopped():
    """[safety]: stops at both ends of a run, and after kill -9."""
    lab.build("routed")
    ends = Ends("routed", 4)
    robot = peer("robot", ends.robot, 5002)
    headset = peer("headset", ends.headset)
    stop = b"halt"
    text = ends.arm(*STREAMS, "[safety]\nstop = halt\non_start = 3\n"
                    "on_exit = 2")
    for number in 15, SIGKILL:
        with Run(text) as run:
            same(robot.take_all(3), [stop] * 3, "stops at the start")
            headset.send(COMMAND, 5002, ends.robot)
            same(robot.take(), COMMAND, "a command")
            run.end(number, 0 if number == 15 else -number)
            same(robot.take_all(2), [stop] * 2, "stops at the end of", number)
            if number == 15:
                same(robot.sender, headset.at, "who seems to have sent them")
            check(robot.silent(), "then nothing")
        await_that("nothing is left", lambda: not lab.left(), 1)
    robot.close()
    headset.close()


def walled():
    """Strict filters of a router's kernel, and a firewall that knows the mark:
    the remedies that are told are those that help.
    """
    lab.build("routed")
    ends = Ends("routed", 4)
    for key in "rp_filter", "src_valid_mark":
        for where in "all", "hs", "rb":
            lab.switch("router", f"net/ipv4/conf/{where}/{key}", 1)
    lab.run("router", "nft", "add table inet wall; add chain inet wall in "
            "{ type filter hook input priority 0; policy drop; }; "
            "add rule inet wall in meta mark 0x666c accept")
    with Run(ends.arm(*STREAMS)) as run:
        run.says("the firewall drops what comes in")
        streams(ends)
        robot_opens(ends)
        run.end()
    lab.run("router", "nft", "delete table inet wall")
    for key in "rp_filter", "src_valid_mark":
        lab.switch("router", f"net/ipv4/conf/all/{key}", 0)


class Traffic:
    """A headset that sends without end, and what reaches the robot."""

    def __init__(self, ends):
        self.ends = ends
        self.robot = peer("robot", ends.robot, 5002)
        self.headset = peer("headset", ends.headset)
        self.got = 0
        self.over = False
        self.threads = [threading.Thread(target=self.send),
                        threading.Thread(target=self.take)]
        for thread in self.threads:
            thread.start()

    def send(self):
        while not self.over:
            try:
                self.headset.send(COMMAND, 5002, self.ends.robot)
            except OSError:
                pass  # the network is away
            time.sleep(0.005)

    def take(self):
        while not self.over:
            if self.robot.take(0.1) is not None:
                self.got += 1

    def flows(self, *what):
        before = self.got
        await_that(f"{self.ends}: traffic {' '.join(what)}",
                   lambda: self.got > before + 20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over = True
        for thread in self.threads:
            thread.join()
        self.robot.close()
        self.headset.close()


def killed():
    """kill -9 at random moments: nothing is left, traffic flows on."""
    for kind in "routed", "bridged":
        lab.build(kind)
        ends = Ends(kind, 4)
        with Traffic(ends) as traffic:
            for _ in range(10):
                with Run(ends.arm(*STREAMS)) as run:
                    time.sleep(random.random())
                    run.kill(SIGKILL)
                    run.wait(-SIGKILL)
                    await_that(f"{ends}: nothing is left",
                               lambda: not lab.left(), 1)
                    same(lab.left(), [], ends, "what is left")
                    traffic.flows("after kill -9")
            undegraded(ends)


def undegraded(ends):
    robot = peer("robot", ends.robot, 5015)
    headset = peer("headset", ends.headset)
    best = stand.PATIENCE
    for _ in range(10):
        began = time.monotonic()
        headset.send(COMMAND, 5015, ends.robot)
        same(robot.take(), COMMAND, ends, "a command without farlink")
        best = min(best, time.monotonic() - began)
    check(best < UP, ends, "nothing delays it", best)
    robot.close()
    headset.close()


def second():
    """Of two with overlapping streams the second is refused."""
    lab.build("routed")
    ends = Ends("routed", 4)
    mine = "[uplink video]\nport = 5020-5030"
    with Run(ends.arm(*STREAMS)) as first:
        with Run(ends.arm(mine), may_end=True) as run:
            run.wait(1)
            for word in ("another farlink", f"process {first.child.pid} ",
                         "farlink run", "uplink port 5020", ends.robot):
                check(word in run.stderr(), f"{word!r} in", run.stderr())
        # what does not overlap may run beside it, with numbers of its own
        with Run(ends.arm("[uplink video]\nport = 5021-5030")) as run:
            check("table 26221" in run.stderr(), run.stderr())
            with Run(ends.arm("[uplink map]\nport = 7000",
                              more="mark = 26220"), may_end=True) as third:
                third.wait(1)
                check("mark = 26220" in third.stderr(), third.stderr())
            run.end()
        check(lab.left(), "the first one's rules are still there")
        first.end()
    same(lab.left(), [], "what is left")


def leftovers():
    """What an earlier run left is found and removed."""
    lab.build("routed")
    ends = Ends("routed", 4)
    ip = lab.ip
    for version in "-4", "-6":
        ip("router", f"{version} rule add fwmark 26220 iif hs lookup 26220 "
                     "priority 177 protocol 102")
        ip("router", f"{version} route add local default dev lo table 26220 "
                     "protocol 102")
    lab.run("router", "nft", "add table inet farlink_26220_0")
    lab.run("router", "nft", "add table inet farlink_of_mine")
    with Run(ends.arm(*STREAMS)) as run:
        run.says("5 rules that an earlier run left were removed")
        run.end()
    left = lab.left()
    same(left, ["table inet farlink_of_mine"], "what is left")
    lab.run("router", "nft", "delete table inet farlink_of_mine")


def network():
    """Links go and come, addresses change: no restart, all on record."""
    for kind in "routed", "bridged":
        lab.build(kind)
        ends = Ends(kind, 4)
        folder = record(f"network-{kind}")
        with Run(ends.arm(*STREAMS), "--record", folder) as run, \
                Traffic(ends) as traffic:
            traffic.flows("at first")
            lab.ip("router", "link set hs down")
            run.says("interface-down: hs")
            lab.ip("router", "link set hs up")
            run.says("interface-up: hs")
            traffic.flows("after a link was down")
            lab.ip("robot", "link set eth0 down")
            run.says("interface-unplugged: rb")
            lab.ip("robot", "link set eth0 up")
            run.says("interface-up: rb")
            if kind == "routed":
                lab.routes()
            traffic.flows("after the robot was unplugged")
            where = "rb" if kind == "routed" else "br0"
            lab.ip("router", f"addr add 10.77.9.1/24 dev {where}")
            run.says(f"address-added: {where} 10.77.9.1/24")
            lab.ip("router", f"addr del 10.77.9.1/24 dev {where}")
            run.says(f"address-removed: {where} 10.77.9.1/24")
            traffic.flows("after an address changed")
            if kind == "bridged":
                lab.ip("router", "link set br0 address 02:00:00:00:77:01")
                run.says("bridge-address: br0 02:00:00:00:77:01")
                traffic.flows("after the bridge has another address")
                same(len(lab.left()), 4, "two tables, a rule, a route")
            run.end()
        events = [row["event"] for row in stand.rows(folder, "events.csv")]
        for event in ("address-added", "address-removed", "interface-down",
                      "interface-up", "interface-unplugged"):
            check(event in events, ends, event, "is on record")
        verify(folder, ends)
        same(lab.left(), [], ends, "what is left")


def looked_at():
    """check --live tells what is wrong, with a remedy; run refuses."""
    lab.build("routed")
    ends = Ends("routed", 4)
    arm = stand.write("live.ini", ends.arm(*STREAMS))
    status, out, err = stand.command("check", "--live", arm)
    same(status, 0, "check --live", out + err)
    for what in "topology is routed", "kernel takes the rules", "0 faults":
        check(what in out, f"{what!r} in", out)
    status, out, _ = stand.command("check", "--live", "--dry-run", arm)
    same(status, 0, "check --live --dry-run")
    for what in ("ip -4 rule add fwmark 0x666c iif hs lookup 26220",
                 "table inet farlink_26220_0", "udp dport { 5007 }"):
        check(what in out, f"{what!r} in", out)
    same(lab.left(), [], "what looking leaves")
    lab.switch("router", "net/ipv4/ip_forward", 0)
    _, out, _ = stand.command("check", "--live", arm)
    check("sysctl -w net.ipv4.ip_forward=1" in out, "forwarding", out)
    lab.run("router", "nft", "add table inet wall; "
            "add chain inet wall in { type filter hook input priority 0; "
            "policy drop; }; add chain inet wall out { type nat hook "
            "postrouting priority 100; }; add rule inet wall out masquerade")
    status, out, _ = stand.command("check", "--live", arm)
    same(status, 0, "warnings are no faults")
    for what in "the firewall drops", "address translation", "3 warnings":
        check(what in out, f"{what!r} in", out)
    lab.run("router", "nft", "delete table inet wall")
    # not every kernel has flow tables
    lab.run("router", "nft", "add table inet fast; add flowtable inet "
            "fast f { hook ingress priority 0; devices = { hs }; }",
            good=False)
    if "flowtable" in lab.run("router", "nft", "list", "ruleset"):
        status, out, _ = stand.command("check", "--live", arm)
        check("flow table" in out and status == 1, "a flow table", out)
        with Run(ends.arm(*STREAMS), may_end=True) as run:
            run.wait(1)
    lab.run("router", "nft", "delete table inet fast", good=False)
    lab.build("bridged")
    ends = Ends("bridged", 4)
    arm = stand.write("live.ini", ends.arm(*STREAMS))
    lab.switch("router", "net/bridge/bridge-nf-call-iptables", 1)
    status, out, _ = stand.command("check", "--live", arm)
    check("bridge-nf-call-iptables=0" in out and status == 1, "bridge", out)
    with Run(ends.arm(*STREAMS), may_end=True) as run:
        run.wait(1)
        check("bridge-nf-call-iptables=0" in run.stderr(), run.stderr())
    same(lab.left(), [], "what refusing leaves")
    for fault in ("headset_interface = hs\nrobot_interface = hs",
                  "topology = routed", "robot_interface = eth7"):
        with Run(ends.arm(*STREAMS, more=fault), may_end=True) as run:
            run.wait(1)


try:
    lab.run("router", "nft", "list", "tables")
except FileNotFoundError:
    skip("needs nft (nftables)")
except RuntimeError as why:
    skip(f"nf_tables is not to be had: {why}")
if not shutil.which("tshark"):
    skip("needs tshark")
lab.program()
stand.BOUND = 600
main(carried, captured, stopped, walled, killed, second, leftovers, network,
     looked_at)
