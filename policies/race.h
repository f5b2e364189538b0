/*
 * race.h - who is ahead, among runners that advance by steps of their own.
 *
 * Each turn every runner in the race advances by its step; then someone asks
 * who is furthest (of equals: the lowest number), and takes that one back by
 * some distance. Looking at all of them costs as many steps as there are
 * runners. A kinetic tournament (Basch, Guibas and Hershberger, "Data
 * structures for mobile data", SODA 1997) looks only where something can have
 * changed: a match knows its winner and the first turn at which the loser, if
 * it is the faster one, will have caught up. So a turn plays the matches that
 * are due, and those above a runner that was taken back.
 *
 * Everything is exact integers: the leader is the one that a scan would find.
 */
#ifndef POLICIES_RACE_H
#define POLICIES_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RACE_NOBODY UINT32_MAX

struct race_runner {
    int64_t base; /* where it was at turn 0 */
    int64_t step; /* above 0, at most 2^40; 0: it is not in the race */
};

struct race_match {
    uint32_t winner; /* RACE_NOBODY: none of its runners is in the race */
    uint32_t due;    /* turn at which it, or one below, has to be played again;
                        UINT32_MAX: never */
};

struct race {
    struct race_runner *runners; /* [count] */
    struct race_match *matches;  /* [2 * count]; 1 is the final, i stands above
                                    2i and 2i + 1, and the last count are the
                                    runners themselves */
    uint32_t count;
    uint32_t turn;
};

/* Memory for that many runners, count 1 or more. */
size_t race_size(uint32_t count);

/* An empty race in memory of that size, aligned for any type. */
void race_init(struct race *race, void *memory, uint32_t count);

/* Puts a runner at a position before the start, without any match: race_start
   follows when all are there. Runners that are put stand at turn 0. */
void race_put(struct race *race, uint32_t runner, int64_t position,
              int64_t step);
void race_start(struct race *race);

/* Comes in at a position, or leaves, while the others run. A runner enters only
   if it is not in the race, and leaves only if it is. */
void race_enter(struct race *race, uint32_t runner, int64_t position,
                int64_t step);
void race_leave(struct race *race, uint32_t runner);

/* The next turn: all advance. Who is ahead then; RACE_NOBODY: the race is
   empty. */
uint32_t race_next(struct race *race);

/* Takes a runner back by a distance of 0 or more. */
void race_take_back(struct race *race, uint32_t runner, int64_t distance);

/* Where a runner of the race is now. */
static inline int64_t race_position(const struct race *race, uint32_t runner)
{
    const struct race_runner *of = &race->runners[runner];

    return of->base + of->step * race->turn;
}

#endif
