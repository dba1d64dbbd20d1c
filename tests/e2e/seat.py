# SPDX-License-Identifier: GPL-2.0-or-later
#
# seat.py - a run is steered by its control socket

import json
import os
import signal
import socket
import stat
import threading
import time

from stand import (SCRATCH, Peer, Run, await_that, check, command, free_ports,
                   main, rows, same, write)

STOP = b'{"vx":0.0000,"vy":0.0000,"wz":0.0000}'


def arm(port, chain, name="steered", seed=3, more="", up=""):
    return f"""[arm]
name = {name}
seed = {seed}
[link]
robot = 127.0.0.9
headset = learn
listen = 127.0.0.7
[uplink command]
port = {port}
chain = {chain}
{up}
[downlink answer]
reply = command
chain = {chain}
[condition wifi]
type = jitter
base = 60ms
jitter = 40ms
[condition far]
type = delay
delay = 120ms
[condition less]
type = loss
probability = 20%
{more}
"""


class Seat:
    def __init__(self):
        self.path = os.path.join(SCRATCH, f"seat-{Run.n}.sock")

    def ask(self, *words, status=0):
        found, out, err = command("ctl", "--socket", self.path, *words)
        same(found, status, f"exit status of {words} ({err})")
        return out if not status else err

    def status(self):
        return json.loads(self.ask("--json", "status"))["status"]

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(10)
        client.connect(self.path)
        return client


class Traffic:
    """Numbered commands, until it is told to stop; the robot answers none."""

    def __init__(self, port):
        self.stick = Peer()
        self.port = port
        self.n = 0
        self.over = False
        self.thread = threading.Thread(target=self.go, daemon=True)
        self.thread.start()

    def go(self):
        while not self.over:
            self.stick.send(b"command %d" % self.n, self.port, "127.0.0.7")
            self.n += 1
            time.sleep(0.003)

    def stop(self):
        self.over = True
        self.thread.join()


def rederived(folder, trial, text):
    """The trial's ingress times through its arm again, in virtual time."""
    up = [r for r in rows(folder) if r["trial"] == trial
          and r["direction"] == "uplink" and r["fate"] != "injected"]
    up.sort(key=lambda r: int(r["id"]))
    schedule = write("again.csv", "time,direction,stream,size\n" + "".join(
        f"{int(r['ingress_ns']) // 10**9}.{int(r['ingress_ns']) % 10**9:09},"
        f"uplink,command,{r['size']}\n" for r in up))
    status, out, err = command("simulate", write("again.ini", text),
                               "--schedule", schedule, "--csv")
    same(status, 0, f"simulate ({err})")
    again = [line.split(",") for line in out.splitlines()[1:]
             if line.count(",") == 9]
    again.sort(key=lambda r: int(r[1]))
    same(len(again), len(up), "packets derived again")
    different = sum((a[6], a[8], a[9]) != (r["due_ns"], r["fate"], r["by"])
                    for a, r in zip(again, up) if r["by"] != "reset")
    same(different, 0, f"packets of {trial} that another derivation has "
         "otherwise")
    check(len(up) > 20, "hardly a packet in", trial)


def three_arms_six_trials():
    """Every packet is in the record under its trial, and all verifies."""
    port, = free_ports(1)
    robot = Peer("127.0.0.9", port)
    texts = {name: arm(port, chain, name, seed) for name, chain, seed in
             (("near", "", 3), ("far", "far", 3), ("wild", "less, wifi", 8))}
    files = {name: write(f"{name}.ini", text) for name, text in texts.items()}
    folder = os.path.join(SCRATCH, "session")
    seat = Seat()
    order = ["near", "far", "wild", "wild", "near", "far"]
    with Run(texts["near"], "--record", folder, "--control", seat.path,
             "--trial", "none") as run:
        traffic = Traffic(port)
        await_that("a command before the first trial",
                   lambda: seat.status()["channels"][0]["in"] > 0)
        for i, name in enumerate(order):
            seat.ask("arm", files[name])
            same(seat.status()["trial"]["between"], True, "between")
            seat.ask("trial", "start", f"P1-{i}")
            before = traffic.n
            await_that("a hundred commands", lambda: traffic.n > before + 100)
            seat.ask("mark", "half of", f"{i}")
            stands = seat.status()
            same((stands["trial"]["id"], stands["arm"]["name"]),
                 (f"P1-{i}", name), "trial and arm")
            check(stands["channels"][0]["in"] >= 90, "commands so far:",
                  stands["channels"][0])
            seat.ask("trial", "stop")
            # each stretch between two trials has a packet, however fast
            await_that("a command between",
                       lambda: seat.status()["channels"][0]["in"] > 0)
        traffic.stop()
        await_that("all was taken in", lambda: seat.status()
                   ["channels"][0]["queued"] == 0)
        seat.ask("stop")
        run.wait()
    same(command("verify", folder)[::2], (0, ""), "verify")
    found = rows(folder)
    sent = [r for r in found if r["fate"] != "injected"]
    same(len(sent), traffic.n, "rows of commands")
    passed = sum(r["fate"] == "released" for r in sent)
    same(len(robot.take_all(passed, 1)), passed, "commands at the robot")
    trials = [f"P1-{i}" for i in range(6)]
    between = [f"between-{i}" for i in range(1, 8)]
    same(sorted({r["trial"] for r in found}), sorted(trials + between),
         "trials")
    for i, name in enumerate(order):
        rederived(folder, f"P1-{i}", texts[name])
    with open(os.path.join(folder, "summary.json")) as file:
        summary = json.load(file)["trials"]
    same([t["trial"] for t in summary if not t["between"]], trials,
         "trials of the summary")
    for trial in summary:
        same(sum(c["achieved"]["in"] for c in trial["channels"]),
             sum(r["trial"] == trial["trial"] for r in sent),
             "packets in the summary of", trial["trial"])
    same([t["arm"] for t in summary if not t["between"]], order, "arms")
    marks = [e["detail"] for e in rows(folder, "events.csv")
             if e["event"] == "mark"]
    same(marks, [f"half of {i}" for i in range(6)], "marks")


