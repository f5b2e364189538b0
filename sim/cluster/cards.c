#include "sim/cluster/cards.h"

#include <assert.h>
#include <stdlib.h>

bool cards_init(struct cards *cards, uint32_t count, uint32_t slots)
{
    assert(count > 0 && slots >= count);
    *cards = (struct cards){.cards = calloc(count, sizeof *cards->cards)};
    if (!cards->cards)
        return false;
    cards->count = count;
    for (uint32_t i = 0; i < count; i++)
        cards->cards[i].slots = slots / count + (i < slots % count);
    return true;
}

void cards_done(struct cards *cards)
{
    free(cards->cards);
    *cards = (struct cards){0};
}

static void count(struct card *card, int32_t change, int64_t now_ns)
{
    card->busy += (uint32_t)change;
    card->meter -= (uint64_t)(change * now_ns);
}

/* Whether a has a smaller share of its slots busy than b. */
static bool is_less_busy(const struct card *a, const struct card *b)
{
    return (uint64_t)a->busy * b->slots < (uint64_t)b->busy * a->slots;
}

uint32_t cards_take(struct cards *cards, int64_t now_ns)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < cards->count; i++)
        if (is_less_busy(&cards->cards[i], &cards->cards[best]))
            best = i;
    assert(cards->cards[best].busy < cards->cards[best].slots);
    count(&cards->cards[best], 1, now_ns);
    return best;
}

void cards_give(struct cards *cards, uint32_t card, int64_t now_ns)
{
    assert(card < cards->count && cards->cards[card].busy > 0);
    count(&cards->cards[card], -1, now_ns);
}

uint64_t cards_busy(const struct cards *cards, uint32_t card, int64_t now_ns)
{
    const struct card *of = &cards->cards[card];

    return of->meter + of->busy * (uint64_t)now_ns;
}
