/* Read back with jansson: what a program that uses the result would see. */
#include "sim/report/json.h"
#include "tests/unit/report/fixture.h"

#include <jansson.h>

static struct fixture fixture;
static char *text;
static json_t *root;

static void setup(void)
{
    fixture_init(&fixture);
    text = NULL;
    root = NULL;
}

static void teardown(void)
{
    fixture_done(&fixture);
    json_decref(root);
    free(text);
}

static void write_json(bool (*write)(const struct report_input *, FILE *))
{
    size_t size;
    FILE *out = open_memstream(&text, &size);

    CHECK(write(&fixture.input, out));
    fclose(out);
    root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    CHECK(root != NULL);
}

static void write_result(void)
{
    fixture_fold(&fixture);
    write_json(json_write_result);
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static const json_t *policy_at(size_t index)
{
    return json_array_get(json_object_get(root, "policies"), index);
}

static const json_t *measure_at(size_t index, const char *name)
{
    return json_object_get(json_object_get(policy_at(index), "measures"), name);
}

static void head_names_schema_and_scenario(void)
{
    write_result();
    CHECK_TEXT(text_at(root, "schema"), "lbsim.result/1");
    CHECK_TEXT(text_at(json_object_get(root, "scenario"), "name"), "demo");
    CHECK_TEXT(text_at(json_object_get(root, "scenario"), "hash"),
               "0123456789abcdef");
    CHECK_INT(json_integer_value(json_object_get(root, "seed")), 42);
    CHECK_INT(json_integer_value(json_object_get(root, "replications")), 10);
    CHECK_TEXT(text_at(root, "objective"), "latency_all_p99_s");
    CHECK(json_is_false(json_object_get(root, "partial")));
}

static void policies_have_verdicts(void)
{
    write_result();
    CHECK_TEXT(text_at(policy_at(0), "name"), "round_robin");
    CHECK_TEXT(text_at(policy_at(0), "verdict"), "reference");
    CHECK_TEXT(text_at(policy_at(1), "verdict"), "better");
    CHECK_TEXT(text_at(policy_at(2), "verdict"), "worse");
    CHECK_TEXT(text_at(policy_at(2), "name"), "ring_hash(replicas=200, \"x\")");
    CHECK_TEXT(text_at(json_object_get(policy_at(2), "effect"), "reason"),
               "infinite values: decided by sign test");
}

static void ties_of_infinite_values_say_so(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++)
            fixture.runs[policy][i].values[M_LATENCY_ALL_P99] = INFINITY;
    write_result();
    CHECK_TEXT(text_at(policy_at(1), "verdict"), "cannot_tell");
    CHECK_TEXT(text_at(json_object_get(policy_at(1), "effect"), "reason"),
               "infinite values: all pairs tie");
}

/* 4 +- 0.754052388 * 0.4, printed with nine digits. */
static void measures_have_mean_and_interval(void)
{
    write_result();
    const json_t *p99 = measure_at(0, "latency_all_p99_s");

    CHECK_INT(json_integer_value(json_object_get(p99, "mean")), 4);
    CHECK_NEAR(json_real_value(json_object_get(p99, "lo")), 3.698379045, 6e-9);
    CHECK_NEAR(json_real_value(json_object_get(p99, "hi")), 4.301620955, 6e-9);
    CHECK_INT(json_integer_value(json_object_get(p99, "n")), 10);
    CHECK(!json_object_get(p99, "reason"));
    CHECK(strstr(text, "\"lo\": 3.69837904,") != NULL);
}

static void infinite_is_null_with_its_reason(void)
{
    write_result();
    const json_t *p99 = measure_at(2, "latency_all_p99_s");

    CHECK(json_is_null(json_object_get(p99, "mean")));
    CHECK(json_is_null(json_object_get(p99, "lo")));
    CHECK_INT(json_integer_value(json_object_get(p99, "n")), 0);
    CHECK_TEXT(text_at(p99, "reason"),
               "infinite in 10 of 10 replications: more than 1 % of requests "
               "had no answer");
    CHECK(!strstr(text, "nan") && !strstr(text, "inf,"));
}

static void every_measure_is_there(void)
{
    write_result();
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        CHECK(json_is_object(measure_at(1, measures[id].name)) ==
              !measures[id].optional);
}

