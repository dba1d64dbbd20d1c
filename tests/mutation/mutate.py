#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mutate.py - is a change of the kernel noticed by its unit tests?
#
# Floor: tests.
#
# Usage: mutate.py BUILD SOURCE [--mutants N] [--seed N] [--only PART] [--again]
#
# How it works: the kernel is built once with a switch for each change
# (switches.py), so that a mutant is an environment variable.  Each test runs
# once by itself and marks the changes that would have made a difference to a
# value; the tests that marked a mutant run with it, until one fails or is out
# of time: caught.  Where a constant must stand, in a table or a case, there can
# be no switch, and such a mutant is compiled by itself.  What survives is tried
# once more with the sanitizers, under which the tests run too, unless it
# compiles to the same code: then it is no mutant, nor is one that
# equivalent.txt gives a reason for.

import argparse
import concurrent.futures
import hashlib
import mmap
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
from switches import switched

BOUND = 0.9
HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS = ["-std=gnu11", "-ffp-contract=off", "-fPIC", "-w", "-Werror=vla",
         "-fwrapv", "-pthread", "-O1", "-ftrack-macro-expansion=0", "-I" + HERE]
# kind of build: whether its kernel has switches, and what it is compiled with
KINDS = {"plain": (False, []), "switched": (True, []),
         "checked": (False, CHECKS),
         "switched-checked": (True, CHECKS + ["-DMUTATION_CHECKED"])}
SHOWN = ("CC", "DEFS", "AM_CPPFLAGS", "CPPFLAGS", "PCAP_LIBS", "INIH_LIBS",
         "CRITERION_LIBS", "LIBS", "libpure_a_SOURCES",
         "libworkbench_a_SOURCES", "pure_tests")
MEMORY = 8 << 30
SLOWER = 15     # than alone and unchanged: then it does not end
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
        self.kernel = self.sources("libpure_a_SOURCES")
        self.bench = self.sources("libworkbench_a_SOURCES")
        self.tests = [os.path.basename(t)
                      for t in self.make["pure_tests"].split()]
        self.sites, self.single = [], set()
        for file in self.kernel:
            self.sites += sites_of(file, self.read(file))
        self.cases = []         # (seconds, program, case, marks)

    def sources(self, name):
        return [f for f in self.make[name].split() if f.endswith(".c")]

    def read(self, file):
        with open(os.path.join(self.top, file)) as stream:
            return stream.read()

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
                              env=dict(os.environ, LC_ALL="C"),
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def compile(self, file, source, into, more):
        """A file of the tree, or what is made of it."""
        folder = os.path.dirname(os.path.join(self.top, file))
        if source != os.path.join(self.top, file):
            # an assertion names its file: the original's
            more = more + [f"-fmacro-prefix-map={os.path.dirname(source)}="
                           f"{folder}", "-iquote", folder]
        return self.call(shlex.split(self.make["CC"]) + FLAGS + more +
                         self.make["flags"] + ["-c", "-o", into, source])

    def must(self, result):
        if result[0]:
            sys.exit(result[1])

    def link(self, kind, objects, into):
        self.must(self.call(shlex.split(self.make["CC"]) + KINDS[kind][1] +
                            ["-shared", "-o", into] + objects))

    def object(self, kind, file):
        return os.path.join(self.work, kind, file.replace("/", "-")[:-2] +
                            ".o")


def print_of(run):
    """What all that is kept hangs on."""
    said = hashlib.sha256(repr(sorted(run.make.items())).encode())
    for folder in ("conditions", "src", "tests/unit", "tests/mutation"):
        for at, _, names in sorted(os.walk(os.path.join(run.top, folder))):
            for name in sorted(names):
                if name.endswith((".h", "switches.py", "sites.py", "switch.c")):
                    with open(os.path.join(at, name), "rb") as file:
                        said.update(file.read())
    return said.hexdigest()


def compile_once(run, kind, file, headers):
    """Compile unless it is there already; for a kernel with switches, without
    those that the compiler does not take."""
    into = run.object(kind, file)
    source = os.path.join(run.top, file)
    mark = hashlib.sha256((headers + run.read(file)).encode()).hexdigest()
    try:
        with open(into + ".of") as kept:
            known, *bad = kept.read().split()
        if known == mark:
            return {int(line) for line in bad}
    except OSError:
        pass
    is_switched = KINDS[kind][0] and file in run.kernel
    bad = set()
    for _ in range(20):
        if is_switched:
            sites = [(n, site) for n, site in enumerate(run.sites)
                     if site.file == file and site.line not in bad]
            os.makedirs(into[:-2], exist_ok=True)
            source = os.path.join(into[:-2], os.path.basename(file))
            with open(source, "w") as stream:
                stream.write(switched(run.read(file), sites))
        status, said = run.compile(file, source, into, KINDS[kind][1])
        lines = {int(n) for n in re.findall(
            re.escape(source) + r":(\d+):\d+: error", said)}
        if not status or not is_switched or not lines - bad:
            break
        bad |= lines
    run.must((status, said))
    with open(into + ".of", "w") as kept:
        kept.write(" ".join([mark, *map(str, sorted(bad))]))
    return bad


