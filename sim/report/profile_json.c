/* A profile as JSON: the same figures, for programs. What has no value is
   null. */
#include "sim/report/profile_report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define DIGITS 9

/* An object under construction; one failure spoils it. */
struct building {
    json_t *object;
    bool failed;
};

static struct building begin(void)
{
    struct building building = {.object = json_object()};

    building.failed = !building.object;
    return building;
}

static json_t *end(struct building *building)
{
    if (!building->failed)
        return building->object;
    json_decref(building->object);
    return NULL;
}

static void put(struct building *building, const char *key, json_t *value)
{
    building->failed |=
        !value || !building->object ||
        json_object_set_new_nocheck(building->object, key, value) != 0;
}

static void put_count(struct building *building, const char *key,
                      uint64_t count)
{
    put(building, key, json_integer((json_int_t)count));
}

static json_t *number_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void put_number(struct building *building, const char *key, double value)
{
    put(building, key, number_json(value));
}

static void put_seconds(struct building *building, const char *key, int64_t ns)
{
    put_number(building, key, (double)ns / 1e9);
}

static void put_ratio(struct building *building, const char *key, uint64_t part,
                      uint64_t whole)
{
    put_number(building, key,
               whole > 0 ? (double)part / (double)whole : (double)NAN);
}

static json_t *bins_json(const struct profile_bins *bins)
{
    struct building object = begin();

    put_seconds(&object, "width_s", bins->width_ns);
    put_count(&object, "bins", bins->count);
    put_number(&object, "mean", bins->mean);
    put_count(&object, "most", bins->most);
    put_count(&object, "empty", bins->empty);
    put_number(&object, "index_of_dispersion", bins->dispersion);
    return end(&object);
}

static json_t *arrivals_json(const struct profile_arrivals *arrivals)
{
    struct building object = begin();
    json_t *bins = json_array(), *tenths = json_array();

    put_seconds(&object, "span_s", arrivals->span_ns);
    put_number(&object, "rate_per_s", arrivals->rate_per_s);
    for (int i = 0; tenths && i < PROFILE_TENTHS; i++)
        object.failed |=
            json_array_append_new(tenths,
                                  number_json(arrivals->tenths_per_s[i])) != 0;
    put(&object, "tenths_per_s", tenths);
    put_count(&object, "distinct_times", arrivals->distinct_times);
    put_count(&object, "backward_rows", arrivals->backward_rows);
    put_count(&object, "zero_gaps", arrivals->zero_gaps);
    put_count(&object, "most_at_once", arrivals->most_at_once);
    put_seconds(&object, "largest_gap_s", arrivals->largest_gap_ns);
    put_seconds(&object, "median_gap_s", arrivals->median_gap_ns);
    put_number(&object, "gap_cv", arrivals->gap_cv);
    put_number(&object, "gap_autocorrelation", arrivals->gap_autocorrelation);
    for (int i = 0; bins && i < PROFILE_WIDTHS; i++)
        object.failed |=
            json_array_append_new(bins, bins_json(&arrivals->bins[i])) != 0;
    put(&object, "bins", bins);
    return end(&object);
}

static json_t *figures_json(const struct figures *figures)
{
    static const char *const names[] = {"p50", "p90", "p95", "p99", "p999"};
    struct building object = begin(), linear = begin();

    put_count(&object, "sum", figures->sum);
    put_number(&object, "mean", figures->mean);
    put_number(&object, "std", figures->deviation);
    put_count(&object, "min", figures->min);
    for (int i = 0; i < FIGURES_QUANTILES; i++) {
        put_count(&object, names[i], figures->nearest_rank[i]);
        put_number(&linear, names[i], figures->linear[i]);
    }
    put_count(&object, "max", figures->max);
    put(&object, "linear", end(&linear));
    return end(&object);
}

static json_t *tokens_json(const struct profile_tokens *tokens)
{
    struct building object = begin();

    put(&object, "input", figures_json(&tokens->input));
    put(&object, "output", figures_json(&tokens->output));
    put(&object, "total", figures_json(&tokens->total));
    put_count(&object, "zero_input", tokens->zero_input);
    put_count(&object, "zero_output", tokens->zero_output);
    put_count(&object, "distinct_pairs", tokens->distinct_pairs);
    put_number(&object, "pearson", tokens->pearson);
    put_number(&object, "spearman", tokens->spearman);
    return end(&object);
}

static json_t *label_json(const struct profile_label *label)
{
    struct building object = begin();
    json_t *name = json_string(label->name);

    put(&object, "name", name ? name : json_null()); /* no UTF-8 */
    put_count(&object, "rows", label->rows);
    put_count(&object, "input_tokens", label->input_tokens);
    put_count(&object, "output_tokens", label->output_tokens);
    return end(&object);
}

static json_t *labels_json(const struct profile_labels *labels)
{
    struct building object = begin();
    json_t *list = json_array();

    for (size_t i = 0; list && i < labels->count; i++)
        object.failed |=
            json_array_append_new(list, label_json(&labels->items[i])) != 0;
    put(&object, "named", list);
    put_count(&object, "rows_of_others", labels->others);
    put_count(&object, "rows_without", labels->without);
    return end(&object);
}

static json_t *endless_json(const struct profile *profile)
{
    const struct profile_blocks *blocks = &profile->blocks;
    struct building object = begin();

    put_count(&object, "hits", blocks->known);
    put_count(&object, "leading_hits", blocks->leading);
    put_ratio(&object, "leading_ratio", blocks->leading,
              profile->keys.references);
    put_count(&object, "leading_tokens", blocks->leading_tokens);
    put_count(&object, "whole_blocks", blocks->whole);
    put_count(&object, "leading_whole_blocks", blocks->leading_whole);
    put_number(&object, "mean_leading_ratio", blocks->mean_leading_ratio);
    put_count(&object, "requests_all_known", blocks->all_known);
    put_count(&object, "requests_same_list", blocks->same_list);
    put_count(&object, "requests_one_leading", blocks->one_leading);
    put_count(&object, "requests_two_leading", blocks->two_leading);
    return end(&object);
}

