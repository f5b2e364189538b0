/* For realpath(). NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _XOPEN_SOURCE 700

#include "sim/report/charts.h"

#include "sim/report/charts_data.h"
#include "sim/report/charts_gnuplot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct kind {
    const char *name;   /* of the pictures */
    const char *script; /* may draw several kinds */
    void (*prepare)(const struct chart_input *, struct chart *);
    bool (*fits)(const struct chart_input *); /* NULL: of every run, no sweep */
    const char *column; /* of a mechanism: nothing is said of the kind where
                           series.csv lacks this; NULL: of every run */
};

static const struct kind kinds[] = {
    {"latency_cdf", "latency_cdf", chart_latency_cdf, NULL, NULL},
    {"policies", "policies", chart_policies, NULL, NULL},
    {"nodes", "nodes", chart_nodes, NULL, NULL},
    {"heatmap", "heatmap", chart_heatmap, NULL, NULL},
    {"timeline", "timeline", chart_timeline, NULL, NULL},
    {"in_flight", "over_time", chart_in_flight, NULL, NULL},
    {"hits", "over_time", chart_hits, NULL, NULL},
    {"members", "over_time", chart_members, NULL, "nodes_mean"},
    {"weights", "heatmap", chart_weights, NULL, "weight_mean"},
    {"classes", "classes", chart_classes, chart_has_classes, NULL},
    {"refused", "stacked", chart_refused, chart_has_refusals, NULL},
    {"degraded", "stacked", chart_degraded, chart_has_degraded, NULL},
    {"panics", "over_time", chart_panics, NULL, "panic_ratio"},
    {"ejected", "over_time", chart_ejected, NULL, "ejected_ratio"},
    {"door_queue", "over_time", chart_door_queue, NULL,
     "door_queue_mean_requests"},
    {"admission_limit", "over_time", chart_admission_limit, NULL,
     "admission_limit_mean_requests"},
    {"sweep", "against", chart_sweep, chart_is_sweep, NULL},
    {"winners", "winners", chart_winners, chart_is_winners, NULL},
    {"crossovers", "against", chart_crossovers, chart_is_crossovers, NULL},
    {"difference", "against", chart_difference, chart_is_difference, NULL},
};
static const char *const endings[] = {"svg", "png"};

enum {
    KIND_COUNT = sizeof kinds / sizeof kinds[0],
    ENDING_COUNT = sizeof endings / sizeof endings[0],
    PATH_ROOM = PATH_MAX + 64 /* a folder and the names we add to it */
};

struct drawing {
    struct chart_input input;
    const char *given;     /* the result folder as the user wrote it */
    char folder[PATH_MAX]; /* absolute, so that no path begins with '<' */
    char plots[PATH_MAX];
    char charts[PATH_ROOM];  /* where the pictures go */
    char scratch[PATH_ROOM]; /* where they are made */
    FILE *text;              /* for the user */
    bool failed;
};

static void path_in(char *path, const char *folder, const char *name,
                    const char *ending)
{
    snprintf(path, PATH_ROOM, "%.*s/%s.%s", PATH_MAX, folder, name, ending);
}

/*
 * gnuplot embeds a heat map as a small picture, which viewers of SVG would
 * smooth into a blur; this asks for sharp cells. copy is renamed to to.
 */
static bool finish_svg(const char *from, const char *copy, const char *to)
{
    static const char sharp[] = "<image style='image-rendering:optimizeSpeed;"
                                "image-rendering:pixelated'";
    FILE *in = fopen(from, "r"), *out = fopen(copy, "w");
    char *line = NULL;
    size_t room = 0;
    bool whole = in && out;

    while (whole && getline(&line, &room, in) >= 0) {
        char *image = strstr(line, "<image ");

        if (image)
            fprintf(out, "%.*s%s%s", (int)(image - line), line, sharp,
                    image + strlen("<image"));
        else
            fputs(line, out);
    }
    free(line);
    whole = whole && !ferror(in);
    if (in)
        fclose(in);
    if (out && (ferror(out) | fclose(out)) != 0)
        whole = false;
    return whole && rename(copy, to) == 0;
}

static bool finish_picture(struct drawing *drawing, const char *from,
                           const char *name, const char *ending)
{
    char copy[PATH_ROOM], to[PATH_ROOM];

    path_in(to, drawing->charts, name, ending);
    if (strcmp(ending, "svg") != 0)
        return rename(from, to) == 0;
    path_in(copy, drawing->scratch, name, "copy");
    if (finish_svg(from, copy, to))
        return true;
    unlink(copy);
    return false;
}

