#!/usr/bin/env bash
# lbsim plan: the answer, its forms, what it asks for, and where it ends.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

# Two erlangs on nodes of one slot: with 3 of them 0.44 of the arrivals of
# M/M/3 wait.
little "$work/little.yaml" 20/s
{
    sed 's/^policies.*/policies: [least_conn]/' "$work/little.yaml"
    cat <<'YAML'
warm_up: 2 s
replications: 3
goals: {latency_all_p90: 600 ms}
plan: {groups: {n: 0..12}, lose: 0, replications: 3}
YAML
} >"$work/plain.yaml"

# chosen KEY: its values in the mix that was chosen, of the plan in JSON in
# $work/out, in one line.
chosen() {
    sed -n '/^      "chosen": {/,/^      },/p' "$work/out" |
        sed -n "s/^ *\"$1\": \"\{0,1\}\([a-z0-9_.]*\)\"\{0,1\},\{0,1\}\$/\1/p" | xargs
}

begin 'a plan in every form says the same'
expect 0 plan "$work/plain.yaml" --quiet
[[ ! -s $work/err ]] || fail "says $(cat "$work/err")"
nodes=$(awk '$1 == "least_conn" { print $4; exit }' "$work/out")
prints 'by Erlang C'
prints 'by square-root staffing'
expect 0 plan "$work/plain.yaml" --quiet --format json
prints '"schema": "lbsim.plan/1"'
[[ $(chosen nodes) == "$nodes" ]] || fail "the table has $nodes nodes"
[[ $(chosen n) == "$nodes" ]] || fail 'counts differ'
[[ $(chosen answer) =~ ^(met ?){5}$ ]] ||
    fail "answers of the choice: $(chosen answer)"
erlang=$(sed -n 's/.*"erlang_c_nodes": \([0-9]*\).*/\1/p' "$work/out")
expect 0 plan "$work/plain.yaml" --quiet --format csv
awk -F, -v nodes="$nodes" '
    /^#/ { next }
    $1 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    NF != length(at) { print "a row of " NF " fields"; exit 1 }
    $at["chosen"] == 1 && ($at["n_nodes"] != nodes || $at["answer"] != "met") { exit 1 }
    $at["chosen"] == 1 { chosen++ }
    END { exit chosen != 2 }' "$work/out" || fail 'csv differs from the table'

# least_conn is a little worse than one queue.
[[ $nodes -eq $erlang || $nodes -eq $((erlang + 1)) ]] ||
    fail "$nodes nodes, Erlang C says $erlang"

begin 'threads do not show'
expect 0 plan "$work/plain.yaml" --quiet --jobs 1
cp "$work/out" "$work/alone"
expect 0 plan "$work/plain.yaml" --quiet --jobs 3
cmp -s "$work/alone" "$work/out" || fail 'with three it differs'

begin 'options win over the file'
expect 0 plan "$work/plain.yaml" --quiet --format json --group n=7 \
    --headroom '150 %' --lose 1 --lose-at '120 %' --minimise nodes
[[ $(chosen n) == 7 ]] || fail 'n is not 7'
[[ $(chosen times_load) == '1 1.5 1.2' ]] || fail 'loads differ'
[[ $(chosen lost_group) == n ]] || fail 'no node is lost'

begin 'what is asked for, and told where'
expect 2 plan "$work/plain.yaml" --set 'goals={}'
says "has no goals"
no_output
expect 2 plan "$work/plain.yaml" --group gpu=3
says '--group:1:14: error: there is no group'
expect 2 plan "$work/plain.yaml" --group n
says "'--group' needs a group and its counts"
expect 2 plan "$work/plain.yaml" --headroom '80 %'
says "'headroom' must be 100 %"
expect 2 plan "$work/plain.yaml" --minimise cost
says 'nothing says what a node costs'
expect 2 plan "$work/plain.yaml" --set 'workload.arrivals={process: closed, clients: 3}' \
    --set 'plan={}'
says "nothing says how many nodes of group 'n'"
expect 2 plan "$work/plain.yaml" --plan-replications 2
says "'plan.replications', of a mix at most, is 2, fewer than the 3"
expect 2 plan "$work/plain.yaml" --headroom 0
says "'headroom' must be 100 % to 10000 %; got '0'"
grep -q 'did you mean' "$work/err" && fail 'means what it would refuse'

begin 'a fault of a node that is not there does not happen'
expect 0 plan "$work/plain.yaml" --quiet --group n=2 --headroom '100 %' --set 'goals={success: 1 %}'
grep -v '^faults' "$work/out" >"$work/without"
grep -q '^faults' "$work/out" && fail 'tells of faults'
expect 0 plan "$work/plain.yaml" --quiet --group n=2 --headroom '100 %' --set 'goals={success: 1 %}' \
    --set 'faults=[{kind: hang, target: "n[2]", at: 3 s}]'
prints "'hang' of n[2] does not happen in mixes without that node"
grep -v '^faults' "$work/out" | cmp -s - "$work/without" || fail 'it does something'

begin 'a mix that cannot be simulated is neither enough nor not'
expect 5 plan "$work/plain.yaml" --quiet --group n=2..3 --headroom '100 %' --set 'nodes[0].count=4' \
    --set 'balancer={agent: {interval: 2 s, says: [{target: "n[3]", at: 5 s, words: ready}]}}'
