#include "sim/report/plan_lines.h"

#include "sim/report/number.h"
#include "sim/report/words.h"
#include "sim/scenario/absent.h"
#include "sim/scenario/heavier.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SHOWN_MAX = 5 }; /* mixes of a policy that were not enough */

/* ---- values ---- */

const char *plan_value_text(enum measure_id measure,
                            const struct plan_goal *goal,
                            char text[PLAN_TEXT_SIZE])
{
    enum measure_unit unit = measures[measure].unit;
    char value[WORDS_SIZE];

    if (isnan(goal->value))
        snprintf(text, PLAN_TEXT_SIZE, "no value");
    else if (unit == UNIT_RATIO)
        snprintf(text, PLAN_TEXT_SIZE, "%s",
                 words_value(value, goal->value, unit));
    else
        snprintf(text, PLAN_TEXT_SIZE, "%s",
                 words_interval(value, goal->value, goal->lo, goal->hi, unit));
    return text;
}

static const char *bound_of(const struct goal_spec *goal, char text[WORDS_SIZE])
{
    enum measure_unit unit = measures[goal->measure].unit;

    if (unit == UNIT_RATIO)
        snprintf(text, WORDS_SIZE, "%.9g %%", 100 * goal->bound);
    else
        snprintf(text, WORDS_SIZE, "%.9g%s", goal->bound, words_unit(unit));
    return text;
}

const char *plan_bound_text(const struct goal_spec *goal,
                            char text[PLAN_TEXT_SIZE])
{
    char bound[WORDS_SIZE];

    snprintf(text, PLAN_TEXT_SIZE, "%s %s %s", measures[goal->measure].name,
             measures[goal->measure].better == BETTER_HIGHER ? "at least"
                                                             : "at most",
             bound_of(goal, bound));
    return text;
}

/* ---- mixes that were not enough ---- */

/* A share up to twice the bound, beyond that how many times it. */
static void write_excess(double excess, const char *bound, FILE *out)
{
    char number[NUMBER_SIZE];

    if (excess < 1)
        fprintf(out, ", %s over %s", number_percent(number, excess), bound);
    else
        fprintf(out, ", %s times %s", number_short(number, 1 + excess), bound);
}

static void write_goal(const struct plan_report *report, uint32_t index,
                       const struct plan_goal *goal, FILE *out)
{
    const struct goal_spec *spec = &report->scenario->goals[index];
    char value[PLAN_TEXT_SIZE], bound[WORDS_SIZE];

    fprintf(out, "%s is %s", measures[spec->measure].name,
            plan_value_text(spec->measure, goal, value));
    if (goal->answer == PLAN_CANNOT_TELL) {
        fprintf(out, ", which may be on either side of %s",
                bound_of(spec, bound));
        if (goal->replications_needed > 0)
            fprintf(out, " (about %" PRIu64 " replications would tell)",
                    goal->replications_needed);
    } else if (isnan(goal->margin) ||
               measures[spec->measure].better == BETTER_HIGHER) {
        fprintf(out, ", not %s", bound_of(spec, bound));
    } else {
        write_excess(-goal->margin, bound_of(spec, bound), out);
    }
}

/* The goal that decides: missed before not to be told, and the farther off. */
static uint32_t deciding(const struct plan_report *report,
                         const struct plan_trial *trial)
{
    uint32_t chosen = 0;

    for (uint32_t i = 1; i < report->scenario->goal_count; i++) {
        const struct plan_goal *here = &trial->goals[i];
        const struct plan_goal *best = &trial->goals[chosen];

        if ((here->answer == PLAN_MISSED && best->answer != PLAN_MISSED) ||
            (here->answer == PLAN_CANNOT_TELL && best->answer == PLAN_MET) ||
            (here->answer == best->answer && here->margin < best->margin))
            chosen = i;
    }
    return chosen;
}

static void write_trial(const struct plan_report *report,
                        const struct plan_trial *trial, FILE *out)
{
    if (trial->kind == PLAN_NODES_LOST)
        fprintf(out, "with %u %s less, at %.9g %%, ", trial->lost,
                report->scenario->groups[trial->group].name, 100 * trial->load);
    else
        fprintf(out, "at %.9g %% ", 100 * trial->load);
    if (trial->replications == 0) {
        fputs(trial->reason, out);
        return;
    }
    if (trial->growing)
        fputs("queues still grow when arrivals stop; ", out);
    uint32_t goal = deciding(report, trial);
    write_goal(report, goal, &trial->goals[goal], out);
}