/* One policy with a value shows it for all. */
static void measure_of_a_mechanism_is_there_when_it_is_used(void)
{
    fixture.runs[2][0].values[M_MISCLASSIFIED] = 7;
    write_result();
    CHECK(json_is_object(measure_at(1, "misclassified_requests")));
    CHECK(!measure_at(1, "errors_no_model_requests"));
}

static void weak_is_marked(void)
{
    fixture.runs[0][0].measured = 99;
    write_result();
    CHECK(json_is_true(
        json_object_get(measure_at(0, "latency_all_p99_s"), "weak")));
    CHECK(!json_object_get(measure_at(1, "latency_all_p99_s"), "weak"));
}

static void one_replication_marks_what_it_assumes(void)
{
    struct run_result one[FIXTURE_POLICIES];

    for (int i = 0; i < FIXTURE_POLICIES; i++) {
        one[i] = fixture.runs[i][0];
        one[i].rank_lo[M_LATENCY_ALL_P99] = 4.3;
        one[i].rank_hi[M_LATENCY_ALL_P99] = 4.5;
    }
    CHECK(outcome_fold(&fixture.scenario, one, 1, 1, &fixture.result));
    write_json(json_write_result);
    CHECK_TEXT(text_at(measure_at(0, "latency_all_p99_s"), "assumes"),
               "independent requests");
    CHECK_TEXT(text_at(measure_at(0, "success_ratio"), "reason"),
               "one replication gives no interval");
    CHECK_TEXT(text_at(policy_at(1), "verdict"), "cannot_tell");
    CHECK_TEXT(text_at(json_object_get(policy_at(1), "effect"), "reason"),
               "fewer than two pairs");
}

static void goals_say_what_was_asked_and_reached(void)
{
    write_result();
    const json_t *goal =
        json_array_get(json_object_get(policy_at(0), "goals"), 0);
    const json_t *asked = json_array_get(json_object_get(root, "goals"), 0);

    CHECK_TEXT(text_at(asked, "measure"), "latency_all_p99_s");
    CHECK_NEAR(json_real_value(json_object_get(asked, "bound")), 3.1, 1e-12);
    CHECK_TEXT(text_at(goal, "measure"), "latency_all_p99_s");
    CHECK(json_is_false(json_object_get(goal, "met")));
    CHECK(json_is_true(json_object_get(goal, "certain")));
}

static void nodes_have_names_and_what_they_lack_is_null(void)
{
    write_result();
    const json_t *nodes = json_object_get(policy_at(0), "nodes");
    const json_t *cpu = json_array_get(nodes, 2);

    CHECK_UINT(json_array_size(nodes), 3);
    CHECK_TEXT(text_at(json_array_get(nodes, 1), "node"), "gpu-1");
    CHECK_TEXT(text_at(cpu, "node"), "cpu-0");
    CHECK_TEXT(text_at(cpu, "kind"), "cpu");
    CHECK_NEAR(json_real_value(json_object_get(cpu, "use_ratio")), 0.75, 0);
    CHECK(json_is_null(json_object_get(cpu, "gpu_ratio")));
}

static void nodes_with_cards_tell_them_apart(void)
{
    fixture_add_cards(&fixture);
    write_result();
    const json_t *nodes = json_object_get(policy_at(0), "nodes");
    const json_t *cards =
        json_object_get(json_array_get(nodes, 1), "card_use_ratios");

    CHECK_UINT(json_array_size(cards), 2);
    CHECK_NEAR(json_real_value(json_array_get(cards, 0)), 0.4, 1e-12);
    CHECK_NEAR(json_real_value(json_array_get(cards, 1)), 0.5, 1e-12);
    CHECK(!json_object_get(json_array_get(nodes, 2), "card_use_ratios"));
}

static void groups_have_their_totals(void)
{
    write_result();
    const json_t *groups = json_object_get(policy_at(1), "groups");
    const json_t *gpu = json_array_get(groups, 0);

    CHECK_UINT(json_array_size(groups), 2);
    CHECK_TEXT(text_at(gpu, "group"), "gpu");
    CHECK_INT(json_integer_value(json_object_get(gpu, "nodes")), 2);
    CHECK_INT(json_integer_value(json_object_get(gpu, "completed")), 3600);
    CHECK_NEAR(json_real_value(json_object_get(gpu, "use_ratio")), 0.375, 0);
    CHECK(json_is_null(json_object_get(gpu, "hit_ratio")));
}

