/*
 * What a pick costs: `<policy>-<nodes> <ns of CPU>`, for every built-in policy
 * with its presets, and some of its other ways. A pick with what belongs to it:
 * sent and, some time later, done. Nodes differ in load, weights are equal, all
 * are eligible, reports change all the time. Each is run several times in turn
 * with the others, medians. A policy may take 2 us at 64 nodes, 10 us at 1024.
 */
#include "policies/hash.h"
#include "policies/params.h"
#include "policies/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NODES_MAX 1024u
#define IN_FLIGHT 4 /* times the number of nodes */
#define ROUNDS 5
#define PICKS 100000.0
#define KEY_SIZE 16

struct host {
    struct lbp_node nodes[NODES_MAX];
    char keys[NODES_MAX][KEY_SIZE];
    uint32_t in_flight[NODES_MAX], since_report[NODES_MAX];
    uint64_t tokens[NODES_MAX];
    uint64_t eligible[NODES_MAX / 64];
    uint32_t open[IN_FLIGHT * NODES_MAX]; /* a ring of slots */
    uint32_t oldest;
    uint64_t notes[IN_FLIGHT * NODES_MAX][2];
    uint64_t chance;
    struct lbp_view view;
    struct lbp_request request;
    char key[KEY_SIZE];
};

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next_random(struct host *host)
{
    uint64_t z = host->chance += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t random_below(void *context, uint64_t bound)
{
    uint64_t drawn = next_random(context);

    return bound ? drawn % bound : drawn;
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size ? size : 1);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void describe_node(struct host *host, uint32_t slot)
{
    struct lbp_node *node = &host->nodes[slot];

    snprintf(host->keys[slot], KEY_SIZE, "node-%u", slot);
    *node = (struct lbp_node){
        .key = host->keys[slot],
        .key_length = (uint32_t)strlen(host->keys[slot]),
        .models = 1,
        .weight = 1,
        .weight_factor = 1,
        .slots = 4,
        .speed = 1,
        .prefill_per_s = 8000,
        .decode_per_s = 80,
        .kv_use = -1,
    };
    node->key_hash = lbp_hash_xxh64(node->key, node->key_length, 0);
}

static double share(struct host *host)
{
    return (double)(next_random(host) % 1000) * 1e-3;
}

static void report(struct host *host, uint32_t slot)
{
    struct lbp_node *node = &host->nodes[slot];

    node->gpu_use = share(host);
    node->cpu_use = share(host);
    node->memory_use = share(host);
    node->queue_depth = (int64_t)(next_random(host) % 10);
    node->running = 4;
    node->reported_at_ns = host->view.now_ns;
}

static void prepare(struct host *host, uint32_t nodes)
{
    memset(host, 0, sizeof *host);
    host->view = (struct lbp_view){
        .size = sizeof host->view,
        .slot_count = nodes,
        .node_stride = sizeof host->nodes[0],
        .nodes = host->nodes,
        .balancer_count = 1,
        .report_interval_ns = 1000000000,
        .in_flight = host->in_flight,
        .in_flight_since_report = host->since_report,
        .in_flight_tokens = host->tokens,
    };
    host->request = (struct lbp_request){
        .size = sizeof host->request,
        .key = host->key,
        .input_tokens = 1000,
        .output_tokens_hint = 100,
        .deadline_ns = LBP_NO_TIME,
        .eligible = host->eligible,
        .eligible_count = nodes,
    };
    for (uint32_t slot = 0; slot < nodes; slot++) {
        host->eligible[slot / 64] |= (uint64_t)1 << slot % 64;
        describe_node(host, slot);
        report(host, slot);
    }
}

/* The next request, and now and then a report. */
static void go_on(struct host *host, uint32_t i)
{
    struct lbp_request *request = &host->request;

    host->view.now_ns += 1000;
    request->id = i;
    request->key_length = (uint32_t)snprintf(
        host->key, KEY_SIZE, "k%u", (unsigned)(next_random(host) % 10000));
    request->key_hash = lbp_hash_xxh64(request->key, request->key_length, 0);
    request->arrived_at_ns = host->view.now_ns;
    request->note = host->notes[i % (IN_FLIGHT * host->view.slot_count)];
    if (i % 8 == 0)
        report(host, (uint32_t)(next_random(host) % host->view.slot_count));
}

static void finish(struct host *host, const struct lbp_ops *ops, void *state,
                   uint32_t place)
{
    struct lbp_result result = {.size = sizeof result,
                                .outcome = LBP_OK,
                                .sent_at_ns = host->view.now_ns - 1000000,
                                .first_token_at_ns = LBP_NO_TIME,
                                .done_at_ns = host->view.now_ns,
                                .input_tokens = 1000,
                                .output_tokens = 100};
    uint64_t *note = host->request.note;
    uint32_t slot = host->open[place];

    host->in_flight[slot]--;
    host->since_report[slot] -= host->since_report[slot] > 0;
    host->request.note = host->notes[place];
    if (ops->on_done)
        ops->on_done(state, &host->view, &host->request, slot, &result);
    host->request.note = note;
}

static void send(struct host *host, const struct lbp_ops *ops, void *state,
                 uint32_t slot, uint32_t place)
{
    host->open[place] = slot;
    host->in_flight[slot]++;
    host->since_report[slot]++;
    if (ops->on_sent)
        ops->on_sent(state, &host->view, &host->request, slot);
}

static double cpu_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* ops NULL: everything but the policy, whose nodes are taken in turn. */
static double run(struct host *host, const struct lbp_ops *ops, void *state,
                  double picks)
{
    static const struct lbp_ops nothing;
    uint32_t ring = IN_FLIGHT * host->view.slot_count;
    double started_ns = cpu_now_ns();

    for (uint32_t i = 0; i < (uint32_t)picks; i++) {
        uint32_t place = i % ring;
        uint32_t slot = i % host->view.slot_count;

        go_on(host, i);
        if (i >= ring)
            finish(host, ops ? ops : &nothing, state, place);
        host->request.note[0] = host->request.note[1] = 0;
        if (ops && ops->pick(state, &host->view, &host->request, &slot, NULL) !=
                       LBP_PICKED)
            exit(3);
        send(host, ops ? ops : &nothing, state, slot, place);
    }
    return (cpu_now_ns() - started_ns) / picks;
}

struct variant {
    const char *policy, *settings; /* "name=value" by spaces */
};

static const struct variant variants[] = {
    {"round_robin", "per_subset=on"},
    {"resource_score", "p2c=on"},
    {"resource_score", "local_inflight=on queue_norm=off"},
    {"resource_score", "stale_after=0"}, /* every report is old */
    {"ring_hash", "bounded_load=1.25"},
};
#define VARIANTS (sizeof variants / sizeof *variants)

static void apply(const struct lbp_ops *ops, const char *settings, void *config)
{
    while (*settings) {
        size_t name = strcspn(settings, "=");
        size_t value = strcspn(settings + name + 1, " ");
        const struct lbp_param *param = lbp_params_find(ops, settings, name);

        if (!param ||
            !lbp_params_set(param, config, settings + name + 1, value, NULL, 0))
            exit(3);
        settings += name + 1 + value;
        settings += *settings == ' ';
    }
}

static double run_policy(struct host *host, const struct lbp_ops *ops,
                         const char *settings, uint32_t nodes, double picks)
{
    struct lbp_host services = {.size = sizeof services,
                                .context = host,
                                .random_below = random_below,
                                .allocate = allocate,
                                .release = release};
    void *config = calloc(1, ops->config_size + 1);
    void *state;
    double ns;

    if (!config)
        exit(3);
    prepare(host, nodes);
    lbp_params_preset(ops, config);
    apply(ops, settings, config);
    state = ops->create(config, &services);
    if (!state || (ops->on_members && !ops->on_members(state, &host->view)))
        exit(3);
    ns = run(host, ops, state, picks);
    ops->destroy(state);
    free(config);
    return ns;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median over the rounds, less what the host does itself. */
static double measure(struct host *host, const struct lbp_ops *ops,
                      const char *settings, uint32_t nodes)
{
    double ns[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        prepare(host, nodes);
        ns[round] = -run(host, NULL, NULL, PICKS);
        ns[round] += run_policy(host, ops, settings, nodes, PICKS);
    }
    qsort(ns, ROUNDS, sizeof *ns, ascending);
    return ns[ROUNDS / 2];
}

static void print_case(struct host *host, const struct lbp_ops *ops,
                       const char *settings)
{
    static const uint32_t sizes[] = {64, 1024};
    char name[80];

    snprintf(name, sizeof name, "%s%s%s%s", ops->name, *settings ? "(" : "",
             settings, *settings ? ")" : "");
    printf("pick %-48s", name);
    for (int i = 0; i < 2; i++)
        printf(" %8.0f", measure(host, ops, settings, sizes[i]));
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);
    struct host *host = malloc(sizeof *host);

    if (!host)
        return 3;
    printf("ns of CPU for pick, sent and done at%17s %8s\n", "64 nodes",
           "1024");
    for (uint32_t i = 0; i < count; i++) {
        print_case(host, list[i], "");
        for (size_t v = 0; v < VARIANTS; v++)
            if (strcmp(variants[v].policy, list[i]->name) == 0)
                print_case(host, list[i], variants[v].settings);
    }
    free(host);
    return 0;
}
