/* Distributions: from their settings to the form that draws. */
#include "sim/scenario/draft.h"

#include <string.h>

/* Settings of an empirical law that stand where another is described. */
static bool check_foreign(struct load *load, const struct tree *block,
                          enum dist_kind kind)
{
    static const char *const keys[] = {"file", "column", "weights",
                                       "interpolate"};

    for (size_t i = 0; i < 4; i++)
        if (kind != DIST_EMPIRICAL && tree_find(block, keys[i])) {
            load_complain(load, tree_key(block, keys[i]), NULL,
                          "'%s' is for dist empirical; the dist is %s", keys[i],
                          dist_names[kind]);
            return false;
        }
    return true;
}

/* false: complained, or no memory. */
static bool read_values(struct load *load, const struct tree *block,
                        struct dist_params *params)
{
    struct empirical_open *open = pool_allocate(load->pool, sizeof *open);
    const struct tree *at = tree_find(block, "file");
    const char *path;

    if (!at) {
        load_complain(load, tree_find(block, "dist"),
                      "one number a line, or a CSV file and its 'column'",
                      "dist empirical needs 'file'");
        return false;
    }
    path = load_data_file(load->loaded, at, "the file of values", load->diag);
    if (!path || !open) {
        load->errors += !path;
        return false;
    }
    open->table = empirical_read(path, &params->columns, load->diag);
    if (!open->table) {
        load->errors++;
        return false;
    }
    open->next = load->loaded->empiricals;
    load->loaded->empiricals = open;
    params->table = open->table;
    return true;
}

void load_dist(struct load *load, const struct tree *map, const char *key,
               struct dist_params *params, struct dist *ret)
{
    const struct tree *block = tree_find(map, key);
    char reason[300];

    if (!block || block->kind != TREE_MAP ||
        !check_foreign(load, block, params->kind))
        return;
    if (params->kind == DIST_EMPIRICAL && !read_values(load, block, params))
        return;
    if (!dist_init(ret, params, reason, sizeof reason))
        load_complain(load, tree_key(map, key), NULL, "'%s': %s", key, reason);
}
