#define _XOPEN_SOURCE 700 /* posix_openpt */

#include "sim/cli/progress.h"
#include "tests/check.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[201];

static void bar_fills_its_line_and_no_more(void)
{
    struct progress_line line = {
        .share = 0.5, .jobs_done = 10, .jobs = 20, .left_s = 80};

    /* 80 columns: 46 for the words, 2 brackets, 1 spare: 31 for the bar. */
    progress_bar_text(&line, 80, text, sizeof text);
    CHECK_TEXT(text, "[===============                ]  50 %  10 of 20 "
                     "runs, 1 min 20 s left");
    CHECK(strlen(text) < 80);
}

static void narrow_terminal_gets_words_only(void)
{
    struct progress_line line = {
        .share = 0.5, .jobs_done = 10, .jobs = 20, .left_s = 80};

    progress_bar_text(&line, 50, text, sizeof text);
    CHECK_TEXT(text, "  50 %  10 of 20 runs, 1 min 20 s left");
    progress_bar_text(&line, 10, text, sizeof text);
    CHECK_TEXT(text, "  50 %  1");
}

static void start_is_too_early_to_say_what_is_left(void)
{
    struct progress_line line = {.jobs = 20, .left_s = -1};

    progress_bar_text(&line, 50, text, sizeof text);
    CHECK_TEXT(text, "   0 %  0 of 20 runs");
}

static void end_fills_the_bar(void)
{
    struct progress_line line = {.share = 1, .jobs_done = 1, .jobs = 1};

    progress_bar_text(&line, 60, text, sizeof text);
    CHECK_TEXT(text, "[===========] 100 %  1 of 1 runs");
}

static void durations_have_two_units_at_most(void)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "1 s"},          {0.2, "1 s"},        {30.1, "31 s"},
        {59.5, "1 min"},     {60, "1 min"},       {80, "1 min 20 s"},
        {599, "9 min 59 s"}, {754, "12 min"},     {3600, "1 h"},
        {7500, "2 h 5 min"}, {273600, "3 d 4 h"}, {86400 + 59, "1 d"},
        {1e300, "999 d"},    {INFINITY, "999 d"},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        progress_duration_text(cases[i].seconds, text, sizeof text);
        CHECK_TEXT(text, cases[i].text);
    }
}

/* ---- several experiments in one command ---- */

static struct progress sweep;

/* Point 1 took 40 s. */
static void first_of_four_points_is_done(double known_share)
{
    struct experiment_progress end = {
        .share = 1,
        .jobs = 10,
        .jobs_done = 10,
        .jobs_known = (uint64_t)(10 * known_share),
        .elapsed_s = 40 * (1 - known_share),
    };

    progress_init(&sweep, true);
    progress_expect_points(&sweep, 4);
    progress_show(&sweep, &end);
    progress_point_done(&sweep);
}

/* A new point of which nothing is known: 1 of 4 is done in 40 s. */
static void points_to_come_are_like_those_that_were(void)
{
    struct experiment_progress now = {.jobs = 10, .left_s = -1};

    first_of_four_points_is_done(0);
    struct progress_line line = progress_line_of(&sweep, &now);
    CHECK_NEAR(line.share, 0.25, 1e-12);
    CHECK_NEAR(line.left_s, 120, 1e-9);
    progress_bar_text(&line, 50, text, sizeof text);
    CHECK_TEXT(text, "  25 %  point 2 of 4, 2 min left");
}

/* Point 2 is half done after 30 s, 30 s are left: a point takes 50 s on the
   mean of both, two more are to come. */
static void point_under_way_counts_too(void)
{
    struct experiment_progress now = {.share = 0.5,
                                      .jobs = 10,
                                      .jobs_done = 5,
                                      .elapsed_s = 30,
                                      .left_s = 30};

    first_of_four_points_is_done(0);
    struct progress_line line = progress_line_of(&sweep, &now);
    CHECK_NEAR(line.share, 0.375, 1e-12);
    CHECK_NEAR(line.left_s, 130, 1e-9);
}

/* Eight of ten runs of point 1 were known, the others took 8 s: a whole point
   takes 40 s. */
