#!/usr/bin/env bash
# Trace files as people have them: where they are looked for, and columns that
# are missing, moved, added or framed in another way.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
azure='azure-llm-2023/AzureLLMInferenceTrace_conv.csv'
few='--quiet --set replications=1 --set warm_up=0s --set workload.trace.rate_scale=1'

begin 'without its file, azure_conv says where to get it'
expect 2 run scenarios/azure_conv.yaml
no_output
says "$azure"
says 'LBSIM_DATA is not set'
says 'scenarios/README.md'
grep -q "$azure" scenarios/README.md || fail 'the page does not name the file'
LBSIM_DATA=$work/data run run scenarios/azure_conv.yaml
[[ $status -eq 2 ]] || fail "exits with $status"
says "$work/data/$azure"

# Ten seconds of traffic by hand, in the form of the published file.
begin 'files are found below LBSIM_DATA'
mkdir -p "$work/data/azure-llm-2023"
{
    printf 'TIMESTAMP,ContextTokens,GeneratedTokens\r\n'
    for second in 0 1 2 3 4 5 6 7 8 9; do
        printf '2023-11-16 18:17:0%d.5000000,100,10\r\n' $second
    done
} >"$work/data/$azure"
# shellcheck disable=SC2086 # words on purpose
LBSIM_DATA=$work/data expect 0 run scenarios/azure_conv.yaml $few
prints 'trace: 10 rows read = 10 kept + 0 dropped'
prints 'books: 10 arrived = 10 completed'
# shellcheck disable=SC2086
expect 0 run scenarios/azure_conv.yaml $few \
    --set "workload.trace.file=$work/data/$azure"
prints 'books: 10 arrived = 10 completed'

cat >"$work/t.yaml" <<'SCENARIO'
lbsim: 1
name: t
workload: {trace: {file: t.csv}}
nodes:
  - {group: n, count: 2, engine: {service: {base: 10 ms, per_input_token: 1 ms, per_output_token: 5 ms}}}
policies: [round_robin]
SCENARIO

begin 'reordered, more columns, a mark of the byte order, CR LF: the same'
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n%s\n%s\n' \
    '2023-11-16 18:17:03.9799600,374,44' \
    '2023-11-16 18:17:04.0319600,396,109' >"$work/t.csv"
expect 0 run "$work/t.yaml" --quiet
cp "$work/out" "$work/plain"
printf 'GeneratedTokens,TIMESTAMP,ContextTokens\n%s\n%s\n' \
    '44,2023-11-16 18:17:03.9799600,374' \
    '109,2023-11-16 18:17:04.0319600,396' >"$work/reordered"
printf 'TIMESTAMP,Region,ContextTokens,GeneratedTokens\n%s\n%s\n' \
    '2023-11-16 18:17:03.9799600,west,374,44' \
    '2023-11-16 18:17:04.0319600,east,396,109' >"$work/extra"
{ printf '\xef\xbb\xbf'; cat "$work/t.csv"; } >"$work/marked"
sed 's/$/\r/' "$work/t.csv" >"$work/crlf"
gzip -c "$work/t.csv" >"$work/packed"
for form in reordered extra marked crlf packed; do
    cp "$work/$form" "$work/t.csv"
    expect 0 run "$work/t.yaml" --quiet
    cmp -s "$work/plain" "$work/out" || fail "$form gives another result"
done

begin 'a missing column is an error that names the nearest'
printf 'TIMESTAMP,Context tokens,GeneratedTokens\n%s\n' \
    '2023-11-16 18:17:03.9799600,374,44' >"$work/t.csv"
expect 2 run "$work/t.yaml" --quiet --set workload.trace.format=azure_llm
no_output
says "'ContextTokens'"
says "'Context tokens'"
printf 'arrival_s,input_token,output_tokens\n0,1,2\n' >"$work/t.csv"
expect 2 run "$work/t.yaml" --quiet
says 'input_token'
no_output

begin 'a file without requests is an error'
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n' >"$work/t.csv"
expect 2 run "$work/t.yaml" --quiet
says 'no requests'
no_output
: >"$work/t.csv"
expect 2 run "$work/t.yaml" --quiet
no_output
finish
