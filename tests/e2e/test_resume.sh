#!/usr/bin/env bash
# What was finished is not run again: after a kill, with more replications, with
# other policies. Who finds something that will not do says so, and what helps.
# tests/kills/ has kills at every kind of moment.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 20/s
store=$work/r/runs.sqlite

same_result() {
    diff -r -x speed.json -x 'runs.sqlite*' "$1" "$2" >"$work/diff" 2>&1 ||
        fail "$3: $(head -n 3 "$work/diff")"
}

begin 'killed, it goes on where it was and ends as if nothing had been'
many=(--set replications=60 --set warm_up=auto)
expect 0 run "$work/s.yaml" --quiet "${many[@]}" --output "$work/whole"
cp "$work/out" "$work/first"
"$program" run "$work/s.yaml" "${many[@]}" --set replications=100000 \
    --output "$work/r" >/dev/null 2>&1 &
while [[ $(stat -c %s "$store-wal" 2>/dev/null || echo 0) -lt 100000 ]]; do
    kill -0 $! 2>/dev/null || break # and says below what is wrong
    sleep 0.02
done
{ kill -KILL $! && wait $!; } 2>/dev/null
[[ -s $store ]] || fail 'a killed run leaves no store'
# If it died in its very first commit, there is nothing to be found.
expect 0 run "$work/s.yaml" "${many[@]}" --output "$work/r"
cmp -s "$work/out" "$work/first" || fail 'another output'
same_result "$work/whole" "$work/r" 'another result'
[[ $(cd "$work" && echo r*) == r ]] || fail 'something is left beside it'

begin 'what is there is used for more, less and other'
expect 0 run "$work/s.yaml" --output "$work/r" --set replications=3
expect 0 run "$work/s.yaml" --output "$work/r" --set replications=4
says '9 of 12 simulations were found'
expect 0 run "$work/s.yaml" --output "$work/r" --set replications=5 \
    --policy random --policy least_conn
says '4 of 10 simulations were found'
expect 0 run "$work/s.yaml" --quiet --output "$work/r" --set replications=5
[[ ! -s $work/err ]] || fail "--quiet says $(cat "$work/err")"
expect 0 run "$work/s.yaml" --output "$work/r" --seed 9
says 'nothing was found in'
says 'of other settings or other files'

begin 'a store of its own serves several folders'
expect 0 run "$work/s.yaml" --store "$work/mine.sqlite" --output "$work/a"
expect 0 run "$work/s.yaml" --store "$work/mine.sqlite" --output "$work/b"
says '3 of 3 simulations were found in'
same_result "$work/a" "$work/b" 'another result'
[[ ! -e $work/a/runs.sqlite ]] || fail 'a second store'
expect 0 run "$work/s.yaml" --store "$work/mine.sqlite" --fresh
if grep -q 'found' "$work/err"; then
    fail "--fresh finds something: $(cat "$work/err")"
fi
expect 2 run "$work/s.yaml" --fresh
says "'--fresh' needs a store"
expect 2 run "$work/s.yaml" --store ''

begin 'a changed file of data is another'
cp "$root"/tests/golden/{trace.yaml,small_trace.csv} "$work"
expect 0 run "$work/trace.yaml" --store "$work/t.sqlite"
echo '20,100,10,/z' >>"$work/small_trace.csv"
expect 0 run "$work/trace.yaml" --store "$work/t.sqlite"
says 'of other settings or other files'
prints '55.6 %' # of nine, as by hand: five hits

begin 'what is damaged or no store is told and not touched'
half=$(($(stat -c %s "$store") / 2))
head -c "$half" /dev/zero | tr '\0' 'x' |
    dd of="$store" oflag=seek_bytes seek="$half" conv=notrunc 2>/dev/null
cp "$store" "$work/before"
run run "$work/s.yaml" --quiet --output "$work/r" --seed 9
[[ $status -eq 2 || $status -eq 3 ]] || fail "a damaged store gives $status"
says '--fresh'
no_output
cmp -s "$store" "$work/before" || fail 'a damaged store is changed'
expect 0 run "$work/s.yaml" --quiet --output "$work/r" --fresh
echo 'a letter' >"$work/letter"
for extra in '' --fresh; do
    # shellcheck disable=SC2086 # nothing or a word
    expect 2 run "$work/s.yaml" --quiet --store "$work/letter" $extra
    says 'is no store of simulations'
done
[[ $(<"$work/letter") == 'a letter' ]] || fail 'a letter is lost'

begin 'one run at a time has a folder'
"$program" run "$work/s.yaml" --quiet --set replications=100000 \
    --output "$work/r" >/dev/null 2>&1 &
while [[ ! -e $store-wal ]] && kill -0 $! 2>/dev/null; do sleep 0.02; done
expect 2 run "$work/s.yaml" --quiet --output "$work/r"
says 'is being written by another run'
{ kill -KILL $! && wait $!; } 2>/dev/null
finish
