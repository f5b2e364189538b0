#!/usr/bin/env bash
# What is typed wins over the file, which wins over the default, whatever the
# values are; and the effective scenario says which it was. Setting: drain,
# whose default is 10 min, so that all four combinations exist.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/silent.yaml" 10/s
{
    cat "$work/silent.yaml"
    echo 'drain: 7 min'
} >"$work/spoken.yaml"

# effective TEXT FILE [OPTION...]: 'drain' with its origin, in one line.
effective() {
    local wanted=$1 line

    shift
    expect 0 run "$@" --show-effective
    line=$(grep '^drain:' "$work/out" | tr -s ' ')
    [[ $line == "$wanted" ]] || fail "'$*' gives '$line', not '$wanted'"
}

begin 'the four combinations'
effective "drain: 10 min # default: the total time-out, else 10 min" \
    "$work/silent.yaml"
effective "drain: 7 min # $work/spoken.yaml:9" "$work/spoken.yaml"
effective 'drain: 3 min # --set' "$work/silent.yaml" --set 'drain=3 min'
effective 'drain: 3 min # --set' "$work/spoken.yaml" --set 'drain=3 min'

begin 'a typed value that equals the default wins over the file'
effective 'drain: 10 min # --set' "$work/spoken.yaml" --set 'drain=10 min'
effective 'drain: 10 min # --set' "$work/silent.yaml" --set 'drain=10 min'

begin 'the last of two typed values wins, short options as others'
effective 'drain: 2 min # --set' "$work/spoken.yaml" --set 'drain=1 min' \
    --set 'drain=2 min'
expect 0 run "$work/silent.yaml" --show-effective --set seed=5 --seed 6
prints 'seed: 6 '
expect 0 run "$work/silent.yaml" --show-effective --seed 6 --set seed=5
prints 'seed: 5 '

# Rate 10 in the file, 20 typed: twice the arrivals, so it is not only shown.
begin 'what is shown is what is run, and is stored with the result'
expect 0 run "$work/silent.yaml" --quiet --output "$work/result" \
    --set workload.arrivals.rate=20/s
prints 'load 0.67' # 20/s * 0.1 s / 3 slots
grep -q 'rate: 20/s .*# --set' "$work/result/scenario.yaml" ||
    fail 'the stored scenario lacks the rate or its origin'
cp "$work/out" "$work/typed"

# It can be run again, and says the same.
cp "$work/result/scenario.yaml" "$work/again.yaml"
sed 's|10/s|20/s|' "$work/silent.yaml" >"$work/edited.yaml"
for file in again edited; do
    expect 0 run "$work/$file.yaml" --quiet --set name=silent
    diff "$work/typed" "$work/out" >"$work/diff" ||
        fail "$file.yaml differs: $(cat "$work/diff")"
done

begin 'a policy asked for keeps the parameters that the scenario gives it'
sed 's/two_choices/{two_choices: {replacement: true}}/' "$work/silent.yaml" \
    >"$work/params.yaml"
expect 0 run "$work/params.yaml" --show-effective --policy two_choices
prints 'replacement: true'
if grep -q '^  - round_robin' "$work/out"; then
    fail '--policy leaves the others in'
fi
sed 's/two_choices/{two_choices: {}, hints: exact}/' "$work/silent.yaml" \
    >"$work/beside.yaml"
expect 0 run "$work/beside.yaml" --show-effective --policy two_choices
prints 'hints: exact'
finish
