/*
 * Expected numbers by hand: half widths are 0.754052388 w (see fixture.h), and
 * rounded up; Holm's first of two levels gives t(0.9875, 9) = 2.685010847
 * (mpmath), so -1.00 +- 2.685010847 * 0.2 / 3 = 0.179. The load is 10 requests
 * a second of 0.5 s on 2 * 4 * 1.5 + 4 slots: 5 of 16.
 */
#include "sim/report/table.h"
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
    text = NULL;
}

static void write_table(void)
{
    size_t size;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &size);
    CHECK(table_write(&fixture.input, out));
    fclose(out);
}

/* Whether the table holds this line, whole. */
static bool has_line(const char *line)
{
    const char *at = strstr(text, line);
    size_t length = strlen(line);

    return at && (at == text || at[-1] == '\n') && at[length] == '\n';
}

static void table_reads_like_this(void)
{
    fixture_fold(&fixture);
    write_table();
    CHECK_TEXT(
        text,
        "demo: seed 42, 10 replications of 600 s, 3 nodes, load 0.31\n"
        "\n"
        "policy                        P50 s  P99 s        success    hits  "
        "GPU use  CPU use  use CV  verdict\n"
        "round_robin                   0.500  4.00 +-0.31  100.0 %  10.0 %  "
        " 33.3 %  100.0 %    0.12  reference\n"
        "least_conn                    0.500  3.00 +-0.16  100.0 %  15.0 %  "
        " 33.3 %  100.0 %    0.12  better by 25.0 % (-1.00 s +-0.18)\n"
        "ring_hash(replicas=200, \"x\")  0.500  infinite      98.0 %  20.0 %  "
        " 33.3 %  100.0 %    0.12  worse in 10 of 10 pairs\n"
        "\n"
        "by group                      gpu (2 nodes)       cpu (1 node)\n"
        "round_robin                   66.7 %, use 37.5 %  33.3 %, use 75.0 %\n"
        "least_conn                    66.7 %, use 37.5 %  33.3 %, use 75.0 %\n"
        "ring_hash(replicas=200, \"x\")  66.7 %, use 37.5 %  33.3 %, use 75.0 %\n"
        "\n"
        "- goal: latency_all_p99_s at most 3.1; met by least_conn (3.00, not "
        "certain); missed by round_robin (4.00), ring_hash(replicas=200, "
        "\"x\") (infinite)\n"
        "- goal: success_ratio at least 0.99; met by round_robin (100.0 %), "
        "least_conn (100.0 %); missed by ring_hash(replicas=200, \"x\") "
        "(98.0 %)\n"
        "- latency: P50 and P99 are of all requests, from intended arrival, "
        "by nearest rank; one without an answer counts as infinite\n"
        "- verdicts: latency_all_p99_s, against round_robin, paired by seed, "
        "corrected for 2 comparisons (Holm); differences below 1 % do not "
        "count\n"
        "- intervals: 95 %, Student t over 10 replications; they speak of the "
        "mean of such runs, not of single requests\n"
        "- warm-up: the first 60 s; 6000 requests excluded in 10 "
        "replications\n"
        "- no answer: latency_all_p99_s of ring_hash(replicas=200, \"x\"): "
        "infinite in 10 of 10 replications: more than 1 % of requests had no "
        "answer\n"
        "- hits: one endless shared cache would reach 25.0 %\n"
        "- books: 60000 arrived = 60000 completed + 0 degraded + 0 refused + "
        "0 failed + 0 timed out + 0 unfinished: round_robin, least_conn\n"
        "- books: 60000 arrived = 58800 completed + 0 degraded + 0 refused + "
        "1200 failed + 0 timed out + 0 unfinished: ring_hash(replicas=200, "
        "\"x\")\n");
}

