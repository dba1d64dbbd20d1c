#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# style.sh - lengths, guards, the comment on top, contracts, banned calls

. "$(dirname "$0")/lib.sh"

MAX_FILE=500
MAX_FUNCTION=60
MAX_LINE=80

# One reading of all files.  Continuation bytes of UTF-8 are not counted, so
# that a letter is one column; a tab goes to the next multiple of eight.
# shellcheck disable=SC2046
fault_lines "$(awk -v most=$MAX_LINE -v longest=$MAX_FUNCTION \
	-v whole=$MAX_FILE '
	function columns(text,	i, n, c) {
		gsub(/[\200-\277]/, "", text)
		if (text !~ /\t/) return length(text)
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			n = c == "\t" ? n - n % 8 + 8 : n + 1
		}
		return n
	}
	function end() {
		if (lines > whole)
			print name ": " lines " lines, at most " whole
		if (name !~ /^tests/ && !floor)
			print name ": its first comment names no floor"
	}
	FNR == 1 {
		if (name) end()
		name = FILENAME; start = floor = past = 0
		base = name; sub(/.*\//, "", base)
		if (index($0, "/* SPDX-License-Identifier: GPL-2.0-or-later") != 1)
			print name ":1: no SPDX-License-Identifier: GPL-2.0-or-later"
	}
	FNR == 3 && index($0, " * " base " - ") != 1 {
		print name ":3: should be: * " base " - WHAT IT IS"
	}
	!past && /^ \* Floor: [a-z]/ { floor = 1 }
	/\*\// { past = 1 }
	length($0) * 8 > most && columns($0) > most {
		print name ":" FNR ": " columns($0) " columns, at most " most
	}
	/[ \t]$/ { print name ":" FNR ": blank at the end of the line" }
	/(TODO|FIXME|XXX)/ { print name ":" FNR ": unfinished" }
	/^{/ { start = FNR }
	/^}/ && start {
		if (FNR - start - 1 > longest)
			print name ":" start ": a function of " \
				FNR - start - 1 " lines, at most " longest
		start = 0
	}
	{ lines = FNR }
	END { end() }' $(sources))"

# guard_of src/core/channel.h -> CORE_CHANNEL_H
guard_of()
{
	printf '%s' "${1#src/}" | tr 'a-z/.-' 'A-Z___'
}

for file in $(sources | grep '\.h$'); do
	guard=$(guard_of "$file")
	[ "$(grep -c -e "^#ifndef $guard\$" -e "^#define $guard\$" \
		-e "^#endif /\* $guard \*/\$" "$file")" -eq 3 ] ||
		fault "$file: its guard should be $guard, named after #endif too"

	# A prototype, or a function in a header, has a kernel-doc of its name;
	# for one that takes no more than a glance a comment right above is
	# enough.  The commands share one form, which struct command documents.
	fault_lines "$(awk -v file="$file" '
		function judge(text,	name) {
			gsub(/__attribute__ *\(\(.*\)\)/, "", text)
			if (text ~ /typedef|^struct [a-z_]* *{|=|^enum/) return
			if (text !~ /[a-z0-9_]\(/) return
			if (text ~ /int cmd_[a-z]+\(int argc, char \*\*argv\)/)
				return
			name = text
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (!(name in told) && !near)
				print file ":" from ": " name "() has no contract"
		}
		/^ \* [a-z0-9_]+\(\)/ {
			name = $2
			sub(/\(\).*/, "", name)
			told[name] = 1
		}
		/^\/\*/ { comment = 1 }
		comment { if (/\*\//) { comment = 0; near = 1 } next }
		/^$/ { near = 0 }
		/^#/ { macro = /\\$/; next }
		macro { macro = /\\$/; next }
		/^{/ { body = 1; judge(text); text = "" }
		body { if (/^}/) body = 0; next }
		/^[a-z]/ && !open { text = ""; from = NR; open = 1 }
		open {
			text = text " " $0
			sub(/^ /, "", text)
			if (/[{]$/ && !/^\t/) { nested = 1 }
			if (nested) { if (/^}/) { nested = open = 0 }; next }
			if (/;/) { judge(text); open = 0 }
		}' "$file")"
done

fault_lines "$(grep -nE '(^|[^_[:alnum:]>.])(strcpy|strcat|stpcpy|sprintf|vsprintf|strtok|atoi|atol|atoll|atof|rand|random|srand|system|gets|tmpnam|mktemp|alloca|asctime|ctime|gmtime|localtime) *\(' \
	$(find conditions src -name '*.[ch]') | grep -vE ':[0-9]+:[ \t]*(/?\*)' |
	sed 's/$/   - a banned call/')"

case "$(find conditions src tests -name 'util*.[ch]' -o -name 'common.[ch]' \
	-o -name 'types.h' -o -name 'constants.h' -o -name 'misc.[ch]')" in
?*) fault "a file is named after nothing: util, common, types, constants, misc";;
esac

# The tree is anybody's: no path of one machine in it.
fault_lines "$(grep -rnIE '(^|[^[:alnum:]_.$}{-])/(work|home|root)/' \
	conditions src tests etc man ./*.md configure.ac Makefile.am bootstrap \
	.ci 2>/dev/null | grep -v '^tests/lint/style.sh' |
	sed 's/$/   - a path of one machine/')"

verdict
