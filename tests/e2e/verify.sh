#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# verify.sh - a record is re-derived, and every change to it is found

. "$(dirname "$0")/lib.sh"

cd "$scratch" || exit 99

cat >arm.ini <<'EOF'
[arm]
name = verify
seed = 11
[link]
robot = 127.0.0.2
[uplink command]
port = 5002
chain = wifi, cell
[downlink video]
port = 5007
chain = lossy
[condition wifi]
type = jitter
base = 100ms
jitter = 60ms
[condition cell]
type = token-bucket
rate = 50kbit
[condition lossy]
type = loss
probability = 10%
[record]
pcap = yes
EOF
awk 'BEGIN {
	print "time,direction,stream,size"
	for (i = 0; i < 2000; i++) {
		printf "%d.%03d,uplink,command,%d\n", i / 200, i % 200 * 5,
			40 + i % 30
		printf "%d.%03d,downlink,video,1200\n", i / 200, i % 200 * 5 + 1
	}
}' >schedule.csv

"$farlink" simulate arm.ini --schedule schedule.csv --record good >/dev/null ||
	fail "no record"
"$farlink" verify good >said || fail "a good record is not verified"
grep -q '4000 packets of 1 trial:' said || fail "it said: $(cat said)"

# without captures, with changes from the command line, cut short
"$farlink" simulate arm.ini --schedule schedule.csv --record short --for 5s \
	--set record.pcap=no --set wifi.jitter=20ms >/dev/null ||
	fail "no short record"
"$farlink" verify short >/dev/null || fail "the short record"

# found WHAT PATTERN: the copy in "copy" is not verified, for this reason.
found()
{
	"$farlink" verify copy >out 2>err
	status=$?
	[ "$status" -eq 1 ] || fail "$1: status $status instead of 1"
	grep -q "$2" err || fail "$1: no '$2' in: $(cat err)"
}

fresh()
{
	rm -rf copy
	cp -r good copy
}

# change COLUMN CHANGE: one uplink packet that was released, some way in.
change()
{
	fresh
	awk -F, -v OFS=, -v column="$1" "NR > 500 && !done &&
		\$4 == \"command\" && \$9 == \"released\" { $2; done = 1 }
		{ print }" good/packets.csv >copy/packets.csv
}

change 7 '$7++; $8++'
found "due" 'uplink command.*recorded released, due.*re-derived released'
change 8 '$8--'
found "released early" 'before it was due'
change 9 '$7 = ""; $8 = ""; $9 = "suppressed"; $10 = "cell"'
found "fate" 'recorded suppressed by cell; re-derived released'
change 9 '$8 = ""; $9 = "dropped"; $10 = "shutdown"'
found "a stop that was not" 'long before'
change 5 '$5++'
found "size" 'uplink-in.pcap has'
change 4 '$4 = "nobody"'
found "stream" 'no channel uplink nobody'
change 9 '$9 = "eaten"'
found "a fate that is none" 'fate is not well-formed'

fresh
sed 100d good/packets.csv >copy/packets.csv
found "a hole" 'is not there'
sed 100p good/packets.csv >copy/packets.csv
found "a row twice" 'twice'
sed '$d' good/packets.csv >copy/packets.csv
found "the last row" .
head -c 100000 good/packets.csv >copy/packets.csv
found "a cut row" 'cut off'
fresh
sed 's/seed = 11/seed = 12/' good/manifest.json >copy/manifest.json
found "the arm" 'SHA-256'
fresh
rm copy/summary.json
found "no summary" 'did not end by itself'
fresh
sed 's/"released": [0-9]*/"released": 3/' good/summary.json >copy/summary.json
found "a count" 'released is 3'
fresh
head -c 24 good/uplink-out.pcap >copy/uplink-out.pcap
found "a capture without packets" 'uplink-out.pcap: 0 packets'
# changed TIME SET: the copy was changed so, then.
changed()
{
	fresh
	python3 - "$2" <<-'EOF'
	import json, sys
	arm = json.load(open("good/manifest.json"))
	arm["arm"]["sets"].append(sys.argv[1])
	json.dump(arm, open("copy/arm-2.json", "w"))
	EOF
	awk -v row="$1,arm,arm-2.json" \
		'{ print } /trial-start/ { print row }' \
		good/events.csv >copy/events.csv
}

# a change on the way is replayed: with it, the recorded fates are others
changed 3000000000 wifi.base=150ms
found "a change" 're-derived'
changed 3000000000 command.on_change=overtake
"$farlink" verify copy >/dev/null || fail "a change that changes no packet"
changed 3000000000 wifi.base=nonsense
found "a change that is none" 'cannot be replayed'
rm copy/arm-2.json
found "a change that was not kept" 'cannot be replayed'

"$farlink" verify no-such-folder 2>/dev/null
[ $? -eq 2 ] || fail "no folder is not the user's fault"

exit 0
