# SPDX-License-Identifier: GPL-2.0-or-later
#
# badinput.py - what is wrong is said, with file, line, key and remedy, and the
# exit status says whose fault it is: 2 the user's, 1 the machine's

import os
import subprocess

from stand import (FARLINK, SCRATCH, Peer, check, command, free_ports, main,
                   same, write)

GOOD = """[arm]
name = good
[link]
robot = 127.0.0.9
listen = 127.0.0.1
[uplink command]
port = 5002
chain = far
[condition far]
type = delay
delay = 10ms
"""

USER, MACHINE = 2, 1


def expect(status, words, *args, **more):
    """farlink must say each of @words on stderr, and nothing on stdout."""
    found, said, faults = command(*args, **more)
    what = " ".join(args)[:120]
    same(found, status, what, "exits with", faults[:300])
    for word in words:
        check(word in faults, what, "does not say", repr(word), "but",
              faults[:500])
    check(all(line.startswith(("farlink: ", "usage: ", "  "))
              for line in faults.splitlines()) or "makes a robot" in faults,
          what, "says something without its name:", faults[:300])


def arm_faults():
    """Each fault of an arm: for check and for run alike."""
    port = f"{free_ports(1)[0]}"
    good = GOOD.replace("5002", port)
    cases = [
        ("", ["no channel"]),
        ("\n\n; nothing\n", ["no channel"]),
        (bytes(range(256)) * 40, [":"]),
        (b"\x7fELF\0\0\0", ["zero byte"]),
        (good.encode().replace(b"\n", b"\n\0", 3), ["zero byte"]),
        (good + "x = " + "y" * 10000 + "\n", [":12:", "10004"]),
        (good + "k" * 10000 + "\n", [":12:"]),
        (good.replace("name =", "nmae ="), [":2:", "nmae", "name"]),
        (good.replace("[link]", "[lnik]"), [":3:", "lnik", "[link]"]),
        (good.replace("10ms", "10"), [":11:", "delay", "200ms"]),
        (good.replace("10ms", "10 parsecs"), [":11:", "delay"]),
        (good.replace("10ms", "-10ms"), [":11:", "delay", "-10ms"]),
        (good.replace("10ms", "NaN"), [":11:", "delay", "NaN"]),
        (good.replace("10ms", "nanms"), [":11:", "delay"]),
        (good.replace("10ms", "infms"), [":11:", "delay"]),
        (good.replace("10ms", "0x10ms"), [":11:", "delay"]),
        (good.replace("10ms", "1e999s"), [":11:", "delay", "1e999"]),
        (good.replace("10ms", "1,5s"), [":11:", "delay"]),
        (good.replace("10ms", "2h"), [":11:", "delay", "3600000ms"]),
        (good.replace("10ms", ""), [":11:", "delay"]),
        (good.replace(f"port = {port}", "port = 0"), [":7:", "1 to 65535"]),
        (good.replace(f"port = {port}", "port = 70000"),
         [":7:", "70000", "4464"]),
        (good.replace(f"port = {port}", "port = 99999999999999999999"),
         [":7:", "1 to 65535"]),
        (good.replace(f"port = {port}", "port = -1"), [":7:"]),
        (good.replace(f"port = {port}", "port = 9-5"), [":7:", "upwards"]),
        (good.replace(f"port = {port}", "port = 5,,6"), [":7:"]),
        (good.replace(f"port = {port}", "port = teleop"), [":7:"]),
        (good + f"[uplink command]\nport = {port}\n", [":12:", "command"]),
        (good + "[uplink   command ]\nport = 1\n", [":12:", "command"]),
        (good.replace("delay = 10ms", "delay = 10ms\ndelay = 11ms"),
         [":12:", "delay", "11"]),
        (good.replace("type = delay", "type = dealy"),
         [":10:", "dealy", "delay"]),
        (good.replace("type = delay", "; no type"), ["far", "type"]),
        (good.replace("chain = far", "chain = command"),
         [":8:", "command", "itself"]),
        (good.replace("chain = far", "chain = near"), [":8:", "near"]),
        (good.replace("chain = far", "chain = far,,far"), [":8:", "comma"]),
        (good.replace("chain = far", "chain = " + ",".join(["far"] * 33)),
         [":8:", "32"]),
        (good.replace("127.0.0.9", "robot.local"), [":4:", "robot.local"]),
        (good.replace("127.0.0.9", "127.0.0.256"), [":4:"]),
        (good.replace("127.0.0.9", "127.0.0.9:5002"), [":4:"]),
        (good.replace("127.0.0.9", "224.0.0.1"), [":4:", "multicast"]),
        (good.replace("127.0.0.9", "255.255.255.255"), [":4:", "broadcast"]),
        (good.replace("127.0.0.9", "0.0.0.0"), [":4:", "one host"]),
        (good.replace("127.0.0.9", "ff02::1"), [":4:", "multicast"]),
        (good.replace("chain = far", "to = 239.0.0.1:5"), [":8:", "one host"]),
        (good.replace("[link]", "[link]\nheadset = ::"), [":4:", "one host"]),
        ("".join(f"[{i} 12:00:00]\n" for i in range(30000)),
         ["no arm file"]),
        (good.replace("robot = 127.0.0.9", ""), ["robot"]),
        (good.replace("[link]", "[link]\nheadset = 10.0.0.0/33"),
         [":4:", "10.0.0.0/33"]),
        (good.replace("chain = far", "match = udp[8:1] = ="),
         [":8:", "pcap-filter"]),
        (good.replace(f"port = {port}", "reply = nobody"), [":7:", "nobody"]),
        (good.replace(f"port = {port}", "; none"), [":6:", "port", "reply"]),
        (good.replace("name = good", "seed = twelve"), [":2:", "seed"]),
        (good.replace("name = good", "seed = 1e30"), [":2:", "seed"]),
        ("name = x\n" + good, [":1:", "before any section"]),
        (good.replace("[link]", "[link"), [":3:", "]"]),
        (good + "what is this\n", [":12:"]),
        # all faults, not the first
        (good.replace("10ms", "10").replace("name =", "nmae ="),
         [":2:", ":11:"]),
    ]
    arms = [write(f"bad-{i}.ini", text) for i, (text, _) in enumerate(cases)]
    status, _, faults = command("check", *arms, patience=60)
    same(status, USER, "status of check")
    for i, (text, words) in enumerate(cases):
        mine = [line for line in faults.splitlines() if arms[i] in line]
        for word in words:
            check(any(word in line for line in mine), f"case {i},",
                  repr(text[:70]), "does not say", repr(word), "but", mine)
        check(len(mine) < 12 or text[:1] == b"\0" or "no arm file" in words,
              f"case {i} says too much:", mine[:20])
    for i in 0, 2, 5, 9, 12, 16, 20, 26:  # each alone, and for run alike
        expect(USER, [arms[i]], "check", arms[i])
        expect(USER, [arms[i]], "run", arms[i])
    expect(0, [], "check", write("good.ini", good))
    # what Windows' editors make of it is as good
    for i, text in enumerate((good.replace("\n", "\r\n").encode(),
                              b"\xef\xbb\xbf" + good.encode(),
                              good.rstrip("\n").encode())):
        expect(0, [], "check", write(f"windows-{i}.ini", text))