static void write_missed(const struct plan_report *report,
                         const struct plan_candidate *candidate, FILE *out)
{
    char text[PLAN_TEXT_SIZE];

    fprintf(out, "  %s: ", plan_mix_text(report, candidate->counts, text));
    write_trial(report,
                plan_worst_trial(candidate, report->scenario->goal_count), out);
    fputc('\n', out);
}

/* A mix of which another that was not enough has no fewer of any says less. */
static bool is_outdone(const struct plan_report *report,
                       const struct plan_policy *policy, uint32_t index)
{
    const uint32_t *counts = policy->candidates[index].counts;

    for (uint32_t i = 0; i < policy->candidate_count; i++) {
        const struct plan_candidate *other = &policy->candidates[i];
        bool below = i != index && other->answer != PLAN_MET &&
                     other->answer != PLAN_NOT_RUN;

        for (uint32_t g = 0; below && g < report->result->range_count; g++)
            below = counts[g] <= other->counts[g];
        if (below)
            return true;
    }
    return false;
}

static bool nearest_is_told(const struct plan_policy *policy)
{
    return policy->found.end == PLAN_INFEASIBLE ||
           policy->found.end == PLAN_UNTRIED;
}

static void write_not_enough(const struct plan_report *report,
                             const struct plan_policy *policy, FILE *out)
{
    uint32_t shown = 0, more = 0;

    for (uint32_t i = 0; i < policy->candidate_count; i++) {
        if (policy->candidates[i].answer == PLAN_MET ||
            policy->candidates[i].answer == PLAN_NOT_RUN ||
            i == policy->maybe ||
            (i == policy->nearest && nearest_is_told(policy)) ||
            is_outdone(report, policy, i))
            continue;
        if (shown == SHOWN_MAX) {
            more++;
            continue;
        }
        if (shown++ == 0)
            fprintf(out, "%s, not enough:\n", policy->label);
        write_missed(report, &policy->candidates[i], out);
    }
    if (more > 0)
        fprintf(out, "  and %u more\n", more);
}

/* Those that are neither enough nor not. */
static void write_untried(const struct plan_report *report,
                          const struct plan_policy *policy, FILE *out)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < policy->candidate_count; i++) {
        if (policy->candidates[i].answer != PLAN_NOT_RUN)
            continue;
        if (shown++ == 0)
            fprintf(out, "%s, neither enough nor not enough:\n", policy->label);
        if (shown <= SHOWN_MAX)
            write_missed(report, &policy->candidates[i], out);
    }
    if (shown > SHOWN_MAX)
        fprintf(out, "  and %u more\n", shown - SHOWN_MAX);
}

/* ---- how it was searched ---- */

static void write_hurt(const struct plan_report *report,
                       const struct plan_policy *policy, FILE *out)
{
    const struct plan_contradiction *at = &policy->found.contradiction;
    char fewer[PLAN_TEXT_SIZE], more[PLAN_TEXT_SIZE];

    fprintf(out,
            "%s: more nodes can hurt: %s is enough, %s %s; so "
            "nothing is inferred below the choice: %s cheaper mix was asked\n",
            policy->label, plan_mix_text(report, at->fewer, fewer),
            plan_mix_text(report, at->more, more),
            at->told ? "is not" : "cannot be told to be",
            policy->found.end == PLAN_LIMITED ? "not every" : "every");
}

static void write_nearest(const struct plan_report *report,
                          const struct plan_policy *policy, FILE *out)
{
    if (policy->nearest == policy->candidate_count)
        return;
    fputs("  nearest:\n", out);
    write_missed(report, &policy->candidates[policy->nearest], out);
}

/* What of the goals is open, and what would close it. */
static void write_maybe(const struct plan_report *report,
                        const struct plan_policy *policy, FILE *out)
{
    const struct plan_candidate *maybe = &policy->candidates[policy->maybe];
    uint64_t needed =
        plan_replications_needed(maybe, report->scenario->goal_count);
    char mix[PLAN_TEXT_SIZE];

    fprintf(out, "  %s: ", plan_mix_text(report, maybe->counts, mix));
    write_trial(report, plan_worst_trial(maybe, report->scenario->goal_count),
                out);
    if (needed > 0)
        fprintf(out, "\n  to decide it: --plan-replications %" PRIu64, needed);
    else
        fputs(
            "\n  to decide it would take more than a million replications: it "
            "is as good as on the bound",
            out);
    fputc('\n', out);
}

