#!/usr/bin/env bash
# An experiment in shards under GNU parallel, then merged:
#
#     parallel.sh SHARDS FOLDER COMMAND FILE [OPTION...]
#     parallel.sh 7 out/night run scenarios/articles/headline.yaml
#
# Called again with the same words it runs what is missing and nothing else.
# $LBSIM is the program, 'lbsim' by default; $PARALLEL adds options of parallel,
# such as '--sshloginfile hosts' or '--jobs 8'.
set -eu
if [[ $# -lt 4 ]]; then
    sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p}' "$0" >&2
    exit 2
fi
shards=$1 folder=$2
shift 2
lbsim=${LBSIM:-lbsim}

# One thread a shard, as many shards at once as there are processors. Without
# --resume each shard is started, and a whole one ends at once: its store knows.
mkdir -p "$folder"
failed=0
seq "$shards" | parallel --will-cite --quote --joblog "$folder/joblog" \
    "$lbsim" "$@" --quiet --jobs 1 \
    --shard "{}/$shards" --output "$folder/shard-{}" || failed=$?
[[ $failed -eq 0 ]] || echo "parallel.sh: $failed of $shards shards failed" >&2

# Names what is missing, if something is.
exec "$lbsim" merge "$folder"/shard-* --output "$folder/merged"
