#include "sim/report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT 3
#define MOST_DECIMALS 9
#define ROUNDING 1e-12 /* a share nearer to 1 is 1 but for its arithmetic */

const char *number_exact(char text[NUMBER_SIZE], double value)
{
    text[0] = 0;
    if (isfinite(value))
        snprintf(text, NUMBER_SIZE, "%.9g", value == 0 ? 0.0 : value);
    return text;
}

/* The exponent is read from printf's own text: it knows how the digits round,
   which log10 does not. */
static int decimals_of(double value)
{
    char text[NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*e", SIGNIFICANT - 1, value);
    int exponent = atoi(strchr(text, 'e') + 1);
    int decimals = SIGNIFICANT - 1 - exponent;

    if (value == 0 || decimals < 0)
        return 0;
    return decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

const char *number_short(char text[NUMBER_SIZE], double value)
{
    if (isnan(value))
        snprintf(text, NUMBER_SIZE, "-");
    else if (isinf(value))
        snprintf(text, NUMBER_SIZE, "infinite");
    else if (fabs(value) >= 1e15)
        snprintf(text, NUMBER_SIZE, "%.3g", value);
    else
        snprintf(text, NUMBER_SIZE, "%.*f", decimals_of(value),
                 value == 0 ? 0.0 : value);
    return text;
}

const char *number_half_width(char text[NUMBER_SIZE], double value, double half)
{
    int decimals = decimals_of(value);
    double scale = 1;

    if (!isfinite(half) || fabs(value) >= 1e15)
        return number_short(text, half);
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    /* What is a whole number of units but for rounding stays that number. */
    snprintf(text, NUMBER_SIZE, "%.*f", decimals,
             ceil(half * scale * (1 - 1e-12)) / scale);
    return text;
}

/* Two decimals, or as many as keep the text from being 100; ROUNDING bounds
   them. */
static void write_nines(char text[NUMBER_SIZE], double percent)
{
    int decimals = 2;

    do {
        snprintf(text, NUMBER_SIZE, "%.*f %%", decimals++, percent);
    } while (strncmp(text, "100", 3) == 0);
}

const char *number_percent(char text[NUMBER_SIZE], double share)
{
    double percent = 100 * share;

    if (!isfinite(share))
        return number_short(text, share);
    if (share > 0.999 && share < 1 - ROUNDING)
        write_nines(text, percent);
    else if (share > 0 && percent < 0.05)
        snprintf(text, NUMBER_SIZE, "<0.1 %%");
    else
        snprintf(text, NUMBER_SIZE, "%.1f %%", percent == 0 ? 0.0 : percent);
    return text;
}
