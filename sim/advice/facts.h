/*
 * What is known of traffic, nodes and front door before any policy is tried:
 * the facts that advice goes by. facts.def says what each means.
 *
 * Traffic is drawn as replication 1 of a run would have it, a trace as it is
 * recorded, up to FACTS_REQUESTS of it; so sizes, repeats and bursts are those
 * of what will be played. Result caches are played too, without any time or
 * queue, once with requests that go from node to node and once with keys that
 * each stay at one node: what is between the two is what going by keys can win.
 */
#ifndef SIM_ADVICE_FACTS_H
#define SIM_ADVICE_FACTS_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>

#define FACTS_REQUESTS 200000u

enum fact_id {
#define FACT(id, name, shown, help) id,
#include "sim/advice/facts.def"
#undef FACT
    FACT_COUNT
};

enum fact_shown { FACT_NUMBER, FACT_SECONDS, FACT_SHARE };

struct fact {
    const char *name, *help;
    enum fact_shown shown;
};

extern const struct fact facts_table[FACT_COUNT];

/* By name; FACT_COUNT when there is none. */
enum fact_id facts_find(const char *name, size_t length);

struct facts {
    double values[FACT_COUNT]; /* NaN: not known, or nothing of the kind */
};

/* The scenario's trace, if any, is open. false: no memory, or the trace cannot
   be read. */
bool facts_gather(const struct scenario *scenario, struct facts *ret);

#endif
