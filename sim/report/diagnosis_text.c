/* Diagnoses for people: plain text, and Markdown. */
#include "sim/report/diagnosis_report.h"

#include "sim/report/names.h"
#include "sim/report/number.h"
#include "sim/scenario/describe.h"

#include <math.h>

/* ---- what text and Markdown have in common ---- */

static void nodes_text(const struct diagnosis_report *report,
                       const struct finding *finding, char *text, size_t size)
{
    const struct group_spec *group = &report->scenario->groups[finding->group];

    if (finding->nodes == 1)
        names_node(report->scenario, finding->first_node, text, size);
    else
        snprintf(text, size, "%u of %u nodes of %s", finding->nodes,
                 group->count, group->name);
}

/* How a symptom is measured. */
static void level_text(const struct finding *finding, char *text, size_t size)
{
    char level[NUMBER_SIZE];
    char others[NUMBER_SIZE];

    switch (finding->symptom) {
    case SYMPTOM_SWALLOWS:
        snprintf(text, size, "%s requests held on average, none served",
                 number_short(level, finding->level));
        break;
    case SYMPTOM_LOSES:
        snprintf(text, size, "%s of its attempts lost, of others' %s",
                 number_percent(level, finding->level),
                 number_percent(others, finding->others));
        break;
    case SYMPTOM_SURGES:
        snprintf(text, size, "%s requests wait, its load explains %s",
                 number_short(level, finding->level),
                 number_short(others, finding->others));
        break;
    default:
        snprintf(text, size, "use %s, the pool %s",
                 number_percent(level, finding->level),
                 number_percent(others, finding->others));
    }
}

static const char *const symptom_words[SYMPTOM_COUNT] = {
    "hot",
    "idle",
    "swallowing what it is sent",
    "losing what it is sent",
    "left out though up",
    "flooded now and then"};

void diagnosis_finding_text(const struct diagnosis_report *report,
                            const struct finding *finding, char *text,
                            size_t size)
{
    char nodes[NAMES_NODE_SIZE];
    char level[DIAGNOSIS_TEXT_SIZE];

    nodes_text(report, finding, nodes, sizeof nodes);
    level_text(finding, level, sizeof level);
    if (finding->symptom == SYMPTOM_LOSES) /* counted over all the time */
        snprintf(text, size, "%s: %s: %s", nodes,
                 symptom_words[finding->symptom], level);
    else
        snprintf(text, size, "%s: %s from %.4g s to %.4g s (%.4g s): %s", nodes,
                 symptom_words[finding->symptom], finding->start_s,
                 finding->end_s, finding->total_s, level);
}

void diagnosis_share_text(const struct explained *explained, char *text,
                          size_t size)
{
    if (isnan(explained->share))
        snprintf(text, size, "no share");
    else if (isnan(explained->lo))
        snprintf(text, size, "%.1f %% (one replication)",
                 100 * explained->share);
    else
        snprintf(text, size, "%.1f %% [%.1f, %.1f]", 100 * explained->share,
                 100 * explained->lo, 100 * explained->hi);
}

/* ---- text ---- */

/* As a shell takes it for one word. */
static void write_word(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void write_treatment(const struct cure *treatment, FILE *out)
{
    if (treatment->overrides.count == 0)
        return;
    fputs("      try:", out);
    for (size_t i = 0; i < treatment->overrides.count; i++) {
        fputs(" --set ", out);
        write_word(treatment->overrides.items[i], out);
    }
    fputc('\n', out);
}

/* The objective has no mean where any replication has no finite value. */
static double or_infinite(double value)
{
    return isnan(value) ? (double)INFINITY : value;
}

static void write_named(const struct diagnosis_report *report,
                        const struct trial_of_cause *trial, uint32_t finding,
                        FILE *out)
{
    char share[NUMBER_SIZE * 2];
    char before[NUMBER_SIZE];
    char after[NUMBER_SIZE];

    diagnosis_share_text(&trial->explained[finding], share, sizeof share);
    fprintf(out,
            "    cause: %s: %s (%s)\n"
            "      explains %s of it\n"
            "      %s\n"
            "      without it %s goes from %s to %s\n"
            "      to do: %s\n",
            cause_family_names[trial->cause->family], trial->cause->what,
            trial->cause->name, share, trial->evidence,
            measures[report->scenario->objective].name,
            number_short(before, or_infinite(trial->before)),
            number_short(after, or_infinite(trial->after)),
            trial->cause->remedy);
    write_treatment(&trial->treatment, out);
}

static void write_other(const struct trial_of_cause *trial, uint32_t finding,
                        FILE *out)
{
    const struct explained *explained = &trial->explained[finding];
    char share[NUMBER_SIZE * 2];

    if (explained->named || isnan(explained->share))
        return;
    diagnosis_share_text(explained, share, sizeof share);
    if (diagnosis_may_explain(explained))
        fprintf(out,
                "    perhaps: %s explains %s, too uncertain to name; more "
                "replications tell\n",
                trial->cause->name, share);
    else
        fprintf(out, "    not to blame: %s explains %s\n", trial->cause->name,
                share);
}

/* Whether any of them might be to blame. */
static bool write_others(const struct diagnosis *diagnosis, uint32_t finding,
                         FILE *out)
{
    bool perhaps = false;

    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        const struct trial_of_cause *trial = &diagnosis->trials[i];

        if (!trial->tried) {
            fprintf(out, "    not tried: %s\n", trial->cause->name);
            continue;
        }
        perhaps |= diagnosis_may_explain(&trial->explained[finding]);
        write_other(trial, finding, out);
    }
    return perhaps;
}

