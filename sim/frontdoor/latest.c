#include "sim/frontdoor/latest.h"

#include <stdlib.h>
#include <string.h>

void latest_add(struct latest *latest, int64_t value)
{
    latest->values[latest->next] = value;
    latest->next = (latest->next + 1) % latest->capacity;
    if (latest->count < latest->capacity)
        latest->count++;
}

void latest_clear(struct latest *latest)
{
    latest->count = 0;
    latest->next = 0;
}

uint32_t latest_copy(const struct latest *latest, int64_t *ret)
{
    memcpy(ret, latest->values, latest->count * sizeof *ret);
    return latest->count;
}

static int compare(const void *a, const void *b)
{
    int64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

int64_t latest_median(int64_t *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[(count - 1) / 2];
}
