#include "policies/race.h"

/* Turns are counted from 0 again now and then, so that 2^40 times their number
   leaves room for positions in 64 bits. */
#define TURNS_MAX 65536u
#define NEVER UINT32_MAX

size_t race_size(uint32_t count)
{
    return count * sizeof(struct race_runner) +
           2 * (size_t)count * sizeof(struct race_match);
}

void race_init(struct race *race, void *memory, uint32_t count)
{
    *race = (struct race){.runners = memory, .count = count};
    race->matches = (struct race_match *)(void *)(race->runners + count);
    for (uint32_t i = 0; i < count; i++)
        race->runners[i] = (struct race_runner){0};
}

/* The turn at which the follower will be in front of the leader. */
static uint32_t overtakes_at(const struct race *race, uint32_t leader,
                             uint32_t follower)
{
    const struct race_runner *first = &race->runners[leader];
    const struct race_runner *second = &race->runners[follower];
    uint64_t gain, lead, turn;

    if (second->step <= first->step)
        return NEVER;
    gain = (uint64_t)(second->step - first->step);
    lead = (uint64_t)(first->base - second->base); /* ahead even at turn 0 */
    turn = lead / gain;
    if (follower > leader || turn * gain < lead)
        turn++; /* level is not enough, or not yet reached */
    return turn < NEVER ? (uint32_t)turn : NEVER;
}

static bool is_ahead(const struct race *race, uint32_t a, uint32_t b)
{
    int64_t of_a = race_position(race, a), of_b = race_position(race, b);

    return of_a != of_b ? of_a > of_b : a < b;
}

/* Between the winners of the two matches below. */
static void play(struct race *race, uint32_t match)
{
    const struct race_match *left = &race->matches[2 * (size_t)match];
    const struct race_match *right = left + 1;
    struct race_match *played = &race->matches[match];
    uint32_t due = left->due < right->due ? left->due : right->due;
    uint32_t winner = left->winner, loser = right->winner;

    if (winner == RACE_NOBODY || loser == RACE_NOBODY) {
        *played =
            (struct race_match){winner == RACE_NOBODY ? loser : winner, due};
        return;
    }
    if (is_ahead(race, loser, winner)) {
        winner = right->winner;
        loser = left->winner;
    }

    uint32_t overtaken = overtakes_at(race, winner, loser);

    *played = (struct race_match){winner, overtaken < due ? overtaken : due};
}

static void play_all_above(struct race *race, uint32_t runner)
{
    for (uint32_t match = (race->count + runner) / 2; match > 0; match /= 2)
        play(race, match);
}

/* The matches below one that is due, deepest first. Depth is that of the
   tree. */
static void play_due(struct race *race, uint32_t match)
{
    if (match >= race->count || race->matches[match].due > race->turn)
        return;
    play_due(race, 2 * match);
    play_due(race, 2 * match + 1);
    play(race, match);
}

static void set_leaf(struct race *race, uint32_t runner)
{
    race->matches[race->count + runner] = (struct race_match){
        race->runners[runner].step > 0 ? runner : RACE_NOBODY, NEVER};
}

void race_put(struct race *race, uint32_t runner, int64_t position,
              int64_t step)
{
    race->runners[runner] = (struct race_runner){position, step};
}

void race_start(struct race *race)
{
    race->turn = 0;
    for (uint32_t i = 0; i < race->count; i++)
        set_leaf(race, i);
    for (uint32_t match = race->count - 1; match > 0; match--)
        play(race, match);
}

static void count_from_0(struct race *race)
{
    for (uint32_t i = 0; i < race->count; i++)
        race->runners[i].base = race_position(race, i);
    race_start(race);
}

void race_enter(struct race *race, uint32_t runner, int64_t position,
                int64_t step)
{
    race->runners[runner] =
        (struct race_runner){position - step * race->turn, step};
    set_leaf(race, runner);
    play_all_above(race, runner);
}

void race_leave(struct race *race, uint32_t runner)
{
    race->runners[runner].step = 0;
    set_leaf(race, runner);
    play_all_above(race, runner);
}

uint32_t race_next(struct race *race)
{
    if (race->turn == TURNS_MAX)
        count_from_0(race);
    race->turn++;
    play_due(race, 1);
    return race->matches[1].winner;
}

void race_take_back(struct race *race, uint32_t runner, int64_t distance)
{
    race->runners[runner].base -= distance;
    play_all_above(race, runner);
}