/* One bucket of 540 s, a quarter of it out. */
static void outages_of_the_tier_are_told(void)
{
    fixture.scenario.tier =
        (struct tier_spec){.given = true, .timeout_ns = 50000000};
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++) {
            fixture.runs[policy][i].buckets->tier_out_ratio = 0.25;
            fixture.runs[policy][i].values[M_TIER_HIT] = 0.4;
            fixture.runs[policy][i].values[M_TIER_FAILED] = 1350;
        }
    fixture_fold(&fixture);
    write_table();
    CHECK(has_line("- tier: out for 25.0 % of the window; 1350 look-ups failed "
                   "and cost 0.05 s each, in a replication of round_robin"));
    CHECK(strstr(text, "hits    tier  GPU use") != NULL);
    CHECK(strstr(text, "10.0 %  40.0 %   33.3 %") != NULL);
}

static void uneven_keys_are_told(void)
{
    fixture_fold(&fixture);
    fixture.result.policies[2].key_share =
        (struct key_share){.max_over_mean = 1.3149, .node = 1, .keys = 100000};
    write_table();
    CHECK(has_line("- keys: ring_hash(replicas=200, \"x\") places 1.31 times "
                   "its share by weight on gpu-1, the most of any node: asked "
                   "for 100000 keys before any traffic, in replication 1"));
}

static void objective_of_ones_own_has_a_column(void)
{
    fixture.scenario.objective = M_SUCCESS;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "success_ratio  success") != NULL);
}

static void pool_without_gpus_shows_cpu_use(void)
{
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++) {
            fixture.runs[policy][i].values[M_CPU_USE] = 0.5;
            fixture.runs[policy][i].values[M_GPU_USE] = NAN;
            fixture.runs[policy][i].values[M_RESULT_HIT] = NAN;
            fixture.runs[policy][i].values[M_BALANCE_CV] = NAN;
        }
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "CPU use") != NULL);
    CHECK(strstr(text, "GPU use") == NULL);
    CHECK(strstr(text, "hits  ") == NULL);
    CHECK(strstr(text, "50.0 %       -  reference") != NULL);
}

/* Even when its gpu nodes tell how busy their processors are. */
static void pool_without_cpu_nodes_shows_gpu_use(void)
{
    fixture.groups[1].kind = NODE_GPU;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "GPU use  use CV") != NULL);
    CHECK(strstr(text, "CPU use") == NULL);
}

/* A column of one's own between them makes the most columns that there are. */
static void widest_table_has_all_columns(void)
{
    fixture.scenario.objective = M_SUCCESS;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "  success_ratio  success    hits  GPU use  CPU use  "
                       "use CV  verdict\n") != NULL);
}

/* P99 infinite in all pairs: the shares that had an answer decide nothing
   here, but the reader can see them. */
static void infinite_on_both_sides_refers_to_success(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++)
            fixture.runs[policy][i].values[M_LATENCY_ALL_P99] = INFINITY;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "cannot tell (both infinite; see success)\n") != NULL);
}

/* Success is 0.90 +- 0.01 against 1, and 0.98 in every run against 1. With two
   comparisons at 97.5 % each, half the first interval is t(0.9875, 9) w / 3 =
   2.685010847 * 1 point / 3 = 0.895 points. */
static void infinite_on_both_sides_tells_what_success_does(void)
{
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        fixture.runs[0][i].values[M_LATENCY_ALL_P99] = INFINITY;
        fixture.runs[1][i].values[M_LATENCY_ALL_P99] = INFINITY;
        fixture.runs[1][i].values[M_SUCCESS] = i % 2 ? 0.89 : 0.91;
    }
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "cannot tell (both infinite; success is lower by 10.0 "
                       "points +-0.9)\n") != NULL);
    CHECK(strstr(text, "cannot tell (both infinite; success is lower by 2.00 "
                       "points +-0.00)\n") != NULL);
    CHECK(has_line("- success: where latency_all_p99_s is infinite on both "
                   "sides in most pairs, the paired difference of "
                   "success_ratio is told, at 97.5 %; to judge by it, set "
                   "objective: success_ratio"));
}

/* In 8 of 10 pairs, and the policy with an answer for more. */
static void most_pairs_are_enough_to_look_at_success(void)
{
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        if (i < 8)
            fixture.runs[0][i].values[M_LATENCY_ALL_P99] =
                fixture.runs[1][i].values[M_LATENCY_ALL_P99] = INFINITY;
        fixture.runs[0][i].values[M_SUCCESS] = 0.75;
    }
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "cannot tell (infinite on both sides in 8 of 10; "
                       "success is higher by 25.0 points +-0.0)\n") != NULL);
}