static void write_cheaper(const struct plan_report *report,
                          const struct plan_policy *policy, FILE *out)
{
    char best[PLAN_TEXT_SIZE];

    if (policy->maybe == policy->candidate_count ||
        policy->best == policy->candidate_count)
        return;
    fprintf(
        out,
        "%s: undecided: %s is enough for certain, a cheaper mix may be, "
        "too:\n",
        policy->label,
        plan_mix_text(report, policy->candidates[policy->best].counts, best));
    write_maybe(report, policy, out);
}

static void write_end(const struct plan_report *report,
                      const struct plan_policy *policy, FILE *out)
{
    bool any = policy->best < policy->candidate_count;

    if (policy->found.contradicted)
        write_hurt(report, policy, out);
    switch (policy->found.end) {
    case PLAN_FOUND:
        write_cheaper(report, policy, out);
        break;
    case PLAN_INFEASIBLE:
        fprintf(out, "%s: infeasible: no mix is enough%s\n", policy->label,
                policy->candidate_count == 0
                    ? ", more work arrives than any can do"
                    : "");
        write_nearest(report, policy, out);
        break;
    case PLAN_UNDECIDED:
        fprintf(out,
                "%s: undecided: no mix is told to be enough, and more "
                "replications might tell:\n",
                policy->label);
        write_maybe(report, policy, out);
        break;
    case PLAN_UNTRIED:
        fprintf(out,
                "%s: undecided: no mix that can be simulated is enough, and %u "
                "cannot be\n",
                policy->label, policy->found.untried);
        write_nearest(report, policy, out);
        break;
    case PLAN_LIMITED:
        fprintf(out, "%s: the limit of %u candidates was reached%s\n",
                policy->label, policy->found.asked,
                any ? ": there may be a cheaper mix"
                    : " before any was enough");
        break;
    case PLAN_ABANDONED:
        fprintf(out, "%s: stopped after %u candidates%s\n", policy->label,
                policy->found.asked, any ? ": there may be a cheaper mix" : "");
        break;
    }
}

/* The widest and the narrowest of the intervals that were asked for. */
static void write_share(const struct plan_report *report, FILE *out)
{
    const struct plan_result *result = report->result;
    double least = INFINITY, most = -INFINITY;

    for (uint32_t p = 0; p < result->policy_count; p++)
        for (uint32_t i = 0; i < result->policies[p].candidate_count; i++) {
            least = fmin(least, result->policies[p].candidates[i].level);
            most = fmax(most, result->policies[p].candidates[i].level);
        }
    fprintf(out,
            "confidence: %.9g %% that no mix of a policy that is called enough "
            "falls short, by Student's t of the replications' values: the k-th "
            "of at most %u mix%s may be wrong by a share in proportion to 1/k",
            100 * report->scenario->confidence, result->answers,
            result->answers == 1 ? "" : "es");
    if (least <= most)
        fprintf(out, ", so intervals are of %.6g %%", 100 * least);
    if (least < most)
        fprintf(out, " for the first to %.6g %% for the last", 100 * most);
    fprintf(out, " (%u look%s)\n", result->looks,
            result->looks == 1 ? "" : "s");
}

static void write_confidence(const struct plan_report *report, FILE *out)
{
    if (report->result->by_value)
        fputs("confidence: none: the trace is played once, as recorded, so "
              "values decide; 'replications: 10' would draw blocks of it\n",
              out);
    else
        write_share(report, out);
}

/* What not every mix sees. */
static void write_faults(const struct plan_report *report, FILE *out)
{
    const struct scenario *scenario = report->scenario;

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        if (!plan_may_lack_target(scenario, report->result, i))
            continue;
        bool one = fault_target_only(&scenario->faults[i].target) != UINT32_MAX;
        const char *kind = fault_kind_names[scenario->faults[i].kind];
        const char *target = absent_target_text(scenario, i);

        fprintf(out,
                one ? "faults: '%s' of %s does not happen in mixes without "
                      "that node, nor while it is lost\n"
                    : "faults: '%s' of %s strikes those nodes that a mix has "
                      "and that are not lost; without any it does not "
                      "happen\n",
                kind, target);
    }
}

