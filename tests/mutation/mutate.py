#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mutate.py - is a change of the kernel noticed by its unit tests?
#
# Floor: tests.
#
# Usage: mutate.py BUILD SOURCE [--mutants N] [--seed N] [--only PART] [--again]
#
# How it works: the kernel is built twice as a shared library, once as it is and
# once with counters.  The unit tests run with the counters first, so that it is
# known which program reaches which line.  Then each mutant, one change in one
# place (sites.py), is compiled and linked into a library of its own, and the
# programs that reach its line run with it, until one fails or is out of time:
# caught.  A mutant that compiles to the same code is none,
# nor is one that equivalent.txt gives a reason for.

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

from sites import sites_of

BOUND = 0.9
FLAGS = ["-std=c11", "-ffp-contract=off", "-fPIC", "-w", "-pthread"]
SHOWN = ("CC", "DEFS", "AM_CPPFLAGS", "CPPFLAGS", "PCAP_LIBS", "INIH_LIBS",
         "CRITERION_LIBS", "LIBS", "libpure_a_SOURCES",
         "libworkbench_a_SOURCES", "pure_tests")
MEMORY = 8 << 30
PRINTING = threading.Lock()


def say(text):
    with PRINTING:
        print(text, flush=True)


class Run:
    """What is built where, and what each test reaches."""

    def __init__(self, args):
        self.build = os.path.abspath(args.build)
        self.top = os.path.abspath(args.source)
        self.work = os.path.join(self.build, "mutation")
        self.jobs, self.patience = args.jobs, args.patience
        self.make = self.ask_make()
        self.kernel = [f for f in self.make["libpure_a_SOURCES"].split()
                       if f.endswith(".c")]
        self.tests = [os.path.basename(t)
                      for t in self.make["pure_tests"].split()]
        self.reach = {}         # (file, line) -> names of tests
        self.seconds = {}       # name of a test -> how long it takes

    def ask_make(self):
        text = "include Makefile\n" + "".join(
            f"$(info {name}={'$(' + name + ')'})\n" for name in SHOWN)
        out = subprocess.run(
            ["make", "-s", "-f", "-", "asked"], cwd=self.build, text=True,
            input=text + "asked: ; @:\n", check=True,
            stdout=subprocess.PIPE).stdout
        shown = dict(line.split("=", 1) for line in out.split("\n")
                     if line.split("=", 1)[0] in SHOWN)
        # as the makefile has them: relative to the build folder
        shown["flags"] = shlex.split(
            f"{shown['DEFS']} -I. {shown['AM_CPPFLAGS']} {shown['CPPFLAGS']}")
        shown["libs"] = shlex.split(
            f"{shown['PCAP_LIBS']} {shown['INIH_LIBS']} "
            f"{shown['CRITERION_LIBS']} {shown['LIBS']} -lm")
        return shown

    def call(self, words):
        done = subprocess.run(words, cwd=self.build, text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def compile(self, source, into, more):
        return self.call(shlex.split(self.make["CC"]) + FLAGS + more +
                         self.make["flags"] + ["-c", "-o", into, source])

    def must(self, result):
        if result[0]:
            sys.exit(result[1])

    def link(self, objects, into):
        return self.call(shlex.split(self.make["CC"]) +
                         ["-shared", "-o", into] + objects)

    def object(self, kind, file):
        return os.path.join(self.work, kind, file.replace("/", "-")[:-2] +
                            ".o")


def newest(run):
    """When a header, or what makes this, changed last."""
    when = os.path.getmtime(os.path.join(run.build, "config.h"))
    for folder in ("conditions", "src", "tests/unit"):
        for at, _, names in os.walk(os.path.join(run.top, folder)):
            for name in names:
                if name.endswith(".h"):
                    when = max(when,
                               os.path.getmtime(os.path.join(at, name)))
    return when


def build_all(run):
    """Both libraries and the tests, as far as they are older than sources."""
    headers = newest(run)
    jobs = []

    def wanted(source, into):
        return (not os.path.exists(into) or os.path.getmtime(into) <
                max(headers, os.path.getmtime(source)))

    for kind in ("plain", "counted", "tests", "counts", "mutants"):
        os.makedirs(os.path.join(run.work, kind), exist_ok=True)
    shared = [f for f in run.make["libworkbench_a_SOURCES"].split()
              if f.endswith(".c")]
    tests = [f"tests/unit/{t}.c" for t in run.tests]
    for kind, files, more in (
            ("plain", run.kernel, ["-O1"]),
            ("counted", run.kernel, ["-O0", "--coverage"]),
            ("tests", shared + tests, ["-O1"])):
        for file in files:
            source = os.path.join(run.top, file)
            into = run.object(kind, file)
            if wanted(source, into):
                jobs.append((source, into, more))
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        for result in pool.map(lambda job: run.compile(*job), jobs):
            run.must(result)
    for kind, more in (("plain", []), ("counted", ["--coverage"])):
        run.must(run.link([run.object(kind, f) for f in run.kernel] + more,
                          os.path.join(run.work, kind, "libpure.so")))
    common = [run.object("tests", f) for f in shared]
    for test, file in zip(run.tests, tests):
        into = os.path.join(run.work, "tests", test)
        if wanted(run.object("tests", file), into):
            run.must(run.call(shlex.split(run.make["CC"]) +
                              ["-o", into, run.object("tests", file)] +
                              common + ["-L" + os.path.join(run.work, "plain"),
                                        "-lpure"] + run.make["libs"]))


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def try_test(run, test, folder, seconds, more=None):
    """Whether a test passes with the library of a folder: True, False, or
    None when it is out of time."""
    env = dict(os.environ, LC_ALL="C", LD_LIBRARY_PATH=folder,
               top_srcdir=run.top, **(more or {}))
    child = subprocess.Popen(
        [os.path.join(run.work, "tests", test), "--jobs", "1", "--fail-fast"],
        env=env, cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=limits)
    try:
        return child.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        # the test's own children, if any are left, have its group
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def print_of(run, test):
    """What a test's counts hang on."""
    said = hashlib.sha256()
    for path in (os.path.join(run.work, "counted", "libpure.so"),
                 os.path.join(run.work, "tests", test)):
        with open(path, "rb") as file:
            said.update(file.read())
    return said.hexdigest()


def lines_of(run, folder):
    """Lines that the counters of a folder have seen."""
    seen = []
    names = []
    for at, _, files in os.walk(folder):
        for name in files:
            if not name.endswith(".gcda"):
                continue
            names.append(os.path.join(at, name))
            note = os.path.join(run.work, "counted", name[:-5] + ".gcno")
            shutil.copy(note, at)
    if not names:
        return seen
    out = subprocess.run(["gcov", "--json-format", "--stdout"] + names,
                         cwd=run.build, text=True, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for text in out.stdout.split("\n"):
        for file in json.loads(text)["files"] if text else ():
            name = os.path.relpath(os.path.join(run.build, file["file"]),
                                   run.top)
            seen += [[name, line["line_number"]] for line in file["lines"]
                     if line["count"]]
    return seen


def count(run, test):
    """Which lines a test reaches and how long it takes; kept for next time."""
    kept = os.path.join(run.work, "counts", test + ".json")
    mark = print_of(run, test)
    try:
        with open(kept) as file:
            known = json.load(file)
            if known["of"] == mark:
                return known
    except (OSError, ValueError):
        pass
    folder = os.path.join(run.work, "counts", test)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if not try_test(run, test, os.path.join(run.work, "counted"), 600,
                    {"GCOV_PREFIX": folder}):
        sys.exit(f"{test} fails without any mutant")
    known = {"of": mark, "lines": lines_of(run, folder)}
    begin = time.monotonic()
    if not try_test(run, test, os.path.join(run.work, "plain"), 600):
        sys.exit(f"{test} fails without any mutant")
    known["seconds"] = time.monotonic() - begin
    shutil.rmtree(folder)
    with open(kept, "w") as file:
        json.dump(known, file)
    return known


def count_all(run):
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        for test, known in zip(run.tests, pool.map(
                lambda test: count(run, test), run.tests)):
            run.seconds[test] = known["seconds"]
            for file, line in known["lines"]:
                run.reach.setdefault((file, line), set()).add(test)
                run.reach.setdefault((file, 0), set()).add(test)


def is_named_after(test, file):
    return bool(set(re.split("[-_]", test[:-len("_test")])) &
                set(re.split("[-_]", os.path.basename(file)[:-2])))


def reaching(run, site, counted):
    """Tests that may notice; for a table, which has no counts, those of the
    file.  Those named after the file come first, then the quick ones, and as
    many as there is patience for."""
    tests = run.reach.get((site.file, site.line), set())
    if not tests and (site.file, site.line) not in counted:
        # a statement over several lines is counted at one of them
        near = [run.reach.get((site.file, site.line - n), set())
                for n in (1, 2, 3) if (site.file, site.line - n) in counted]
        tests = near[0] if near else run.reach.get((site.file, 0), set()) | {
            test for test in run.tests if is_named_after(test, site.file)}
    chosen, seconds = [], 0.0
    for test in sorted(tests, key=lambda test: (
            not is_named_after(test, site.file), run.seconds[test])):
        seconds += run.seconds[test]
        if not chosen or seconds <= run.patience:
            chosen.append(test)
    return chosen


def try_mutant(run, number, site, counted):
    """"caught by …", "survived", "not reached", or None if it is no mutant."""
    folder = os.path.join(run.work, "mutants", str(number))
    tests = reaching(run, site, counted)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        with open(os.path.join(run.top, site.file)) as file:
            text = file.read()
        source = os.path.join(folder, os.path.basename(site.file))
        with open(source, "w") as file:
            file.write(text[:site.at] + site.new +
                       text[site.at + len(site.old):])
        into = os.path.join(folder, "mutant.o")
        # an assertion names its file: the original's, or no code is the same
        where = os.path.dirname(os.path.join(run.top, site.file))
        if run.compile(source, into, [
                "-O1", f"-fmacro-prefix-map={folder}={where}"])[0]:
            return None
        if same_code(run.object("plain", site.file), into):
            return None
        if not tests:
            return "not reached"
        run.must(run.link([into if f == site.file else run.object("plain", f)
                           for f in run.kernel],
                          os.path.join(folder, "libpure.so")))
        for test in tests:
            passes = try_test(run, test, folder,
                              10 + 6 * run.seconds[test])
            if not passes:
                return f"caught by {test}" + \
                    (", out of time" if passes is None else "")
        return "survived"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def same_code(one, other):
    def code(path):
        stripped = path + ".bare"
        subprocess.run(["objcopy", "--strip-all", "-R", ".comment", path,
                        stripped], check=True)
        with open(stripped, "rb") as file:
            return file.read()
    return code(one) == code(other)


def equivalents(run):
    """Mutants that cannot be caught: FILE, change, line, reason, parted by
    tabs."""
    known = set()
    path = os.path.join(run.top, "tests/mutation/equivalent.txt")
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                part = line.rstrip("\n").split("\t")
                if len(part) != 4 or not part[3]:
                    sys.exit(f"{path}: not FILE, change, line, reason: "
                             f"{line}")
                known.add(tuple(part[:3]))
    return known


def counted_lines(run):
    """All lines that have counters, reached or not."""
    out = subprocess.run(
        ["gcov", "--json-format", "--stdout"] +
        [run.object("counted", f)[:-2] + ".gcno" for f in run.kernel],
        cwd=run.build, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    lines = set()
    for text in out.stdout.split("\n"):
        for file in json.loads(text)["files"] if text else ():
            name = os.path.relpath(os.path.join(run.build, file["file"]),
                                   run.top)
            lines.update((name, line["line_number"]) for line in file["lines"])
    return lines


def draw(run, args):
    """All sites in the order in which they are tried; a change of the source
    elsewhere does not change it."""
    known = equivalents(run)
    sites = []
    for name in run.kernel:
        if args.only in name:
            with open(os.path.join(run.top, name)) as file:
                sites += sites_of(name, file.read())
    sites.sort(key=lambda site: hashlib.sha256(
        f"{args.seed} {site.key()} {site.column}".encode()).digest())
    if args.again:
        left = not_caught(run)
        sites = [site for site in sites if place_of(site) in left]
    return [site for site in sites if site.key() not in known], len(sites)


def place_of(site):
    return (*site.key(), str(site.column))


def not_caught(run):
    """Places that survived according to the last report."""
    with open(os.path.join(run.work, "report.txt")) as file:
        return {tuple(part[1:]) for part in
                (line.rstrip("\n").split("\t") for line in file)
                if not part[0].startswith("caught")}


def report(run, results, args):
    caught = sum(1 for _, said in results if said.startswith("caught"))
    with open(os.path.join(run.work, "report.txt"), "w") as file:
        for site, said in results:
            file.write("\t".join((said, *place_of(site))) + "\n")
    for site, said in results:
        if not said.startswith("caught"):
            say(f"{said}: {site}")
    rate = caught / len(results) if results else 0.0
    say(f"seed {args.seed}: {caught} of {len(results)} mutants caught, "
        f"{100 * rate:.1f} % (at least {100 * BOUND:.0f} % are wanted)")
    return rate >= BOUND


def try_all(run, sites, wanted, counted):
    """The first so many places that make a mutant, each with what became of
    it."""
    results = []
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        waiting, at = {}, 0
        while len(results) < wanted and (waiting or at < len(sites)):
            while at < len(sites) and \
                    len(waiting) < min(2 * run.jobs, wanted - len(results)):
                waiting[pool.submit(try_mutant, run, at, sites[at],
                                    counted)] = at
                at += 1
            done, _ = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for job in done:
                site = sites[waiting.pop(job)]
                if job.result():
                    results.append((site, job.result()))
                    say(f"{len(results):5} {job.result():30} {site}")
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true",
                        help="only what the last report says was not caught")
    parser.add_argument("--patience", type=float, default=60.0,
                        help="seconds of tests for one mutant")
    args = parser.parse_args()
    run = Run(args)
    build_all(run)
    count_all(run)
    counted = counted_lines(run)
    sites, total = draw(run, args)
    say(f"seed {args.seed}: {args.mutants} of {total} places in "
        f"{len(run.kernel)} files, {len(run.tests)} test programs")
    results = try_all(run, sites, args.mutants, counted)
    return 0 if report(run, results, args) else 1


if __name__ == "__main__":
    sys.exit(main())
