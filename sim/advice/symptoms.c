#include "sim/advice/symptoms.h"

#include "sim/cluster/staffing.h"

#include <math.h>
#include <stdlib.h>

#define HOT_OVER_POOL 1.25
#define IDLE_UNDER_POOL 0.5
#define FULL_POOL 0.95
#define LOSS_LEAST 0.02
#define LOSS_OVER_OTHERS 2
#define SURGE_OVER_QUEUE 4

const char *const symptom_names[SYMPTOM_COUNT] = {
    "hot", "idle", "swallows", "loses", "left_out", "surges"};

/* ---- means over runs and spells ---- */

struct look {
    const struct watch *watch;
    const struct scenario *scenario;
    const struct symptom_bounds *bounds;
    struct node_bucket *means; /* [bucket_count][node_count] over the runs */
    double *pool;              /* [bucket_count] use, over runs and nodes up */
    uint32_t spell;            /* buckets of long_s, 1 or more */
    bool *flags;               /* [bucket_count][node_count] hot */
    struct symptoms *ret;
};

static const struct node_bucket *mean_of(const struct look *look,
                                         uint32_t bucket, uint32_t node)
{
    return &look->means[(size_t)bucket * look->watch->node_count + node];
}

static void take_means(struct look *look)
{
    const struct watch *watch = look->watch;

    for (uint32_t run = 0; run < watch->run_count; run++)
        for (uint32_t b = 0; b < watch->bucket_count; b++) {
            double pool = watch_pool_use(watch, run, b);

            look->pool[b] += isnan(pool) ? 0 : pool / watch->run_count;
            for (uint32_t n = 0; n < watch->node_count; n++) {
                const struct node_bucket *cell = watch_cell(watch, run, b, n);
                struct node_bucket *mean =
                    &look->means[(size_t)b * watch->node_count + n];

                mean->use_ratio += cell->use_ratio / watch->run_count;
                mean->in_flight_mean_requests +=
                    cell->in_flight_mean_requests / watch->run_count;
                mean->down_ratio += cell->down_ratio / watch->run_count;
                mean->ejected_ratio += cell->ejected_ratio / watch->run_count;
                mean->absent_ratio += cell->absent_ratio / watch->run_count;
            }
        }
}

static uint32_t spell_of(const struct look *look)
{
    const struct watch *watch = look->watch;
    double width = (watch->edges_s[watch->bucket_count] - watch->edges_s[0]) /
                   watch->bucket_count;
    double buckets = ceil(look->bounds->long_s / width - 1e-9);

    return buckets < 1                     ? 1
           : buckets > watch->bucket_count ? watch->bucket_count
                                           : (uint32_t)buckets;
}

/* Means over one spell. */
struct spell {
    double use, pool, held, down, ejected, absent;
};

static struct spell spell_at(const struct look *look, uint32_t from,
                             uint32_t length, uint32_t node)
{
    struct spell spell = {0};

    for (uint32_t b = from; b < from + length; b++) {
        const struct node_bucket *mean = mean_of(look, b, node);

        spell.use += mean->use_ratio / length;
        spell.held += mean->in_flight_mean_requests / length;
        spell.down += mean->down_ratio / length;
        spell.ejected += mean->ejected_ratio / length;
        spell.absent += mean->absent_ratio / length;
        spell.pool += look->pool[b] / length;
    }
    return spell;
}

/* ---- spans ---- */

static bool add_span(struct symptoms *ret, enum symptom symptom, uint32_t node,
                     uint32_t from, uint32_t to)
{
    if (ret->span_count == ret->span_capacity) {
        uint32_t capacity = ret->span_capacity ? 2 * ret->span_capacity : 32;
        struct span *spans =
            realloc(ret->spans, (size_t)capacity * sizeof *spans);

        if (!spans)
            return false;
        ret->spans = spans;
        ret->span_capacity = capacity;
    }
    ret->spans[ret->span_count++] = (struct span){symptom, node, from, to};
    return true;
}

static bool is_so(const struct look *look, enum symptom symptom,
                  const struct spell *spell)
{
    const struct symptom_bounds *bounds = look->bounds;

    switch (symptom) {
    case SYMPTOM_HOT:
        return spell->use >= bounds->hot_ratio && spell->absent < 0.5 &&
               spell->use >= HOT_OVER_POOL * spell->pool;
    case SYMPTOM_IDLE:
        return spell->use <= bounds->idle_ratio && !(spell->down > 0) &&
               !(spell->absent > 0) && spell->ejected < 0.5 &&
               !(spell->use <= 0.02 && spell->held >= 1) &&
               spell->use <= IDLE_UNDER_POOL * spell->pool;
    case SYMPTOM_LEFT_OUT:
        return spell->ejected >= 0.5 && spell->down < 0.5 &&
               spell->use <= bounds->idle_ratio;
    case SYMPTOM_SWALLOWS:
        return spell->use <= 0.02 && spell->held >= 1;
    default:
        return false;
    }
}

