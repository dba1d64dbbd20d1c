# SPDX-License-Identifier: GPL-2.0-or-later
#
# study.py - a study of three arms, interrupted in all ways, and its log
#
# Trials run in loopback mode for a moment each; those that are interrupted
# would last for a minute.  Nothing depends on when a run is done with what.

import csv
import json
import os
import signal
import subprocess

from stand import (FARLINK, SCRATCH, Run, await_that, check, children,
                   command, free_ports, main, sane, same)

NAMES = "alpha", "beta", "gamma"
SHORT = "--loopback", "--for", "200ms"
LONG = "--loopback", "--for", "60s"


class Study:
    """A folder with a study file and its arms."""

    n = 0

    def __init__(self, more="", order="list"):
        Study.n += 1
        self.folder = os.path.join(SCRATCH, f"study-{Study.n}")
        os.mkdir(self.folder)
        port = free_ports(1)[0]
        for name in NAMES:
            self.write(f"{name}.ini", f"[arm]\nname = {name}\n[link]\n"
                       f"robot = 192.0.2.1\n[uplink command]\nport = {port}\n"
                       "chain = late\n[condition late]\ntype = delay\n"
                       "delay = 10ms\n")
        self.file = self.write(
            "study.ini", "[study]\nname = try\n"
            "arms = alpha.ini, beta.ini, gamma.ini\n"
            f"participants = P01-P06\norder = {order}\n{more}")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def __call__(self, *words, status=0):
        """farlink study FILE WORDS: stdout and stderr."""
        found, out, err = command("study", self.file, *words)
        same(found, status, "exit status of", *words, err)
        return out, err

    def log(self):
        path = os.path.join(self.folder, "study-log.csv")
        if not os.path.exists(path):
            return []
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    def events(self, who="P01"):
        return [(row["trial"], row["event"]) for row in self.log()
                if row["participant"] == who]

    def path(self, name):
        return os.path.join(self.folder, name)

    def begin(self, who="P01"):
        """A trial that lasts; returns when it runs."""
        before = len(self.log())
        child = subprocess.Popen(
            [FARLINK, "study", self.file, "next", who, "--start", *LONG],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        children.append(child)
        await_that("a row of the log", lambda: len(self.log()) > before)
        record = self.log()[-1]["record"]
        await_that("a running trial", lambda: "trial-start" in
                   text(os.path.join(record, "events.csv")))
        return child, record


def text(path):
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def a_plan_is_balanced_and_printed_three_ways():
    study = Study(order="latin-square")
    table = [line.split() for line in study("plan")[0].splitlines()]
    same(table[0], ["participant", "1", "2", "3"])
    same([row[0] for row in table[1:]], [f"P0{n}" for n in range(1, 7)])
    for place in 1, 2, 3:
        same(sorted(row[place] for row in table[1:]), sorted(NAMES * 2))
    after = sorted(pair for row in table[1:]
                   for pair in zip(row[1:], row[2:]))
    same(after, sorted(2 * [(a, b) for a in NAMES for b in NAMES if a != b]))
    flat = [[row["participant"], row["position"], row["arm"]] for row in
            csv.DictReader(study("plan", "--format", "csv")[0].splitlines())]
    same(flat, [[row[0], str(place), row[place]] for row in table[1:]
                for place in (1, 2, 3)])
    whole = json.loads(study("plan", "--format", "json")[0])
    same([[one["participant"]] + [t["arm"] for t in one["trials"]]
          for one in whole["participants"]], table[1:])
    same(study("plan"), study("plan"), "it is the same each time")
    same(study.log(), [], "nothing was started")


def faults_are_told_before_anything_starts():
    study = Study()
    study.write("beta.ini", "[arm]\nname = beta\n[nonsense]\n")
    err = study("plan", status=2)[1]
    check("beta.ini:3: " in err, "the arm's fault and line:", err)
    study("next", "P01")
    study("next", "P01", "--start", *SHORT)
    err = study("next", "P01", "--start", *SHORT, status=2)[1]
    check("beta.ini:3: " in err, err)
    same(len(study.log()), 2, "what cannot start is not begun")
    err = study("next", "P99", status=2)[1]
    check("P99" in err and "P01-P06" in err, err)
    err = study("done", "P02", status=2)[1]
    check("no record" in err, err)
    err = study("redo", "P02", "--why", "x", status=2)[1]
    check("P02 has no trial" in err, err)
    err = study("redo", "P01", "2", "--why", "x", status=2)[1]
    check("P01-2-beta is not done" in err, err)
    study("redo", "P01", status=2)
    study("plan", "--start", status=2)
    study("next", status=2)
    study("nonsense", status=2)
    found, _, err = command("study", study.path("none.ini"), "plan")
    same(found, 2)
    check("none.ini" in err, err)


def a_study_in_the_present_folder_needs_no_name():
    study = Study()
    done = subprocess.run([FARLINK, "study", "next", "P02"], cwd=study.folder,
                          capture_output=True, text=True, timeout=10)
    same(done.returncode, 0, done.stderr)
    check("trial   P02-1-alpha (1 of 3)\n" in done.stdout, done.stdout)
    check("run     farlink run alpha.ini --record records/P02-1-alpha "
          "--trial P02-1-alpha\n" in done.stdout, done.stdout)


def trials_follow_each_other_to_the_end():
    study = Study()
    for place, name in enumerate(NAMES):
        out = study("next", "P01", "--start", *SHORT)[0]
        trial = f"P01-{place + 1}-{name}"
        check(f"trial   {trial} " in out, out)
        record = study.path(f"records/{trial}")
        same([t["trial"] for t in
              json.loads(text(record + "/summary.json"))["trials"]], [trial])
        last = study.log()[-1]
        same((last["event"], last["trial"], last["record"]),
             ("ended", trial, record))
        check(last["verdict"] in ("valid", "doubtful", "invalid"),
              last["verdict"])
        same(last["sha256"], json.loads(
            text(record + "/manifest.json"))["arm"]["sha256"])
    err = study("next", "P01", "--start", *SHORT, status=2)[1]
    check("P01 is finished" in err, err)
    study("done", "P01", status=2)
    check("1 of 6 participants finished" in study("status")[0])


def a_killed_study_leaves_a_trial_that_comes_again():
    study = Study()
    child, record = study.begin()
    child.kill()
    child.wait()
    child.stderr.close()
    await_that("the end of the run, which nobody waits for",
               lambda: text(record + "/summary.json"))
    same(study.events(), [("P01-1-alpha", "started")])
    before = text(record + "/events.csv")
    out, err = study("next", "P01", "--start", *SHORT)
    check("never ended" in err and record in err, err)
    check("records/P01-1-alpha-2" in out, out)
    same(study.events(), [("P01-1-alpha", "started"),
                          ("P01-1-alpha", "started"),
                          ("P01-1-alpha", "ended")])
    same(text(record + "/events.csv"), before, "the earlier record is kept")
    check("P01-2-beta" in study("next", "P01")[0])


def an_interrupted_trial_is_aborted_and_comes_again():
    study = Study()
    for number in signal.SIGINT, signal.SIGTERM:
        child, record = study.begin()
        child.send_signal(number)
        _, err = child.communicate(timeout=20)
        sane(err.decode())
        same(child.returncode, 1, err)
        check(text(record + "/summary.json"), "its record is complete")
        same(study.log()[-1]["event"], "aborted")
        check("stopped early" in study.log()[-1]["note"], study.log()[-1])
    check("P01-1-alpha-3" in study("next", "P01")[0])
    check("again: aborted" in study("status")[0])


def one_experimenter_at_a_time():
    study = Study()
    child, _ = study.begin()
    for words in (("next", "P02", "--start", *SHORT), ("done", "P01"),
                  ("redo", "P01", "--why", "x")):
        err = study(*words, status=2)[1]
        check("another farlink study has it" in err, err)
    check("started" in study("status")[0], "to look is allowed")
    study("next", "P02")
    same(len(study.log()), 1)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=20)
    study("next", "P02", "--start", *SHORT)


