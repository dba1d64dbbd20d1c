#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh - the Debian packages in a fresh Debian 12: installed, used, removed
#
# A minimal root folder is made by debootstrap from the mirror that this
# machine's apt has; root.tar in the build folder keeps it, and the packages that
# farlink needs, for a week.  What runs in the root has mounts, processes and a
# loopback of its own: nothing of it is left when it ends, however it ends.  77
# means skipped.

. "$(dirname "$0")/../e2e/lib.sh"

suite=bookworm
root=$scratch/root
kept=$built/tests/package/root.tar
PATH=$PATH:/usr/sbin:/sbin
DEBIAN_FRONTEND=noninteractive
export PATH DEBIAN_FRONTEND

[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in debootstrap dpkg-deb unshare:util-linux chroot:coreutils \
	ip:iproute2; do
	command -v "${tool%:*}" >/dev/null ||
		skip "needs ${tool%:*} (Debian: ${tool#*:})"
done
unshare --mount --pid --net --fork true 2>/dev/null ||
	skip "no namespace can be made here"

package=$(ls "$built"/deb/farlink_*.deb 2>/dev/null)
header=$(ls "$built"/deb/farlink-dev_*.deb 2>/dev/null)
[ -f "$package" ] && [ -f "$header" ] || fail "no packages: make deb first"

say()
{
	printf '%s\n' "-- $*"
}

# apart COMMAND…: with mounts and processes of its own
apart()
{
	unshare --mount --pid --fork --kill-child "$@"
}

# in_root COMMAND…: in the root folder, with its own /proc
in_root()
{
	unshare --mount --pid --fork --kill-child \
		--mount-proc="$root/proc" chroot "$root" "$@"
}

# quiet COMMAND…: what it says matters only if it fails
quiet()
{
	"$@" >"$scratch/quiet" 2>&1 || {
		tail -n 30 "$scratch/quiet"
		fail "$*"
	}
}

# ---- a fresh Debian, in which what farlink needs is there

dependencies=$(dpkg-deb -f "$package" Depends)

make_root()
{
	mirror=$(apt-get indextargets --format '$(SITE)' \
		'Identifier: Packages' 'Origin: Debian' "Codename: $suite" \
		2>/dev/null | head -n 1)
	[ -n "$mirror" ] || skip "apt of this machine has no mirror of $suite"
	more=
	case $mirror in https:*) more=--include=ca-certificates;; esac
	say "debootstrap"
	apart debootstrap --variant=minbase $more "$suite" "$root" "$mirror" \
		>"$scratch/log" 2>&1 || {
		tail -n 5 "$scratch/log"
		skip "debootstrap cannot make a root here (no network?)"
	}
	in_root apt-get -q update >"$scratch/log" 2>&1 ||
		skip "the mirror cannot be reached"
	in_root apt-get -qy --no-install-recommends --download-only \
		satisfy "$dependencies" >"$scratch/log" 2>&1 || {
		tail -n 20 "$scratch/log"
		fail "what it needs cannot be had: $dependencies"
	}
	mkdir -p "$(dirname "$kept")" && tar -C "$root" --exclude=./proc/\* \
		--exclude=./sys/\* -cf "$kept.part" . && mv "$kept.part" "$kept"
}

mkdir "$root"
if [ -n "$(find "$kept" -mtime -7 2>/dev/null)" ]; then
	say "root as it is kept"
	tar -C "$root" -xpf "$kept" || fail "$kept cannot be read: remove it"
else
	make_root
fi
quiet in_root apt-get -qy --no-install-recommends satisfy "$dependencies"

# ---- what is in it: name, kind, mode, owner, content

# apt's and dpkg's own notes; and those of users, which are looked at below
notes='./var/lib/apt/|./var/cache/apt/|./var/log/(apt/|dpkg|alternatives)|./var/lib/dpkg/(status|available'
notes="$notes"'|lock|diversions|statoverride|triggers/)|./var/cache/ldconfig/'
notes="$notes"'|./etc/(passwd|group|shadow|gshadow)-?|./etc/.pwd.lock'
notes="$notes"'|./run/lock|./tmp|./proc|./sys|./dev'

inventory()
{
	(cd "$root" && find . -xdev \
		-printf '%p %y %m %U:%G %l\n' | grep -Ev "^($notes)" | sort
	find . -xdev -type f | grep -Ev "^($notes)" | sort |
		tr '\n' '\0' | xargs -0 sha256sum) >"$1"
}

inventory "$scratch/before"
for file in passwd group shadow gshadow; do
	cp "$root/etc/$file" "$scratch/$file"
done

# ---- installed

