/* The front door, and the accidents that it has to live with. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <string.h>

enum { FAULTS_MAX = 10000, VIEWS_MAX = 4000000, LATE_MAX = 1000 };

static const struct fault_draft blank_fault = {
    .spec = {.restart_after_ns = INT64_MAX},
};

void load_nothing_of_fault(struct load *load, struct fault_draft *ret)
{
    *ret = blank_fault;
    load_block(load, settings_find("faults[]"), NULL, ret);
}

/* Each balancer keeps a view and the state of its policy for every node: a
   thousand balancers before a million nodes would need a terabyte. */
static void check_views(struct load *load, const struct tree *root)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    uint64_t views = (uint64_t)scenario->balancer.count * scenario->node_count;

    if (views > VIEWS_MAX)
        load_complain(
            load, tree_find(tree_find(root, "balancer"), "count"), NULL,
            "%u balancers before %u nodes are too many: their "
            "product may be at most %d",
            scenario->balancer.count, scenario->node_count, VIEWS_MAX);
}

/* Reports at every pick have no way to go; and those on their way need room. */
static void check_reports(struct load *load, const struct tree *block)
{
    const struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;
    bool late = spec->report_delay_ns > 0;
    char delay[UNITS_TEXT_SIZE];

    if (load->errors > 0 || spec->report_interval_ns < 0)
        return;
    if (spec->report_interval_ns == 0 && (late || spec->report_loss > 0))
        load_complain(load,
                      tree_find(block, late ? "report_delay" : "report_loss"),
                      "such as 'report_interval: 100 ms'",
                      "with 'report_interval' of 0 s balancers see every node "
                      "as it is: no report is late or lost");
    else if (late &&
             spec->report_delay_ns / spec->report_interval_ns >= LATE_MAX) {
        units_write_duration(spec->report_delay_ns, delay);
        load_complain(load, tree_find(block, "report_delay"), NULL,
                      "a 'report_delay' of %s has more than %d reports of a "
                      "node under way at once",
                      delay, LATE_MAX);
    }
}

void load_balancer(struct load *load, const struct tree *root)
{
    const struct tree *balancer = tree_find(root, "balancer");

    check_views(load, root);
    check_reports(load, balancer);
    load_checks(load, balancer);
}

uint32_t load_find_group(const struct load *load, const char *name,
                         size_t length)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t i = 0;

    for (; i < draft->scenario.group_count; i++) {
        const char *other = draft->groups[i].spec.name;

        if (other && strlen(other) == length &&
            memcmp(other, name, length) == 0)
            break;
    }
    return i;
}

/* "gpu-3", as reports name nodes: a hint at "gpu[3]"; NULL: it is no
   such name. */
static const char *hint_by_report_name(struct load *load, const char *text)
{
    const char *dash = strrchr(text, '-');
    char reason[200];
    uint64_t index;
    uint32_t group;

    if (!dash || !units_parse_count(dash + 1, strlen(dash + 1), &index, reason,
                                    sizeof reason))
        return NULL;
    group = load_find_group(load, text, (size_t)(dash - text));
    if (group == load->loaded->draft.scenario.group_count)
        return NULL;
    return pool_print(load->pool, "did you mean \"%.*s[%" PRIu64 "]\"?",
                      (int)(dash - text), text, index);
}

void load_complain_group(struct load *load, const struct tree *at,
                         const char *name, size_t length)
{
    const char *hint = hint_by_report_name(load, name);
    const struct draft *draft = &load->loaded->draft;
    uint32_t count = draft->scenario.group_count;
    const char **names = pool_allocate(load->pool, (count + 1) * sizeof *names);

    if (!names)
        return;
    for (uint32_t i = 0; i < count; i++)
        names[i] = draft->groups[i].spec.name;
    load_complain(
        load, at, hint ? hint : load_nearest(load, name, length, names),
        "there is no group '%.*s'", length > 60 ? 60 : (int)length, name);
}

