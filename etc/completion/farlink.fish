# SPDX-License-Identifier: GPL-2.0-or-later
#
# farlink.fish - completion of farlink's command lines, for fish
#
# Commands, options, choices and conditions are read from the program itself.

function __farlink_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and echo $words[2]
end

function __farlink_help
    command farlink (__farlink_command) --help 2>/dev/null
end

function __farlink_options
    printf '%s\n' --help
    __farlink_help | string match -ar -- '--[a-z][a-z-]*' | sort -u
end

# What stands behind the option before the cursor: "text|csv" as words; fails
# if it takes nothing of a list.
function __farlink_choices
    set -l before (commandline -opc)[-1]
    string match -q -- '--*' $before; or return 1
    set -l what (string join ' ' (__farlink_help) |
        string match -r -- "$before ([a-z]+(?:\|[a-z]+)+)")
    test (count $what) -eq 2; and string split '|' $what[2]
end

function __farlink_participants
    set -l words (commandline -opc)
    contains -- $words[-1] next done redo; or return 1
    set -l file (string match -- '*.ini' $words)[1]
    test -n "$file"; or set file study.ini
    command farlink study $file plan --format csv 2>/dev/null |
        tail -n +2 | cut -d , -f 1 | uniq
end

complete -c farlink -n 'test (count (commandline -opc)) -eq 1' -f -a \
    '(command farlink --help | string replace -rf "^  farlink (\w+) +(.*)" "\$1\t\$2")'
complete -c farlink -n '__farlink_command >/dev/null
    and string match -q -- "-*" (commandline -ct)' -f -a '(__farlink_options)'
complete -c farlink -n '__farlink_choices >/dev/null' -f \
    -a '(__farlink_choices)'
complete -c farlink -n 'test (__farlink_command; or echo) = conditions' -f -a \
    '(command farlink conditions | string replace -rf "^\s*(\S+)\s+(.*)" "\$1\t\$2")'
complete -c farlink -n 'test (__farlink_command; or echo) = study' \
    -a 'plan status next done redo'
complete -c farlink -n '__farlink_participants >/dev/null' -f \
    -a '(__farlink_participants)'
