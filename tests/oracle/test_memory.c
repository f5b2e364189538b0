/*
 * Once it has warmed up a run asks for no memory: the allocator is watched
 * during the second half of runs with all mechanisms on. Works with glibc's
 * allocator alone, so it is skipped under sanitizers, which bring their own.
 */
#include "policies/params.h"
#include "policies/registry.h"
#include "tests/oracle/harness.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define WATCHED 0
#endif
#endif
#ifndef WATCHED
#define WATCHED 1
#endif

/* Of this one thread; the allocator is the process's, so this must be too. */
static bool counting;
static uint64_t asked;

#if WATCHED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    asked += counting;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    asked += counting;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    asked += counting;
    return __libc_realloc(memory, size);
}
#endif

/* --- a policy that passes everything on and looks at the clock ------------ */

struct watched_config {
    const struct lbp_ops *inner;
    const void *config;
    int64_t from_ns, to_ns;
};

struct watched {
    struct watched_config config;
    void *inner;
};

static void *watched_create(const void *config, const struct lbp_host *host)
{
    struct watched *watched = calloc(1, sizeof *watched);

    if (!watched)
        abort();
    watched->config = *(const struct watched_config *)config;
    watched->inner =
        watched->config.inner->create(watched->config.config, host);
    return watched;
}

static void watched_destroy(void *state)
{
    struct watched *watched = state;

    watched->config.inner->destroy(watched->inner);
    free(watched);
}

/* Where lbp.h lets policies allocate. */
static bool watched_on_members(void *state, const struct lbp_view *view)
{
    struct watched *watched = state;
    const struct lbp_ops *inner = watched->config.inner;
    bool was_counting = counting;
    bool done;

    counting = false;
    done = !inner->on_members || inner->on_members(watched->inner, view);
    counting = was_counting;
    return done;
}

static enum lbp_status watched_pick(void *state, const struct lbp_view *view,
                                    const struct lbp_request *request,
                                    uint32_t *ret_slot,
                                    struct lbp_explanation *explanation)
{
    struct watched *watched = state;

    counting = view->now_ns >= watched->config.from_ns &&
               view->now_ns < watched->config.to_ns;
    return watched->config.inner->pick(watched->inner, view, request, ret_slot,
                                       explanation);
}

static void watched_on_sent(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot)
{
    struct watched *watched = state;

    if (watched->config.inner->on_sent)
        watched->config.inner->on_sent(watched->inner, view, request, slot);
}

static void watched_on_done(void *state, const struct lbp_view *view,
                            const struct lbp_request *request, uint32_t slot,
                            const struct lbp_result *result)
{
    struct watched *watched = state;

    if (watched->config.inner->on_done)
        watched->config.inner->on_done(watched->inner, view, request, slot,
                                       result);
}

static struct lbp_ops watched_ops(const struct lbp_ops *inner)
{
    return (struct lbp_ops){.abi = LBP_ABI,
                            .size = sizeof(struct lbp_ops),
                            .name = inner->name,
                            .summary = inner->summary,
                            .tie_rule = inner->tie_rule,
                            .config_size = sizeof(struct watched_config),
                            .needs = inner->needs,
                            .create = watched_create,
                            .destroy = watched_destroy,
                            .on_members = watched_on_members,
                            .pick = watched_pick,
                            .on_sent = watched_on_sent,
                            .on_done = watched_on_done};
}

/* Two balancers, delays, reports, checks, retries, time-outs that happen,
   caches that are full, and nodes that die in both halves: what comes of that
   for the first time, such as a line of resets, takes its memory then. */
