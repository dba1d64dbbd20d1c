# SPDX-License-Identifier: GPL-2.0-or-later
#
# lab.py - three namespaces as a headset, a router and a robot
#
#   routed    10.77.1.2 -- .1 hs | router | rb .1 -- 10.77.2.2
#   bridged   10.77.1.2 -- hs | br0 10.77.1.1 | rb -- 10.77.1.3
#
# IPv6 is fd77:1::/64 and fd77:2::/64 in the same places.  The headset's
# namespace has a second address, .4, for a second headset.

import contextlib
import ctypes
import os
import socket
import struct
import subprocess
import threading

import stand

NAMES = {name: os.environ.get(name, "") for name in
         ("headset", "router", "robot")}
NEW_NET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def inside(name):
    """Sockets that are made meanwhile belong to that namespace."""
    with open("/proc/thread-self/ns/net") as before, \
            open(f"/run/netns/{NAMES[name]}") as there:
        if libc.setns(there.fileno(), NEW_NET):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            yield
        finally:
            libc.setns(before.fileno(), NEW_NET)


def run(name, *command, good=True):
    """A command in a namespace; what it prints."""
    done = subprocess.run(["ip", "netns", "exec", NAMES[name], *command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=30)
    text = done.stdout.decode(errors="replace")
    if good and done.returncode:
        raise RuntimeError(f"{name}: {command}: {text}")
    return text


def ip(name, line, good=True):
    return run(name, "ip", *line.split(), good=good)


def switch(name, key, value):
    path = "/proc/sys/" + key
    run(name, "sh", "-c", f"[ ! -e {path} ] || echo {value} >{path}")


def clear():
    for name, link in (("router", "hs"), ("router", "rb"), ("router", "br0")):
        ip(name, f"link del {link}", good=False)


def build(kind):
    """Links, addresses and routes, anew."""
    clear()
    for name in NAMES:
        ip(name, "link set lo up")
        switch(name, "net/ipv6/conf/all/accept_dad", 0)
        switch(name, "net/ipv6/conf/default/accept_dad", 0)
        switch(name, "net/ipv6/conf/default/keep_addr_on_down", 1)
        switch(name, "net/ipv6/conf/all/keep_addr_on_down", 1)
    for name, link in ("headset", "hs"), ("robot", "rb"):
        ip(name, f"link add eth0 type veth peer name {link} "
                 f"netns {NAMES['router']}")
    for host in 2, 4:
        ip("headset", f"addr add 10.77.1.{host}/24 dev eth0")
        ip("headset", f"addr add fd77:1::{host}/64 dev eth0 nodad")
    ip("headset", "link set eth0 up")
    ip("router", "link set hs up")
    ip("router", "link set rb up")
    forward = kind == "routed"
    switch("router", "net/ipv4/ip_forward", int(forward))
    switch("router", "net/ipv6/conf/all/forwarding", int(forward))
    if forward:
        ip("router", "addr add 10.77.1.1/24 dev hs")
        ip("router", "addr add 10.77.2.1/24 dev rb")
        ip("router", "addr add fd77:1::1/64 dev hs nodad")
        ip("router", "addr add fd77:2::1/64 dev rb nodad")
        ip("robot", "addr add 10.77.2.2/24 dev eth0")
        ip("robot", "addr add fd77:2::2/64 dev eth0 nodad")
        ip("robot", "link set eth0 up")
        routes()
    else:
        ip("router", "link add br0 type bridge stp_state 0 forward_delay 0")
        ip("router", "link set hs master br0")
        ip("router", "link set rb master br0")
        ip("router", "addr add 10.77.1.1/24 dev br0")
        ip("router", "addr add fd77:1::1/64 dev br0 nodad")
        ip("router", "link set br0 up")
        ip("robot", "addr add 10.77.1.3/24 dev eth0")
        ip("robot", "addr add fd77:1::3/64 dev eth0 nodad")
        ip("robot", "link set eth0 up")
        for key in "iptables", "ip6tables":
            switch("router", f"net/bridge/bridge-nf-call-{key}", 0)


def routes():
    """Those that go with a link that is switched off."""
    for name, net in ("headset", 1), ("robot", 2):
        ip(name, f"route replace default via 10.77.{net}.1")
        ip(name, f"-6 route replace default via fd77:{net}::1")


class Ends:
    """Addresses of a topology and an IP version."""

    def __init__(self, kind, version):
        self.kind, self.version = kind, version
        net = 2 if kind == "routed" else 1
        host = 2 if kind == "routed" else 3
        if version == 4:
            self.headset, self.second = "10.77.1.2", "10.77.1.4"
            self.headsets = "10.77.1.0/24"
            self.robot = f"10.77.{net}.{host}"
        else:
            self.headset, self.second = "fd77:1::2", "fd77:1::4"
            self.headsets = "fd77:1::/64"
            self.robot = f"fd77:{net}::{host}"

    def __str__(self):
        return f"{self.kind} IPv{self.version}"

    def arm(self, *sections, more=""):
        return "\n".join(["[arm]", "name = transparent", "seed = 7",
                          "[link]", "mode = transparent",
                          f"robot = {self.robot}",
                          f"headset = {self.headsets}", more,
                          *sections, ""])


def peer(name, host, port=0):
    with inside(name):
        return stand.Peer(host, port)


def stream(name, host, port=0):
    """A TCP socket, bound."""
    with inside(name):
        made = socket.socket(socket.AF_INET6 if ":" in host
                             else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.settimeout(stand.PATIENCE)
    return made


def program():
    """farlink on the router, as stand.py starts it."""
    path = stand.write("farlink-on-router",
                       "#!/bin/sh\n"
                       f"exec ip netns exec {NAMES['router']} "
                       f"{os.environ['farlink']} \"$@\"\n")
    os.chmod(path, 0o755)
    stand.FARLINK = path


def left():
    """What of farlink is there in the router's network."""
    found = [line for line in run("router", "nft", "list", "tables")
             .splitlines() if "farlink" in line]
    for version in "-4", "-6":
        found += [line for line in ip("router", f"{version} rule")
                  .splitlines() if "proto 102" in line]
        found += ip("router", f"{version} route show table all proto 102",
                    good=False).splitlines()
    return found


class Capture:
    """What passes the interface of an end, as a capture file for tshark."""

    STAMP = 35  # SO_TIMESTAMPNS

    def __init__(self, name):
        self.path = os.path.join(stand.SCRATCH, f"{name}.pcap")
        with inside(name):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                        socket.htons(3))
            self.socket.bind(("eth0", 0))
        self.socket.setsockopt(socket.SOL_SOCKET, self.STAMP, 1)
        self.socket.settimeout(0.1)
        self.over = False
        self.thread = threading.Thread(target=self.write)
        self.thread.start()

    def write(self):
        with open(self.path, "wb") as file:
            file.write(struct.pack("IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 70000,
                                   1))
            while not self.over:
                try:
                    frame, control, _, _ = self.socket.recvmsg(70000, 64)
                except TimeoutError:
                    continue
                file.write(struct.pack("II", *struct.unpack(
                    "qq", control[0][2])))
                file.write(struct.pack("II", len(frame), len(frame)) + frame)

    def packets(self, filtered):
        """(time in ns, source, port, destination, port, payload) of each."""
        if not self.over:
            self.over = True
            self.thread.join()
            self.socket.close()
        fields = ("frame.time_epoch", "ip.src", "udp.srcport", "ip.dst",
                  "udp.dstport", "udp.payload")
        done = subprocess.run(
            ["tshark", "-n", "-r", self.path, "-Y", filtered, "-T", "fields"]
            + [word for field in fields for word in ("-e", field)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
            stdin=subprocess.DEVNULL)
        found = []
        for line in done.stdout.decode().splitlines():
            stamp, *rest, payload = line.split("\t")
            whole, part = stamp.split(".")
            found.append((int(whole) * 10**9 + int(part.ljust(9, "0")),
                          *rest, bytes.fromhex(payload)))
        return found