/* The reference is infinite in 9 of 10 replications, the policy in 8 of them:
   two pairs are better, p is 0.5. */
static void mostly_infinite_pairs_are_counted(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (int i = 0; i < 9 - policy; i++)
            fixture.runs[policy][i].values[M_LATENCY_ALL_P99] = INFINITY;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "cannot tell (infinite on both sides in 8 of 10)\n") !=
          NULL);
}

static void unstable_policy_is_flagged(void)
{
    fixture.runs[1][0].unstable = fixture.runs[1][4].unstable = true;
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        fixture.runs[1][i].values[M_OFFERED] = 12;
        fixture.runs[1][i].values[M_THROUGHPUT] = 10;
    }
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "\nleast_conn (unstable)  ") != NULL);
    CHECK(has_line("- unstable: least_conn in 2 of 10 replications: queues "
                   "still grew when arrivals stopped, so its latencies depend "
                   "on the length of the run; offered 12.0/s, completed "
                   "10.0/s"));
}

/* Per replication 36 attempts went into dead nodes, of which 25 were refused
   and 4 reset: 7 are left of which no error tells. */
static void silent_deaths_are_told(void)
{
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        double *values = fixture.runs[1][i].values;

        values[M_ERRORS_REFUSED] = 25;
        values[M_ERRORS_RESET] = 4;
        values[M_ERRORS_CONNECT] = 0;
        values[M_LOST_IN_WINDOW] = 36;
        values[M_DETECTION] = 13.2;
    }
    fixture_fold(&fixture);
    write_table();
    CHECK(has_line("- errors: least_conn, per replication: 25.0 attempts "
                   "refused by a dead node, 4.00 attempts lost inside a dying "
                   "node, 7.00 attempts lost without a word in a dead node; "
                   "found dead after 13.2 s"));
}

/* A death that no balancer noticed has no time, and one that cost nothing no
   note. */
static void only_what_happened_is_told_of_deaths(void)
{
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++) {
            double *values = fixture.runs[policy][i].values;

            values[M_ERRORS_REFUSED] = policy == 2 ? 9 : 0;
            values[M_ERRORS_RESET] = 0;
            values[M_ERRORS_CONNECT] = 0;
            values[M_LOST_IN_WINDOW] = policy == 0 ? 0 : 9;
            values[M_DETECTION] = policy == 0 ? 2 : NAN;
        }
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "errors: round_robin") == NULL);
    CHECK(strstr(text, "found dead") == NULL);
    CHECK(has_line("- errors: least_conn, per replication: 9.00 attempts lost "
                   "without a word in a dead node"));
    CHECK(has_line("- errors: ring_hash(replicas=200, \"x\"), per "
                   "replication: 9.00 attempts refused by a dead node"));
}

/* Of an ideal 25 % of all requests: 20 % and 5 % of answers do not pass it. */
static void more_hits_than_ideal_are_explained(void)
{
    static const char explained[] =
        "hits are shares of those that were answered";

    for (int i = 0; i < FIXTURE_RUNS; i++)
        fixture.runs[2][i].values[M_TIER_HIT] = 0.05;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, explained) == NULL);
    outcome_done(&fixture.result);
    for (int i = 0; i < FIXTURE_RUNS; i++)
        fixture.runs[2][i].values[M_TIER_HIT] = 0.06;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, explained) != NULL);
}

static void weak_percentile_is_named(void)
{
    fixture.runs[0][3].measured = 71;
    fixture_fold(&fixture);
    write_table();
    CHECK(has_line("- weak: latency_all_p99_s needs 100 requests in each "
                   "replication, or it is little but the maximum; fewest of "
                   "round_robin (71)"));
}

static void partial_result_says_so_first(void)
{
    fixture_fold(&fixture);
    fixture.result.end = EXPERIMENT_INTERRUPTED;
    fixture.result.replications_asked = 12;
    write_table();
    CHECK(strstr(text, "\n\n- partial: interrupted; 10 of 12 replications "
                       "finished\n") != NULL);
}

