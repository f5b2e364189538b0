#!/usr/bin/env bash
# The manual page and the completion know what the program knows.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
page=$root/sim/install/lbsim.1

begin 'every command and every option is on the page'
sed 's/\\-/-/g; s/\\fB//g' "$page" >"$work/page"
"$program" help | sed -n 's/^  \([a-z]\+\) .*/\1/p' >"$work/commands"
while read -r command; do
    grep -qx "\.B $command" "$work/page" || fail "sim/install/lbsim.1 does not tell of $command"
    "$program" help "$command" |
        sed -n 's/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]\+\).*/\2/p' >"$work/options"
    while read -r option; do
        grep -q -- "--$option" "$work/page" ||
            fail "sim/install/lbsim.1 does not tell of --$option of $command"
    done <"$work/options"
done <"$work/commands"
[[ $(wc -l <"$work/commands") -ge 8 ]] || fail 'few commands'

begin 'every option on the page is one of the program'
while read -r command; do
    "$program" help "$command"
done <"$work/commands" >"$work/help"
grep -o -- '--[a-z][a-z-]*' "$work/page" | sort -u |
    while read -r option; do
        [[ $option == --cflags ]] || grep -q -- "$option" "$work/help" ||
            echo "$option"
    done >"$work/unknown"
[[ ! -s $work/unknown ]] || fail "sim/install/lbsim.1 tells of what is gone: $(cat "$work/unknown")"

begin 'the page is in order'
if command -v groff >/dev/null; then
    groff -man -ww -Tutf8 -z "$page" 2>"$work/err" ||
        fail 'groff does not take it'
    [[ ! -s $work/err ]] || fail "groff: $(cat "$work/err")"
fi

# ---- completion ----

# complete WORD...: what is offered for the last word, in "$work/offered".
complete_words() {
    bash --norc -c '
        source sim/install/lbsim.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        compopt() { :; }
        _lbsim
        printf "%s\n" "${COMPREPLY[@]}"' - "$program" "$@" >"$work/offered" \
        2>"$work/err"
    [[ ! -s $work/err ]] || fail "completion says $(cat "$work/err")"
}

offers() {
    local word

    for word in "$@"; do
        grep -qxF -- "$word" "$work/offered" ||
            fail "does not offer '$word' but '$(paste -sd ' ' "$work/offered")'"
    done
}

offers_only() {
    [[ $(paste -sd ' ' "$work/offered") == "$*" ]] ||
        fail "offers '$(paste -sd ' ' "$work/offered")' and not '$*'"
}

begin 'completion of commands and options'
complete_words ''
offers run compare plan lint policies settings schema trace plot version help
complete_words po
offers_only policies
complete_words run --se
offers_only '--seed= --set='
complete_words plan --minimise = c
offers_only cost
complete_words policies --ch
offers_only --check
complete_words help se
offers_only settings

begin 'completion of values'
complete_words run --format = js
offers_only json
complete_words run --format = ''
offers_only 'table json csv'
complete_words settings --format m
offers_only markdown
complete_words trace pro
offers_only profile
complete_words trace --format ''
offers_only 'table json'
complete_words trace --trace-format moon
offers_only mooncake
complete_words run --policy two
offers_only two_choices
complete_words run --set workload.arrivals.ra
offers_only workload.arrivals.rate=
complete_words run --set = 'nodes[0].eng'
offers 'nodes[0].engine.slots='
complete_words settings balancer.hea
offers balancer.health balancer.health.interval
complete_words policies ring
offers ring_hash

begin 'completion of files'
complete_words run scenarios/quick
offers_only scenarios/quickstart.yaml
complete_words lint scenar
offers_only scenarios/
complete_words run scenarios/READ
offers_only ''
mkdir "$work/objects"
touch "$work/objects/mine.so" "$work/objects/mine.c"
complete_words policies --check "$work/objects/mi"
offers_only "$work/objects/mine.so"
complete_words run --policy "$work/objects/mi"
offers_only "$work/objects/mine.so"

# A paragraph of options begins with its heading, but for the last (help), and no
# heading stands alone.
begin 'options stand under their headings'
for command in run compare sweep plan advise diagnose merge baseline check; do
    expect 0 "$command" --help
    awk 'BEGIN { RS = ""; FS = "\n" }
        /\n?  *-[?], --help/ { next }
        $1 ~ /^ [A-Z]/ && NF == 1 { print "alone: " $1; bad = 1 }
        $1 ~ /^  +(-., )?-/ { print "no heading: " $1; bad = 1 }
        END { exit bad }' "$work/out" || fail "$command: see above"
done
for command in advise diagnose; do
    expect 0 "$command" --help
    grep -q 'runs.sqlite' "$work/out" && fail "$command has no result folder"
done
finish