static bool draw_picture(struct drawing *drawing, const struct kind *kind,
                         const struct chart *chart, const char *ending)
{
    char script[PATH_ROOM], from[PATH_ROOM], data[PATH_ROOM], log[PATH_ROOM];
    char words[200];
    char note[sizeof drawing->input.note + sizeof chart->left_out + 4];
    const char *args[4 + CHART_ARGS_MAX] = {from, data, note};
    bool drawn;

    path_in(script, drawing->plots, kind->script, "gp");
    path_in(from, drawing->scratch, kind->name, ending);
    path_in(data, drawing->scratch, kind->name, "tsv");
    path_in(log, drawing->scratch, "gnuplot", "log");
    snprintf(note, sizeof note, "%s%s%s", chart->left_out,
             *chart->left_out ? ". " : "", drawing->input.note);
    for (size_t i = 0; i < chart->arg_count; i++)
        args[3 + i] = chart->args[i];
    drawn = charts_gnuplot_run(script, args, log, words, sizeof words);
    if (!drawn)
        fprintf(drawing->text, "failed: %s.%s: %s\n", kind->name, ending,
                words);
    else if (!finish_picture(drawing, from, kind->name, ending)) {
        fprintf(drawing->text, "failed: %s.%s: %s\n", kind->name, ending,
                strerror(errno));
        drawn = false;
    }
    unlink(from);
    unlink(log);
    return drawn;
}

/* A picture of earlier results would be taken for one of these. */
static void remove_picture(struct drawing *drawing, const char *name,
                           const char *ending)
{
    char path[PATH_ROOM];

    path_in(path, drawing->charts, name, ending);
    unlink(path);
}

static bool ends_in_slash(const char *path)
{
    size_t length = strlen(path);

    return length > 0 && path[length - 1] == '/';
}

static void draw_formats(struct drawing *drawing, const struct kind *kind,
                         const struct chart *chart)
{
    size_t drawn = 0;

    for (size_t i = 0; i < ENDING_COUNT; i++) {
        if (!*chart->skip && draw_picture(drawing, kind, chart, endings[i]))
            drawn++;
        else
            remove_picture(drawing, kind->name, endings[i]);
    }
    if (*chart->skip)
        fprintf(drawing->text, "skipped: %s: %s\n", kind->name, chart->skip);
    else if (drawn == ENDING_COUNT)
        fprintf(drawing->text, "drawn: %s%scharts/%s.svg, .png%s%s\n",
                drawing->given, ends_in_slash(drawing->given) ? "" : "/",
                kind->name, *chart->left_out ? ": " : "", chart->left_out);
    else
        drawing->failed = true;
}

static bool is_of_this_run(const struct drawing *drawing,
                           const struct kind *kind)
{
    const struct charts_csv *series = &drawing->input.series;

    if (drawing->input.sweep || kind->fits)
        return kind->fits && kind->fits(&drawing->input);
    return !kind->column ||
           charts_csv_column(series, kind->column) < series->column_count;
}

static void draw_chart(struct drawing *drawing, const struct kind *kind)
{
    struct chart chart = {0};
    char path[PATH_ROOM];

    path_in(path, drawing->scratch, kind->name, "tsv");
    chart.data = fopen(path, "w");
    if (!chart.data) {
        fprintf(drawing->text, "failed: %s: %s\n", path, strerror(errno));
        drawing->failed = true;
        return;
    }
    kind->prepare(&drawing->input, &chart);
    if ((ferror(chart.data) | fclose(chart.data)) != 0) {
        fprintf(drawing->text, "failed: %s: cannot be written\n", path);
        drawing->failed = true;
    } else {
        draw_formats(drawing, kind, &chart);
    }
    unlink(path);
}

/* Paths without "." and links; false with a line for the user. */
static bool find_folder(struct drawing *drawing, const char *what,
                        const char *given, char *ret_path)
{
    if (given && realpath(given, ret_path))
        return true;
    fprintf(drawing->text, "no charts: %s '%s': %s\n", what, given ? given : "",
            strerror(given ? errno : ENOENT));
    return false;
}

static bool make_folders(struct drawing *drawing)
{
    snprintf(drawing->charts, PATH_ROOM, "%s/charts", drawing->folder);
    snprintf(drawing->scratch, PATH_ROOM, "%s/charts/.making-XXXXXX",
             drawing->folder);
    if ((mkdir(drawing->charts, 0777) == 0 || errno == EEXIST) &&
        mkdtemp(drawing->scratch))
        return true;
    fprintf(drawing->text, "no charts: %s: %s\n", drawing->charts,
            strerror(errno));
    return false;
}

