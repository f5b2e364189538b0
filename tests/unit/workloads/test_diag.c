#include "workloads/diag.h"

#include "tests/check.h"

#include <stdlib.h>

static struct diag diag;

static void nothing_said(void)
{
    diag = (struct diag){0};
}

static void forget(void)
{
    diag_done(&diag);
}

static struct diag_place place_in(const char *line, uint32_t column,
                                  uint32_t span)
{
    return (struct diag_place){
        .file = "quickstart.yaml",
        .line = 6,
        .column = column,
        .span = span,
        .text = line,
        .text_length = strlen(line),
    };
}

static void complaint_shows_place_line_caret_and_hint(void)
{
    struct diag_place place = place_in("  rate: 12 s", 9, 4);

    diag_add(&diag, DIAG_ERROR, &place, "did you mean '12/s'?",
             "'%s' needs a rate such as '12/s', got '%d s'", "rate", 12);
    CHECK_TEXT(diag.text,
               "quickstart.yaml:6:9: error: 'rate' needs a rate such as "
               "'12/s', got '12 s'\n"
               "    6 |   rate: 12 s\n"
               "      |         ^~~~\n"
               "  hint: did you mean '12/s'?\n");
    CHECK_UINT(diag.errors, 1);
    CHECK_UINT(diag.length, strlen(diag.text));
}

static void warnings_are_told_apart(void)
{
    struct diag_place place = place_in("seed: 1", 1, 4);

    diag_add(&diag, DIAG_WARNING, &place, NULL, "no use");
    CHECK_TEXT(diag.text, "quickstart.yaml:6:1: warning: no use\n"
                          "    6 | seed: 1\n"
                          "      | ^~~~\n");
    CHECK_UINT(diag.errors, 0);
    CHECK_UINT(diag.warnings, 1);
}

static void parts_of_the_place_may_be_unknown(void)
{
    struct diag_place place = {.file = "trace.csv"};

    diag_add(&diag, DIAG_ERROR, &place, NULL, "is empty");
    place.line = 7;
    diag_add(&diag, DIAG_ERROR, &place, NULL, "is short");
    place.text = "a,b";
    place.text_length = 3;
    diag_add(&diag, DIAG_ERROR, &place, NULL, "has 2 columns");
    place.file = NULL;
    diag_add(&diag, DIAG_ERROR, &place, NULL, "has no file");
    diag_add(&diag, DIAG_ERROR, NULL, "look there", "is nowhere");
    CHECK_TEXT(diag.text, "trace.csv: error: is empty\n"
                          "trace.csv:7: error: is short\n"
                          "trace.csv:7: error: has 2 columns\n"
                          "    7 | a,b\n"
                          "error: has no file\n"
                          "error: is nowhere\n"
                          "  hint: look there\n");
}

static void caret_is_drawn_for_no_span_and_beyond_the_line(void)
{
    struct diag_place place = place_in("ab", 3, 0);

    diag_add(&diag, DIAG_ERROR, &place, NULL, "ends early");
    place = place_in("ab", 2, 99);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "is wide");
    place = place_in("ab", 9, 1);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "is outside");
    CHECK_TEXT(diag.text, "quickstart.yaml:6:3: error: ends early\n"
                          "    6 | ab\n"
                          "      |   ^\n"
                          "quickstart.yaml:6:2: error: is wide\n"
                          "    6 | ab\n"
                          "      |  ^\n"
                          "quickstart.yaml:6:9: error: is outside\n"
                          "    6 | ab\n"
                          "      |   ^\n");
}

static void wide_line_numbers_widen_the_gutter(void)
{
    struct diag_place place = place_in("x", 1, 1);

    place.line = 1234567;
    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    CHECK_TEXT(diag.text, "quickstart.yaml:1234567:1: error: odd\n"
                          "1234567 | x\n"
                          "        | ^\n");
}

/* Tabs are repeated, letters of several bytes take one column. */
static void caret_stands_below_its_letter(void)
{
    struct diag_place place = place_in("\tr\xc3\xa4te: x", 9, 1);

    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    place = place_in("\xc3\xa4\xc3\xb6\xc3\xbc", 1, 6);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    CHECK_TEXT(diag.text, "quickstart.yaml:6:9: error: odd\n"
                          "    6 | \tr\xc3\xa4te: x\n"
                          "      | \t      ^\n"
                          "quickstart.yaml:6:1: error: odd\n"
                          "    6 | \xc3\xa4\xc3\xb6\xc3\xbc\n"
                          "      | ^~~\n");
}