/* Whether another node is hot at some time of the spell. */
static bool some_are_hot(const struct look *look, uint32_t from,
                         uint32_t length)
{
    size_t nodes = look->watch->node_count;

    for (size_t i = from * nodes; i < (from + length) * nodes; i++)
        if (look->flags[i])
            return true;
    return false;
}

/* ---- what is lost ---- */

static double lost_of(const struct node_result *node)
{
    return node->attempts > node->completed
               ? (double)(node->attempts - node->completed)
               : 0;
}

/* Sums over the runs: of one node and of the others. */
static double lost_share(const struct watch *watch, uint32_t node, bool others)
{
    double lost = 0, sent = 0;

    for (uint32_t run = 0; run < watch->run_count; run++)
        for (uint32_t n = 0; n < watch->node_count; n++) {
            const struct node_result *one = &watch->runs[run].nodes[n];

            if ((n == node) == others)
                continue;
            lost += lost_of(one);
            sent += (double)one->attempts;
        }
    return sent > 0 ? lost / sent : 0;
}

/* No check finds a death at once, so a few are always lost. A node that is only
   late loses none. */
static bool loses_hardly_any(const struct look *look, uint32_t node)
{
    double share = lost_share(look->watch, node, false);

    return share > 0 && share < LOSS_LEAST;
}

/* ---- spells ---- */

/* Marks what lies in any spell that is so, and tells the marked times apart.
   marks: [bucket_count]. */
static bool find_spans(const struct look *look, enum symptom symptom,
                       uint32_t node, bool *marks)
{
    uint32_t buckets = look->watch->bucket_count;
    uint32_t length = symptom == SYMPTOM_SWALLOWS ? 1 : look->spell;
    bool beside_hot = symptom == SYMPTOM_IDLE || symptom == SYMPTOM_LEFT_OUT;

    if (symptom == SYMPTOM_SWALLOWS && loses_hardly_any(look, node))
        return true;
    for (uint32_t b = 0; b < buckets; b++)
        marks[b] = false;
    for (uint32_t b = 0; b + length <= buckets; b++) {
        struct spell spell = spell_at(look, b, length, node);

        if (!is_so(look, symptom, &spell) ||
            (beside_hot && !some_are_hot(look, b, length)))
            continue;
        for (uint32_t i = b; i < b + length; i++)
            marks[i] = true;
    }
    for (uint32_t b = 0; b < buckets;) {
        uint32_t from = b;

        while (b < buckets && marks[b])
            b++;
        if (b > from && !add_span(look->ret, symptom, node, from, b))
            return false;
        b += b == from;
    }
    return true;
}

static bool find_in_time(const struct look *look, enum symptom symptom,
                         uint32_t first, uint32_t end)
{
    bool *marks = calloc(look->watch->bucket_count + 1u, sizeof *marks);
    bool fine = marks != NULL;

    for (uint32_t node = first; fine && node < end; node++)
        fine = find_spans(look, symptom, node, marks);
    free(marks);
    return fine;
}

/* ---- whole windows ---- */

static bool has_span(const struct symptoms *symptoms, uint32_t node,
                     uint32_t mask)
{
    for (uint32_t i = 0; i < symptoms->span_count; i++)
        if (symptoms->spans[i].node == node &&
            (mask >> symptoms->spans[i].symptom & 1))
            return true;
    return false;
}

static bool loses(const struct look *look, uint32_t node)
{
    const struct watch *watch = look->watch;

    if (has_span(look->ret, node, 1u << SYMPTOM_SWALLOWS))
        return false; /* that says it better */

    double share = lost_share(watch, node, false);

    return share >= LOSS_LEAST &&
           share >= LOSS_OVER_OTHERS * lost_share(watch, node, true);
}

static double mean_queue(const struct watch *watch, uint32_t node)
{
    double queue = 0;

    for (uint32_t run = 0; run < watch->run_count; run++)
        queue += watch->runs[run].nodes[node].queue_mean_requests;
    return queue / watch->run_count;
}

/* Requests that wait in an M/M/c queue: C(c, a) rho / (1 - rho). */
static double explained_queue(const struct watch *watch, uint32_t node,
                              uint32_t slots)
{
    double use = 0;

    for (uint32_t run = 0; run < watch->run_count; run++)
        use += watch->runs[run].nodes[node].use_ratio / watch->run_count;
    if (!(use < 1))
        return INFINITY;
    return staffing_wait_probability(slots, use * slots) * use / (1 - use);
}

