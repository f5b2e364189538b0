#include "sim/cluster/fault_target.h"

#include "sim/cluster/group_spec.h"

#include <string.h>

/* A part of the text that is being read. */
struct slice {
    const char *text;
    size_t length;
};

struct target_reader {
    const struct group_spec *groups;
    uint32_t group_count;
    uint32_t balancer_count; /* with groups NULL */
    struct fault_target_text *out;
    struct fault_flaw_at *flaw;
};

static bool complain(struct target_reader *reader, enum fault_flaw flaw,
                     struct slice at, uint32_t group)
{
    *reader->flaw = (struct fault_flaw_at){flaw, at.text, at.length, group};
    return false;
}

/* --- words ---------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static struct slice trimmed(struct slice slice)
{
    while (slice.length > 0 && is_space(*slice.text)) {
        slice.text++;
        slice.length--;
    }
    while (slice.length > 0 && is_space(slice.text[slice.length - 1]))
        slice.length--;
    return slice;
}

static struct slice after(struct slice slice, size_t length)
{
    return trimmed((struct slice){slice.text + length, slice.length - length});
}

static bool equals(struct slice slice, const char *word)
{
    return slice.length == strlen(word) &&
           memcmp(slice.text, word, slice.length) == 0;
}

static bool starts_with(struct slice slice, const char *word)
{
    return slice.length >= strlen(word) &&
           memcmp(slice.text, word, strlen(word)) == 0;
}

/* Digits at the front; 0: there are none, or too many. */
static size_t read_number(struct slice slice, uint32_t *ret)
{
    uint64_t value = 0;
    size_t i = 0;

    for (; i < slice.length && slice.text[i] >= '0' && slice.text[i] <= '9';
         i++) {
        value = 10 * value + (uint64_t)(slice.text[i] - '0');
        if (value > UINT32_MAX)
            return 0;
    }
    *ret = (uint32_t)value;
    return i;
}

/* As read_number, with a fraction of up to nine digits. */
static size_t read_decimal(struct slice slice, double *ret)
{
    uint32_t whole = 0, part = 0;
    size_t length = read_number(slice, &whole), more;
    struct slice rest;

    *ret = whole;
    if (length == 0 || length + 1 >= slice.length || slice.text[length] != '.')
        return length;
    rest = (struct slice){slice.text + length + 1, slice.length - length - 1};
    more = read_number(rest, &part);
    if (more == 0 || more > 9)
        return 0;
    for (size_t i = 0, scale = 10; i < more; i++, scale *= 10)
        *ret += (double)(rest.text[i] - '0') / (double)scale;
    return length + 1 + more;
}

/* The end of the item that begins here: the next comma outside brackets. */
static size_t item_length(struct slice slice)
{
    bool inside = false;

    for (size_t i = 0; i < slice.length; i++) {
        char c = slice.text[i];

        if (c == ',' && !inside)
            return i;
        inside = c == '[' || (inside && c != ']');
    }
    return slice.length;
}

/* --- places --------------------------------------------------------------- */

static bool add_stretch(struct target_reader *reader, struct slice at,
                        struct fault_stretch stretch)
{
    struct fault_target_text *out = reader->out;

    if (stretch.count == 0)
        return true;
    if (out->stretch_count == FAULT_STRETCHES_MAX)
        return complain(reader, FAULT_FLAW_TOO_LONG, at, 0);
    out->stretches[out->stretch_count++] = stretch;
    out->picks[out->target.pick_count].stretch_count++;
    return true;
}

/* "3" or "3-5" of `count` that begin at `first`. */
static bool add_range(struct target_reader *reader, struct slice item,
                      uint32_t first, uint32_t count, uint32_t group)
{
    uint32_t from, to;
    size_t length = read_number(item, &from);
    struct slice rest;

    if (length == 0)
        return complain(reader, FAULT_FLAW_FORM, item, group);
    to = from;
    rest = after(item, length);
    if (starts_with(rest, "-")) {
        rest = after(rest, 1);
        length = read_number(rest, &to);
        if (length == 0)
            return complain(reader, FAULT_FLAW_FORM, item, group);
        rest = after(rest, length);
    }
    if (rest.length > 0 || to < from)
        return complain(reader, FAULT_FLAW_FORM, item, group);
    if (to >= count)
        return complain(reader, FAULT_FLAW_NO_NODE, item, group);
    return add_stretch(reader, item,
                       (struct fault_stretch){first + from, to - from + 1, 1});
}

