#include "tests/oracle/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint32_t open; /* attempts of a request */
    bool answered;
};

/* One instance of the wrapped policy, of one balancer. */
struct bookkeeper {
    struct ledger *ledger;
    void *inner;
    uint32_t *in_flight; /* [slot_count] */
    uint32_t slot_count;
    struct entry *entries; /* [entry_count] by request id */
    uint64_t entry_count;
};

#define PROMISE(keeper, condition)                                          \
    do {                                                                    \
        if (!(condition) && (keeper)->ledger->complaints++ == 0)            \
            snprintf((keeper)->ledger->complaint,                           \
                     sizeof(keeper)->ledger->complaint, "%s: %s", __func__, \
                     #condition);                                           \
    } while (0)

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static struct entry *entry_of(struct bookkeeper *keeper, uint64_t id)
{
    if (id >= keeper->entry_count) {
        uint64_t count = 2 * id + 256;

        keeper->entries =
            must(realloc(keeper->entries, count * sizeof *keeper->entries));
        memset(keeper->entries + keeper->entry_count, 0,
               (count - keeper->entry_count) * sizeof *keeper->entries);
        keeper->entry_count = count;
    }
    return &keeper->entries[id];
}

static void *keeper_create(const void *config, const struct lbp_host *host)
{
    struct ledger *ledger = ((const struct ledger_config *)config)->ledger;
    struct bookkeeper *keeper = must(calloc(1, sizeof *keeper));

    keeper->ledger = ledger;
    keeper->inner = ledger->inner->create(ledger->inner_config, host);
    return keeper->inner ? keeper : NULL;
}

static void keeper_destroy(void *state)
{
    struct bookkeeper *keeper = state;

    if (!keeper)
        return;
    for (uint64_t id = 0; id < keeper->entry_count; id++)
        keeper->ledger->open += keeper->entries[id].open;
    keeper->ledger->inner->destroy(keeper->inner);
    free(keeper->entries);
    free(keeper->in_flight);
    free(keeper);
}

static void check_view(struct bookkeeper *keeper, const struct lbp_view *view)
{
    PROMISE(keeper, view->slot_count == keeper->slot_count);
    for (uint32_t slot = 0; slot < keeper->slot_count; slot++)
        PROMISE(keeper, view->in_flight[slot] == keeper->in_flight[slot]);
}

static bool keeper_on_members(void *state, const struct lbp_view *view)
{
    struct bookkeeper *keeper = state;
    const struct lbp_ops *inner = keeper->ledger->inner;

    if (!keeper->in_flight) {
        keeper->slot_count = view->slot_count;
        keeper->in_flight =
            must(calloc(view->slot_count + 1u, sizeof *keeper->in_flight));
    }
    check_view(keeper, view);
    return !inner->on_members || inner->on_members(keeper->inner, view);
}

static uint32_t percent_of(uint64_t id, int64_t now_ns)
{
    uint64_t x =
        (id + 1) * 0x9E3779B97F4A7C15u ^ (uint64_t)now_ns * 0xC2B2AE3D27D4EB4Fu;

    return (uint32_t)((x ^ x >> 29) * 0xBF58476D1CE4E5B9u >> 40) % 100;
}

static enum lbp_status keeper_pick(void *state, const struct lbp_view *view,
                                   const struct lbp_request *request,
                                   uint32_t *ret_slot,
                                   struct lbp_explanation *explanation)
{
    struct bookkeeper *keeper = state;
    const struct ledger *ledger = keeper->ledger;
    uint32_t percent = percent_of(request->id, view->now_ns);
    enum lbp_status status;

    check_view(keeper, view);
    PROMISE(keeper, !entry_of(keeper, request->id)->answered);
    if (percent < ledger->wait_percent)
        return LBP_WAIT;
    if (percent - ledger->wait_percent < ledger->refuse_percent)
        return LBP_REFUSE;
    status = ledger->inner->pick(keeper->inner, view, request, ret_slot,
                                 explanation);
    PROMISE(keeper, status != LBP_PICKED || lbp_eligible(request, *ret_slot));
    return status;
}

static void keeper_on_sent(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot)
{
    struct bookkeeper *keeper = state;
    const struct lbp_ops *inner = keeper->ledger->inner;

    keeper->ledger->sent++;
    keeper->in_flight[slot]++;
    entry_of(keeper, request->id)->open++;
    check_view(keeper, view);
    if (inner->on_sent)
        inner->on_sent(keeper->inner, view, request, slot);
}

static void keeper_on_done(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot,
                           const struct lbp_result *result)
{
    struct bookkeeper *keeper = state;
    const struct lbp_ops *inner = keeper->ledger->inner;
    struct entry *entry = entry_of(keeper, request->id);
    bool ok = result->outcome == LBP_OK;

    PROMISE(keeper, entry->open > 0);
    PROMISE(keeper, keeper->in_flight[slot] > 0);
    PROMISE(keeper, !ok || !entry->answered);
    keeper->ledger->over++;
    keeper->ledger->answered += ok;
    entry->answered = entry->answered || ok;
    entry->open--;
    keeper->in_flight[slot]--;
    check_view(keeper, view);
    if (inner->on_done)
        inner->on_done(keeper->inner, view, request, slot, result);
}

static void keeper_on_report(void *state, const struct lbp_view *view,
                             uint32_t slot)
{
    struct bookkeeper *keeper = state;

    check_view(keeper, view);
    PROMISE(keeper, lbp_node_at(view, slot)->reported_at_ns <= view->now_ns);
    keeper->ledger->inner->on_report(keeper->inner, view, slot);
}

static void keeper_on_first_token(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t slot)
{
    struct bookkeeper *keeper = state;

    check_view(keeper, view);
    PROMISE(keeper, entry_of(keeper, request->id)->open > 0);
    if (keeper->ledger->inner->on_first_token)
        keeper->ledger->inner->on_first_token(keeper->inner, view, request,
                                              slot);
}

static int64_t keeper_on_timer(void *state, const struct lbp_view *view)
{
    struct bookkeeper *keeper = state;

    return keeper->ledger->inner->on_timer(keeper->inner, view);
}

void ledger_init(struct ledger *ledger, const struct lbp_ops *inner,
                 const void *inner_config)
{
    *ledger = (struct ledger){.inner = inner, .inner_config = inner_config};
    ledger->config.ledger = ledger;
    ledger->ops = *inner;
    ledger->ops.params = NULL;
    ledger->ops.check = NULL; /* the settings are those of the wrapped one */
    ledger->ops.also_needs = NULL;
    if (inner->also_needs)
        ledger->ops.needs |= inner->also_needs(inner_config);
    ledger->ops.config_size = sizeof ledger->config;
    ledger->ops.create = keeper_create;
    ledger->ops.destroy = keeper_destroy;
    ledger->ops.on_members = keeper_on_members;
    ledger->ops.pick = keeper_pick;
    ledger->ops.on_sent = keeper_on_sent;
    ledger->ops.on_done = keeper_on_done;
    ledger->ops.on_first_token = keeper_on_first_token;
    if (inner->on_report)
        ledger->ops.on_report = keeper_on_report;
    if (inner->on_timer)
        ledger->ops.on_timer = keeper_on_timer;
}
