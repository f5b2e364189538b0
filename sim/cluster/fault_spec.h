/*
 * What a scenario says about accidents: plain data, in base units, checked by
 * who fills it.
 *
 * A fault is of one kind and strikes its targets, at a time of the schedule or
 * again and again at random: then it alternates between times without it
 * (mtbf, the mean time between failures) and with it (mttr, the mean time to
 * repair), each drawn from a distribution. It holds on a node from its strike
 * to its end. Faults of different kinds hold on one node side by side. Where
 * two of one kind come together by chance, the node suffers as long as any
 * holds, and from the worst of them; a node that several have killed is back
 * when the last of them has ended.
 */
#ifndef SIM_CLUSTER_FAULT_SPEC_H
#define SIM_CLUSTER_FAULT_SPEC_H

#include "sim/cluster/fault_target.h"
#include "workloads/dist.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order in which users' choices stand. */
enum fault_kind {
    FAULT_CRASH,        /* the process dies */
    FAULT_HOST_DOWN,    /* the machine dies */
    FAULT_SLOW,         /* all takes `factor` times as long */
    FAULT_HANG,         /* takes what comes and does nothing; goes on later */
    FAULT_BLACK_HOLE,   /* swallows what comes, and answers what it has */
    FAULT_FAIL_FAST,    /* answers with an error at once, as by share */
    FAULT_MEMORY_LEAK,  /* fills its memory until it crashes */
    FAULT_FLAPPING,     /* crashes and restarts, over and over */
    FAULT_PARTITION,    /* some balancers and nodes cannot reach each other */
    FAULT_PROBE_LOSS,   /* health checks get no answer, as by share */
    FAULT_REPORT_LOSS,  /* reports do not arrive, as by share */
    FAULT_REPORT_DELAY, /* reports arrive later */
    FAULT_TIER_OUTAGE,  /* the shared result tier is out */
    FAULT_KIND_COUNT,
    /* No fault, but what a leak comes to: for lists of what struck. */
    FAULT_OUT_OF_MEMORY = FAULT_KIND_COUNT,
    FAULT_STRIKE_KINDS
};

/* As users write them, in enum order; out_of_memory last. */
extern const char *const fault_kind_names[FAULT_STRIKE_KINDS];

/* Kinds that kill a node: what is inside is lost, its caches with it. */
static inline bool fault_kills(enum fault_kind kind)
{
    return kind == FAULT_CRASH || kind == FAULT_HOST_DOWN ||
           kind == FAULT_FLAPPING;
}

/* Kinds that lie between balancers and nodes. */
static inline bool fault_has_balancers(enum fault_kind kind)
{
    return kind == FAULT_PARTITION || kind == FAULT_PROBE_LOSS ||
           kind == FAULT_REPORT_LOSS;
}

/* What a balancer sees of a node that is dead or out of reach. */
enum fault_seen_as {
    FAULT_REFUSED, /* new attempts fail at once, those inside are reset */
    FAULT_CONNECT_TIMEOUT, /* new attempts fail after timeout.connect, those
                              inside after inside_lost_after */
    FAULT_SILENT           /* nothing until a time-out */
};

/* How deep a health check may look and still find nothing wrong. */
enum fault_passes {
    FAULT_PASSES_NONE,
    FAULT_PASSES_L1, /* it accepts connections */
    FAULT_PASSES_L2  /* and answers at its health endpoint */
};

struct fault_spec {
    enum fault_kind kind;
    struct fault_target target;    /* of no node for FAULT_TIER_OUTAGE */
    struct fault_target balancers; /* of kinds that have them */
    int64_t at_ns;  /* the strike; of a random one: the process begins */
    int64_t for_ns; /* INT64_MAX: to the end. Of a random one, of a leak and of
                       flapping: how long strikes may come */
    int64_t restart_after_ns; /* of a node that was killed; INT64_MAX: never */
    bool random;
    struct dist up, down; /* mtbf and mttr of a random one, in s */
    uint32_t together;    /* so many of its targets are drawn and struck at
                             once; 0: a scheduled fault strikes all, a random
                             one each at times of its own */
    double spread;        /* chance that a strike takes along another node of
                             the same zone */
    enum fault_seen_as seen_as;
    int64_t inside_lost_after_ns;
    double factor;          /* slow: 1 or more */
    int64_t ramp_ns;        /* slow: until the factor is reached, 0: at once */
    uint32_t steps;         /* slow: of the ramp, 1 or more */
    int64_t fills_in_ns;    /* leak: the whole memory leaks in that time;
                               INT64_MAX: not by time */
    double leak_per_answer; /* leak: share of the memory */
    enum fault_passes passes; /* hang, black hole, fail fast */
    bool lose;                /* hang: ends in a restart, all inside is lost */
    double share;             /* fail fast, loss of probes and reports */
    int64_t delay_ns;         /* reports */
    int64_t up_for_ns, down_for_ns; /* flapping, each above 0 */
    bool cold;                      /* tier: it comes back empty */
};

/* Whether it is the same in every replication. */
bool fault_is_fixed(const struct fault_spec *spec);

/* A time drawn from the distribution of times in s: 1 ns at least, a hundred
   years at most. */
int64_t fault_draw_time_ns(const struct dist *dist, struct rng *rng);

/* at + length; INT64_MAX: never. */
static inline int64_t fault_end_ns(int64_t at_ns, int64_t length_ns)
{
    return length_ns > INT64_MAX - at_ns ? INT64_MAX : at_ns + length_ns;
}

#endif