static bool add_ranges(struct target_reader *reader, struct slice list,
                       uint32_t first, uint32_t count, uint32_t group)
{
    if (equals(list, "*"))
        return add_stretch(reader, list,
                           (struct fault_stretch){first, count, 1});
    while (true) {
        size_t length = item_length(list);
        struct slice item = trimmed((struct slice){list.text, length});

        if (!add_range(reader, item, first, count, group))
            return false;
        if (length == list.length)
            return true;
        list = after(list, length + 1);
    }
}

static bool add_group(struct target_reader *reader, struct slice place,
                      bool drawn)
{
    const char *bracket = memchr(place.text, '[', place.length);
    struct slice name = trimmed((struct slice){
        place.text, bracket ? (size_t)(bracket - place.text) : place.length});
    const struct group_spec *group = reader->groups;
    uint32_t first = 0, g = 0;

    while (g < reader->group_count &&
           !(group->name && equals(name, group->name))) {
        first += group->count;
        group++;
        g++;
    }
    if (g == reader->group_count)
        return complain(reader, FAULT_FLAW_NO_GROUP, name, 0);
    if (!bracket && !drawn && group->count != 1)
        return complain(reader, FAULT_FLAW_BARE, place, g);
    if (!bracket)
        return add_stretch(reader, place,
                           (struct fault_stretch){first, group->count, 1});
    if (place.text[place.length - 1] != ']')
        return complain(reader, FAULT_FLAW_FORM, place, g);
    place.length = (size_t)(place.text + place.length - 1 - (bracket + 1));
    place.text = bracket + 1;
    return add_ranges(reader, trimmed(place), first, group->count, g);
}

/* A group's nodes take its zones in turn. */
static bool add_zone(struct target_reader *reader, struct slice name)
{
    uint32_t first = 0;
    bool found = false;

    for (uint32_t g = 0; g < reader->group_count; g++) {
        const struct group_spec *group = &reader->groups[g];

        for (uint32_t z = 0; z < group->zone_count; z++) {
            uint32_t count = group->count > z
                                 ? (group->count - z + group->zone_count - 1) /
                                       group->zone_count
                                 : 0;

            if (!equals(name, group->zones[z]))
                continue;
            found = true;
            if (!add_stretch(reader, name,
                             (struct fault_stretch){first + z, count,
                                                    group->zone_count}))
                return false;
        }
        first += group->count;
    }
    return found || complain(reader, FAULT_FLAW_NO_ZONE, name, 0);
}

static uint32_t count_nodes(const struct target_reader *reader)
{
    uint32_t count = 0;

    for (uint32_t g = 0; g < reader->group_count; g++)
        count += reader->groups[g].count;
    return count;
}

static bool add_place(struct target_reader *reader, struct slice place,
                      bool drawn)
{
    if (!reader->groups)
        return add_ranges(reader, place, 0, reader->balancer_count, 0);
    if (equals(place, "*"))
        return add_stretch(reader, place,
                           (struct fault_stretch){0, count_nodes(reader), 1});
    if (starts_with(place, "zone") && place.length > 4 &&
        (place.text[4] == ':' || is_space(place.text[4]))) {
        place = after(place, 4);
        if (starts_with(place, ":"))
            place = after(place, 1);
        return add_zone(reader, place);
    }
    return add_group(reader, place, drawn);
}

/* --- draws ---------------------------------------------------------------- */

/* "30 % of " or "2 of " in front; of balancers a share stands alone. */
static struct slice read_draw(const struct target_reader *reader,
                              struct slice item, struct fault_pick *pick)
{
    double number;
    size_t length = read_decimal(item, &number);
    struct slice rest = length > 0 ? after(item, length) : item;
    bool percent = length > 0 && starts_with(rest, "%");

