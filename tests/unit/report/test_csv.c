#include "sim/report/csv.h"
#include "tests/unit/report/fixture.h"

static struct fixture fixture;
static char *text;

static void setup(void)
{
    fixture_init(&fixture);
    text = NULL;
}

static void teardown(void)
{
    fixture_done(&fixture);
    free(text);
}

static void write_csv(void (*write)(const struct report_input *, FILE *))
{
    size_t size;
    FILE *out = open_memstream(&text, &size);

    write(&fixture.input, out);
    fclose(out);
}

/* Line number from 0, without its end. */
static const char *line_at(unsigned number)
{
    static char line[8000];
    const char *at = text;

    while (number-- > 0 && at)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    snprintf(line, sizeof line, "%.*s", at ? (int)strcspn(at, "\n") : 0,
             at ? at : "");
    return line;
}

static unsigned fields_of(const char *line)
{
    unsigned count = 1;
    bool quoted = false;

    for (; *line; line++) {
        if (*line == '"')
            quoted = !quoted;
        count += *line == ',' && !quoted;
    }
    return count;
}

#define HEAD                                                                \
    "# lbsim " LBSIM_VERSION "\n# scenario: demo (hash 0123456789abcdef)\n" \
    "# seed: 42\n# replications: 10\n"

static void check_head(const char *columns)
{
    CHECK(strncmp(text, HEAD, strlen(HEAD)) == 0);
    CHECK_TEXT(line_at(4), columns);
}

static void policies_have_a_column_triple_for_each_measure(void)
{
    unsigned shown = 0;

    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        shown += !measures[id].optional; /* no mechanism is used */
    fixture_fold(&fixture);
    write_csv(csv_write_policies);
    CHECK(strncmp(text, HEAD, strlen(HEAD)) == 0);
    CHECK(strncmp(line_at(4),
                  "policy,verdict,replications,latency_mean_s,"
                  "latency_mean_s_lo,latency_mean_s_hi,",
                  60) == 0);
    for (unsigned i = 4; i < 8; i++)
        CHECK_UINT(fields_of(line_at(i)), 3 + 3 * shown + 1);
    CHECK(strstr(line_at(5), "round_robin,reference,10,,,,") == line_at(5));
    CHECK(strstr(line_at(5), ",4,3.69837904,4.30162096,") != NULL);
}

static void label_with_commas_and_quotes_is_quoted(void)
{
    fixture_fold(&fixture);
    write_csv(csv_write_policies);
    CHECK(strstr(line_at(7), "\"ring_hash(replicas=200, \"\"x\"\")\",worse,") ==
          line_at(7));
}

static void infinite_is_empty_and_noted(void)
{
    fixture.runs[2][0].unstable = true;
    fixture_fold(&fixture);
    write_csv(csv_write_policies);
    CHECK(strstr(line_at(7),
                 ",\"unstable in 1 of 10 replications; latency_all_p99_s "
                 "infinite in 10 of 10 replications: more than 1 % of "
                 "requests had no answer\"") != NULL);
    CHECK(!strstr(text, "inf,") && !strstr(text, "nan"));
}

static void values_have_a_row_for_each_replication(void)
{
    unsigned shown = 0;

    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        shown += !measures[id].optional;
    fixture_fold(&fixture);
    write_csv(csv_write_values);
    CHECK(strncmp(text, HEAD, strlen(HEAD)) == 0);
    CHECK_TEXT(line_at(4), "# objective: latency_all_p99_s");
    CHECK_TEXT(line_at(5), "# confidence: 0.95");
    CHECK_TEXT(line_at(6), "# min_effect: 0.01");
    CHECK(strncmp(line_at(7), "policy,replication,latency_mean_s,", 34) == 0);
    for (unsigned i = 7; i < 8 + 3 * FIXTURE_RUNS; i++)
        CHECK_UINT(fields_of(line_at(i)), 2 + shown + 1);
    CHECK_TEXT(line_at(8 + 3 * FIXTURE_RUNS), "");
    CHECK(strstr(line_at(8), "round_robin,1,") == line_at(8));
    CHECK(strstr(line_at(8), ",4.4,") != NULL);
    CHECK(strstr(line_at(17), "round_robin,10,") == line_at(17));
    CHECK(strstr(line_at(17), ",3.6,") != NULL);
}

static void values_name_what_is_infinite(void)
{
    uint32_t numbers[FIXTURE_RUNS] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};

    fixture_fold(&fixture);
    fixture.result.numbers = numbers;
    write_csv(csv_write_values);
    fixture.result.numbers = NULL;
    CHECK(strstr(line_at(28), "\"ring_hash(replicas=200, \"\"x\"\")\",2,") ==
          line_at(28));
    CHECK(strcmp(strrchr(line_at(28), ','), ",latency_all_p99_s") == 0);
    CHECK(strstr(line_at(17), "round_robin,29,") == line_at(17));
    CHECK(!strstr(text, "inf,") && !strstr(text, "nan"));
}

