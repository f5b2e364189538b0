/*
 * Everything that one simulation owns, for the files that make it run:
 *
 *   world.c       builds it and takes it down
 *   simulation.c  turns the loop
 *   life.c        what happens to a request, from arrival to its answer
 *   losses.c      what goes wrong on the way
 *   misroutes.c   requests that came to a node without their model
 *   sources.c     overlays and closed loops
 *   retries.c     whether there is another attempt, and when
 *   timeouts.c    attempts that run out of time
 *   deadlines.c   requests that do
 *   hedges.c      second attempts while the first is out
 *   twins.c       several slots for one request
 *   door.c        requests that wait at the front door
 *   admission.c   who may come in, who has to wait: see admission.h
 *   attempts.c    who watches what becomes of attempts
 *   rhythms.c     what happens by itself: reports, timers, the window
 *   checks.c      active health checks
 *   faults*.c     what strikes nodes
 *   batching.c    requests that wait there to be sent on together
 *   degrade.c     a worse answer in time instead of none
 *   mechanisms.c  all that is off unless a scenario names it
 *   members.c     nodes that come and go
 *   scaling.c, scrapes.c, rollouts.c  who wants them to
 *   remaps.c      what that does to keys
 *   reports.c     the way of reports to the balancers
 *
 * Private to them.
 */
#ifndef SIM_EXPERIMENT_WORLD_H
#define SIM_EXPERIMENT_WORLD_H

#include "sim/cluster/node.h"
#include "sim/core/alarms.h"
#include "sim/core/arena.h"
#include "sim/core/delay_line.h"
#include "sim/core/event_tree.h"
#include "sim/core/request.h"
#include "sim/experiment/recorder.h"
#include "sim/experiment/simulation.h"
#include "sim/frontdoor/balancer.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Subjects of leaves. Below REQUEST_MAX: the index that the rank implies (a
 * request, a node, a balancer, a fault). From there on: a delay line.
 */
enum world_line {
    LINE_TO_NODE = (int)REQUEST_MAX, /* attempts on their way */
    LINE_TO_CLIENT,                  /* answers on their way */
    LINE_RESET,                      /* word of a crash on its way */
    LINE_REFUSAL,                    /* word of a full node on its way */
    LINE_EXPIRED,                    /* word that it was too late on its way */
    LINE_CONNECT,                    /* attempts that fail to connect */
    LINE_REPORTS,                    /* reports on their way */
    LINE_ALARMS,                     /* whatever is due: see mechanisms.c */
    LINE_FAULT_ERROR,                /* word of a failing node on its way */
    LINE_TIER_HIT,                   /* answers from the shared tier */
    LINE_TIER_MISS,                  /* look-ups in it that find nothing */
    LINE_TIER_FAILURE,               /* look-ups that fail in an outage */
    LINE_HITS,                       /* + group: answers from result caches */
};
#define LINE_DEADLINES 0x4e000000u   /* + class */
#define LINE_TIMEOUTS 0x4f000000u    /* + a line of timeouts.c */
#define LINE_LOADS 0x50000000u       /* + group: models under way into memory */
#define LINE_INSIDE_LOST 0x60000000u /* + fault: inside a dead node */
#define LINE_NODE_REPORTS 0x6C000000u /* + node: when some are held up */
#define SAMPLE_SUBJECT UINT32_MAX     /* the window's own leaf */
/* NODE_TIMER + node: an engine's own event, see sim/cluster/node.h. */

