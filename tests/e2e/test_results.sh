#!/usr/bin/env bash
# Results: the same bytes whoever asks, whole or not at all, and readable by
# other programs.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
little "$work/s.yaml" 20/s
export LBSIM_PLOTS=$root/plots

begin 'standard output does not depend on threads, silence, place or columns'
expect 0 run "$work/s.yaml" --quiet --jobs 1 --set replications=4
cp "$work/out" "$work/first"
for extra in '--jobs 2' '--jobs 7' '--jobs 7 --quiet'; do
    # shellcheck disable=SC2086 # words on purpose
    expect 0 run "$work/s.yaml" $extra --set replications=4
    cmp -s "$work/first" "$work/out" || fail "$extra changes the output"
done
(cd / && COLUMNS=20 LC_ALL=C "$program" run "$work/s.yaml" --quiet \
    --set replications=4) >"$work/out" 2>/dev/null
cmp -s "$work/first" "$work/out" || fail 'the place changes the output'
expect 0 run "$work/s.yaml" --set replications=4
says 'ns of CPU a request'
expect 0 run "$work/s.yaml" --quiet --set replications=4
if grep -q 'ns of CPU' "$work/err"; then
    fail 'tells the speed in spite of --quiet'
fi

begin 'relative files are looked for beside the scenario, from any place'
mkdir "$work/sub"
cp "$root"/tests/golden/{trace.yaml,small_trace.csv} "$work/sub"
expect 0 run "$work/sub/trace.yaml" --quiet
cp "$work/out" "$work/first"
(cd "$work/sub" && "$program" run trace.yaml --quiet) >"$work/out" 2>&1 ||
    fail 'does not run from its own folder'
cmp -s "$work/first" "$work/out" || fail 'the place changes the output'
(cd "$work" && "$program" run ./sub/../sub/trace.yaml --quiet -o "$PWD/r/a/b") \
    >"$work/out" 2>&1 || fail 'does not make the folders above a result'
[[ -s $work/r/a/b/summary.json ]] || fail 'the result is elsewhere'

begin 'strange names of files'
for name in 'with blanks' $'not \xff UTF-8' '-dash' "quo\"te's" 'percent %s'; do
    cp "$work/s.yaml" "$work/$name.yaml"
    (cd "$work" && exec "$program" run --quiet --format json \
        --output "./out $name" -- "$name.yaml") >"$work/out" 2>"$work/err" ||
        fail "'$name': $(cat "$work/err")"
    [[ -s $work/out\ $name/summary.json ]] || fail "'$name' has no result"
    iconv -f UTF-8 -t UTF-8 "$work/out" >/dev/null 2>&1 ||
        fail "'$name' makes JSON that is not UTF-8"
    printf 'x: 1\n' >"$work/$name.yaml"
    (cd "$work" && exec "$program" lint -- "$name.yaml") >"$work/out" \
        2>"$work/err" && fail "'$name' passes with a mistake"
    says "unknown key 'x'"
done

begin 'JSON and CSV hold numbers that other programs read'
expect 0 run tests/golden/accidents.yaml --quiet --format json \
    --output "$work/result"
cmp -s "$work/out" "$work/result/summary.json" ||
    fail 'summary.json is not what --format json prints'
if grep -inE '[^a-z"](nan|inf(inity)?)[^a-z]' "$work/out" \
    "$work/result"/*.csv "$work/result"/*.json >"$work/diff"; then
    fail "a number that is none: $(head -n 3 "$work/diff")"
fi
expect 0 run tests/golden/accidents.yaml --quiet --format csv
cmp -s "$work/out" "$work/result/policies.csv" ||
    fail 'policies.csv is not what --format csv prints'
for table in policies nodes series latency; do
    grep -v '^#' "$work/result/$table.csv" | sed 's/"[^"]*"//g' |
        awk -F, -v t="$table" 'NR == 1 {n = NF} NF != n {print t ":" NR; exit 1}' ||
        fail "$table.csv has rows of unequal length"
done
if command -v python3 >/dev/null; then
    for file in "$work"/result/*.json; do
        python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
    done
    "$program" schema | python3 -m json.tool >/dev/null ||
        fail 'the schema is no JSON'
else
    echo 'SKIPPED: no python3, so JSON is not parsed by another program' >&2
fi

begin 'a former result is replaced, and stays when the new one fails'
expect 0 run "$work/s.yaml" --quiet --output "$work/result"
grep -q '"name": "s"' "$work/result/summary.json" || fail 'not replaced'
cp -r "$work/result" "$work/kept"
expect 2 run "$work/s.yaml" --quiet --output "$work/result" --set duration=0s
expect 3 run "$work/s.yaml" --quiet --output "$work/result" --limit-events 5 \
    --seed 99
diff -r -x 'runs.sqlite*' "$work/kept" "$work/result" >/dev/null || fail 'the former is changed'

# Killed at some time, early, late or while writing: what has a summary is
# whole. A folder under a temporary name may stay behind.
begin 'no half of a result bears its name, whenever the program is killed'
for after in 0.001 0.005 0.01 0.015 0.02 0.03 0.05 0.08; do
    rm -rf "$work/killed"*
    "$program" run "$work/s.yaml" --quiet --set replications=60 \
        --set 'nodes[n].count=40' --output "$work/killed" >/dev/null 2>&1 &
    sleep $after
    { kill -KILL $! && wait $!; } 2>/dev/null
    if [[ -e $work/killed/summary.json ]]; then
        for file in summary.json policies.csv nodes.csv series.csv latency.csv \
            scenario.yaml speed.json; do
            [[ -s $work/killed/$file ]] ||
                fail "killed after $after s: $file is missing"
        done
        [[ $(tail -n 1 "$work/killed/summary.json") == '}' ]] ||
            fail "killed after $after s: summary.json is cut"
    fi
done

begin 'a reader that leaves is told, not crashed into'
for arguments in settings "run $work/s.yaml --quiet --format json"; do
    # shellcheck disable=SC2086 # words on purpose
    { "$program" $arguments 2>"$work/err"; echo $? >"$work/status"; } | true
    case $(cat "$work/status") in
    0 | 3) ;; # it may all have fitted into the pipe
    *) fail "'$arguments' exits with $(cat "$work/status")" ;;
    esac
done
status=0
"$program" settings >&- 2>"$work/err" || status=$?
[[ $status -eq 3 ]] || fail "a closed standard output gives $status"
says 'cannot write to standard output'
finish