static json_t *blocks_json(const struct profile *profile)
{
    const struct profile_blocks *blocks = &profile->blocks;
    struct building object = begin();

    put_count(&object, "block_tokens", blocks->block_tokens);
    put_count(&object, "requests", blocks->requests);
    put_count(&object, "requests_as_long_as_input", blocks->expected_counts);
    put_count(&object, "smallest_id", blocks->smallest);
    put_count(&object, "largest_id", blocks->largest);
    put(&object, "ids_in_order", json_boolean(blocks->in_order));
    put_count(&object, "repeats", blocks->repeats);
    put_count(&object, "two_predecessors", blocks->torn);
    put_count(&object, "longest_list", blocks->longest);
    put(&object, "endless_cache", endless_json(profile));
    return end(&object);
}

static json_t *access_json(const struct profile_access *access)
{
    struct building object = begin(), statuses = begin();

    put_count(&object, "clients", access->clients);
    put_count(&object, "bytes", access->bytes);
    put_count(&object, "largest_bytes", access->largest);
    for (int i = 0; i < PROFILE_STATUSES; i++) {
        char name[12];

        snprintf(name, sizeof name, "%d", i);
        if (access->statuses[i] > 0)
            put_count(&statuses, name, access->statuses[i]);
    }
    put(&object, "statuses", end(&statuses));
    return end(&object);
}

static json_t *keys_json(const struct profile *profile)
{
    const struct profile_keys *keys = &profile->keys;
    struct building object = begin();

    put_count(&object, "references", keys->references);
    put_count(&object, "distinct", keys->distinct);
    put_count(&object, "once", keys->once);
    put_count(&object, "most", keys->most);
    put_number(&object, "zipf_least_squares", keys->zipf.least_squares);
    put_number(&object, "zipf_least_squares_1000",
               keys->zipf.least_squares_1000);
    put_number(&object, "zipf_maximum_likelihood",
               keys->zipf.maximum_likelihood);
    if (profile->has_sizes) {
        put_count(&object, "bytes", profile->bytes);
        put_count(&object, "resized", profile->resized);
    }
    return end(&object);
}

static json_t *lru_json(const struct profile *profile,
                        const struct profile_lru *lru)
{
    struct building object = begin();

    if (lru->capacity == UINT64_MAX)
        put(&object, "capacity", json_null());
    else
        put_count(&object, "capacity", lru->capacity);
    put_count(&object, "hits", lru->hits[REUSE_FLAT]);
    put_ratio(&object, "ratio", lru->hits[REUSE_FLAT],
              profile->keys.references);
    if (profile->has_blocks) {
        put_count(&object, "hits_head_first", lru->hits[REUSE_HEAD]);
        put_count(&object, "hits_tail_first", lru->hits[REUSE_TAIL]);
    }
    return end(&object);
}

static json_t *byte_lru_json(const struct profile_byte_lru *lru)
{
    struct building object = begin();

    put_count(&object, "capacity_bytes", lru->capacity);
    put_count(&object, "hits", lru->hits);
    put_count(&object, "hit_bytes", lru->hit_bytes);
    return end(&object);
}

static void put_caches(struct building *object, const struct profile *profile)
{
    json_t *caches = json_array(), *bytes = json_array();

    for (size_t i = 0; caches && i < profile->lru_count; i++)
        object->failed |= json_array_append_new(
                              caches, lru_json(profile, &profile->lru[i])) != 0;
    for (size_t i = 0; bytes && i < profile->byte_lru_count; i++)
        object->failed |= json_array_append_new(
                              bytes, byte_lru_json(&profile->byte_lru[i])) != 0;
    put(object, "lru", caches);
    if (profile->has_sizes)
        put(object, "lru_bytes", bytes);
    else
        json_decref(bytes);
}

static json_t *profile_json(const struct profile *profile, const char *path)
{
    struct building object = begin();
    json_t *file = json_string(path);

    put(&object, "schema", json_string(PROFILE_SCHEMA));
    put(&object, "file", file ? file : json_null()); /* no UTF-8 */
    put(&object, "format", json_string(profile_format_names[profile->format]));
    put_count(&object, "rows", profile->rows);
    put_count(&object, "dropped", profile->dropped);
    if (profile->has_tokens)
        put_count(&object, "identical_rows", profile->identical);
    if (profile->has_times)
        put(&object, "arrivals", arrivals_json(&profile->arrivals));
    if (profile->has_tokens)
        put(&object, "tokens", tokens_json(&profile->tokens));
    if (profile->has_classes)
        put(&object, "classes", labels_json(&profile->classes));
    if (profile->has_models)
        put(&object, "models", labels_json(&profile->models));
    if (profile->has_blocks)
        put(&object, "blocks", blocks_json(profile));
    if (profile->format == PROFILE_ACCESS_LOG)
        put(&object, "access_log", access_json(&profile->access));
    if (profile->has_blocks || profile->has_keys) {
        put(&object, "references", keys_json(profile));
        put_caches(&object, profile);
    }
    return end(&object);
}

bool profile_write_json(const struct profile *profile, const char *path,
                        FILE *out)
{
    json_t *json = profile_json(profile, path);
    char *text =
        json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS))
             : NULL;

    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    json_decref(json);
    return text != NULL;
}
