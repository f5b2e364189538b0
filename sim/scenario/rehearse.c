#include "sim/scenario/rehearse.h"

#include "sim/core/child.h"
#include "sim/frontdoor/rehearsal.h"
#include "sim/scenario/describe.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MOST 1000000u  /* of all policies together */
#define PICKS_MOST 4000000u /* likewise */
#define LIMIT_NS 5000000000 /* for an object's rehearsal, which takes ms */
#define PLAY_PER_NODE 256u
#define PLAY_LEAST 10000u /* a random pick's share is known to 2 % */

/* ---- code of others ---- */

/* A rehearsal in a process of its own: what it yields is copied back. */
struct apart {
    bool (*rehearse)(const struct scenario *scenario, uint32_t policy,
                     uint32_t group, void *ret);
    const struct scenario *scenario;
    uint32_t policy, group;
    bool fine;
    /* A struct key_share, or less: a share or a flag. */
    _Alignas(struct key_share) unsigned char ret[sizeof(struct key_share)];
};

static void rehearse_there(void *context)
{
    struct apart *apart = context;

    apart->fine = apart->rehearse(apart->scenario, apart->policy, apart->group,
                                  apart->ret);
}

/* Here for what is built in; for a shared object in a process of its own, as
   nobody knows what its code does. ret, of size bytes, is as it was when that
   did not come back; then ret_how says what became of it, and may be NULL.
   false: no memory. */
static bool run_apart(struct apart *apart, void *ret, size_t size,
                      char *ret_how, size_t how_size)
{
    struct apart *shared;
    char how[REHEARSE_HOW];
    enum child_end end;
    bool fine;

    if (!apart->scenario->policies[apart->policy].so)
        return apart->rehearse(apart->scenario, apart->policy, apart->group,
                               ret);
    shared = child_share(sizeof *shared);
    if (!shared)
        return false;
    *shared = *apart;
    assert(size <= sizeof shared->ret);
    memcpy(shared->ret, ret, size);
    end = child_run(rehearse_there, shared, LIMIT_NS, how, sizeof how);
    fine = end == CHILD_RETURNED ? shared->fine : end != CHILD_NOT_MADE;
    if (end == CHILD_RETURNED)
        memcpy(ret, shared->ret, size);
    else if (ret_how)
        snprintf(ret_how, how_size, "%s", how);
    child_unshare(shared, sizeof *shared);
    return fine;
}

/* ---- a stage ---- */

/* A rehearsal and what it is made of. */
struct stage {
    struct rehearsal rehearsal;
    struct lbp_node *nodes; /* [node_count] */
    char *names;
    uint64_t *picks; /* [node_count] */
};

static void stage_done(struct stage *stage)
{
    rehearsal_done(&stage->rehearsal);
    free(stage->nodes);
    free(stage->names);
    free(stage->picks);
}

enum stage_weights {
    STAGE_AS_GIVEN,
    STAGE_EQUAL, /* every node that takes anything has weight 1 */
    STAGE_ONE_HEAVIER,
    STAGE_ONE_WARMS_UP
};

static void weigh(struct stage *stage, size_t count, enum stage_weights weights)
{
    if (weights == STAGE_ONE_HEAVIER && count > 0)
        stage->nodes[0].weight *= 4;
    if (weights == STAGE_ONE_WARMS_UP && count > 0)
        stage->nodes[0].weight_factor = 0.25;
    for (size_t i = 0; weights == STAGE_EQUAL && i < count; i++)
        stage->nodes[i].weight = stage->nodes[i].weight > 0;
}

/* false: no memory; stage_done must be called either way. */
static bool stage_init(struct stage *stage, const struct scenario *scenario,
                       uint32_t policy, enum stage_weights weights)
{
    size_t n = scenario->node_count;
    struct balancer_setup setup = {
        .policy = &scenario->policies[policy],
        .count = 1,
        .node_count = scenario->node_count,
        .report_interval_ns = scenario->balancer.report_interval_ns,
    };

    *stage = (struct stage){
        .nodes = calloc(n, sizeof *stage->nodes),
        .names = calloc(n, DESCRIBE_NAME_SIZE),
        .picks = calloc(n, sizeof *stage->picks),
    };
    if (!stage->nodes || !stage->names || !stage->picks)
        return false;
    describe_nodes(scenario, 1, stage->nodes, stage->names);
    weigh(stage, n, weights);
    setup.nodes = stage->nodes;
    rng_stream(&setup.rng, scenario->seed, 1, RNG_POLICY, 0);
    return rehearsal_init(&stage->rehearsal, setup,
                          scenario_has_keys(scenario));
}

/* ---- keys ---- */

static void judge_key_shares(const struct stage *stage, uint32_t node_count,
                             struct key_share *ret)
{
    double picks = 0, weights = 0;

    for (uint32_t i = 0; i < node_count; i++) {
        picks += (double)stage->picks[i];
        weights += stage->nodes[i].weight;
    }
    for (uint32_t i = 0; picks > 0 && i < node_count; i++) {
        double due = picks * stage->nodes[i].weight / weights;
        double ratio = (double)stage->picks[i] / due;

        if (due > 0 && !(ratio <= ret->max_over_mean))
            *ret = (struct key_share){ratio, i, ret->keys};
    }
}

static uint32_t count_keys(const struct scenario *scenario)
{
    uint32_t fit = KEYS_MOST / scenario->policy_count;

    return fit < REHEARSE_KEYS ? fit : REHEARSE_KEYS;
}

