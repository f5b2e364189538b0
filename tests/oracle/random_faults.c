#include "tests/oracle/random_faults.h"

#include "policies/params.h"
#include "policies/registry.h"
#include "tests/oracle/harness.h"
#include "tests/oracle/ledger.h"
#include "tests/oracle/random_mechanisms.h"
#include "tests/oracle/scenario_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- faults --------------------------------------------------------------- */

static void put_target(struct writer *writer)
{
    put(writer, "target: \"%s\"",
        ONE_OF(writer, "g0[0]", "g0[*]", "zone a", "zone b", "*", "50 % of g0",
               "2 of *", "g0[0], g0[2]", "g0[1-2]", "34 % of zone a"));
}

/* Mostly by chance: faults by the clock must not meet. A random one is over in
   less than two seconds, so that it comes again. */
static void put_when(struct writer *writer, enum fault_kind kind)
{
    put(writer, ", mtbf: {dist: %s}, mttr: {dist: %s}%s",
        ONE_OF(writer, "exponential, mean: 1 s", "constant, value: 700 ms",
               "weibull, shape: 0.7, mean: 1500 ms"),
        ONE_OF(writer, "exponential, mean: 300 ms", "constant, value: 400 ms",
               "lognormal, median: 200 ms, sigma: 0.8", "constant, value: 0 s"),
        ONE_OF(writer, "", "", ", at: 500 ms, for: 3 s"));
    if (kind == FAULT_TIER_OUTAGE)
        return;
    if (chance(writer, 30))
        put(writer, ", together: 1");
    if (chance(writer, 20))
        put(writer, ", spread: 40 %%");
}

static void put_seen_as(struct writer *writer)
{
    put(writer, ", seen_as: %s",
        ONE_OF(writer, "refused", "silent", "connect_timeout",
               "connect_timeout, inside_lost_after: 300 ms"));
}

static void put_passes(struct writer *writer)
{
    put(writer, ", passes: %s", ONE_OF(writer, "none", "L1", "L2"));
}

static void put_share(struct writer *writer)
{
    put(writer, ", share: %s", ONE_OF(writer, "30 %", "1"));
}

static void put_between(struct writer *writer)
{
    if (chance(writer, 50))
        put(writer, ", balancers: \"%s\"", ONE_OF(writer, "0", "50 %", "*"));
}

/* What only this kind says. */
static void put_kind(struct writer *writer, enum fault_kind kind)
{
    switch (kind) {
    case FAULT_SLOW:
        put(writer, ", factor: %s%s", ONE_OF(writer, "2", "30", "1.5"),
            ONE_OF(writer, "", ", ramp: 200 ms", ", ramp: 1 s, ramp_steps: 3"));
        break;
    case FAULT_HANG:
        put_passes(writer);
        if (chance(writer, 50))
            put(writer, ", lose: true, seen_as: %s",
                ONE_OF(writer, "refused", "silent"));
        break;
    case FAULT_BLACK_HOLE:
        put_passes(writer);
        break;
    case FAULT_FAIL_FAST:
        put_passes(writer);
        put_share(writer);
        break;
    case FAULT_MEMORY_LEAK:
        put(writer, ", %s%s",
            ONE_OF(writer, "fills_in: 300 ms", "leak_per_answer: 20 %",
                   "fills_in: 2 ms"),
            ONE_OF(writer, "", ", restart_after: 200 ms",
                   ", restart_after: 2 s"));
        put_seen_as(writer);
        break;
    case FAULT_FLAPPING:
        put(writer, ", up_for: %s, down_for: %s",
            ONE_OF(writer, "50 ms", "200 ms"),
            ONE_OF(writer, "30 ms", "300 ms"));
        put_seen_as(writer);
        break;
    case FAULT_PARTITION:
        put_between(writer);
        put_seen_as(writer);
        break;
    case FAULT_PROBE_LOSS:
    case FAULT_REPORT_LOSS:
        put_between(writer);
        put_share(writer);
        break;
    case FAULT_REPORT_DELAY:
        put(writer, ", delay: %s", ONE_OF(writer, "30 ms", "900 ms"));
        break;
    case FAULT_TIER_OUTAGE:
        put(writer, ", cold: %s", ONE_OF(writer, "true", "false"));
        break;
    default:
        put_seen_as(writer);
    }
}

static bool may_have(const struct writer *writer, enum fault_kind kind)
{
    if (kind == FAULT_REPORT_LOSS || kind == FAULT_REPORT_DELAY)
        return writer->has_reports;
    return kind != FAULT_TIER_OUTAGE || writer->has_keys;
}

