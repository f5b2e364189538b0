#include "sim/report/plan_report.h"

#include <stdio.h>

const char *const plan_trial_names[] = {"at_load", "at_headroom", "nodes_lost"};
const char *const plan_answer_names[] = {"met", "missed", "cannot_tell",
                                         "not_run", "stopped"};

const char *plan_mix_text(const struct plan_report *report,
                          const uint32_t *counts, char text[PLAN_TEXT_SIZE])
{
    size_t used = 0;

    text[0] = 0;
    for (uint32_t i = 0;
         i < report->result->range_count && used < PLAN_TEXT_SIZE; i++) {
        uint32_t group = report->result->ranges[i].group;

        used += (size_t)snprintf(
            text + used, PLAN_TEXT_SIZE - used, "%s%.40s %u", i > 0 ? ", " : "",
            report->scenario->groups[group].name, counts[i]);
    }
    return text;
}

const char *plan_end_name(const struct plan_policy *policy)
{
    static const char *const names[] = {
        [PLAN_FOUND] = "found",         [PLAN_INFEASIBLE] = "infeasible",
        [PLAN_UNDECIDED] = "undecided", [PLAN_UNTRIED] = "untried",
        [PLAN_LIMITED] = "limited",     [PLAN_ABANDONED] = "stopped"};

    return names[policy->found.end];
}
