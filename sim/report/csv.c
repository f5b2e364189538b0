#include "sim/report/csv.h"

#include "sim/experiment/cost.h"
#include "sim/report/csv_parts.h"
#include "sim/report/names.h"
#include "sim/report/number.h"
#include "sim/scenario/describe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- policies.csv ---- */

static void write_notes(const struct policy_result *policy, FILE *out)
{
    const struct policy_fold *fold = &policy->fold;
    const char *separator = "";

    fputs(",\"", out);
    if (fold->unstable > 0) {
        fprintf(out, "unstable in %u of %u replications", fold->unstable,
                fold->replications);
        separator = "; ";
    }
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        const struct measure_fold *measure = &fold->measures[id];

        if (measure->infinite > 0) {
            char text[200];

            fprintf(out, "%s%s %s", separator, measures[id].name,
                    policy_fold_reason(fold, (enum measure_id)id, text,
                                       sizeof text));
        } else if (measure->weak && measure->n > 0) {
            fprintf(out, "%s%s weak", separator, measures[id].name);
        } else {
            continue;
        }
        separator = "; ";
    }
    fputc('"', out);
}

void csv_write_policies(const struct report_input *input, FILE *out)
{
    csv_write_head(input, out);
    fputs("policy,verdict,replications", out);
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        const char *name = measures[id].name;

        if (outcome_shows(input->result, (enum measure_id)id))
            fprintf(out, ",%s,%s_lo,%s_hi", name, name, name);
    }
    fputs(",notes\n", out);

    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        csv_write_text(out, policy->label);
        fprintf(out, ",%s,%u", verdict_names[policy->verdict.kind],
                policy->fold.replications);
        for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
            if (!outcome_shows(input->result, (enum measure_id)id))
                continue;
            csv_field(out, policy->fold.measures[id].mean);
            csv_field(out, policy->fold.measures[id].lo);
            csv_field(out, policy->fold.measures[id].hi);
        }
        write_notes(policy, out);
        fputc('\n', out);
    }
}

/* ---- values.csv ---- */

static void write_values_head(const struct report_input *input, FILE *out)
{
    const struct scenario *scenario = input->scenario;

    csv_write_head(input, out);
    fprintf(out, "# objective: %s\n# confidence: %.9g\n# min_effect: %.9g\n",
            measures[scenario->objective].name, scenario->confidence,
            scenario->min_effect);
    fputs("policy,replication", out);
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        if (outcome_shows(input->result, (enum measure_id)id))
            fprintf(out, ",%s", measures[id].name);
    fputs(",infinite\n", out);
}

static void write_values(const struct report_input *input,
                         const struct policy_result *policy, uint32_t i,
                         FILE *out)
{
    const char *separator = ",";

    csv_write_text(out, policy->label);
    fprintf(out, ",%u", outcome_replication(input->result, i));
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        if (outcome_shows(input->result, (enum measure_id)id))
            csv_field(out, policy->fold.values[id][i]);
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        if (isinf(policy->fold.values[id][i])) {
            fprintf(out, "%s%s", separator, measures[id].name);
            separator = " ";
        }
    fputs(*separator == ',' ? ",\n" : "\n", out);
}

void csv_write_values(const struct report_input *input, FILE *out)
{
    write_values_head(input, out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++)
        for (uint32_t j = 0; j < input->result->replications; j++)
            write_values(input, &input->result->policies[i], j, out);
}

/* ---- cards.csv ---- */

void csv_write_cards(const struct report_input *input, FILE *out)
{
    const struct scenario *scenario = input->scenario;
    char name[NAMES_NODE_SIZE];

    csv_write_head(input, out);
    fputs("policy,node,card,use_ratio\n", out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const double *use = policy->fold.card_use_ratios;
        const double *end = use + policy->fold.card_count;

        for (uint32_t node = 0; use < end; node++) {
            uint32_t cards = names_group_of(scenario, node)->cards;

            for (uint32_t card = 0; cards > 1 && card < cards; card++) {
                csv_write_text(out, policy->label);
                csv_text_field(out,
                               names_node(scenario, node, name, sizeof name));
                fprintf(out, ",%u", card);
                csv_field(out, *use++);
                fputc('\n', out);
            }
        }
    }
}

/* ---- classes.csv ---- */

static void write_class(const struct policy_result *policy, const char *name,
                        const struct class_fold *fold, FILE *out)
{
    csv_write_text(out, policy->label);
    csv_text_field(out, name);
    for (int m = 0; m < CLASS_MEASURE_COUNT; m++) {
        csv_field(out, fold->measures[m].mean);
        csv_field(out, fold->measures[m].lo);
        csv_field(out, fold->measures[m].hi);
    }
    fputc('\n', out);
}

static void write_class_head(const struct report_input *input, const char *what,
                             FILE *out)
{
    csv_write_head(input, out);
    fprintf(out, "policy,%s", what);
    for (int m = 0; m < CLASS_MEASURE_COUNT; m++) {
        const char *name = class_measure_names[m];

        fprintf(out, ",%s,%s_lo,%s_hi", name, name, name);
    }
    fputc('\n', out);
}

void csv_write_classes(const struct report_input *input, FILE *out)
{
    const struct workload_class *classes = input->scenario->workload.classes;

    write_class_head(input, "class", out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t j = 0; j < policy->fold.class_count; j++)
            write_class(policy, classes[j].name, &policy->fold.classes[j], out);
    }
}

