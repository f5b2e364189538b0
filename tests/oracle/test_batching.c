/*
 * Batching at the front door, worked out on paper. Rows of a trace arrive at
 * nodes that serve padded batches at 1 ms a token, and start what they have at
 * once: so a batch of the door takes its padded tokens in ms.
 */
#include "tests/oracle/harness.h"

#include <math.h>
#include <unistd.h>

static struct trial trial;

static void forget(void)
{
    trial_done(&trial);
}

#define COLUMNS "arrival_s,input_tokens,output_tokens"

static void play_on(const char *nodes, const char *rows, const char *batching,
                    const char *rest)
{
    char path[TRIAL_PATH_SIZE];

    trial_write_trace(path, rows);
    trial_done(&trial);
    trial_load(&trial,
               "lbsim: 1\n"
               "drain: 10 min\n"
               "workload:\n"
               "  trace: {file: %s, format: canonical}\n"
               "%s"
               "  batching: {%s}\n"
               "policies: [round_robin]\n"
               "defaults:\n"
               "  engine: {kind: batch, max_wait: 0 s, sort: arrival,\n"
               "           service: {per_input_token: 1 ms}}\n"
               "nodes: [%s]\n",
               path, rest, batching, nodes);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    unlink(path);
}

static void play(const char *rows, uint32_t nodes, const char *batching,
                 const char *rest)
{
    char group[60];

    snprintf(group, sizeof group, "{group: n, count: %" PRIu32 "}", nodes);
    play_on(group, rows, batching, rest);
}

#define FRONT "balancer:\n"

static double latency_ms(uint64_t i)
{
    return i < trial.results[0].latency_count
               ? trial.results[0].latencies[i] * 1e3
               : (double)NAN;
}

#define CHECK_MS(i, expected) CHECK_NEAR(latency_ms(i), (expected), 1e-6)
#define CHECK_NO_ANSWER(i) CHECK(isnan(latency_ms(i)))
#define CHECK_VALUE(measure, expected) \
    CHECK_NEAR(trial.results[0].values[measure], (expected), 1e-9)

/*
 * Padded tokens of ten prompts, 2742 tokens in all. The tenth comes after 9 ms,
 * and both batches go then, each to a node of its own.
 */
static void sums_are_as_published(void)
{
    static const char rows[] = COLUMNS
        "\n0,512,0\n0.001,32,0\n0.002,480,0\n0.003,40,0\n0.004,64,0\n"
        "0.005,500,0\n0.006,36,0\n0.007,48,0\n0.008,1000,0\n0.009,30,0\n";
    static const struct {
        const char *batching;
        double padded;
        double ms[10]; /* that its batch takes */
    } cuts[] = {
        {"sort: ascending",
         6000,
         {2000, 4000, 4000, 4000, 4000, 4000, 4000, 4000, 2000, 4000}},
        {"sort: arrival",
         6096,
         {4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 2000, 2000}},
        {"sort: descending",
         8064,
         {8000, 64, 8000, 8000, 8000, 8000, 8000, 8000, 8000, 64}},
        {"ratio: 4",
         4384,
         {4000, 384, 4000, 384, 384, 4000, 384, 384, 4000, 384}},
    };

    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        char batching[80];

        snprintf(batching, sizeof batching, "collect: 10, max_wait: 1 s, %s",
                 cuts[c].batching);
        play(rows, 2, batching, FRONT);
        for (unsigned i = 0; i < 10; i++)
            CHECK_MS(i, 9 - i + cuts[c].ms[i]);
        CHECK_VALUE(M_DOOR_BATCHES, 2);
        CHECK_VALUE(M_DOOR_BATCH_SIZE, 5);
        CHECK_VALUE(M_DOOR_BATCH_WAIT, 0.0045);
        CHECK_VALUE(M_DOOR_BATCH_PADDING, 1 - 2742 / cuts[c].padded);
    }
}

/* r0 and r1 go when r0 has waited 20 ms, and take 2 x 20; r2 goes 20 ms after
   it came. Waiting there is waiting: 20 + 10 + 20. */
static void the_oldest_does_not_wait_for_longer(void)
{
    play(COLUMNS "\n0,10,0\n0.01,20,0\n0.025,5,0\n", 2, "", FRONT);
    CHECK_MS(0, 60);
    CHECK_MS(1, 50);
    CHECK_MS(2, 25);
    CHECK_VALUE(M_WAIT_MEAN, 0.05 / 3);
    CHECK_VALUE(M_DOOR_BATCH_WAIT, 0.05 / 3);
}

/* They are the eighth and the ninth. */
static void a_full_batch_goes_at_once(void)
{
    play(COLUMNS "\n0,1,0\n0,1,0\n0,1,0\n0,1,0\n0,1,0\n0,1,0\n0,1,0\n"
                 "0.005,1,0\n0.005,1,0\n",
         2, "", FRONT);
    CHECK_MS(0, 13);
    CHECK_MS(7, 8);
    CHECK_MS(8, 21);
}

/* With max_wait 0 what comes at one instant goes together. */
static void one_instant_is_collected(void)
{
    play(COLUMNS "\n0,3,0\n0,5,0\n0.001,4,0\n", 2, "max_wait: 0 s", FRONT);
    CHECK_MS(0, 10);
    CHECK_MS(1, 10);
    CHECK_MS(2, 4);
}

