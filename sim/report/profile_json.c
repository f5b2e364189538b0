/* A profile as JSON: the same figures, for programs. What has no value is
   null. */
#include "sim/report/profile_report.h"

#include "sim/report/json_parts.h"

static void set_seconds(struct object *object, const char *key, int64_t ns)
{
    set(object, key, number_json((double)ns / 1e9));
}

static void set_ratio(struct object *object, const char *key, uint64_t part,
                      uint64_t whole)
{
    set(object, key,
        number_json(whole > 0 ? (double)part / (double)whole : (double)NAN));
}

static json_t *bins_json(const struct profile_bins *bins)
{
    struct object object = object_new();

    set_seconds(&object, "width_s", bins->width_ns);
    set(&object, "bins", count_json(bins->count));
    set(&object, "mean", number_json(bins->mean));
    set(&object, "most", count_json(bins->most));
    set(&object, "empty", count_json(bins->empty));
    set(&object, "index_of_dispersion", number_json(bins->dispersion));
    return object_take(&object);
}

static json_t *arrivals_json(const struct profile_arrivals *arrivals)
{
    struct object object = object_new();
    struct array bins = array_new(), tenths = array_new();

    set_seconds(&object, "span_s", arrivals->span_ns);
    set(&object, "rate_per_s", number_json(arrivals->rate_per_s));
    for (int i = 0; i < PROFILE_TENTHS; i++)
        add(&tenths, number_json(arrivals->tenths_per_s[i]));
    set(&object, "tenths_per_s", array_take(&tenths));
    set(&object, "distinct_times", count_json(arrivals->distinct_times));
    set(&object, "backward_rows", count_json(arrivals->backward_rows));
    set(&object, "zero_gaps", count_json(arrivals->zero_gaps));
    set(&object, "most_at_once", count_json(arrivals->most_at_once));
    set_seconds(&object, "largest_gap_s", arrivals->largest_gap_ns);
    set_seconds(&object, "median_gap_s", arrivals->median_gap_ns);
    set(&object, "gap_cv", number_json(arrivals->gap_cv));
    set(&object, "gap_autocorrelation",
        number_json(arrivals->gap_autocorrelation));
    for (int i = 0; i < PROFILE_WIDTHS; i++)
        add(&bins, bins_json(&arrivals->bins[i]));
    set(&object, "bins", array_take(&bins));
    return object_take(&object);
}

static json_t *figures_json(const struct figures *figures)
{
    static const char *const names[] = {"p50", "p90", "p95", "p99", "p999"};
    struct object object = object_new(), linear = object_new();

    set(&object, "sum", count_json(figures->sum));
    set(&object, "mean", number_json(figures->mean));
    set(&object, "std", number_json(figures->deviation));
    set(&object, "min", count_json(figures->min));
    for (int i = 0; i < FIGURES_QUANTILES; i++) {
        set(&object, names[i], count_json(figures->nearest_rank[i]));
        set(&linear, names[i], number_json(figures->linear[i]));
    }
    set(&object, "max", count_json(figures->max));
    set(&object, "linear", object_take(&linear));
    return object_take(&object);
}

static json_t *tokens_json(const struct profile_tokens *tokens)
{
    struct object object = object_new();

    set(&object, "input", figures_json(&tokens->input));
    set(&object, "output", figures_json(&tokens->output));
    set(&object, "total", figures_json(&tokens->total));
    set(&object, "zero_input", count_json(tokens->zero_input));
    set(&object, "zero_output", count_json(tokens->zero_output));
    set(&object, "distinct_pairs", count_json(tokens->distinct_pairs));
    set(&object, "pearson", number_json(tokens->pearson));
    set(&object, "spearman", number_json(tokens->spearman));
    return object_take(&object);
}

static json_t *label_json(const struct profile_label *label)
{
    struct object object = object_new();
    json_t *name = json_string(label->name);

    set(&object, "name", name ? name : json_null()); /* no UTF-8 */
    set(&object, "rows", count_json(label->rows));
    set(&object, "input_tokens", count_json(label->input_tokens));
    set(&object, "output_tokens", count_json(label->output_tokens));
    return object_take(&object);
}

static json_t *labels_json(const struct profile_labels *labels)
{
    struct object object = object_new();
    struct array list = array_new();

    for (size_t i = 0; i < labels->count; i++)
        add(&list, label_json(&labels->items[i]));
    set(&object, "named", array_take(&list));
    set(&object, "rows_of_others", count_json(labels->others));
    set(&object, "rows_without", count_json(labels->without));
    return object_take(&object);
}

static json_t *endless_json(const struct profile *profile)
{
    const struct profile_blocks *blocks = &profile->blocks;
    struct object object = object_new();

    set(&object, "hits", count_json(blocks->known));
    set(&object, "leading_hits", count_json(blocks->leading));
    set_ratio(&object, "leading_ratio", blocks->leading,
              profile->keys.references);
    set(&object, "leading_tokens", count_json(blocks->leading_tokens));
    set(&object, "whole_blocks", count_json(blocks->whole));
    set(&object, "leading_whole_blocks", count_json(blocks->leading_whole));
    set(&object, "mean_leading_ratio", number_json(blocks->mean_leading_ratio));
    set(&object, "requests_all_known", count_json(blocks->all_known));
    set(&object, "requests_same_list", count_json(blocks->same_list));
    set(&object, "requests_one_leading", count_json(blocks->one_leading));
    set(&object, "requests_two_leading", count_json(blocks->two_leading));
    return object_take(&object);
}

