#include "sim/report/plan_report.h"

#include "sim/report/csv_parts.h"
#include "sim/report/report.h"

#include <inttypes.h>
#include <math.h>

static void write_head(const struct plan_report *report, FILE *out)
{
    const struct scenario *scenario = report->scenario;

    fprintf(out, "# lbsim %s\n# scenario: ", LBSIM_VERSION);
    csv_write_plain(out, scenario->name);
    fprintf(out, " (hash %016" PRIx64 ")\n", scenario->hash);
    fprintf(out, "# seed: %" PRIu64 "\n", scenario->seed);
    if (report->result->stopped)
        fputs("# partial: stopped before the end\n", out);
    fputs("policy,candidate,chosen", out);
    for (uint32_t i = 0; i < report->result->range_count; i++) {
        fputs(",", out);
        csv_write_text(out,
                       scenario->groups[report->result->ranges[i].group].name);
        fputs("_nodes", out);
    }
    fputs(",nodes,cost_per_hour,answer,trial,lost_group,lost_nodes,"
          "times_load,load_of_capacity,replications,growing,goal,bound,value,"
          "lo,hi,margin_ratio,goal_answer,replications_needed\n",
          out);
}

static void count_field(FILE *out, uint64_t count)
{
    fprintf(out, ",%" PRIu64, count);
}

static void write_goal(const struct plan_report *report,
                       const struct plan_trial *trial, uint32_t index,
                       FILE *out)
{
    const struct goal_spec *spec = &report->scenario->goals[index];
    const struct plan_goal *goal = &trial->goals[index];

    csv_text_field(out, measures[spec->measure].name);
    csv_field(out, spec->bound);
    csv_field(out, goal->value);
    csv_field(out, goal->lo);
    csv_field(out, goal->hi);
    csv_field(out, goal->margin);
    csv_text_field(out, plan_answer_names[goal->answer]);
    if (goal->replications_needed > 0)
        count_field(out, goal->replications_needed);
    else
        fputc(',', out);
}

static void write_row(const struct plan_report *report,
                      const struct plan_policy *policy, uint32_t candidate,
                      const struct plan_trial *trial, uint32_t goal, FILE *out)
{
    const struct plan_candidate *of = &policy->candidates[candidate];
    bool lost = trial->kind == PLAN_NODES_LOST;

    csv_write_text(out, policy->label);
    count_field(out, candidate + 1u);
    count_field(out, candidate == policy->best);
    for (uint32_t i = 0; i < report->result->range_count; i++)
        count_field(out, of->counts[i]);
    count_field(out, of->nodes);
    csv_field(out, of->cost_per_hour);
    csv_text_field(out, plan_answer_names[of->answer]);
    csv_text_field(out, plan_trial_names[trial->kind]);
    csv_text_field(out,
                   lost ? report->scenario->groups[trial->group].name : "");
    count_field(out, trial->lost);
    csv_field(out, trial->load);
    csv_field(out, trial->use);
    count_field(out, trial->replications);
    count_field(out, trial->growing);
    if (trial->replications > 0)
        write_goal(report, trial, goal, out);
    else
        fputs(",,,,,,,,", out);
    fputc('\n', out);
}

static void write_candidate(const struct plan_report *report,
                            const struct plan_policy *policy,
                            uint32_t candidate, FILE *out)
{
    const struct plan_candidate *of = &policy->candidates[candidate];

    for (uint32_t i = 0; i < of->trial_count; i++) {
        const struct plan_trial *trial = &of->trials[i];
        uint32_t rows =
            trial->replications > 0 ? report->scenario->goal_count : 1;

        for (uint32_t goal = 0; goal < rows; goal++)
            write_row(report, policy, candidate, trial, goal, out);
    }
}

void plan_write_csv(const struct plan_report *report, FILE *out)
{
    write_head(report, out);
    for (uint32_t p = 0; p < report->result->policy_count; p++) {
        const struct plan_policy *policy = &report->result->policies[p];

        for (uint32_t i = 0; i < policy->candidate_count; i++)
            write_candidate(report, policy, i, out);
    }
}