/* r0's deadline at 100 ms is 60 ms away at 40. */
static void a_deadline_hurries_all(void)
{
    play(COLUMNS "\n0,10,0\n0.03,10,0\n", 2,
         "max_wait: 1 s, before_deadline: 60 ms",
         FRONT "  timeout: {total: 100 ms}\n");
    CHECK_MS(0, 60);
    CHECK_MS(1, 30);
}

/* r0 has left at 15 ms, so r1 and r2 fill a batch of two at 20 ms. */
static void who_times_out_leaves_its_place(void)
{
    play(COLUMNS "\n0,1,0\n0.016,1,0\n0.02,1,0\n", 1, "size: 2",
         FRONT "  timeout: {total: 15 ms}\n");
    CHECK_NO_ANSWER(0);
    CHECK_MS(1, 6);
    CHECK_MS(2, 2);
    CHECK_UINT(trial.results[0].books.timed_out, 1);
}

/* r0 leaves the row at 15 ms and does not take r1 along at 20 ms, which goes at
   28 ms at the earliest, and has left at 23. */
static void who_has_left_hurries_nobody(void)
{
    play(COLUMNS "\n0,1,0\n0.008,1,0\n", 1, "",
         FRONT "  timeout: {queue: 15 ms}\n");
    CHECK_NO_ANSWER(0);
    CHECK_NO_ANSWER(1);
    CHECK_UINT(trial.results[0].books.timed_out, 2);
}

/* The first node refuses both, and each goes on to the second by itself,
   without waiting again. */
static void retries_are_not_collected(void)
{
    play(COLUMNS "\n0,5,0\n0.01,5,0\n", 2, "size: 2",
         "faults: [{kind: crash, target: \"n[0]\", at: 0 s, restart_after: 30 "
         "s}]\n" FRONT "  retry: {attempts: 2}\n");
    CHECK_MS(0, 20);
    CHECK_MS(1, 10);
    CHECK_VALUE(M_ERRORS_REFUSED, 2);
    CHECK_VALUE(M_DOOR_BATCHES, 1);
}

/* r0 and r2 are the first balancer's: together at 20 ms. The others at 30. */
static void each_balancer_collects_for_itself(void)
{
    play(COLUMNS "\n0,4,0\n0.01,4,0\n0.02,4,0\n0.03,4,0\n", 1,
         "size: 2, max_wait: 1 s", FRONT "  count: 2\n  assign: round_robin\n");
    CHECK_MS(0, 28);
    CHECK_MS(1, 28);
    CHECK_MS(2, 8);
    CHECK_MS(3, 8);
}

/* To the node and back takes 2 ms each. */
static void the_network_comes_after(void)
{
    play(COLUMNS "\n0,4,0\n0.01,4,0\n", 1, "size: 2",
         FRONT "  network_delay: 2 ms\n");
    CHECK_MS(0, 22);
    CHECK_MS(1, 12);
}

/* Of class a, r0 and r2 wait for each other; r1 is not of theirs, and r3's
   class is not batched. r1 goes after 20 ms. */
static void classes_are_collected_apart(void)
{
    play(
        COLUMNS ",class\n0,4,0,a\n0.001,3,0,b\n0.01,4,0,a\n0.05,6,0,c\n", 2,
        "size: 2",
        "  classes: [{name: a}, {name: b}, {name: c, batched: false}]\n" FRONT);
    CHECK_MS(0, 18);
    CHECK_MS(1, 23);
    CHECK_MS(2, 8);
    CHECK_MS(3, 6);
    CHECK_VALUE(M_DOOR_BATCHES, 2);
}

/* The first of the batch, r0, goes to the node of short prompts, and r2 with
   it. r1 is too long for that node and goes to the other by itself. */
static void who_may_not_go_along_goes_alone(void)
{
    play_on("{group: short, models: [s], max_context: 10}, "
            "{group: long, models: [l]}",
            COLUMNS ",class\n0,4,0,a\n0,20,0,a\n0,6,0,a\n",
            "size: 3, sort: arrival",
            "  classes: [{name: a}]\n"
            "routing: {table: {a: [{model: s}, {model: l}]}}\n" FRONT);
    CHECK_MS(0, 12);
    CHECK_MS(1, 20);
    CHECK_MS(2, 12);
    CHECK_VALUE(M_DOOR_BATCHES, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sums are as published", sums_are_as_published},
        {"the oldest does not wait for longer",
         the_oldest_does_not_wait_for_longer},
        {"a full batch goes at once", a_full_batch_goes_at_once},
        {"one instant is collected", one_instant_is_collected},
        {"a deadline hurries all", a_deadline_hurries_all},
        {"who times out leaves its place", who_times_out_leaves_its_place},
        {"who has left hurries nobody", who_has_left_hurries_nobody},
        {"retries are not collected", retries_are_not_collected},
        {"each balancer collects for itself",
         each_balancer_collects_for_itself},
        {"the network comes after", the_network_comes_after},
        {"classes are collected apart", classes_are_collected_apart},
        {"who may not go along goes alone", who_may_not_go_along_goes_alone},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("batching", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
