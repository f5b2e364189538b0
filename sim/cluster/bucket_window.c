#include "sim/cluster/bucket_window.h"

#include <stdlib.h>

bool bucket_window_init(struct bucket_window *window, uint32_t capacity)
{
    *window = (struct bucket_window){.capacity = capacity};
    window->values = calloc(capacity, sizeof *window->values);
    return window->values != NULL;
}

void bucket_window_done(struct bucket_window *window)
{
    free(window->values);
    *window = (struct bucket_window){0};
}

void bucket_window_add(struct bucket_window *window, double value)
{
    window->values[window->next] = value;
    window->next = (window->next + 1) % window->capacity;
    if (window->count < window->capacity)
        window->count++;
}

/* Summed from the oldest on: a running sum would gather rounding errors over a
   long run and never be 0 again. */
double bucket_window_mean(const struct bucket_window *window, uint32_t buckets)
{
    uint32_t count = buckets < window->count ? buckets : window->count;
    uint32_t first = (window->next + window->capacity - count);
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += window->values[(first + i) % window->capacity];
    return count > 0 ? sum / count : 0;
}
