/* Classes of requests in what is written: a file, a list, a note each. */
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/notes.h"
#include "tests/unit/report/fixture.h"

#include <jansson.h>

static struct fixture fixture;
static char *text;

static const struct workload_class classes[] = {
    {.name = "chat", .share = 0.6, .deadline_ns = INT64_MAX},
    {.name = "light, fast", .share = 0.4, .deadline_ns = INT64_MAX},
};

/* Chat waits 2 s and is a third of what is measured; light waits 0.5 s, and a
   tenth of it fails under the last policy. */
static void add_classes(struct run_result *run, uint32_t policy)
{
    run->class_count = 2;
    run->classes = calloc(2, sizeof *run->classes);
    run->class_buckets =
        calloc(2 * (size_t)run->bucket_count, sizeof *run->class_buckets);
    run->values[M_ARRIVED] = 5400;
    for (int c = 0; c < 2; c++) {
        double *values = run->classes[c].values;

        values[CLASS_ARRIVED] = c == 0 ? 1800 : 3600;
        values[CLASS_SUCCESS] = c == 1 && policy == 2 ? 0.9 : 1;
        values[CLASS_COMPLETED] = values[CLASS_ARRIVED] * values[CLASS_SUCCESS];
        values[CLASS_LATENCY_ALL_P99] = c == 0 ? 2 : 0.5;
        values[CLASS_IN_DEADLINE] = NAN;
        if (c == 1 && policy == 2)
            values[CLASS_LATENCY_ALL_P99] = INFINITY;
    }
}

static void setup(void)
{
    fixture_init(&fixture);
    fixture.scenario.workload.classes = classes;
    fixture.scenario.workload.class_count = 2;
    for (uint32_t policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (uint32_t i = 0; i < FIXTURE_RUNS; i++)
            add_classes(&fixture.runs[policy][i], policy);
    fixture_fold(&fixture);
    text = NULL;
}

static void teardown(void)
{
    fixture_done(&fixture);
    free(text);
}

static bool wrote(const char *part)
{
    bool found = text && strstr(text, part);

    if (!found)
        printf("<<%s>> is not in\n%s\n", part, text ? text : "");
    return found;
}

static void file_has_policies_times_classes(void)
{
    size_t size;
    FILE *out = open_memstream(&text, &size);
    unsigned lines = 0;

    csv_write_classes(&fixture.input, out);
    fclose(out);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    CHECK_UINT(lines, 4 + 1 + 6); /* head, columns, 3 policies x 2 classes */
    CHECK(wrote("\npolicy,class,arrived_requests,arrived_requests_lo,"));
    CHECK(wrote("\nround_robin,chat,1800,1800,1800,1800,"));
    CHECK(wrote("\nleast_conn,\"light, fast\",3600,"));
    CHECK(wrote(",0.9,0.9,0.9,"));
}

static void list_is_part_of_each_policy(void)
{
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json_t *json, *policy, *list, *light;

    CHECK(json_write_result(&fixture.input, out));
    fclose(out);
    json = json_loads(text, 0, NULL);
    policy = json_array_get(json_object_get(json, "policies"), 2);
    list = json_object_get(policy, "classes");
    CHECK_UINT(json_array_size(list), 2);
    light = json_array_get(list, 1);
    CHECK_TEXT(json_string_value(json_object_get(light, "class")),
               "light, fast");
    CHECK_NEAR(json_number_value(json_object_get(
                   json_object_get(light, "success_ratio"), "mean")),
               0.9, 1e-9);
    CHECK(json_is_null(
        json_object_get(json_object_get(light, "latency_all_p99_s"), "mean")));
    CHECK_INT(json_integer_value(
                  json_object_get(json_object_get(light, "latency_all_p99_s"),
                                  "infinite_replications")),
              10);
    json_decref(json);
}

static void note_says_who_paid(void)
{
    struct notes notes;
    bool chat = false, light = false;

    CHECK(notes_collect(&fixture.input, &notes));
    for (size_t i = 0; i < notes.count; i++) {
        chat =
            chat ||
            strcmp(notes.lines[i],
                   "class chat, 33.3 % of requests: P99 s round_robin 2.00, "
                   "least_conn 2.00, ring_hash(replicas=200, \"x\") 2.00") == 0;
        light =
            light || strcmp(notes.lines[i],
                            "class light, fast, 66.7 % of requests: P99 s "
                            "round_robin 0.500, least_conn 0.500, "
                            "ring_hash(replicas=200, \"x\") infinite (success "
                            "90.0 %)") == 0;
        if (strncmp(notes.lines[i], "class", 5) == 0 && !chat && !light)
            printf("%s\n", notes.lines[i]);
    }
    CHECK(chat);
    CHECK(light);
    notes_done(&notes);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"file has policies times classes", file_has_policies_times_classes},
        {"list is part of each policy", list_is_part_of_each_policy},
        {"note says who paid", note_says_who_paid},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("report classes", NULL, NULL, setup, teardown, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
