#include "sim/conformance/conformance.h"

#include "sim/conformance/trial.h"
#include "sim/conformance/watch.h"
#include "sim/core/child.h"

#include <stdio.h>
#include <string.h>

enum { TIME_OUTS_MOST = 2 };

struct task {
    struct trial trial;
    const struct check *check;
};

static void run_check(void *context)
{
    struct task *task = context;

    /* Where it cannot watch, the checks that need it say so. */
    watch_install(task->trial.ops);
    task->check->run(&task->trial);
}

/* How a check ended that did not return: what it did then is half of it. */
static void tell_end(struct conformance_result *result,
                     const struct trial_report *report, const char *how)
{
    result->verdict = CONFORMANCE_FAIL;
    if (report->verdict == CONFORMANCE_FAIL) /* it said why before */
        snprintf(result->seen, sizeof result->seen, "%s", report->seen);
    else if (report->doing[0])
        snprintf(result->seen, sizeof result->seen, "%.150s, %.200s", how,
                 report->doing);
    else
        snprintf(result->seen, sizeof result->seen, "%s", how);
}

static bool judge(const struct conformance_setup *setup,
                  const struct check *check, struct trial_report *report,
                  struct conformance_result *ret, uint32_t *time_outs)
{
    struct task task = {.trial = {.ops = setup->ops,
                                  .config = setup->config,
                                  .limit_ns = setup->limit_ns,
                                  .report = report},
                        .check = check};
    char how[CONFORMANCE_TEXT / 2];
    enum child_end end;

    memset(report, 0, sizeof *report);
    *ret = (struct conformance_result){.name = check->name,
                                       .contract = check->contract};
    end = child_run(run_check, &task, setup->limit_ns, how, sizeof how);
    if (end == CHILD_NOT_MADE)
        return false;
    if (end == CHILD_RETURNED) {
        ret->verdict = report->verdict;
        memcpy(ret->seen, report->seen, sizeof ret->seen);
        memcpy(ret->note, report->note, sizeof ret->note);
    } else {
        tell_end(ret, report, how);
        *time_outs += end == CHILD_TOO_LONG;
    }
    return true;
}

static void count(struct conformance_books *books,
                  enum conformance_verdict verdict)
{
    books->passed += verdict == CONFORMANCE_PASS;
    books->failed += verdict == CONFORMANCE_FAIL;
    books->skipped += verdict == CONFORMANCE_SKIP;
}

/* Who has hung twice would hang in most of what is left. */
static void pass_over(const struct check *check, struct conformance_result *ret)
{
    *ret = (struct conformance_result){.name = check->name,
                                       .contract = check->contract,
                                       .verdict = CONFORMANCE_SKIP};
    snprintf(ret->seen, sizeof ret->seen,
             "not looked at, after two checks that did not end");
}

bool conformance_run(const struct conformance_setup *setup,
                     struct conformance_books *ret)
{
    struct trial_report *report = child_share(sizeof *report);
    bool whole = report != NULL;
    uint32_t time_outs = 0;

    *ret = (struct conformance_books){0};
    for (const struct check *check = checks; whole && check->name; check++) {
        struct conformance_result result;

        if (time_outs < TIME_OUTS_MOST)
            whole = judge(setup, check, report, &result, &time_outs);
        else
            pass_over(check, &result);
        if (!whole)
            break;
        count(ret, result.verdict);
        setup->tell(setup->context, &result);
    }
    child_unshare(report, sizeof *report);
    return whole;
}

bool conformance_try(void (*open)(void *context), void *context,
                     int64_t limit_ns, char *reterr)
{
    return child_run(open, context, limit_ns, reterr, CONFORMANCE_TEXT) ==
           CHILD_RETURNED;
}
