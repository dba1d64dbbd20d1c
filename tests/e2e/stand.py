# SPDX-License-Identifier: GPL-2.0-or-later
#
# stand.py - a test stand: farlink as a child, sockets around it, and findings
#
# A test is a list of functions; each gets the stand and says what it found
# through check() and same().  Nothing is asserted on how late anything is: the
# machine may be slow.  What is started here is ended here, by its process id.

import csv
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import traceback

FARLINK = os.environ["farlink"]
SCRATCH = os.environ["scratch"]
PATIENCE = 10  # seconds to wait for what must come; failing takes that long
BOUND = 150  # seconds that all of a test may take
ENOUGH = 30  # findings, then it ends
SILENCE = 0.3  # seconds to wait for what must not come

findings = []
children = []
subject = ""


def check(good, *what):
    """Note a finding unless @good."""
    if not good:
        findings.append(f"{subject}: " + " ".join(str(w) for w in what))
        print("FAIL:", findings[-1], flush=True)
        if len(findings) >= ENOUGH:
            raise RuntimeError("that is enough")
    return bool(good)


def same(found, wanted, *what):
    return check(found == wanted, *what, f"is {found!r}, not {wanted!r}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def free_ports(n, spare=0):
    """@n different UDP ports that nothing is bound to, none of them one that
    the kernel gives out by itself; @spare more behind the last are free too.
    """
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        top = min(int(file.read().split()[0]), 32768)
    found = []
    while len(found) < n:
        port = random.randrange(5000, top - spare)
        wanted = range(port, port + 1 + (spare if len(found) + 1 == n else 0))
        if not any(p in found for p in wanted) and all(map(is_free, wanted)):
            found.append(port)
    return found


def is_free(port):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as try_it:
        try:
            try_it.bind(("::", port))
        except OSError:
            return False
    return True


def write(name, text):
    path = os.path.join(SCRATCH, name)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)
    return path


def await_that(what, so, patience=PATIENCE):
    """Wait until @so() is true."""
    end = time.monotonic() + patience
    while not so():
        if time.monotonic() > end:
            return check(False, "waited in vain:", what)
        time.sleep(0.02)
    return True


