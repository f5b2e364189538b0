/* --set path=value: one change to the tree. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"
#include "sim/scenario/yaml.h"

#include <string.h>

enum { STEPS_MAX = 16 };

/* One step of a path: a key, or what stands in brackets. */
struct step {
    const struct tree *name; /* with its place in the text of --set */
    bool in_brackets;
};

struct path {
    struct load *load;
    struct step steps[STEPS_MAX];
    uint32_t count;
    const struct tree *value;
};

static struct tree *make_word(struct load *load, const struct source *source,
                              size_t offset, size_t length)
{
    struct tree *word = pool_allocate(load->pool, sizeof *word);

    if (!word)
        return NULL;
    *word = (struct tree){
        .kind = TREE_SCALAR,
        .text = pool_copy(load->pool, source->text + offset, length),
        .length = length,
        .source = source,
        .offset = offset,
        .span = length > 0 ? length : 1,
        .line = source->first_line,
        .depth = 1,
        .weight = 1,
    };
    return word->text ? word : NULL;
}

static bool complain_path(struct load *load, const struct source *source,
                          size_t offset)
{
    const struct tree *at = make_word(load, source, offset, 1);

    if (at)
        load_complain(load, at, NULL,
                      "expected a setting and its value, such as "
                      "'nodes[0].count=4'");
    return false;
}

/* Splits "nodes[gpu].engine.slots" up to length. */
static bool split_path(struct path *path, const struct source *source,
                       size_t length)
{
    const char *text = source->text;
    size_t at = 0;

    while (at < length) {
        bool brackets = text[at] == '[';
        size_t start = brackets ? at + 1 : at, end = start;

        while (end < length && text[end] != ']' &&
               (brackets || (text[end] != '.' && text[end] != '[')))
            end++;
        if (end == start || path->count == STEPS_MAX ||
            (brackets && (end == length || path->count == 0)))
            return complain_path(path->load, source, at);
        path->steps[path->count++] = (struct step){
            make_word(path->load, source, start, end - start), brackets};
        if (!path->steps[path->count - 1].name)
            return false;
        at = end + brackets;
        if (at < length && text[at] == '.' && at + 1 < length)
            at++;
        else if (at < length && text[at] != '[')
            return complain_path(path->load, source, at);
    }
    return path->count > 0 || complain_path(path->load, source, 0);
}

static const struct tree *set_from(const struct path *path,
                                   const struct tree *node, uint32_t index);

/* What an entry of a list goes by, if it has a name; NULL: it has none. */
static const struct tree *name_of(const struct tree *entry)
{
    const struct tree *group = tree_find(entry, "group");

    return group ? group : tree_find(entry, "name");
}

/* The entry of a list by its number, or by its name. */
static uint32_t find_entry(const struct tree *list, const struct tree *which)
{
    uint64_t number;
    char reason[200];
    uint32_t i = 0;

    if (units_parse_count(which->text, which->length, &number, reason,
                          sizeof reason))
        return number < list->count ? (uint32_t)number : list->count;
    while (i < list->count &&
           !tree_is_text(name_of(list->values[i]), which->text))
        i++;
    return i;
}

static void complain_entry(struct load *load, const struct tree *list,
                           const struct tree *which, const struct tree *name)
{
    const char **names =
        pool_allocate(load->pool, (list->count + 1) * sizeof *names);
    uint32_t count = 0;
    const char *hint;

    if (!names)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct tree *entry = name_of(list->values[i]);

        if (entry && entry->kind == TREE_SCALAR)
            names[count++] = entry->text;
    }
    hint = load_nearest(load, which->text, which->length, names);
    load_complain(
        load, which,
        hint ? hint : "entries count from 0; groups and classes go by name too",
        "'%.60s' has %u entr%s; none is '%.60s'", name->text, list->count,
        list->count == 1 ? "y" : "ies", which->text);
}

/* faults[1]=off: it does not happen. */
static bool takes_fault_out(const struct path *path, uint32_t index)
{
    return index == 1 && path->count == 2 && tree_is_off(path->value) &&
           tree_is_text(path->steps[0].name, "faults");
}

static const struct tree *set_entry(const struct path *path,
                                    const struct tree *node, uint32_t index)
{
    const struct tree *which = path->steps[index].name;
    const struct tree *name = path->steps[index - 1].name;
    const struct tree *value;
    uint32_t entry;

    if (!node || node->kind != TREE_LIST) {
        load_complain(path->load, which, NULL,
                      "'%.60s' is no list in the scenario, so it has no "
                      "entry '%.60s'",
                      name->text, which->text);
        return NULL;
    }
    entry = find_entry(node, which);
    if (entry == node->count) {
        complain_entry(path->load, node, which, name);
        return NULL;
    }
    if (takes_fault_out(path, index))
        return tree_without_item(path->load->pool, node, entry);
    value = set_from(path, node->values[entry], index + 1);
    return value ? tree_with_item(path->load->pool, node, entry, value) : NULL;
}

static bool is_entry_of_policies(const struct path *path, uint32_t index)
{
    return index == 2 && path->steps[1].in_brackets &&
           tree_is_text(path->steps[0].name, "policies");
}

