#include "sim/experiment/baseline_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const check_verdict_names[CHECK_VERDICT_COUNT] = {
    [CHECK_PASS] = "pass",
    [CHECK_INCONCLUSIVE] = "inconclusive",
    [CHECK_REGRESSION] = "regression",
    [CHECK_REMADE] = "new",
};

struct checking {
    const struct scenario *scenario;
    const struct baseline *then, *now;
    const struct experiment_result *outcome;
    struct check_result *check;
    struct regression_test *tests; /* [test_count] of the rows that have both */
    struct regression *findings;   /* [test_count] */
    size_t *rows_of_tests;         /* [test_count] */
    size_t test_count;
};

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static struct check_row *add_row(struct checking *checking, const char *policy,
                                 const char *measure)
{
    struct check_row *row = &checking->check->rows[checking->check->row_count];
    enum measure_id id = measure_find(measure, strlen(measure));

    checking->check->row_count++;
    *row = (struct check_row){
        .policy = policy,
        .measure = measure,
        .unit = id < MEASURE_COUNT ? measures[id].unit : UNIT_PLAIN,
    };
    return row;
}

static void add_test(struct checking *checking,
                     const struct tolerance_spec *tolerance,
                     const struct baseline_measure *then,
                     const struct baseline_measure *now)
{
    size_t i = checking->test_count++;

    checking->rows_of_tests[i] = checking->check->row_count - 1;
    checking->tests[i] = (struct regression_test){
        .old_values = then->values,
        .new_values = now->values,
        .pairs = fewer(checking->then->runs, checking->now->runs),
        .better = measures[tolerance->measure].better,
        .allowed_ratio = tolerance->ratio,
        .allowed = tolerance->amount,
    };
}

/* One policy of now, with what the baseline has of it. */
static void line_up(struct checking *checking, uint32_t index)
{
    const struct scenario *scenario = checking->scenario;
    const struct policy_fold *fold = &checking->outcome->policies[index].fold;
    const struct baseline_policy *now = &checking->now->policies[index];
    const struct baseline_policy *then =
        baseline_pair(checking->now, now, checking->then);

    for (uint32_t i = 0; i < scenario->check.tolerance_count; i++) {
        const struct tolerance_spec *tolerance = &scenario->check.tolerances[i];
        const char *name = measures[tolerance->measure].name;
        const struct baseline_measure *old_one =
            then ? baseline_find_measure(then, name) : NULL;
        struct check_row *row = add_row(checking, now->label, name);

        row->weak = fold->measures[tolerance->measure].weak;
        row->unstable = fold->unstable > 0;
        row->line = old_one ? old_one->line : then ? then->line : 0;
        if (old_one)
            add_test(checking, tolerance, old_one, &now->measures[i]);
        else
            row->state = CHECK_NEW;
    }
}

/* Policies that were there; of those that still are, measures are chosen by
   the scenario, which may watch fewer. */
static void add_what_is_gone(struct checking *checking)
{
    for (uint32_t i = 0; i < checking->then->policy_count; i++) {
        const struct baseline_policy *then = &checking->then->policies[i];

        if (baseline_pair(checking->then, then, checking->now))
            continue;
        for (uint32_t m = 0; m < then->measure_count; m++) {
            struct check_row *row =
                add_row(checking, then->label, then->measures[m].name);

            row->state = CHECK_GONE;
            row->line = then->measures[m].line;
        }
    }
}

static size_t most_rows(const struct checking *checking)
{
    size_t rows = (size_t)checking->now->policy_count *
                  checking->scenario->check.tolerance_count;

    for (uint32_t i = 0; i < checking->then->policy_count; i++)
        rows += checking->then->policies[i].measure_count;
    return rows;
}

static enum check_verdict verdict_of(const struct check_row *row)
{
    if (row->state != CHECK_JUDGED || row->finding.kind == REGRESSION_UNCLEAR)
        return CHECK_INCONCLUSIVE;
    return row->finding.kind == REGRESSION_WORSE ? CHECK_REGRESSION
                                                 : CHECK_PASS;
}

static void sum_up(struct check_result *check)
{
    check->identical = true;
    for (size_t i = 0; i < check->row_count; i++) {
        struct check_row *row = &check->rows[i];

        row->verdict = verdict_of(row);
        if (row->verdict > check->verdict)
            check->verdict = row->verdict;
        if (row->state == CHECK_JUDGED)
            check->kinds[row->finding.kind]++;
        else
            check->missing++;
        check->identical &=
            row->state == CHECK_JUDGED && row->finding.kind == REGRESSION_SAME;
    }
}

