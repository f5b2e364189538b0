#include "tests/oracle/invariants.h"

#include "policies/params.h"
#include "policies/registry.h"
#include "sim/experiment/groups.h"
#include "sim/scenario/describe.h"
#include "tests/oracle/contract.h"
#include "tests/oracle/harness.h"
#include "tests/oracle/random_scenario.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_SIZE 4000

/* One run and what is known about it. */
struct case_run {
    const struct trial *trial;
    const char *text;
    uint64_t number;
    struct contract contract;
    struct run_result result;
};

/* CUnit's own assertions would say only that something differs. */
static void expect(const struct case_run *run, bool holds, const char *what,
                   unsigned line)
{
    char text[400];

    if (holds)
        return;
    snprintf(text, sizeof text, "scenario %" PRIu64 " under %s: %s",
             run->number,
             run->contract.inner ? run->contract.inner->name : "hurry", what);
    if (getenv("ORACLE_SHOW"))
        fprintf(stderr, "%s\n%s", text, run->text);
    CU_assertImplementation(CU_FALSE, line, text, __FILE__, __func__, CU_FALSE);
}

#define EXPECT(run, condition) expect(run, (condition), #condition, __LINE__)

static bool has_loop(const struct workload_spec *spec)
{
    bool any = spec->arrivals.process == ARRIVALS_CLOSED;

    for (uint32_t i = 0; i < spec->overlay_count; i++)
        any = any || spec->overlays[i].spec.arrivals.process == ARRIVALS_CLOSED;
    return any;
}

/* The workload alone, counted without any simulation. */
static uint64_t count_arrivals(const struct scenario *scenario,
                               uint32_t replication)
{
    struct workload *workload =
        workload_create(&scenario->workload, scenario->duration_ns,
                        scenario->seed, replication);
    struct workload_request request;
    struct workload_origin origin;
    uint64_t count = 0;

    while (workload && workload_next(workload, &request)) {
        if (workload_is_mixed(workload))
            CU_ASSERT_TRUE(workload_take(workload, &origin));
        count++;
    }
    workload_destroy(workload);
    return count;
}

static void check_books(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    const struct books *books = &result->books;
    const double *values = result->values;

    EXPECT(run, books->arrived == books->completed + books->degraded +
                                      books->refused + books->failed +
                                      books->timed_out + books->unfinished);
    if (!has_loop(&run->trial->scenario.workload))
        EXPECT(run, books->arrived == count_arrivals(&run->trial->scenario, 1));
    else /* without answers each client asks once */
        EXPECT(run, books->arrived >= count_arrivals(&run->trial->scenario, 1));
    EXPECT(run, result->measured + result->excluded == books->arrived);
    EXPECT(run, values[M_ARRIVED] == values[M_COMPLETED] + values[M_DEGRADED] +
                                         values[M_REFUSED] + values[M_FAILED] +
                                         values[M_TIMED_OUT] +
                                         values[M_UNFINISHED]);
    EXPECT(run, values[M_COMPLETED] <= (double)books->completed);
    EXPECT(run, values[M_COMPLETED] + values[M_DEGRADED] ==
                    (double)result->measured_answered);
}

static void check_contract(const struct case_run *run)
{
    const struct contract *contract = &run->contract;
    const struct books *books = &run->result.books;

    EXPECT(run, contract->sent == contract->done + contract->open);
    /* The shared tier answers without the policy, and holds some of those that
       are unfinished. */
    bool degrades = run->trial->scenario.balancer.degrade.given;
    bool tier = run->trial->scenario.tier.given ||
                run->trial->scenario.balancer.degrade.cached;
    uint64_t answered = books->completed + books->degraded;

    EXPECT(run, contract->done_ok == answered ||
                    (tier && contract->done_ok < answered));
    EXPECT(run, contract->refusals == books->refused ||
                    contract->is_asked_beside ||
                    (degrades && contract->refusals > books->refused));
    EXPECT(run, contract->open <= books->unfinished);
    EXPECT(run,
           tier || books->unfinished <= contract->open + contract->waiting);
    /* Where nodes come and go, keys are asked for beside the traffic. */
    EXPECT(run, contract->picks ==
                        contract->sent + contract->waits + contract->refusals ||
                    contract->is_asked_beside);
    expect(run, contract->complaints == 0, contract->complaint, __LINE__);
}

