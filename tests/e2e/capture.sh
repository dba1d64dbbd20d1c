#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# capture.sh - a capture that tcpdump made of traffic between other programs
# goes through an arm, and tshark reads what comes out, with the right times

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

need_root
for tool in tcpdump tshark python3; do
	command -v $tool >/dev/null || skip "needs $tool"
done

make_ns headset robot
join headset 10.79.1.2/24 robot 10.79.1.3/24
# --immediate-mode: no packet waits in the kernel's buffer
start headset tcpdump --immediate-mode -U -n -i robot -s 0 \
	-w "$scratch/in.pcap" udp
tcpdump_pid=$started
await 10 grep -q 'listening on' "$scratch/headset.log"
start robot python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("10.79.1.3", 5002))
while True:
    data, sender = s.recvfrom(2048)
    s.sendto(b"ok " + data, sender)'
await 10 ip netns exec "$(ns robot)" sh -c 'grep -q :138A /proc/net/udp'
in_ns headset python3 -c '
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(50):
    s.sendto(b"{\"vx\":%.4f,\"vy\":0.0000,\"wz\":0.0000}" % (i / 1000),
             ("10.79.1.3", 5002))
    time.sleep(0.01)' || fail "the sender failed"
await 10 sh -c "[ \$(tcpdump -n -r '$scratch/in.pcap' 2>/dev/null | wc -l) -ge 100 ]"
kill "$tcpdump_pid"
wait "$tcpdump_pid" 2>/dev/null

cat >"$scratch/arm.ini" <<'END'
[arm]
seed = 1
[link]
robot = 10.79.1.3
headset = 10.79.1.2
[uplink command]
port = 5002
chain = far
[downlink answer]
reply = command
chain = near
[condition far]
type = delay
delay = 200ms
[condition near]
type = delay
delay = 50ms
END
"$farlink" simulate "$scratch/arm.ini" --pcap "$scratch/in.pcap" \
	--record "$scratch/record" --output "$scratch/out.pcap" \
	>"$scratch/out" 2>&1 || fail "simulate: $(cat "$scratch/out")"
"$farlink" verify "$scratch/record" >"$scratch/out" 2>&1 ||
	fail "verify: $(cat "$scratch/out")"

# stamps PCAP PORTFILTER FILE: time and payload of each packet, as tshark has it
stamps()
{
	tshark -r "$1" -Y "$2" -T fields -e frame.time_epoch -e data.data \
		2>/dev/null | sort -k 2 >"$3"
	[ "$(wc -l <"$3")" -eq 50 ] ||
		fail "$1: $(wc -l <"$3") packets of $2, not 50"
}
stamps "$scratch/in.pcap" 'udp.dstport == 5002' "$scratch/up.in"
stamps "$scratch/out.pcap" 'udp.dstport == 5002' "$scratch/up.out"
stamps "$scratch/in.pcap" 'udp.srcport == 5002' "$scratch/down.in"
stamps "$scratch/out.pcap" 'udp.srcport == 5002' "$scratch/down.out"

python3 - "$scratch" <<'END' || fail "the times are not those of the arm"
import sys
from decimal import Decimal
for name, delay in (("up", "0.2"), ("down", "0.05")):
    sides = [[line.split() for line in open(f"{sys.argv[1]}/{name}.{side}")]
             for side in ("in", "out")]
    for (t_in, data_in), (t_out, data_out) in zip(*sides):
        if data_in != data_out:
            sys.exit(f"{name}: {data_in} came out as {data_out}")
        if Decimal(t_out) - Decimal(t_in) != Decimal(delay):
            sys.exit(f"{name}: {t_in} came out at {t_out}")
END
