/*
 * Random faults against theory, the rest of what test_faults.c does: retries
 * that go elsewhere, jobs that survive, and nodes that break down only while
 * they work, which go on where they were or begin again.
 *
 * Failures at a rate of f, repairs at a rate of r, up and down times
 * exponential. A service S with its breakdowns is a completion time C, and the
 * queue is M/G/1 on completion times (Gaver 1962).
 */
#include "policies/lbp.h"
#include "tests/oracle/harness.h"

/* --- retries -------------------------------------------------------------- */

/* With A = MTBF / (MTBF + MTTR) and r retries at nodes not tried yet, each
   picked blindly: 1 - (1 - A)^(r + 1) succeed, with that over A
   attempts on the average. */
static const struct retrying {
    unsigned mtbf_s, mttr_s, nodes, retries;
    double success, attempts;
} retrying[] = {
    {1000, 10, 4, 0, 0.9900990099, 1},
    {1000, 10, 4, 1, 0.9999019704, 1.00990099009901},
    {1000, 10, 4, 2, 0.9999990294, 1.00999901970395},
    {1000, 10, 8, 3, 0.9999999904, 1.0099999902941},
    {3600, 60, 4, 0, 0.9836065574, 1},
    {3600, 60, 4, 1, 0.999731255, 1.01639344262295},
    {3600, 60, 4, 2, 0.9999955943, 1.01666218758398},
    {3600, 60, 8, 3, 0.9999999278, 1.01666659323908},
    {100, 5, 4, 0, 0.9523809524, 1},
    {100, 5, 4, 1, 0.9977324263, 1.04761904761905},
    {100, 5, 4, 2, 0.9998920203, 1.04988662131519},
    {100, 5, 8, 3, 0.9999948581, 1.04999460101501},
};

static void retries_take_the_attempts_of_theory(void)
{
    for (unsigned i = 0; i < sizeof retrying / sizeof *retrying; i++) {
        const struct retrying *at = &retrying[i];
        struct trial trial;

        trial_load(&trial,
                   "lbsim: 1\nduration: %u s\nseed: %u\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: %g/s}\n"
                   "  work: {dist: constant, value: 1 us}\n"
                   "nodes: [{group: n, count: %u}]\n"
                   "balancer: {retry: {attempts: %u}}\n"
                   "faults: [{kind: crash, target: \"n[*]\", "
                   "mtbf: {dist: exponential, mean: %u s}, "
                   "mttr: {dist: exponential, mean: %u s}}]\n"
                   "policies: [random]\n",
                   200 * at->mtbf_s, 6001 + i, 100.0 / at->mtbf_s, at->nodes,
                   at->retries + 1, at->mtbf_s, at->mttr_s);
        trial_run(&trial, 20);
        trial_judge("success", trial_estimate(&trial, M_SUCCESS), at->success,
                    1e-5, 0.004, __LINE__, __FILE__, __func__);
        if (at->retries > 0)
            TRIAL_MEAN(&trial, M_RETRIES, at->attempts - 1, 0.1);
        trial_done(&trial);
    }
}

/* --- survival ------------------------------------------------------------- */

/* A failure every 100 s on the average: e^-0.05 of the jobs of 5 s survive, and
   1 / (1 + 0.05) of exponential ones with that mean. */
static void survival(unsigned seed, const char *work, double expected)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 100000 s\nwarm_up: 100 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 0.2/s}\n"
               "  work: {dist: %s}\n"
               "nodes: [{group: n, count: 1, engine: {slots: 1000}}]\n"
               "faults: [{kind: crash, target: n, mtbf: {dist: exponential, "
               "mean: 100 s}, mttr: {dist: constant, value: 0 s}}]\n"
               "policies: [round_robin]\n",
               seed, work);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_SUCCESS, expected, 0.004);
    trial_done(&trial);
}

static void rare_failures_spare_most_jobs(void)
{
    survival(6021, "constant, value: 5 s", 0.951229424500714);
    survival(6022, "exponential, mean: 5 s", 0.952380952380952);
}

