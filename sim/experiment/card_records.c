#include "sim/experiment/card_records.h"

#include <stdlib.h>

bool card_records_init(struct card_records *cards, uint32_t count)
{
    *cards = (struct card_records){.count = count};
    if (count == 0)
        return true;
    cards->at_open = calloc(count, sizeof *cards->at_open);
    cards->at_close = calloc(count, sizeof *cards->at_close);
    return cards->at_open && cards->at_close;
}

void card_records_done(struct card_records *cards)
{
    free(cards->at_open);
    free(cards->at_close);
    *cards = (struct card_records){0};
}

static void read_all(uint64_t *into, const struct node *nodes,
                     uint32_t node_count, int64_t now_ns)
{
    for (uint32_t i = 0; i < node_count; i++)
        for (uint32_t c = 0; c < nodes[i].cards.count; c++)
            *into++ = cards_busy(&nodes[i].cards, c, now_ns);
}

void card_records_open(struct card_records *cards, const struct node *nodes,
                       uint32_t node_count, int64_t now_ns)
{
    if (cards->count > 0)
        read_all(cards->at_open, nodes, node_count, now_ns);
}

void card_records_close(struct card_records *cards, const struct node *nodes,
                        uint32_t node_count, int64_t now_ns)
{
    if (cards->count > 0)
        read_all(cards->at_close, nodes, node_count, now_ns);
}

bool card_records_finish(const struct card_records *cards,
                         const struct node *nodes, uint32_t node_count,
                         double window_ns, struct run_result *ret)
{
    uint32_t at = 0;
    double fullest = 0;

    if (cards->count == 0)
        return true;
    ret->card_use_ratios = calloc(cards->count, sizeof *ret->card_use_ratios);
    if (!ret->card_use_ratios)
        return false;
    ret->card_count = cards->count;
    for (uint32_t i = 0; i < node_count; i++)
        for (uint32_t c = 0; c < nodes[i].cards.count; c++, at++) {
            double busy = (double)(cards->at_close[at] - cards->at_open[at]);
            double use = busy / window_ns / nodes[i].cards.cards[c].slots;

            ret->card_use_ratios[at] = use;
            fullest = use > fullest ? use : fullest;
        }
    ret->values[M_FULLEST_CARD] = fullest;
    return true;
}