/* What is not tried may be behind it. */
static void write_unexplained(const struct diagnosis_report *report,
                              const struct diagnosis *diagnosis, FILE *out)
{
    const struct scenario *scenario = report->scenario;
    const struct policy_spec *policy =
        &scenario->policies[diagnosis - report->diagnoses];

    fputs("    no cause known here explains it; the policy may mean it so",
          out);
    if (scenario->routing.given && policy->routing == POLICY_ROUTING_TABLE)
        fputs(", or the routing table, which says where a class may go", out);
    if (scenario->fault_count > 0)
        fputs(", or it is what a fault leaves behind", out);
    if (scenario_nodes_change(scenario))
        fputs(", or it comes of nodes that come and go", out);
    fputc('\n', out);
}

static void write_finding(const struct diagnosis_report *report,
                          const struct diagnosis *diagnosis, uint32_t finding,
                          FILE *out)
{
    char text[2 * DIAGNOSIS_TEXT_SIZE];
    uint32_t named[CAUSE_COUNT];
    uint32_t count = diagnosis_named(diagnosis, finding, named);

    diagnosis_finding_text(report, &diagnosis->symptoms.findings[finding], text,
                           sizeof text);
    fprintf(out, "  %s\n", text);
    for (uint32_t i = 0; i < count; i++)
        write_named(report, &diagnosis->trials[named[i]], finding, out);

    bool perhaps = write_others(diagnosis, finding, out);

    if (count == 0 && !perhaps)
        write_unexplained(report, diagnosis, out);
}

static void write_pool(const struct symptoms *symptoms, double long_s,
                       FILE *out)
{
    char use[NUMBER_SIZE];

    if (symptoms->pool_is_full)
        fprintf(out,
                "  the pool is full, use %s: what is missing is capacity, not "
                "balance\n",
                number_percent(use, symptoms->pool_use));
    else if (symptoms->full_s >= long_s)
        fprintf(out,
                "  the pool is full for %.4g s: what is missing then is "
                "capacity, not balance\n",
                symptoms->full_s);
    if (!symptoms->pool_is_full && symptoms->finding_count == 0)
        fprintf(out,
                "  nothing: no node is hot, idle or losing for long (mean use "
                "%s)\n",
                number_percent(use, symptoms->pool_use));
}

static void write_partial(const struct diagnosis_report *report, FILE *out)
{
    if (report->count < report->asked)
        fprintf(out, "\nPartial: %u of %u policies were examined\n",
                report->count, report->asked);
}

void diagnosis_write_text(const struct diagnosis_report *report, FILE *out)
{
    fprintf(
        out,
        "Diagnosis of %s (hot: from %.3g %%, idle: below %.3g %%, for %.3g s "
        "or more; what is lost counts at once)\n",
        report->scenario->name, 100 * report->bounds->hot_ratio,
        100 * report->bounds->idle_ratio, report->bounds->long_s);
    for (uint32_t i = 0; i < report->count; i++) {
        const struct diagnosis *diagnosis = &report->diagnoses[i];

        fprintf(out, "\n%s (%u replication%s)\n", diagnosis->label,
                diagnosis->replications,
                diagnosis->replications == 1 ? "" : "s");
        write_pool(&diagnosis->symptoms, report->bounds->long_s, out);
        for (uint32_t j = 0; j < diagnosis->symptoms.finding_count; j++)
            write_finding(report, diagnosis, j, out);
    }
    write_partial(report, out);
}

/* ---- Markdown ---- */

static void write_rows(const struct diagnosis_report *report,
                       const struct diagnosis *diagnosis, uint32_t finding,
                       FILE *out)
{
    char text[2 * DIAGNOSIS_TEXT_SIZE];
    char share[NUMBER_SIZE * 2];
    uint32_t named[CAUSE_COUNT];
    uint32_t count = diagnosis_named(diagnosis, finding, named);

    diagnosis_finding_text(report, &diagnosis->symptoms.findings[finding], text,
                           sizeof text);
    if (count == 0)
        fprintf(out, "| %s | %s | none known | | |\n", diagnosis->label, text);
    for (uint32_t i = 0; i < count; i++) {
        const struct trial_of_cause *trial = &diagnosis->trials[named[i]];

        diagnosis_share_text(&trial->explained[finding], share, sizeof share);
        fprintf(out, "| %s | %s | %s: %s | %s | %s |\n", diagnosis->label, text,
                cause_family_names[trial->cause->family], trial->evidence,
                share, trial->cause->remedy);
    }
}

void diagnosis_write_markdown(const struct diagnosis_report *report, FILE *out)
{
    fprintf(out,
            "# Diagnosis of %s\n\n"
            "| policy | finding | cause | explains | to do |\n"
            "|---|---|---|---|---|\n",
            report->scenario->name);
    for (uint32_t i = 0; i < report->count; i++) {
        const struct diagnosis *diagnosis = &report->diagnoses[i];

        if (diagnosis->symptoms.pool_is_full)
            fprintf(out, "| %s | the pool is full | capacity | | |\n",
                    diagnosis->label);
        else if (diagnosis->symptoms.finding_count == 0)
            fprintf(out, "| %s | nothing | | | |\n", diagnosis->label);
        for (uint32_t j = 0; j < diagnosis->symptoms.finding_count; j++)
            write_rows(report, diagnosis, j, out);
    }
    write_partial(report, out);
}
