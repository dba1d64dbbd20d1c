# SPDX-License-Identifier: GPL-2.0-or-later
#
# runs.py - datagrams that the kernel joins and cuts up stay what they were
#
# Runs of one size are handed to the kernel as one message (UDP_SEGMENT), which
# a proxy that asked for it receives as one, too.  Every datagram must come out
# with its own bytes and its own end, in its order, one without a byte as well.

import os
import random
import socket
import struct
import time

from stand import Peer, Run, await_that, check, free_ports, main, same

SOL_UDP, UDP_SEGMENT = 17, 103

ARM = """[arm]
name = runs
seed = 7

[link]
robot = 127.0.0.1
listen = 127.0.0.1

[uplink one]
port = {one}
to = 127.0.0.1:{one_to}
limit_bytes = 64MiB
{chain}

[uplink two]
port = {two}
to = 127.0.0.1:{two_to}
limit_bytes = 64MiB
{chain}

[downlink answer]
reply = one

[condition d]
type = delay
delay = 30ms
"""


def send_run(peer, port, size, payload):
    """One message that the kernel cuts into datagrams of @size bytes."""
    peer.socket.sendmsg([payload],
                        [(SOL_UDP, UDP_SEGMENT, struct.pack("=H", size))], 0,
                        ("127.0.0.1", port))
    return [payload[at:at + size] for at in range(0, len(payload), size)]


def send_each(peer, port, sizes):
    sent = [os.urandom(size) for size in sizes]
    for payload in sent:
        peer.send(payload, port)
    return sent


class Stand:
    def __init__(self, chain):
        ports = free_ports(4)
        self.one, self.two = ports[:2]
        self.ends = [Peer("127.0.0.1", port) for port in ports[2:]]
        self.arm = ARM.format(one=ports[0], two=ports[1], one_to=ports[2],
                              two_to=ports[3], chain=chain)
        for end in self.ends:
            end.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        self.sender = Peer()


def pass_on(stand, what, sent, end=0):
    """What was sent comes out the same, in its order."""
    got = stand.ends[end].take_all(len(sent), 3)
    if got != sent:
        same([len(p) for p in got], [len(p) for p in sent], what, "sizes")
        check(False, what, "bytes differ")
    return got


def through(stand):
    one, sender = stand.one, stand.sender
    for size, bytes_ in ((300, 300 * 40), (1, 64), (7, 7 * 63 + 3),
                         (1400, 1400 * 46), (1400, 1400 * 20 + 1),
                         (32753, 65506), (40, 41), (999, 999 * 64)):
        pass_on(stand, f"a run of {size}",
                send_run(sender, one, size, os.urandom(bytes_)))
    mixed = [0, 0, 300, 300, 300, 0, 300, 299, 300, 1, 0, 1, 65507, 65507, 40,
             40, 40, 41, 39, 0]
    pass_on(stand, "mixed sizes", send_each(sender, one, mixed))
    pass_on(stand, "many more than leave at once",
            send_each(sender, one, [200] * 700))
    random.seed(3)
    pass_on(stand, "sizes by chance",
            send_each(sender, one, [random.choice((0, 1, 64, 64, 64, 500))
                                    for _ in range(500)]))


def two_ways(stand):
    """What goes to different receivers is never joined; answers neither."""
    first, second = [], []
    for _ in range(100):
        first += send_each(stand.sender, stand.one, [120])
        second += send_each(stand.sender, stand.two, [120])
    pass_on(stand, "the first receiver", first, 0)
    pass_on(stand, "the second receiver", second, 1)
    back = [os.urandom(77) for _ in range(90)]
    for payload in back:
        stand.ends[0].answer(payload)
    same(stand.sender.take_all(len(back), 3), back, "the answers")


def nobody_listens(stand):
    """An ICMP error of a run is counted, and the next run comes through."""
    stand.ends[1].close()
    for _ in range(3):
        send_run(stand.sender, stand.two, 100, os.urandom(2000))
        time.sleep(0.05)
    stand.ends[1] = Peer("127.0.0.1", stand.ends[1].port)
    sent = send_run(stand.sender, stand.two, 100, os.urandom(2000))
    pass_on(stand, "after the errors", sent, 1)


def all_of_it(chain):
    stand = Stand(chain)
    with Run(stand.arm) as run:
        through(stand)
        two_ways(stand)
        nobody_listens(stand)
        await_that("nothing waits", lambda: sum(
            c["queued"] for c in run.counts().values()) == 0)
        run.end()
        same(sum(c["dropped"] for c in run.counts().values()), 0, "drops")


def narrow():
    """What the kernel refuses to cut is sent one by one, in its order."""
    stand = Stand("chain = d")
    with Run(stand.arm) as run:
        for sizes in [1400] * 60, [300] * 60 + [1400] * 60 + [300] * 60, \
                [65507] * 3, [1253, 1253, 1252, 1252] * 20:
            pass_on(stand, "a narrow path",
                    send_each(stand.sender, stand.one, sizes))
        run.end()
        same(sum(c["dropped"] for c in run.counts().values()), 0, "drops")


def at_once():
    all_of_it("")


def delayed():
    all_of_it("chain = d")


main(at_once, delayed, narrow)