/* What an alarm is about; what its subject and epoch are says who sets it. */
enum alarm_kind {
    ALARM_DEGRADE,    /* the time of a request's level is up */
    ALARM_OLD_ANSWER, /* the answer of a degraded request is there */
    ALARM_RETRY,      /* a back-off is over: request, its epoch */
    ALARM_TIMEOUT,    /* an attempt may have run out of time: likewise */
    ALARM_PATIENCE,   /* the client of a request in a queue: likewise */
    ALARM_HEDGE,      /* a hedge may be due: likewise */
    ALARM_TOKEN,      /* a first token reaches the balancer: likewise */
    ALARM_DEADLINE,   /* of a request in another slot: it, its number */
    ALARM_MAX_FAILS,  /* see passive.h */
    ALARM_OUTLIERS,
    ALARM_BREAKER,
    ALARM_DOOR_SWEEP,    /* who has waited for too long is looked for */
    ALARM_AIMD_WINDOW,   /* a balancer's limit is found anew */
    ALARM_FAIL_FAST,     /* no node of a balancer has been ready for long */
    ALARM_MEMBER_PHASE,  /* of a node: members.h */
    ALARM_MEMBER_CLOSES, /* likewise */
    ALARM_MEMBER_LEAVES, /* likewise */
    ALARM_MEMBER_GROWN,  /* likewise */
    ALARM_SCALER,        /* of a scaler: its next scrape or decision */
    ALARM_SCALER_LOOKS,  /* of a scaler that goes by demand */
    ALARM_ROLLOUT,       /* of a group: rollouts.h */
    ALARM_REMAPS,        /* nodes have changed: remaps.h */
    ALARM_SLOW_START,    /* of a balancer: a step */
    ALARM_CHECK_RESTART, /* of a node: check_restarts.h */
    ALARM_WEIGHTS,       /* of a balancer: a period of dynamic weights */
    ALARM_AGENTS,        /* of a balancer: it asks the nodes' agents */
    ALARM_BATCHES        /* requests have waited to be sent on: batching.h */
};

/* What nodes have said and balancers do not know yet. Words leave in the order
   in which they came, beside the entries of the line. */
struct held_reports;
struct late_reports {
    struct held_reports *held; /* instead, where faults hold some up */
    struct delay_line line;
    struct lbp_node *words; /* [capacity] a ring */
    uint32_t capacity;      /* 0: reports are not late */
    uint32_t oldest, next;  /* of the ring */
    struct rng *losses;     /* [balancer_count * node_count]; NULL: none */
};

struct faults;

struct sim {
    const struct simulation_setup *setup;
    const struct scenario *scenario;
    int64_t now_ns;
    enum sim_status status;
    uint64_t events;
    bool attention; /* after this event: trouble, the end, or someone waits */

    struct arena arena; /* what lives as long as the run */
    struct event_tree tree;
    struct request_slab slab;
    struct node_world node_world;

    struct workload *workload;
    struct workload_request next; /* the only future arrival that exists */
    bool arrivals_over;
    struct workload_origin *origins; /* [origin_capacity] by request; NULL: of
                                        one open source: see sources.c */
    uint32_t origin_capacity;
    /* The workload's counts up to the last arrival. */
    uint64_t repeats_seen, raw_ideal_hits_seen;
    struct event_key arrival; /* its event, kept beside the tree */

    struct node *nodes; /* [node_count] */
    uint32_t node_count;
    struct result_cache *caches; /* [node_count], used by those with a cache */
    struct delay_line *hits;     /* [group_count] */
    struct delay_line *loads;    /* [group_count] */

    const struct fault_spec **node_fault; /* [node_count] what killed it */

    struct lbp_node *described;   /* [node_count] as configured */
    char *key_texts;              /* their names */
    struct routing routing;       /* of all balancers, when the policy is
                                     routed */
    struct classifier classifier; /* class_count 0: there is none */
    struct balancer *balancers;   /* [balancer_count] */
    uint32_t balancer_count;

    struct delay_line to_node, to_client, resets, refusals, connects;
    uint32_t timeout_leaf;
    bool timeout_armed;
    uint32_t zombies; /* given up, still at work in a node */

    struct alarms alarms;
    bool watches_attempts; /* some mechanism does: see attempts.h */

    struct retrying *retrying;     /* NULL: no budgets */
    struct timeouts *timeouts;     /* NULL: none of attempts */
    struct deadlines *deadlines;   /* NULL: none are passed on */
    struct hedges *hedges;         /* NULL: none */
    struct checks *checks;         /* NULL: there are none */
    struct detections *detections; /* NULL: nobody looks for ill nodes */
    struct admission *admission;   /* NULL: off */
    struct members *members;       /* NULL: nodes neither come nor go */
    struct remaps *remaps;         /* NULL: requests have no keys, or so */
    struct scaling *scaling;       /* NULL: no group has an autoscaler */
    uint64_t check_restarts;       /* see check_restarts.h */
    struct panics *panics;
    struct slow_starts *slow_starts;
    struct weight_updates *weight_updates;
    struct agents *agents;             /* NULL: none */
    struct weight_times *weight_times; /* NULL: nothing changes weights */

