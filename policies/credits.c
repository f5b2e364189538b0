#include "policies/credits.h"

#include "policies/weight.h"

#define CHANGES_MAX 8 /* nodes that come and go in a race at once */
#define RACE_MIN 12   /* slots; a scan of fewer takes less time than a race */

void credits_init(struct credits *credits, const struct lbp_host *host)
{
    *credits = (struct credits){.host = host};
}

void credits_done(struct credits *credits)
{
    credits->host->release(credits->host->context, credits->shares);
}

static uint32_t words_of(uint32_t slot_count)
{
    return (slot_count + 63) / 64;
}

/* All of a capacity in one piece: shares, eligible, the race. */
static bool grow(struct credits *credits, uint32_t capacity)
{
    const struct lbp_host *host = credits->host;
    size_t of_shares = capacity * sizeof *credits->shares;
    size_t of_words = words_of(capacity) * sizeof *credits->eligible;
    char *memory = host->allocate(host->context,
                                  of_shares + of_words + race_size(capacity));
    struct share *shares = (struct share *)(void *)memory;

    if (!memory)
        return false;
    for (uint32_t slot = 0; slot < credits->slot_count; slot++)
        shares[slot] = credits->shares[slot];
    host->release(host->context, credits->shares);
    credits->shares = shares;
    credits->eligible = (uint64_t *)(void *)(memory + of_shares);
    credits->capacity = capacity;
    return true;
}

static bool reserve(struct credits *credits, uint32_t slot_count)
{
    if (slot_count > credits->capacity && !grow(credits, slot_count))
        return false;
    for (uint32_t word = 0; word < words_of(slot_count); word++)
        credits->eligible[word] = 0;
    race_init(&credits->race, credits->eligible + words_of(credits->capacity),
              slot_count);
    return true;
}

static void update_share(struct share *share, const struct lbp_node *node,
                         bool known)
{
    int64_t weight = lbp_weight_scaled(node);

    if (!known || share->generation != node->generation ||
        node->key_length == 0)
        *share = (struct share){.generation = node->generation};
    if (share->weight != weight)
        share->effective = weight;
    share->weight = weight;
}

/* The turn as nginx takes it. */
static uint32_t scan(struct credits *credits, const uint64_t *eligible)
{
    struct share *best = NULL;
    int64_t earned = 0;

    credits->may_race = eligible && credits->slot_count >= RACE_MIN;
    for (uint32_t slot = 0; slot < credits->slot_count; slot++) {
        struct share *share = &credits->shares[slot];

        if (share->weight == 0)
            continue;
        if (eligible && !(eligible[slot / 64] >> slot % 64 & 1))
            continue;
        share->credit += share->effective;
        earned += share->effective;
        if (share->effective < share->weight) {
            share->effective += LBP_WEIGHT_ONE; /* after this turn's use */
            if (share->effective >= share->weight)
                share->effective = share->weight;
            else
                credits->may_race = false;
        }
        if (!best || share->credit > best->credit)
            best = share;
    }
    if (!best) {
        credits->may_race = false;
        return LBP_NO_SLOT;
    }
    best->credit -= earned;
    return (uint32_t)(best - credits->shares);
}

/* --- the same turns as a race --------------------------------------------- */

static bool in_race(const struct credits *credits, uint32_t slot)
{
    return credits->racing && credits->race.runners[slot].step > 0;
}

int64_t credits_of(const struct credits *credits, uint32_t slot)
{
    return in_race(credits, slot) ? race_position(&credits->race, slot)
                                  : credits->shares[slot].credit;
}

/* Those that were eligible at the last pick start with their credits. */
static void start_race(struct credits *credits)
{
    credits->earned = 0;
    for (uint32_t slot = 0; slot < credits->slot_count; slot++) {
        const struct share *share = &credits->shares[slot];
        bool runs = credits->eligible[slot / 64] >> slot % 64 & 1;

        race_put(&credits->race, slot, share->credit, runs ? share->weight : 0);
        credits->earned += runs ? share->weight : 0;
    }
    race_start(&credits->race);
    credits->racing = true;
}

