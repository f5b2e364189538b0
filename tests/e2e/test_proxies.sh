#!/usr/bin/env bash
# What policies/README.md tells users of other proxies to write can be written:
# every entry of its two tables is a setting that a scenario takes.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

cat >"$work/pool.yaml" <<'YAML'
lbsim: 1
duration: 10 s
workload:
  arrivals: {process: poisson, rate: 4/s}
  work: {dist: exponential, mean: 100 ms}
  keys: {dist: zipf, distinct: 50}
nodes:
  - {group: n, count: 3, max_in_flight: 8, engine: {slots: 1}}
balancer: {health: {rule: haproxy}, report_interval: 1 s}
policies: [random]
YAML

# entries NUMBER: code of the second column of that table, one a line.
entries() {
    awk -F ' \\| ' -v wanted="$1" '
        /^\| your proxy says/ { n++ }
        !/^\|/ { inside = 0 }
        /^\| your proxy says/ { inside = 1 }
        inside && n == wanted && !/^\| ---|^\| your proxy says/ { print $2 }' \
        policies/README.md | grep -oP '\x60[^\x60]*\x60' | tr -d '\140' | sort -u
}

begin 'policies'
entries 1 >"$work/entries"
[[ $(wc -l <"$work/entries") -ge 12 ]] || fail "few policies: $(cat "$work/entries")"
while read -r entry; do
    case $entry in
    '{'*) entry="peak_ewma: $entry" ;; # behind the name in the same cell
    esac
    [[ $entry == *:* ]] && entry="{$entry}"
    expect 0 run "$work/pool.yaml" --quiet --set "policies=[$entry]"
done <"$work/entries"

begin 'what surrounds the choice'
entries 2 >"$work/entries"
[[ $(wc -l <"$work/entries") -ge 12 ]] || fail "few settings: $(cat "$work/entries")"
while read -r entry; do
    [[ $entry == *': {'* ]] || continue # a word of an entry beside it
    expect 0 run "$work/pool.yaml" --quiet --set "balancer.${entry%%:*}=${entry#*: }"
done <"$work/entries"
finish
