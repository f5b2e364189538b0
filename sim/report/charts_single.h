/*
 * One picture that is no part of a result folder: from a prepared chart to
 * NAME.svg and NAME.png, in a folder that the user names.
 */
#ifndef SIM_REPORT_CHARTS_SINGLE_H
#define SIM_REPORT_CHARTS_SINGLE_H

#include "sim/report/charts_data.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct charts_single {
    const char *plots_given, *output_given; /* as the user named them */
    const char *script;                     /* "against.gp" */
    const char *picture;                    /* name without folder and ending */
    const char *note;                       /* the small print */
    FILE *text;                             /* for the user */
    /* Writes chart->data and adds the script's arguments, or says why not. */
    void (*prepare)(void *context, struct chart *chart);
    void *context;
};

/* Returns an enum charts_status; lines for the user go to text. The folder is
   made if need be. */
int charts_single_draw(const struct charts_single *single);

/* "no chart: ..." to text; returns false. */
__attribute__((format(printf, 2, 3))) bool
charts_refuse(FILE *text, const char *format, ...);

#endif
