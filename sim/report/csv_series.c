/*
 * series.csv and class_series.csv: what the run was like in each bucket of
 * time. Columns of a mechanism are there when the scenario has it.
 */
#include "sim/report/csv.h"
#include "sim/report/csv_parts.h"
#include "sim/report/names.h"
#include "sim/scenario/describe.h"

#include <math.h>

/* ---- series.csv ---- */

/* Which columns there are beyond those of every run. */
struct columns {
    bool nodes_change, caches, tier, door_queue, limit, ejections, weights;
    bool series[SERIES_COUNT];
};

static bool has_caches(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].result_cache.given)
            return true;
    return false;
}

/* Whether any run has it. */
static bool has_series(const struct report_input *input, enum series_id id)
{
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_fold *fold = &input->result->policies[i].fold;

        for (uint32_t b = 0; b < fold->bucket_count; b++)
            if (isfinite(fold->buckets[b].series[id]))
                return true;
    }
    return false;
}

static struct columns columns_of(const struct report_input *input)
{
    const struct scenario *scenario = input->scenario;
    const struct balancer_spec *balancer = &scenario->balancer;
    struct columns columns = {
        .nodes_change = scenario_nodes_change(scenario),
        .caches = has_caches(scenario),
        .tier = scenario->tier.given,
        .door_queue = balancer->queue.given,
        .limit = balancer->admission.adaptive.given,
        .ejections = balancer_spec_ejects(balancer),
        .weights = balancer_spec_changes_weights(balancer),
    };

    for (int id = 0; id < SERIES_COUNT; id++)
        columns.series[id] = has_series(input, (enum series_id)id);
    return columns;
}

static void write_bucket_key(const struct policy_result *policy,
                             const char *node, const struct bucket_fold *bucket,
                             FILE *out)
{
    csv_write_text(out, policy->label);
    csv_text_field(out, node);
    csv_field(out, bucket->start_s);
    csv_field(out, bucket->end_s);
}

/* Those of all nodes together; bucket NULL: a row of a node, where they are
   empty. */
static void write_more_fields(const struct columns *columns,
                              const struct bucket_fold *bucket, FILE *out)
{
    if (columns->nodes_change) {
        csv_field(out, bucket ? bucket->nodes_mean : NAN);
        csv_field(out, bucket ? bucket->nodes_ready_mean : NAN);
    }
    if (columns->caches)
        csv_field(out, bucket ? bucket->result_hit_ratio : NAN);
    if (columns->tier) {
        csv_field(out, bucket ? bucket->tier_hit_ratio : NAN);
        csv_field(out, bucket ? bucket->tier_out_ratio : NAN);
    }
    if (columns->door_queue)
        csv_field(out, bucket ? bucket->door_queue_mean_requests : NAN);
    if (columns->limit)
        csv_field(out, bucket ? bucket->limit_mean_requests : NAN);
    for (int id = 0; id < SERIES_COUNT; id++)
        if (columns->series[id])
            csv_field(out, bucket ? bucket->series[id] : NAN);
}

/* The mean over nodes, each weighing the same. */
static double ejected_share(const struct policy_fold *fold, uint32_t bucket)
{
    double sum = 0;

    for (uint32_t i = 0; i < fold->node_count; i++)
        sum += fold->node_buckets[(size_t)bucket * fold->node_count + i]
                   .ejected_ratio;
    return fold->node_count > 0 ? sum / fold->node_count : NAN;
}

/* Of nodes; node NULL: a row of all. */
static void write_node_fields(const struct columns *columns,
                              const struct node_bucket_fold *node,
                              double ejected_ratio, FILE *out)
{
    if (columns->ejections)
        csv_field(out, ejected_ratio);
    if (columns->nodes_change)
        csv_field(out, node ? node->absent_ratio : NAN);
    if (columns->weights)
        csv_field(out, node ? node->weight_mean : NAN);
    fputc('\n', out);
}

