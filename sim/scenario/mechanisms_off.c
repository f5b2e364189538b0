/* Mechanisms switched off again: "health: off" over a block of an include, of
   defaults or of the file. */
#include "sim/scenario/draft.h"

static bool is_off(const struct setting *row, const struct tree *value)
{
    return row && row->kind == SETTING_BLOCK &&
           (row->flags & SETTING_MECHANISM) && tree_is_off(value);
}

static const struct tree *cleared_list(struct load *load,
                                       const struct setting *row,
                                       const struct tree *list)
{
    struct tree *cleared = tree_copy(load->pool, list);
    bool changed = false;

    for (uint32_t i = 0; cleared && i < list->count; i++) {
        cleared->values[i] = load_without_off(load, row, list->values[i]);
        if (!cleared->values[i])
            return NULL;
        changed = changed || cleared->values[i] != list->values[i];
    }
    return changed || !cleared ? cleared : list;
}

static const struct tree *cleared_value(struct load *load,
                                        const struct setting *row,
                                        const struct tree *value)
{
    if (!row)
        return value;
    if (row->kind == SETTING_LIST && value->kind == TREE_LIST)
        return cleared_list(load, row, value);
    if (row->kind == SETTING_BLOCK || row->kind == SETTING_PATTERN)
        return load_without_off(load, row, value);
    return value;
}

const struct tree *load_without_off(struct load *load,
                                    const struct setting *block,
                                    const struct tree *map)
{
    struct tree *cleared;
    bool changed = false;

    if (map->kind != TREE_MAP)
        return map;
    cleared = tree_copy(load->pool, map);
    if (!cleared)
        return NULL;
    cleared->count = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        const struct tree *key = map->keys[i], *value = map->values[i];
        const struct setting *row =
            settings_child(block, key->text, key->length);
        bool off = is_off(row, value);

        changed = changed || off;
        if (off)
            continue;
        cleared->keys[cleared->count] = key;
        cleared->values[cleared->count] = cleared_value(load, row, value);
        if (!cleared->values[cleared->count])
            return NULL;
        changed = changed || cleared->values[cleared->count] != value;
        cleared->count++;
    }
    return changed ? cleared : map;
}
