/* The table of settings, and what is made of it: pages and JSON Schema. */
#include "sim/scenario/draft.h"
#include "sim/scenario/schema.h"
#include "sim/scenario/settings.h"

#include "policies/registry.h"

#include "tests/unit/scenario/scenario_text.h"

static void rows_stand_depth_first_under_their_blocks(void)
{
    size_t count, reached = 0;
    const struct setting *table = settings_table(&count);

    for (size_t i = 0; i < count; i++) {
        const struct setting *row = &table[i];
        const char *dot = strrchr(row->path, '.');
        char parent[200];

        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(table[j].path, row->path) != 0);
        CHECK(row->help && *row->help);
        CHECK(settings_find(row->path) == row);
        if (!dot)
            continue;
        snprintf(parent, sizeof parent, "%.*s", (int)(dot - row->path),
                 row->path);
        CHECK(settings_find(parent) != NULL);
        for (const struct setting *child =
                 settings_first_child(settings_find(parent));
             child; child = settings_next(settings_find(parent), child))
            reached += child == row;
    }
    for (size_t i = 0; i < count; i++)
        reached += strchr(table[i].path, '.') == NULL;
    CHECK_UINT(reached, count); /* every row is somebody's child */
}

/* A field of the wrong size would spill over into its neighbour. */
static void choices_fit_their_fields(void)
{
    CHECK_UINT(sizeof(enum arrivals_process), sizeof(uint32_t));
    CHECK_UINT(sizeof(enum dist_kind), sizeof(uint32_t));
    CHECK_UINT(sizeof(enum keys_kind), sizeof(uint32_t));
    CHECK_UINT(sizeof(enum trace_format), sizeof(uint32_t));
    CHECK_UINT(sizeof(enum fault_seen_as), sizeof(uint32_t));
}

/* "a|b" against an array of names. */
static void check_choices(const char *path, const char *const *names, int count)
{
    char joined[400] = "";

    for (int i = 0; i < count; i++) {
        strcat(joined, i ? "|" : "");
        strcat(joined, names[i]);
    }
    CHECK_TEXT(settings_find(path)->choices, joined);
}

static void choices_are_the_modules_own(void)
{
    check_choices("workload.arrivals.process", arrivals_process_names,
                  ARRIVALS_PROCESS_COUNT);
    check_choices("workload.work.dist", dist_names, DIST_KIND_COUNT);
    check_choices("workload.keys.dist", keys_kind_names, KEYS_KIND_COUNT);
    check_choices("workload.trace.format", trace_format_names,
                  TRACE_FORMAT_COUNT);
}

static void paths_are_found_in_all_their_forms(void)
{
    const struct setting *slots = settings_find("nodes[].engine.slots");

    CHECK(slots != NULL);
    CHECK(settings_find("nodes[gpu].engine.slots") == slots);
    CHECK(settings_find("nodes[12].engine.slots") == slots);
    CHECK(settings_find("defaults.engine.slots") == slots);
    CHECK(settings_find("nodes") == settings_find("nodes[]"));
    CHECK(!settings_find("nodes[].slots"));
    CHECK(!settings_find("nodes[.slots"));
    CHECK(!settings_find(""));
}

static void check_hint(const char *path, const char *expected)
{
    char hint[900];

    settings_path_hint(path, hint, sizeof hint);
    CHECK_TEXT(hint, expected);
}

static void unknown_paths_get_a_hint(void)
{
    check_hint("workload.arrivals.rat",
               "did you mean 'workload.arrivals.rate'?");
    check_hint("balancer.conections", "did you mean 'balancer.connections'?");
    check_hint("duraton", "did you mean 'duration'?");
    check_hint("workload.rate_scale", "'rate_scale' belongs in "
                                      "workload.trace");
    check_hint("nodes[0].slot", "did you mean 'slots', which belongs in "
                                "nodes[].engine?");
    check_hint("balancer.retry.backoff.quux",
               "it takes ladder, base, factor, max, jitter, spread");
    check_hint("nodes.models", "did you mean 'nodes[].models'?");
    check_hint("workload.classes.share",
               "did you mean 'workload.classes[].share'?");
    check_hint("nodes.gruop", "did you mean 'nodes[].group'?");
    check_hint("x[", "");
}