def a_changed_arm_is_refused_unless_it_is_meant():
    study = Study()
    study("next", "P01", "--start", *SHORT)
    with open(study.path("alpha.ini"), "a") as file:
        file.write("; changed\n")
    for words in ("plan",), ("next", "P02"), ("next", "P02", "--start"):
        err = study(*words, status=2)[1]
        check("alpha.ini: changed since P01-1-alpha" in err and
              "--changed" in err, err)
    same(len(study.log()), 2)
    study("next", "P02", "--start", "--changed", *SHORT)
    same(study.log()[-2]["note"], "--changed")
    check(study.log()[-1]["sha256"] != study.log()[0]["sha256"])
    study("next", "P03")  # compared with the latest
    # another one has not changed
    study("next", "P01", "--start", *SHORT)


def a_changed_order_is_refused():
    study = Study()
    study("next", "P01", "--start", *SHORT)
    changed = text(study.file).replace("alpha.ini, beta.ini",
                                       "beta.ini, alpha.ini")
    study.write("study.ini", changed)
    err = study("next", "P01", status=2)[1]
    check("study-log.csv:2: " in err and "P01-1-beta" in err, err)
    study.write("study.ini", changed + "[participant P01]\n"
                "order = alpha, beta, gamma\n")
    check("P01-2-beta" in study("next", "P01")[0])


def redo_needs_a_reason_and_brings_the_trial_back():
    study = Study()
    for _ in range(2):
        study("next", "P01", "--start", *SHORT)
    study("redo", "P01", "P01-1-alpha", "--why", "headset, \"fell\"\noff")
    out, err = study("next", "P01", "--start", *SHORT)
    check("P01-1-alpha-2" in out and "fell" in err, out, err)
    check("P01-3-gamma" in study("next", "P01")[0])
    study("redo", "P01", "--why", "the latest")
    same(study.events()[-1], ("P01-1-alpha", "redo"))
    study("next", "P01", "--start", *SHORT)
    study("redo", "P01", "2", "--why", "by number")
    same(study.events()[-1], ("P01-2-beta", "redo"))
    same([row["note"] for row in study.log() if row["event"] == "redo"][0],
         "headset, \"fell\"\noff")


