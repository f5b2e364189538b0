# Shards against the single run, for test_shards*.sh, after helpers.bash.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets work, program

# in_shards COUNT COMMAND ARGUMENT...: into $work/shard-1 and so on.
in_shards() {
    local count=$1 k

    shift
    rm -rf "$work"/shard-*
    for ((k = 1; k <= count; k++)); do
        expect 0 "$@" --shard "$k/$count" --output "$work/shard-$k"
        no_output
        says "shard $k of $count: "
        [[ $(ls "$work/shard-$k") == runs.sqlite ]] ||
            fail "shard $k leaves $(ls "$work/shard-$k")"
    done
}

# alone COMMAND ARGUMENT...: the single run, as $work/alone and $work/single.
alone() {
    rm -rf "$work/single"
    run "$@" --quiet --output "$work/single"
    wanted=$status
    cp "$work/out" "$work/alone"
}

# merged_equals NUMBER...: shards in this order give what alone() left, but for
# the figures of the machine.
merged_equals() {
    local k folders=()

    for k in "$@"; do folders+=("$work/shard-$k"); done
    rm -rf "$work/merged"
    expect "$wanted" merge "${folders[@]}" --quiet --output "$work/merged"
    cmp "$work/alone" "$work/out" || fail "in order $*: prints something else"
    diff -r -x speed.json -x runs.sqlite "$work/single" "$work/merged" \
        >"$work/diff" || fail "in order $*: $(head -n 5 "$work/diff")"
}
