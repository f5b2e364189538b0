/* Rows by the word in a column: the classes of a trace, and its models. */
#include "workloads/profile_internal.h"

#include <stdlib.h>
#include <string.h>

static struct profile_label *add_item(struct profile_labels *labels,
                                      const char *word, uint32_t length)
{
    struct profile_label *items =
        realloc(labels->items, (labels->count + 1) * sizeof *items);
    char *name;

    if (!items)
        return NULL;
    labels->items = items;
    name = malloc((size_t)length + 1);
    if (!name)
        return NULL;
    for (uint32_t i = 0; i < length; i++) /* names are printed */
        name[i] = (char)((unsigned char)word[i] < ' ' ? '?' : word[i]);
    name[length] = '\0';
    items[labels->count] = (struct profile_label){.name = name};
    return &items[labels->count++];
}

/* *ret is NULL for one more than there is room for. false: no memory. */
static bool find_item(struct profile_labels *labels, struct trace_keys *words,
                      const char *word, uint32_t length,
                      struct profile_label **ret)
{
    uint32_t id = trace_keys_find(words, word, length);

    *ret = NULL;
    if (id == TRACE_KEYS_NONE && words->count < PROFILE_LABELS_MAX) {
        id = trace_keys_intern(words, word, length);
        *ret = id == TRACE_KEYS_NONE ? NULL : add_item(labels, word, length);
        return *ret != NULL;
    }
    if (id != TRACE_KEYS_NONE)
        *ret = &labels->items[id];
    return true;
}

bool profile_labels_count(struct profile_labels *labels,
                          struct trace_keys *words, const char *word,
                          uint32_t length, const struct profile_row *row)
{
    struct profile_label *item;

    if (!word) {
        labels->without++;
        return true;
    }
    if (!find_item(labels, words, word, length, &item))
        return false;
    if (!item) {
        labels->others++;
        return true;
    }
    item->rows++;
    item->input_tokens += row->input_tokens;
    item->output_tokens += row->output_tokens;
    return true;
}

/* No two names are equal, so any sort by them is the same. */
static int most_first(const void *a, const void *b)
{
    const struct profile_label *x = a, *y = b;

    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return strcmp(x->name, y->name);
}

void profile_labels_sort(struct profile_labels *labels)
{
    if (labels->count > 0)
        qsort(labels->items, labels->count, sizeof *labels->items, most_first);
}

void profile_labels_done(struct profile_labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        free(labels->items[i].name);
    free(labels->items);
    *labels = (struct profile_labels){0};
}
