#define _DEFAULT_SOURCE /* TIOCGWINSZ */

#include "sim/cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PLAIN_EVERY_S 30
#define LEFT_MOST_S (999 * 86400.0) /* whoever waits longer knows it */
#define LINE_MAX_COLUMNS 200
#define TAIL_COLUMNS 46 /* what stands behind the bar */

void progress_init(struct progress *progress, bool quiet)
{
    *progress = (struct progress){
        .quiet = quiet,
        .on_terminal = isatty(STDERR_FILENO) == 1,
    };
}

static unsigned terminal_columns(void)
{
    struct winsize size = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < LINE_MAX_COLUMNS ? size.ws_col : LINE_MAX_COLUMNS - 1;
}

/* Two units at most: nobody waits for the third. */
void progress_duration_text(double seconds, char *text, size_t size)
{
    static const struct {
        const char *big, *small;
        double big_s, small_s;
        double whole_from_s; /* from here on the small one is noise */
    } units[] = {
        {"d", "h", 86400, 3600, INFINITY},
        {"h", "min", 3600, 60, INFINITY},
        {"min", "s", 60, 1, 600},
    };

    seconds = fmin(fmax(1, ceil(seconds)), LEFT_MOST_S);
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        double big = floor(seconds / units[i].big_s);
        double small =
            floor((seconds - big * units[i].big_s) / units[i].small_s);

        if (seconds < units[i].big_s)
            continue;
        if (small == 0 || seconds >= units[i].whole_from_s)
            snprintf(text, size, "%.0f %s", big, units[i].big);
        else
            snprintf(text, size, "%.0f %s %.0f %s", big, units[i].big, small,
                     units[i].small);
        return;
    }
    snprintf(text, size, "%.0f s", seconds);
}

static void tail_text(const struct progress_line *line, char *text, size_t size)
{
    char left[40];
    int used;

    if (line->points > 1)
        used = snprintf(text, size, " %3.0f %%  point %" PRIu64 " of %" PRIu64,
                        100 * line->share, line->point, line->points);
    else
        used = snprintf(text, size, " %3.0f %%  %" PRIu64 " of %" PRIu64 " %s",
                        100 * line->share, line->jobs_done, line->jobs,
                        line->of_points ? "points" : "runs");
    if (line->left_s < 0 || line->share >= 1)
        return;
    progress_duration_text(line->left_s, left, sizeof left);
    snprintf(text + used, size - (size_t)used, ", %s left", left);
}

void progress_bar_text(const struct progress_line *line, unsigned columns,
                       char *text, size_t size)
{
    char tail[120];
    size_t used = 0;

    tail_text(line, tail, sizeof tail);
    if (columns > TAIL_COLUMNS + 12) {
        unsigned room = columns - TAIL_COLUMNS - 3;
        unsigned full = (unsigned)(line->share * room);

        text[used++] = '[';
        for (unsigned i = 0; i < room; i++)
            text[used++] = i < full ? '=' : ' ';
        text[used++] = ']';
    }
    snprintf(text + used, size - used, "%s", tail);
    if (strlen(text) >= columns)
        text[columns - 1] = 0; /* the last column would wrap the line */
}

/* The part of an experiment that was simulated so far. */
static double simulated_part(const struct experiment_progress *now)
{
    double known =
        now->jobs > 0 ? (double)now->jobs_known / (double)now->jobs : 0;

    return fmax(0, now->share - known);
}

/* Seconds for one more experiment of which nothing is known; negative: not a
   word yet. */
static double point_s(const struct progress *progress,
                      const struct experiment_progress *now)
{
    double run = progress->points_run + simulated_part(now);
    double to_come = 1 - now->share;

    if (now->left_s >= 0)
        return run + to_come > 0
                   ? (progress->before_s + now->elapsed_s + now->left_s) /
                         (run + to_come)
                   : 0;
    return progress->points_run > 0 ? progress->before_s / progress->points_run
                                    : -1;
}

struct progress_line progress_line_of(const struct progress *progress,
                                      const struct experiment_progress *now)
{
    struct progress_line line = {
        .share = now->share,
        .jobs_done = now->jobs_done,
        .jobs = now->jobs,
        .of_points = now->of_points,
        .point = progress->points_done + 1,
        .points = progress->points,
        .left_s = now->left_s,
    };

    if (progress->points <= 1)
        return line;
    if (line.point > line.points) /* more came than was said */
        line.points = line.point;
    double one_s = point_s(progress, now);
    double to_come = (double)(line.points - line.point);

    line.share =
        ((double)progress->points_done + now->share) / (double)line.points;
    if (one_s < 0)
        line.left_s = -1;
    else
        line.left_s =
            to_come * one_s +
            (now->left_s >= 0 ? now->left_s : (1 - now->share) * one_s);
    return line;
}

void progress_expect_points(struct progress *progress, uint64_t points)
{
    progress->points = points;
}

void progress_point_done(struct progress *progress)
{
    progress->points_done++;
    progress->before_s += progress->last.elapsed_s;
    progress->points_run += simulated_part(&progress->last);
    progress->last = (struct experiment_progress){0};
}

void progress_show(void *context, const struct experiment_progress *now)
{
    struct progress *progress = context;
    struct progress_line line = progress_line_of(progress, now);
    double elapsed_s = progress->before_s + now->elapsed_s;
    char text[LINE_MAX_COLUMNS + 1];

    progress->last = *now;
    if (progress->quiet)
        return;
    if (progress->on_terminal) {
        progress_bar_text(&line, terminal_columns(), text, sizeof text);
        fprintf(stderr, "\r%s\033[K", text);
        fflush(stderr);
        progress->bar_shown = true;
    } else if (elapsed_s - progress->told_at_s >= PLAIN_EVERY_S) {
        progress_bar_text(&line, TAIL_COLUMNS + 12, text, sizeof text);
        fprintf(stderr, "lbsim:%s\n", text);
        progress->told_at_s = elapsed_s;
    }
}

void progress_clear(struct progress *progress)
{
    if (progress->bar_shown)
        fputs("\r\033[K", stderr);
    progress->bar_shown = false;
}
