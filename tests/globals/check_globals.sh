#!/usr/bin/env bash
# check_globals.sh [--allow FILE] LIBRARY...: fails when a static library holds
# data that may change while the program runs. Two simulations in two threads
# share nothing, and one simulation leaves nothing behind for the next.
#
# nm's letters do not tell .data from .data.rel.ro (constant tables of pointers,
# read-only once loaded), so the sections decide. NM names the tool.
set -eu

allow=$(dirname "$0")/allowed.txt
if [[ ${1-} == --allow ]]; then
    allow=$2
    shift 2
fi
if [[ $# -eq 0 ]]; then
    echo 'usage: check_globals.sh [--allow FILE] LIBRARY...' >&2
    exit 2
fi

# Lines "<library>:<object>: <symbol>", one for each writable symbol. gcc calls
# a static variable of a function "name.7", clang "function.name": here "name".
writable() {
    local library

    for library in "$@"; do
        "${NM:-nm}" --format=sysv "$library" | awk -F '|' \
            -v library="$(basename "$library" .a)" '
            /^Symbols from / {
                object = $0
                sub(/^.*\[/, "", object)
                sub(/\]:.*$/, "", object)
                next
            }
            NF >= 7 {
                gsub(/ /, "", $1)
                gsub(/[ \t]/, "", $7)
                if ($7 ~ /^\.(data|bss|tdata|tbss|sdata|sbss|ldata|lbss)/ &&
                    $7 !~ /^\.data\.rel\.ro/ || $7 == "*COM*") {
                    sub(/\.[0-9]+$/, "", $1)
                    sub(/^.*\./, "", $1)
                    print library ":" object ": " $1
                }
            }'
    done
}

# Each line of the list is "<library>:<object>: <symbol> <reason>". One that is
# not found does no harm: optimisers make constants of what nobody writes.
found=$(writable "$@" | LC_ALL=C sort -u)
allowed=$(sed -E '/^(#|$)/d; s/^([^ ]+ [^ ]+) .+$/\1/' "$allow" |
    LC_ALL=C sort -u)
unexpected=$(LC_ALL=C comm -23 <(echo "$found") <(echo "$allowed"))

if [[ -n ${unexpected//[[:space:]]/} ]]; then
    echo 'data that may change, shared by all simulations:'
    echo "$unexpected"
    exit 1
fi
