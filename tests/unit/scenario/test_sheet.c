/* A text that grows: columns, cuts, and what YAML needs in quotes. */
#include "sim/scenario/sheet.h"
#include "tests/check.h"

#include <stdlib.h>

static struct sheet sheet;

static void start(void)
{
    sheet = (struct sheet){0};
}

/* The text ends with the test. */
static void check_sheet(const char *expected)
{
    char *text = sheet_take(&sheet);

    CHECK_TEXT(text, expected);
    CHECK_UINT(sheet.length, 0);
    free(text);
}

static struct tree scalar_of(const char *text)
{
    return (struct tree){
        .kind = TREE_SCALAR, .text = text, .length = strlen(text)};
}

static void check_scalar(const char *text, bool quoted, const char *expected)
{
    struct tree scalar = scalar_of(text);

    scalar.quoted = quoted;
    sheet_scalar(&sheet, &scalar);
    check_sheet(expected);
}

static void nothing_written_is_an_empty_text(void)
{
    check_sheet("");
}

static void text_grows_as_far_as_needed(void)
{
    for (int i = 0; i < 1000; i++)
        sheet_print(&sheet, "%03d,", i);
    CHECK_UINT(sheet.length, 4000);
    CHECK(strncmp(sheet.text, "000,001,", 8) == 0);
    CHECK_TEXT(sheet.text + 3996, "999,");
    free(sheet_take(&sheet));
}

static void blanks_reach_the_column_of_this_line(void)
{
    sheet_print(&sheet, "first line\nab");
    sheet_pad(&sheet, 5);
    sheet_print(&sheet, "c");
    sheet_pad(&sheet, 3); /* beyond it already: one blank */
    sheet_print(&sheet, "d");
    check_sheet("first line\nab   c d");
}

static void cut_drops_what_is_behind(void)
{
    sheet_add(&sheet, "abcdef", 6);
    sheet_cut(&sheet, 9);
    CHECK_TEXT(sheet.text, "abcdef");
    sheet_cut(&sheet, 2);
    sheet_print(&sheet, "x");
    check_sheet("abx");
}

static void quotes_stand_where_yaml_needs_them(void)
{
    check_scalar("250 ms", false, "250 ms");
    check_scalar("30 %", false, "30 %");
    check_scalar("", false, "\"\"");
    check_scalar("true", true, "\"true\"");
    check_scalar("ends ", false, "\"ends \"");
    check_scalar("-1", false, "\"-1\"");
    check_scalar("a: b", false, "\"a: b\"");
    check_scalar("say \"\\\"", false, "\"say \\\"\\\\\\\"\"");
    check_scalar("a\tb\177", false, "\"a\\x09b\\x7f\"");
}

static void blocks_and_lists_stand_on_one_line(void)
{
    struct tree a = scalar_of("a"), one = scalar_of("1"), b = scalar_of("b");
    const struct tree *items[] = {&one, &a};
    struct tree list = {.kind = TREE_LIST, .count = 2, .values = items};
    const struct tree *keys[] = {&a, &b}, *values[] = {&one, &list};
    struct tree map = {
        .kind = TREE_MAP, .count = 2, .keys = keys, .values = values};

    sheet_flow(&sheet, &map);
    check_sheet("{a: 1, b: [1, a]}");
}

static void a_failure_is_remembered(void)
{
    sheet_print(&sheet, "begun");
    sheet.failed = true;
    sheet_print(&sheet, "%0600d", 1); /* what does not fit is not written */
    sheet_add(&sheet, "more", 4);
    sheet_pad(&sheet, 80);
    CHECK_UINT(sheet.length, 5);
    CHECK(!sheet_take(&sheet));
    CHECK(!sheet.text);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"nothing written is an empty text", nothing_written_is_an_empty_text},
        {"text grows as far as needed", text_grows_as_far_as_needed},
        {"blanks reach the column of this line",
         blanks_reach_the_column_of_this_line},
        {"cut drops what is behind", cut_drops_what_is_behind},
        {"quotes stand where YAML needs them",
         quotes_stand_where_yaml_needs_them},
        {"blocks and lists stand on one line",
         blocks_and_lists_stand_on_one_line},
        {"a failure is remembered", a_failure_is_remembered},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("sheet", NULL, NULL, start, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