def files():
    """Files that are none."""
    for verb in "check", "run":
        expect(USER, ["nowhere.ini", "No such file"], verb,
               os.path.join(SCRATCH, "nowhere.ini"))
        expect(USER, ["folder"], verb, SCRATCH)
        expect(USER, [""], verb, "")
        expect(USER, ["/dev/null"], verb, "/dev/null")
    expect(USER, ["MiB"], "check", "/dev/zero")
    expect(USER, ["no channel"], "check", "-")
    good = write("good.ini", GOOD)
    expect(USER, ["nowhere"], "check", good, "nowhere", good)
    for change, says in (("record.folder=a%q", "a%q: a folder's name"),
                         ("dashboard.listen=1", "no address with a port"),
                         ("arm.name=\udcff", "it is not UTF-8")):
        expect(USER, [says], "check", good, "--set", change)
    expect(0, [], "check", good, "--set", "dashboard.listen=off")
    lost = write("lost.ini", GOOD + "\n[vehicle]\nworld = ../lost.csv\n")
    expect(USER, ["world = ../lost.csv", f"as {SCRATCH}/../lost.csv"],
           "check", lost)
    locked = write("locked.ini", GOOD)
    os.chmod(locked, 0)
    if os.getuid():  # root may read it all the same
        expect(USER, ["Permission"], "check", locked)


