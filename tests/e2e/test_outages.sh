#!/usr/bin/env bash
# Every kind of fault and what watches for it, in the outages that come with the
# program, one replication of each: whatever happens, the books balance, and all
# policies have the same requests to serve. What else to expect of them is the
# business of test_shipped.sh and test_shipped_long.sh.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program
set -u
source "$(dirname "$0")/helpers.bash" "$1"

# balances: each line of books on standard output adds up, to the same requests.
balances() {
    awk '/^- books: / {
             books++
             sum = 0
             for (i = 6; $(i + 1) ~ /^[a-z]/; i += 3) {
                 sum += $i
                 if ($(i + 1) == "timed") i++
             }
             if (!first) first = $3
             if ($3 == 0 || sum != $3 || $3 != first) {
                 print
                 wrong = 1
             }
         }
         END {exit wrong || !books}' "$work/out" >"$work/wrong" ||
        fail "the books do not balance: $(cat "$work/wrong")"
}

# Left out: those whose single replication takes as long as all others together.
for file in scenarios/outages/*.yaml; do
    case $file in
    */caches_cold.yaml | */thrash.yaml | */deploy.yaml) continue ;;
    esac
    begin "$file"
    expect 0 run "$file" --quiet --replications 1 --output "$work/result"
    balances
done

# A request every 100 ms, four to a batch: they wait 0.3, 0.2, 0.1 and 0 s,
# and are served in 20 ms.
begin 'batches at the front door'
cat >"$work/batches.yaml" <<END
lbsim: 1
duration: 10.05 s
replications: 1
workload:
  arrivals: {process: deterministic, rate: 10/s}
nodes:
  - {group: cpu, count: 2, engine: {kind: batch, size: 4, service: {base: 20 ms}}}
balancer: {batching: {size: 4, max_wait: 5 s}}
policies: [round_robin]
END
expect 0 run "$work/batches.yaml" --quiet
balances
prints 'round_robin: 25.0 of 4.00 requests in the mean, held for 0.150 s'
prints 'round_robin  0.120  0.320  100.0 %'

# The node is four times as slow as believed, and round_robin does not look.
begin 'a diagnosis for programs says what the one for people says'
expect 0 diagnose scenarios/outages/slow_node.yaml --quiet --replications 1 \
    --policy round_robin --format json
prints '"symptom": "hot"'
prints '"first_node": "gpu-7"'
prints '"cause": "slow_unseen"'
prints '"evidence": "a node takes 4 times as long as it is believed to"'
finish
