#define _XOPEN_SOURCE 700 /* posix_openpt */

#include "sim/cli/progress.h"
#include "tests/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[201];

static void bar_fills_its_line_and_no_more(void)
{
    struct experiment_progress now = {
        .share = 0.5, .jobs_done = 10, .jobs = 20, .elapsed_s = 30};

    /* 80 columns: 40 for the words, 2 brackets, 1 spare: 37 for the bar. */
    progress_bar_text(&now, 80, text, sizeof text);
    CHECK_TEXT(text, "[==================                   ]  50 %  10 of 20 "
                     "runs, 30 s left");
    CHECK(strlen(text) < 80);
}

static void narrow_terminal_gets_words_only(void)
{
    struct experiment_progress now = {
        .share = 0.5, .jobs_done = 10, .jobs = 20, .elapsed_s = 30};

    progress_bar_text(&now, 50, text, sizeof text);
    CHECK_TEXT(text, "  50 %  10 of 20 runs, 30 s left");
    progress_bar_text(&now, 10, text, sizeof text);
    CHECK_TEXT(text, "  50 %  1");
}

static void start_is_too_early_to_say_what_is_left(void)
{
    struct experiment_progress now = {.jobs = 20, .elapsed_s = 30};

    progress_bar_text(&now, 50, text, sizeof text);
    CHECK_TEXT(text, "   0 %  0 of 20 runs");
}

static void end_fills_the_bar(void)
{
    struct experiment_progress now = {
        .share = 1, .jobs_done = 1, .jobs = 1, .elapsed_s = 0.1};

    progress_bar_text(&now, 60, text, sizeof text);
    CHECK_TEXT(text, "[=================] 100 %  1 of 1 runs");
}

/* Shows progress twice and clears it, with standard error at fd. */
static void show_in_child(int fd, bool quiet)
{
    struct experiment_progress now = {.jobs = 2, .elapsed_s = 10};
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
        progress_show(&progress, &now);
        progress_clear(&progress);
        exit(0);
    }
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
}

static void read_shown(int fd, char *shown, size_t size)
{
    ssize_t length = read(fd, shown, size - 1);

    shown[length > 0 ? length : 0] = 0;
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
    read_shown(terminal, shown, sizeof shown);
    CHECK(strstr(shown, "\r[                                     ]   0 %") ==
          shown);
    CHECK(strstr(shown, "\r[==================  ") != NULL);
    CHECK(strlen(shown) > 4 &&
          strcmp(shown + strlen(shown) - 4, "\r\033[K") == 0);
    close(other);
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
