/* Each way in which a policy's table of itself can be wrong. */
#include "policies/registry.h"
#include "policies/table.h"

#include "tests/check.h"

struct config {
    double share;
    uint64_t count;
    bool on;
    uint32_t choice;
};

enum { SHARE, COUNT, ON, CHOICE, END, ROWS };

static struct lbp_param params[ROWS];
static struct lbp_ops ops;

static void *create(const void *config, const struct lbp_host *host)
{
    (void)host;
    return (void *)(uintptr_t)config;
}

static void destroy(void *state)
{
    (void)state;
}

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    (void)state;
    (void)view;
    (void)request;
    (void)ret_slot;
    (void)explanation;
    return LBP_NO_NODE;
}

/* One in order; each test spoils a part of it. */
static void start(void)
{
    params[SHARE] = (struct lbp_param){
        "share", "h",  LBP_SHARE, offsetof(struct config, share), 0, 1,
        "0.3",   NULL, NULL};
    params[COUNT] = (struct lbp_param){
        "count", "h",  LBP_COUNT, offsetof(struct config, count), 1, 9,
        "5",     NULL, NULL};
    params[ON] = (struct lbp_param){
        "on",   "h",  LBP_SWITCH, offsetof(struct config, on), 0, 0,
        "true", NULL, NULL};
    params[CHOICE] = (struct lbp_param){
        "choice", "h",  LBP_CHOICE, offsetof(struct config, choice), 0, 0,
        "b",      NULL, "a|b"};
    params[END] = (struct lbp_param){0};
    ops = (struct lbp_ops){
        .abi = LBP_ABI,
        .size = sizeof ops,
        .name = "spoilt",
        .summary = "s",
        .tie_rule = "t",
        .params = params,
        .config_size = sizeof(struct config),
        .create = create,
        .destroy = destroy,
        .pick = pick,
    };
}

/* Then puts all in order again. */
static void check_says(const char *expected)
{
    char reason[300] = "in order";

    CHECK(!lbp_table_check(&ops, reason, sizeof reason));
    CHECK_TEXT(reason, expected);
    start();
}

static void the_built_in_ones_are_in_order(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    for (uint32_t i = 0; i < count; i++) {
        char reason[300] = "";

        CHECK(lbp_table_check(list[i], reason, sizeof reason));
        CHECK_TEXT(reason, "");
    }
    start();
    CHECK(lbp_table_check(&ops, NULL, 0));
}

static void callbacks_and_texts_must_be_there(void)
{
    static const char *const terms[LBP_MAX_TERMS + 2] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", NULL};

    start();
    ops.pick = NULL;
    check_says("pick is missing");
    ops.create = NULL;
    check_says("create is missing");
    ops.destroy = NULL;
    check_says("destroy is missing");
    ops.summary = NULL;
    check_says("summary is missing");
    ops.tie_rule = NULL;
    check_says("tie_rule is missing");
    ops.name = "two words";
    check_says("no fit name: a letter, then at most 59 letters, digits or any "
               "of _-.");
    ops.needs = 128;
    check_says("needs 0x80, of which this host knows only 0x7f");
    ops.term_names = terms;
    check_says("more than 8 names of terms: do they end with NULL?");
}

static void parameters_must_fit_the_config(void)
{
    start();
    params[ON].offset = sizeof(struct config);
    check_says("parameter 'on' takes bytes 24 to 24 of a config that has 24");
    params[SHARE].offset = SIZE_MAX;
    CHECK(!lbp_table_check(&ops, NULL, 0));
    start();
    params[COUNT].offset = 4;
    check_says("parameter 'count' has offset 4, which is no multiple of 8");
    params[COUNT].offset = 0;
    check_says("parameters 'share' and 'count' share bytes of the config");
    ops.config_size = (size_t)1 << 40;
    check_says("a config of 1099511627776 bytes; 65536 are allowed");
    ops.config_size = 0;
    check_says("parameter 'share' takes bytes 0 to 7 of a config that has 0");
}

