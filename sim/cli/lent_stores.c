#include "sim/cli/lent_stores.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define REASON_SIZE 5000 /* a path and why */

struct loan {
    struct store *store;
    struct loan *next; /* of those that are free */
};

struct lent_stores {
    struct sweep_shelves shelves;
    struct store *first; /* not ours to close */
    pthread_mutex_t lock;
    struct loan *free;           /* under the lock, as what follows */
    char error[REASON_SIZE + 1]; /* the first; "": none */
};

/* Under the lock. */
static void note_first(struct lent_stores *stores, const char *error)
{
    if (!stores->error[0])
        snprintf(stores->error, sizeof stores->error, "%s", error);
}

static void note_error(struct lent_stores *stores, const char *error)
{
    pthread_mutex_lock(&stores->lock);
    note_first(stores, error);
    pthread_mutex_unlock(&stores->lock);
}

static struct loan *take_free(struct lent_stores *stores)
{
    pthread_mutex_lock(&stores->lock);
    struct loan *loan = stores->free;
    if (loan)
        stores->free = loan->next;
    pthread_mutex_unlock(&stores->lock);
    return loan;
}

static void put_free(struct lent_stores *stores, struct loan *loan)
{
    pthread_mutex_lock(&stores->lock);
    loan->next = stores->free;
    stores->free = loan;
    pthread_mutex_unlock(&stores->lock);
}

static struct loan *open_another(struct lent_stores *stores)
{
    struct loan *loan = calloc(1, sizeof *loan);
    char reason[REASON_SIZE] = "out of memory";

    if (loan && store_open(store_path(stores->first), false, &loan->store,
                           reason, sizeof reason) == STORE_OK)
        return loan;
    note_error(stores, reason);
    free(loan);
    return NULL;
}

static bool lend(void *context, const struct scenario *scenario,
                 struct run_shelf *ret, void **ret_loan)
{
    struct lent_stores *stores = context;
    struct loan *loan = take_free(stores);

    if (!loan)
        loan = open_another(stores);
    *ret_loan = loan;
    if (loan && store_begin(loan->store, scenario, ret))
        return true;
    if (loan) {
        note_error(stores, store_error(loan->store));
        put_free(stores, loan);
    }
    return false;
}

/* Small points come quickly: a transaction for each would cost more than to
   simulate them. */
static bool give_back(void *context, void *given)
{
    struct lent_stores *stores = context;
    struct loan *loan = given;
    bool fine = store_flush_if_due(loan->store);

    if (!fine)
        note_error(stores, store_error(loan->store));
    put_free(stores, loan);
    return fine;
}

/* Those that are lent are busy, or write themselves. */
static void flush_free(struct lent_stores *stores,
                       bool (*flush)(struct store *store))
{
    pthread_mutex_lock(&stores->lock);
    for (struct loan *loan = stores->free; loan; loan = loan->next)
        if (!flush(loan->store))
            note_first(stores, store_error(loan->store));
    pthread_mutex_unlock(&stores->lock);
}

/* One that fails does so again when it is lent, or at the end. */
static void tick(void *context)
{
    flush_free(context, store_flush_if_due);
}

bool lent_stores_flush(struct lent_stores *stores)
{
    flush_free(stores, store_flush);
    return !stores->error[0];
}

struct lent_stores *lent_stores_begin(struct store *store)
{
    struct lent_stores *stores = calloc(1, sizeof *stores);
    struct loan *loan = store ? calloc(1, sizeof *loan) : NULL;

    if (!stores || (store && !loan)) {
        free(stores);
        free(loan);
        return NULL;
    }
    stores->shelves = (struct sweep_shelves){
        .lend = lend, .give_back = give_back, .tick = tick, .context = stores};
    stores->first = store;
    stores->free = loan;
    if (loan)
        loan->store = store;
    pthread_mutex_init(&stores->lock, NULL);
    return stores;
}

const struct sweep_shelves *lent_stores_shelves(struct lent_stores *stores)
{
    return &stores->shelves;
}

const char *lent_stores_error(const struct lent_stores *stores)
{
    return stores->error;
}

void lent_stores_end(struct lent_stores *stores, struct store_counts *counts)
{
    for (struct loan *loan = stores->free; loan;) {
        struct loan *next = loan->next;

        if (loan->store != stores->first) {
            counts->found += store_counts(loan->store).found;
            counts->kept += store_counts(loan->store).kept;
            store_close(loan->store);
        }
        free(loan);
        loan = next;
    }
    pthread_mutex_destroy(&stores->lock);
    free(stores);
}