/* ---- sources.csv ---- */

void csv_write_sources(const struct report_input *input, FILE *out)
{
    write_class_head(input, "source", out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t j = 0; j < policy->fold.source_count; j++)
            write_class(policy, names_source(input->scenario, j),
                        &policy->fold.sources[j], out);
    }
}

/* ---- faults.csv ---- */

static void write_strike(const struct report_input *input, const char *policy,
                         const struct strike_fold *fold, FILE *out)
{
    const struct fault_strike *strike = &fold->strike;
    char name[NAMES_NODE_SIZE];

    csv_write_text(out, policy);
    fprintf(out, ",%u,%s", fold->replication, fault_kind_names[strike->kind]);
    csv_text_field(out, strike->node == UINT32_MAX
                            ? ""
                            : names_node(input->scenario, strike->node, name,
                                         sizeof name));
    csv_field(out, strike->at_s);
    csv_field(out, isinf(strike->end_s) ? (double)NAN : strike->end_s);
    fputc('\n', out);
}

void csv_write_faults(const struct report_input *input, FILE *out)
{
    csv_write_head(input, out);
    fputs("policy,replication,kind,node,at_s,end_s\n", out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint64_t s = 0; s < policy->fold.strike_count; s++)
            write_strike(input, policy->label, &policy->fold.strikes[s], out);
    }
}

/* ---- nodes.csv ---- */

static bool ejects(const struct report_input *input)
{
    return balancer_spec_ejects(&input->scenario->balancer);
}

/* Of a header: its name, behind a comma. */
#define COLUMN(field) "," #field

static void write_node(const struct report_input *input,
                       const struct policy_result *policy, uint32_t index,
                       FILE *out)
{
    const struct group_spec *group = names_group_of(input->scenario, index);
    const struct node_fold *node = &policy->fold.nodes[index];
    char name[NAMES_NODE_SIZE];

    csv_write_text(out, policy->label);
    csv_text_field(out, names_node(input->scenario, index, name, sizeof name));
    csv_text_field(out, group->name);
    fprintf(out, ",%s,%u", names_kind(group), group->weight);
    csv_field(out, group->engine.speed);
#define PUT(field) csv_field(out, node->field);
    SERVING_FIELDS(PUT)
#undef PUT
    csv_field(out, node->latency_p50_s);
    csv_field(out, node->latency_p99_s);
    if (ejects(input))
        csv_field(out, node->ejected_ratio);
    fputc('\n', out);
}

void csv_write_nodes(const struct report_input *input, FILE *out)
{
    csv_write_head(input, out);
    fputs("policy,node,group,kind,weight,speed" SERVING_FIELDS(
              COLUMN) ",latency_p50_s,latency_p99_s",
          out);
    fputs(ejects(input) ? ",ejected_ratio\n" : "\n", out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t node = 0; node < policy->fold.node_count; node++)
            write_node(input, policy, node, out);
    }
}

/* ---- groups.csv ---- */

static void write_group(const struct report_input *input,
                        const struct policy_result *policy, uint32_t index,
                        FILE *out)
{
    const struct group_spec *group = &input->scenario->groups[index];
    const struct group_fold *fold = &policy->groups[index];

    csv_write_text(out, policy->label);
    csv_text_field(out, group->name);
    fprintf(out, ",%s,%u,%u", names_kind(group), group->count, group->weight);
    csv_field(out, group->engine.speed);
#define PUT(field) csv_field(out, fold->field);
    SERVING_FIELDS(PUT)
#undef PUT
    if (cost_is_stated(input->scenario)) {
        csv_field(out, fold->cost);
        csv_field(out, fold->cost_per_1000);
    }
    if (input->scenario->node_percentiles) {
        csv_field(out, fold->latency_mean_s);
        csv_field(out, fold->latency_p50_s);
        csv_field(out, fold->latency_p99_s);
    }
    fputc('\n', out);
}

void csv_write_groups(const struct report_input *input, FILE *out)
{
    const struct scenario *scenario = input->scenario;

    csv_write_head(input, out);
    fputs("policy,group,kind,nodes,weight,speed" SERVING_FIELDS(COLUMN), out);
    fputs(cost_is_stated(scenario) ? ",cost,cost_per_1000" : "", out);
    fputs(scenario->node_percentiles
              ? ",latency_mean_s,latency_p50_s,latency_p99_s\n"
              : "\n",
          out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t g = 0; g < scenario->group_count; g++)
            write_group(input, policy, g, out);
    }
}

/* ---- latency.csv ---- */

void csv_write_latency(const struct report_input *input, FILE *out)
{
    csv_write_head(input, out);
    fputs("policy,quantile_ratio,latency_s,latency_lo_s,latency_hi_s,"
          "latency_all_s\n",
          out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t point = 0; point < CURVE_POINTS; point++) {
            const struct curve_fold *curve = &policy->fold.curve[point];

            csv_write_text(out, policy->label);
            csv_field(out, curve_quantile(point));
            csv_field(out, curve->latency_s);
            csv_field(out, curve->lo_s);
            csv_field(out, curve->hi_s);
            csv_field(out, curve->all_s);
            fputc('\n', out);
        }
    }
}