say "install"
cp "$package" "$header" "$root/tmp/"
quiet in_root sh -c 'apt-get -qy --no-install-recommends install /tmp/*.deb'
quiet in_root sh -c 'apt-get -qy --reinstall install /tmp/*.deb'
rm -f "$root"/tmp/*.deb

version=$(dpkg-deb -f "$package" Version)
in_root farlink --version >"$scratch/said" || fail "farlink does not start"
cat "$scratch/said"
[ "$(head -n 1 "$scratch/said")" = "farlink ${version%-*}" ] ||
	fail "it is not version ${version%-*}"
if [ -e "$top/.git" ] || [ -f "$top/.revision" ]; then
	grep -q '^revision  *[0-9a-f]\{12\}' "$scratch/said" ||
		fail "it does not know its revision"
fi
grep -q '^farlink:[!*]*:' "$root/etc/shadow" ||
	fail "the user farlink is not there, or not locked"
grep -q '^farlink:.*:/var/lib/farlink:/usr/sbin/nologin$' "$root/etc/passwd" ||
	fail "the user farlink is another one: $(grep farlink "$root/etc/passwd")"
[ -z "$(find "$root/etc/systemd" -name 'farlink*')" ] ||
	fail "a service is enabled"
for file in usr/include/farlink/condition.h \
	usr/share/bash-completion/completions/farlink \
	usr/share/zsh/vendor-completions/_farlink \
	usr/share/fish/vendor_completions.d/farlink.fish \
	usr/share/doc/farlink/copyright \
	usr/share/doc/farlink/examples/arms/baseline.ini; do
	# a link of the root is followed inside it
	in_root test -f "/$file" || fail "there is no $file"
done
# shellcheck disable=SC2016
quiet in_root sh -c 'for arm in /usr/share/farlink/arms/*.ini; do
	farlink check "$arm" || exit 1; done'

# The pages can be read.
for page in "$root"/usr/share/man/man[15]/farlink*; do
	name=$(basename "$page" .gz)
	gzip -dc "$page" >"$scratch/$name" || fail "$page cannot be read"
	if command -v mandoc >/dev/null; then
		quiet mandoc -T lint -W warning "$scratch/$name"
		mandoc -T utf8 "$scratch/$name" >"$scratch/page"
	elif command -v man >/dev/null; then
		man -l "$scratch/$name" >"$scratch/page" 2>&1
	else
		continue
	fi
	[ "$(wc -l <"$scratch/page")" -gt 50 ] || fail "$name is empty"
done

# ---- the unit's own command, as the unit's user

unit=$root/lib/systemd/system/farlink@.service
# setting NAME: its value, of lines that go on as one
setting()
{
	sed -e ':more' -e '/\\$/{N' -e 's/\\\n//' -e 'b more' -e '}' "$unit" |
		sed -n "s/^$1=//p"
}
# %% first, that the %S of %%S is not taken for a folder
start=$(setting ExecStart | sed -e 's|%%|@@|g' -e 's|%i|jitter|g' \
	-e 's|%S|/var/lib|g' -e 's|%t|/run|g' -e 's|@@|%|g' -e 's|\t| |g')
user=$(setting User)
say "as $user: $start"
for folder in run/farlink var/lib/farlink; do
	[ "$(in_root stat -c %U:%a "/$folder")" = "$user:750" ] ||
		fail "$folder is not the folder of $user"
done

cp "$root/usr/share/farlink/arms/jitter.ini" "$root/etc/farlink/"
quiet in_root systemctl enable farlink@jitter
# shellcheck disable=SC2016
unshare --net sh -c 'ip link set lo up && exec "$@"' - \
	unshare --mount --pid --fork --kill-child \
	--mount-proc="$root/proc" chroot "$root" \
	env XDG_STATE_HOME=/var/lib setpriv --reuid "$user" \
	--regid "$(setting Group)" --init-groups --no-new-privs \
	sh -c "umask $(setting UMask); exec $start --loopback \
		--drive /usr/share/farlink/drives/square.csv --for 2s" \
	>"$scratch/run" 2>&1 || {
	cat "$scratch/run"
	fail "the unit's command does not run"
}
tail -n 3 "$scratch/run"
record=$(cd "$root" && ls -d var/lib/farlink/jitter-20*)
[ -f "$root/$record/packets.csv" ] || fail "no record: $record"
[ "$(grep -c ',released,' "$root/$record/packets.csv")" -gt 5 ] ||
	fail "nothing went through: $(cat "$scratch/run")"
in_root farlink verify "/$record" || fail "its record cannot be derived again"

# ---- removed

say "remove"
quiet in_root apt-get -qy remove farlink farlink-dev
[ ! -e "$root/usr/bin/farlink" ] || fail "remove leaves the program"
[ -f "$root/$record/packets.csv" ] || fail "remove takes a record away"
[ -f "$root/etc/farlink/jitter.ini" ] || fail "remove takes an arm away"
say "purge"
quiet in_root apt-get -qy purge farlink farlink-dev

inventory "$scratch/after"
diff "$scratch/before" "$scratch/after" >"$scratch/diff" || {
	cat "$scratch/diff"
	fail "it leaves something, or changed what is not its own"
}
# The user stays, and nothing else does.
for file in passwd group shadow gshadow; do
	grep -v '^farlink:' "$root/etc/$file" | cmp -s - "$scratch/$file" ||
		fail "/etc/$file has more than the user"
done
say "nothing is left but the locked user"
exit 0