    struct passive *passive;   /* NULL: nothing learns from traffic */
    struct tier *tier;         /* NULL: none */
    bool arrivals_have_more;   /* a tier, admission, or a total time-out */
    struct degrade *degrade;   /* NULL: no degradation */
    struct batching *batching; /* NULL: requests go one by one */

    struct faults *faults;                /* NULL: none */
    struct tier_spec tier_spec;           /* with the outages of this run */
    uint32_t *report_leaves;              /* [node_count] or NULL */
    struct node_reading *report_readings; /* [node_count] at the last report */
    struct late_reports late_reports;
    uint32_t sample_leaf;
    bool opens_by_count; /* the window opens at the n-th arrival */

    struct recorder recorder;
};

/*
 * Two handlers make up nearly all of a run. They are flattened: all they call
 * is inlined into them but what is marked as rare, or as apart: what only some
 * scenarios need, and would cost the others registers.
 */
#define WORLD_HOT __attribute__((flatten, hot))
#define WORLD_RARE __attribute__((noinline, cold))
#define WORLD_APART __attribute__((noinline))

/* world.c */
bool world_make(struct sim *sim); /* false: no memory; unmake it all the same */
void world_unmake(struct sim *sim);
/* What attention was asked for. false: the run is over. */
WORLD_RARE bool world_attend(struct sim *sim);

/* life.c */
WORLD_HOT void life_arrival(struct sim *sim);
void life_schedule_next(struct sim *sim); /* reads the next arrival */
WORLD_HOT void life_work_done(struct sim *sim, uint32_t index);
void life_line(struct sim *sim, uint32_t line); /* the head's event came */

/* door.c */
void door_ask_waiting(struct sim *sim);

/* losses.c */
void losses_total_timeout(struct sim *sim);
/* What was inside a node that died, as a list through `next`. */
void losses_node_died(struct sim *sim, uint32_t fault, uint32_t lost);

/* sources.c: overlays and closed loops */
bool sources_start(struct sim *sim); /* false: no memory */
void sources_stop(struct sim *sim);
void sources_finish(const struct sim *sim, struct run_result *ret);
/* A request arrives; *ret is not touched when memory fails. */
void sources_take(struct sim *sim, uint32_t index, struct workload_origin *ret);
void sources_leave(struct sim *sim, uint32_t index);            /* it is over */
void sources_move(struct sim *sim, uint32_t from, uint32_t to); /* of slot */
/* For another attempt: the same need, or other luck if noise is per attempt. */
void sources_redraw_need(const struct sim *sim, struct request *request,
                         uint32_t index, const struct request_retry *retry);
/* How long its client waits in a queue, index: of the slot that stands for it;
   INT64_MAX: for ever. */
int64_t sources_patience_ns(const struct sim *sim,
                            const struct request *request, uint32_t index);

/* rhythms.c */
bool rhythms_start(struct sim *sim); /* takes leaves, schedules the first */
void rhythms_report(struct sim *sim, uint32_t node);
void rhythms_timer(struct sim *sim, uint32_t balancer);
void rhythms_sample(struct sim *sim);
/* With reports that are never late, before each pick and whenever else they are
   looked at: the nodes as they are; the first only if the policy reads them. */
WORLD_RARE void rhythms_refresh_reports(struct sim *sim,
                                        struct balancer *balancer);
void rhythms_show_reports(struct sim *sim, struct balancer *balancer);

/* An alarm rings at at_ns, or now if that is past: mechanisms.c says who hears
   it. epoch: of whatever it is about, for its hearer. */
void sim_alarm(struct sim *sim, int64_t at_ns, enum alarm_kind kind,
               uint32_t subject, uint32_t epoch);

/* The first trouble counts. */
WORLD_RARE void sim_fail(struct sim *sim, enum sim_status status);

#endif
