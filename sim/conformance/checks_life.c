/*
 * Checks: the same calls lead to the same decisions, whatever else there is.
 *
 * Lives are lived in processes of their own, so that nothing is left over from
 * another: only then does a difference come from what the check changed.
 */
#include "sim/conformance/trial.h"

#include "sim/conformance/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 1500, NODES = 21, SCORES = 64 };

static const struct trial_life plain_life = {
    .options = {.slot_count = NODES, .unequal = true, .seed = 101},
    .seed = 102,
    .steps = STEPS,
};

/* Both lives, and the difference between them. */
static void compare_lives(struct trial *trial, const struct trial_life *other,
                          const char *what)
{
    uint32_t decisions[2][STEPS];

    if (trial_live_apart(trial, &plain_life, decisions[0]) &&
        trial_live_apart(trial, other, decisions[1]))
        trial_compare(trial, decisions[0], decisions[1], STEPS, what);
}

/* First the very same again: only where that repeats do the other bytes that
   fresh memory holds the third time tell something, which is that a decision
   depends on what was never written. */
void check_repeatable(struct trial *trial)
{
    struct trial_life again = plain_life;

    compare_lives(trial, &again, "when all was repeated");
    again.options.fill = 0xa5;
    compare_lives(trial, &again, "with other bytes in fresh memory");
}

void check_sizes(struct trial *trial)
{
    struct trial_life later = plain_life;

    later.options.later_host = true;
    compare_lives(trial, &later, "with longer structs");
}

void check_after_pick(struct trial *trial)
{
    struct trial_life bare = plain_life;

    bare.options.bare_after_pick = true;
    compare_lives(trial, &bare, "without key, text, blocks and eligible");
}

/* A cast takes const away, and the host's books are wrong for all. */
void check_view(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = plain_life.options;

    options.watch_view = true;
    if (!trial_open(trial, &stage, &options))
        return;
    traffic_start(&traffic, &stage, plain_life.seed);
    for (uint32_t step = 0; step < 300 && !stage.written; step++)
        traffic_step(&traffic);
    if (stage.written)
        trial_fail(trial, "pick wrote into %s", stage.written);
    traffic_drain(&traffic);
    stage_close(&stage);
}

/* Other instances live before, and beside it. */
static void live_among_others(struct trial *trial, uint32_t *ret)
{
    struct traffic traffics[3];
    struct stage stages[3];

    for (uint32_t i = 0; i < 3; i++) {
        struct stage_options options = plain_life.options;

        options.seed += i;
        options.slot_count -= i;
        if (!trial_open(trial, &stages[i], &options))
            return;
        traffic_start(&traffics[i], &stages[i], plain_life.seed + i);
        for (uint32_t step = 0; i == 2 && step < 300; step++)
            traffic_step(&traffics[i]);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        ret[step] = traffic_step(&traffics[0]);
        traffic_step(&traffics[1 + step % 2]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        traffic_drain(&traffics[i]);
        stage_close(&stages[i]);
    }
}

void check_instances(struct trial *trial)
{
    uint32_t alone[STEPS], among[STEPS];

    if (!trial_live_apart(trial, &plain_life, alone))
        return;
    live_among_others(trial, among);
    trial_compare(trial, alone, among, STEPS, "beside other instances");
}

/* ---- explanations ---- */

/* A sum of a few terms may be rounded otherwise than the policy's own. */
static bool is_sum(double score, const double *terms)
{
    double sum = 0, size = fabs(score);

    for (uint32_t i = 0; i < LBP_MAX_TERMS; i++) {
        sum += terms[i];
        size += fabs(terms[i]);
    }
    if (!isfinite(score) || !isfinite(sum))
        return isinf(score) && isinf(sum) && (score > 0) == (sum > 0);
    return fabs(sum - score) <= 1e-6 * (size > 1 ? size : 1);
}

static uint32_t count_names(const struct lbp_ops *ops)
{
    uint32_t count = 0;

    while (ops->term_names && ops->term_names[count])
        count++;
    return count;
}

static void look_at_score(struct trial *trial, const struct stage *stage,
                          const struct lbp_score *score)
{
    uint32_t names = count_names(trial->ops);

    if (score->slot >= stage->view->slot_count)
        trial_fail(trial, "explained a score of slot %u, of %u", score->slot,
                   stage->view->slot_count);
    if (!is_sum(score->score, score->terms))
        trial_fail(trial,
                   "slot %u has the score %.9g, which is not the sum of its "
                   "terms",
                   score->slot, score->score);
    for (uint32_t i = names; i < LBP_MAX_TERMS; i++)
        if (score->terms[i] != 0)
            trial_fail(trial, "slot %u has a term %u, and term_names names %u",
                       score->slot, i + 1, names);
}

/* Whether a picked slot is among the explained, if all could be. */
static void look_for_picked(struct trial *trial,
                            const struct lbp_explanation *explanation,
                            uint32_t slot)
{
    for (uint32_t i = 0; i < explanation->count; i++)
        if (explanation->scores[i].slot == slot)
            return;
    if (slot < NODES && explanation->count > 0 &&
        explanation->count < explanation->capacity)
        trial_fail(trial, "picked slot %u, and explained %u others", slot,
                   explanation->count);
}

enum { UNTOUCHED_COUNT = 77, UNTOUCHED_DRAWS = 99 }; /* what was there before */

static void look_at(struct trial *trial, const struct stage *stage,
                    const struct lbp_explanation *explanation, uint32_t slot,
                    uint64_t draws)
{
    if (explanation->count == UNTOUCHED_COUNT &&
        explanation->draws == UNTOUCHED_DRAWS) {
        trial_fail(trial, "left the explanation untouched");
        return;
    }
    if (explanation->count > explanation->capacity) {
        trial_fail(trial, "gave %u scores where %u have room",
                   explanation->count, explanation->capacity);
        return;
    }
    if (explanation->draws != draws)
        trial_fail(trial, "drew %llu numbers and explained %u",
                   (unsigned long long)draws, explanation->draws);
    for (uint32_t i = 0; i < explanation->count; i++)
        look_at_score(trial, stage, &explanation->scores[i]);
    look_for_picked(trial, explanation, slot);
}

/* Explanations of a life, with room for all scores, for two, for none. What
   was there before is noise: the policy fills all of it. */
static void explain_life(struct trial *trial, uint32_t *ret)
{
    struct traffic traffic;
    struct stage stage;
    static const uint32_t rooms[] = {SCORES, 2, 0};
    struct lbp_score *ends = fence_make(SCORES * sizeof *ends);

    if (!trial_open(trial, &stage, &plain_life.options))
        return;
    traffic_start(&traffic, &stage, plain_life.seed);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t room = rooms[step % 3];
        uint64_t draws = stage.draws;
        struct lbp_explanation explanation = {
            .size = sizeof explanation,
            .capacity = room,
            .count = UNTOUCHED_COUNT,
            .scores = room ? ends + (SCORES - room) : NULL,
            .draws = UNTOUCHED_DRAWS,
        };

        ret[step] = traffic_step_explained(&traffic, &explanation);
        look_at(trial, &stage, &explanation, ret[step], stage.draws - draws);
    }
    traffic_drain(&traffic);
    stage_close(&stage);
}

void check_explains(struct trial *trial)
{
    uint32_t silent[STEPS], explained[STEPS];

    if (!trial_live_apart(trial, &plain_life, silent))
        return;
    explain_life(trial, explained);
    trial_compare(trial, silent, explained, STEPS, "when it was explained");
}
