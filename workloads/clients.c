#include "workloads/clients.h"

#include <assert.h>
#include <stdlib.h>

struct client {
    int64_t at_ns;  /* when it asks, while it thinks */
    uint64_t turns; /* requests so far */
};

struct clients {
    struct clients_spec spec;
    struct client *all; /* [spec.count] */
    uint32_t *heap;     /* [thinking] clients, the first to ask on top */
    uint32_t thinking;
};

static bool before(const struct clients *clients, uint32_t a, uint32_t b)
{
    int64_t at_a = clients->all[a].at_ns, at_b = clients->all[b].at_ns;

    return at_a < at_b || (at_a == at_b && a < b);
}

static void sift_up(struct clients *clients, uint32_t place)
{
    uint32_t client = clients->heap[place];

    while (place > 0) {
        uint32_t above = (place - 1) / 2;

        if (!before(clients, client, clients->heap[above]))
            break;
        clients->heap[place] = clients->heap[above];
        place = above;
    }
    clients->heap[place] = client;
}

static void sift_down(struct clients *clients, uint32_t client)
{
    uint32_t place = 0, below;

    while ((below = 2 * place + 1) < clients->thinking) {
        if (below + 1 < clients->thinking &&
            before(clients, clients->heap[below + 1], clients->heap[below]))
            below++;
        if (!before(clients, clients->heap[below], client))
            break;
        clients->heap[place] = clients->heap[below];
        place = below;
    }
    clients->heap[place] = client;
}

static uint64_t number_of(const struct clients *clients, uint32_t client)
{
    return clients->all[client].turns * clients->spec.count + client;
}

/* Before the request of that number. */
static int64_t draw_think_ns(const struct clients *clients, uint64_t number)
{
    const struct clients_spec *spec = &clients->spec;
    struct rng rng;
    double think_ns;

    rng_stream(&rng, spec->seed, spec->replication, RNG_THINK,
               rng_entity(number, spec->entity));
    think_ns = 1e9 * dist_draw(spec->think, &rng);
    return think_ns < 0x1p61 ? (int64_t)(think_ns + 0.5) : INT64_C(1) << 61;
}

static void think(struct clients *clients, uint32_t client, int64_t from_ns)
{
    int64_t think_ns = draw_think_ns(clients, number_of(clients, client));

    clients->all[client].at_ns =
        from_ns < INT64_MAX - think_ns ? from_ns + think_ns : INT64_MAX;
    clients->heap[clients->thinking] = client;
    sift_up(clients, clients->thinking++);
}

struct clients *clients_create(const struct clients_spec *spec)
{
    struct clients *clients = calloc(1, sizeof *clients);

    if (!clients)
        return NULL;
    clients->spec = *spec;
    clients->all = calloc(spec->count, sizeof *clients->all);
    clients->heap = calloc(spec->count, sizeof *clients->heap);
    if (!clients->all || !clients->heap) {
        clients_destroy(clients);
        return NULL;
    }
    for (uint32_t i = 0; i < spec->count; i++)
        think(clients, i, 0);
    return clients;
}

void clients_destroy(struct clients *clients)
{
    if (!clients)
        return;
    free(clients->all);
    free(clients->heap);
    free(clients);
}

bool clients_first(const struct clients *clients, struct clients_turn *ret)
{
    uint32_t client;

    if (clients->thinking == 0)
        return false;
    client = clients->heap[0];
    *ret = (struct clients_turn){clients->all[client].at_ns, client,
                                 number_of(clients, client)};
    return true;
}

void clients_take_first(struct clients *clients)
{
    assert(clients->thinking > 0);
    clients->all[clients->heap[0]].turns++;
    clients->thinking--;
    if (clients->thinking > 0)
        sift_down(clients, clients->heap[clients->thinking]);
}

void clients_release(struct clients *clients, uint32_t client, int64_t asked_ns,
                     int64_t now_ns)
{
    int64_t think_ns = draw_think_ns(clients, number_of(clients, client));
    bool at_once = now_ns == asked_ns && think_ns < CLIENTS_PAUSE_NS;

    assert(client < clients->spec.count);
    think(clients, client,
          at_once ? now_ns + CLIENTS_PAUSE_NS - think_ns : now_ns);
}

uint32_t clients_waiting(const struct clients *clients)
{
    return clients->spec.count - clients->thinking;
}