static void key_shares_are_there_for_who_goes_by_keys(void)
{
    fixture_fold(&fixture);
    fixture.result.policies[2].key_share.max_over_mean = 1.25;
    write_json(json_write_result);
    CHECK_NEAR(json_real_value(
                   json_object_get(policy_at(2), "key_share_max_over_mean")),
               1.25, 0);
    CHECK(!json_object_get(policy_at(1), "key_share_max_over_mean"));
}

/* Half the interval is that of the table's test. */
static void success_is_told_where_the_objective_is_infinite(void)
{
    const json_t *gap;

    write_result();
    CHECK(!json_object_get(policy_at(2), "success_difference"));
    outcome_done(&fixture.result);
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        fixture.runs[0][i].values[M_LATENCY_ALL_P99] = INFINITY;
        fixture.runs[1][i].values[M_LATENCY_ALL_P99] = INFINITY;
        fixture.runs[1][i].values[M_SUCCESS] = i % 2 ? 0.89 : 0.91;
    }
    json_decref(root);
    free(text);
    write_result();
    CHECK_TEXT(text_at(policy_at(1), "verdict"), "cannot_tell");
    gap = json_object_get(policy_at(1), "success_difference");
    CHECK_NEAR(json_real_value(json_object_get(gap, "difference")), -0.1, 1e-8);
    CHECK_NEAR(json_real_value(json_object_get(gap, "lo")), -0.108950036, 1e-8);
    CHECK_NEAR(json_real_value(json_object_get(gap, "hi")), -0.091049964, 1e-8);
}

static void partial_result_says_why(void)
{
    fixture.result.end = EXPERIMENT_LIMIT_EVENTS;
    write_json(json_write_result);
    CHECK_TEXT(text_at(root, "partial"), "the limit of events was reached");
    CHECK_UINT(json_array_size(json_object_get(root, "policies")), 0);
}

static void name_that_is_no_text_does_no_harm(void)
{
    fixture.scenario.name = "bad\xff";
    write_result();
    CHECK_TEXT(text_at(json_object_get(root, "scenario"), "name"),
               "(not UTF-8)");
}

static void speed_is_of_the_machine(void)
{
    fixture_fold(&fixture);
    fixture.result.threads = 2;
    fixture.result.cpu_s = 0.5;
    fixture.result.events = 3000;
    write_json(json_write_speed);
    CHECK_TEXT(text_at(root, "schema"), "lbsim.speed/1");
    CHECK_INT(json_integer_value(json_object_get(root, "threads")), 2);
    CHECK_INT(json_integer_value(json_object_get(root, "events_per_cpu_s")),
              6000);
    CHECK_UINT(json_array_size(json_object_get(root, "policies")), 3);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the head names schema and scenario", head_names_schema_and_scenario},
        {"policies have verdicts", policies_have_verdicts},
        {"measures have mean and interval", measures_have_mean_and_interval},
        {"ties of infinite values say so", ties_of_infinite_values_say_so},
        {"infinite is null with its reason", infinite_is_null_with_its_reason},
        {"every measure is there", every_measure_is_there},
        {"a measure of a mechanism is there when it is used",
         measure_of_a_mechanism_is_there_when_it_is_used},
        {"a measure of a mechanism is there when it is used",
         measure_of_a_mechanism_is_there_when_it_is_used},
        {"weak is marked", weak_is_marked},
        {"one replication marks what it assumes",
         one_replication_marks_what_it_assumes},
        {"goals say what was asked and reached",
         goals_say_what_was_asked_and_reached},
        {"nodes have names and what they lack is null",
         nodes_have_names_and_what_they_lack_is_null},
        {"nodes with cards tell them apart", nodes_with_cards_tell_them_apart},
        {"groups have their totals", groups_have_their_totals},
        {"key shares are there for who goes by keys",
         key_shares_are_there_for_who_goes_by_keys},
        {"success is told where the objective is infinite",
         success_is_told_where_the_objective_is_infinite},
        {"a partial result says why", partial_result_says_why},
        {"a name that is no text does no harm",
         name_that_is_no_text_does_no_harm},
        {"speed is of the machine", speed_is_of_the_machine},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("json", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