/* Whether most of what waits does so while all nodes are full, run by run: what
   is drawn or cut out of a trace crowds at other times in each. */
static bool waits_with_all(const struct look *look, uint32_t node,
                           uint32_t slots)
{
    const struct watch *watch = look->watch;
    double all = 0, full = 0;

    for (uint32_t run = 0; run < watch->run_count; run++)
        for (uint32_t b = 0; b < watch->bucket_count; b++) {
            const struct node_bucket *cell = watch_cell(watch, run, b, node);
            double waiting = fmax(0, cell->in_flight_mean_requests -
                                         slots * cell->use_ratio);

            all += waiting;
            full += watch_pool_use(watch, run, b) >= FULL_POOL ? waiting : 0;
        }
    return full > all / 2;
}

/* For how long all nodes are busy, on average over the runs. */
static double full_time(const struct watch *watch)
{
    double total = 0;

    for (uint32_t run = 0; run < watch->run_count; run++)
        for (uint32_t b = 0; b < watch->bucket_count; b++)
            if (watch_pool_use(watch, run, b) >= FULL_POOL)
                total += watch->edges_s[b + 1] - watch->edges_s[b];
    return total / watch->run_count;
}

static bool surges(const struct look *look, uint32_t node,
                   const struct group_spec *group)
{
    if (group->engine.kind != ENGINE_SLOTS)
        return false;
    if (has_span(look->ret, node, ~(1u << SYMPTOM_LOSES)))
        return false; /* something else explains its queue */
    if (waits_with_all(look, node, group->engine.slots))
        return false; /* not balance is missing, but capacity */
    return mean_queue(look->watch, node) >=
           1 + SURGE_OVER_QUEUE *
                   explained_queue(look->watch, node, group->engine.slots);
}

static bool find_in_all(const struct look *look, enum symptom symptom,
                        uint32_t first, uint32_t end,
                        const struct group_spec *group)
{
    for (uint32_t node = first; node < end; node++) {
        bool found = symptom == SYMPTOM_LOSES ? loses(look, node)
                                              : surges(look, node, group);

        if (found &&
            !add_span(look->ret, symptom, node, 0, look->watch->bucket_count))
            return false;
    }
    return true;
}

/* ---- findings ---- */

/* Over all spans and runs: mean use, or requests, weighted by time. */
static void describe_levels(const struct look *look, struct finding *finding)
{
    double level = 0, pool = 0, weight = 0;

    for (uint32_t i = 0; i < finding->count; i++) {
        const struct span *span = &look->ret->spans[finding->first + i];

        for (uint32_t b = span->from; b < span->to; b++) {
            const struct node_bucket *mean = mean_of(look, b, span->node);

            level += finding->symptom == SYMPTOM_SWALLOWS
                         ? mean->in_flight_mean_requests
                         : mean->use_ratio;
            pool += look->pool[b];
            weight++;
        }
    }
    finding->level = level / weight;
    finding->others =
        finding->symptom == SYMPTOM_SWALLOWS ? (double)NAN : pool / weight;
}

static void describe(const struct look *look, struct finding *finding)
{
    const struct span *spans = &look->ret->spans[finding->first];
    const double *edges = look->watch->edges_s;
    uint32_t last = UINT32_MAX;

    finding->first_node = spans[0].node;
    finding->start_s = INFINITY;
    for (uint32_t i = 0; i < finding->count; i++) {
        finding->nodes += spans[i].node != last;
        last = spans[i].node;
        finding->start_s = fmin(finding->start_s, edges[spans[i].from]);
        finding->end_s = fmax(finding->end_s, edges[spans[i].to]);
        finding->total_s += edges[spans[i].to] - edges[spans[i].from];
    }
    finding->total_s /= finding->nodes;
    describe_levels(look, finding);
    if (finding->symptom == SYMPTOM_LOSES) {
        finding->level = lost_share(look->watch, spans[0].node, false);
        finding->others = lost_share(look->watch, spans[0].node, true);
    } else if (finding->symptom == SYMPTOM_SURGES) {
        finding->level = mean_queue(look->watch, spans[0].node);
        finding->others = explained_queue(
            look->watch, spans[0].node,
            look->scenario->groups[finding->group].engine.slots);
    }
}

