#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# arms.sh - a live run of each example arm verifies bit for bit, and so do ten
# minutes of virtual time with every condition in one chain
#
# Whether this machine holds an arm's timing is not asked here: only what the
# record says is.

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

need_root
make_ns here

# live ARM: between a sender and receivers, in a namespace of its own
live()
{
	name=$(basename "$1" .ini)
	in_ns here "$farlink" selftest "$1" --for 500ms \
		--record "$scratch/$name" >"$scratch/out" 2>&1
	[ $? -le 1 ] || fail "$name: $(cat "$scratch/out")"
	if grep -q 'came out changed' "$scratch/out"; then
		fail "$name: $(cat "$scratch/out")"
	fi
	[ "$(wc -l <"$scratch/$name/packets.csv")" -gt 10 ] ||
		fail "$name: hardly a packet came through"
	"$farlink" verify "$scratch/$name" >"$scratch/out" 2>&1 ||
		fail "$name: $(cat "$scratch/out")"
	rm -r "${scratch:?}/$name"
}

for arm in "$top"/etc/arms/*.ini; do
	# a vehicle inside has no robot to stand for
	grep -q '^robot = internal' "$arm" || live "$arm"
done

cp "$top/etc/arms/cell.trace" "$top/etc/arms/delays.csv" "$scratch" ||
	fail "the arms' files are not there"
cat >"$scratch/all.ini" <<'END'
[arm]
name = everything
seed = 77
[link]
robot = 192.168.1.20
[uplink command]
port = 5002
chain = delay, jitter, monotonic, smooth, bucket, loss, burst, markov,
  periodic, outage, profile, sine, trace, replay, slot, reorder
duplicate = 1%
corrupt = 1%
[condition delay]
type = delay
delay = 5ms
[condition jitter]
type = jitter
base = 10ms
jitter = 5ms
distribution = gamma
[condition monotonic]
type = monotonic-jitter
base = 10ms
jitter = 5ms
correlation = 50%
[condition smooth]
type = smooth-jitter
base = 20ms
jitter = 10ms
[condition bucket]
type = token-bucket
rate = 200kbit
max_wait = 1s
[condition loss]
type = loss
probability = 1%
correlation = 30%
[condition burst]
type = gilbert-elliott
loss = 1%
mean_burst = 3
[condition markov]
type = markov-loss
p13 = 1%
p31 = 50%
[condition periodic]
type = periodic-loss
every = 100
[condition outage]
type = outage
at = 60s
for = 500ms
every = 60s
mode = hold
[condition profile]
type = profile
points = 0s 5ms, 30s 20ms
repeat = yes
[condition sine]
type = sine
mean = 10ms
amplitude = 5ms
period = 7s
[condition trace]
type = link-trace
file = cell.trace
[condition replay]
type = replay
file = delays.csv
repeat = yes
[condition slot]
type = slot
interval = 5ms
[condition reorder]
type = reorder
probability = 1%
hold = 30ms
END
for type in $("$farlink" conditions --format json |
	python3 -c 'import json, sys
said = json.load(sys.stdin)
said = said.get("conditions", said) if isinstance(said, dict) else said
print(*[one["name"] for one in said])'); do
	grep -q "^type = $type\$" "$scratch/all.ini" ||
		fail "$type is in no chain of this test"
done
awk 'BEGIN {
	print "time,direction,stream,size"
	for (i = 0; i < 60000; i++)
		printf "%.6f,uplink,command,%d\n", i * 0.01 + (i % 7) * 0.0007,
			40 + i % 11
}' >"$scratch/schedule.csv"
"$farlink" simulate "$scratch/all.ini" --schedule "$scratch/schedule.csv" \
	--record "$scratch/all" >"$scratch/out" 2>&1 ||
	fail "all conditions: $(cat "$scratch/out")"
"$farlink" verify "$scratch/all" >"$scratch/out" 2>&1 ||
	fail "all conditions: $(cat "$scratch/out")"
grep -q '60000 packets' "$scratch/out" ||
	fail "all conditions: $(cat "$scratch/out")"
