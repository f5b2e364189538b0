/*
 * Autoscalers in the run: for each group that has one, when metrics are
 * scraped, when the rule (sim/cluster/autoscaler.h) decides on them, and which
 * nodes come and go for it. Private to the files of a simulation.
 *
 * Three delays make it hard, and each is there: metrics are means over the last
 * scrape and come with a lag; decisions fall at the rule's own times; and what
 * is ordered serves only after its start-up.
 */
#ifndef SIM_EXPERIMENT_SCALING_H
#define SIM_EXPERIMENT_SCALING_H

#include "sim/cluster/autoscaler.h"
#include "sim/experiment/world.h"
#include "sim/measure/coarse.h"

/* What was scraped at one moment, of all nodes of the group. */
struct scale_snapshot {
    int64_t at_ns;
    int64_t window_ns;                    /* since the one before */
    int64_t read_at_ns;                   /* when the scaler can read it */
    double (*values)[SCALE_NODE_METRICS]; /* [count]; negative: not measured */
    double held, arrivals_per_s, service_s, latency_p99_s, ttft_p99_s;
};

struct group_scaler {
    const struct scale_spec *spec;
    struct autoscaler rule;
    uint32_t group, first, count; /* its nodes */
    uint32_t wanted;

    /* Since the last scrape. */
    int64_t scraped_at_ns;
    struct node_reading *readings; /* [count] then */
    uint64_t *sent;                /* [count] attempts */
    uint64_t served;
    double service_sum_s;
    struct coarse latency, ttft;

    struct scale_snapshot *snapshots; /* [snapshot_count] a ring */
    uint32_t snapshot_count, newest;  /* newest: its place */
    struct rng scrapes, lags;         /* where these vary */
    struct scale_sample *samples;     /* [count] for one decision */

    int64_t next_scrape_ns, next_sync_ns, next_poll_ns;
    bool touched; /* demand: a look is due at this instant */

    /* What it did, over the whole run. */
    uint64_t changes, reversals;
    int64_t changed_at_ns;
    bool went_up;
};

struct scaling {
    struct group_scaler *scalers; /* [count] */
    uint32_t count;
    uint32_t *by_group; /* [group_count] place in scalers, or count */
};

/* false: no memory; scaling_unmake may be called. */
bool scaling_make(struct sim *sim);
void scaling_unmake(struct sim *sim);
void scaling_start(struct sim *sim);

/* The scaler's next moment has come; something that demand goes by changed. */
void scaling_tick(struct sim *sim, uint32_t scaler);
void scaling_look(struct sim *sim, uint32_t scaler);

/* Of an attempt to a node of the group. */
void scaling_attempt_sent(struct sim *sim, const struct request *request);
void scaling_attempt_over(struct sim *sim, const struct request *request,
                          enum lbp_outcome outcome, int64_t first_token_at_ns);

/* A request waits at a front door because there is no node. */
void scaling_held(struct sim *sim);

/* A slot of the group is free again. */
void scaling_node_left(struct sim *sim, uint32_t group);

void scaling_finish(const struct sim *sim, struct run_result *ret);

/* --- scrapes.c --- */

/* false: no memory. */
bool scrapes_make(struct sim *sim, struct group_scaler *scaler);

/* Measures the group now. */
void scrapes_take(struct sim *sim, struct group_scaler *scaler);

/* From one scrape to the next; more than 0. */
int64_t scrapes_interval_ns(struct group_scaler *scaler);

/* What the rule may know now: states as they are, values as old as they are. */
struct scale_view scrapes_view(struct sim *sim, struct group_scaler *scaler);

#endif
