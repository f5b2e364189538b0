/* A policy from a shared object: {my: {so: ./my.so, ...parameters}}. */
#include "sim/scenario/draft.h"

#include "policies/table.h"

#include <string.h>

const struct tree *load_so_setting(const struct tree *params)
{
    return tree_find(params, "so");
}

/* What stands in results, --policy and effective scenarios needs no quotes. */
static bool check_name(struct load *load, const struct tree *name)
{
    if (lbp_table_is_name(name->text, name->length))
        return true;
    load_complain(load, name, "such as 'mine' or 'least-conn.v2'",
                  "the name of a shared object's policy starts with a letter, "
                  "has letters, digits, '_', '-' or '.', and at most 60 bytes");
    return false;
}

/* Results show the path as it was written. */
static bool check_path(struct load *load, const struct tree *so)
{
    bool text = so->kind == TREE_SCALAR && !tree_is_nothing(so);

    for (size_t i = 0; text && i < so->length; i++)
        if ((unsigned char)so->text[i] < ' ' || so->text[i] == 127) {
            load_complain(load, so, NULL,
                          "'so' needs a path without control characters");
            return false;
        }
    if (text && so->length > 0)
        return true;
    load_complain(load, so, "such as './my.so', beside the scenario",
                  "'so' needs the path of a shared object; got %s",
                  text ? "nothing" : tree_kind_words(so));
    return false;
}

/* Beside the scenario and nowhere else: it is code that will run. */
static const char *path_of(struct load *load, const struct tree *so)
{
    if (so->text[0] == '/' || strcmp(load->loaded->folder, ".") == 0)
        return so->text;
    return pool_print(load->pool, "%s/%s", load->loaded->folder, so->text);
}

static struct shared_policy *open_shared(struct load *load,
                                         const struct tree *so)
{
    struct shared_open *open = pool_allocate(load->pool, sizeof *open);
    const char *path = path_of(load, so);
    struct shared_policy_error error;

    if (!open || !path)
        return NULL;
    if (!shared_policy_open(&open->policy, path, &error)) {
        load_complain(load, so, error.hint, "%s", error.reason);
        return NULL;
    }
    open->next = load->loaded->shared;
    load->loaded->shared = open;
    return &open->policy;
}

bool load_shared_policy(struct load *load, const struct tree *name,
                        const struct tree *params, struct policy_spec *policy)
{
    const struct tree *so = load_so_setting(params);
    const struct shared_policy *shared;

    if (!check_name(load, name) || !check_path(load, so))
        return false;
    shared = open_shared(load, so);
    if (!shared)
        return false;
    policy->ops = &shared->ops;
    policy->so = so->text;
    policy->so_hash = shared->hash;
    return true;
}
