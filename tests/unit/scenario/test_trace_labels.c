/* Classes and models that a trace names, as scenarios know them. */
#define _XOPEN_SOURCE 700
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

#include <unistd.h>

static char path[] = "/tmp/lbsim_labels_XXXXXX";

static void write_trace(const char *rows)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL);
    if (!file)
        return;
    fprintf(file, "# format: request-trace 1\n%s", rows);
    fclose(file);
}

/* A request a second for 60 s; 45 are of class chat, 15 of class code, which
   is twice as long; a third asks for the model big. */
static void write_rows(void)
{
    char text[4000];
    int used = snprintf(text, sizeof text,
                        "arrival_s,input_tokens,output_tokens,class,model\n");

    for (int i = 0; i < 60; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%d,100,%d,%s,%s\n", i, i % 4 ? 10 : 20,
                         i % 4 ? "chat" : "code", i % 3 ? "" : "big");
    write_trace(text);
}

static int make_file(void)
{
    int fd = mkstemp(path);

    return fd < 0 || close(fd) != 0;
}

static int remove_file(void)
{
    return unlink(path) != 0;
}

static struct scenario *open_labelled(const char *workload, const char *groups)
{
    char text[3000];
    struct scenario *scenario;

    snprintf(text, sizeof text,
             "lbsim: 1\n"
             "workload:\n"
             "  trace: {file: %s}\n%s"
             "defaults: {engine: {service: {base: 1 s, per_output_token: "
             "100 ms}}}\n"
             "nodes: %s\n"
             "policies: [least_conn]\n",
             path, workload, groups);
    scenario = load_with(text, NULL, 0);
    if (scenario && scenario_open_trace(scenario, &last_diag))
        return scenario;
    scenario_destroy(scenario);
    return NULL;
}

#define TWO "  classes: [{name: chat}, {name: code}]\n"
#define NODES "[{group: a, count: 4}]"

static void shares_are_measured(void)
{
    struct scenario *s;

    write_rows();
    s = loaded(open_labelled(TWO, NODES));
    if (!s)
        return;
    CHECK_NEAR(s->workload.classes[0].share, 0.75, 0);
    CHECK_NEAR(s->workload.classes[1].share, 0.25, 0);
    /* 45 requests of 2 s and 15 of 3 s on 4 nodes in 60 s. */
    CHECK_NEAR(scenario_mean_load(s).total, 135.0 / 240, 1e-9);
    scenario_lint(s, &last_diag);
    CHECK(complained("the trace names the model that its requests ask for, and "
                     "every node serves all of them"));
    scenario_destroy(s);
}

/* It can be told apart from one with shares, and from another order. */
static void the_hash_knows(void)
{
    uint64_t hashes[3];
    static const char *const texts[] = {
        TWO, "  classes: [{name: code}, {name: chat}]\n",
        "  classes: [{name: chat, share: 0.75}, {name: code, share: 0.25}]\n"};

    write_rows();
    for (int i = 0; i < 3; i++) {
        struct scenario *s = loaded(open_labelled(texts[i], NODES));

        hashes[i] = s ? s->hash : 0;
        scenario_destroy(s);
    }
    CHECK(hashes[0] != hashes[1] && hashes[0] != hashes[2]);
}

static void check_refused(const char *workload, const char *groups,
                          const char *words)
{
    struct scenario *s = open_labelled(workload, groups);

    CHECK(s == NULL);
    CHECK(complained(words));
    scenario_destroy(s);
}

static void what_the_trace_does_not_say_is_needed(void)
{
    write_trace("arrival_s,input_tokens,output_tokens\n0,1,1\n1,1,1\n");
    check_refused(TWO, NODES,
                  "test.yaml:4:3: error: classes without a share are those "
                  "that a trace names, and this trace has no column 'class'");
    write_trace("arrival_s,input_tokens,output_tokens,class\n0,1,1,chat\n"
                "1,1,1,\n2,1,1,\n");
    check_refused(TWO, NODES,
                  "2 of 3 requests of the trace name no class, the first in "
                  "line 4");
    check_refused("  classes: [{name: chat, share: 1}, {name: code}]\n", NODES,
                  "'share' is missing in workload.classes[]");
}

