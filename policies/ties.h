/*
 * ties.h - the parameter `ties` of every policy that follows load.
 *
 * Under light traffic all nodes are equally idle, and the rule for ties
 * decides everything. Each policy has a rule of its own (`own`), the one of
 * the product that it follows; the others make it comparable:
 *
 *     first    the lowest slot
 *     random   one random_below(number of ties), after all other draws
 *     rotate   the node picked longest ago, the lowest slot among those
 *              never picked
 */
#ifndef POLICIES_TIES_H
#define POLICIES_TIES_H

#include "policies/lbp.h"

enum lbp_ties {
    LBP_TIES_OWN,
    LBP_TIES_FIRST,
    LBP_TIES_RANDOM,
    LBP_TIES_ROTATE
};

/* The row for a table of parameters; type has a field `uint32_t ties`. */
#define LBP_TIES_PARAM(type)                                                 \
    {                                                                        \
        .name = "ties",                                                      \
        .help = "who wins among equals: the policy's own rule, the lowest "  \
                "slot, chance, or the node picked longest ago",              \
        .kind = LBP_CHOICE, .offset = offsetof(type, ties), .preset = "own", \
        .choices = "own|first|random|rotate",                                \
    }

#endif
