#include "sim/frontdoor/retry_budget.h"

#include <assert.h>
#include <string.h>

#define MILLI 1000

static int64_t to_milli(double tokens)
{
    return (int64_t)(tokens * MILLI + 0.5);
}

void retry_budget_init(struct retry_budget *budget,
                       const struct budget_spec *spec)
{
    *budget = (struct retry_budget){
        .spec = spec,
        .milli_tokens = (int64_t)spec->tokens * MILLI,
    };
}

/* --- deposits ------------------------------------------------------------- */

/* Slices that have become too old are emptied for what comes now. */
static void advance(struct retry_budget *budget, int64_t now_ns)
{
    int64_t length_ns = budget->spec->ttl_ns / BUDGET_SLICES;
    int64_t now = now_ns / (length_ns > 0 ? length_ns : 1);

    if (now - budget->slice >= BUDGET_SLICES) {
        memset(budget->slices, 0, sizeof budget->slices);
        budget->slice = now;
    }
    while (budget->slice < now) {
        budget->slice++;
        budget->slices[budget->slice % BUDGET_SLICES] = 0;
    }
}

static void deposit(struct retry_budget *budget, int64_t milli)
{
    budget->slices[budget->slice % BUDGET_SLICES] += milli;
}

static int64_t balance(const struct retry_budget *budget)
{
    const struct budget_spec *spec = budget->spec;
    int64_t sum = to_milli(spec->reserve_per_s * 1e-9 * (double)spec->ttl_ns);

    for (int i = 0; i < BUDGET_SLICES; i++)
        sum += budget->slices[i];
    return sum;
}

static bool take_deposit(struct retry_budget *budget, int64_t now_ns)
{
    advance(budget, now_ns);
    if (balance(budget) < MILLI)
        return false;
    deposit(budget, -MILLI);
    return true;
}

/* --- all kinds ------------------------------------------------------------ */

void retry_budget_request(struct retry_budget *budget, int64_t now_ns)
{
    if (budget->spec->kind != BUDGET_DEPOSITS)
        return;
    advance(budget, now_ns);
    deposit(budget, to_milli(budget->spec->share));
}

void retry_budget_outcome(struct retry_budget *budget, bool success)
{
    int64_t full = (int64_t)budget->spec->tokens * MILLI;

    budget->milli_tokens +=
        success ? to_milli(budget->spec->refill) : -(int64_t)MILLI;
    if (budget->milli_tokens > full)
        budget->milli_tokens = full;
    if (budget->milli_tokens < 0)
        budget->milli_tokens = 0;
}

uint32_t retry_budget_limit(const struct retry_budget *budget,
                            uint32_t requests_out)
{
    const struct budget_spec *spec = budget->spec;
    uint32_t limit;

    if (spec->kind == BUDGET_FIXED)
        return spec->at_least;
    if (spec->kind != BUDGET_ACTIVE)
        return UINT32_MAX;
    /* A hair more, or 20 % of 15 were 2. */
    limit = (uint32_t)(spec->share * requests_out + 1e-9);
    return limit > spec->at_least ? limit : spec->at_least;
}

bool retry_budget_is_throttled(const struct retry_budget *budget)
{
    return budget->spec->kind == BUDGET_THROTTLE &&
           2 * budget->milli_tokens <= (int64_t)budget->spec->tokens * MILLI;
}

static bool may(struct retry_budget *budget, int64_t now_ns,
                uint32_t requests_out)
{
    const struct budget_spec *spec = budget->spec;

    switch (spec->kind) {
    case BUDGET_DEPOSITS:
        return take_deposit(budget, now_ns);
    case BUDGET_THROTTLE:
        return !retry_budget_is_throttled(budget);
    default:
        return budget->active < retry_budget_limit(budget, requests_out);
    }
}

bool retry_budget_take(struct retry_budget *budget, int64_t now_ns,
                       uint32_t requests_out)
{
    if (!may(budget, now_ns, requests_out)) {
        budget->refused++;
        return false;
    }
    budget->active++;
    return true;
}

void retry_budget_give(struct retry_budget *budget)
{
    assert(budget->active > 0);
    budget->active--;
}
