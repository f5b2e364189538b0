#!/usr/bin/env bash
# lbsim trace profile as people call it. Figures: tests/unit/workloads.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

begin 'a page and a document of the same trace'
expect 0 trace profile scenarios/articles/normalise.csv --capacity 1,50
prints 'normalise.csv: 600 rows, canonical'
prints 'coefficient of variation of the gaps'
prints "Spearman's rho of input and output"
grep -qE '^ +50 +241 0.401667$' "$work/out" || fail 'no line of 50 places'
grep -qE '^ +endless +447 0.745000$' "$work/out" || fail 'no endless cache'
expect 0 trace profile scenarios/articles/normalise.csv --format json --capacity 50
prints '"schema": "lbsim.trace_profile/1"'
prints '"hits": 241' # as an OrderedDict of Python's counts
prints '"hits": 447'
! grep -qiE 'nan|inf' "$work/out" || fail 'a number that is none'

begin 'formats are told by content, packed or not'
printf '0.0,5,2\n1.5,7,3\n' |
    { echo 'arrived_at,num_prefill_tokens,num_decode_tokens'; cat; } >"$work/v"
expect 0 trace profile "$work/v"
prints '2 rows, vidur'
gzip -c "$work/v" >"$work/v.gz"
expect 0 trace profile "$work/v.gz"
prints '2 rows, vidur'

run trace profile "$work/v" --trace-format mooncake
[[ $status -eq 2 ]] || fail "exits with $status"
says ":1:1: error: is no JSON object of one line"
printf '{"timestamp": 0, "input_length": 5, "output_length": 2, "hash_ids": [0]}\n' >"$work/m"
expect 0 trace profile "$work/m"
prints '1 row, mooncake'
prints 'an endless cache of blocks'

begin 'a simulator'\''s trace can be played'
cat >"$work/t.yaml" <<'SCENARIO'
lbsim: 1
workload: {trace: {file: v, format: vidur}}
nodes: [{group: n, engine: {service: {per_input_token: 1 ms, per_output_token: 1 ms}}}]
policies: [round_robin]
SCENARIO
expect 0 run "$work/t.yaml" --quiet
prints 'books: 2 arrived = 2 completed'

begin 'bad rows stop it, or are counted'
printf 'arrival_s,input_tokens,output_tokens\n0,1,1\n1,x,1\n2,3,1\n' >"$work/b"
expect 2 trace profile "$work/b"
says ":3:3: error: 'input_tokens' cannot be read"
says 'hint: --skip-bad-rows drops such rows'
no_output
expect 0 trace profile "$work/b" --skip-bad-rows
prints 'b: 2 rows, canonical'
prints 'rows left out as failed or bad'

begin 'how not to call it'
expect 2 trace
expect 2 trace profile
expect 2 trace prof "$work/v"
says "expected 'profile' and a file, got 'prof'"
expect 2 trace profile "$work/v" more
expect 2 trace profile "$work/v" --format csv
says "'--format' needs table or json"
expect 2 trace profile "$work/v" --trace-format azure
says 'azure_llm'
expect 2 trace profile "$work/v" --capacity 0
expect 2 trace profile "$work/v" --capacity 5,
says "ends with a comma"
expect 2 trace profile "$work/v" --memory 5
expect 2 trace profile "$work/none"
says 'No such file'
expect 2 trace profile "$work"
says 'is a directory'
expect 2 trace profile scenarios/articles/normalise.csv --memory 10KiB
says 'raise --memory'
finish