static void check_nodes(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    uint64_t completed = 0;
    double share = 0;

    for (uint32_t i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->nodes[i];

        bool existed = node->absent_ratio < 1;
        double use = existed ? node->use_ratio : 0;

        EXPECT(run, use >= 0 && use <= 1 + 1e-12);
        EXPECT(run, node->absent_ratio >= 0 && node->absent_ratio <= 1);
        EXPECT(run, node->down_ratio >= 0 && node->down_ratio <= 1 + 1e-12);
        EXPECT(run, use * (1 - node->absent_ratio) + node->down_ratio +
                            node->absent_ratio <=
                        1 + 1e-12);
        EXPECT(run, node->queue_mean_requests >= 0);
        EXPECT(run, node->in_flight_mean_requests >= 0);
        EXPECT(run, node->completed <= node->attempts);
        EXPECT(run, !(node->memory_ratio < 0 || node->memory_ratio > 1));
        EXPECT(run, !(node->hit_ratio < 0 || node->hit_ratio > 1));
        completed += node->completed;
        share += node->share_ratio;
    }
    const double *values = result->values;
    double answered = (double)result->measured_answered;
    double at_door = 0;

    if (values[M_TIER_HIT] > 0)
        at_door += values[M_TIER_HIT] * answered;
    if (values[M_OLD_RATIO] > 0)
        at_door += values[M_OLD_RATIO] * values[M_ARRIVED];
    EXPECT(run, result->node_count == 0 ||
                    fabs((double)completed + at_door - answered) < 1e-6);
    for (uint32_t i = 0; i < result->card_count; i++)
        EXPECT(run, result->card_use_ratios[i] >= 0 &&
                        result->card_use_ratios[i] <= 1 + 1e-12);
    EXPECT(run, isnan(share) || share == 0 || fabs(share - 1) < 1e-9);
}

/* Totals of groups add up to those of the nodes. */
static void check_groups(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    const struct scenario *scenario = &run->trial->scenario;
    struct group_fold *folds =
        calloc(scenario->group_count + 1u, sizeof *folds);
    struct group_fold sum = {0}, nodes = {0};

    group_folds_make(scenario, result, 1, folds);
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        sum.attempts += folds[i].attempts;
        sum.completed += folds[i].completed;
        sum.in_flight_mean_requests += folds[i].in_flight_mean_requests;
        sum.evictions += folds[i].evictions;
        sum.deaths += folds[i].deaths;
    }
    for (uint32_t i = 0; i < result->node_count; i++) {
        nodes.attempts += (double)result->nodes[i].attempts;
        nodes.completed += (double)result->nodes[i].completed;
        nodes.in_flight_mean_requests +=
            result->nodes[i].in_flight_mean_requests;
        nodes.evictions += (double)result->nodes[i].evictions;
        nodes.deaths += (double)result->nodes[i].deaths;
    }
    EXPECT(run, sum.attempts == nodes.attempts);
    EXPECT(run, sum.completed == nodes.completed);
    EXPECT(run, fabs(sum.in_flight_mean_requests -
                     nodes.in_flight_mean_requests) < 1e-6);
    EXPECT(run, sum.evictions == nodes.evictions);
    EXPECT(run, sum.deaths == nodes.deaths);
    free(folds);
}

static void check_buckets(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    uint64_t arrived = 0, completed = 0, lost = 0;

    for (uint32_t b = 0; b < result->bucket_count; b++) {
        arrived += result->buckets[b].arrived;
        completed += result->buckets[b].completed;
        lost += result->buckets[b].lost;
        EXPECT(run, result->buckets[b].start_s < result->buckets[b].end_s);
    }
    if (result->bucket_count == 0)
        return;
    EXPECT(run, arrived == result->measured);
    EXPECT(run, completed + lost == arrived);
}

/* Classes share out what was measured; a node's refusal is a misrouting. */
static void check_models(const struct case_run *run)
{
    const struct run_result *result = &run->result;
    double arrived = 0, completed = 0;

    for (uint32_t c = 0; c < result->class_count; c++) {
        arrived += result->classes[c].values[CLASS_ARRIVED];
        completed += result->classes[c].values[CLASS_COMPLETED];
    }
    if (result->class_count > 0) {
        EXPECT(run, arrived == result->values[M_ARRIVED]);
        EXPECT(run, completed == (double)result->measured_answered);
    }
    EXPECT(run,
           !(result->values[M_ERRORS_MODEL] > result->values[M_MISROUTED]));
    EXPECT(run, !run->contract.routed || !(result->values[M_ERRORS_MODEL] > 0));
}