static void put_faults(struct writer *writer)
{
    uint32_t count = 1 + below(writer, 5);

    put(writer, "faults:\n");
    for (uint32_t i = 0; i < count; i++) {
        enum fault_kind kind =
            (enum fault_kind)below(writer, (uint32_t)FAULT_KIND_COUNT);

        if (!may_have(writer, kind))
            kind = FAULT_HANG;
        put(writer, "  - {kind: %s", fault_kind_names[kind]);
        if (kind != FAULT_TIER_OUTAGE) {
            put(writer, ", ");
            put_target(writer);
        }
        put_when(writer, kind);
        put_kind(writer, kind);
        put(writer, "}\n");
    }
    /* One by the clock, on a node that no draw of targets misses. */
    put(writer,
        "  - {kind: %s, target: \"g0[%" PRIu32 "]\", at: %" PRIu32
        " ms, for: %" PRIu32 " ms}\n",
        ONE_OF(writer, "crash", "host_down", "hang", "black_hole"),
        below(writer, 3), below(writer, 2000), 1 + below(writer, 1500));
}

/* --- the whole ------------------------------------------------------------ */

void random_faults_write(uint64_t number, char *text, size_t size)
{
    struct writer writer = {.state = number, .text = text, .size = size};

    random_mechanisms_choose(&writer);
    put(&writer,
        "lbsim: 1\nduration: 4 s\nwarm_up: %s\ndrain: %s\nseed: %" PRIu64
        "\npolicies: [random]\n",
        ONE_OF(&writer, "0 s", "500 ms", "20 requests"),
        ONE_OF(&writer, "0 s", "2 s", "20 s"), number);
    random_mechanisms_put(&writer);
    put_faults(&writer);
}

/* --- what must hold ------------------------------------------------------- */

struct case_run {
    const struct trial *trial;
    const char *text;
    uint64_t number;
    struct ledger ledger;
    struct run_result result;
};

/* CUnit's own assertions would say only that something differs. */
static void expect(const struct case_run *run, bool holds, const char *what,
                   unsigned line)
{
    char text[400];

    if (holds)
        return;
    snprintf(text, sizeof text, "faults %" PRIu64 " under %s: %s", run->number,
             run->ledger.inner->name, what);
    if (getenv("ORACLE_SHOW"))
        fprintf(stderr, "%s\n%s", text, run->text);
    CU_assertImplementation(CU_FALSE, line, text, __FILE__, __func__, CU_FALSE);
}

#define EXPECT(run, condition) expect(run, (condition), #condition, __LINE__)

/* Nodes gave the answers, light models those that are worse; but for the tier
   and the cache of old answers, which answer by themselves. */
static void check_answers(const struct case_run *run)
{
    const struct scenario *scenario = &run->trial->scenario;
    const struct books *books = &run->result.books;
    uint64_t answers = books->completed + books->degraded;

    EXPECT(run, run->ledger.answered <= answers);
    if (!scenario->tier.given && !scenario->balancer.degrade.cached)
        EXPECT(run, run->ledger.answered == answers);
    EXPECT(run, books->degraded == 0 || scenario->balancer.degrade.given);
}

/* Everything that arrived ended once, and every attempt once. */
static void check_books(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    const struct ledger *ledger = &run->ledger;
    const double *values = result->values;

    EXPECT(run, books_balance(&result->books));
    EXPECT(run, result->books.arrived >= 200);
    EXPECT(run, result->measured + result->excluded == result->books.arrived);
    EXPECT(run, values[M_ARRIVED] == values[M_COMPLETED] + values[M_DEGRADED] +
                                         values[M_REFUSED] + values[M_FAILED] +
                                         values[M_TIMED_OUT] +
                                         values[M_UNFINISHED]);
    EXPECT(run, ledger->sent == ledger->over + ledger->open);
    check_answers(run);
    expect(run, ledger->complaints == 0, ledger->complaint, __LINE__);
}

static void check_nodes(const struct case_run *run)
{
    const struct run_result *result = &run->result;

    for (uint32_t i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->nodes[i];

        /* Of one that was never there there is no use. */
        EXPECT(run, !(node->use_ratio < 0 || node->use_ratio > 1 + 1e-9));
        EXPECT(run, !(node->down_ratio < 0 || node->down_ratio > 1 + 1e-9));
        EXPECT(run, node->queue_mean_requests >= 0);
        EXPECT(run, node->in_flight_mean_requests >= 0);
        EXPECT(run, node->completed <= node->attempts);
        EXPECT(run, !(node->memory_ratio < 0 || node->memory_ratio > 1));
    }
    EXPECT(run, result->values[M_AVAILABILITY] >= -1e-9 &&
                    result->values[M_AVAILABILITY] <= 1);
}

