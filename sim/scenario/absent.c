#include "sim/scenario/absent.h"

#include "sim/cluster/fault_target.h"
#include "sim/scenario/draft.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHRINKS_MAX = 3 }; /* its ranges, then how many are drawn */

struct mix {
    struct group_spec *groups; /* [count] with the counts of the mix */
    uint32_t count;
};

static bool mix_init(struct mix *mix, const struct scenario *scenario,
                     const uint32_t *counts)
{
    mix->count = scenario->group_count;
    mix->groups = calloc(mix->count + 1u, sizeof *mix->groups);
    for (uint32_t g = 0; mix->groups && g < mix->count; g++) {
        mix->groups[g] = scenario->groups[g];
        mix->groups[g].count = counts[g];
    }
    return mix->groups;
}

/* Nodes that a target strikes at most; 0: it cannot be read. */
static uint64_t size_of(const struct mix *mix, const char *target,
                        struct fault_flaw_at *ret_flaw)
{
    struct fault_target_text read;

    return fault_target_read(target, mix->groups, mix->count, &read, ret_flaw)
               ? fault_target_size(&read.target)
               : 0;
}

/* In memory of its own, to be freed; NULL: there is none. */
__attribute__((format(printf, 1, 2))) static char *print(const char *format,
                                                         ...)
{
    char *ret = NULL;
    size_t size;
    FILE *out = open_memstream(&ret, &size);
    va_list arguments;

    if (!out)
        return NULL;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    if (fclose(out) == 0)
        return ret;
    free(ret);
    return NULL;
}

/* ---- one item of a target ---- */

/* "2 of gpu[0,4-6]" as "2 of gpu[0,4-5]" where gpu has 6 nodes. */
static void put_ranges(const char *item, uint32_t nodes, FILE *out)
{
    const char *bracket = strchr(item, '[');
    const char *between = "[";

    if (!bracket)
        return;
    for (const char *at = bracket; *at == '[' || *at == ',';
         at += 1 + strcspn(at + 1, ",]")) {
        uint32_t from, to;
        int read = sscanf(at + 1, " %" SCNu32 " - %" SCNu32, &from, &to);

        if (read < 1 || from >= nodes)
            continue;
        if (read < 2)
            to = from;
        if (*between == '[')
            fwrite(item, 1, (size_t)(bracket - item), out);
        fprintf(out, "%s%" PRIu32 "-%" PRIu32, between, from,
                to < nodes ? to : nodes - 1);
        between = ",";
    }
    if (*between == ',')
        fputc(']', out);
}

/* "3 of zone a" as "2 of zone a" where there are no more. */
static void put_draw(const struct mix *mix, const char *item, FILE *out)
{
    const char *of = strstr(item, "of ");
    struct fault_flaw_at flaw;
    char *all = of ? print("100 %% %s", of) : NULL;
    uint64_t size = all ? size_of(mix, all, &flaw) : 0;

    if (size > 0)
        fprintf(out, "%" PRIu64 " %s", size, of);
    free(all);
}

/* A step towards what of it is there. */
static void put_less(const struct mix *mix, const char *item,
                     const struct fault_flaw_at *flaw, FILE *out)
{
    if (flaw->flaw == FAULT_FLAW_NO_NODE)
        put_ranges(item, mix->groups[flaw->group].count, out);
    else if (flaw->flaw == FAULT_FLAW_TOO_FEW)
        put_draw(mix, item, out);
    else if (flaw->flaw == FAULT_FLAW_BARE &&
             mix->groups[flaw->group].count > 0)
        fprintf(out, "%s[0]", mix->groups[flaw->group].name);
}

/* Takes the item, which was allocated. "": nothing is there; NULL: no memory.
 */
static char *shrink(const struct mix *mix, char *item)
{
    struct fault_flaw_at flaw;

    for (int i = 0; item && *item && size_of(mix, item, &flaw) == 0; i++) {
        char *less = NULL;
        size_t size;
        FILE *out = open_memstream(&less, &size);

        if (out && i < SHRINKS_MAX)
            put_less(mix, item, &flaw, out);
        if (out)
            fclose(out);
        free(item);
        item = less;
    }
    return item;
}

