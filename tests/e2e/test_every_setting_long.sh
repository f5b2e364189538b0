#!/usr/bin/env bash
# Every setting is connected: changed where it must matter, it changes the
# result (astra-sim/astra-sim #207, #139; inference-sim/inference-sim #259: users
# could not tell "no effect" from "not connected"). A new setting needs a line
# in every_setting/, or a reason here why not. After the program, the names of
# scripts of that folder try these alone.
# shellcheck disable=SC1090,SC1091,SC2154 # helpers.bash sets work, program, root
set -u
source "$(dirname "$0")/helpers.bash" "$1"
folder=$(dirname "$0")/every_setting
source "$folder/lines.bash"
shift
subjects=(base engines faults checks passive retries door batching degrade scaling)
for subject in "${@:-${subjects[@]}}"; do
    source "$folder/$subject.bash"
done
[[ $# -eq 0 ]] || finish

laws='dist|value|mean|median|p99|sigma|scv|shape|scale|min|max|ratio|at_least|at_most|file|column|weights|interpolate'
apart 'what the file is, not what it says' 'lbsim|include|name'
apart 'tested by traces, which are files' 'workload[.](trace|normalise)[.].*'
apart 'the same laws as output_tokens' "(workload[.](arrivals[.]think|input_tokens|work|noise|patience|classes\[\][.][a-z_]*)|faults\[\][.]mt[bt][fr]|nodes\[\][.][a-z_]*[.][a-z]*_noise)[.]($laws)"
apart 'takes what workload takes' 'workload[.]overlay\[\][.](arrivals|trace|input_tokens|output_tokens|work|noise|patience|keys)[.].*'
apart 'what lbsim plan searches: test_plan.sh' 'plan[.].*'
apart 'for lbsim sweep, and tested there' '(sweep|crossover([.].*)?)'
apart 'of baseline and check, tested by test_check' 'check[.].*'
apart 'names' '(nodes\[\][.]group|workload[.](classes|overlay)\[\][.]name)'
apart 'no kind of node reports it yet' 'balancer[.](admission[.]shedding|flow_control)[.]kv_use'
apart 'a law of two points, in the unit tests' 'workload[.]output_tokens[.]ratio'

# Blocks matter through what they hold.
begin 'every setting has a line'
run settings --format markdown
awk -F'|' '
    /^## Measures/ { exit }
    /^## / { section = $0; sub(/^## /, "", section) }
    /^\| `/ {
        name = $2; gsub(/[ `]/, "", name)
        if ($3 ~ /block/ && name != "table" && name != "goals") next
        if (name == "policies") next
        print (section == "Top level" ? "" : section ".") name
    }' "$work/out" | sort -u >"$work/all"
[[ $(wc -l <"$work/all") -gt 500 ]] || fail 'the page of settings was not read'
missing=$(sort -u "$work/covered" | comm -23 "$work/all" - | grep -vE -f "$work/apart")
[[ -z $missing ]] || fail "no line for: $missing"
finish