/* --- completion times ----------------------------------------------------- */

/* What a restart threw out comes back when the node is up again, not while it
   is on its way. */
#define BRIEF_PAUSE "backoff: {ladder: constant, base: 1 us, jitter: none}"

/* One client who never thinks keeps the node at work. What it had begun is lost
   and begins again after the repair: (e^(f D) - 1) (1 / f + 1 / r). */
static void completion(unsigned seed, double up_s, double expected_s)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 10000 s\nwarm_up: 100 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: closed, clients: 1}\n"
               "  work: {dist: constant, value: 1 s}\n"
               "nodes: [{group: n, count: 1}]\n"
               "balancer: {retry: {attempts: 100, to: same, " BRIEF_PAUSE "}}\n"
               "faults: [{kind: hang, target: n, lose: true, "
               "mtbf: {dist: exponential, mean: %g s}, "
               "mttr: {dist: exponential, mean: 500 ms}}]\n"
               "policies: [round_robin]\n",
               seed, up_s);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, expected_s, 0.02);
    trial_done(&trial);
}

static void constant_work_completes_after_restarts(void)
{
    completion(6031, 5, 1.21771516988093);
    completion(6032, 2, 1.62180317675032);
}

/* --- failures only while working ------------------------------------------ */

/*
 * Faults strike idle nodes too. To be struck at work alone, a queue at the door
 * sends one job at a time, to a node that is up at this moment: how long that
 * one has been up says nothing, for up times are exponential, so it is as if
 * the job's node had begun to fail with it. Which node is up this policy knows
 * from a run before, with the same seed: faults do not depend on the requests.
 */
enum { POOL = 16 };

struct seer {
    const struct run_result *before; /* NULL: knows nothing */
    uint32_t next;                   /* of its strikes */
    double down_until_s[POOL];
};

struct seer_config {
    struct seer *seer;
};

static void *seer_create(const void *config, const struct lbp_host *host)
{
    (void)host;
    return ((const struct seer_config *)config)->seer;
}

static void seer_destroy(void *state)
{
    (void)state;
}

static void see(struct seer *seer, double now_s)
{
    while (seer->before && seer->next < seer->before->strike_count &&
           seer->before->strikes[seer->next].at_s <= now_s) {
        const struct fault_strike *strike =
            &seer->before->strikes[seer->next++];

        seer->down_until_s[strike->node] = strike->end_s;
    }
}

static enum lbp_status seer_pick(void *state, const struct lbp_view *view,
                                 const struct lbp_request *request,
                                 uint32_t *ret_slot,
                                 struct lbp_explanation *explanation)
{
    struct seer *seer = state;
    double now_s = (double)view->now_ns * 1e-9;

    (void)request;
    (void)explanation;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        if (view->in_flight[slot] > 0)
            return LBP_WAIT;
    see(seer, now_s);
    *ret_slot = 0;
    while (*ret_slot + 1 < view->slot_count &&
           seer->down_until_s[*ret_slot] >= now_s)
        ++*ret_slot;
    return LBP_PICKED;
}

static const struct lbp_ops seer_ops = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "seer",
    .summary = "one job at a time, at a node that is up",
    .tie_rule = "the first",
    .config_size = sizeof(struct seer_config),
    .create = seer_create,
    .destroy = seer_destroy,
    .pick = seer_pick,
};

/* All that struck until then did so in both runs. */
static void check_alike(const struct run_result *a, const struct run_result *b,
                        double until_s)
{
    uint32_t alike = 0;

    while (alike < a->strike_count && alike < b->strike_count &&
           a->strikes[alike].node == b->strikes[alike].node &&
           a->strikes[alike].at_s == b->strikes[alike].at_s)
        alike++;
    CHECK(alike == a->strike_count || a->strikes[alike].at_s > until_s);
    CHECK(alike == b->strike_count || b->strikes[alike].at_s > until_s);
    CHECK_UINT(a->strikes_left_out, 0);
}

