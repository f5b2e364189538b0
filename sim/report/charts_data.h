/*
 * What the charts show: from the tables of a result folder to one
 * tab-separated file and a few numbers for each script in plots/.
 *
 * All decisions that need looking at the data are made here (ranges, log or
 * linear, units of time, what is left out), so that a script only draws and
 * gnuplot never meets an empty range. The scripts' heads describe the files.
 */
#ifndef SIM_REPORT_CHARTS_DATA_H
#define SIM_REPORT_CHARTS_DATA_H

#include "sim/report/charts_csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CHART_CURVES_MAX = 24, /* more lines cannot be told apart */
    CHART_PANELS_MAX = 9,  /* more heat maps cannot be read */
    /* Letters of a name, behind which it is cut: more push the chart out of
       the picture, unless it grows. */
    CHART_NAME_USUAL = 26,
    CHART_NAME_WIDE = 72,
    CHART_ARGS_MAX = 6, /* gnuplot takes nine, three are in every chart */
    CHART_ARG_SIZE = 256,
    CHART_GOALS_MAX = 4
};

struct chart_goal {
    bool all;        /* of all requests, or of answers only */
    double quantile; /* 0.99 for P99 */
    double bound_s;
    char measure[48]; /* its column in policies.csv */
};

/* Busy and down shares of a node, and what it weighs, within a time step, as
 * sums over buckets. */
struct chart_cell {
    double use, down, weight;
    uint32_t use_count, down_count, weight_count;
};

/* A stretch of time in which a node was down, in seconds. */
struct chart_outage {
    size_t policy, node;
    double start_s, end_s;
};

struct json_t;

struct chart_input {
    bool wide_names;     /* the chart grows with its names: cut few */
    bool plain_letters;  /* no font has some names' letters: write '?' */
    char note[300];      /* the small print: scenario, seed, replications */
    size_t replications; /* 0: not known */
    struct chart_goal goals[CHART_GOALS_MAX];
    size_t goal_count;
    struct charts_csv policies, nodes, series, class_series, latency, faults;
    struct json_t *sweep;       /* sweep.json; NULL: it is no sweep */
    struct charts_names policy; /* a place here is a colour in all charts */
    struct charts_names node;   /* of nodes.csv, else of series.csv */

    /* Time steps of series.csv; step_s is 0 when there are none. */
    double start_s, step_s;
    size_t step_count;
    size_t panel_count;       /* policies with cells and outages */
    struct chart_cell *cells; /* [panel_count][node.count][step_count] */
    struct chart_outage *outages;
    size_t outage_count;
    bool nodes_absent; /* some node was not there for a while */
    bool *node_down;   /* [node.count]: for a while, in any policy's runs */
};

/* Reads the folder. False: no memory. Release with chart_input_done(). */
bool chart_input_load(struct chart_input *input, const char *folder);
void chart_input_done(struct chart_input *input);

/* A chart in the making. */
struct chart {
    FILE *data; /* its script's file, open for writing */
    char args[CHART_ARGS_MAX][CHART_ARG_SIZE];
    size_t arg_count;
    char skip[120];     /* why it cannot be drawn; "": it can */
    char left_out[120]; /* what it does not show; "": nothing */
};

/*
 * Numbers for a script's argument, parted by blanks. An empty loop in a 'plot'
 * of gnuplot's still reads its data once and complains, so what may be absent
 * (goals, faults, lines between groups) comes as a list and not as data.
 */
struct chart_list {
    char text[CHART_ARG_SIZE];
};

/* What no longer fits is left out. */
void chart_list_add(struct chart_list *list, double value);

/* The curves of a chart: the places of their policies, from 1. */
struct chart_series {
    struct chart_list styles;
    size_t count;
};

/* What the charts share: */

void chart_add_arg(struct chart *chart, const char *format, ...);

/* True, with the reason in chart->skip, when there is no row but the header. */
bool chart_lacks_rows(const struct charts_csv *table, struct chart *chart);

/* True, with the reason, when no row names a policy, or a node. */
bool chart_lacks_names(const struct charts_names *names, const char *what,
                       struct chart *chart);

/* Adds a curve; false, said in chart->left_out, when there are too many. */
bool chart_add_series(struct chart *chart, struct chart_series *series,
                      size_t policy);

/* Says, unless something else is said, what of its points is not where it
   should be: infinite ones at the upper edge, else those that are missing, such
   as "without a value left out". */
void chart_tell_gaps(struct chart *chart, size_t infinite, size_t missing,
                     const char *words);