static void nodes_have_these_columns(void)
{
    fixture_fold(&fixture);
    write_csv(csv_write_nodes);
    check_head("policy,node,group,kind,weight,speed,attempts,completed,"
               "share_ratio,use_ratio,gpu_ratio,cpu_ratio,memory_ratio,"
               "in_flight_mean_requests,queue_mean_requests,hit_ratio,"
               "evictions,down_ratio,deaths,latency_p50_s,latency_p99_s");
    CHECK_TEXT(line_at(6), "round_robin,gpu-1,gpu,gpu,3,1.5,1800,1800,"
                           "0.333333333,0.5,0.5,,,0,0,,0,0,0,,");
    CHECK_TEXT(line_at(7), "round_robin,cpu-0,cpu,cpu,1,1,1800,1800,"
                           "0.333333333,0.75,,,,0,0,,0,0,0,,");
}

/* Two nodes of uses 0.25 and 0.5, and one of 0.75. */
static void groups_have_totals_of_their_nodes(void)
{
    fixture_fold(&fixture);
    write_csv(csv_write_groups);
    check_head("policy,group,kind,nodes,weight,speed,attempts,completed,"
               "share_ratio,use_ratio,gpu_ratio,cpu_ratio,memory_ratio,"
               "in_flight_mean_requests,queue_mean_requests,hit_ratio,"
               "evictions,down_ratio,deaths");
    CHECK_TEXT(line_at(5), "round_robin,gpu,gpu,2,3,1.5,3600,3600,"
                           "0.666666667,0.375,0.375,,,0,0,,0,0,0");
    CHECK_TEXT(line_at(6), "round_robin,cpu,cpu,1,1,1,1800,1800,"
                           "0.333333333,0.75,,,,0,0,,0,0,0");
    CHECK_TEXT(line_at(11), "");
}

/* Where somebody states a cost, and where nodes keep latencies. */
static void groups_have_columns_of_what_there_is(void)
{
    fixture.groups[0].cost_per_hour = 4;
    fixture.scenario.node_percentiles = true;
    fixture_fold(&fixture);
    write_csv(csv_write_groups);
    CHECK(strstr(line_at(4), ",deaths,cost,cost_per_1000,latency_mean_s,"
                             "latency_p50_s,latency_p99_s") != NULL);
}

static void cards_have_a_row_each(void)
{
    fixture_add_cards(&fixture);
    fixture_fold(&fixture);
    write_csv(csv_write_cards);
    check_head("policy,node,card,use_ratio");
    CHECK_TEXT(line_at(5), "round_robin,gpu-0,0,0.2");
    CHECK_TEXT(line_at(6), "round_robin,gpu-0,1,0.3");
    CHECK_TEXT(line_at(7), "round_robin,gpu-1,0,0.4");
    CHECK_TEXT(line_at(8), "round_robin,gpu-1,1,0.5");
    CHECK_TEXT(line_at(9), "least_conn,gpu-0,0,0.2");
}

static void series_has_totals_and_nodes(void)
{
    fixture_fold(&fixture);
    write_csv(csv_write_series);
    check_head("policy,node,t_start_s,t_end_s,arrived_requests,"
               "completed_requests,lost_requests,latency_mean_s,latency_p99_s,"
               "use_ratio,in_flight_mean_requests,down_ratio");
    CHECK_TEXT(line_at(5), "round_robin,all,60,600,5400,5400,0,0.75,,,6,");
    CHECK_TEXT(line_at(6), "round_robin,gpu-0,60,600,,,,,,0.5,0,0");
    CHECK_UINT(fields_of(line_at(5)), 12);
    CHECK_UINT(fields_of(line_at(6)), 12);
}

/* Only what the scenario has: hit ratios stand behind what all have. */
static void series_of_caches_has_their_columns(void)
{
    fixture.groups[0].result_cache.given = true;
    fixture.scenario.tier.given = true;
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++) {
            struct bucket *bucket = fixture.runs[policy][i].buckets;

            bucket->result_hit_ratio = 0.25;
            bucket->tier_hit_ratio = 0.5;
            bucket->tier_out_ratio = i % 2;
        }
    fixture_fold(&fixture);
    write_csv(csv_write_series);
    CHECK(strstr(line_at(4), ",down_ratio,result_hit_ratio,tier_hit_ratio,"
                             "tier_out_ratio") != NULL);
    CHECK_TEXT(line_at(5),
               "round_robin,all,60,600,5400,5400,0,0.75,,,6,,0.25,0.5,0.5");
    CHECK_TEXT(line_at(6), "round_robin,gpu-0,60,600,,,,,,0.5,0,0,,,");
}