static void parameters_must_make_sense(void)
{
    start();
    params[COUNT].name = "share";
    check_says("parameter 'share' is listed twice");
    params[COUNT].name = "so";
    check_says("a parameter cannot be called 'so', with which hosts name the "
               "object");
    params[COUNT].name = "";
    check_says("parameter 2 has no fit name: ''; does the table end with "
               "{0}?");
    params[COUNT].help = NULL;
    check_says("parameter 'count' has no help");
    params[COUNT].kind = (enum lbp_param_kind)99;
    check_says("parameter 'count' is of an unknown kind, 99");
    params[COUNT].min = 10;
    check_says("parameter 'count' has the range 10 to 9");
    params[SHARE].max = NAN;
    check_says("parameter 'share' has the range 0 to nan");
    params[COUNT].preset = "12";
    check_says("the preset of parameter 'count': 'count' needs a count from 1 "
               "to 9, got '12'");
    params[CHOICE].choices = "";
    check_says("parameter 'choice' is a choice of nothing");
    params[CHOICE].preset = "c";
    check_says("the preset of parameter 'choice': 'choice' needs one of a or "
               "b, got 'c'");
    params[CHOICE].preset = NULL;
    check_says("parameter 'choice' is a choice without preset");
}

/* A table without its last row would otherwise be read to the end of memory. */
static void a_table_without_end_is_noticed(void)
{
    enum { MANY = 300 };
    static struct lbp_param many[MANY + 1];
    static char names[MANY][8];

    start();
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "p%u", i);
        many[i] = (struct lbp_param){.name = names[i],
                                     .help = "h",
                                     .kind = LBP_SWITCH,
                                     .offset = i,
                                     .preset = "true"};
    }
    ops.params = many;
    ops.config_size = MANY;
    check_says("more than 256 parameters: does the table end with a row "
               "without name?");
}

static void tables_of_other_versions_are_adopted_or_refused(void)
{
    struct {
        struct lbp_ops ops;
        char later[40];
    } longer;
    struct lbp_ops adopted;
    char reason[300] = "";

    start();
    memset(&longer, 0xff, sizeof longer);
    longer.ops = ops;
    longer.ops.size = sizeof longer;
    CHECK(lbp_table_adopt(&longer.ops, &adopted, reason, sizeof reason));
    CHECK_TEXT(adopted.name, "spoilt");
    ops.size = offsetof(struct lbp_ops, also_needs); /* the first version */
    CHECK(lbp_table_adopt(&ops, &adopted, reason, sizeof reason));
    CHECK(adopted.also_needs == NULL);
    ops.size--;
    CHECK(!lbp_table_adopt(&ops, &adopted, reason, sizeof reason));
    CHECK(strstr(reason, "its struct lbp_ops says that it has") != NULL);
    ops.abi = LBP_ABI + 1;
    CHECK(!lbp_table_adopt(&ops, &adopted, reason, sizeof reason));
    CHECK_TEXT(reason, "it keeps version 2 of the contract, and this host "
                       "version 1");
}

static void names_are_plain_words(void)
{
    static const char longest[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                  "ABCDEFGHIJKLMNOPQRSTUVWX";

    CHECK_UINT(strlen(longest), 60);
    CHECK(lbp_table_is_name("least-conn.v2_x", 15));
    CHECK(lbp_table_is_name(longest, 60));
    CHECK(!lbp_table_is_name("", 0));
    CHECK(!lbp_table_is_name("2x", 2));
    CHECK(!lbp_table_is_name("a\0b", 3));
    CHECK(!lbp_table_is_name("a b", 3));
    CHECK(!lbp_table_is_name("a/b", 3));
    CHECK(!lbp_table_is_name("abcdefghijklmnopqrstuvwxyz0123456789"
                             "ABCDEFGHIJKLMNOPQRSTUVWXY",
                             61));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the built-in ones are in order", the_built_in_ones_are_in_order},
        {"callbacks and texts must be there",
         callbacks_and_texts_must_be_there},
        {"parameters must fit the config", parameters_must_fit_the_config},
        {"parameters must make sense", parameters_must_make_sense},
        {"a table without end is noticed", a_table_without_end_is_noticed},
        {"tables of other versions are adopted or refused",
         tables_of_other_versions_are_adopted_or_refused},
        {"names are plain words", names_are_plain_words},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("policy tables", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
