#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest.sh - the first process of the guest: netem on its loopback, traffic, end
#
# Runs in user-mode Linux, whose root is this machine's, read-only.  OUT and
# PYTHON come from the kernel's command line; OUT is the one folder written to.

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
uname -r >/mnt/out/booted
insmod "/usr/lib/uml/modules/$(uname -r)/kernel/net/sched/sch_netem.ko"
ip link set lo up
if tc qdisc replace dev lo root netem; then
	tc qdisc del dev lo root
	: >/mnt/out/netem
	"$PYTHON" -S -B /mnt/out/traffic.py /mnt/out && : >/mnt/out/done
fi
end
