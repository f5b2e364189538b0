#include "sim/report/csv_parts.h"
#include "sim/report/number.h"
#include "sim/report/report.h"
#include "sim/report/sweep_report.h"

#include <inttypes.h>
#include <math.h>

/* ---- the head ---- */

static void write_head(const struct sweep_report *report, FILE *out)
{
    const struct sweep_result *result = report->result;

    fprintf(out, "# lbsim %s\n# scenario: ", LBSIM_VERSION);
    csv_write_plain(out, report->base->name);
    fprintf(out, " (hash %016" PRIx64 ")\n", report->base->hash);
    fprintf(out, "# seed: %" PRIu64 "\n# replications: %u\n",
            report->base->seed, report->base->replications);
    if (result->whole < result->point_count)
        fprintf(out, "# partial: %" PRIu64 " of %" PRIu64 " points\n",
                result->whole, result->point_count);
}

/* Beside each path, as it is set, a column of its number in the base unit. */
static const char *unit_words(enum quantity_kind kind)
{
    switch (kind) {
    case QUANTITY_DURATION:
        return " in s";
    case QUANTITY_RATE:
        return " per s";
    case QUANTITY_SIZE:
        return " in B";
    case QUANTITY_SHARE:
        return " as ratio";
    case QUANTITY_COUNT:
    case QUANTITY_NUMBER:
    case QUANTITY_NONE:
        break;
    }
    return " as number";
}

static void write_number_name(const char *path, enum quantity_kind kind,
                              FILE *out)
{
    char name[300];

    snprintf(name, sizeof name, "%.250s%s", path, unit_words(kind));
    csv_text_field(out, name);
}

static void write_axis_names(const struct sweep_spec *spec, FILE *out)
{
    fputs("point", out);
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++) {
            const struct sweep_path *path = &spec->axes[i].paths[j];

            csv_text_field(out, path->path);
            write_number_name(path->path, path->kind, out);
        }
}

static void write_axis_values(const struct sweep_spec *spec, uint64_t point,
                              FILE *out)
{
    fprintf(out, "%" PRIu64, point + 1);
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++) {
            const struct sweep_value *value =
                &spec->axes[i].paths[j].values[sweep_place(spec, point, i)];

            csv_text_field(out, value->text);
            csv_field(out, value->number);
        }
}

/* ---- sweep.csv ---- */

static void write_measure(const struct sweep_report *report, uint64_t number,
                          uint32_t policy, uint32_t measure, FILE *out)
{
    const struct sweep_result *result = report->result;
    const struct sweep_point *point = &result->points[number];
    const struct sweep_policy *of = &point->policies[policy];
    const struct measure_fold *fold = &of->measures[measure];
    enum measure_id id = result->measures[measure];

    write_axis_values(&report->base->sweep, number, out);
    csv_text_field(out, report->base->policies[policy].label);
    fprintf(out, ",%s", measures[id].name);
    csv_field(out, fold->infinite ? NAN : fold->mean);
    csv_field(out, fold->lo);
    csv_field(out, fold->hi);
    fprintf(out, ",%u,%u", fold->n, fold->infinite);
    if (id != report->base->objective) {
        fputs(",,\n", out);
        return;
    }
    fprintf(out, ",%s,%s\n", verdict_names[of->verdict.kind],
            point->best != policy ? ""
            : point->best_is_sure ? "best"
                                  : "best_mean");
}

void sweep_csv_write(const struct sweep_report *report, FILE *out)
{
    const struct sweep_result *result = report->result;

    write_head(report, out);
    write_axis_names(&report->base->sweep, out);
    fputs(",policy,measure,mean,lo,hi,replications,infinite,verdict,rank\n",
          out);
    for (uint64_t i = 0; i < result->point_count; i++)
        for (uint32_t p = 0;
             result->points[i].whole && p < result->policy_count; p++)
            for (uint32_t m = 0; m < result->measure_count; m++) {
                const struct measure_fold *fold =
                    &result->points[i].policies[p].measures[m];

                if (fold->n > 0 || fold->infinite > 0)
                    write_measure(report, i, p, m, out);
            }
}

/* ---- crossovers.csv ---- */

static const char *better_at(const struct sweep_report *report, int sign)
{
    uint32_t which = sweep_better_of_pair(report->result->pair_measure, sign);

    if (sign == 0)
        return "";
    return report->base->policies[report->result->pair[which]].label;
}

static void write_crossover(const struct sweep_report *report, uint64_t number,
                            FILE *out)
{
    const struct crossover_result *found =
        report->result->points[number].crossover;
    bool is_flip = found->kind == CROSSOVER_FOUND;
    int below = is_flip ? found->flips[0].sign : found->sign;
    bool above = is_flip || found->kind == CROSSOVER_NONE;
    char text[1000];

    write_axis_values(&report->base->sweep, number, out);
    fprintf(out, ",%s", crossover_kind_names[found->kind]);
    csv_field(out, found->at);
    csv_field(out, found->lo);
    csv_field(out, found->hi);
    csv_field(out, found->bracket_lo);
    csv_field(out, found->bracket_hi);
    csv_text_field(out, better_at(report, below));
    csv_text_field(out,
                   above ? better_at(report, is_flip ? -below : below) : "");
    fprintf(out, ",%" PRIu64, found->pairs);
    sweep_finding_text(report, found, text, sizeof text);
    csv_text_field(out, text);
    fputc('\n', out);
}

void sweep_csv_write_crossovers(const struct sweep_report *report, FILE *out)
{
    const struct scenario *base = report->base;
    const struct crossover_spec *spec = &base->sweep.crossover;

    write_head(report, out);
    fputs("# crossover: ", out);
    csv_write_plain(out, spec->spans[0].path);
    fputs(unit_words(spec->spans[0].kind), out);
    fprintf(out, ", by %s\n", measures[report->result->pair_measure].name);
    write_axis_names(&base->sweep, out);
    fputs(",kind,at,lo,hi,bracket_lo,bracket_hi,better_below,better_above,"
          "pairs,finding\n",
          out);
    for (uint64_t i = 0; i < report->result->point_count; i++)
        if (report->result->points[i].whole)
            write_crossover(report, i, out);
}

/* ---- probes.csv ---- */

void sweep_csv_write_probes(const struct sweep_report *report, FILE *out)
{
    const struct scenario *base = report->base;
    const struct crossover_spec *spec = &base->sweep.crossover;

    write_head(report, out);
    fprintf(out, "# difference: %s, ",
            measures[report->result->pair_measure].name);
    csv_write_plain(out, base->policies[report->result->pair[1]].label);
    fputs(" minus ", out);
    csv_write_plain(out, base->policies[report->result->pair[0]].label);
    fputc('\n', out);
    write_axis_names(&base->sweep, out);
    write_number_name(spec->spans[0].path, spec->spans[0].kind, out);
    fputs(",pairs,difference,lo,hi,certain_sign\n", out);
    for (uint64_t i = 0; i < report->result->point_count; i++) {
        const struct crossover_result *found =
            report->result->points[i].crossover;

        for (uint32_t j = 0;
             report->result->points[i].whole && j < found->probe_count; j++) {
            const struct crossover_probe *probe = &found->probes[j];

            write_axis_values(&base->sweep, i, out);
            csv_field(out, probe->x);
            fprintf(out, ",%u", probe->pairs);
            csv_field(out, probe->mean);
            csv_field(out, probe->lo);
            csv_field(out, probe->hi);
            fprintf(out, ",%d\n", probe->sign);
        }
    }
}