static void write_all(const struct columns *columns,
                      const struct policy_result *policy, uint32_t index,
                      FILE *out)
{
    const struct bucket_fold *bucket = &policy->fold.buckets[index];

    write_bucket_key(policy, "all", bucket, out);
    csv_field(out, bucket->arrived);
    csv_field(out, bucket->completed);
    csv_field(out, bucket->lost);
    csv_field(out, bucket->latency_mean_s);
    csv_field(out, bucket->latency_p99_s);
    csv_field(out, NAN); /* use_ratio is of nodes */
    csv_field(out, bucket->in_flight_mean_requests);
    csv_field(out, NAN); /* and so is down_ratio */
    write_more_fields(columns, bucket, out);
    write_node_fields(columns, NULL, ejected_share(&policy->fold, index), out);
}

static void write_node(const struct report_input *input,
                       const struct columns *columns,
                       const struct policy_result *policy, uint32_t index,
                       uint32_t i, FILE *out)
{
    const struct policy_fold *fold = &policy->fold;
    const struct node_bucket_fold *node =
        &fold->node_buckets[(size_t)index * fold->node_count + i];
    char name[NAMES_NODE_SIZE];

    write_bucket_key(policy, names_node(input->scenario, i, name, sizeof name),
                     &fold->buckets[index], out);
    fputs(",,,,,", out); /* counts and latency are of all */
    csv_field(out, node->use_ratio);
    csv_field(out, node->in_flight_mean_requests);
    csv_field(out, node->down_ratio);
    write_more_fields(columns, NULL, out);
    write_node_fields(columns, node, node->ejected_ratio, out);
}

static void write_series_header(const struct columns *columns, FILE *out)
{
    fputs("policy,node,t_start_s,t_end_s,arrived_requests,completed_requests,"
          "lost_requests,latency_mean_s,latency_p99_s,use_ratio,"
          "in_flight_mean_requests,down_ratio",
          out);
    fputs(columns->nodes_change ? ",nodes_mean,nodes_ready_mean" : "", out);
    fputs(columns->caches ? ",result_hit_ratio" : "", out);
    fputs(columns->tier ? ",tier_hit_ratio,tier_out_ratio" : "", out);
    fputs(columns->door_queue ? ",door_queue_mean_requests" : "", out);
    fputs(columns->limit ? ",admission_limit_mean_requests" : "", out);
    for (int id = 0; id < SERIES_COUNT; id++)
        if (columns->series[id])
            csv_text_field(out, series_columns[id]);
    fputs(columns->ejections ? ",ejected_ratio" : "", out);
    fputs(columns->nodes_change ? ",absent_ratio" : "", out);
    fputs(columns->weights ? ",weight_mean\n" : "\n", out);
}

void csv_write_series(const struct report_input *input, FILE *out)
{
    struct columns columns = columns_of(input);

    csv_write_head(input, out);
    write_series_header(&columns, out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];

        for (uint32_t j = 0; j < policy->fold.bucket_count; j++) {
            write_all(&columns, policy, j, out);
            for (uint32_t node = 0; node < policy->fold.node_count; node++)
                write_node(input, &columns, policy, j, node, out);
        }
    }
}

/* ---- class_series.csv ---- */

static void write_class_bucket(const struct policy_result *policy,
                               const char *name,
                               const struct bucket_fold *bucket,
                               const struct class_bucket *own, FILE *out)
{
    write_bucket_key(policy, name, bucket, out);
    csv_field(out, own->completed + own->lost);
    csv_field(out, own->completed);
    csv_field(out, own->lost);
    csv_field(out, own->latency_mean_s);
    csv_field(out, own->latency_p99_s);
    fputc('\n', out);
}

void csv_write_class_series(const struct report_input *input, FILE *out)
{
    const struct workload_class *classes = input->scenario->workload.classes;

    csv_write_head(input, out);
    fputs("policy,class,t_start_s,t_end_s,arrived_requests,completed_requests,"
          "lost_requests,latency_mean_s,latency_p99_s\n",
          out);
    for (uint32_t i = 0; i < csv_policy_rows(input); i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct policy_fold *fold = &policy->fold;

        for (uint32_t b = 0; b < fold->bucket_count; b++)
            for (uint32_t c = 0; c < fold->class_count; c++)
                write_class_bucket(
                    policy, classes[c].name, &fold->buckets[b],
                    &fold->class_buckets[(size_t)b * fold->class_count + c],
                    out);
    }
}
