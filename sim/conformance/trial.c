#include "sim/conformance/trial.h"

#include "sim/conformance/watch.h"
#include "sim/core/child.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct check checks[] = {
    {"table", "what a policy says of itself makes sense", check_table},
    {"eligible", "pick names eligible slots only", check_eligible},
    {"nobody", "with nothing eligible, pick names nobody", check_nobody},
    {"single", "the only eligible node is taken, without a draw", check_single},
    {"large", "4,096 nodes are served as eight are", check_large},
    {"churn", "nodes join, leave and change while requests are under way",
     check_churn},
    {"counts", "pick counts nothing: the host may ask and not send",
     check_counts},
    {"cancelled",
     "an attempt that the host gave up is over, and says nothing "
     "of the node",
     check_cancelled},
    {"generation", "another node in a slot starts afresh", check_generation},
    {"repeatable", "the same calls and the same chance give the same decisions",
     check_repeatable},
    {"instances", "instances share nothing", check_instances},
    {"view", "pick leaves the view and the eligible set alone", check_view},
    {"sizes", "structs may be longer than the policy knows", check_sizes},
    {"after_pick", "after pick only what needs asks for is there",
     check_after_pick},
    {"explains", "an explanation agrees with the decision and changes nothing",
     check_explains},
    {"reports", "reports may be absent, old or nonsense", check_reports},
    {"requests", "requests may lack key, text and blocks, or be huge",
     check_requests},
    {"parameters", "any value in range serves", check_parameters},
    {"memory", "memory comes from the host, and none during traffic",
     check_memory},
    {"chance", "chance comes from the host", check_chance},
    {"outside", "no clock, no lock, no call of the system", check_outside},
    {"refused",
     "without memory create gives NULL and on_members false, and "
     "nothing is lost",
     check_refused},
    {"destroy", "destroy gives all back, and accepts NULL", check_destroy},
    {"timer", "on_timer asks for a time to come", check_timer},
    {"budget",
     "a pick takes 2 us at 64 nodes and 10 us at 1,024; ten times "
     "that fails",
     check_budget},
    {0},
};

/* The first failure counts, and a failure more than a skip. */
static void end_with(struct trial *trial, enum conformance_verdict verdict,
                     const char *format, va_list arguments)
{
    struct trial_report *report = trial->report;

    if (report->verdict == CONFORMANCE_FAIL)
        return;
    vsnprintf(report->seen, sizeof report->seen, format, arguments);
    report->verdict = verdict;
}

void trial_fail(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    end_with(trial, CONFORMANCE_FAIL, format, arguments);
    va_end(arguments);
}

void trial_skip(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    end_with(trial, CONFORMANCE_SKIP, format, arguments);
    va_end(arguments);
}

void trial_note(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(trial->report->note, sizeof trial->report->note, format,
              arguments);
    va_end(arguments);
}

void trial_doing(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(trial->report->doing, sizeof trial->report->doing, format,
              arguments);
    va_end(arguments);
}

bool trial_open(struct trial *trial, struct stage *stage,
                const struct stage_options *options)
{
    if (stage_open(stage, trial->ops, trial->config, options))
        return true;
    trial_fail(trial, "%s without lack of memory, with %u nodes",
               stage->members_failed ? "on_members gave false"
                                     : "create gave NULL",
               options->slot_count);
    stage_close(stage);
    return false;
}

const char *trial_answer(uint32_t decision, char *text, size_t size)
{
    static const char *const names[] = {"PICKED without a slot", "NO_NODE",
                                        "WAIT", "REFUSE"};

    if (decision == UINT32_MAX - 8)
        snprintf(text, size, "something that was not eligible");
    else if (decision >= UINT32_MAX - 7 && decision <= UINT32_MAX - 4)
        snprintf(text, size, "%s", names[decision - (UINT32_MAX - 7)]);
    else
        snprintf(text, size, "slot %u", decision);
    return text;
}

void trial_fail_unsound(struct trial *trial, const struct traffic *traffic,
                        const char *when)
{
    if (traffic->unsound == 0)
        return;
    if (traffic->unsound_slot == LBP_NO_SLOT)
        trial_fail(trial, "answered PICKED without an eligible slot %s", when);
    else
        trial_fail(trial, "picked slot %u, which was not eligible, %s",
                   traffic->unsound_slot, when);
}

/* ---- lives ---- */

enum { SCORES = 64 };

/* In shared memory, so that the parent sees the decisions. */
struct shared_life {
    struct trial trial;
    struct trial_life life;
    bool opened;
    uint32_t decisions[];
};

static void live(void *context)
{
    struct shared_life *shared = context;
    struct lbp_score *scores = fence_make(SCORES * sizeof *scores);
    struct lbp_explanation explanation = {
        .size = sizeof explanation, .capacity = SCORES, .scores = scores};
    struct traffic traffic;
    struct stage stage;

    watch_install(shared->trial.ops);
    shared->opened = trial_open(&shared->trial, &stage, &shared->life.options);
    if (!shared->opened)
        return;
    traffic_start(&traffic, &stage, shared->life.seed);
    for (uint32_t step = 0; step < shared->life.steps; step++)
        shared->decisions[step] = traffic_step_explained(
            &traffic, shared->life.explained ? &explanation : NULL);
    traffic_drain(&traffic);
    stage_close(&stage);
}

bool trial_live_apart(struct trial *trial, const struct trial_life *life,
                      uint32_t *ret)
{
    size_t size = sizeof(struct shared_life) + life->steps * sizeof(uint32_t);
    struct shared_life *shared = child_share(size);
    char how[CONFORMANCE_TEXT / 2];
    bool opened;

    if (!shared) {
        trial_fail(trial, "no memory for the check");
        return false;
    }
    shared->trial = *trial;
    shared->life = *life;
    if (child_run(live, shared, trial->limit_ns, how, sizeof how) !=
        CHILD_RETURNED)
        trial_fail(trial, "%s", how);
    opened = shared->opened && trial->report->verdict != CONFORMANCE_FAIL;
    if (opened)
        memcpy(ret, shared->decisions, life->steps * sizeof *ret);
    child_unshare(shared, size);
    return opened;
}

void trial_compare(struct trial *trial, const uint32_t *one,
                   const uint32_t *other, uint32_t steps, const char *what)
{
    char was[80], is[80];

    for (uint32_t step = 0; step < steps; step++)
        if (one[step] != other[step]) {
            trial_fail(trial, "decision %u was %s, and %s %s", step + 1,
                       trial_answer(one[step], was, sizeof was), what,
                       trial_answer(other[step], is, sizeof is));
            return;
        }
}