static const char everything[] =
    "lbsim: 1\n"
    "duration: 800 s\n"
    "warm_up: 80 s\n"
    "seed: 6001\n"
    "workload:\n"
    "  arrivals: {process: poisson, rate: 200/s}\n"
    "  input_tokens: {dist: uniform, min: 1, max: 200}\n"
    "  output_tokens: {dist: geometric, mean: 20}\n"
    "  noise: {dist: lognormal, mean: 1, sigma: 0.5}\n"
    "  keys: {dist: zipf, exponent: 0.8, distinct: 5000, repeat_share: 70 %%}\n"
    "nodes:\n"
    "  - {group: n, count: 6, %s service: {base: 10 ms, per_input_token: 0.1 "
    "ms, per_output_token: 2 ms}}, result_cache: {entries: 100%s}}\n"
    "balancer:\n"
    "  count: 2\n"
    "  network_delay: 1 ms\n"
    "  report_interval: 1 s\n"
    "  health: {}\n"
    "  retry: {attempts: 2}\n"
    "  timeout: {total: 400 ms, cancel: %s}\n"
    "faults:\n"
    "  - {kind: crash, target: \"n[0]\", at: 100 s, restart_after: 9 s}\n"
    "  - {kind: crash, target: \"n[2]\", at: 120 s, restart_after: 9 s}\n"
    "  - {kind: crash, target: \"n[3]\", at: 140 s, restart_after: 9 s}\n"
    "  - {kind: crash, target: \"n[4]\", at: 160 s, restart_after: 9 s}\n"
    "  - {kind: host_down, target: \"n[1]\", at: 200 s, restart_after: 30 s}\n"
    "  - {kind: crash, target: \"n[0]\", at: 500 s, restart_after: 30 s}\n"
    "  - {kind: host_down, target: \"n[1]\", at: 600 s, restart_after: 30 s}\n"
    "policies: [random]\n";

/* The rest of a group of nodes: its engine, and its cache. */
struct inside {
    const char *engine, *cache;
};

static const struct inside plain = {"engine: {slots: 4,", ""};
static const struct inside shared = {
    "cards: 2, engine: {kind: sharing, limit: 4, order: sjf, queue_limit: 30,",
    ", coalesce: true"};
static const struct inside ordered = {
    "engine: {slots: 4, order: priority, aging: 20 ms,", ", coalesce: true"};

static void check_policy(const struct lbp_ops *inner,
                         const struct inside *inside, const char *cancel)
{
    struct trial trial;
    struct lbp_ops ops = watched_ops(inner);
    struct watched_config config = {.inner = inner,
                                    .config = calloc(1, inner->config_size + 1),
                                    .from_ns = 400 * (int64_t)1000000000,
                                    .to_ns = 799 * (int64_t)1000000000};
    struct run_result result;

    lbp_params_preset(inner, (void *)(uintptr_t)config.config);
    trial_load(&trial, everything, inside->engine, inside->cache, cancel);
    trial_use_policy(&trial, &ops, &config);
    asked = 0;
    CHECK_INT(trial_run_one(&trial, 1, &result), SIM_OK);
    CHECK(!counting);
    check_uint(inner->name, asked, 0, __LINE__, __FILE__, __func__);
    /* and it was a run in which things happen */
    CHECK(result.values[M_TIMED_OUT] > 100);
    CHECK(result.values[M_RESULT_HIT] > 0.1);
    CHECK(result.values[M_RETRIES] > 0);
    CHECK(result.values[M_EVICTIONS] > 1000);
    run_result_done(&result);
    trial_done(&trial);
    free((void *)(uintptr_t)config.config);
}

static void the_second_half_asks_for_nothing(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    for (uint32_t p = 0; p < count; p++) {
        check_policy(list[p], &plain, "true");
        check_policy(list[p], &plain, "false");
    }
}

static void nor_does_what_is_inside_nodes(void)
{
    const struct lbp_ops *random = lbp_registry_find("random", 6);

    check_policy(random, &shared, "true");
    check_policy(random, &shared, "false");
    check_policy(random, &ordered, "true");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the second half asks for nothing", the_second_half_asks_for_nothing},
        {"nor does what is inside nodes", nor_does_what_is_inside_nodes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("no allocation", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return WATCHED ? check_main(argc, argv, suites) : 77; /* skipped */
}
