/* The policies to compare, with parameters by each policy's own table. */
#include "sim/scenario/draft.h"

#include "policies/params.h"
#include "policies/registry.h"
#include "policies/table.h"

#include <stdio.h>
#include <string.h>

enum { POLICIES_MAX = 500, PARAM_TEXT = 300 };

/* Names of all policies; ends with NULL. */
static const char *const *policy_names(struct load *load)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);
    const char **names = pool_allocate(load->pool, (count + 1) * sizeof *names);

    for (uint32_t i = 0; names && i < count; i++)
        names[i] = list[i]->name;
    return names;
}

/* Names of a policy's parameters; ends with NULL. */
static const char *const *param_names(struct load *load,
                                      const struct lbp_ops *ops)
{
    size_t count = 0;
    const char **names;

    while (ops->params && ops->params[count].name)
        count++;
    names = pool_allocate(load->pool, (count + 1) * sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = ops->params[i].name;
    return names;
}

/* "it takes a, b", or the nearest. */
static const char *param_hint(struct load *load, const struct lbp_ops *ops,
                              const struct tree *key)
{
    const char *const *names = param_names(load, ops);
    const char *hint;

    if (!names)
        return NULL;
    hint = load_nearest(load, key->text, key->length, names);
    if (hint)
        return hint;
    if (!names[0])
        return "it takes no parameters";
    hint = "it takes";
    for (; *names && hint; names++)
        hint = pool_print(load->pool, "%s %s%s", hint, *names,
                          names[1] ? "," : "");
    return hint;
}

/* A file where the name of a policy is due: "sed.so", "./sed.so". */
static bool names_object(const struct tree *name)
{
    return name->length > 3 &&
           memcmp(name->text + name->length - 3, ".so", 3) == 0;
}

static const char *object_hint(struct load *load, const struct tree *name)
{
    const char *slash = strrchr(name->text, '/');
    const char *base = slash ? slash + 1 : name->text;

    return pool_print(load->pool,
                      "a shared object is written {%.*s: {so: %s%.60s}}, on "
                      "the command line --policy %s%.60s",
                      (int)(strlen(base) - 3), base, slash ? "" : "./",
                      name->text, slash ? "" : "./", name->text);
}

static const struct lbp_ops *find_policy(struct load *load,
                                         const struct tree *name)
{
    const struct lbp_ops *ops = lbp_registry_find(name->text, name->length);
    const char *meant = lbp_registry_meant(name->text, name->length);
    const char *const *names;
    const char *hint = NULL;

    if (ops)
        return ops;
    names = policy_names(load);
    if (names_object(name))
        hint = object_hint(load, name);
    else if (meant)
        hint = pool_print(load->pool, "here it is called '%s'", meant);
    else if (names)
        hint = load_nearest(load, name->text, name->length, names);
    load_complain(load, name, hint ? hint : "`lbsim policies` lists all",
                  "unknown policy '%.60s'", name->text);
    return NULL;
}

static void load_param(struct load *load, const struct lbp_ops *ops,
                       const struct tree *key, const struct tree *value,
                       void *config)
{
    const struct lbp_param *param =
        lbp_params_find(ops, key->text, key->length);
    char reason[PARAM_TEXT];

    if (!param)
        load_complain(load, key, param_hint(load, ops, key),
                      "unknown parameter '%.60s' of policy %s", key->text,
                      ops->name);
    else if (value->kind != TREE_SCALAR || tree_is_nothing(value))
        load_complain(load, value, NULL, "'%s' needs a single value; got %s",
                      param->name, tree_kind_words(value));
    else if (!lbp_params_set(param, config, value->text, value->length, reason,
                             sizeof reason))
        load_complain(load, value, NULL, "%s", reason);
}

/* "ring_hash(replicas=200)": what the user set, in the order of the table. */
static const char *make_label(struct load *load,
                              const struct policy_spec *policy,
                              const struct tree *params)
{
    const char *label = policy->name;

    for (const struct lbp_param *p = policy->ops->params;
         params && p && p->name; p++) {
        char value[PARAM_TEXT];

        if (!tree_find(params, p->name))
            continue;
        lbp_params_write(p, policy->config, value, sizeof value);
        label = load_label_add(load, label, p->name, value);
    }
    return label;
}

/* The config of a policy without parameters. NULL: no memory. */
static const void *preset_config(struct pool *pool, const struct lbp_ops *ops)
{
    void *config = pool_allocate(pool, ops->config_size + 1);

    if (config && ops->config_size > 0)
        lbp_params_preset(ops, config);
    return config;
}

/* What is as preset is left out: a parameter that is new changes no text. */
char *load_policy_text(struct pool *pool, const struct scenario *scenario,
                       const struct policy_spec *policy, bool with_object)
{
    const char *slash = policy->so ? strrchr(policy->so, '/') : NULL;
    const void *presets = preset_config(pool, policy->ops);
    char *text = pool_print(pool, policy->so && with_object ? "%s so=%s" : "%s",
                            policy->name, slash ? slash + 1 : policy->so);

    if (!presets)
        return NULL;
    for (const struct lbp_param *p = policy->ops->params; text && p && p->name;
         p++) {
        char value[PARAM_TEXT], preset[PARAM_TEXT];

        lbp_params_write(p, policy->config, value, sizeof value);
        lbp_params_write(p, presets, preset, sizeof preset);
        if (strcmp(value, preset) != 0)
            text = pool_print(pool, "%s %s=%s", text, p->name, value);
    }
    if (text && scenario->routing.given)
        text = pool_print(pool, "%s routing=%s", text,
                          policy->routing == POLICY_ROUTING_TABLE ? "table"
                                                                  : "off");
    if (text && policy->hints != POLICY_HINTS_NONE)
        text = pool_print(pool, "%s hints=%u", text, policy->hints);
    return text;
}

static void check_params(struct load *load, const struct tree *name,
                         const struct policy_spec *policy)
{
    const struct lbp_ops *ops = policy->ops;
    const char *wrong = ops->check ? ops->check(policy->config) : NULL;

    if (wrong)
        load_complain(load, name, NULL, "policy %s: %s", policy->name, wrong);
    if ((ops->needs & LBP_NEEDS_REPORTS) &&
        load->loaded->draft.scenario.balancer.report_interval_ns < 0)
        load_complain(load, name, "such as 'report_interval: 1 s'",
                      "policy %s goes by reports of the nodes; set "
                      "balancer.report_interval",
                      policy->name);
}

/* A policy may need more with these parameters than without: then it has ops
   of its own, which say so. */
static void add_needs(struct load *load, const struct tree *name,
                      struct policy_spec *policy)
{
    const struct lbp_ops *ops = policy->ops;
    uint32_t more = ops->also_needs ? ops->also_needs(policy->config) : 0;
    struct lbp_ops *copy;
    char why[PARAM_TEXT];

    if ((more & ~ops->needs) == 0)
        return;
    if (!lbp_table_check_needs(more, why, sizeof why)) {
        load_complain(load, name, NULL, "policy %s: %s", policy->name, why);
        return;
    }
    copy = pool_allocate(load->pool, sizeof *copy);
    if (!copy)
        return;
    *copy = *ops;
    copy->needs |= more;
    policy->ops = copy;
}

/* Its ops, and what is known of them before the parameters. */
static bool find_ops(struct load *load, const struct tree *name,
                     const struct tree *params, struct policy_spec *policy)
{
    *policy = (struct policy_spec){.name = name->text};
    if (load_so_setting(params))
        return load_shared_policy(load, name, params, policy);
    policy->ops = find_policy(load, name);
    return policy->ops != NULL;
}

/* params NULL: all presets. */
static void load_policy(struct load *load, const struct tree *name,
                        const struct tree *params, struct policy_spec *policy)
{
    uint32_t before = load->errors;
    void *config = NULL;

    if (!find_ops(load, name, params, policy))
        return;
    if (policy->ops->config_size > 0) {
        config = pool_allocate(load->pool, policy->ops->config_size);
        if (!config)
            return;
        lbp_params_preset(policy->ops, config);
        policy->config = config;
    }
    for (uint32_t i = 0; params && i < params->count; i++)
        if (params->values[i] != load_so_setting(params))
            load_param(load, policy->ops, params->keys[i], params->values[i],
                       config);
    if (load->errors == before) {
        add_needs(load, name, policy);
        check_params(load, name, policy);
    }
    policy->label = make_label(load, policy, params);
}

/* An entry is a name, or a block with the name as a key and, beside it, the
   entry's own settings. */
static void load_entry(struct load *load, const struct tree *entry,
                       struct policy_spec *policy)
{
    const struct tree *name = entry, *params = NULL;

    if (entry->kind == TREE_MAP) {
        if (!load_entry_check(load, entry))
            return;
        name = entry->keys[load_entry_name(entry)];
        params = entry->values[load_entry_name(entry)];
        if (params->kind != TREE_MAP) {
            load_complain(load, tree_is_nothing(params) ? name : params,
                          LOAD_POLICY_FORM,
                          "the parameters of '%.60s' need a block; got %s",
                          name->text, tree_kind_words(params));
            return;
        }
    } else if (entry->kind != TREE_SCALAR || tree_is_nothing(entry)) {
        load_complain(load, entry, LOAD_POLICY_FORM,
                      "a policy is a name, or one name with parameters");
        return;
    }
    load_policy(load, name, params, policy);
    load_entry_settings(load, entry, policy);
}

/* Results are told apart by their label: only a shared object can bear that of
   another policy. */
static void check_label(struct load *load, const struct tree *at,
                        const struct policy_spec *policies, uint32_t i,
                        uint32_t j)
{
    if (policies[i].label && policies[j].label &&
        strcmp(policies[i].label, policies[j].label) == 0)
        load_complain(load, at, "give the shared object a name of its own",
                      "two policies are both called '%.60s'",
                      policies[i].label);
}

static void complain_twin(struct load *load, const struct tree *entry,
                          const struct tree *at, const char *name)
{
    bool for_nothing = !load->loaded->draft.scenario.routing.given &&
                       tree_find(entry, "routing");

    load_complain(load, at,
                  for_nothing ? "'routing: off' makes no difference without a "
                                "routing table"
                              : NULL,
                  "policy %s is listed twice with the same parameters", name);
}

static void check_twins(struct load *load, const struct tree *list,
                        const struct policy_spec *policies)
{
    const char **texts =
        pool_allocate(load->pool, (list->count + 1) * sizeof *texts);

    for (uint32_t i = 0; texts && i < list->count; i++) {
        const struct tree *entry = list->values[i];
        const struct tree *at = entry->kind == TREE_MAP
                                    ? entry->keys[load_entry_name(entry)]
                                    : entry;

        texts[i] = load_policy_text(load->pool, &load->loaded->draft.scenario,
                                    &policies[i], true);
        for (uint32_t j = 0; texts[i] && j < i; j++) {
            if (texts[j] && strcmp(texts[i], texts[j]) == 0) {
                complain_twin(load, entry, at, policies[i].name);
                break;
            }
            check_label(load, at, policies, i, j);
        }
    }
}

void load_policies(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    const struct tree *list = tree_find(root, "policies");
    struct policy_spec *policies;
    uint32_t before = load->errors;

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST || list->count == 0 ||
        list->count > POLICIES_MAX) {
        load_complain(load,
                      tree_is_nothing(list) ? tree_key(root, "policies") : list,
                      NULL, "'policies' needs %s of 1 to %d; got %s",
                      settings_kind_words(SETTING_POLICIES), POLICIES_MAX,
                      list->kind == TREE_LIST && list->count == 0
                          ? "an empty list"
                          : tree_kind_words(list));
        return;
    }
    policies = pool_allocate(load->pool, list->count * sizeof *policies);
    if (!policies)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_entry(load, list->values[i], &policies[i]);
    if (load->errors > before || load->pool->out_of_memory)
        return;
    if (load->errors == 0) /* what tells them apart may have been wrong */
        check_twins(load, list, policies);
    scenario->policies = policies;
    scenario->policy_count = list->count;
}