/* least_conn as {least_conn: {}}. NULL: no memory. */
static const struct tree *with_room_for_options(struct load *load,
                                                const struct tree *name,
                                                const struct tree *blank)
{
    struct tree *params = pool_allocate(load->pool, sizeof *params);

    if (!params)
        return NULL;
    *params = *blank;
    return tree_with_key(load->pool, blank, name, params);
}

/* nodes.gpu.count means nodes[gpu].count. NULL: node is no list. */
static const char *hint_at_entry(const struct path *path,
                                 const struct tree *node, uint32_t index)
{
    const struct tree *key = path->steps[index].name;

    if (node->kind != TREE_LIST)
        return NULL;
    if (index == 0 || find_entry(node, key) == node->count)
        return "choose an entry, such as 'nodes[0]'";
    return pool_print(path->load->pool, "did you mean '%.60s[%.60s]'?",
                      path->steps[index - 1].name->text, key->text);
}

static const struct tree *set_key(const struct path *path,
                                  const struct tree *node, uint32_t index)
{
    const struct tree *key = path->steps[index].name, *value;
    struct tree *blank = pool_allocate(path->load->pool, sizeof *blank);

    if (!blank)
        return NULL;
    *blank = *key;
    blank->kind = TREE_MAP;
    /* A policy by its bare name becomes one with parameters, or one beside
       which an option can stand; what was off is on again. */
    if (!node || tree_is_nothing(node) || tree_is_off(node) ||
        tree_is_text(node, key->text))
        node = blank;
    else if (is_entry_of_policies(path, index) && node->kind == TREE_SCALAR)
        node = with_room_for_options(path->load, node, blank);
    if (!node)
        return NULL;
    if (node->kind != TREE_MAP) {
        load_complain(path->load, key, hint_at_entry(path, node, index),
                      "'%.60s' cannot be set inside %s", key->text,
                      tree_kind_words(node));
        return NULL;
    }
    value = set_from(path, tree_get(node, key->text, key->length), index + 1);
    return value ? tree_with_key(path->load->pool, node, key, value) : NULL;
}

static const struct tree *set_from(const struct path *path,
                                   const struct tree *node, uint32_t index)
{
    if (index == path->count)
        return path->value;
    if (path->steps[index].in_brackets)
        return set_entry(path, node, index);
    return set_key(path, node, index);
}

/* The first '=' that is not in brackets; length: there is none. */
static size_t find_equals(const char *text, size_t length)
{
    bool inside = false;
    size_t i = 0;

    for (; i < length && (inside || text[i] != '='); i++) {
        if (text[i] == '[')
            inside = true;
        if (text[i] == ']')
            inside = false;
    }
    return i;
}

/* What the user typed it behind: --set, or the option that text begins with.
   NULL: no memory. */
static struct source *make_source(struct load *load, const char *text,
                                  uint32_t index)
{
    struct source *source = pool_allocate(load->pool, sizeof *source);
    size_t option = strncmp(text, "--", 2) == 0 ? strcspn(text, " ") : 0;
    const char *rest = text + option + strspn(text + option, " ");

    if (!source)
        return NULL;
    *source = (struct source){
        .kind = SOURCE_SET,
        .name = option ? pool_copy(load->pool, text, option) : "--set",
        .text = pool_copy(load->pool, rest, strlen(rest)),
        .length = strlen(rest),
        .first_line = option ? 1 : index + 1,
    };
    return source->name && source->text ? source : NULL;
}

bool override_split(struct load *load, const char *text, uint32_t index,
                    const struct tree **ret_path, const struct tree **ret_value)
{
    struct source *source = make_source(load, text, index);
    size_t equals = source ? find_equals(source->text, source->length) : 0;
    uint32_t shown = load->diag->errors;

    if (!source)
        return false;
    if (equals == source->length || equals == 0)
        return complain_path(load, source, equals);
    *ret_path = make_word(load, source, 0, equals);
    *ret_value = yaml_parse(load->pool, source, equals + 1, true, load->diag);
    load->errors += load->diag->errors - shown;
    return *ret_path && *ret_value;
}

const struct tree *override_word(struct load *load, const char *text,
                                 size_t start, size_t length)
{
    struct source *source = make_source(load, text, 0);

    return source ? make_word(load, source, start,
                              length < source->length - start
                                  ? length
                                  : source->length - start)
                  : NULL;
}

static const struct tree *apply(struct load *load, const struct tree *root,
                                const char *text, uint32_t index)
{
    struct source *source = make_source(load, text, index);
    struct path path = {.load = load};
    size_t length, equals;
    uint32_t shown = load->diag->errors;

    if (!source)
        return NULL;
    text = source->text;
    length = source->length;
    equals = find_equals(text, length);
    if (equals == length) {
        complain_path(load, source, length);
        return NULL;
    }
    if (!split_path(&path, source, equals))
        return NULL;
    path.value = yaml_parse(load->pool, source, equals + 1, true, load->diag);
    load->errors += load->diag->errors - shown;
    return path.value ? set_from(&path, root, 0) : NULL;
}

const struct tree *override_all(struct load *load, const struct tree *root,
                                const char *const *overrides, size_t count)
{
    for (size_t i = 0; root && i < count; i++)
        root = apply(load, root, overrides[i], (uint32_t)i);
    return root;
}