static bool judge(struct checking *checking)
{
    const struct check_spec *spec = &checking->scenario->check;
    struct regression_rules rules = {
        .false_alarms = spec->false_alarms,
        .confidence = checking->scenario->confidence,
        .exact = checking->then->once && checking->now->once,
    };

    if (!regressions_judge(checking->tests, checking->test_count, &rules,
                           checking->findings))
        return false;
    for (size_t i = 0; i < checking->test_count; i++)
        checking->check->rows[checking->rows_of_tests[i]].finding =
            checking->findings[i];
    if (!rules.exact)
        checking->check->fewest_replications =
            regressions_fewest_pairs(checking->test_count, spec->false_alarms);
    return true;
}

bool baseline_check(const struct scenario *scenario,
                    const struct baseline *then, const struct baseline *now,
                    const struct experiment_result *outcome, bool some_policies,
                    struct check_result *ret)
{
    struct checking checking = {.scenario = scenario,
                                .then = then,
                                .now = now,
                                .outcome = outcome,
                                .check = ret};
    size_t most = most_rows(&checking) + 1;
    bool fine;

    *ret = (struct check_result){.rows = calloc(most, sizeof *ret->rows),
                                 .some_policies = some_policies};
    checking.tests = calloc(most, sizeof *checking.tests);
    checking.findings = calloc(most, sizeof *checking.findings);
    checking.rows_of_tests = calloc(most, sizeof *checking.rows_of_tests);
    fine = ret->rows && checking.tests && checking.findings &&
           checking.rows_of_tests;
    for (uint32_t i = 0; fine && i < now->policy_count; i++)
        line_up(&checking, i);
    if (fine && !some_policies)
        add_what_is_gone(&checking);
    fine = fine && judge(&checking);
    if (fine)
        sum_up(ret);
    free(checking.tests);
    free(checking.findings);
    free(checking.rows_of_tests);
    return fine;
}

/* ---- other settings ---- */

static struct regression unjudged(const struct baseline_measure *then,
                                  const struct baseline_measure *now,
                                  uint32_t pairs)
{
    struct regression finding = {
        .kind = then->mean == now->mean ? REGRESSION_SAME : REGRESSION_UNCLEAR,
        .pairs = pairs,
        .old_value = then->mean,
        .new_value = now->mean,
        .change = now->mean - then->mean,
        .change_ratio = NAN,
        .lo = NAN,
        .hi = NAN,
        .allowed = NAN,
        .p = NAN,
    };

    if (then->mean != 0)
        finding.change_ratio = finding.change / fabs(then->mean);
    for (uint32_t i = 0; i < pairs; i++) {
        finding.old_unbounded += isinf(then->values[i]) != 0;
        finding.new_unbounded += isinf(now->values[i]) != 0;
    }
    return finding;
}

static void list_unjudged(struct checking *checking,
                          const struct baseline_policy *now)
{
    const struct baseline *then = checking->then;
    const struct baseline_policy *was = baseline_pair(checking->now, now, then);

    for (uint32_t i = 0; was && i < now->measure_count; i++) {
        const struct baseline_measure *measure = &now->measures[i];
        const struct baseline_measure *old_one =
            baseline_find_measure(was, measure->name);
        struct check_row *row;

        if (!old_one)
            continue;
        row = add_row(checking, now->label, measure->name);
        row->state = CHECK_UNLIKE;
        row->verdict = CHECK_REMADE;
        row->line = old_one->line;
        row->finding =
            unjudged(old_one, measure, fewer(then->runs, checking->now->runs));
    }
}

bool baseline_remake(const struct scenario *scenario,
                     const struct baseline *then, const struct baseline *now,
                     struct check_result *ret)
{
    struct checking checking = {
        .scenario = scenario, .then = then, .now = now, .check = ret};
    size_t most = then ? most_rows(&checking) + 1 : 1;

    *ret = (struct check_result){.verdict = CHECK_REMADE,
                                 .rows = calloc(most, sizeof *ret->rows)};
    for (uint32_t i = 0; ret->rows && then && i < now->policy_count; i++)
        list_unjudged(&checking, &now->policies[i]);
    return ret->rows != NULL;
}

void check_result_done(struct check_result *check)
{
    free(check->rows);
    *check = (struct check_result){0};
}