static void unknown_names_are_told(void)
{
    write_rows();
    check_refused("  classes: [{name: chats}, {name: code}]\n", NODES,
                  ":4:10: error: 'class' is 'chat', which is not among "
                  "workload.classes: chats, code");
    check_refused(TWO, "[{group: a, models: [bigger, small]}]",
                  "'model' is 'big', which is not among the 'models' of "
                  "groups: bigger, small");
}

/* With shares rows that say nothing are drawn, others are as they say. */
static void shares_may_be_said_too(void)
{
    struct scenario *s;

    write_rows();
    s = open_labelled(
        "  classes: [{name: chat, share: 40 %}, {name: code, share: 60 %}]\n",
        NODES);
    CHECK(s != NULL);
    if (!s)
        return;
    CHECK_NEAR(s->workload.classes[0].share, 0.4, 0);
    CHECK_NEAR(workload_class_share(&s->workload, 0), 0.75, 0);
    scenario_lint(s, &last_diag);
    CHECK(complained("'share' has no effect: the trace names the class of each "
                     "request"));
    scenario_destroy(s);
}

static void groups_mind_models_that_rows_ask_for(void)
{
    struct scenario *s;

    write_rows();
    s = open_labelled(
        "", "[{group: a, models: [big, small]}, {group: b, models: [small]}]");
    CHECK(s != NULL);
    if (!s)
        return;
    CHECK(s->groups[0].minds_models && s->groups[1].minds_models);
    scenario_lint(s, &last_diag);
    CHECK(complained("the trace names the class of its requests, and all are "
                     "treated alike"));
    CHECK(complained("nobody asks for the model 'small'"));
    CHECK(complained("policies without routing send requests for the model "
                     "'big' to group 'b', which lacks it and refuses them"));
    CHECK(!strstr(last_diag.text, "model 'big': no class"));
    scenario_destroy(s);
}

static void classes_that_no_row_names_are_told(void)
{
    struct scenario *s;

    write_rows();
    s = open_labelled("  classes: [{name: chat}, {name: code}, {name: api}]\n",
                      NODES);
    CHECK(s != NULL);
    if (!s)
        return;
    scenario_lint(s, &last_diag);
    CHECK(complained("no request of the trace is of class 'api'"));
    scenario_destroy(s);
}

/* Overlays have the classes and shares of the whole; one that says its class
   has it whatever its trace says. */
static void overlays_go_by_the_same_names(void)
{
    char workload[600];
    struct scenario *s;

    write_rows();
    snprintf(workload, sizeof workload,
             "  classes: [{name: chat}, {name: code}]\n"
             "  overlay: [{trace: {file: %s}}, {class: code, trace: {file: "
             "%s}}]\n",
             path, path);
    s = loaded(open_labelled(workload, NODES));
    if (!s)
        return;
    CHECK(trace_has_classes(s->workload.overlays[0].spec.trace));
    CHECK(!trace_has_classes(s->workload.overlays[1].spec.trace));
    CHECK_NEAR(s->workload.overlays[0].spec.classes[0].share, 0.75, 0);
    scenario_destroy(s);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"shares are measured", shares_are_measured},
        {"the hash knows", the_hash_knows},
        {"what the trace does not say is needed",
         what_the_trace_does_not_say_is_needed},
        {"unknown names are told", unknown_names_are_told},
        {"shares may be said too", shares_may_be_said_too},
        {"groups mind models that rows ask for",
         groups_mind_models_that_rows_ask_for},
        {"classes that no row names are told",
         classes_that_no_row_names_are_told},
        {"overlays go by the same names", overlays_go_by_the_same_names},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_labels", make_file, remove_file, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