static void nothing_finished_is_no_table(void)
{
    fixture.result.end = EXPERIMENT_LIMIT_TIME;
    fixture.result.replications_asked = 10;
    write_table();
    CHECK_TEXT(text,
               "demo: seed 42, 0 replications of 600 s, 3 nodes, load 0.31\n"
               "\n"
               "no replication was finished\n"
               "\n"
               "- partial: the limit of time was reached; 0 of 10 "
               "replications finished\n");
}

/* One replication of each policy; the runs of the next stand behind it. */
static void fold_one(void)
{
    struct run_result one[FIXTURE_POLICIES];

    for (int i = 0; i < FIXTURE_POLICIES; i++)
        one[i] = fixture.runs[i][0];
    CHECK(outcome_fold(&fixture.scenario, one, 1, 1, &fixture.result));
}

/* n 5400, P99: the ranks' interval by the binomial law, around 4.4. */
static void one_replication_has_an_interval_in_brackets(void)
{
    for (int i = 0; i < FIXTURE_POLICIES; i++) {
        fixture.runs[i][0].rank_lo[M_LATENCY_ALL_P99] = 4.3;
        fixture.runs[i][0].rank_hi[M_LATENCY_ALL_P99] = 4.5;
    }
    fold_one();
    write_table();
    CHECK(strstr(text, "4.40 [4.30, 4.50]") != NULL);
    CHECK(strstr(text, "cannot tell (one replication)") != NULL);
    CHECK(has_line("- intervals: 95 %, from the ranks of one replication; "
                   "they assume that requests are independent, which queues "
                   "make untrue, so they are too narrow"));
}

static void single_run_without_chance_says_why(void)
{
    fold_one();
    fixture.result.runs_once = true;
    fixture.result.replications_asked = 10;
    write_table();
    CHECK(has_line("- one run: nothing in this scenario is random, so one "
                   "replication says all that 10 would; to speak of other "
                   "traffic too, set workload.trace.resample to {blocks: 5 "
                   "min}"));
}

static void warm_up_says_what_it_was(void)
{
    fixture.scenario.warm_up =
        (struct warm_up_spec){.kind = WARM_UP_REQUESTS, .requests = 100};
    fixture_fold(&fixture);
    write_table();
    CHECK(has_line("- warm-up: the first 100 requests; 6000 requests excluded "
                   "in 10 replications"));
}

static void chosen_warm_up_says_its_range(void)
{
    fixture_fold(&fixture);
    fixture.result.warm_up_auto = true;
    fixture.result.warm_up_least_s = 12;
    fixture.result.warm_up_most_s = 40;
    fixture.result.warm_up_doubtful = 1;
    write_table();
    CHECK(has_line("- warm-up: chosen by MSER-5, the first 12.0 to 40.0 s; "
                   "6000 requests excluded in 10 replications"));
    CHECK(strstr(text, "- warm-up: in 1 replication no cut settles") != NULL);
}

static void no_warm_up_says_so(void)
{
    fixture.scenario.warm_up.time_ns = 0;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "- warm-up: none, the start with empty queues counts") !=
          NULL);
}

static void unbalanced_books_are_not_hidden(void)
{
    fixture.runs[0][0].books.completed--;
    fixture_fold(&fixture);
    write_table();
    CHECK(strstr(text, "- books: 60000 arrived IS NOT 59999 completed") !=
          NULL);
}

/* ---- verdicts in words ---- */

static void check_infinite(struct verdict verdict, uint32_t both_infinite,
                           const char *expected)
{
    char words[160];

    table_verdict_text(&verdict, UNIT_SECONDS, both_infinite, words,
                       sizeof words);
    CHECK_TEXT(words, expected);
}

static void check_verdict(struct verdict verdict, const char *expected)
{
    check_infinite(verdict, 0, expected);
}