/*
 * Writes a name so that gnuplot, told that it stands in quotes, reads it
 * unchanged. It cannot hold a quote, for which a typographic one stands in,
 * nor letters of control. Long ones are cut in the middle, for many names
 * differ in a number at their end only; elsewhere, where that would make two
 * policies or nodes look the same.
 */
void chart_put_letters(const struct chart_input *input, FILE *data,
                       const char *text);

/* Takes one letter of UTF-8 off the text, which must not be at its end. */
#define CHART_NO_LETTER UINT32_MAX /* for a byte that belongs to none */
uint32_t chart_take_letter(const char **text);

/*
 * Whether DejaVu, the charts' font, lacks the letter's script. Where no other
 * font has it either, gnuplot 5.4 draws a box as large as the picture.
 */
bool chart_is_exotic(uint32_t letter);

/* Puts '?' in place of exotic letters. */
void chart_make_plain(char *text);

/* Letters of the longest name as it is written; wide: with wide_names. */
size_t chart_longest_name(const struct charts_names *names, bool wide);

/* Begins the block of a curve: its first line is the text of its key. */
void chart_put_key(const struct chart_input *input, FILE *data, size_t policy);

/*
 * The node to be named after the node before (SIZE_MAX for the first), or
 * node.count: all when they are at most room, else about room of them, where
 * those that were down go first.
 */
size_t chart_next_name(const struct chart_input *input, size_t before,
                       size_t room);

void chart_end_block(FILE *data);

/* The unit of all axes of time, in seconds; START, END and UNIT of an axis;
   when faults struck, in any policy's runs; when there are too many, none, and
   the chart says so. */
double chart_time_unit_s(const struct chart_input *input);
void chart_add_time_args(const struct chart_input *input, struct chart *chart);
void chart_add_fault_args(const struct chart_input *input, struct chart *chart);

/* A block of what ails nodes in a panel: start, node, end, colour; and the
   kinds that there are, each after a blank. */
void chart_put_strikes(const struct chart_input *input, size_t panel,
                       double unit_s, FILE *data);
void chart_list_bands(const struct chart_input *input, char *text, size_t size);

/* The next row of faults.csv after `before` (0: the first) that says when
   something struck by the clock that does not kill, of the first policy;
   0: there is none. */
size_t chart_next_strike(const struct chart_input *input, size_t before,
                         double *ret_at_s);

/* A measure of policies.csv; suffix "", "_lo" or "_hi". NaN: not given. */
double chart_measure(const struct chart_input *input, size_t policy,
                     const char *measure, const char *suffix);

/* Each writes chart->data and adds the script's arguments, or says why not. */
void chart_latency_cdf(const struct chart_input *input, struct chart *chart);
void chart_policies(const struct chart_input *input, struct chart *chart);
void chart_nodes(const struct chart_input *input, struct chart *chart);
void chart_heatmap(const struct chart_input *input, struct chart *chart);
void chart_weights(const struct chart_input *input, struct chart *chart);
void chart_classes(const struct chart_input *input, struct chart *chart);
void chart_refused(const struct chart_input *input, struct chart *chart);
void chart_degraded(const struct chart_input *input, struct chart *chart);
/* Whether the run has what they show. */
bool chart_has_classes(const struct chart_input *input);
bool chart_has_refusals(const struct chart_input *input);
bool chart_has_degraded(const struct chart_input *input);
void chart_timeline(const struct chart_input *input, struct chart *chart);
void chart_sweep(const struct chart_input *input, struct chart *chart);
void chart_winners(const struct chart_input *input, struct chart *chart);
void chart_crossovers(const struct chart_input *input, struct chart *chart);
void chart_difference(const struct chart_input *input, struct chart *chart);
/* Whether it is the chart for the sweep in the folder, if there is one. */
bool chart_is_sweep(const struct chart_input *input);
bool chart_is_winners(const struct chart_input *input);
bool chart_is_crossovers(const struct chart_input *input);
bool chart_is_difference(const struct chart_input *input);
void chart_in_flight(const struct chart_input *input, struct chart *chart);
void chart_hits(const struct chart_input *input, struct chart *chart);
void chart_members(const struct chart_input *input, struct chart *chart);
void chart_panics(const struct chart_input *input, struct chart *chart);
void chart_ejected(const struct chart_input *input, struct chart *chart);
void chart_door_queue(const struct chart_input *input, struct chart *chart);
void chart_admission_limit(const struct chart_input *input,
                           struct chart *chart);

#endif
