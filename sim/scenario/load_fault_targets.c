/* Whom an accident strikes: nodes and balancers, and what is wrong with them.
 */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <string.h>

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

static void complain_zone(struct load *load, const struct tree *at,
                          const struct fault_flaw_at *flaw)
{
    const struct draft *draft = &load->loaded->draft;
    const char *names[64] = {NULL};
    uint32_t count = 0;

    for (uint32_t g = 0; g < draft->scenario.group_count; g++)
        for (uint32_t z = 0; z < draft->groups[g].spec.zone_count; z++)
            if (count < 63)
                names[count++] = draft->groups[g].spec.zones[z];
    load_complain(load, at,
                  count > 0
                      ? load_nearest(load, flaw->text, flaw->length, names)
                      : "give groups a 'zone'",
                  "no group is in a zone '%.*s'",
                  flaw->length > 60 ? 60 : (int)flaw->length, flaw->text);
}

static void complain_target(struct load *load, const struct tree *at,
                            const char *text, const struct fault_flaw_at *flaw)
{
    /* Where a flaw names none, it is looked at by none of the cases. */
    static const struct group_spec no_group = {.name = ""};
    const struct draft *draft = &load->loaded->draft;
    const struct group_spec *group = flaw->group < draft->scenario.group_count
                                         ? &draft->groups[flaw->group].spec
                                         : &no_group;
    int length = flaw->length > 60 ? 60 : (int)flaw->length;

    switch (flaw->flaw) {
    case FAULT_FLAW_NO_GROUP:
        load_complain_group(load, at, flaw->text, flaw->length);
        break;
    case FAULT_FLAW_NO_ZONE:
        complain_zone(load, at, flaw);
        break;
    case FAULT_FLAW_BARE:
        load_complain(load, at,
                      pool_print(load->pool,
                                 "a node's number counts from 0; \"%s[*]\" is "
                                 "the whole group",
                                 group->name),
                      "'target' needs a group and a number, such as "
                      "\"%s[0]\"; got '%.60s'",
                      group->name, text);
        break;
    case FAULT_FLAW_NO_NODE:
        load_complain(load, at,
                      group->count > 0 ? "a node's number counts from 0" : NULL,
                      "'%s[%.*s]' is not there: group '%s' has %u node%s",
                      group->name, length, flaw->text, group->name,
                      group->count, group->count == 1 ? "" : "s");
        break;
    case FAULT_FLAW_TOO_FEW:
        load_complain(load, at, "more than none, at most as many as there are",
                      "there are not so many nodes: '%.*s'", length,
                      flaw->text);
        break;
    case FAULT_FLAW_TOO_LONG:
        load_complain(load, at, "write two faults",
                      "'target' may have at most %d parts and %d ranges",
                      FAULT_PICKS_MAX, FAULT_STRETCHES_MAX);
        break;
    default:
        load_complain(load, at,
                      "such as \"gpu[2]\", \"gpu[0-2], cpu[1]\", \"gpu[*]\", "
                      "\"zone a\" or \"30 % of gpu\"",
                      "'target' cannot be read at '%.*s'", length, flaw->text);
    }
}

/* In memory of the scenario. */
static void keep_target(struct load *load, const struct fault_target_text *read,
                        struct fault_target *ret)
{
    struct fault_pick *picks = pool_allocate(
        load->pool, (read->target.pick_count + 1) * sizeof *picks);
    struct fault_stretch *stretches = pool_allocate(
        load->pool, (read->stretch_count + 1) * sizeof *stretches);

    if (!picks || !stretches)
        return;
    memcpy(picks, read->picks, read->target.pick_count * sizeof *picks);
    memcpy(stretches, read->stretches, read->stretch_count * sizeof *stretches);
    *ret = (struct fault_target){picks, stretches, read->target.pick_count};
}

bool load_target_text(struct load *load, const struct tree *at,
                      const char *text, struct fault_target *ret)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    struct fault_target_text read;
    struct fault_flaw_at flaw;

    if (!scenario->groups)
        return false;
    if (!fault_target_read(text, scenario->groups, scenario->group_count, &read,
                           &flaw)) {
        complain_target(load, at, text, &flaw);
        return false;
    }
    keep_target(load, &read, ret);
    return true;
}

void load_fault_target(struct load *load, const struct tree *item,
                       struct fault_draft *fault)
{
    if (fault->spec.kind != FAULT_TIER_OUTAGE && fault->target)
        load_target_text(load, tree_find(item, "target"), fault->target,
                         &fault->spec.target);
}

void load_fault_balancers(struct load *load, const struct tree *item,
                          struct fault_draft *fault)
{
    uint32_t count = load->loaded->draft.scenario.balancer.count;
    struct fault_target_text read;
    struct fault_flaw_at flaw;

    if (!fault_has_balancers(fault->spec.kind))
        return;
    if (fault_target_read_balancers(fault->balancers ? fault->balancers : "*",
                                    count, &read, &flaw))
        keep_target(load, &read, &fault->spec.balancers);
    else if (flaw.flaw == FAULT_FLAW_NO_NODE || flaw.flaw == FAULT_FLAW_TOO_FEW)
        load_complain(load, tree_find(item, "balancers"),
                      "their numbers count from 0",
                      "there are not so many balancers: '%.60s' of %u",
                      fault->balancers, count);
    else
        load_complain(load, tree_find(item, "balancers"), NULL,
                      "'balancers' needs their numbers, such as \"0\", "
                      "\"0-2\", \"50 %%\" or \"*\"; got '%.60s'",
                      fault->balancers);
}