static void check_unit(enum measure_unit unit, const char *expected)
{
    struct verdict verdict = {.kind = VERDICT_WORSE,
                              .difference = 2,
                              .lo = 1.5,
                              .hi = 2.5,
                              .effect_ratio = 0.1};
    char words[160];

    table_verdict_text(&verdict, unit, 0, words, sizeof words);
    CHECK_TEXT(words, expected);
}

static void effects_have_their_unit(void)
{
    check_unit(UNIT_SECONDS, "worse by 10.0 % (2.00 s +-0.50)");
    check_unit(UNIT_PER_SECOND, "worse by 10.0 % (2.00/s +-0.50)");
    check_unit(UNIT_COUNT, "worse by 10.0 % (2.00 +-0.50)");
    check_unit(UNIT_RATIO, "worse by 10.0 % (2.00 +-0.50)");
    check_unit(UNIT_REQUESTS, "worse by 10.0 % (2.00 +-0.50)");
}

/* 0.04 % of failures, and 0.52 points more: 13 times as many more. */
static void success_near_one_goes_by_failures(void)
{
    struct verdict verdict = {.kind = VERDICT_WORSE,
                              .difference = -0.0052,
                              .lo = -0.0066,
                              .hi = -0.0038,
                              .effect_ratio = -0.0052 / 0.9996,
                              .reference_mean = 0.9996,
                              .by_failures = true};

    check_verdict(verdict, "worse: +1300.0 % failures (-0.52 points +-0.14)");
    verdict.reference_mean = 1;
    check_verdict(verdict, "worse (-0.52 points +-0.14)");
    verdict.reference_mean = 0.9996;
    verdict.reason = VERDICT_SMALL;
    verdict.difference = 0.000002;
    check_verdict(verdict, "differs by -0.5 % failures, too little to matter");
}

static void ties_say_what_they_are(void)
{
    struct verdict same = {.kind = VERDICT_CANNOT_TELL,
                           .reason = VERDICT_SAME,
                           .by_sign = true,
                           .pairs = 60};
    struct verdict noise = {.kind = VERDICT_CANNOT_TELL,
                            .reason = VERDICT_NOISE,
                            .by_sign = true,
                            .pairs = 60,
                            .better_pairs = 10,
                            .worse_pairs = 3};

    check_infinite(same, 60, "cannot tell (both infinite; see success)");
    check_infinite(same, 47,
                   "cannot tell (infinite on both sides in 47 of 60)");
    check_infinite(same, 3, "cannot tell (60 of 60 pairs tie)");
    check_infinite(noise, 47,
                   "cannot tell (infinite on both sides in 47 of 60)");
    check_infinite(noise, 2, "cannot tell (47 of 60 pairs tie)");
    noise.worse_pairs = 20; /* half of the pairs tie, no more */
    check_infinite(noise, 30, "cannot tell");
    noise.replications_needed = 70;
    check_infinite(noise, 30, "cannot tell (about 70 replications would)");
}

static void verdicts_have_words(void)
{
    check_verdict((struct verdict){.kind = VERDICT_CANNOT_TELL,
                                   .reason = VERDICT_NOISE,
                                   .replications_needed = 35},
                  "cannot tell (about 35 replications would)");
    check_verdict(
        (struct verdict){.kind = VERDICT_CANNOT_TELL, .reason = VERDICT_NOISE},
        "cannot tell");
    check_verdict((struct verdict){.kind = VERDICT_CANNOT_TELL,
                                   .reason = VERDICT_SMALL,
                                   .effect_ratio = -0.004},
                  "differs by 0.4 %, too little to matter");
    check_verdict(
        (struct verdict){.kind = VERDICT_CANNOT_TELL, .reason = VERDICT_ALIKE},
        "no difference that matters");
    check_verdict(
        (struct verdict){.kind = VERDICT_CANNOT_TELL, .reason = VERDICT_SAME},
        "cannot tell (equal)");
    check_verdict((struct verdict){.kind = VERDICT_CANNOT_TELL,
                                   .reason = VERDICT_NO_VALUE},
                  "cannot tell (no value)");
    check_verdict((struct verdict){.kind = VERDICT_WORSE,
                                   .difference = 2,
                                   .lo = 1.5,
                                   .hi = 2.5,
                                   .effect_ratio = NAN},
                  "worse (2.00 s +-0.50)");
    check_verdict((struct verdict){.kind = VERDICT_BETTER,
                                   .by_sign = true,
                                   .better_pairs = 9,
                                   .pairs = 10},
                  "better in 9 of 10 pairs");
}