def a_trial_that_was_run_by_hand_is_done():
    study = Study()
    os.mkdir(study.path("records"))
    record = study.path("records/P01-1-alpha")
    err = study("done", "P01", status=2)[1]
    check(f"no record of it in {record};" in err, err)
    run = ("--loopback", "--for", "100ms")
    command("run", study.path("beta.ini"), "--record", record, "--trial",
            "P01-1-alpha", *run)
    err = study("done", "P01", status=2)[1]
    check("the record of another arm" in err, err)
    second = study.path("records/P01-1-alpha-2")
    command("run", study.path("alpha.ini"), "--record", second, "--trial",
            "wrong", *run)
    err = study("done", "P01", "--record", second, status=2)[1]
    check("no trial of that id" in err, err)
    third = study.path("records/third")
    command("run", study.path("alpha.ini"), "--record", third, "--trial",
            "P01-1-alpha", *run)
    study("done", "P01", "--record", third, "--why", "by hand")
    last = study.log()[-1]
    same((last["event"], last["record"], last["note"]),
         ("ended", third, "by hand"))
    os.unlink(third + "/summary.json")
    study("redo", "P01", "--why", "once more")
    err = study("done", "P01", "--record", third, status=2)[1]
    check("no complete record" in err, err)


def trials_are_started_in_a_running_proxy():
    study = Study()
    record, at = study.path("all"), study.path("socket")
    ctl = "--ctl", "--socket", at
    arm = text(study.path("gamma.ini"))
    with Run(arm, "--loopback", "--trial", "none", "--control", at,
             "--record", record, stderr=subprocess.DEVNULL) as run:
        await_that("a socket", lambda: os.path.exists(at))
        out = study("next", "P01", "--start", *ctl)[0]
        check("trial   P01-1-alpha " in out, out)
        status = json.loads(command("ctl", "--socket", at, "status",
                                    "--json")[1])["status"]
        same((status["trial"]["id"], status["arm"]["name"]),
             ("P01-1-alpha", "alpha"))
        same(study.events(), [("P01-1-alpha", "started")])
        study("redo", "P01", "--why", "the headset fell off", *ctl)
        out = study("next", "P01", "--start", *ctl)[0]
        check("trial   P01-1-alpha-2 " in out, out)
        study("done", "P01", *ctl)
        study("done", "P01", *ctl, status=2)  # the next one is not begun
        study("next", "P01", "--start", *ctl)
        study("done", "P01", *ctl)
        same([event for _, event in study.events()],
             ["started", "redo", "started", "ended", "started", "ended"])
        run.end()
    err = study("next", "P01", "--start", *ctl, status=2)[1]
    check(at in err and "not started" in err, err)
    same(study.events()[-1], ("P01-3-gamma", "aborted"))
    trials = [t["trial"] for t in
              json.loads(text(record + "/summary.json"))["trials"]]
    same([t for t in trials if t.startswith("P01")],
         ["P01-1-alpha", "P01-1-alpha-2", "P01-2-beta"])
    found, _, err = command("verify", record)
    same(found, 0, err)
    study("next", "P01", *ctl, status=2)
    study("next", "P01", "--start", "--socket", at, status=2)


def who_withdrew_is_let_alone():
    study = Study("[participant P02]\nwithdrawn = yes\nnote = unwell\n")
    err = study("next", "P02", "--start", *SHORT, status=2)[1]
    check("study.ini:6: P02 has withdrawn: unwell" in err, err)
    check("withdrawn" in study("status")[0])
    same(study.log(), [])


def a_row_that_was_cut_off_is_passed_over():
    study = Study()
    study("next", "P01", "--start", *SHORT)
    whole = text(study.path("study-log.csv"))
    for piece in ("2026-08-17T09:00:00Z,P01,2,P01-2",
                  "2026-08-17T09:00:00Z,P01,2,\"P01-2"):
        study.write("study-log.csv", whole + piece)
        out, err = study("next", "P01")
        check("study-log.csv:4: this row is cut off" in err, err)
        check("P01-2-beta" in out, out)
        study("next", "P01", "--start", *SHORT)
        check(text(study.path("study-log.csv")).startswith(whole + piece),
              "nothing is taken away")
        check("P01-3-gamma" in study("next", "P01")[0])
    study.write("study-log.csv", "a,b\n")
    err = study("status", status=2)[1]
    check("no log of a study" in err, err)


if __name__ == "__main__":
    main(a_plan_is_balanced_and_printed_three_ways,
         faults_are_told_before_anything_starts,
         a_study_in_the_present_folder_needs_no_name,
         trials_follow_each_other_to_the_end,
         a_killed_study_leaves_a_trial_that_comes_again,
         an_interrupted_trial_is_aborted_and_comes_again,
         one_experimenter_at_a_time,
         a_changed_arm_is_refused_unless_it_is_meant,
         a_changed_order_is_refused,
         redo_needs_a_reason_and_brings_the_trial_back,
         a_trial_that_was_run_by_hand_is_done,
         trials_are_started_in_a_running_proxy,
         who_withdrew_is_let_alone,
         a_row_that_was_cut_off_is_passed_over)