static json_t *blocks_json(const struct profile *profile)
{
    const struct profile_blocks *blocks = &profile->blocks;
    struct object object = object_new();

    set(&object, "block_tokens", count_json(blocks->block_tokens));
    set(&object, "requests", count_json(blocks->requests));
    set(&object, "requests_as_long_as_input",
        count_json(blocks->expected_counts));
    set(&object, "smallest_id", count_json(blocks->smallest));
    set(&object, "largest_id", count_json(blocks->largest));
    set(&object, "ids_in_order", json_boolean(blocks->in_order));
    set(&object, "repeats", count_json(blocks->repeats));
    set(&object, "two_predecessors", count_json(blocks->torn));
    set(&object, "longest_list", count_json(blocks->longest));
    set(&object, "endless_cache", endless_json(profile));
    return object_take(&object);
}

static json_t *access_json(const struct profile_access *access)
{
    struct object object = object_new(), statuses = object_new();

    set(&object, "clients", count_json(access->clients));
    set(&object, "bytes", count_json(access->bytes));
    set(&object, "largest_bytes", count_json(access->largest));
    for (int i = 0; i < PROFILE_STATUSES; i++) {
        char name[12];

        snprintf(name, sizeof name, "%d", i);
        if (access->statuses[i] > 0)
            set(&statuses, name, count_json(access->statuses[i]));
    }
    set(&object, "statuses", object_take(&statuses));
    return object_take(&object);
}

static json_t *keys_json(const struct profile *profile)
{
    const struct profile_keys *keys = &profile->keys;
    struct object object = object_new();

    set(&object, "references", count_json(keys->references));
    set(&object, "distinct", count_json(keys->distinct));
    set(&object, "once", count_json(keys->once));
    set(&object, "most", count_json(keys->most));
    set(&object, "zipf_least_squares", number_json(keys->zipf.least_squares));
    set(&object, "zipf_least_squares_1000",
        number_json(keys->zipf.least_squares_1000));
    set(&object, "zipf_maximum_likelihood",
        number_json(keys->zipf.maximum_likelihood));
    if (profile->has_sizes) {
        set(&object, "bytes", count_json(profile->bytes));
        set(&object, "resized", count_json(profile->resized));
    }
    return object_take(&object);
}

static json_t *lru_json(const struct profile *profile,
                        const struct profile_lru *lru)
{
    struct object object = object_new();

    if (lru->capacity == UINT64_MAX)
        set(&object, "capacity", json_null());
    else
        set(&object, "capacity", count_json(lru->capacity));
    set(&object, "hits", count_json(lru->hits[REUSE_FLAT]));
    set_ratio(&object, "ratio", lru->hits[REUSE_FLAT],
              profile->keys.references);
    if (profile->has_blocks) {
        set(&object, "hits_head_first", count_json(lru->hits[REUSE_HEAD]));
        set(&object, "hits_tail_first", count_json(lru->hits[REUSE_TAIL]));
    }
    return object_take(&object);
}

static json_t *byte_lru_json(const struct profile_byte_lru *lru)
{
    struct object object = object_new();

    set(&object, "capacity_bytes", count_json(lru->capacity));
    set(&object, "hits", count_json(lru->hits));
    set(&object, "hit_bytes", count_json(lru->hit_bytes));
    return object_take(&object);
}

static void set_caches(struct object *object, const struct profile *profile)
{
    struct array caches = array_new(), bytes = array_new();

    for (size_t i = 0; i < profile->lru_count; i++)
        add(&caches, lru_json(profile, &profile->lru[i]));
    for (size_t i = 0; i < profile->byte_lru_count; i++)
        add(&bytes, byte_lru_json(&profile->byte_lru[i]));
    set(object, "lru", array_take(&caches));
    if (profile->has_sizes)
        set(object, "lru_bytes", array_take(&bytes));
    else
        json_decref(array_take(&bytes));
}

static json_t *profile_json(const struct profile *profile, const char *path)
{
    struct object object = object_new();
    json_t *file = json_string(path);

    set(&object, "schema", json_string(PROFILE_SCHEMA));
    set(&object, "file", file ? file : json_null()); /* no UTF-8 */
    set(&object, "format", json_string(profile_format_names[profile->format]));
    set(&object, "rows", count_json(profile->rows));
    set(&object, "dropped", count_json(profile->dropped));
    if (profile->has_tokens)
        set(&object, "identical_rows", count_json(profile->identical));
    if (profile->has_times)
        set(&object, "arrivals", arrivals_json(&profile->arrivals));
    if (profile->has_tokens)
        set(&object, "tokens", tokens_json(&profile->tokens));
    if (profile->has_classes)
        set(&object, "classes", labels_json(&profile->classes));
    if (profile->has_models)
        set(&object, "models", labels_json(&profile->models));
    if (profile->has_blocks)
        set(&object, "blocks", blocks_json(profile));
    if (profile->format == PROFILE_ACCESS_LOG)
        set(&object, "access_log", access_json(&profile->access));
    if (profile->has_blocks || profile->has_keys) {
        set(&object, "references", keys_json(profile));
        set_caches(&object, profile);
    }
    return object_take(&object);
}

bool profile_write_json(const struct profile *profile, const char *path,
                        FILE *out)
{
    return json_dump_whole(profile_json(profile, path), out);
}
