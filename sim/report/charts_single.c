/* For realpath(). NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _XOPEN_SOURCE 700

#include "sim/report/charts_single.h"

#include "sim/report/charts.h"
#include "sim/report/charts_gnuplot.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = PATH_MAX + 300 };

/* A picture in the making: the same with absolute paths, for gnuplot takes a
   leading '<' as more. */
struct job {
    const struct charts_single *single;
    char plots[PATH_MAX], output[PATH_MAX];
    char name[PATH_ROOM - 20]; /* folder and picture, without ending */
};

bool charts_refuse(FILE *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("no chart: ", text);
    vfprintf(text, format, arguments);
    fputs("\n", text);
    va_end(arguments);
    return false;
}

static bool draw_picture(const struct job *job, const struct chart *chart,
                         const char *data, const char *ending)
{
    char script[PATH_ROOM], to[PATH_ROOM], making[PATH_ROOM], log[PATH_ROOM];
    char words[200], note[600];
    const char *args[4 + CHART_ARGS_MAX] = {making, data, note};
    bool drawn;

    snprintf(script, sizeof script, "%s/%.60s", job->plots,
             job->single->script);
    snprintf(to, sizeof to, "%s.%s", job->name, ending);
    snprintf(making, sizeof making, "%s.making.%s", job->name, ending);
    snprintf(log, sizeof log, "%s.log", job->name);
    snprintf(note, sizeof note, "%s%s%s", chart->left_out,
             *chart->left_out ? ". " : "", job->single->note);
    for (size_t i = 0; i < chart->arg_count; i++)
        args[3 + i] = chart->args[i];
    drawn = charts_gnuplot_run(script, args, log, words, sizeof words);
    unlink(log);
    if (drawn && rename(making, to) == 0)
        return true;
    fprintf(job->single->text, "failed: %s: %s\n", to,
            drawn ? strerror(errno) : words);
    unlink(making);
    return false;
}

static int draw(const struct job *job)
{
    FILE *text = job->single->text;
    struct chart chart = {0};
    char data[PATH_ROOM];
    int status = CHARTS_FAILED;

    snprintf(data, sizeof data, "%s.tsv", job->name);
    chart.data = fopen(data, "w");
    if (!chart.data) {
        charts_refuse(text, "%s: %s", data, strerror(errno));
        return CHARTS_FAILED;
    }
    job->single->prepare(job->single->context, &chart);
    if ((ferror(chart.data) | fclose(chart.data)) != 0) {
        charts_refuse(text, "%s cannot be written", data);
    } else if (*chart.skip) {
        fprintf(text, "skipped: %s\n", chart.skip);
        status = CHARTS_DRAWN;
    } else if (draw_picture(job, &chart, data, "svg") &&
               draw_picture(job, &chart, data, "png")) {
        fprintf(text, "drawn: %s.svg, .png%s%s\n", job->name,
                *chart.left_out ? ": " : "", chart.left_out);
        status = CHARTS_DRAWN;
    }
    unlink(data);
    return status;
}

static int find_gnuplot(const struct job *job)
{
    char log[PATH_ROOM], version[32];
    enum charts_gnuplot_found found;

    snprintf(log, sizeof log, "%s.log", job->name);
    found = charts_gnuplot_find(log, version, sizeof version);
    unlink(log);
    if (found == GNUPLOT_READY)
        return CHARTS_DRAWN;
    charts_refuse(job->single->text,
                  "gnuplot %s; install %d.%d or newer (Debian package "
                  "gnuplot-nox)",
                  found == GNUPLOT_ABSENT ? "is not installed" : "is too old",
                  CHARTS_GNUPLOT_MAJOR, CHARTS_GNUPLOT_MINOR);
    return CHARTS_NO_GNUPLOT;
}

/* Makes the folder unless it is there. false: errno says why. */
static bool make_folder(const char *path)
{
    struct stat about;

    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST || stat(path, &about) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(about.st_mode);
}

static bool find_folders(struct job *job)
{
    const struct charts_single *single = job->single;

    if (!make_folder(single->output_given) ||
        !realpath(single->output_given, job->output))
        return charts_refuse(single->text,
                             "the pictures cannot be put into '%s': %s",
                             single->output_given, strerror(errno));
    if (!realpath(single->plots_given, job->plots))
        return charts_refuse(single->text, "the scripts are not in '%s': %s",
                             single->plots_given, strerror(errno));
    snprintf(job->name, sizeof job->name, "%s/%.200s", job->output,
             single->picture);
    return true;
}

int charts_single_draw(const struct charts_single *single)
{
    struct job job = {.single = single};
    int status;

    if (!find_folders(&job))
        return CHARTS_FAILED;
    status = find_gnuplot(&job);
    return status == CHARTS_DRAWN ? draw(&job) : status;
}