def build_all(run):
    """The libraries and the tests, as far as they are not built yet."""
    headers = print_of(run)
    tests = [f"tests/unit/{test}.c" for test in run.tests]
    switch = "tests/mutation/switch.c"
    for kind in (*KINDS, "mutants"):
        os.makedirs(os.path.join(run.work, kind), exist_ok=True)
    jobs = [(kind, file) for kind in KINDS for file in run.kernel + [switch]]
    jobs += [(kind, file) for kind in ("plain", "checked")
             for file in run.bench + tests]
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        bad = list(pool.map(lambda job: compile_once(run, *job, headers),
                            jobs))
    lines = {(file, line) for (_, file), some in zip(jobs, bad)
             for line in some}
    run.single = {n for n, site in enumerate(run.sites)
                  if (site.file, site.line) in lines}
    for kind in KINDS:
        run.link(kind, [run.object(kind, f) for f in run.kernel + [switch]],
                 os.path.join(run.work, kind, "libpure.so"))
    for kind in ("plain", "checked"):
        for test, file in zip(run.tests, tests):
            run.must(run.call(
                shlex.split(run.make["CC"]) + KINDS[kind][1] +
                ["-o", os.path.join(run.work, kind, test)] +
                [run.object(kind, f) for f in [file] + run.bench] +
                ["-L" + os.path.join(run.work, kind), "-lpure"] +
                run.make["libs"]))


def limit(is_checked, seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # what turns in a circle ends even if nobody is left to end it
    resource.setrlimit(resource.RLIMIT_CPU, 2 * (int(seconds) + 2,))
    # the address sanitizer reserves terabytes; it has a limit of its own
    if not is_checked:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def try_test(run, kind, test, cases, seconds, env):
    """Whether cases of a test pass with a library: True, False, or None when
    they are out of time."""
    folder = os.path.join(run.work, kind)
    is_checked = kind.endswith("checked")
    env = dict(os.environ, LC_ALL="C", LD_LIBRARY_PATH=folder,
               ASAN_OPTIONS=f"hard_rss_limit_mb={MEMORY >> 20}",
               top_srcdir=run.top, **env)
    child = subprocess.Popen(
        [os.path.join(run.work, "checked" if is_checked else "plain", test),
         "--jobs", "1", "--fail-fast", "--filter", cases],
        env=env, cwd=run.work, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=lambda: limit(is_checked, seconds))
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


def cases_of(run, test):
    """Names of a test's cases, as suite/case."""
    done = subprocess.run(
        [os.path.join(run.work, "plain", test), "--list"], text=True,
        check=True, stdout=subprocess.PIPE, cwd=run.work, env=dict(
            os.environ, LD_LIBRARY_PATH=os.path.join(run.work, "plain"),
            top_srcdir=run.top))
    suite, found = None, []
    for line in re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).split("\n"):
        match = re.match(r"(\S+): \d+ test", line)
        if match:
            suite = match[1]
        elif match := re.match(r"[├└]── (\S+)", line):
            found.append(f"{suite}/{match[1]}")
    return found


def mark(run, job):
    """What a case marks, and how long it takes."""
    test, case = job
    name = os.path.join(run.work, "mutants", f"marks-{case.replace('/', '-')}")
    with open(name, "wb+") as file:
        file.truncate(len(run.sites))
        begin = time.monotonic()
        if not try_test(run, "switched", test, case, 600,
                        {"MUTANT_MARKS": name}):
            sys.exit(f"{test}: {case} fails without any mutant")
        seconds = time.monotonic() - begin
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as marks:
            marked = {n for n, byte in enumerate(marks[:]) if byte}
    os.unlink(name)
    return seconds, test, case, marked


def mark_all(run):
    jobs = [(test, case) for test in run.tests for case in cases_of(run, test)]
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        run.cases = sorted(pool.map(lambda job: mark(run, job), jobs),
                           key=lambda case: case[0])


def is_named_after(test, file):
    return bool(set(re.split("[-_]", test[:-len("_test")])) &
                set(re.split("[-_]", os.path.basename(file)[:-2])))


def noticing(run, number):
    """Programs with those of their cases that may notice, in the order in
    which they are tried, as far as there is patience: (program, filter,
    seconds).  A table has no switches: who goes through its file may."""
    site = run.sites[number]
    wanted = {number} if number not in run.single else {
        n for n, other in enumerate(run.sites) if other.file == site.file}
    found = {}
    for seconds, test, case, marked in run.cases:
        if marked & wanted or number in run.single and \
                is_named_after(test, site.file):
            # most of it is the program's own start, which comes once
            total, names = found.get(test, (run.cases[0][0], []))
            found[test] = (total + seconds - run.cases[0][0], names + [case])
    chosen, spent = [], 0.0
    for test, (seconds, names) in sorted(found.items(), key=lambda item: (
            not is_named_after(item[0], site.file), item[1][0])):
        spent += seconds
        if not chosen or spent <= run.patience:
            suites = {name.split("/")[0] for name in names}
            chosen.append((test, "@({})/@({})".format(
                "|".join(suites),
                "|".join(name.split("/")[1] for name in names)), seconds))
    return chosen


