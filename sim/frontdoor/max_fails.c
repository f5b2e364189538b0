#include "sim/frontdoor/max_fails.h"

/* So long ago that fail_timeout has passed whenever the run starts. */
#define LONG_AGO_NS (INT64_MIN / 4)

void max_fails_init(struct max_fails *pool, const struct max_fails_spec *spec,
                    struct max_fails_peer *peers, uint32_t peer_count)
{
    *pool = (struct max_fails){spec, peer_count, peers};
    for (uint32_t i = 0; i < peer_count; i++)
        peers[i] = (struct max_fails_peer){0, LONG_AGO_NS, LONG_AGO_NS};
}

void max_fails_member(struct max_fails *pool, uint32_t peer, bool is_there)
{
    pool->peers[peer] = (struct max_fails_peer){0, LONG_AGO_NS, LONG_AGO_NS};
    pool->peer_count += is_there ? 1 : UINT32_MAX;
}

/* The clock's last step. */
static int64_t clock_ns(const struct max_fails *pool, int64_t now_ns)
{
    return now_ns - now_ns % pool->spec->clock_ns;
}

bool max_fails_has_failed(const struct max_fails *pool, uint32_t peer)
{
    return pool->peer_count > 1 && pool->peers[peer].fails >= pool->spec->fails;
}

static bool is_past(const struct max_fails *pool, uint32_t peer, int64_t now_ns)
{
    return clock_ns(pool, now_ns) - pool->peers[peer].checked_ns >
           pool->spec->fail_timeout_ns;
}

bool max_fails_excludes(const struct max_fails *pool, uint32_t peer,
                        int64_t now_ns)
{
    return max_fails_has_failed(pool, peer) && !is_past(pool, peer, now_ns);
}

int64_t max_fails_until_ns(const struct max_fails *pool, uint32_t peer)
{
    int64_t step_ns = pool->spec->clock_ns;

    return pool->peers[peer].checked_ns +
           (pool->spec->fail_timeout_ns / step_ns + 1) * step_ns;
}

bool max_fails_sent(struct max_fails *pool, uint32_t peer, int64_t now_ns)
{
    if (!is_past(pool, peer, now_ns))
        return false;
    pool->peers[peer].checked_ns = clock_ns(pool, now_ns);
    return max_fails_has_failed(pool, peer);
}

static void note_failure(struct max_fails_peer *peer, int64_t at_ns)
{
    if (peer->fails < UINT32_MAX)
        peer->fails++;
    peer->accessed_ns = at_ns;
    peer->checked_ns = at_ns;
}

static bool is_failure(const struct max_fails_spec *spec, enum blame blame)
{
    if (blame == BLAME_WRONG)
        return spec->counts_5xx;
    return blame_is_fault(blame, spec->counts_overload);
}

void max_fails_over(struct max_fails *pool, uint32_t index, enum blame blame,
                    int64_t now_ns)
{
    struct max_fails_peer *peer = &pool->peers[index];

    if (blame == BLAME_NOTHING)
        return;
    if (is_failure(pool->spec, blame))
        note_failure(peer, clock_ns(pool, now_ns));
    else if (peer->accessed_ns < peer->checked_ns)
        peer->fails = 0;
}