static void write_how(const struct plan_report *report, FILE *out)
{
    const struct plan_result *result = report->result;
    const struct plan_spec *spec = &report->scenario->plan;
    uint64_t mixes = 0, hopeless = 0, inferred = 0, asked = 0, untried = 0;
    bool contradicted = false;

    for (uint32_t i = 0; i < result->policy_count; i++) {
        mixes += result->policies[i].found.mixes;
        contradicted |= result->policies[i].found.contradicted;
        hopeless += result->policies[i].found.hopeless;
        inferred += result->policies[i].found.inferred;
        asked += result->policies[i].found.asked;
        untried += result->policies[i].found.untried;
    }
    if (result->stopped)
        fputs("partial: stopped before the end; policies may be missing, and "
              "cheaper mixes\n",
              out);
    fprintf(out, "search: %" PRIu64 " mix%s", result->mixes,
            result->mixes == 1 ? "" : "es");
    if (result->policy_count > 1)
        fprintf(out, " for each policy, %" PRIu64 " for all", mixes);
    fprintf(out,
            ": of these %" PRIu64 " %s below the work that arrives, %" PRIu64
            " %s simulated, and %" PRIu64 " ruled out by those%s%s\n",
            hopeless, hopeless == 1 ? "is" : "are", asked - untried,
            asked - untried == 1 ? "was" : "were", inferred,
            inferred == 0 ? ""
                          : ": no cheaper than one that is enough, or with no "
                            "more of any group than one that is not",
            inferred == 0  ? ""
            : contradicted ? " (the latter only where more nodes did no harm)"
                           : " (more nodes do no harm: checked one node up, "
                             "and group by group)");
    if (untried > 0)
        fprintf(out, "not simulated, as they cannot be: %" PRIu64 "\n",
                untried);
    write_faults(report, out);
    fprintf(out, "load: %s, 100 %% as the scenario says; all goals at %.9g %%",
            scenario_load_words(report->scenario), 100 * spec->headroom);
    if (spec->lose > 0)
        fprintf(out, ", and at %.9g %% without %u node%s of any one group",
                100 * spec->lose_at, spec->lose, spec->lose == 1 ? "" : "s");
    fputs("; 'load' is of capacity, at the headroom\n", out);
    fprintf(out,
            "margin: by how much the tightest goal is better than its bound; "
            "bears: the load up to which the means meet the goals, all nodes "
            "there\n");
    write_confidence(report, out);
}

/* ---- theory ---- */

static void write_nodes(uint32_t nodes, FILE *out)
{
    if (nodes > 0)
        fprintf(out, "%u", nodes);
    else
        fputs("no number", out);
}

static void write_references(const struct plan_report *report, FILE *out)
{
    bool first = true;
    char number[NUMBER_SIZE];

    for (uint32_t i = 0; i < report->result->range_count; i++) {
        const struct plan_reference *from = &report->result->references[i];

        if (!from->known)
            continue;
        if (first)
            fprintf(out,
                    "theory, for comparison: a group alone behind one shared "
                    "queue without a policy, Poisson arrivals, exponential "
                    "work, for %s:\n",
                    from->by_goals ? "the same goals of latency"
                                   : "one arrival in five that waits");
        first = false;
        fprintf(out, "  %s: ", report->scenario->groups[from->group].name);
        write_nodes(from->erlang, out);
        fputs(" by Erlang C, ", out);
        write_nodes(from->root, out);
        fprintf(out,
                " by square-root staffing (%s erlangs at the headroom, "
                "%u slot%s a node)\n",
                number_short(number, from->erlangs), from->slots,
                from->slots == 1 ? "" : "s");
    }
}

void plan_write_lines(const struct plan_report *report, FILE *out)
{
    const struct plan_result *result = report->result;

    fputc('\n', out);
    for (uint32_t i = 0; i < result->policy_count; i++)
        write_end(report, &result->policies[i], out);
    for (uint32_t i = 0; i < result->policy_count; i++)
        write_not_enough(report, &result->policies[i], out);
    for (uint32_t i = 0; i < result->policy_count; i++)
        write_untried(report, &result->policies[i], out);
    write_how(report, out);
    write_references(report, out);
}