def within_a_trial():
    """A change at once: what waits keeps its fate, what comes has another."""
    port, = free_ports(1)
    robot = Peer("127.0.0.9", port)
    folder = os.path.join(SCRATCH, "within")
    seat = Seat()
    text = arm(port, "far", up="on_change = overtake")
    other = write("other.ini", arm(port, "", up="on_change = overtake"))
    with Run(text, "--record", folder, "--control", seat.path) as run:
        stick = Peer()
        seat.ask("set", "far.delay", "1h", "command.on_change", "overtake")
        for i in range(5):
            stick.send(b"slow %d" % i, port, "127.0.0.7")
        await_that("five wait",
                   lambda: seat.status()["channels"][0]["queued"] == 5)
        waits = json.loads(seat.ask("--json", "pending", "command"))["pending"]
        same((waits["waiting"], len(waits["packets"])), (5, 5), "pending")
        same([p["due_ns"] - p["ingress_ns"] for p in waits["packets"]],
             [3600 * 10**9] * 5, "due")
        check("5 wait in all" in seat.ask("pending"), "pending in words")
        said = seat.ask("arm", other)
        check("5 that wait keep" in said, "what becomes of them:", said)
        for i in range(5):
            stick.send(b"fast %d" % i, port, "127.0.0.7")
        first = robot.take_all(5)
        check(len(first) == 5, "what came:", first)
        before = [seat.ask("--json", "status").count("steered")]
        for words, why in (
                (["set", "far.delay", "much"], "much"),
                (["set", "nothing.delay", "1ms"], "nothing"),
                (["set", "far.delay", "1ms", "far.nonsense", "2"], "nonsense"),
                (["arm", write("bad.ini", "[arm]\nseed = x\n")], "bad.ini:2"),
                (["arm", write("more.ini", arm(port, "", more="[uplink b]\nport = 9"))], "channels"),
                (["trial", "start", "a b"], "blank"),
                (["trial", "start", "between-1"], "between"),
                (["trial", "start", "1"], "already"),
                (["pending", "nobody"], "no stream nobody"),
                (["robot", "not an address"], "no address"),
                (["dance"], "dance"), (["trial"], "trial"),
                (["set", "one"], "set SECTION")):
            err = seat.ask(*words, status=2)
            check(why in err, words, "says", err)
        same([seat.ask("--json", "status").count("steered")], before,
             "the arm after refusals")
        same(seat.ask("trial", "start"), "trial 2 began\n", "the next number")
        seat.ask("arm", os.path.join(SCRATCH, "no-such.ini"), status=2)
        run.end(signal.SIGINT)
    same(command("verify", folder)[::2], (0, ""), "verify")
    reset = [r for r in rows(folder) if r["by"] == "reset"]
    same(len(reset), 5, "what the reset took")


def clients():
    """Slow, silent and malformed ones keep nobody from anything."""
    port, = free_ports(1)
    seat = Seat()
    with Run(arm(port, "far"), "--control", seat.path) as run:
        silent = [seat.connect() for _ in range(40)]
        half = seat.connect()
        half.send(b"stat")
        for garbage in (b"\0\n", b"\xff\xfe\n", b"mark \n", b'"\n', b"\n",
                        b'set "a\n', b'status"x\n', b"x" * 5000 + b"\n",
                        b"a " * 200 + b"\n", b'"\\q"\n'):
            client = seat.connect()
            client.send(garbage)
            answer = json.loads(client.makefile().readline())
            same(answer["ok"], False, garbage)
            check(answer["error"][0], "no reason for", garbage)
        long = seat.connect()
        try:
            long.sendall(b"y" * 200000)
        except OSError:
            pass
        check("65535" in (long.makefile().readline() or "65535"),
              "a line that is too long")
        greedy = seat.connect()
        greedy.setblocking(False)
        sent = 0
        try:
            for _ in range(20000):
                sent += greedy.send(b"status\n")
        except OSError:
            pass
        check(sent > 1000, "sent", sent)
        client = seat.connect()
        client.send(b"help\nstatus\r\nmark quoted \"as it is\"\n")
        answers = client.makefile()
        lines = [json.loads(answers.readline()) for _ in range(3)]
        same([line["ok"] for line in lines], [True] * 3, "answers in order")
        check("trial start [ID]" in lines[0]["orders"], "help", lines[0])
        check(run.high_water() < 1 << 30, "memory", run.high_water())
        for client in silent:
            client.close()
        same(seat.status()["state"], "running", "state")
        run.end()


