#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh - the first process of the guest: netem on its loopback, traffic, end
#
# Runs in user-mode Linux, whose root is this machine's, read-only.  OUT comes
# from the kernel's command line and is the one folder written to.  $OUT/lines
# says what to do: a name, when to send, how long to wait, and the tc words.

PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH

end()
{
	echo o >/proc/sysrq-trigger
	sleep 10
}

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmpfs /mnt
mkdir /mnt/out
mount -t hostfs -o "$OUT" none /mnt/out || end
cd /mnt/out || end
uname -r >booted
insmod "/usr/lib/uml/modules/$(uname -r)/kernel/net/sched/sch_netem.ko"
ip link set lo up
tc qdisc add dev lo root netem || end
: >netem

# One call for each line: a new process is dear here.  A netem that is merely
# changed keeps what the new words do not name, so the old one goes.
last=warm
while read -r name how tail words; do
	printf '%s dev lo root\n' "qdisc show" "qdisc del" "qdisc add" |
		sed "\$s/\$/ netem $words/" | tc -s -batch - >"$last.tc" || end
	./traffic "$name" "$how" "$tail" || end
	last=$name
	read -r up _ </proc/uptime
	echo "$name: done at $up s"
done <lines
tc -s qdisc show dev lo root >"$last.tc"
: >"done"
end