    if (percent)
        rest = after(rest, 1);
    if (length == 0 || !((starts_with(rest, "of") && rest.length > 2 &&
                          is_space(rest.text[2])) ||
                         (percent && !reader->groups && rest.length == 0)))
        return item;
    pick->kind = percent ? FAULT_PICK_SHARE : FAULT_PICK_COUNT;
    pick->share = number / 100;
    pick->count = (uint32_t)number;
    if (!percent && (double)pick->count != number)
        pick->count = 0; /* half a node */
    return rest.length > 0 ? after(rest, 2) : (struct slice){"*", 1};
}

static uint64_t pick_size(const struct fault_target *target,
                          const struct fault_pick *pick)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < pick->stretch_count; i++)
        size += target->stretches[pick->first_stretch + i].count;
    return size;
}

static bool read_item(struct target_reader *reader, struct slice item)
{
    struct fault_target *target = &reader->out->target;
    struct fault_pick *pick = &reader->out->picks[target->pick_count];
    struct slice place;

    if (target->pick_count == FAULT_PICKS_MAX)
        return complain(reader, FAULT_FLAW_TOO_LONG, item, 0);
    *pick = (struct fault_pick){.kind = FAULT_PICK_ALL,
                                .first_stretch = reader->out->stretch_count};
    place = read_draw(reader, item, pick);
    if (place.length == 0)
        return complain(reader, FAULT_FLAW_FORM, item, 0);
    if (!add_place(reader, place, pick->kind != FAULT_PICK_ALL))
        return false;
    if ((pick->kind == FAULT_PICK_SHARE &&
         !(pick->share > 0 && pick->share <= 1)) ||
        (pick->kind == FAULT_PICK_COUNT &&
         (pick->count == 0 || pick->count > pick_size(target, pick))) ||
        pick_size(target, pick) == 0)
        return complain(reader, FAULT_FLAW_TOO_FEW, item, 0);
    target->pick_count++;
    return true;
}

static bool read_all(struct target_reader *reader, const char *text)
{
    struct fault_target_text *out = reader->out;
    struct slice rest = trimmed((struct slice){text, strlen(text)});

    *reader->flaw = (struct fault_flaw_at){FAULT_FLAW_NONE, text, 0, 0};
    out->stretch_count = 0;
    out->target = (struct fault_target){out->picks, out->stretches, 0};
    while (true) {
        size_t length = item_length(rest);

        if (!read_item(reader, trimmed((struct slice){rest.text, length})))
            return false;
        if (length == rest.length)
            return true;
        rest = after(rest, length + 1);
    }
}

bool fault_target_read(const char *text, const struct group_spec *groups,
                       uint32_t group_count, struct fault_target_text *ret,
                       struct fault_flaw_at *ret_flaw)
{
    struct target_reader reader = {.groups = groups,
                                   .group_count = group_count,
                                   .out = ret,
                                   .flaw = ret_flaw};

    return read_all(&reader, text);
}

bool fault_target_read_balancers(const char *text, uint32_t count,
                                 struct fault_target_text *ret,
                                 struct fault_flaw_at *ret_flaw)
{
    struct target_reader reader = {
        .balancer_count = count, .out = ret, .flaw = ret_flaw};

    return read_all(&reader, text);
}

/* --- what was read -------------------------------------------------------- */

bool fault_target_is_fixed(const struct fault_target *target)
{
    for (uint32_t i = 0; i < target->pick_count; i++)
        if (target->picks[i].kind != FAULT_PICK_ALL)
            return false;
    return true;
}

uint64_t fault_target_size(const struct fault_target *target)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < target->pick_count; i++)
        size += pick_size(target, &target->picks[i]);
    return size;
}

uint32_t fault_target_only(const struct fault_target *target)
{
    if (!fault_target_is_fixed(target) || fault_target_size(target) != 1)
        return UINT32_MAX;
    return target->stretches[target->picks[0].first_stretch].first;
}