static bool ask_keys(const struct scenario *scenario, uint32_t policy,
                     uint32_t group, void *ret)
{
    struct key_share *share = ret;
    struct stage stage;
    bool fine = stage_init(&stage, scenario, policy, STAGE_AS_GIVEN) &&
                rehearsal_ask_keys(&stage.rehearsal, share->keys, stage.picks);

    (void)group;
    if (fine)
        judge_key_shares(&stage, scenario->node_count, share);
    stage_done(&stage);
    return fine;
}

bool rehearse_key_share(const struct scenario *scenario, uint32_t policy,
                        struct key_share *ret)
{
    struct apart apart = {
        .rehearse = ask_keys, .scenario = scenario, .policy = policy};

    *ret =
        (struct key_share){.max_over_mean = NAN, .keys = count_keys(scenario)};
    if (!(scenario->policies[policy].ops->needs & LBP_NEEDS_KEY) ||
        !scenario_has_keys(scenario) ||
        scenario->policy_count > REHEARSE_POLICIES)
        return true;
    return run_apart(&apart, ret, sizeof *ret, NULL, 0);
}

/* ---- plays ---- */

static uint32_t play_length(uint32_t node_count)
{
    uint32_t count = node_count * PLAY_PER_NODE;

    return count > PLAY_LEAST ? count : PLAY_LEAST;
}

bool rehearse_is_quick(const struct scenario *scenario)
{
    return (uint64_t)play_length(scenario->node_count) *
               scenario->policy_count <=
           PICKS_MOST;
}

static bool play(struct stage *stage, uint32_t stuck_group, uint64_t *ret_trail)
{
    uint32_t nodes = stage->rehearsal.balancer.node_count;

    return rehearsal_play(&stage->rehearsal, play_length(nodes), stuck_group,
                          stage->picks, ret_trail);
}

static bool weights_differ(const struct scenario *scenario)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];

        if (group->count == 0 || group->weight == 0)
            continue;
        if (first == 0)
            first = group->weight;
        if (group->weight != first)
            return true;
    }
    return false;
}

/* Once as given and once with other weights, which stand in for a group. */
static bool play_by_weights(const struct scenario *scenario, uint32_t policy,
                            uint32_t weights, void *ret)
{
    uint64_t trails[2] = {0, 1};
    bool fine = true;

    for (uint32_t i = 0; fine && i < 2; i++) {
        struct stage stage;

        fine =
            stage_init(&stage, scenario, policy,
                       i == 1 ? (enum stage_weights)weights : STAGE_AS_GIVEN) &&
            play(&stage, REHEARSAL_NO_GROUP, &trails[i]);
        stage_done(&stage);
    }
    *(bool *)ret = !fine || trails[0] != trails[1];
    return true;
}

static bool goes_by(const struct scenario *scenario, uint32_t policy,
                    enum stage_weights weights)
{
    struct apart apart = {.rehearse = play_by_weights,
                          .scenario = scenario,
                          .policy = policy,
                          .group = weights};
    bool goes = true;

    run_apart(&apart, &goes, sizeof goes, NULL, 0);
    return goes;
}

bool rehearse_goes_by_weights(const struct scenario *scenario, uint32_t policy)
{
    return !weights_differ(scenario) || goes_by(scenario, policy, STAGE_EQUAL);
}

bool rehearse_minds_weight_changes(const struct scenario *scenario,
                                   uint32_t policy)
{
    return scenario->node_count < 2 ||
           goes_by(scenario, policy, STAGE_ONE_HEAVIER);
}

bool rehearse_minds_warm_up(const struct scenario *scenario, uint32_t policy)
{
    return scenario->node_count < 2 ||
           goes_by(scenario, policy, STAGE_ONE_WARMS_UP);
}

static bool play_stuck(const struct scenario *scenario, uint32_t policy,
                       uint32_t group, void *ret)
{
    struct stage stage;
    uint64_t trail;
    double all = 0, there = 0;

    if (stage_init(&stage, scenario, policy, STAGE_AS_GIVEN) &&
        play(&stage, group, &trail))
        for (uint32_t i = 0; i < scenario->node_count; i++) {
            all += (double)stage.picks[i];
            if (stage.nodes[i].group == group)
                there += (double)stage.picks[i];
        }
    stage_done(&stage);
    if (all >= play_length(scenario->node_count) / 2.0 &&
        scenario->groups[group].count > 0)
        *(double *)ret = there / all / scenario->groups[group].count;
    return true;
}

double rehearse_share_when_stuck(const struct scenario *scenario,
                                 uint32_t policy, uint32_t group)
{
    struct apart apart = {.rehearse = play_stuck,
                          .scenario = scenario,
                          .policy = policy,
                          .group = group};
    double share = NAN;

    run_apart(&apart, &share, sizeof share, NULL, 0);
    return share;
}

static bool play_once(const struct scenario *scenario, uint32_t policy,
                      uint32_t group, void *ret)
{
    struct stage stage;
    uint64_t trail;

    (void)group;
    *(bool *)ret = true;
    if (stage_init(&stage, scenario, policy, STAGE_AS_GIVEN))
        play(&stage, REHEARSAL_NO_GROUP, &trail);
    stage_done(&stage);
    return true;
}

bool rehearse_comes_back(const struct scenario *scenario, uint32_t policy,
                         char ret_how[REHEARSE_HOW])
{
    struct apart apart = {
        .rehearse = play_once, .scenario = scenario, .policy = policy};
    bool back = !scenario->policies[policy].so;

    ret_how[0] = '\0';
    if (!back)
        run_apart(&apart, &back, sizeof back, ret_how, REHEARSE_HOW);
    return back || ret_how[0] == '\0';
}