static void check_values(const struct case_run *run)
{
    const struct workload_spec *workload = &run->trial->scenario.workload;
    const double *values = run->result.values;

    EXPECT(run, !(values[M_LATENCY_P50] > values[M_LATENCY_P99]));
    EXPECT(run, !(values[M_LATENCY_P99] > values[M_LATENCY_MAX]));
    EXPECT(run, !(values[M_LATENCY_P50] > values[M_LATENCY_ALL_P50]));
    EXPECT(run, !(values[M_LATENCY_P99] > values[M_LATENCY_ALL_P99]));
    EXPECT(run, !(values[M_WAIT_MEAN] > values[M_LATENCY_MEAN]));
    /* Where only some requests have tokens, the two are of different ones. */
    if (workload_all_have_law(workload, LAW_WORK) ==
        workload_has_law(workload, LAW_WORK))
        EXPECT(run, !(values[M_TTFT_MEAN] > values[M_LATENCY_MEAN] + 1e-9));
    EXPECT(run, !(values[M_WAIT_MEAN] < 0));
    check_models(run);
    EXPECT(run, !(values[M_RESULT_HIT] > 1));
    EXPECT(run, !(values[M_IDEAL_HIT] > values[M_REPEAT]));
    for (int m = 0; m < MEASURE_COUNT; m++)
        EXPECT(run, !(values[m] < 0) || m == M_PREDICTION_ERROR);
    /* No group is busier than its busiest node. */
    EXPECT(run, !(values[M_GPU_USE] > values[M_FULLEST_USE] + 1e-12));
}

static void check_run(struct case_run *run)
{
    enum sim_status status = trial_run_one(run->trial, 1, &run->result);

    EXPECT(run, status == SIM_OK);
    if (status != SIM_OK)
        return;
    check_books(run);
    if (run->contract.inner)
        check_contract(run);
    check_groups(run);
    check_nodes(run);
    check_buckets(run);
    check_values(run);
    run_result_done(&run->result);
}

/* Every third scenario with refusals, every third with waiting, every second
   with events for first tokens. */
static void check_policy(struct trial *trial, const char *text, uint64_t number,
                         const struct lbp_ops *ops)
{
    struct case_run run = {.trial = trial, .text = text, .number = number};
    void *config = calloc(1, ops->config_size + 1);

    if (!config)
        abort();
    lbp_params_preset(ops, config);
    contract_init(&run.contract, ops, config);
    run.contract.wait_percent = number % 3 == 1 ? 30 : 0;
    run.contract.refuse_percent = number % 3 == 2 ? 10 : 0;
    run.contract.has_reports = trial->scenario.balancer.report_interval_ns >= 0;
    run.contract.report_delay_ns = trial->scenario.balancer.report_delay_ns;
    if (number % 2 == 0)
        run.contract.ops.on_first_token = NULL;
    if (number % 5 == 0)
        run.contract.ops.on_timer = NULL;
    trial_use_policy(trial, &run.contract.ops, &run.contract.config);
    if (trial->scenario.routing.given && number % 4 != 0)
        trial->policy.routing = POLICY_ROUTING_TABLE;
    run.contract.is_asked_beside = scenario_nodes_change(&trial->scenario);
    run.contract.spares = trial->scenario.balancer.breaker.given ||
                          trial->scenario.balancer.batching.given ||
                          trial->scenario.balancer.connections.given;
    run.contract.routed = trial->policy.routing == POLICY_ROUTING_TABLE;
    run.contract.degrades = trial->scenario.balancer.degrade.given;
    check_run(&run);
    free(config);
}

void invariants_check(uint64_t first, uint64_t count)
{
    uint32_t policies;
    const struct lbp_ops *const *list = lbp_registry_list(&policies);

    for (uint64_t number = first; number < first + count; number++) {
        char text[TEXT_SIZE];
        struct trial trial;

        random_scenario_write(number, text, sizeof text);
        if (!trial_load(&trial, "%s", text))
            printf("%s", text);
        for (uint32_t p = 0; trial.loaded && p < policies; p++)
            check_policy(&trial, text, number, list[p]);
        trial_done(&trial);
    }
    CHECK_UINT(policies >= 6, 1);
}

static void check_hurried(struct trial *trial, const char *text,
                          uint64_t number, const struct lbp_ops *ops)
{
    struct case_run run = {.trial = trial, .text = text, .number = number};
    void *config = calloc(1, ops->config_size + 1);

    if (!config)
        abort();
    lbp_params_preset(ops, config);
    trial_use_policy(trial, ops, config);
    if (trial->scenario.routing.given && number % 4 != 0)
        trial->policy.routing = POLICY_ROUTING_TABLE;
    check_run(&run);
    free(config);
}

void invariants_check_hurried(uint64_t first, uint64_t count)
{
    uint32_t policies;
    const struct lbp_ops *const *list = lbp_registry_list(&policies);

    for (uint64_t number = first; number < first + count; number++) {
        char text[TEXT_SIZE];
        struct trial trial;

        random_scenario_write_hurried(number, text, sizeof text);
        if (!trial_load(&trial, "%s", text))
            printf("%s", text);
        else
            check_hurried(&trial, text, number, list[number % policies]);
        trial_done(&trial);
    }
}