static bool find_gnuplot(struct drawing *drawing)
{
    char log[PATH_ROOM], version[32];
    enum charts_gnuplot_found found;

    path_in(log, drawing->scratch, "version", "log");
    found = charts_gnuplot_find(log, version, sizeof version);
    unlink(log);
    if (found == GNUPLOT_READY)
        return true;
    if (found == GNUPLOT_UNKNOWN) {
        fputs("no charts: out of memory\n", drawing->text);
        drawing->failed = true;
        return false;
    }
    fputs("no charts: gnuplot ", drawing->text);
    if (found == GNUPLOT_ABSENT)
        fputs("is not installed", drawing->text);
    else
        fprintf(drawing->text, "%s is too old", version);
    fprintf(drawing->text,
            "; to draw them later, install %d.%d or newer (Debian package "
            "gnuplot-nox) and run: lbsim plot '%s'\n",
            CHARTS_GNUPLOT_MAJOR, CHARTS_GNUPLOT_MINOR, drawing->given);
    return false;
}

/* Whether fonts have all the letters of a text; asks about each kind once. */
static bool fonts_have(const char *text, const char *log, uint32_t *known)
{
    while (*text) {
        uint32_t letter = chart_take_letter(&text);

        if (!chart_is_exotic(letter) || letter >> 7 == *known >> 7)
            continue;
        if (!charts_font_has(letter, log))
            return false;
        *known = letter; /* fonts cover scripts, not single letters */
    }
    return true;
}

static void check_fonts(struct drawing *drawing)
{
    struct chart_input *input = &drawing->input;
    char log[PATH_ROOM];
    uint32_t known = 0;
    bool enough;

    path_in(log, drawing->scratch, "fonts", "log");
    enough = fonts_have(input->note, log, &known);
    for (size_t i = 0; enough && i < input->policy.count; i++)
        enough = fonts_have(input->policy.at[i], log, &known);
    for (size_t i = 0; enough && i < input->node.count; i++)
        enough = fonts_have(input->node.at[i], log, &known);
    unlink(log);
    if (enough)
        return;
    input->plain_letters = true;
    chart_make_plain(input->note);
    fputs("no font has some letters of the names: they are drawn as '?' "
          "(Debian package fonts-noto-cjk has Chinese, Japanese, Korean)\n",
          drawing->text);
}

static bool is_result_folder(struct drawing *drawing)
{
    const struct chart_input *input = &drawing->input;

    if (input->sweep)
        return true;
    if (input->policies.row_count + input->nodes.row_count +
            input->series.row_count + input->latency.row_count >
        0)
        return true;
    fprintf(drawing->text,
            "no charts: %s: not a result folder, it has none of policies.csv, "
            "nodes.csv, series.csv and latency.csv\n",
            drawing->given);
    return false;
}

static int draw_all(struct drawing *drawing)
{
    if (!make_folders(drawing))
        return CHARTS_FAILED;
    if (!find_gnuplot(drawing)) {
        rmdir(drawing->scratch);
        rmdir(drawing->charts); /* goes only if it is empty */
        return CHARTS_NO_GNUPLOT;
    }
    check_fonts(drawing);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (is_of_this_run(drawing, &kinds[i]))
            draw_chart(drawing, &kinds[i]);
        else
            for (size_t j = 0; j < ENDING_COUNT; j++)
                remove_picture(drawing, kinds[i].name, endings[j]);
    }
    rmdir(drawing->scratch);
    rmdir(drawing->charts);
    return drawing->failed ? CHARTS_FAILED : CHARTS_DRAWN;
}

static int draw_folder(struct drawing *drawing, const char *folder,
                       const char *plots_folder)
{
    drawing->given = folder;
    if (!find_folder(drawing, "result folder", folder, drawing->folder))
        return CHARTS_BAD_FOLDER;
    if (!find_folder(drawing, "folder of gnuplot scripts", plots_folder,
                     drawing->plots))
        return CHARTS_FAILED;
    if (!chart_input_load(&drawing->input, drawing->folder)) {
        fputs("no charts: no memory\n", drawing->text);
        return CHARTS_FAILED;
    }
    if (!is_result_folder(drawing))
        return CHARTS_BAD_FOLDER;
    return draw_all(drawing);
}

int charts_draw(const char *folder, const char *plots_folder, char **ret_text)
{
    struct drawing *drawing = calloc(1, sizeof *drawing);
    size_t size;
    int status = CHARTS_FAILED;

    *ret_text = NULL;
    if (drawing)
        drawing->text = open_memstream(ret_text, &size);
    if (drawing && drawing->text) {
        status = draw_folder(drawing, folder, plots_folder);
        chart_input_done(&drawing->input);
        if (fclose(drawing->text) != 0)
            status = CHARTS_FAILED;
    }
    free(drawing);
    return status;
}