static void stop_race(struct credits *credits)
{
    for (uint32_t slot = 0; slot < credits->slot_count; slot++)
        credits->shares[slot].credit = credits_of(credits, slot);
    credits->racing = credits->may_race = false;
}

/* A node has become eligible, or is no longer. false: it recovers. */
static bool change_race(struct credits *credits, uint32_t slot)
{
    struct share *share = &credits->shares[slot];

    if (share->weight == 0)
        return true;
    if (in_race(credits, slot)) {
        share->credit = race_position(&credits->race, slot);
        race_leave(&credits->race, slot);
        credits->earned -= share->weight;
        return true;
    }
    if (share->effective < share->weight)
        return false;
    race_enter(&credits->race, slot, share->credit, share->weight);
    credits->earned += share->weight;
    return true;
}

/* Lets come and go who came and went since the last pick. false: too many, or
   one that recovers; the race still holds all credits. */
static bool follow_race(struct credits *credits, const uint64_t *eligible)
{
    uint32_t words = words_of(credits->slot_count), changes = 0;

    for (uint32_t word = 0; word < words; word++) {
        uint64_t bits = eligible[word] ^ credits->eligible[word];

        for (; bits; bits &= bits - 1)
            if (changes++ == CHANGES_MAX ||
                !change_race(credits,
                             word * 64 + (uint32_t)__builtin_ctzll(bits)))
                return false;
        credits->eligible[word] = eligible[word];
    }
    return true;
}

static uint32_t race_turn(struct credits *credits)
{
    uint32_t slot = race_next(&credits->race);

    if (slot == RACE_NOBODY)
        return LBP_NO_SLOT;
    race_take_back(&credits->race, slot, credits->earned);
    return slot;
}

/* Whether the nodes are those of the last pick; they are from now on. */
static bool are_as_before(struct credits *credits, const uint64_t *eligible)
{
    uint32_t words = words_of(credits->slot_count);
    uint64_t changed = 0;

    for (uint32_t word = 0; word < words; word++) {
        changed |= eligible[word] ^ credits->eligible[word];
        credits->eligible[word] = eligible[word];
    }
    return changed == 0;
}

uint32_t credits_turn(struct credits *credits, const uint64_t *eligible)
{
    if (!eligible) {
        if (credits->racing)
            stop_race(credits);
        return scan(credits, NULL);
    }
    if (credits->racing) {
        if (follow_race(credits, eligible))
            return race_turn(credits);
        stop_race(credits);
    }
    if (are_as_before(credits, eligible) && credits->may_race) {
        start_race(credits);
        return race_turn(credits);
    }
    return scan(credits, eligible);
}

void credits_lose(struct credits *credits, uint32_t slot, int64_t loss)
{
    struct share *share = &credits->shares[slot];

    if (loss == 0)
        return;
    if (in_race(credits, slot))
        stop_race(credits);
    credits->may_race = false;
    share->effective = loss < share->effective ? share->effective - loss : 0;
}

bool credits_update(struct credits *credits, const struct lbp_view *view)
{
    if (credits->racing)
        stop_race(credits);
    if (!reserve(credits, view->slot_count))
        return false;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        update_share(&credits->shares[slot], lbp_node_at(view, slot),
                     slot < credits->slot_count);
    credits->slot_count = view->slot_count;
    credits->may_race = false;
    return true;
}

/* --- how long a period is ------------------------------------------------- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

uint64_t credits_period(const struct credits *credits)
{
    uint64_t sum = 0, divisor = 0;

    for (uint32_t slot = 0; slot < credits->slot_count; slot++) {
        sum += (uint64_t)credits->shares[slot].weight;
        divisor =
            greatest_divisor(divisor, (uint64_t)credits->shares[slot].weight);
    }
    return divisor > 0 ? sum / divisor : 0;
}