/* Of nodes and, as the mean over the three of them, of all. */
static void series_of_ejections_has_its_column(void)
{
    fixture.scenario.balancer.outlier.given = true;
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++)
            fixture.runs[policy][i].node_buckets[0].ejected_ratio =
                0.75 * (i % 2);
    fixture_fold(&fixture);
    write_csv(csv_write_series);
    CHECK(strstr(line_at(4), ",down_ratio,ejected_ratio") != NULL);
    CHECK_TEXT(line_at(5),
               "round_robin,all,60,600,5400,5400,0,0.75,,,6,,0.125");
    CHECK_TEXT(line_at(6), "round_robin,gpu-0,60,600,,,,,,0.5,0,0,0.375");
}

/* Of mechanisms that say something over time, whichever run it is. */
static void series_of_mechanisms_have_columns(void)
{
    fixture.scenario.balancer.slow_start.given = true;
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++) {
            struct run_result *run = &fixture.runs[policy][i];

            run->buckets[0].series[SERIES_REFUSED_RATE] = 4 * (i % 2);
            run->node_buckets[0].weight_mean = 1.5;
        }
    fixture_fold(&fixture);
    write_csv(csv_write_series);
    CHECK(strstr(line_at(4), ",down_ratio,refused_rate_requests,weight_mean") !=
          NULL);
    CHECK_TEXT(line_at(5), "round_robin,all,60,600,5400,5400,0,0.75,,,6,,2,");
    CHECK_TEXT(line_at(6), "round_robin,gpu-0,60,600,,,,,,0.5,0,0,,1.5");
}

static void nodes_that_may_be_ejected_have_its_column(void)
{
    fixture.scenario.balancer.breaker.given = true;
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++)
            fixture.runs[policy][i].nodes[0].ejected_ratio = 0.125;
    fixture_fold(&fixture);
    write_csv(csv_write_nodes);
    CHECK(strstr(line_at(4), ",latency_p99_s,ejected_ratio") != NULL);
    CHECK(strstr(line_at(5), ",0.125") != NULL);
}

/* Ten equal curves: the interval is the value itself. */
static void latency_has_every_point_of_the_curve(void)
{
    fixture_fold(&fixture);
    write_csv(csv_write_latency);
    check_head("policy,quantile_ratio,latency_s,latency_lo_s,latency_hi_s,"
               "latency_all_s");
    CHECK_TEXT(line_at(5), "round_robin,0.005,0.005,0.005,0.005,0.005");
    /* the last point of the last policy lies among the unanswered */
    const char *last = line_at(5 + 3 * CURVE_POINTS - 1);
    CHECK(strlen(last) > 0 && last[strlen(last) - 1] == ',');
    CHECK_TEXT(line_at(5 + 3 * CURVE_POINTS), "");
}

static void partial_result_has_a_comment(void)
{
    fixture.result.end = EXPERIMENT_LIMIT_MEMORY;
    write_csv(csv_write_nodes);
    CHECK_TEXT(line_at(4), "# partial: the limit of memory was reached");
    CHECK_TEXT(line_at(6), "");
}

static void control_characters_do_not_break_lines(void)
{
    fixture.scenario.name = "de\nmo";
    fixture.policies[0].label = "a\nb";
    fixture_fold(&fixture);
    write_csv(csv_write_nodes);
    CHECK_TEXT(line_at(1), "# scenario: de mo (hash 0123456789abcdef)");
    CHECK(strstr(line_at(5), "\"a b\",gpu-0,") == line_at(5));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"policies have a column triple for each measure",
         policies_have_a_column_triple_for_each_measure},
        {"a label with commas and quotes is quoted",
         label_with_commas_and_quotes_is_quoted},
        {"infinite is empty and noted", infinite_is_empty_and_noted},
        {"values have a row for each replication",
         values_have_a_row_for_each_replication},
        {"values name what is infinite", values_name_what_is_infinite},
        {"nodes have these columns", nodes_have_these_columns},
        {"groups have totals of their nodes",
         groups_have_totals_of_their_nodes},
        {"groups have columns of what there is",
         groups_have_columns_of_what_there_is},
        {"cards have a row each", cards_have_a_row_each},
        {"series has totals and nodes", series_has_totals_and_nodes},
        {"series of caches has their columns",
         series_of_caches_has_their_columns},
        {"the series of ejections has its column",
         series_of_ejections_has_its_column},
        {"series of mechanisms have columns",
         series_of_mechanisms_have_columns},
        {"nodes that may be ejected have its column",
         nodes_that_may_be_ejected_have_its_column},
        {"latency has every point of the curve",
         latency_has_every_point_of_the_curve},
        {"a partial result has a comment", partial_result_has_a_comment},
        {"control characters do not break lines",
         control_characters_do_not_break_lines},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("csv", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
