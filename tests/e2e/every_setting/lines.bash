# Shared by the scripts of this folder, which test_every_setting_long.sh reads
# one after the other. Each makes a scenario and has a line for each setting of
# its subject: changed where it must matter, it changes the result.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets work, status

scenario=       # the file that lines are about
declare -A seen # what it yields, by file and settings: most lines share one side

# scenario NAME: what stands on standard input is what lines are about from here.
scenario() {
    scenario=$work/$1.yaml
    cat >"$scenario"
}

# result SET...: leaves in $result a sum of what the scenario yields, but for its
# name and hash; it is empty, and a failure, where the scenario does not run.
result() {
    local set key="$scenario $*"
    local -a options=()

    result=${seen[$key]-}
    [[ -z $result ]] || return 0
    for set; do
        options+=(--set "$set")
    done
    run run "$scenario" --quiet --format json "${options[@]}"
    if [[ $status -ne 0 ]]; then
        fail "$*: $(head -n 3 "$work/err")"
        return 0
    fi
    result=$(sed -E 's/"(hash|name|label)": *"[^"]*"//g' "$work/out" | cksum)
    seen[$key]=$result
}

# differ PATH SET OTHER [MORE...]: beside MORE, to set the one is not the same as
# to set the other; so the setting at PATH is connected. SET may be empty.
differ() {
    local path=$1 set=$2 other=$3 first

    shift 3
    begin "$path"
    echo "$path" | sed -E 's/\[[^]]*\]/[]/g' >>"$work/covered"
    result "$@" ${set:+"$set"}
    first=$result
    result "$@" "$other"
    [[ -z $first || -z $result || $first != "$result" ]] ||
        fail "'$other' changes nothing, with: $*"
}

# matters PATH VALUE [SET...]: with the others set, this one makes a difference.
matters() {
    local path=$1 value=$2

    shift 2
    differ "$path" '' "$path=$value" "$@"
}

# all_matter BLOCK SETTINGS NAME VALUE...: with BLOCK={SETTINGS}, each of the
# settings NAME of that block makes a difference when it becomes VALUE.
all_matter() {
    local block=$1 settings=$2

    shift 2
    while [[ $# -ge 2 ]]; do
        matters "$block.$1" "$2" "$block={$settings}"
        shift 2
    done
}

# apart REASON PATTERN: settings that this test leaves to others.
apart() {
    echo "^($2)\$" >>"$work/apart"
}
