#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate.sh - schedules and captures through an arm, in virtual time

. "$(dirname "$0")/lib.sh"

cd "$scratch" || exit 99

cat >arm.ini <<'EOF'
[arm]
name = simulate
seed = 7
[link]
robot = 127.0.0.2
[uplink command]
port = 5002
chain = far, cell
[downlink video]
port = 5007
chain = lossy
[condition far]
type = delay
delay = 200ms
[condition cell]
type = token-bucket
rate = 50kbit
max_wait = 200ms
measure = payload
[condition lossy]
type = loss
probability = 10%
[record]
pcap = yes
EOF

# refuses PATTERN COMMAND…: ends with 2 and says so.
refuses()
{
	pattern=$1
	shift
	"$@" >out 2>err
	status=$?
	[ "$status" -eq 2 ] || fail "status $status instead of 2: $*"
	grep -q "$pattern" err || fail "no '$pattern' in: $(cat err)"
}

# ---- by hand: 200 ms, then 1000 bits at 50 kbit/s are 20 ms

cat >hand.csv <<'EOF'
time,direction,stream,size,payload
0,uplink,command,125,
0.000000001,uplink,command,125,
1.5,uplink,command,,stop
1.5,uplink,command,2,0x7b00
EOF
cat >expected <<'EOF'
trial,id,direction,stream,size,ingress_ns,due_ns,released_ns,fate,by
1,0,uplink,command,125,0,220000000,220000000,released,
1,1,uplink,command,125,1,240000000,240000000,released,
1,2,uplink,command,4,1500000000,1700640000,1700640000,released,
1,3,uplink,command,2,1500000000,1700960000,1700960000,released,
EOF
"$farlink" simulate arm.ini --schedule hand.csv --csv >rows ||
	fail "the schedule by hand"
diff expected rows || fail "rows are not as computed by hand"
"$farlink" simulate arm.ini --schedule - --csv <hand.csv | diff expected - ||
	fail "standard input gives other rows"

# ---- a long one, twice: the same bytes

awk 'BEGIN {
	print "time,direction,stream,size"
	for (i = 0; i < 5000; i++) {
		printf "%d.%03d,uplink,command,%d\n", i / 200, i % 200 * 5,
			40 + i % 30
		printf "%d.%03d,downlink,video,1200\n", i / 200, i % 200 * 5 + 1
	}
}' >long.csv
for n in 1 2; do
	"$farlink" simulate arm.ini --schedule long.csv --record "run$n" \
		--output "out$n.pcap" >"table$n" || fail "the long schedule"
done
diff -r run1 run2 || fail "two runs differ"
cmp out1.pcap out2.pcap || fail "two captures differ"
[ "$(wc -l <run1/packets.csv)" -eq 10001 ] || fail "rows are missing"
grep -q '^uplink  *command  *5000 ' table1 || fail "table: $(cat table1)"
refuses 'never overwritten' "$farlink" simulate arm.ini \
	--schedule long.csv --record run1

# ---- a capture of it goes the same way, the first packet at trial time 0

"$farlink" simulate arm.ini --pcap run1/uplink-in.pcap --csv >from-capture ||
	fail "the capture"
cut -d, -f3- from-capture >a
grep -e direction -e ',uplink,' run1/packets.csv | cut -d, -f3- >b
diff a b || fail "a capture and its schedule differ"

# ---- the end: what waits goes by the policy, whatever that is

"$farlink" simulate arm.ini --schedule long.csv --for 10s --csv >short ||
	fail "--for"
grep -q 'dropped,shutdown$' short || fail "nothing was dropped at the end"
awk -F, 'NR > 1 && $6 >= 10000000000 { exit 1 }' short || fail "later than --for"
"$farlink" simulate arm.ini --schedule long.csv --for 10s --csv \
	--set command.on_exit=drain >drained || fail "--for with drain"
grep -q shutdown drained && fail "drain dropped something"

# ---- what is wrong is told by its line

printf 'time,direction,stream,size\n1,uplink,command,5\n0.5,uplink,command,5\n' \
	>bad.csv
refuses 'bad.csv:3: .*sort' "$farlink" simulate arm.ini --schedule bad.csv
printf 'time,direction,stream,size\n0,uplink,nobody,5\n' >bad.csv
refuses 'bad.csv:2: .*nobody.*uplink,command' \
	"$farlink" simulate arm.ini --schedule bad.csv
printf 'time,direction,stream,size\n0.0000000001,uplink,command,5\n' >bad.csv
refuses 'bad.csv:2: .*nine decimals' \
	"$farlink" simulate arm.ini --schedule bad.csv
printf 'time,direction,stream,size,payload\n0,uplink,command,5,four\n' >bad.csv
refuses 'bad.csv:2: .*4 bytes' "$farlink" simulate arm.ini --schedule bad.csv
printf 'size\n' >bad.csv
refuses 'bad.csv:1: .*header' "$farlink" simulate arm.ini --schedule bad.csv
refuses 'no-such' "$farlink" simulate arm.ini --schedule no-such.csv
refuses 'no-such' "$farlink" simulate arm.ini --pcap no-such.pcap
refuses 'either' "$farlink" simulate arm.ini

exit 0