def command(*args, stdin=subprocess.DEVNULL, patience=PATIENCE):
    """Run farlink to its end: (status, stdout, stderr)."""
    try:
        done = subprocess.run([FARLINK, *args], stdin=stdin, timeout=patience,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired as late:
        return None, text_of(late.stdout), text_of(late.stderr)
    sane(done.stderr.decode(errors="replace"))
    return (done.returncode, text_of(done.stdout), text_of(done.stderr))


def text_of(output):
    return (output or b"").decode(errors="replace")


def sane(messages):
    for line in messages.splitlines():
        if re.search("Sanitizer|runtime error:|Assertion", line):
            check(False, line)


class Run:
    """farlink run, ready when made; use it with "with".  One that ends before
    it is ready breaks the test, unless it @may_end.
    """

    n = 0

    def __init__(self, arm, *args, may_end=False, **more):
        Run.n += 1
        self.arm = write(f"arm-{Run.n}.ini", arm)
        self.files = {}
        for name in "stdout", "stderr":
            if name not in more:
                self.files[name] = os.path.join(SCRATCH, f"{name}-{Run.n}")
                more[name] = open(self.files[name], "wb")
        self.child = subprocess.Popen(
            [FARLINK, "run", self.arm, *args],
            stdin=more.pop("stdin", subprocess.DEVNULL), **more)
        children.append(self.child)
        for name in self.files:
            more[name].close()
        if "stderr" in self.files:
            await_that(f"farlink is ready (it says: {self.stderr()})",
                       lambda: "goes to" in self.stderr()
                       or self.child.poll() is not None)
            if self.child.poll() is not None and not may_end:
                raise RuntimeError(f"it ended: {self.child.returncode} "
                                   f"{self.stderr()}")

    def _read(self, name):
        with open(self.files[name], errors="replace") as file:
            return file.read()

    def stdout(self):
        return self._read("stdout")

    def stderr(self):
        return self._read("stderr")

    def says(self, text, patience=PATIENCE):
        return await_that(f"a message with {text!r}; there is: "
                          f"{self.stderr()}",
                          lambda: text in self.stderr(), patience)

    def kill(self, number):
        self.child.send_signal(number)

    def wait(self, status=0, patience=20):
        """Wait for the end; return the exit status."""
        try:
            found = self.child.wait(patience)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            check(False, "farlink does not end")
            return None
        if "stderr" in self.files:
            sane(self.stderr())
            what = f"exit status ({self.stderr()[-300:]})"
        else:
            what = "exit status"
        if status is not None:
            same(found, status, what)
        return found

    def end(self, number=signal.SIGTERM, status=0):
        self.kill(number)
        return self.wait(status)

    def counts(self):
        """What the last line of stdout counts, by channel."""
        lines = [line for line in self.stdout().splitlines()
                 if re.match(r"\d+ s; ", line)]
        found = {}
        for part in lines[-1].split("; ")[1:] if lines else []:
            name, _, rest = part.partition(": ")
            numbers = re.findall(r"(in|released|suppressed|dropped|queued) "
                                 r"(\d+)", rest)
            if numbers:
                found[name] = {word: int(n) for word, n in numbers}
        return found

    def high_water(self):
        """Most memory so far, bytes."""
        with open(f"/proc/{self.child.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) * 1024

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


class Peer:
    """A socket: the headset's, the robot's or a stranger's."""

    def __init__(self, host="127.0.0.1", port=0):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind((host, port))
        self.at = self.socket.getsockname()[:2]
        self.port = self.at[1]
        self.sender = None  # of the latest datagram

    def send(self, payload, port, host=None):
        if host is None:
            host = "::1" if self.socket.family == socket.AF_INET6 \
                else "127.0.0.1"
        self.socket.sendto(payload, (host, port))

    def answer(self, payload):
        self.socket.sendto(payload, self.sender)

    def take(self, patience=PATIENCE):
        """The next datagram, or None."""
        self.socket.settimeout(patience)
        try:
            payload, sender = self.socket.recvfrom(70000)
        except (TimeoutError, BlockingIOError):
            return None
        self.sender = sender[:2]
        return payload

    def take_all(self, n, patience=PATIENCE):
        """@n datagrams, or those that came."""
        got = []
        while len(got) < n:
            payload = self.take(patience)
            if payload is None:
                break
            got.append(payload)
        return got

    def silent(self, patience=SILENCE):
        return self.take(patience) is None

    def close(self):
        self.socket.close()


def rows(folder, name="packets.csv"):
    with open(os.path.join(folder, name), newline="") as file:
        return list(csv.DictReader(file))


def is_sanitized():
    with open(FARLINK, "rb") as file:
        return b"__asan_init" in file.read()


def has_sandbox():
    folder = os.path.dirname(os.environ["farlink"])
    with open(os.path.join(folder, "config.h")) as file:
        return "#define HAVE_SECCOMP 1" in file.read()


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def confined(pid, n_children):
    """All threads and all children, @n_children of them, have a filter."""
    if not has_sandbox():
        return

    def lacking():
        children = children_of(pid)
        found = [] if len(children) == n_children else [f"not {children}"]
        for one in [pid, *children]:
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/status") as file:
                    text = file.read()
                if "Seccomp:\t2" not in text or "NoNewPrivs:\t1" not in text:
                    found.append(text.split("\n", 1)[0])
        return found

    await_that(f"all of {pid} is in the sandbox", lambda: not lacking())


def too_long(*_):
    raise RuntimeError(f"it takes longer than {BOUND} s")


def main(*tests):
    """Run the tests that the command line names, or all."""
    global subject
    named = sys.argv[1:]
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(BOUND)
    for test in tests:
        if named and test.__name__ not in named:
            continue
        subject = test.__name__
        try:
            test()
        except Exception:  # a finding like any other
            traceback.print_exc(file=sys.stdout)
            check(False, "the test itself broke, see above")
        finally:
            for child in children:
                if child.poll() is None:
                    child.kill()
                    child.wait()
            children.clear()
    if findings:
        print(f"{len(findings)} findings")
    sys.exit(1 if findings else 0)