static void set_all(enum measure_id measure, double value)
{
    for (int policy = 0; policy < FIXTURE_POLICIES; policy++)
        for (int i = 0; i < FIXTURE_RUNS; i++)
            fixture.runs[policy][i].values[measure] = value;
    outcome_done(&fixture.result);
    fixture_fold(&fixture);
}

/* Verdicts know better than the rule of thumb. */
static void idle_nodes_are_told_apart_where_verdicts_are(void)
{
    set_all(M_FULLEST_USE, 0.03);
    write_table();
    CHECK(has_line("- idle: no node is busy for more than 3.0 % of the time; "
                   "differences hardly come from queues"));
    set_all(M_LATENCY_ALL_P99, 2);
    write_table();
    CHECK(has_line("- idle: no node is busy for more than 3.0 % of the time; "
                   "policies cannot be distinguished at this load"));
}

static void connections_and_agents_are_no_beliefs(void)
{
    set_all(M_CONNECTIONS, 8);
    set_all(M_AGENT_CHANGES, 12);
    write_table();
    CHECK(has_line("- connections: least_conn, per replication: 8.00 opened"));
    CHECK(has_line("- agents: least_conn, per replication: 12.0 changes of "
                   "weight, state or cap"));
    CHECK(strstr(text, "beliefs:") == NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo table_tests[] = {
        {"the table reads like this", table_reads_like_this},
        {"outages of the tier are told", outages_of_the_tier_are_told},
        {"uneven keys are told", uneven_keys_are_told},
        {"an objective of one's own has a column",
         objective_of_ones_own_has_a_column},
        {"a pool without GPUs shows CPU use", pool_without_gpus_shows_cpu_use},
        {"a pool without CPU nodes shows GPU use",
         pool_without_cpu_nodes_shows_gpu_use},
        {"the widest table has all columns", widest_table_has_all_columns},
        {"infinite on both sides refers to success",
         infinite_on_both_sides_refers_to_success},
        {"infinite on both sides tells what success does",
         infinite_on_both_sides_tells_what_success_does},
        {"most pairs are enough to look at success",
         most_pairs_are_enough_to_look_at_success},
        {"mostly infinite pairs are counted",
         mostly_infinite_pairs_are_counted},
        {"nothing finished is no table", nothing_finished_is_no_table},
        {"one replication has an interval in brackets",
         one_replication_has_an_interval_in_brackets},
        {"verdicts have words", verdicts_have_words},
        {"effects have their unit", effects_have_their_unit},
        {"success near one goes by failures",
         success_near_one_goes_by_failures},
        {"ties say what they are", ties_say_what_they_are},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo note_tests[] = {
        {"an unstable policy is flagged", unstable_policy_is_flagged},
        {"silent deaths are told", silent_deaths_are_told},
        {"only what happened is told of deaths",
         only_what_happened_is_told_of_deaths},
        {"more hits than ideal are explained",
         more_hits_than_ideal_are_explained},
        {"a weak percentile is named", weak_percentile_is_named},
        {"a partial result says so first", partial_result_says_so_first},
        {"a single run without chance says why",
         single_run_without_chance_says_why},
        {"the warm-up says what it was", warm_up_says_what_it_was},
        {"a chosen warm-up says its range", chosen_warm_up_says_its_range},
        {"no warm-up says so", no_warm_up_says_so},
        {"idle nodes are told apart where verdicts are",
         idle_nodes_are_told_apart_where_verdicts_are},
        {"connections and agents are no beliefs",
         connections_and_agents_are_no_beliefs},
        {"unbalanced books are not hidden", unbalanced_books_are_not_hidden},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("table", NULL, NULL, setup, teardown, table_tests),
        SUITE("table notes", NULL, NULL, setup, teardown, note_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
