#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# describe.sh - conditions, describe and translate, as a person calls them
#
# Needs no namespace and no root: nothing is sent.

. "$(dirname "$0")/lib.sh"

# expect STATUS COMMAND…: run it; its output is in $scratch/out and err.
expect()
{
	wanted=$1
	shift
	"$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	[ "$status" -eq "$wanted" ] ||
		fail "$*: exit $status instead of $wanted: $(cat "$scratch/err")"
}

# says TEXT: the output has it; tells TEXT: the messages have it.
says()
{
	grep -qF -- "$1" "$scratch/out" || fail "no '$1' in: $(cat "$scratch/out")"
}

tells()
{
	grep -qF -- "$1" "$scratch/err" || fail "no '$1' in: $(cat "$scratch/err")"
}

valid_json()
{
	command -v python3 >/dev/null || return 0
	python3 -c 'import json, sys; json.load(sys.stdin)' <"$scratch/out" ||
		fail "no JSON: $(cat "$scratch/out")"
}

# ---- conditions

expect 0 "$farlink" conditions
for name in delay jitter smooth-jitter token-bucket loss reorder; do
	says "$name "
done
expect 0 "$farlink" conditions token-bucket
says "max_wait (time, 0ms to 1800000ms; default 200ms)"
says "rate (rate, 1bit to 1000000000000bit; required)"
says "measure (payload|ip|ethernet; default ip)"
expect 2 "$farlink" conditions tokens
tells "there is no 'tokens'; there are: delay, jitter"
expect 2 "$farlink" conditions --format xml
expect 0 "$farlink" conditions --format json
valid_json
says '"name": "probability"'
expect 0 "$farlink" conditions --sections
says "[uplink NAME] - "
expect 0 "$farlink" conditions loss --format man
says ".It Cm probability Pq share, 0% to 100% ; required"

# ---- describe

for arm in "$top"/etc/arms/*.ini; do
	for format in text markdown json; do
		expect 0 "$farlink" describe "$arm" --format "$format"
		[ -s "$scratch/out" ] || fail "$arm: nothing as $format"
		cp "$scratch/out" "$scratch/first"
		expect 0 "$farlink" describe "$arm" --format "$format"
		cmp -s "$scratch/first" "$scratch/out" ||
			fail "$arm: two forecasts differ"
	done
	valid_json
done

cat >"$scratch/arm.ini" <<'END'
[arm]
name = trial
[link]
robot = 192.0.2.1
[uplink command]
port = 5002
chain = a, b
[downlink answer]
reply = command
[condition a]
type = jitter
base = 10ms
jitter = 20ms
[condition b]
type = loss
probability = 10%
END

expect 0 "$farlink" describe "$scratch/arm.ini"
says "mean delay             11.25 ms, standard deviation"
says "floored at zero        25 % by [condition a]  (formula)"
says "lost                   10 %  (formula)"
says "probability = 10%"
says "correlation = 0%  (default)"
says "gap over 0.35 s        every 1"
says "Warning: [condition a]: 25 % of draws are below zero"
says "10 packets/s of 40 bytes, evenly spaced (assumed"
says "Round trip command and back by answer: 11.25 ms + 0 ms = 11.25 ms"
expect 0 "$farlink" describe "$scratch/arm.ini" --set b.probability=20%
says "lost                   20 %  (formula)"
expect 0 "$farlink" describe "$scratch/arm.ini" --every 20ms --size 100B
says "50 packets/s of 100 bytes, evenly spaced (as asked)"
expect 0 "$farlink" describe "$scratch/arm.ini" --format markdown
says "| command | uplink | 10 ms"
says 'The downlink stream `answer` was passed on undegraded (baseline).'
expect 0 "$farlink" describe "$scratch/arm.ini" --format json
valid_json
for key in stream direction magnitude temporal_behaviour further_impairment \
	mean_ns deviation_ns least_ns most_ns share mean_run_packets \
	reordered queue timeouts stop_datagrams round_trips warnings; do
	says "\"$key\":"
done
expect 2 "$farlink" describe
expect 2 "$farlink" describe "$scratch/none.ini"
expect 2 "$farlink" describe "$scratch/arm.ini" --format pdf
expect 2 "$farlink" describe "$scratch/arm.ini" --every 0ms
tells "--every 0ms"
expect 2 "$farlink" describe "$scratch/arm.ini" --set b.probability=200%
[ -s "$scratch/out" ] && fail "a faulty arm was described"

# ---- translate

for line in 'delay 50ms 10ms 25% distribution normal loss 1%' \
	'tc qdisc add dev eth0 root netem loss 10% 25% corrupt 1%' \
	'delay 50ms reorder 25% 50% gap 5 slot 10ms 20ms rate 1mbit' \
	'loss gemodel 2% 20%' 'tbf rate 12mbit burst 3000 limit 75000' \
	'mm-delay 50 mm-loss uplink 0.1'; do
	expect 0 "$farlink" translate "$line"
	cp "$scratch/out" "$scratch/made.ini"
	tells "farlink: note: "
	grep -q '^; - ' "$scratch/made.ini" || fail "$line: no notes in the arm"
	expect 0 "$farlink" check "$scratch/made.ini"
	expect 0 "$farlink" describe "$scratch/made.ini"
done

expect 0 "$farlink" translate delay 50ms loss 10% 25%
says "chain = loss, delay"
tells "netem really lost 1.75 %"
expect 0 "$farlink" translate 'delay 50ms' --direction downlink \
	--out "$scratch/new.ini"
[ -s "$scratch/out" ] && fail "--out printed too"
grep -q '^reply = command' "$scratch/new.ini" || fail "no arm in --out"
expect 2 "$farlink" translate 'delay 50ms' --out "$scratch/new.ini"
tells "new.ini"
expect 2 "$farlink" translate 'delay 50ms bogus'
tells "word 3, 'bogus'"
[ -s "$scratch/out" ] && fail "an arm came of a line not understood"
expect 2 "$farlink" translate
expect 2 "$farlink" translate 'delay 50ms' --direction sideways

exit 0