/* One symptom of one group, whose nodes are first .. end - 1. */
static bool find_one(const struct look *look, enum symptom symptom,
                     uint32_t group, uint32_t first, uint32_t end)
{
    struct symptoms *ret = look->ret;
    uint32_t before = ret->span_count;
    bool whole = symptom == SYMPTOM_LOSES || symptom == SYMPTOM_SURGES;
    bool fine = whole ? find_in_all(look, symptom, first, end,
                                    &look->scenario->groups[group])
                      : find_in_time(look, symptom, first, end);

    if (!fine || ret->span_count == before)
        return fine;

    struct finding *finding = &ret->findings[ret->finding_count++];
    *finding = (struct finding){.symptom = symptom,
                                .group = group,
                                .first = before,
                                .count = ret->span_count - before};
    describe(look, finding);
    return true;
}

static void flag_hot(const struct look *look)
{
    uint32_t nodes = look->watch->node_count;

    for (uint32_t i = 0; i < look->ret->span_count; i++) {
        const struct span *span = &look->ret->spans[i];

        for (uint32_t b = span->from;
             span->symptom == SYMPTOM_HOT && b < span->to; b++)
            look->flags[(size_t)b * nodes + span->node] = true;
    }
}

static bool find_all(const struct look *look)
{
    const struct scenario *scenario = look->scenario;

    for (int symptom = 0; symptom < SYMPTOM_COUNT; symptom++) {
        uint32_t first = 0;

        for (uint32_t g = 0; g < scenario->group_count; g++) {
            uint32_t end = first + scenario->groups[g].count;

            if (!find_one(look, (enum symptom)symptom, g, first, end))
                return false;
            first = end;
        }
        if (symptom == SYMPTOM_HOT)
            flag_hot(look);
    }
    return true;
}

static void look_at_pool(const struct look *look)
{
    uint32_t full = 0, buckets = look->watch->bucket_count;

    for (uint32_t b = 0; b < buckets; b++) {
        look->ret->pool_use += look->pool[b] / buckets;
        full += look->pool[b] >= FULL_POOL;
    }
    look->ret->full_s = full_time(look->watch);
    look->ret->pool_is_full = full > buckets / 2;
}

bool symptoms_find(const struct watch *watch, const struct scenario *scenario,
                   const struct symptom_bounds *bounds, struct symptoms *ret)
{
    size_t cells = (size_t)watch->bucket_count * watch->node_count;
    struct look look = {
        .watch = watch, .scenario = scenario, .bounds = bounds, .ret = ret};

    *ret = (struct symptoms){0};
    if (watch->run_count == 0 || cells == 0)
        return true;
    look.means = calloc(cells, sizeof *look.means);
    look.pool = calloc(watch->bucket_count, sizeof *look.pool);
    look.flags = calloc(cells, sizeof *look.flags);
    ret->findings = calloc((size_t)SYMPTOM_COUNT * scenario->group_count + 1,
                           sizeof *ret->findings);

    bool fine = look.means && look.pool && look.flags && ret->findings;
    if (fine) {
        take_means(&look);
        look.spell = spell_of(&look);
        look_at_pool(&look);
        fine = find_all(&look);
    }
    free(look.means);
    free(look.pool);
    free(look.flags);
    return fine;
}

void symptoms_done(struct symptoms *symptoms)
{
    free(symptoms->spans);
    free(symptoms->findings);
    *symptoms = (struct symptoms){0};
}

/* ---- how much there is ---- */

/* Above and below the pool by turns, as any node is, cancels out. */
static double span_excess(const struct span *span, const struct watch *watch,
                          uint32_t run)
{
    double sum = 0;

    for (uint32_t b = span->from; b < span->to && b < watch->bucket_count;
         b++) {
        const struct node_bucket *cell = watch_cell(watch, run, b, span->node);
        double width = watch->edges_s[b + 1] - watch->edges_s[b];
        double above = cell->use_ratio - watch_pool_use(watch, run, b);

        if (span->symptom == SYMPTOM_SWALLOWS)
            sum += cell->use_ratio <= 0.02
                       ? width * cell->in_flight_mean_requests
                       : 0;
        else if (!isnan(above))
            sum += width * (span->symptom == SYMPTOM_HOT ? above : -above);
    }
    return fmax(0, sum);
}

double symptoms_excess(const struct symptoms *symptoms,
                       const struct finding *finding, const struct watch *watch,
                       uint32_t run)
{
    double sum = 0;

    for (uint32_t i = 0; i < finding->count; i++) {
        const struct span *span = &symptoms->spans[finding->first + i];
        const struct node_result *node = &watch->runs[run].nodes[span->node];

        if (finding->symptom == SYMPTOM_LOSES)
            sum += lost_of(node);
        else if (finding->symptom == SYMPTOM_SURGES)
            sum += node->queue_mean_requests;
        else
            sum += span_excess(span, watch, run);
    }
    return sum;
}
