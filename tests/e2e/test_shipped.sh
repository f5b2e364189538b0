#!/usr/bin/env bash
# The scenarios that come with the program: they lint clean, run, and what their
# comments say to expect comes true. Fewer or shorter replications than written
# where the whole would take seconds; test_shipped_long.sh runs them as written.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shipped.bash"

begin 'all lint clean'
for file in scenarios/quickstart.yaml scenarios/plan.yaml scenarios/{articles,outages,theory}/*.yaml; do
    expect 0 lint "$file"
    case $file in
    */overload*.yaml | */noisy_tenant*.yaml | */stranded_queue.yaml | \
        */caches_cold.yaml)
        # Too much to do is what they are about; nobody minds urgency before
        # the front door sheds.
        says 'of capacity'
        grep 'warning:' "$work/err" |
            grep -qv "of capacity\|'urgency' has no effect" &&
            fail "$file: $(cat "$work/err")"
        continue
        ;;
    esac
    [[ ! -s $work/err ]] || fail "$file: $(cat "$work/err")"
    prints "$file: ok"
done

check_quickstart --set replications=3
check_mixed_nodes --set replications=3
check_herding '1 s' --set replications=2
check_black_hole --set replications=3
check_misrouted --set replications=1
check_primary_down --set replications=3
check_mm1 --set 'duration=100 h' --set replications=4
check_old_news --set replications=3
finish