/* ---- a target ---- */

/* Up to the next comma outside brackets. */
static size_t item_length(const char *text)
{
    size_t length = strcspn(text, ",[");

    if (text[length] == '[')
        length += strcspn(text + length, "]");
    return length + strcspn(text + length, ",");
}

/* What of the target is there; "": nothing; NULL: no memory. To be freed. */
static char *shrink_target(const struct mix *mix, const char *text)
{
    char *ret = NULL;
    size_t size;
    FILE *out = open_memstream(&ret, &size);
    bool fine = out, any = false;

    while (fine) {
        text += strspn(text, " \t");
        size_t length = item_length(text);
        char *item = shrink(mix, strndup(text, length));

        fine = item;
        if (item && *item)
            fprintf(out, "%s%s", any ? ", " : "", item);
        any |= item && *item;
        free(item);
        text += length;
        if (*text++ == 0)
            break;
    }
    if (out && (fclose(out) != 0 || !fine)) {
        free(ret);
        return NULL;
    }
    return ret;
}

const char *absent_target_text(const struct scenario *scenario, uint32_t fault)
{
    const struct loaded *loaded = scenario->owned;
    const char *text = loaded->draft.faults[fault].target;

    return text && scenario->faults[fault].kind != FAULT_TIER_OUTAGE ? text
                                                                     : "";
}

static enum absence absence_in(const struct mix *mix,
                               const struct scenario *scenario, uint32_t fault)
{
    const char *text = absent_target_text(scenario, fault);
    struct fault_flaw_at flaw;

    if (!*text)
        return ABSENT_NOBODY;
    uint64_t size = size_of(mix, text, &flaw);
    if (size > 0)
        return size >= scenario->faults[fault].together ? ABSENT_NOBODY
                                                        : ABSENT_SOME;
    char *less = shrink_target(mix, text);
    enum absence absence = !less   ? ABSENT_NO_MEMORY
                           : *less ? ABSENT_SOME
                                   : ABSENT_ALL;
    free(less);
    return absence;
}

enum absence absent_of_fault(const struct scenario *scenario, uint32_t fault,
                             const uint32_t *counts)
{
    struct mix mix;
    enum absence absence = ABSENT_NO_MEMORY;

    if (mix_init(&mix, scenario, counts))
        absence = absence_in(&mix, scenario, fault);
    free(mix.groups);
    return absence;
}

/* ---- overrides ---- */

struct handing {
    bool (*add)(void *context, const char *override);
    void *context;
};

/* Takes the text, which was allocated, or NULL: no memory. */
static bool hand_out(const struct handing *to, char *text)
{
    bool fine = text && to->add(to->context, text);

    free(text);
    return fine;
}

static bool leave_out_some(const struct mix *mix,
                           const struct scenario *scenario, uint32_t fault,
                           const struct handing *to)
{
    uint32_t together = scenario->faults[fault].together;
    struct fault_flaw_at flaw;
    char *less = shrink_target(mix, absent_target_text(scenario, fault));
    bool fine = less && hand_out(to, print("faults[%" PRIu32 "].target=\"%s\"",
                                           fault, less));

    if (fine && size_of(mix, less, &flaw) < together)
        fine = hand_out(to, print("faults[%" PRIu32 "].together=%" PRIu64,
                                  fault, size_of(mix, less, &flaw)));
    free(less);
    return fine;
}

/* From the last to the first, for what goes takes its number with it. */
bool absent_leave_out(const struct scenario *scenario, const uint32_t *counts,
                      bool (*add)(void *context, const char *override),
                      void *context)
{
    struct handing to = {add, context};
    struct mix mix;
    bool fine = mix_init(&mix, scenario, counts);

    for (uint32_t i = scenario->fault_count; fine && i-- > 0;) {
        enum absence absence = absence_in(&mix, scenario, i);

        if (absence == ABSENT_ALL)
            fine = hand_out(&to, print("faults[%" PRIu32 "]=off", i));
        else if (absence == ABSENT_SOME)
            fine = leave_out_some(&mix, scenario, i, &to);
        else
            fine = absence == ABSENT_NOBODY;
    }
    free(mix.groups);
    return fine;
}