static bool stretch_has(const struct fault_stretch *stretch, uint32_t node)
{
    return node >= stretch->first &&
           (node - stretch->first) % stretch->stride == 0 &&
           (node - stretch->first) / stretch->stride < stretch->count;
}

static bool stretches_meet(const struct fault_stretch *a,
                           const struct fault_stretch *b)
{
    uint32_t last_a = a->first + (a->count - 1) * a->stride;
    uint32_t last_b = b->first + (b->count - 1) * b->stride;

    if (last_a < b->first || last_b < a->first)
        return false;
    if (a->count > b->count)
        return stretches_meet(b, a);
    for (uint32_t i = 0; i < a->count; i++)
        if (stretch_has(b, a->first + i * a->stride))
            return true;
    return false;
}

static uint32_t count_stretches(const struct fault_target *target)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < target->pick_count; i++)
        count += target->picks[i].stretch_count;
    return count;
}

bool fault_targets_meet(const struct fault_target *a,
                        const struct fault_target *b)
{
    uint32_t of_a = count_stretches(a), of_b = count_stretches(b);

    for (uint32_t i = 0; i < of_a; i++)
        for (uint32_t j = 0; j < of_b; j++)
            if (stretches_meet(&a->stretches[i], &b->stretches[j]))
                return true;
    return false;
}

/* --- resolving ------------------------------------------------------------ */

void fault_draw_some(struct rng *rng, uint32_t count, uint32_t chosen,
                     void (*take)(void *context, uint32_t i), void *context)
{
    for (uint32_t i = 0; i < count && chosen > 0; i++)
        if (chosen == count - i || rng_below(rng, count - i) < chosen) {
            take(context, i);
            chosen--;
        }
}

/* The bits of scratch in rising order, of which some go to bits. */
struct chosen_bits {
    uint64_t *bits;
    const uint64_t *scratch;
    uint32_t node, seen; /* the next to look at, and its number among those
                            that are set */
};

static void take_bit(void *context, uint32_t i)
{
    struct chosen_bits *chosen = context;

    for (;; chosen->node++) {
        if (!(chosen->scratch[chosen->node / 64] >> chosen->node % 64 & 1))
            continue;
        if (chosen->seen++ == i)
            break;
    }
    chosen->bits[chosen->node / 64] |= (uint64_t)1 << chosen->node % 64;
    chosen->node++;
}

static void resolve_pick(const struct fault_target *target,
                         const struct fault_pick *pick, struct rng *rng,
                         uint32_t words, uint64_t *bits, uint64_t *scratch)
{
    struct chosen_bits chosen = {bits, scratch, 0, 0};
    uint32_t size = 0, wanted;

    memset(scratch, 0, words * sizeof *scratch);
    for (uint32_t s = 0; s < pick->stretch_count; s++) {
        const struct fault_stretch *stretch =
            &target->stretches[pick->first_stretch + s];

        for (uint32_t i = 0; i < stretch->count; i++) {
            uint32_t node = stretch->first + i * stretch->stride;

            scratch[node / 64] |= (uint64_t)1 << node % 64;
        }
    }
    for (uint32_t w = 0; w < words; w++)
        size += (uint32_t)__builtin_popcountll(scratch[w]);
    wanted = pick->kind == FAULT_PICK_ALL ? size
             : pick->kind == FAULT_PICK_COUNT
                 ? pick->count
                 : (uint32_t)(pick->share * size + 0.5);
    if (wanted == 0)
        wanted = 1;
    fault_draw_some(rng, size, wanted < size ? wanted : size, take_bit,
                    &chosen);
}

void fault_target_resolve(const struct fault_target *target, struct rng *rng,
                          uint32_t node_count, uint64_t *bits,
                          uint64_t *scratch)
{
    for (uint32_t i = 0; i < target->pick_count; i++)
        resolve_pick(target, &target->picks[i], rng, (node_count + 63) / 64,
                     bits, scratch);
}