def machine():
    """What the machine refuses is told with the remedy, and exits 1."""
    port, robot = free_ports(2)
    good = GOOD.replace("5002", f"{port}")
    holder = Peer("127.0.0.1", port)
    arm = write("taken.ini", good)
    expect(MACHINE, [f"127.0.0.1:{port}", "in use", "ss -lunp"], "run", arm,
           "--for", "1s")
    holder.close()
    expect(MACHINE, ["192.0.2.1", "ip addr"], "run",
           write("elsewhere.ini",
                 good.replace("listen = 127.0.0.1", "listen = 192.0.2.1")),
           "--for", "1s")
    holder = Peer("0.0.0.0", robot)
    expect(MACHINE, [f":{robot}", "in use"], "run",
           write("source.ini", good.replace(
               "chain = far", f"source_port = {robot}")), "--for", "1s")
    holder.close()


def itself():
    """An arm whose robot is the proxy itself is the user's fault."""
    port, other = free_ports(2)
    good = GOOD.replace("5002", f"{port}")
    for text in (good.replace("127.0.0.9", "127.0.0.1"),
                 good.replace("127.0.0.9", "127.0.0.5").replace(
                     "listen = 127.0.0.1", "listen = 0.0.0.0"),
                 good.replace("chain = far", f"to = 127.0.0.1:{port}"),
                 good.replace("chain = far", f"to = 127.0.0.1:{other}\n"
                              f"[uplink more]\nport = {other}\n")):
        expect(USER, ["this proxy itself"], "run", write("circle.ini", text),
               "--for", "1s")


def records():
    """Folders that are there, or cannot be."""
    port, = free_ports(1)
    arm = write("record.ini", GOOD.replace("5002", f"{port}"))
    folder = os.path.join(SCRATCH, "old")
    os.mkdir(folder)
    write("old/packets.csv", "precious\n")
    expect(USER, ["old", "exists"], "run", arm, "--for", "1s", "--record",
           folder)
    with open(os.path.join(folder, "packets.csv")) as file:
        same(file.read(), "precious\n", "the record of before")
    same(os.listdir(folder), ["packets.csv"], "its files")
    file = write("file", "x")
    for bad in (os.path.join(SCRATCH, "no", "such", "folder"),
                os.path.join(file, "below"), file, "", "/proc/record",
                "x" * 300):
        found, _, faults = command("run", arm, "--for", "1s", "--record", bad)
        check(found in (USER, MACHINE), "--record", bad, "exits with", found)
        check(bad[:200] in faults and "farlink: " in faults, "--record", bad,
              "says", faults[:300])


def arguments():
    """The command line."""
    port, = free_ports(1)
    arm = write("args.ini", GOOD.replace("5002", f"{port}"))
    expect(USER, ["farlink"])
    expect(USER, ["no command 'rnu'"], "rnu", arm)
    expect(USER, ["no command '--nonsense'"], "--nonsense")
    for verb in "run", "check":
        expect(USER, ["usage: farlink " + verb, "name one arm file"
                      if verb == "run" else "name an arm file"], verb)
        expect(USER, ["usage: farlink " + verb, "frobnicate"], verb,
               "--frobnicate", arm)
        expect(USER, ["usage: farlink " + verb], verb, "-z", arm)
        for bad, words in (("nonsense", ["SECTION.KEY=VALUE"]),
                           ("far.delay", ["SECTION.KEY=VALUE"]),
                           ("far.delay=", ["delay"]),
                           ("far.delay=5", ["delay", "ms"]),
                           ("far.dealy=5ms", ["dealy", "delay"]),
                           ("near.delay=5ms", ["near"]),
                           ("=", ["SECTION.KEY=VALUE"]),
                           (".=", [""]),
                           ("", ["SECTION.KEY=VALUE"]),
                           ("far.delay=" + "9" * 5000, ["delay"])):
            expect(USER, words, verb, arm, "--set", bad)
    expect(USER, ["usage: farlink run"], "run", arm, arm)
    expect(USER, ["usage: farlink run"], "run", arm, "--set")
    for bad in "nonsense", "", "5", "0s", "-1s", "nan", "1e999s", "infs":
        expect(USER, ["--for"], "run", arm, "--for", bad)
    for good in ("--version",), ("--help",), ("run", "--help"), \
            ("check", "--help"):
        found, said, faults = command(*good)
        same((found, faults), (0, ""), *good)
        check(said.startswith(("farlink", "usage: farlink")), *good, said)


def full_output():
    """An answer that could not be written is no success."""
    arm = write("full.ini", GOOD)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([FARLINK, "check", arm], stdout=full,
                              stderr=subprocess.PIPE, timeout=10)
    same(done.returncode, MACHINE, "status with a full disk", done.stderr)


main(arm_faults, files, machine, itself, records, arguments, full_output)
