#include "sim/measure/measures.h"

#include <string.h>

const struct measure measures[MEASURE_COUNT] = {
#define MEASURE(id, name, unit, better, help) {name, unit, better, help, false},
#define OPTIONAL_MEASURE(id, name, unit, better, help) \
    {name, unit, better, help, true},
#include "sim/measure/measures.def"
#undef MEASURE
};

static const char *const unit_suffixes[] = {
    [UNIT_SECONDS] = "_s",         [UNIT_COUNT] = "_requests",
    [UNIT_PER_SECOND] = "_per_s",  [UNIT_RATIO] = "_ratio",
    [UNIT_REQUESTS] = "_requests", [UNIT_PLAIN] = "",
};

/* Whether full is the name, or the name and its unit's suffix. */
static bool names(const char *full, enum measure_unit unit, const char *name,
                  size_t length)
{
    if (strncmp(full, name, length) != 0)
        return false;
    return full[length] == 0 || strcmp(full + length, unit_suffixes[unit]) == 0;
}

enum measure_id measure_find(const char *name, size_t length)
{
    for (int id = 0; length > 0 && id < MEASURE_COUNT; id++)
        if (names(measures[id].name, measures[id].unit, name, length))
            return (enum measure_id)id;
    return MEASURE_COUNT;
}