def places():
    """Where the socket is, for whom, and when it goes."""
    port, = free_ports(1)
    seat = Seat()
    text = arm(port, "")
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(seat.path)
    stale.close()
    with Run(text, "--control", seat.path) as run:
        mode = os.stat(seat.path).st_mode
        same((stat.S_ISSOCK(mode), stat.S_IMODE(mode)), (True, 0o660), "mode")
        status, _, err = command("run", write("two.ini", arm(1, "")),
                                 "--control", seat.path)
        same((status, "another run" in err), (2, True), f"a second run: {err}")
        run.end()
    check(not os.path.exists(seat.path), "the socket is there still")
    write("file.sock", "mine")
    status, _, err = command("run", write("two.ini", text), "--control",
                             os.path.join(SCRATCH, "file.sock"))
    same((status, "no socket" in err), (2, True), f"a file there: {err}")
    same(open(os.path.join(SCRATCH, "file.sock")).read(), "mine", "the file")
    with Run(text + "[control]\nsocket = off\n") as run:
        check("farlink ctl reaches" not in run.stderr(), run.stderr())
        run.end()
    status, _, err = command("ctl", "--socket", "/nowhere/s", "status")
    same((status, "is there a run?" in err), (2, True), f"no run: {err}")
    with Run(text + "[control]\ngroup = nobody-has-this\n", "--control",
             seat.path, may_end=True) as run:
        run.wait(2)
        check("nobody-has-this" in run.stderr(), run.stderr())


def another_robot():
    """The one that is left is stopped, and the guard knows the new one."""
    port, = free_ports(1)
    old, new = Peer("127.0.0.9", port), Peer("127.0.0.10", port)
    folder = os.path.join(SCRATCH, "moved")
    seat = Seat()
    text = arm(port, "far", more="[safety]\non_start = 2\non_exit = 3\n")
    with Run(text, "--record", folder, "--control", seat.path) as run:
        same(old.take_all(2), [STOP] * 2, "stops at the start")
        stick = Peer()
        stick.send(b"go", port, "127.0.0.7")
        same(old.take(), b"go", "a command")
        stick.send(b"go on", port, "127.0.0.7")
        await_that("one waits",
                   lambda: seat.status()["channels"][0]["in"] == 2)
        err = seat.ask("robot", "127.0.0.7", status=2)
        check("this proxy itself" in err, "a robot that is the proxy:", err)
        seat.ask("robot", "127.0.0.10")
        left = old.take_all(4, 0.5)
        same([p for p in left if p != b"go on"], [STOP] * 3,
             "stops for the robot that is left")
        same(new.take_all(2), [STOP] * 2, "stops for the new one")
        check(new.silent(), "a command for the other robot came")
        stick.send(b"here", port, "127.0.0.7")
        same(new.take(), b"here", "a command")
        same(seat.status()["robot"].split(":")[0], "127.0.0.10", "robot")
        run.kill(signal.SIGKILL)
        run.wait(None)
        same(new.take_all(3), [STOP] * 3, "stops of the guard")
        check(old.silent(), "the old robot is sent something")
    moved = [e for e in rows(folder, "events.csv") if e["event"] == "robot"]
    same([e["detail"] for e in moved], ["127.0.0.10"], "event")


def hostile_orders():
    """What is no text and what is no file are refused, and the run goes on; a
    change that no packet comes after is verified.
    """
    port, = free_ports(1)
    folder = os.path.join(SCRATCH, "hostile")
    pipe = os.path.join(SCRATCH, "pipe.ini")
    os.mkfifo(pipe)
    seat = Seat()
    with Run(arm(port, "far"), "--record", folder,
             "--control", seat.path) as run:
        with seat.connect() as client:
            lines = client.makefile("rb")
            for line in (b"trial start \xff\xfe\n", b"mark \xc3\n",
                         b"arm \xff.ini\n", b"arm %s\n" % pipe.encode()):
                client.sendall(line)
                same(json.loads(lines.readline())["ok"], False, line)
        names = write("names.ini", arm(port, "old", more="[condition old]\n"
                                       f"type = replay\nfile = {pipe}\n"))
        check("no file" in seat.ask("arm", names, status=2),
              "an arm that names a pipe")
        stick = Peer()
        stick.send(b"go", port, "127.0.0.7")
        await_that("one has come",
                   lambda: seat.status()["channels"][0]["in"] == 1)
        seat.ask("set", "arm.trials", "derived")
        seat.ask("trial", "start", "B")
        seat.ask("set", "arm.seed", "12")
        seat.ask("stop")
        run.wait()
    same(command("verify", folder)[0], 0, "verify's exit status")


main(three_arms_six_trials, within_a_trial, clients, places, another_robot,
     hostile_orders)
