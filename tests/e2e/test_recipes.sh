#!/usr/bin/env bash
# The commands of workloads/README.md that turn logs of gateways into traces, run
# as they stand there on small logs whose traces are known.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

# recipe NUMBER: the command block of that number under the heading.
recipe() {
    sed -n '/^### From the log of a gateway/,/^## /p' workloads/README.md |
        awk -v wanted="$1" '/^```sh/ { n++; on = n == wanted; next }
                            /^```/ { on = 0 } on'
}

# trace_of NUMBER: what it makes of the log in $work.
trace_of() {
    recipe "$1" >"$work/recipe"
    (cd "$work" && bash -eu recipe) || fail "recipe $1 fails"
}

begin 'nginx: sorted by start, failures and missing models left out'
cat >"$work/access.log" <<'LOG'
1700000010.500 4.000 200 400 80 big
1700000008.250 0.750 200 42 1000 -
1700000009.000 0.001 502 400 0 big
1700000007.000 0.000 200 4 4 small
LOG
trace_of 2
cat >"$work/expected" <<'TRACE'
# format: request-trace 1
# transform: 4 bytes of request and answer are taken for a token
arrival_s,input_tokens,output_tokens,model
1700000006.500,100,20,big
1700000007.000,1,1,small
1700000007.500,11,250,
TRACE
diff "$work/expected" "$work/trace.csv" || fail 'another trace'
run trace profile "$work/trace.csv"
[[ $status -eq 0 ]] || fail 'it cannot be read'
prints '  big  '

if command -v jq >/dev/null; then
    begin 'a spend log: with and without fractions, failures left out'
    cat >"$work/spend.jsonl" <<'LOG'
{"startTime": "2026-03-01T00:00:02.250000Z", "status": "success", "prompt_tokens": 7, "completion_tokens": 3, "model_group": "small", "call_type": "acompletion"}
{"startTime": "2026-03-01 00:00:01", "status": "success", "prompt_tokens": 120, "completion_tokens": 0, "model_group": "big", "call_type": "aembedding"}
{"startTime": "2026-03-01T00:00:00.5Z", "status": "failure", "prompt_tokens": 0, "completion_tokens": 0, "model_group": "big", "call_type": "acompletion"}
{"startTime": "2026-03-02T00:00:00.125", "status": "success", "prompt_tokens": 9, "completion_tokens": 2, "model_group": null, "call_type": "acompletion"}
LOG
    trace_of 1
    cat >"$work/expected" <<'TRACE'
"arrival_s","input_tokens","output_tokens","model","class"
0,120,0,"big","aembedding"
1.25,7,3,"small","acompletion"
86399.125,9,2,,"acompletion"
TRACE
    diff "$work/expected" "$work/trace.csv" || fail 'another trace'
    run trace profile "$work/trace.csv"
    [[ $status -eq 0 ]] || fail 'it cannot be read'
    prints 'acompletion'
fi
finish
