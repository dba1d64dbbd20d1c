# SPDX-License-Identifier: GPL-2.0-or-later
#
# service.py - what a service manager is told, and records named by the time
#
# The manager is a datagram socket of the test, as sd_notify(3) describes it.

import calendar
import os
import re
import signal
import socket
import time

from stand import (SCRATCH, Peer, Run, check, command, free_ports, main, same,
                   write)

PORT, ROBOT = free_ports(2)
ARM = ("[arm]\nname = one\n[link]\nrobot = 127.0.0.1\nlisten = 127.0.0.1\n"
       f"[uplink command]\nport = {PORT}\nto = 127.0.0.1:{ROBOT}\n")


class Manager:
    def __init__(self, address, watched=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(10)
        name = address.replace("\0", "@") if isinstance(address, str) \
            else address
        self.env = dict(os.environ, NOTIFY_SOCKET=name)
        if watched:
            self.env.update(watched)

    def hear(self):
        """The next message's lines."""
        return self.socket.recv(4096).decode().split("\n")

    def hear_until(self, line, most=10):
        for _ in range(most):
            lines = self.hear()
            if line in lines:
                return lines
        check(False, "never heard", line)
        return []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def follow(manager, watchdog):
    with manager, Run(ARM, env=manager.env) as run:
        lines = manager.hear()
        same(lines[0], "READY=1", "first of all")
        headset = Peer()
        headset.send(b"{}", PORT)
        lines = manager.hear()
        same(lines[0] == "WATCHDOG=1", watchdog, "the watchdog is fed", lines)
        check(re.fullmatch(r"STATUS=trial .+, \d+ s: \d+ packets settled, .*",
                           lines[-1]), lines)
        run.kill(signal.SIGTERM)
        check(manager.hear_until("STOPPING=1"))
        run.wait()
        headset.close()


def a_manager_is_told_by_a_path():
    follow(Manager(os.path.join(SCRATCH, "notify"),
                   {"WATCHDOG_USEC": "3000000"}), True)


def a_manager_is_told_by_an_abstract_name():
    follow(Manager(f"\0farlink-test-{os.getpid()}"), False)


def another_process_watchdog_is_left_alone():
    follow(Manager(os.path.join(SCRATCH, "other"),
                   {"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}), False)


def an_arm_with_faults_is_never_ready():
    with Manager(os.path.join(SCRATCH, "faulty")) as manager:
        with Run(ARM + "[nonsense]\n", env=manager.env, may_end=True) as run:
            run.wait(2)
        manager.socket.settimeout(0)
        try:
            check(False, "it was told", manager.hear())
        except BlockingIOError:
            pass


def a_manager_that_is_gone_or_deaf_holds_nothing_up():
    for name in (os.path.join(SCRATCH, "gone"), "@", "/", "nonsense",
                 "@" + "x" * 200, ""):
        with Run(ARM, "--for", "200ms", may_end=True,
                 env=dict(os.environ, NOTIFY_SOCKET=name)) as run:
            run.wait()
    with Manager(os.path.join(SCRATCH, "deaf")) as manager:
        manager.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        filler = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        filler.setblocking(False)
        try:
            while True:
                filler.sendto(b"x", manager.env["NOTIFY_SOCKET"])
        except BlockingIOError:
            pass
        with Run(ARM, "--for", "1200ms", env=manager.env) as run:
            run.wait()
        filler.close()


def seconds_of(name):
    found = re.fullmatch(r"try-(\d{8})-(\d{6})", name)
    return found and calendar.timegm(
        time.strptime(found[1] + found[2], "%Y%m%d%H%M%S"))


def a_record_is_named_by_the_time():
    pattern = os.path.join(SCRATCH, "a%%b", "try-%Y%m%d-%H%M%S")
    folder = os.path.join(SCRATCH, "a%b")
    os.mkdir(folder)
    before = int(time.time())
    arm = write("named.ini", ARM + f"[record]\nfolder = {pattern}\n")
    for at, words in enumerate((("run", arm, "--for", "100ms"),
                                ("run", write("one.ini", ARM), "--record",
                                 pattern, "--for", "100ms"))):
        while time.time() < before + 2 * at:  # names have whole seconds
            time.sleep(0.1)
        found, _, err = command(*words)
        same(found, 0, err)
    names = sorted(os.listdir(folder))
    same(len(names), 2, names)
    for name in names:
        check(before <= seconds_of(name) <= time.time(), name)
        found, _, err = command("verify", os.path.join(folder, name))
        same(found, 0, err)
    for bad in "%q", "x%", "%5d":
        found, _, err = command("run", arm, "--record",
                                os.path.join(SCRATCH, bad), "--for", "100ms")
        same(found, 2, err)
        check("%Y" in err, err)


if __name__ == "__main__":
    main(a_manager_is_told_by_a_path,
         a_manager_is_told_by_an_abstract_name,
         another_process_watchdog_is_left_alone,
         an_arm_with_faults_is_never_ready,
         a_manager_that_is_gone_or_deaf_holds_nothing_up,
         a_record_is_named_by_the_time)