static void check_strikes(const struct case_run *run)
{
    const struct run_result *result = &run->result;

    for (uint32_t i = 0; i < result->strike_count; i++) {
        const struct fault_strike *strike = &result->strikes[i];

        EXPECT(run, strike->kind < FAULT_STRIKE_KINDS);
        EXPECT(run, strike->at_s >= 0 && strike->end_s >= strike->at_s);
        EXPECT(run, strike->node < result->node_count ||
                        strike->kind == FAULT_TIER_OUTAGE);
        EXPECT(run, i == 0 || strike[-1].at_s <= strike->at_s);
    }
    EXPECT(run, result->strikes_left_out == 0);
}

/* A second run is the same to the bit. */
static void check_again(const struct case_run *run)
{
    struct run_result again;

    EXPECT(run, trial_run_one(run->trial, 1, &again) == SIM_OK);
    EXPECT(run, again.events == run->result.events);
    EXPECT(run,
           memcmp(&again.books, &run->result.books, sizeof again.books) == 0);
    for (int m = 0; m < MEASURE_COUNT; m++)
        EXPECT(run,
               again.values[m] == run->result.values[m] ||
                   (isnan(again.values[m]) && isnan(run->result.values[m])));
    EXPECT(run, again.strike_count == run->result.strike_count);
    run_result_done(&again);
}

const enum measure_id random_faults_acts[RANDOM_FAULTS_ACTS] = {
    M_DEGRADED,    M_REFUSED_DEADLINE, M_EXPIRED_DOOR, M_EXPIRED_QUEUE,
    M_HEDGES_SENT, M_DEADLINES_PASSED, M_HELD,         M_EXPIRED,
    M_SCALINGS,    M_DOOR_BATCHES,     M_DRAIN_CUT,    M_REFUSED_SHED};

static void add_up(struct random_faults_sums *sums,
                   const struct run_result *result)
{
    sums->scenarios++;
    sums->requests += result->books.arrived;
    for (uint32_t i = 0; i < result->strike_count; i++)
        sums->strikes[result->strikes[i].kind]++;
    for (int a = 0; a < RANDOM_FAULTS_ACTS; a++) {
        double value = result->values[random_faults_acts[a]];

        if (!isnan(value)) /* the mechanism is on */
            sums->acts[a] += value;
    }
}

static void check_run(struct case_run *run, struct random_faults_sums *sums)
{
    enum sim_status status = trial_run_one(run->trial, 1, &run->result);

    EXPECT(run, status == SIM_OK);
    if (status != SIM_OK)
        return;
    check_books(run);
    check_nodes(run);
    check_strikes(run);
    if (run->number % 20 == 0)
        check_again(run);
    add_up(sums, &run->result);
    run_result_done(&run->result);
}

/* Policies in turn; those that need reports or keys where there are some. */
static const struct lbp_ops *choose_policy(uint64_t number,
                                           const struct scenario *scenario)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    for (uint32_t i = 0; i < count; i++) {
        const struct lbp_ops *ops = list[(number + i) % count];

        if (!(ops->needs & LBP_NEEDS_REPORTS) ||
            scenario->balancer.report_interval_ns >= 0)
            return ops;
    }
    return list[0];
}

static void check_scenario(uint64_t number, struct random_faults_sums *sums)
{
    char text[RANDOM_FAULTS_SIZE];
    struct case_run run = {.text = text, .number = number};
    struct trial trial;

    random_faults_write(number, text, sizeof text);
    run.trial = &trial;
    if (!trial_load(&trial, "%s", text)) {
        printf("%s", text);
    } else {
        const struct lbp_ops *ops = choose_policy(number, &trial.scenario);
        void *config = calloc(1, ops->config_size + 1);

        if (!config)
            abort();
        lbp_params_preset(ops, config);
        ledger_init(&run.ledger, ops, config);
        run.ledger.wait_percent = number % 7 == 1 ? 30 : 0;
        run.ledger.refuse_percent = number % 7 == 2 ? 10 : 0;
        if (number % 2 == 0)
            run.ledger.ops.on_first_token = NULL;
        trial_use_policy(&trial, &run.ledger.ops, &run.ledger.config);
        check_run(&run, sums);
        free(config);
    }
    trial_done(&trial);
}

void random_faults_check(uint64_t first, uint64_t count,
                         struct random_faults_sums *sums)
{
    for (uint64_t number = first; number < first + count; number++)
        check_scenario(number, sums);
}

void random_faults_tell(const struct random_faults_sums *sums, double wall_s)
{
    printf("\n%" PRIu64 " scenarios, %" PRIu64 " requests in %.1f s\n",
           sums->scenarios, sums->requests, wall_s);
    for (uint32_t kind = 0; kind < FAULT_STRIKE_KINDS; kind++)
        printf("%10" PRIu64 " %s\n", sums->strikes[kind],
               fault_kind_names[kind]);
    for (int a = 0; a < RANDOM_FAULTS_ACTS; a++)
        printf("%10.0f %s\n", sums->acts[a],
               measures[random_faults_acts[a]].name);
}
