#!/usr/bin/env bash
# One cause planted in each scenario: diagnose must name it, and no other. The
# loads that make it show are by arithmetic: rate x work / (slots x speed).
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

# named: causes that are named, each once.
named() {
    awk '/"cause":/ { cause = $2 } /"named": true/ { print cause }' "$work/out" |
        tr -d '",' | sort -u | paste -sd ' '
}

# first: the first cause of the first finding.
first() {
    awk '/"cause":/ { gsub(/[",]/, "", $2); print $2; exit }' "$work/out"
}

# planted CAUSES FIRST: what the scenario in "$work/case.yaml" must come to.
planted() {
    expect 0 diagnose "$work/case.yaml" --quiet --format json
    [[ $(named) == "$1" ]] || fail "names '$(named)', not '$1'"
    [[ -z ${2-} || $(first) == "$2" ]] || fail "puts '$(first)' first"
    if grep -qiE '\bnan\b|\binf' "$work/out"; then
        fail 'a number is none'
    fi
}

# scenario: the head, and the rest from standard input.
scenario() {
    {
        printf 'lbsim: 1\nduration: 4 min\nwarm_up: 30 s\nreplications: 4\n'
        printf 'seed: 5\n'
        cat
    } >"$work/case.yaml"
}

work500='work: {dist: exponential, mean: 500 ms}'

begin 'nothing is wrong'
scenario <<END
workload: {arrivals: {process: poisson, rate: 20/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
policies: [round_robin, least_conn, two_choices]
END
planted ''
grep -q '"findings": \[\]' "$work/out" || fail 'finds something'

begin 'slow nodes with equal weights' # 12/4 x 0.5 / (4 x 0.4) = 0.94
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: fast, count: 2, engine: {slots: 4}}, {group: slow, count: 2, engine: {slots: 4, speed: 0.4}}]
policies: [round_robin, smooth_weighted]
END
planted not_weighted not_weighted

begin 'weights the wrong way round' # 12 x 3/8 x 0.5 / (4 x 0.6) = 0.94
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: fast, count: 2, weight: 1, engine: {slots: 4}}, {group: slow, count: 2, weight: 3, engine: {slots: 4, speed: 0.6}}]
policies: [smooth_weighted]
END
planted weights_contradict_speeds weights_contradict_speeds

begin 'a key that is more than a node can serve'
scenario <<END
workload: {arrivals: {process: poisson, rate: 16/s}, $work500, keys: {dist: zipf, exponent: 2, distinct: 500, repeat_share: 100 %}}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
policies: [ring_hash]
END
planted hash_without_bound hash_without_bound

