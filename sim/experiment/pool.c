#include "sim/experiment/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TICK_NS 100000000L /* ten ticks a second */

struct pool {
    const struct pool_work *work;
    _Atomic uint64_t next; /* jobs taken so far */

    pthread_mutex_t lock;
    pthread_cond_t ended;
    uint32_t running; /* threads, under lock */
};

static bool stopped(const struct pool_work *work)
{
    return work->stop && atomic_load_explicit(work->stop, memory_order_relaxed);
}

static void *serve(void *argument)
{
    struct pool *pool = argument;
    const struct pool_work *work = pool->work;

    while (!stopped(work)) {
        uint64_t job =
            atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

        if (job >= work->count)
            break;
        work->run(work->context, work->first + job);
    }
    pthread_mutex_lock(&pool->lock);
    if (--pool->running == 0)
        pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static struct timespec next_tick(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += TICK_NS;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return at;
}

/* The lock is free during a tick, so that a slow one holds up no thread. */
static void wait_for_end(struct pool *pool)
{
    const struct pool_work *work = pool->work;

    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0) {
        struct timespec at = next_tick();

        pthread_cond_timedwait(&pool->ended, &pool->lock, &at);
        if (work->tick) {
            pthread_mutex_unlock(&pool->lock);
            work->tick(work->context);
            pthread_mutex_lock(&pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

static void init_locks(struct pool *pool)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* How many were started. running is raised first: a thread may end at once. */
static uint32_t start_threads(struct pool *pool, pthread_t *ids,
                              uint32_t threads)
{
    uint32_t started = 0;

    pool->running = threads;
    while (started < threads &&
           pthread_create(&ids[started], NULL, serve, pool) == 0)
        started++;

    pthread_mutex_lock(&pool->lock);
    pool->running -= threads - started;
    pthread_mutex_unlock(&pool->lock);
    return started;
}

bool pool_run(const struct pool_work *work, uint32_t threads)
{
    struct pool pool = {.work = work};

    if (work->count == 0)
        return true;
    if (threads < 1)
        threads = 1;
    if (threads > work->count)
        threads = (uint32_t)work->count;

    pthread_t *ids = calloc(threads, sizeof *ids);
    if (!ids)
        return false;

    init_locks(&pool);
    uint32_t started = start_threads(&pool, ids, threads);
    wait_for_end(&pool);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    pthread_cond_destroy(&pool.ended);
    pthread_mutex_destroy(&pool.lock);
    free(ids);
    return started > 0;
}

uint32_t pool_machine_threads(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count < 1 ? 1 : (uint32_t)count;
}
