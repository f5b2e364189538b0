/*
 * What may stand beside a policy's name in its entry, such as `hints`:
 *
 *     policies:
 *       - {predict: {mode: simulate}, hints: history}
 *
 * One key of an entry is the policy's name; the others are settings of the
 * rows under policies[].
 */
#include "sim/scenario/draft.h"

#include "policies/params.h"

#include <string.h>

enum { ENTRY_SETTINGS_MAX = 20 };

/* A policy has a block behind its name, a setting of the entry a word: so a
   shared object may bear the name of a setting. */
static bool is_setting(const struct tree *entry, uint32_t i)
{
    const struct tree *key = entry->keys[i];

    return entry->values[i]->kind == TREE_SCALAR &&
           settings_child(settings_find("policies[]"), key->text, key->length);
}

uint32_t load_entry_name(const struct tree *entry)
{
    uint32_t i = 0;

    while (i < entry->count && is_setting(entry, i))
        i++;
    return i;
}

/* A second name may be a setting, misspelt. */
static void complain_two_names(struct load *load, const struct tree *name,
                               const struct tree *key)
{
    const struct setting *block = settings_find("policies[]");
    const char *names[ENTRY_SETTINGS_MAX + 1] = {NULL};
    const struct setting *row = settings_first_child(block);
    const char *hint;

    for (uint32_t i = 0; row && i < ENTRY_SETTINGS_MAX;
         row = settings_next(block, row))
        settings_key(row, &names[i++]);
    hint = load_nearest(load, key->text, key->length, names);
    if (hint)
        load_complain(load, key, hint,
                      "unknown key '%.60s' beside policy %.60s", key->text,
                      name->text);
    else
        load_complain(load, key, LOAD_POLICY_FORM,
                      "a policy is a name, or one name with parameters");
}

bool load_entry_check(struct load *load, const struct tree *entry)
{
    uint32_t name = load_entry_name(entry);

    if (name == entry->count) {
        load_complain(load, entry, LOAD_POLICY_FORM,
                      "a policy is a name, or one name with parameters");
        return false;
    }
    for (uint32_t i = name + 1; i < entry->count; i++)
        if (!is_setting(entry, i)) {
            complain_two_names(load, entry->keys[name], entry->keys[i]);
            return false;
        }
    return true;
}

/* The entry without the policy's name; NULL: no memory. */
static const struct tree *settings_of(struct load *load,
                                      const struct tree *entry)
{
    struct tree *rest = pool_allocate(load->pool, sizeof *rest);
    const struct tree **keys =
        pool_allocate(load->pool, entry->count * sizeof *keys);
    const struct tree **values =
        pool_allocate(load->pool, entry->count * sizeof *values);

    if (!rest || !keys || !values)
        return NULL;
    *rest = *entry;
    rest->count = 0;
    rest->keys = keys;
    rest->values = values;
    for (uint32_t i = 0; i < entry->count; i++)
        if (is_setting(entry, i)) {
            keys[rest->count] = entry->keys[i];
            values[rest->count++] = entry->values[i];
        }
    return rest;
}

/* A parameter `oracle`, switched on, asks for exact hints. */
static bool wants_oracle(const struct policy_spec *policy)
{
    const struct lbp_param *param = lbp_params_find(policy->ops, "oracle", 6);
    bool wants = false;

    if (param && param->kind == LBP_SWITCH && policy->config)
        memcpy(&wants, (const char *)policy->config + param->offset,
               sizeof wants);
    return wants;
}

static void heed_oracle(struct load *load, const struct tree *entry,
                        struct policy_spec *policy)
{
    const struct tree *said = tree_find(entry, "hints");

    if (!policy->ops || !wants_oracle(policy))
        return;
    if (said && policy->hints != POLICY_HINTS_EXACT)
        load_complain(load, said, "leave 'hints' out, or say 'hints: exact'",
                      "an oracle knows requests exactly beforehand");
    policy->hints = POLICY_HINTS_EXACT;
}

/* A table of routing is there to be used, unless the entry says otherwise. */
static void heed_routing(struct load *load, const struct tree *entry,
                         const struct policy_spec *policy)
{
    const struct tree *said = tree_find(entry, "routing");

    if (said && policy->routing == POLICY_ROUTING_TABLE &&
        !load->loaded->draft.scenario.routing.given)
        load_complain(load, said, "such as 'routing: {table: {...}}'",
                      "there is no routing table; set 'routing'");
}

void load_entry_settings(struct load *load, const struct tree *entry,
                         struct policy_spec *policy)
{
    const struct tree *rest =
        entry->kind == TREE_MAP ? settings_of(load, entry) : NULL;
    uint32_t before = load->errors;

    policy->routing = load->loaded->draft.scenario.routing.given
                          ? POLICY_ROUTING_TABLE
                          : POLICY_ROUTING_OFF;
    load_block(load, settings_find("policies[]"), rest, policy);
    if (load->errors == before) {
        heed_oracle(load, rest, policy);
        heed_routing(load, rest, policy);
    }
    for (uint32_t i = 0; rest && i < rest->count; i++)
        policy->label = load_label_add(load, policy->label, rest->keys[i]->text,
                                       rest->values[i]->text);
}

const char *load_label_add(struct load *load, const char *label,
                           const char *key, const char *value)
{
    size_t length;

    if (!label)
        return NULL;
    length = strlen(label);
    if (length > 0 && label[length - 1] == ')')
        return pool_print(load->pool, "%.*s, %s=%s)", (int)length - 1, label,
                          key, value);
    return pool_print(load->pool, "%s(%s=%s)", label, key, value);
}