def try_cases(run, kind, cases, env):
    """"caught by …", or None."""
    for test, names, seconds in cases:
        passes = try_test(run, kind, test, names, 5 + SLOWER * seconds, env)
        if not passes:
            return f"caught by {test}" + \
                (", out of time" if passes is None else "") + \
                (", checked" if kind.endswith("checked") else "")
    return None


def alone(run, number, kind):
    """Compile a mutant by itself; whether it is one."""
    site = run.sites[number]
    folder = os.path.join(run.work, "mutants", str(number))
    os.makedirs(folder, exist_ok=True)
    text = run.read(site.file)
    source = os.path.join(folder, os.path.basename(site.file))
    with open(source, "w") as file:
        file.write(text[:site.at] + site.new + text[site.at + len(site.old):])
    into = os.path.join(folder, "mutant.o")
    if run.compile(site.file, source, into, KINDS[kind][1])[0] or \
            kind == "plain" and same_code(run.object(kind, site.file), into):
        return False
    others = [run.object(kind, f) for f in run.kernel
              if f != site.file] + [run.object(kind, "tests/mutation/switch.c")]
    run.link(kind, others + [into], os.path.join(folder, "libpure.so"))
    return True


def same_code(one, other):
    def code(path):
        stripped = f"{path}-{threading.get_ident()}.bare"
        subprocess.run(["objcopy", "--strip-all", "-R", ".comment", path,
                        stripped], check=True)
        with open(stripped, "rb") as file:
            text = file.read()
        os.unlink(stripped)
        return text
    return code(one) == code(other)


def try_mutant(run, number):
    """"caught by …", "survived", "not reached", or None if it is no mutant."""
    folder = os.path.join(run.work, "mutants", str(number))
    cases = noticing(run, number)
    try:
        if number not in run.single:
            env = {"MUTANT": str(number)}
            said = try_cases(run, "switched", cases, env)
            if said or not alone(run, number, "plain"):
                return said
            said = try_cases(run, "switched-checked", cases, env)
        else:
            if not alone(run, number, "plain"):
                return None
            said = try_cases(run, f"mutants/{number}", cases, {})
            if not said and alone(run, number, "checked"):
                os.rename(folder, folder + "-checked")
                said = try_cases(run, f"mutants/{number}-checked", cases, {})
        return said or ("survived" if cases else "not reached")
    finally:
        for name in folder, folder + "-checked":
            shutil.rmtree(name, ignore_errors=True)


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


def draw(run, args):
    """All mutants in the order in which they are tried; a change of the source
    elsewhere does not change it."""
    known = equivalents(run)
    numbers = [n for n, site in enumerate(run.sites)
               if args.only in site.file and site.key() not in known]
    numbers.sort(key=lambda n: hashlib.sha256(
        f"{args.seed} {run.sites[n].key()} {run.sites[n].column}".encode())
        .digest())
    if args.again:
        left = not_caught(run)
        numbers = [n for n in numbers if place_of(run.sites[n]) in left]
    return numbers


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
        for number, said in results:
            file.write("\t".join((said, *place_of(run.sites[number]))) + "\n")
    for number, said in results:
        if not said.startswith("caught"):
            say(f"{said}: {number} {run.sites[number]}")
    rate = caught / len(results) if results else 0.0
    say(f"seed {args.seed}: {caught} of {len(results)} mutants caught, "
        f"{100 * rate:.1f} % (at least {100 * BOUND:.0f} % are wanted)")
    return rate >= BOUND


def try_all(run, numbers, wanted):
    """The first so many places that make a mutant, each with what became of
    it."""
    results = []
    with concurrent.futures.ThreadPoolExecutor(run.jobs) as pool:
        waiting, at = {}, 0
        while len(results) < wanted and (waiting or at < len(numbers)):
            while at < len(numbers) and \
                    len(waiting) < min(2 * run.jobs, wanted - len(results)):
                waiting[pool.submit(try_mutant, run, numbers[at])] = \
                    numbers[at]
                at += 1
            done, _ = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for job in done:
                number = waiting.pop(job)
                if job.result():
                    results.append((number, job.result()))
                    say(f"{len(results):5} {job.result():30} {number:5} "
                        f"{run.sites[number]}")
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--mutants", type=int, default=200,
                        help="how many; 0 is all")
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
    mark_all(run)
    numbers = draw(run, args)
    say(f"seed {args.seed}: {args.mutants or 'all'} of {len(numbers)} places "
        f"in {len(run.kernel)} files, {len(run.single)} without a switch; "
        f"{len(run.cases)} tests in {len(run.tests)} programs")
    results = try_all(run, numbers, args.mutants or len(numbers))
    return 0 if report(run, results, args) else 1


if __name__ == "__main__":
    sys.exit(main())