begin 'old reports'
scenario <<END
workload: {arrivals: {process: poisson, rate: 20/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
balancer: {report_interval: 3 s}
policies: [resource_score]
END
planted old_reports old_reports

begin 'a node dies, and checks are rare'
scenario <<END
workload: {arrivals: {process: poisson, rate: 16/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
balancer: {timeout: {total: 30 s}, health: {interval: 20 s, timeout: 1 s}}
faults: [{kind: host_down, target: 'n[1]', at: 100 s, restart_after: 90 s, seen_as: silent}]
policies: [round_robin]
END
planted found_late found_late

begin 'a black hole behind a green endpoint'
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
balancer: {timeout: {total: 20 s}, health: {probe: tcp}}
faults: [{kind: black_hole, target: 'n[1]', at: 100 s, for: 60 s}]
policies: [round_robin]
END
planted found_late found_late

begin 'a node fails at once and looks idle'
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
faults: [{kind: fail_fast, target: 'n[1]', at: 100 s, for: 60 s, share: 100 %}]
policies: [least_conn]
END
planted found_late found_late

begin 'a node is slower than it says' # 12/4 x 0.5 x 3 / 4 = 1.1
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
faults: [{kind: slow, target: 'n[1]', at: 60 s, for: 120 s, factor: 3}]
policies: [round_robin]
END
planted slow_unseen slow_unseen

begin 'checks that get lost eject a node that is well'
scenario <<END
workload: {arrivals: {process: poisson, rate: 21/s}, $work500}
nodes: [{group: n, count: 4, engine: {slots: 4}}]
balancer: {health: {interval: 1 s, timeout: 500 ms}}
faults: [{kind: probe_loss, target: 'n[1]', at: 60 s, for: 120 s, share: 100 %}]
policies: [round_robin]
END
planted ejected_though_well ejected_though_well

classes='classes: [{name: chat, share: 50 %, model: chat, work: {dist: exponential, mean: 800 ms}}, {name: light, share: 50 %, model: light, work: {dist: exponential, mean: 100 ms}}]'
table='routing: {table: {chat: [{model: chat, groups: [big]}], light: [{model: light, groups: [small]}]}}'

# Of small's two slots chat takes 12 x 0.3 x 0.45 x 0.8 / 2 = 0.65 by mistake.
begin 'a classifier that errs'
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, classes: [{name: chat, share: 30 %, model: chat, work: {dist: exponential, mean: 800 ms}}, {name: light, share: 70 %, model: light, work: {dist: exponential, mean: 100 ms}}]}
nodes: [{group: big, count: 3, models: [chat, light], engine: {slots: 4}}, {group: small, count: 1, models: [chat, light], engine: {slots: 2}}]
$table
classifier: {accuracy: 55 %}
policies: [least_conn]
END
planted misclassified misclassified

begin 'a policy that does not use the table' # small: 10/4 x 0.45 / 1.2 = 0.94
scenario <<END
workload: {arrivals: {process: poisson, rate: 10/s}, $classes}
nodes: [{group: big, count: 2, models: [chat, light], engine: {slots: 4}}, {group: small, count: 2, models: [chat, light], engine: {slots: 4, speed: 0.3}}]
$table
policies: [{round_robin: {}, routing: off}]
END
expect 0 diagnose "$work/case.yaml" --quiet --format json
[[ " $(named) " == *' not_routed '* ]] || fail "names '$(named)'"

begin 'two causes at once'
scenario <<END
workload: {arrivals: {process: poisson, rate: 12/s}, $work500}
nodes: [{group: fast, count: 2, engine: {slots: 4}}, {group: slow, count: 2, engine: {slots: 4, speed: 0.4}}]
balancer: {timeout: {total: 30 s}, health: {interval: 10 s, timeout: 1 s}}
faults: [{kind: host_down, target: 'fast[1]', at: 100 s, restart_after: 60 s, seen_as: silent}]
policies: [round_robin]
END
planted 'found_late not_weighted' not_weighted
# ---- the shipped ones: named, and cured by what the diagnosis says to try ----

# to_try: what the first cause named says, as arguments in "${try[@]}".
to_try() {
    local override

    try=()
    while IFS= read -r override; do
        try+=(--set "$override")
    done < <(awk '/"try": \[/ { on = 1; next } on && /^ *\]/ { exit } on' "$work/out" |
        sed 's/^ *"//; s/",\{0,1\}$//')
}

# shipped NAME CAUSE FAMILY: that cause and no other; none once it is cured.
shipped() {
    local file=scenarios/diagnoses/$1.yaml

    begin "$file: $3, and cured"
    expect 1 diagnose "$file" --quiet --fail --format json
    [[ $(named) == "$2" ]] || fail "names '$(named)', not '$2'"
    grep -q "\"family\": \"$3\"" "$work/out" || fail "is not called $3"
    grep -qE '"evidence": "[^"]*[0-9]' "$work/out" || fail 'shows no numbers'
    to_try
    [[ ${#try[@]} -gt 0 ]] || fail 'says nothing to try'
    expect 0 diagnose "$file" --quiet --fail --format json "${try[@]}"
    grep -q '"findings": \[\]' "$work/out" || fail 'the symptom stays'
}

shipped policy_setting hash_without_bound 'policy setting'
shipped failed_detection found_late 'failed detection'
shipped unequal_nodes not_weighted 'unequal nodes not weighted'
shipped misclassified misclassified 'misclassified requests'

begin 'scenarios/diagnoses/nothing_wrong.yaml: nothing'
expect 0 diagnose scenarios/diagnoses/nothing_wrong.yaml --quiet --fail
[[ $(grep -c 'nothing: no node' "$work/out") -eq 3 ]] || fail 'finds something'
finish
