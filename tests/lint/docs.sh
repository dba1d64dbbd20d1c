#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs.sh - what the pages say is what the program does

. "$(dirname "$0")/lib.sh"

farlink=$built/farlink
[ -x "$farlink" ] || { echo "there is no $farlink: make first"; exit 99; }

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# The program speaks of the version that configure gave it.
version=$(sed -n 's/^AC_INIT(\[farlink\], \[\(.*\)\])$/\1/p' configure.ac)
[ "$("$farlink" --version | head -n 1)" = "farlink $version" ] ||
	fault "farlink --version does not say $version"

# Tables of settings in the manual are the program's own.
for page in man/*.[1-8]; do
	grep -q 'BEGIN table' "$page" || continue
	if ! man/tables.sh "$farlink" "$page" >"$scratch/page" 2>"$scratch/said"
	then
		fault "$page: its tables cannot be made: $(cat "$scratch/said")"
	elif ! diff "$page" "$scratch/page" >"$scratch/diff"; then
		fault "$page: its tables are not the program's; make man"
		fault_lines "$(head -n 20 "$scratch/diff")"
	fi
done

# Every condition, and every kind of section, has its table.
for name in $("$farlink" conditions --format json |
	sed -n 's/^    "name": "\(.*\)",$/\1/p'); do
	grep -q "BEGIN table $name\$" man/farlink.ini.5 ||
		fault "man/farlink.ini.5: condition $name has no table"
done

# Every command is in the manual and in the README, and no other one.
"$farlink" --help | sed -n 's/^  farlink \([a-z]*\) .*/\1/p' |
	sort -u >"$scratch/commands"
while read -r command; do
	grep -q "^\.It Cm $command\$" man/farlink.1 ||
		fault "man/farlink.1: there is a command $command"
	grep -q "^| \`farlink $command " README.md ||
		fault "README.md: there is a command $command"
done <"$scratch/commands"
sed -n 's/^| `farlink \([a-z]*\).*/\1/p' README.md | sort -u >"$scratch/said"
fault_lines "$(comm -13 "$scratch/commands" "$scratch/said" |
	sed 's/^/README.md: there is no command /')"

# options COMMAND: those in its lines of the manual's synopsis
options()
{
	awk -v mine=".Cm $1" '
	/^\.Sh DESCRIPTION/ { exit }
	/^\.Nm$/ { getline; on = $0 == mine }
	on {
		while (match($0, /Fl -[a-z-]+/)) {
			print "-" substr($0, RSTART + 3, RLENGTH - 3)
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' man/farlink.1 | sort -u
}

# Every option is in the synopsis of its command, and is told of.
while read -r command; do
	"$farlink" "$command" --help | grep -oE -e '--[a-z]+(-[a-z]+)*' |
		sort -u >"$scratch/has"
	options "$command" >"$scratch/said"
	fault_lines "$(comm -3 "$scratch/has" "$scratch/said" | tr -d '\t' |
		sed "s/.*/man\/farlink.1: &: in the manual or in farlink $command \
--help, not in both/")"
	while read -r option; do
		grep -qE -e "^\.(It|Xo) .*Fl -${option#--}( |$)" man/farlink.1 ||
			fault "man/farlink.1: nothing tells of $option"
	done <"$scratch/has"
done <"$scratch/commands"

# Every arm is good, and says what it is.
for arm in etc/farlink.ini etc/arms/*.ini; do
	name=$(basename "$arm" .ini)
	"$farlink" check "$arm" >"$scratch/said" 2>&1 ||
		fault "$arm: $(cat "$scratch/said")"
	grep -q '^description = .' "$arm" ||
		fault "$arm: there is no description"
	grep -q '^seed = [0-9]' "$arm" || fault "$arm: there is no seed"
	head -n 1 "$arm" | grep -q "^; $name\.ini - " ||
		fault "$arm: its first line is '; $name.ini - what it is'"
	fault_lines "$(awk -v arm="$arm" 'length > 80 {
		print arm ":" FNR ": over 80 columns" }' "$arm")"
	case $arm in etc/arms/*)
		grep -q "^name = $name\$" "$arm" ||
			fault "$arm: its name is not $name"
		grep -q "$arm" Makefile.am ||
			fault "$arm: in the tree, not in Makefile.am";;
	esac
done

# The example arm has every key of every section that a relay has.
for section in arm link uplink condition safety record control dashboard; do
	for key in $("$farlink" conditions --sections "$section" \
		--format json | sed -n 's/^        "name": "\(.*\)",$/\1/p'); do
		case $key in
		headset_interface | robot_interface | topology | mark | \
		route_table | rule_priority) continue;;
		esac
		grep -q "^;*$key = " etc/farlink.ini ||
			fault "etc/farlink.ini: there is a key $key in [$section]"
	done
done

# mandoc is no tool that a build needs: where it is, it is asked.
if command -v mandoc >/dev/null; then
	fault_lines "$(mandoc -Tlint -Wwarning man/*.[1-8])"
fi

verdict
