#!/usr/bin/env bash
# self_check.sh: plants one bad include after the other in a copy of the
# sources and sees that check_layering.sh objects, and to that line.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

(cd "$root" && find policies workloads sim -name '*.[ch]' -exec cp --parents \
    -t "$copy" {} +)
if ! "$here/check_layering.sh" "$copy" >"$copy/log" 2>&1; then
    cat "$copy/log"
    echo "self_check: the sources break the rules already" >&2
    exit 1
fi

failures=0

# expect bad|good FOLDER LINE: a file with that line, in that folder.
expect() {
    local verdict=good file=$copy/$2/planted.c

    mkdir -p "$copy/$2"
    printf '%s\n' "$3" >"$file"
    "$here/check_layering.sh" "$copy" >"$copy/log" 2>&1 || verdict=bad
    rm "$file"
    if [[ $verdict != "$1" ]] ||
        { [[ $verdict == bad ]] && ! grep -q planted "$copy/log"; }; then
        echo "self_check: in $2 '$3' is taken for $verdict, expected $1" >&2
        failures=$((failures + 1))
    fi
}

expect bad policies '#include "workloads/rng.h"'
expect bad policies '#include "sim/core/clock.h"'
expect bad policies '#include <gsl/gsl_rng.h>'
expect bad policies '#include <unistd.h>'
expect bad policies '#include "lbp.h"'
expect bad workloads '#include "policies/lbp.h"'
expect bad workloads '#include "sim/core/clock.h"'
expect bad workloads/formats '#include "sim/scenario/scenario.h"'
expect bad workloads '#include <jansson.h>'
expect bad sim/core '#include "sim/measure/sample.h"'
expect bad sim/core '#include "workloads/rng.h"'
expect bad sim/core '#include <gsl/gsl_rng.h>'
expect bad sim/measure '#include "sim/core/clock.h"'
expect bad sim/cluster '#include "sim/frontdoor/balancer.h"'
expect bad sim/cluster '#include "policies/lbp.h"'
expect bad sim/frontdoor '#include "sim/cluster/node.h"'
expect bad sim/frontdoor '#include "policies/registry.h"'
expect bad sim/scenario '#include "sim/experiment/experiment.h"'
expect bad sim/experiment '#include "sim/report/table.h"'
expect bad sim/experiment '#include "sim/cli/cli.h"'
expect bad sim/report '#include "sim/cli/cli.h"'
expect bad sim/report '#include <libfyaml.h>'
expect bad sim/cli '#include <jansson.h>'
expect bad sim/cli '#include "sim/cli/../../policies/round_robin.h"'
expect bad sim/cli '#  include "policies/hash.h"'
expect bad sim/cli '#include HEADER'
expect bad sim/somewhere '#include <stdio.h>'
expect bad sim '#include <stdio.h>'

expect good policies '#include <stdint.h>'
expect good workloads '#include <zlib.h>'
expect good sim/frontdoor '#include "policies/lbp.h"'
expect good sim/report '#include "sim/experiment/experiment.h"'
expect good sim/cli '#include <argp.h>'

# A policy known by name.
mkdir -p "$copy/policies" "$copy/sim/cli"
echo 'const struct lbp_ops policy_planted = {0};' >"$copy/policies/planted.c"
expect bad sim/cli 'extern const struct lbp_ops policy_planted;'

[[ $failures -eq 0 ]]
