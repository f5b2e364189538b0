#!/usr/bin/env bash
# Policies of others that hang, die, leave, answer nonsense or do not end their
# table: each is told, by name, and none takes the program along unheard.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"

ends='{0}'
# object NAME PICK [ROW]: NAME.so, whose pick has this body, and whose table of
# parameters ends with that row.
object() {
    cat >"$work/$1.c" <<TEXT
#include "policies/lbp.h"
#include <stdlib.h>
static int state;
static void *create(const void *config, const struct lbp_host *host)
{
    return (void)config, (void)host, &state;
}
static void destroy(void *gone)
{
    (void)gone;
}
static enum lbp_status pick(void *mine, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot, struct lbp_explanation *why)
{
    (void)mine, (void)view, (void)request, (void)ret_slot, (void)why;
    $2
}
static const struct lbp_param params[] = {
    {.name = "n", .help = "n", .kind = LBP_COUNT, .max = 9, .preset = "1"},
    ${3-$ends}
};
const struct lbp_ops ops = {
    .abi = LBP_ABI, .size = sizeof ops, .name = "$1", .summary = "s",
    .tie_rule = "t", .params = params, .config_size = 8, .create = create,
    .destroy = destroy, .pick = pick};
LBP_ENTRY(ops)
TEXT
    cc -std=c17 -O1 -fPIC -shared -DLBP_SHARED -I "$root" \
        -o "$work/$1.so" "$work/$1.c" || fail "$1.c does not compile"
}
object waits 'return LBP_WAIT;'
object refuses 'return LBP_REFUSE;'
object finds_none 'return LBP_NO_NODE;'
object answers_nine 'return (enum lbp_status)9;'
object names_first '*ret_slot = 0; return LBP_PICKED;'
object loops 'for (;;) __asm__ volatile("");'
object loops_late 'if (++state > 20000) for (;;) __asm__ volatile("");
    *ret_slot = lbp_nth_eligible(request, 0); return LBP_PICKED;'
object dies 'abort();'
object leaves 'exit(0);'
# Instead of an end, a row whose name is nowhere.
object goes_on 'return LBP_NO_NODE;' '{.name = (const char *)64},'

cat >"$work/s.yaml" <<'TEXT'
lbsim: 1
duration: 20 s
replications: 2
workload: {arrivals: {process: poisson, rate: 10/s}, work: {dist: exponential, mean: 100 ms}}
nodes:
  - {group: fast, count: 2, engine: {slots: 1}}
  - {group: slow, count: 2, engine: {slots: 1, speed: 0.1}}
balancer: {health: {interval: 200 ms, timeout: 50 ms}}
faults:
  - {kind: crash, target: "fast[0]", at: 5 s}
policies: [least_conn]
TEXT

# says_not TEXT: on standard error.
says_not() {
    ! grep -qF -- "$1" "$work/err" || fail "says '$1'"
}

begin 'nothing is said of the load by who picks nobody'
for name in waits refuses finds_none; do
    expect 0 lint "$work/s.yaml" --policy "$work/$name.so"
    says_not 'of what they can serve'
done

begin 'what is no status, or no node to pick, ends the run by name'
for name in answers_nine names_first; do
    expect 3 run "$work/s.yaml" --quiet --policy random \
        --policy "$work/$name.so"
    says "policy '$name' named a node that may not be picked, or answered"
done

begin 'who dies or leaves is told before the run and in it'
expect 0 lint "$work/s.yaml" --policy "$work/dies.so"
says "policy 'dies', asked for picks before the run, died of SIGABRT"
says "try it with \`lbsim policies --check FILE.so\`"
says_not 'of what they can serve'
run run "$work/s.yaml" --quiet --policy "$work/dies.so"
[[ $status -eq 134 ]] || fail "exits with $status and not by SIGABRT"
says 'the program died while policies from shared objects were running'
expect 3 run "$work/s.yaml" --quiet --policy random --policy "$work/leaves.so"
says "policy 'leaves', or another from a shared object, ended the program"

begin 'who hangs is told'
expect 0 lint "$work/s.yaml" --policy "$work/loops.so"
says "policy 'loops', asked for picks before the run, did not end within 5 s"

# The state of two threads is one, and its count of picks.
begin 'who hangs in the middle of a run ends with it'
expect 3 run "$work/s.yaml" --quiet --policy "$work/loops_late.so" \
    --set 'duration=1 h' --limit-time '500 ms'
says "policy 'loops_late', or another from a shared object, does not come back"
says 'the run was to end 5 s ago'

begin 'an interruption ends it too'
"$program" run "$work/s.yaml" --quiet --policy "$work/loops_late.so" \
    --set 'duration=1 h' >"$work/out" 2>"$work/err" &
child=$!
await_hearing $child
sleep 2 # for the picks until it loops
kill -INT $child
status=0
wait $child || status=$?
[[ $status -eq 3 ]] || fail "exits with $status"
says 'does not come back: the run was to end 5 s ago'

begin 'after two checks that did not end, the others are passed over'
run policies --check "$work/loops.so" --limit-time 1s
[[ $status -eq 1 ]] || fail "exits with $status"
prints 'not looked at, after two checks that did not end'
[[ $(grep -c 'did not end within 1 s' "$work/out") -eq 2 ]] ||
    fail 'not two time-outs'

begin 'a table that does not end is told'
expect 2 policies "$work/goes_on.so"
says "breaks the contract: who reads what it says of itself"
says 'does its table of parameters end with {0}'
expect 2 lint "$work/s.yaml" --policy "$work/goes_on.so"
says 'does its table of parameters end with {0}'

begin 'a file where a name is due'
expect 2 lint "$work/s.yaml" --policy sed.so
says 'a shared object is written {sed: {so: ./sed.so}}'
says 'on the command line --policy ./sed.so'
expect 2 lint "$work/s.yaml" --set 'policies=[./sed.so]'
says 'a shared object is written {sed: {so: ./sed.so}}'

finish
