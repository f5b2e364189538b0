#!/usr/bin/env bash
# run_golden.sh LBSIM NAME.cmd: runs the command line in NAME.cmd and compares
# its standard output with NAME.out, byte for byte.
#
# NAME.cmd is bash, run from the root of the project, in which 'lbsim' is the
# program under test; what it exits with must be 0, so a command that is meant
# to fail ends with '; echo "exit $?"'. With LBSIM_GOLDEN_UPDATE=1 the output is
# written instead of compared: read the difference before you commit it.
set -eu

program=$(realpath "$1")
command_file=$(realpath "$2")
expected=${command_file%.cmd}.out
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT

cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8 COLUMNS=100 TZ=UTC
unset LBSIM_DATA

lbsim() {
    "$program" "$@"
}

# A fresh shell state: set -e would hide a status that the command prints.
status=0
(
    set +eu
    # shellcheck source=/dev/null
    source "$command_file"
) >"$actual" </dev/null || status=$?
if [[ $status -ne 0 ]]; then
    cat "$actual"
    echo "run_golden: exit status $status of: $(cat "$command_file")" >&2
    exit 1
fi

if [[ ${LBSIM_GOLDEN_UPDATE-} == 1 ]]; then
    cp "$actual" "$expected"
    exit 0
fi
if ! cmp -s "$expected" "$actual"; then
    diff -u --label expected --label actual "$expected" "$actual" ||
        echo "run_golden: $expected differs" >&2
    exit 1
fi