prints 'no mix that can be simulated is enough, and 2 cannot be'
prints "n 3: at 100 % cannot be simulated: 'n[3]' is not there"
grep -q infeasible "$work/out" && fail 'is called infeasible, too'

# The bound is the mean of three runs, so the interval holds it.
begin 'undecided is not infeasible'
expect 0 run "$work/plain.yaml" --quiet --set 'nodes[0].count=3' --format json
mean=$(sed -n '/"latency_all_p90_s": {/{n;s/.*"mean": \([0-9.]*\),/\1/p;q}' "$work/out")
expect 5 plan "$work/plain.yaml" --quiet --group n=3 --headroom '100 %' \
    --set "goals={latency_all_p90: $mean s}"
prints 'least_conn: undecided: no mix is told to be enough'
prints 'to decide it would take more than a million'
grep -q infeasible "$work/out" && fail 'is called infeasible, too'

# Four are enough for certain; whether three are is a matter of their mean, which
# is the bound itself: found, and said, and a status for whoever asks.
begin 'a cheaper mix that is undecided is unmistakable'
more=(--replications 8 --plan-replications 8 --headroom '100 %')
expect 0 run "$work/plain.yaml" --quiet --replications 8 --set 'nodes[0].count=3' \
    --set plan=off --format json
mean=$(sed -n '/"latency_all_p90_s": {/{n;s/.*"mean": \([0-9.]*\),/\1/p;q}' "$work/out")
expect 0 plan "$work/plain.yaml" --quiet --group n=3..9 "${more[@]}" \
    --set "goals={latency_all_p90: $mean s}"
prints '(or n 3?)'
prints 'is enough for certain, a cheaper mix may be, too:'
prints 'to decide it would take more than a million'
expect 5 plan "$work/plain.yaml" --quiet --strict --format json --group n=3..9 \
    "${more[@]}" --set "goals={latency_all_p90: $mean s}"
prints '"undecided": {'
expect 0 plan "$work/plain.yaml" --quiet --strict --group n=7 --headroom '100 %'

begin 'infeasible, and the nearest'
expect 1 plan "$work/plain.yaml" --quiet --set 'goals={latency_all_p90: 10 ms}'
prints 'least_conn: infeasible: no mix is enough'
prints 'n 12: at 120 % latency_all_p90_s is'
prints 'no number by Erlang C'
expect 1 plan "$work/plain.yaml" --quiet --group n=0..2
prints 'more work arrives than any can do'

begin 'limits'
expect 3 plan "$work/plain.yaml" --quiet --limit-candidates 1
says 'the limit of candidates was reached'
prints 'least_conn'
expect 3 plan "$work/plain.yaml" --quiet --limit-events 100
says 'the limit of events was reached: the plan is not whole'
prints 'stopped after 0 candidates'

begin 'a folder of results'
expect 0 plan "$work/plain.yaml" --quiet --output "$work/result"
for file in plan.csv plan.json scenario.yaml; do
    [[ -s $work/result/$file ]] || fail "lacks $file"
done
expect 0 plan "$work/plain.yaml" --quiet --output "$work/result" --group n=7
grep -q ',7,7,' "$work/result/plan.csv" || fail 'was not replaced'
expect 0 plan "$work/result/scenario.yaml" --quiet --format csv
grep -v '^# scenario' "$work/out" >"$work/again"
grep -v '^# scenario' "$work/result/plan.csv" | cmp -s - "$work/again" ||
    fail 'the effective scenario plans something else'
touch "$work/result/mine"
expect 2 plan "$work/plain.yaml" --output "$work/result"
says "holds 'mine'"

begin 'what was killed goes on, and ends the same'
(timeout --foreground -s KILL 0.2 "$program" plan "$work/plain.yaml" --quiet \
    --output "$work/killed") >/dev/null 2>&1
expect 3 plan "$work/plain.yaml" --quiet --output "$work/killed" \
    --limit-candidates 1
expect 0 plan "$work/plain.yaml" --quiet --output "$work/killed"
cmp -s "$work/alone" "$work/out" || fail 'prints something else'
expect 0 plan "$work/plain.yaml" --quiet --output "$work/whole"
diff -r --exclude='runs.sqlite*' "$work/whole" "$work/killed" >"$work/diff" ||
    fail "another folder: $(head -c 300 "$work/diff")"

begin 'a picture of it'
if command -v gnuplot >/dev/null; then
    expect 0 plot "$work/whole"
    prints "drawn: $work/whole/charts/plan.svg, .png"
    grep -q 'least_conn' "$work/whole/charts/plan.svg" || fail 'names no policy'
    expect 0 plan "$work/plain.yaml" --quiet --output "$work/whole" --group n=3
fi

# Slow nodes get an equal share in turns, and a fifth of the speed: any of them
# ruins the tail.
begin 'nodes that hurt'
sed 's/.*group: n.*/&\n  - {group: slow, count: 1, engine: {slots: 1, speed: 0.2}}/;
     s/least_conn/round_robin/; s/n: 0..12/n: 0..6, slow: 0..3/' \
    "$work/plain.yaml" >"$work/hurt.yaml"
expect 0 plan "$work/hurt.yaml" --quiet
prints 'round_robin: more nodes can hurt:'
grep -qE '^round_robin  n [0-9], slow 0 ' "$work/out" || fail 'takes slow nodes'
finish
