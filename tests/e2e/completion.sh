#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# completion.sh - what bash offers on farlink's command lines

. "$(dirname "$0")/lib.sh"

[ -x "$farlink" ] || fail "no program at $farlink"
# shellcheck source=/dev/null
. "$top/etc/completion/farlink"
cd "$scratch" || exit 99
complete -p farlink >/dev/null || fail "it is not registered"

cat >one.ini <<EOF
[arm]
name = one
[link]
robot = 192.0.2.1
[uplink command]
port = 5002
chain = wifi
[condition wifi]
type = jitter ; words
base = 200ms
jitter = 60ms
EOF
cat >study.ini <<EOF
[study]
arms = one.ini
participants = P01-P03, X9
EOF
mkdir folder

# offers WORD…: what is offered for the last word, in one line
offers()
{
	COMP_WORDS=("$farlink" "$@")
	COMP_CWORD=$#
	_farlink
	printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
}

# offered 'WORDS' WORD…: exactly these are offered
offered()
{
	wanted=$1
	shift
	found=$(offers "$@")
	[ "$found" = "$wanted" ] ||
		fail "for '$*' it offers '$found', not '$wanted'"
}

# among 'WORD' WORD…: this one is offered, besides others
among()
{
	wanted=$1
	shift
	case " $(offers "$@") " in
	*" $wanted "*) ;;
	*) fail "for '$*' it offers '$(offers "$@")', not '$wanted'";;
	esac
}

# lines COMMAND…: what it prints, and more words, as one sorted line
lines()
{
	"$@" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

options_of()
{
	echo --help
	"$farlink" "$1" --help | grep -o -e '--[a-z][a-z-]*'
}

names_of()
{
	"$farlink" conditions --format json |
		sed -n 's/^    "name": "\(.*\)",$/\1/p'
}

# Every command, and every option of each, is offered.
commands=$("$farlink" --help | sed -n 's/^  farlink \([a-z]*\) .*/\1/p')
for command in $commands; do
	offered "$(lines options_of "$command")" "$command" --
done
offered "$(printf '%s\n' --help --version $commands | lines cat)" ''
offered "$(lines names_of)" conditions ''
[ "$(printf '%s\n' "$commands" | wc -l)" -gt 8 ] || fail "commands: $commands"

offered 'study' stu
offered '' nonsense ''
offered 'describe' desc
offered 'json' describe one.ini --format j
offered 'json markdown text' describe one.ini --format ''
offered 'both downlink uplink' translate x --direction ''
offered '' run one.ini --for ''
offered 'token-bucket' conditions tok
offered 'folder one.ini study.ini' check ''
offered 'one.ini' run o
offered 'arm. command. link. wifi.' run one.ini --set ''
offered 'wifi.base=' run one.ini --set wifi.b
among 'wifi.correlation=' check one.ini --set wifi.
among 'wifi.seed=' check one.ini --set wifi.
among 'command.limit_packets=' run one.ini --set command.
among 'arm.tick=' run one.ini --set arm.
offered '' run one.ini --set nothing.
offered '' run --set wifi.
offered 'next' study ne
offered 'done folder next one.ini plan redo status study.ini' study ''
offered 'P01 P02 P03' study next P
offered 'P01 P02 P03 X9' study study.ini redo ''
offered 'csv json text' study plan --format ''
exit 0