/* The mean latency of one replication. */
static double mean_of_two_runs(const struct trial *trial, uint32_t replication,
                               struct seer *seer)
{
    struct run_result before, result;
    double mean_s;

    *seer = (struct seer){0};
    CHECK_INT(trial_run_one(trial, replication, &before), SIM_OK);
    *seer = (struct seer){.before = &before};
    CHECK_INT(trial_run_one(trial, replication, &result), SIM_OK);
    check_alike(&before, &result, (double)trial->scenario.duration_ns * 1e-9);
    mean_s = result.values[M_LATENCY_MEAN];
    run_result_done(&before);
    run_result_done(&result);
    return mean_s;
}

struct breakdowns {
    double rate_per_s, up_s, down_s;
    unsigned duration_s;
    uint32_t replications; /* at most 40 */
    double expected_s;
};

static void breakdowns_at_work(unsigned seed, const char *work,
                               const char *lose,
                               const struct breakdowns *breakdowns)
{
    struct trial trial;
    struct seer seer;
    struct seer_config config = {&seer};
    double means_s[40];

    trial_load(&trial,
               "lbsim: 1\nduration: %u s\nwarm_up: 500 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: %s}\n"
               "nodes: [{group: n, count: %d}]\n"
               "balancer: {retry: {attempts: 100, to: any, " BRIEF_PAUSE "}}\n"
               "faults: [{kind: hang, target: \"n[*]\", lose: %s, "
               "mtbf: {dist: exponential, mean: %g s}, "
               "mttr: {dist: exponential, mean: %g s}}]\n"
               "policies: [random]\n",
               breakdowns->duration_s, seed, breakdowns->rate_per_s, work, POOL,
               lose, breakdowns->up_s, breakdowns->down_s);
    trial_use_policy(&trial, &seer_ops, &config);
    for (uint32_t r = 0; trial.loaded && r < breakdowns->replications; r++)
        means_s[r] = mean_of_two_runs(&trial, r + 1, &seer);
    if (trial.loaded)
        trial_judge("latency",
                    trial_estimate_of(means_s, breakdowns->replications),
                    breakdowns->expected_s, 0, 0.06 * breakdowns->expected_s,
                    __LINE__, __FILE__, __func__);
    trial_done(&trial);
}

/* Exponential work of 1 s that goes on where it was: E[C] = E[S] (1 + f / r),
   E[C^2] = E[S^2] (1 + f / r)^2 + 2 E[S] f / r^2, Pollaczek and Khinchine. */
static void work_resumes_after_breakdowns(void)
{
    static const struct breakdowns all[] = {
        {0.5, 10, 1, 20000, 20, 2.55555555555556},
        {0.6, 100, 10, 140000, 20, 5.0},
        {0.3, 2, 2, 20000, 40, 6.5},
        {0.8, 50, 2, 80000, 20, 6.57142857142857},
    };

    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        breakdowns_at_work(6041 + i, "exponential, mean: 1 s", "false",
                           &all[i]);
}

/* Constant work of 1 s that begins again. Whoever is lost may find another in
   its place: all are alike, so the mean does not see the order. */
static void work_begins_again_after_breakdowns(void)
{
    static const struct breakdowns all[] = {
        {0.5, 5, 0.5, 20000, 20, 2.37974921301018},
        {0.4, 2, 0.5, 14000, 30, 3.80152984834015},
    };

    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        breakdowns_at_work(6051 + i, "constant, value: 1 s", "true", &all[i]);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"retries take the attempts of theory",
         retries_take_the_attempts_of_theory},
        {"rare failures spare most jobs", rare_failures_spare_most_jobs},
        {"constant work completes after restarts",
         constant_work_completes_after_restarts},
        {"work resumes after breakdowns", work_resumes_after_breakdowns},
        {"work begins again after breakdowns",
         work_begins_again_after_breakdowns},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("faults_at_length", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
