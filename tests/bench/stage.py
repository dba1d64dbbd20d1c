# SPDX-License-Identifier: GPL-2.0-or-later
#
# stage.py - programs started for a measurement, and what they are seen to do
#
# Everything is on 127.0.0.1.  What is started here is ended here, by its
# process id, also when the bench is interrupted.

import atexit
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

MS = 10**6
SECOND = 10**9
CHANNELS = 64
PATIENCE = 20

children = []
scratch = tempfile.mkdtemp(prefix="farlink-bench-")


class Refused(Exception):
    """This machine does not let a program do what was asked."""


def clean_up():
    for child in children:
        if child.poll() is None:
            child.kill()
            child.wait()
    children.clear()
    shutil.rmtree(scratch, ignore_errors=True)


atexit.register(clean_up)
for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, lambda n, _: sys.exit(128 + n))


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as try_it:
        try:
            try_it.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_row(n):
    """The first of @n ports in a row that nothing is bound to."""
    while True:
        port = random.randrange(10000, 30000)
        if all(is_free(p) for p in range(port, port + n)):
            return port


def write(name, text):
    path = os.path.join(scratch, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def is_bound(port):
    """Whether a UDP socket of this machine has the port."""
    with open("/proc/net/udp") as file:
        return f":{port:04X} " in file.read()


class Program:
    """A relay of some kind between @at and @to, ready once made."""

    def __init__(self, command, at):
        self.out = tempfile.TemporaryFile(dir=scratch)
        self.err = tempfile.TemporaryFile(dir=scratch)
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                      stdout=self.out, stderr=self.err)
        children.append(self.child)
        end = time.monotonic() + PATIENCE
        while not is_bound(at):
            if self.child.poll() is not None or time.monotonic() > end:
                self.stop()
                raise Refused(f"{command[0]}: {self.text(self.err)[-300:]}")
            time.sleep(0.005)
        time.sleep(0.08)  # it has a port, and soon all of them
        self.cpu_0 = self.cpu()

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode(errors="replace")

    def tasks(self):
        """Its own threads and those of its children."""
        found, todo = [], [self.child.pid]
        while todo:
            pid = todo.pop()
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    base = f"/proc/{pid}/task/{task}"
                    found.append(base)
                    with open(base + "/children") as file:
                        todo += map(int, file.read().split())
            except OSError:
                pass
        return found

    def cpu(self):
        """Time on a core so far, ns."""
        spent = 0
        for task in self.tasks():
            try:
                with open(task + "/schedstat") as file:
                    spent += int(file.read().split()[0])
            except OSError:
                pass
        return spent

    def spent(self):
        return self.cpu() - self.cpu_0

    def most_memory(self):
        with open(f"/proc/{self.child.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) * 1024

    def stop(self):
        """End it; returns what it wrote to its standard output."""
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        return self.text(self.out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Load:
    """One core kept busy by somebody else."""

    def __init__(self, wanted=True):
        self.wanted = wanted

    def __enter__(self):
        if self.wanted:
            self.child = subprocess.Popen(
                [sys.executable, "-c", "while True: pass"])
            children.append(self.child)

    def __exit__(self, *_):
        if self.wanted:
            self.child.kill()
            self.child.wait()


class Reader(threading.Thread):
    """A browser that has the page open and reads what it is told."""

    def __init__(self, port, wanted):
        super().__init__(daemon=True)
        self.port, self.wanted, self.over = port, wanted, False

    def run(self):
        while not self.over:
            try:
                with socket.create_connection(("127.0.0.1", self.port),
                                              1) as page:
                    page.sendall(b"GET /events HTTP/1.1\r\n"
                                 b"Host: 127.0.0.1\r\n\r\n")
                    while not self.over and page.recv(65536):
                        pass
            except OSError:
                pass
            time.sleep(0.05)

    def __enter__(self):
        if self.wanted:
            self.start()

    def __exit__(self, *_):
        self.over = True
        if self.wanted:
            self.join(2)


class Tools:
    """Where the programs are."""

    farlink = gauge = relay = nginx = nginx_module = socat = None
    peers = {}


def gauge(to, at, **options):
    """Start a gauge; read() it for its figures."""
    command = [Tools.gauge, "--to", str(to), "--at", str(at)]
    for key, value in options.items():
        command += [f"--{key}", str(value)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    children.append(child)
    return child


def read(child):
    out, _ = child.communicate(timeout=300)
    if child.returncode:
        raise Refused("the gauge failed")
    return json.loads(out)


CHANNEL = """
[{way} {name}]
port = {port}
to = 127.0.0.1:{to}
"""


def arm(channels, chain="", conditions="", extra="", record=""):
    """An arm of (way, name, port, to) channels that all have one chain."""
    text = ("[arm]\nname = bench\nseed = 1\n\n"
            "[link]\nrobot = 127.0.0.1\nlisten = 127.0.0.1\n")
    for way, name, port, to in channels:
        text += CHANNEL.format(way=way, name=name, port=port, to=to) + extra
        if chain:
            text += f"chain = {chain}\n"
    return write("arm.ini", text + conditions + record)


def delay_of(ns):
    return f"\n[condition d]\ntype = delay\ndelay = {ns}ns\n"


def farlink(at, to, n=1, options=(), **more):
    """farlink run, with @n channels."""
    channels = [("uplink", f"c{i}", at + i, to + i) for i in range(n)]
    return Program([Tools.farlink, "run", arm(channels, **more), *options],
                   at + n - 1)


def bare(at, to, n=1, options=()):
    return Program([Tools.relay, "--at", str(at), "--to", str(to),
                    "--channels", str(n), *options], at + n - 1)


NGINX = """{module}
daemon off;
master_process off;
worker_processes 1;
error_log /dev/null;
pid {scratch}/nginx.pid;
events {{ worker_connections 1024; }}
stream {{
	server {{
		listen 127.0.0.1:{at} udp rcvbuf=8m sndbuf=4m;
		proxy_pass 127.0.0.1:{to};
		proxy_responses 0;
		proxy_timeout 60s;
	}}
}}
"""


def nginx(at, to):
    module = Tools.nginx_module
    conf = write("nginx.conf", NGINX.format(
        module=f"load_module {module};" if module else "", scratch=scratch,
        at=at, to=to))
    # without responses its sessions would end with the first datagram
    with open(conf) as file:
        text = file.read().replace("\t\tproxy_responses 0;\n", "")
    write("nginx.conf", text)
    return Program([Tools.nginx, "-e", "/dev/null", "-p", scratch, "-c",
                    conf], at)


def socat(at, to):
    return Program([Tools.socat, "-b65536",
                    f"UDP4-RECV:{at},bind=127.0.0.1,rcvbuf=8388608",
                    f"UDP4-SENDTO:127.0.0.1:{to},sndbuf=4194304"], at)


def peer(command):
    def start(at, to):
        return Program(["sh", "-c", "exec " + command.format(
            at=at, to=to)], at)
    return start


def run_to_end(command):
    """Seconds of a core and seconds that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    children.append(child)
    if child.wait(600):
        raise Refused(f"{' '.join(command)}: exit status {child.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime, time.monotonic() - begun)
