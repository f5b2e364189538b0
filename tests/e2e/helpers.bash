# Shared by the scripts test_*.sh of this folder: source it first. $1 is the
# program. Leaves a folder of its own, $work, which goes at the end, and does
# not change the current one, the root of the project.
# shellcheck shell=bash disable=SC2034 # used by who sources this

program=$(realpath "$1")
root=$(pwd)
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 TZ=UTC
unset LBSIM_DATA LBSIM_PLOTS
failures=0
case_name=

begin() {
    case_name=$1
}

fail() {
    echo "FAIL: $case_name: $*" >&2
    failures=$((failures + 1))
}

# run ARGUMENT...: leaves $status, and both streams in $work/out and $work/err.
run() {
    status=0
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if grep -q 'runtime error\|Sanitizer' "$work/err"; then
        fail "a sanitizer complains: $(cat "$work/err")"
    fi
}

# expect STATUS ARGUMENT...
expect() {
    local wanted=$1

    shift
    run "$@"
    [[ $status -eq $wanted ]] ||
        fail "'$*' exits with $status, not $wanted: $(tail -n 3 "$work/err")"
}

# says TEXT: on standard error, literally.
says() {
    grep -qF -- "$1" "$work/err" ||
        fail "does not say '$1' but '$(head -c 600 "$work/err")'"
}

# prints TEXT: on standard output, literally.
prints() {
    grep -qF -- "$1" "$work/out" ||
        fail "does not print '$1' but '$(head -c 600 "$work/out")'"
}

# no_output: standard output is empty, as of a run that did not take place.
no_output() {
    [[ ! -s $work/out ]] || fail "prints '$(head -c 200 "$work/out")'"
}

# little FILE [RATE LINE]: a scenario of ten seconds, with a rate if given.
little() {
    {
        echo 'lbsim: 1'
        echo 'duration: 10 s'
        echo 'workload:'
        echo "  arrivals: {process: poisson${2:+, rate: $2}}"
        echo '  work: {dist: exponential, mean: 100 ms}'
        echo 'nodes:'
        echo '  - {group: n, count: 3, engine: {slots: 1}}'
        echo 'policies: [round_robin, two_choices, random]'
    } >"$1"
}

finish() {
    exit $((failures > 0))
}

# await_hearing PID: until the program holds SIGINT and SIGTERM back, to look for
# them from then on; sooner they would end it, or the shell that becomes it.
await_hearing() {
    local i

    for ((i = 0; i < 600; i++)); do
        grep -q '^SigBlk:.*4002$' "/proc/$1/status" 2>/dev/null && return
        sleep 0.05
    done
}
