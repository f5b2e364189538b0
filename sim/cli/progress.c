#define _DEFAULT_SOURCE /* TIOCGWINSZ */

#include "sim/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PLAIN_EVERY_S 30
#define LINE_MAX_COLUMNS 200
#define TAIL_COLUMNS 40 /* what stands behind the bar */

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

/* Seconds left, if the rest goes as fast; "" while it is too early to say. */
static void left_text(const struct experiment_progress *now, char *text,
                      size_t size)
{
    text[0] = 0;
    if (now->share > 0.02 && now->elapsed_s > 1)
        snprintf(text, size, ", %.0f s left",
                 now->elapsed_s * (1 - now->share) / now->share);
}

void progress_bar_text(const struct experiment_progress *now, unsigned columns,
                       char *text, size_t size)
{
    char tail[80];
    char left[40];
    size_t used = 0;

    left_text(now, left, sizeof left);
    snprintf(tail, sizeof tail, " %3.0f %%  %" PRIu64 " of %" PRIu64 " runs%s",
             100 * now->share, now->jobs_done, now->jobs, left);
    if (columns > TAIL_COLUMNS + 12) {
        unsigned room = columns - TAIL_COLUMNS - 3;
        unsigned full = (unsigned)(now->share * room);

        text[used++] = '[';
        for (unsigned i = 0; i < room; i++)
            text[used++] = i < full ? '=' : ' ';
        text[used++] = ']';
    }
    snprintf(text + used, size - used, "%s", tail);
    if (strlen(text) >= columns)
        text[columns - 1] = 0; /* the last column would wrap the line */
}

void progress_show(void *context, const struct experiment_progress *now)
{
    struct progress *progress = context;
    char text[LINE_MAX_COLUMNS + 1];

    if (progress->quiet)
        return;
    if (progress->on_terminal) {
        progress_bar_text(now, terminal_columns(), text, sizeof text);
        fprintf(stderr, "\r%s\033[K", text);
        fflush(stderr);
        progress->bar_shown = true;
    } else if (now->elapsed_s - progress->told_at_s >= PLAIN_EVERY_S) {
        progress_bar_text(now, TAIL_COLUMNS, text, sizeof text);
        fprintf(stderr, "lbsim:%s\n", text);
        progress->told_at_s = now->elapsed_s;
    }
}

void progress_clear(struct progress *progress)
{
    if (progress->bar_shown)
        fputs("\r\033[K", stderr);
    progress->bar_shown = false;
}
