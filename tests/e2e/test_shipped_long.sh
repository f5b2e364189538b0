#!/usr/bin/env bash
# The scenarios that come with the program, as written: see test_shipped.sh.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/shipped.bash"

check_quickstart
check_mixed_nodes
check_herding '100 ms'
check_herding '1 s'
check_herding '10 s'
for share in 0 20 40 80; do
    check_repeats "$share"
done
check_black_hole
check_misrouted
check_primary_down
check_batching
check_plan
check_mm1
check_old_news
check_two_choices
finish