/* A terminal obeys escape sequences; a trace must not command it. */
static void control_bytes_do_not_get_through(void)
{
    struct diag_place place = place_in("a\x1b[2Jb", 2, 1);

    diag_add(&diag, DIAG_ERROR, &place, "or\nnot", "got '%s'", "\x1b]0;x\x07");
    CHECK_TEXT(diag.text, "quickstart.yaml:6:2: error: got '?]0;x?'\n"
                          "    6 | a?[2Jb\n"
                          "      |  ^\n"
                          "  hint: or?not\n");
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void long_lines_are_shown_around_the_caret(void)
{
    char line[1001] = {0};
    struct diag_place place;

    memset(line, 'a', 1000);
    memcpy(line + 700, "here", 4);
    place = place_in(line, 701, 4);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");

    char *shown = strstr(diag.text, "...a");
    CHECK(shown != NULL);
    CHECK(strstr(diag.text, "a...\n") != NULL);
    CHECK(diag.length < 500);

    /* Both rows begin with eight columns, so offsets in them compare. */
    char *row = strstr(diag.text, "    6 | ");
    char *below = strstr(diag.text, "      | ");
    CHECK_INT(strchr(below, '^') - below, strstr(row, "here") - row);
}

static void start_of_a_long_line_is_shown_from_its_start(void)
{
    char line[1001] = {0};
    struct diag_place place;

    memset(line, 'a', 1000);
    place = place_in(line, 2, 3);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    CHECK(strstr(diag.text, "    6 | aaaa") != NULL);
    CHECK(strstr(diag.text, "      |  ^~~\n") != NULL);
}

/* Where a line is cut, no half of a letter remains. */
static void long_lines_are_cut_between_letters(void)
{
    char line[1001] = {0};
    struct diag_place place;

    for (int i = 0; i < 1000; i += 2)
        memcpy(line + i, "\xc3\xa4", 2);
    for (uint32_t column = 501; column < 504; column++) {
        place = place_in(line, column, 1);
        diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    }
    line[0] = 'x'; /* all letters lie one byte further left */
    memmove(line + 1, line + 2, 998);
    place = place_in(line, 1, 1);
    diag_add(&diag, DIAG_ERROR, &place, NULL, "odd");
    CHECK_UINT(occurrences(diag.text, "...\xc3"), 3);
    CHECK_UINT(occurrences(diag.text, "\xa4...\n"), 4);
}

static void only_so_many_are_shown_but_all_are_counted(void)
{
    for (int i = 0; i < 3 * DIAG_LIMIT; i++) {
        diag_add(&diag, DIAG_ERROR, NULL, NULL, "number %d", i);
        diag_add(&diag, DIAG_WARNING, NULL, NULL, "number %d", i);
    }
    CHECK_UINT(diag.errors, 3 * DIAG_LIMIT);
    CHECK_UINT(diag.warnings, 3 * DIAG_LIMIT);
    CHECK_UINT(occurrences(diag.text, "error: "), DIAG_LIMIT);
    CHECK_UINT(occurrences(diag.text, "warning: "), DIAG_LIMIT);
    CHECK(strstr(diag.text, "number 9\n") != NULL);
    CHECK(strstr(diag.text, "number 10\n") == NULL);
}

static void nobody_needs_to_listen(void)
{
    diag_add(NULL, DIAG_ERROR, NULL, NULL, "unheard");
    CHECK(diag.text == NULL);
    diag_done(&diag);
    diag_done(&diag);
}

static const char *const names[] = {
    "round_robin", "least_conn", "random", "two_choices", "ring_hash", NULL,
};

static const char *nearest(const char *word)
{
    return diag_nearest(word, strlen(word), names);
}

static void nearest_name_is_found(void)
{
    CHECK_TEXT(nearest("leest_conn"), "least_conn");  /* changed */
    CHECK_TEXT(nearest("roun_robin"), "round_robin"); /* left out */
    CHECK_TEXT(nearest("rinng_hash"), "ring_hash");   /* put in */
    CHECK_TEXT(nearest("radnom"), "random");          /* swapped */
    CHECK_TEXT(nearest("two-choises"), "two_choices");
    CHECK_TEXT(diag_nearest("maen", 4, (const char *const[]){"mean", NULL}),
               "mean"); /* one swap; two changes would be too many */
    CHECK_TEXT(nearest("Ring Hash"), "ring_hash");
    CHECK_TEXT(nearest("LEAST_CONN"), "least_conn");
    CHECK_TEXT(nearest("random"), "random");
}

static void far_names_are_not_guessed(void)
{
    CHECK(nearest("weighted") == NULL);
    CHECK(nearest("") == NULL);
    CHECK(nearest("x") == NULL);
    CHECK(nearest("ran") == NULL); /* 3 letters off, 1 allowed */
    CHECK(nearest("a_word_longer_than_any_name_that_we_would_ever_think_of_"
                  "giving_to_anything") == NULL);
    CHECK(diag_nearest("random", 6, (const char *const[]){NULL}) == NULL);
}

/* A third of the letters: 2 of 6 are still a typing error, 3 are another
   word. */
static void distance_allowed_grows_with_the_word(void)
{
    static const char *const words[] = {"abcdef", NULL};

    CHECK_TEXT(diag_nearest("abcdxy", 6, words), "abcdef");
    CHECK(diag_nearest("abcxyz", 6, words) == NULL);
}

static void nearer_name_wins_and_the_first_of_equals(void)
{
    static const char *const words[] = {"mean", "mead", "median", NULL};

    CHECK_TEXT(diag_nearest("medan", 5, words), "mean"); /* 1 letter, first */
    CHECK_TEXT(diag_nearest("mediam", 6, words), "median");
    CHECK_TEXT(diag_nearest("meat", 4, words), "mean");
    CHECK_TEXT(diag_nearest("mu", 2, (const char *const[]){"mus", NULL}),
               "mus");
}

/* Only the given bytes count: words inside a line have no 0 at their end. */
static void word_ends_at_its_length(void)
{
    CHECK_TEXT(diag_nearest("random_walk", 6, names), "random");
}

static void names_too_long_to_compare_are_passed_over(void)
{
    static const char *const words[] = {
        "one_that_is_much_longer_than_the_sixty_four_bytes_which_are_compared",
        "one",
        NULL,
    };

    CHECK_TEXT(diag_nearest("ine", 3, words), "one");
}

int main(int argc, char **argv)
{
    CU_TestInfo complaints[] = {
        {"complaint shows place, line, caret and hint",
         complaint_shows_place_line_caret_and_hint},
        {"warnings are told apart", warnings_are_told_apart},
        {"parts of the place may be unknown",
         parts_of_the_place_may_be_unknown},
        {"caret is drawn for no span and beyond the line",
         caret_is_drawn_for_no_span_and_beyond_the_line},
        {"wide line numbers widen the gutter",
         wide_line_numbers_widen_the_gutter},
        {"caret stands below its letter", caret_stands_below_its_letter},
        {"control bytes do not get through", control_bytes_do_not_get_through},
        {"long lines are shown around the caret",
         long_lines_are_shown_around_the_caret},
        {"start of a long line is shown from its start",
         start_of_a_long_line_is_shown_from_its_start},
        {"long lines are cut between letters",
         long_lines_are_cut_between_letters},
        {"only so many are shown but all are counted",
         only_so_many_are_shown_but_all_are_counted},
        {"nobody needs to listen", nobody_needs_to_listen},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo guesses[] = {
        {"nearest name is found", nearest_name_is_found},
        {"far names are not guessed", far_names_are_not_guessed},
        {"distance allowed grows with the word",
         distance_allowed_grows_with_the_word},
        {"nearer name wins, and the first of equals",
         nearer_name_wins_and_the_first_of_equals},
        {"word ends at its length", word_ends_at_its_length},
        {"names too long to compare are passed over",
         names_too_long_to_compare_are_passed_over},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("diag", NULL, NULL, nothing_said, forget, complaints),
        SUITE("diag_nearest", NULL, NULL, NULL, NULL, guesses),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