/* The number in "[2]" that follows the name; false: there is none. */
static bool parse_index(const char *text, uint64_t *ret)
{
    size_t length = strlen(text);
    char reason[200];

    return length > 2 && text[0] == '[' && text[length - 1] == ']' &&
           units_parse_count(text + 1, length - 2, ret, reason, sizeof reason);
}

bool load_target(struct load *load, const struct tree *at, const char *text,
                 uint32_t *ret_group, uint32_t *ret_index)
{
    size_t length = strcspn(text, "[");
    uint32_t group = load_find_group(load, text, length);
    const struct group_spec *spec;
    uint64_t index = 0;

    if (group == load->loaded->draft.scenario.group_count) {
        load_complain_group(load, at, text, length);
        return false;
    }
    spec = &load->loaded->draft.groups[group].spec;
    if (text[length] ? !parse_index(text + length, &index) : spec->count != 1) {
        load_complain(load, at, "a node's number counts from 0",
                      "'target' needs a group and a number, such as "
                      "\"%s[0]\"; got '%.60s'",
                      spec->name, text);
        return false;
    }
    if (index >= spec->count) {
        load_complain(load, at,
                      spec->count > 0 ? "a node's number counts from 0" : NULL,
                      "'%.60s' is not there: group '%s' has %u node%s", text,
                      spec->name, spec->count, spec->count == 1 ? "" : "s");
        return false;
    }
    *ret_group = group;
    *ret_index = (uint32_t)index;
    return true;
}

static void load_fault(struct load *load, const struct tree *item,
                       struct fault_draft *fault)
{
    *fault = blank_fault;
    if (item->kind != TREE_MAP) {
        load_complain(load, item, NULL,
                      "a fault needs a block of settings; got %s",
                      tree_kind_words(item));
        return;
    }
    load_block(load, settings_find("faults[]"), item, fault);
    if (fault->target)
        load_target(load, tree_find(item, "target"), fault->target,
                    &fault->spec.group, &fault->spec.index);
    if (!tree_find(item, "seen_as"))
        fault->spec.seen_as =
            fault->spec.kind == FAULT_HOST_DOWN ? FAULT_SILENT : FAULT_REFUSED;
}

/* When it ends; INT64_MAX: never. */
static int64_t fault_end_ns(const struct fault_spec *fault)
{
    if (fault->restart_after_ns > INT64_MAX - fault->at_ns)
        return INT64_MAX;
    return fault->at_ns + fault->restart_after_ns;
}

static bool faults_overlap(const struct fault_spec *a,
                           const struct fault_spec *b)
{
    return a->group == b->group && a->index == b->index &&
           a->at_ns < fault_end_ns(b) && b->at_ns < fault_end_ns(a);
}

/* A node that is dead cannot die: which of the two would bring it back? */
static void check_overlaps(struct load *load, const struct tree *list)
{
    const struct fault_draft *faults = load->loaded->draft.faults;

    for (uint32_t i = 1; i < list->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (faults_overlap(&faults[i].spec, &faults[j].spec)) {
                load_complain(load, list->values[i],
                              "end the first with restart_after, or begin "
                              "the other later",
                              "fault %u strikes '%s' while fault %u still "
                              "lasts",
                              i + 1, faults[i].target ? faults[i].target : "",
                              j + 1);
                return;
            }
}

void load_faults(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(root, "faults");
    struct fault_spec *specs;

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST || list->count > FAULTS_MAX) {
        load_complain(load, list, "begin each fault with '- '",
                      "'faults' needs a list of at most %d faults; got %s",
                      FAULTS_MAX, tree_kind_words(list));
        return;
    }
    draft->faults =
        pool_allocate(load->pool, (list->count + 1) * sizeof *draft->faults);
    specs = pool_allocate(load->pool, (list->count + 1) * sizeof *specs);
    if (!draft->faults || !specs)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++) {
        load_fault(load, list->values[i], &draft->faults[i]);
        specs[i] = draft->faults[i].spec;
    }
    draft->scenario.fault_count = list->count;
    draft->scenario.faults = specs;
    if (load->errors == 0)
        check_overlaps(load, list);
}