static void pages_say_all_about_a_setting(void)
{
    char *text = settings_text("balancer.health.interval");

    CHECK_TEXT(text,
               "balancer.health.interval\n"
               "    between two checks of a node; haproxy: 2 s, generation: "
               "30 s\n"
               "    takes:   a duration such as '250 ms' or '10 min'\n"
               "    range:   more than 0 s, at most 1 d\n"
               "    default: 5 s (as in the articles on operating inference "
               "clusters)\n");
    free(text);
    text = settings_text("nodes[].kind");
    CHECK_TEXT(text, "nodes[].kind\n"
                     "    what is busy when it works\n"
                     "    takes:   one of gpu, cpu\n"
                     "    default: gpu\n");
    free(text);
    text = settings_text("balancer.retry");
    CHECK(text && strstr(text, "balancer.retry.attempts\n"));
    free(text);
    text = settings_text("objective");
    CHECK(text && strstr(text, "\n        latency_p99_s "));
    CHECK(text && !strstr(text, "arrived_requests"));
    free(text);
    CHECK(!settings_text("balancer.retri"));
}

static void the_short_page_has_every_setting(void)
{
    char *text = settings_text(NULL);
    size_t count, lines = 0;

    settings_table(&count);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    CHECK_UINT(lines, count);
    free(text);
}

/* The reference page is what the program writes. After a change of the table:
   lbsim settings --format markdown > scenarios/SETTINGS.md */
static void the_reference_page_is_up_to_date(void)
{
    char *page = settings_markdown(), *file;
    size_t length;

    file = read_text("scenarios/SETTINGS.md", &length);
    CHECK_TEXT(page, file);
    free(page);
    free(file);
}

/* A reader of JSON that only says whether it is JSON (RFC 8259). NULL: not. */
static const char *skip_json(const char *at);

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
        if (!*at || !strchr("\"\\/bfnrtu", *at))
            return NULL;
    }
    return at + 1;
}

static const char *skip_members(const char *at, char end)
{
    at = skip_blank(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        if (end == '}') {
            at = skip_string(skip_blank(at));
            at = at ? skip_blank(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = skip_json(at);
        if (!at)
            return NULL;
        at = skip_blank(at);
        if (*at == end)
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
}

static const char *skip_json(const char *at)
{
    size_t digits;

    at = skip_blank(at);
    if (*at == '{')
        return skip_members(at, '}');
    if (*at == '[')
        return skip_members(at, ']');
    if (*at == '"')
        return skip_string(at);
    if (strncmp(at, "true", 4) == 0 || strncmp(at, "null", 4) == 0)
        return at + 4;
    if (strncmp(at, "false", 5) == 0)
        return at + 5;
    digits = strspn(at, "-0123456789.eE+");
    return digits > 0 ? at + digits : NULL;
}

static void the_schema_is_json(void)
{
    char *schema = scenario_schema();
    const char *end = skip_json(schema);
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    CHECK(end != NULL);
    CHECK_TEXT(end ? end : "not JSON", "\n");
    CHECK(strstr(schema, "\"additionalProperties\":false") != NULL);
    CHECK(strstr(schema, "\"enum\":[\"gpu\",\"cpu\"]") != NULL);
    for (uint32_t i = 0; i < count; i++) {
        char name[100];

        snprintf(name, sizeof name, "\"%s\"", list[i]->name);
        CHECK(strstr(schema, name) != NULL);
        for (const struct lbp_param *p = list[i]->params; p && p->name; p++) {
            snprintf(name, sizeof name, "\"%s\":{\"description\"", p->name);
            CHECK(strstr(schema, name) != NULL);
        }
    }
    free(schema);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"rows stand depth first under their blocks",
         rows_stand_depth_first_under_their_blocks},
        {"choices fit their fields", choices_fit_their_fields},
        {"choices are the modules' own", choices_are_the_modules_own},
        {"paths are found in all their forms",
         paths_are_found_in_all_their_forms},
        {"unknown paths get a hint", unknown_paths_get_a_hint},
        {"pages say all about a setting", pages_say_all_about_a_setting},
        {"the short page has every setting", the_short_page_has_every_setting},
        {"the reference page is up to date", the_reference_page_is_up_to_date},
        {"the schema is JSON", the_schema_is_json},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("settings", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