static void known_runs_say_nothing_about_points_to_come(void)
{
    struct experiment_progress now = {.jobs = 10, .left_s = -1};

    first_of_four_points_is_done(0.8);
    CHECK_NEAR(progress_line_of(&sweep, &now).left_s, 120, 1e-9);
}

static void nothing_simulated_is_too_early_to_say(void)
{
    struct experiment_progress now = {.jobs = 10, .left_s = -1};

    first_of_four_points_is_done(1);
    CHECK(progress_line_of(&sweep, &now).left_s < 0);
}

static void more_points_than_said_are_no_harm(void)
{
    struct experiment_progress now = {.share = 0.5, .left_s = 5};

    first_of_four_points_is_done(0);
    sweep.points_done = 4;
    struct progress_line line = progress_line_of(&sweep, &now);
    CHECK_UINT(line.points, 5);
    CHECK(line.share <= 1);
    CHECK_NEAR(line.left_s, 5, 1e-12);
}

/* ---- where it is shown ---- */

/* Shows progress twice and clears it, with standard error at fd. */
static void show_in_child(int fd, bool quiet)
{
    struct experiment_progress now = {.jobs = 2, .elapsed_s = 10, .left_s = -1};
    int status = 1;

    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct progress progress;

        dup2(fd, STDERR_FILENO);
        progress_init(&progress, quiet);
        progress_show(&progress, &now);
        now.elapsed_s = 31;
        now.share = 0.5;
        now.left_s = 31;
        progress_show(&progress, &now);
        progress_clear(&progress);
        exit(0);
    }
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
}

/* All there is: a terminal hands it over in parts, and ends in an error. */
static void read_shown(int fd, char *shown, size_t size)
{
    size_t length = 0;
    ssize_t part;

    while ((part = read(fd, shown + length, size - 1 - length)) > 0)
        length += (size_t)part;
    shown[length] = 0;
}

static void show_in_pipe(bool quiet, char *shown, size_t size)
{
    int ends[2];

    CHECK_INT(pipe(ends), 0);
    show_in_child(ends[1], quiet);
    close(ends[1]);
    read_shown(ends[0], shown, size);
    close(ends[0]);
}

/* A line half a minute after the start, and none before. */
static void file_gets_a_line_every_half_minute(void)
{
    char shown[500];

    show_in_pipe(false, shown, sizeof shown);
    CHECK_TEXT(shown, "lbsim:  50 %  0 of 2 runs, 31 s left\n");
}

static void quiet_shows_nothing(void)
{
    char shown[500];

    show_in_pipe(true, shown, sizeof shown);
    CHECK_TEXT(shown, "");
}

/* A terminal of no known width counts as 80 columns. */
static void terminal_gets_a_bar_that_is_wiped_at_the_end(void)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    char shown[1000];

    CHECK(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    CHECK(other >= 0);
    show_in_child(other, false);
    close(other);
    read_shown(terminal, shown, sizeof shown);
    CHECK(strstr(shown, "\r[                               ]   0 %") == shown);
    CHECK(strstr(shown, "\r[===============  ") != NULL);
    CHECK(strlen(shown) > 4 &&
          strcmp(shown + strlen(shown) - 4, "\r\033[K") == 0);
    close(terminal);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the bar fills its line and no more", bar_fills_its_line_and_no_more},
        {"a narrow terminal gets words only", narrow_terminal_gets_words_only},
        {"the start is too early to say what is left",
         start_is_too_early_to_say_what_is_left},
        {"the end fills the bar", end_fills_the_bar},
        {"durations have two units at most", durations_have_two_units_at_most},
        {"points to come are like those that were",
         points_to_come_are_like_those_that_were},
        {"the point under way counts too", point_under_way_counts_too},
        {"known runs say nothing about points to come",
         known_runs_say_nothing_about_points_to_come},
        {"nothing simulated is too early to say",
         nothing_simulated_is_too_early_to_say},
        {"more points than said are no harm",
         more_points_than_said_are_no_harm},
        {"a file gets a line every half minute",
         file_gets_a_line_every_half_minute},
        {"quiet shows nothing", quiet_shows_nothing},
        {"a terminal gets a bar that is wiped at the end",
         terminal_gets_a_bar_that_is_wiped_at_the_end},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("progress", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
