/*
 * What the parts of 'lbsim compare' share: its options, which measures are
 * compared, and how a comparison is printed.
 */
#ifndef SIM_CLI_COMPARE_PARTS_H
#define SIM_CLI_COMPARE_PARTS_H

#include "sim/cli/frame.h"
#include "sim/experiment/compare.h"
#include "sim/report/compare_report.h"

#include <stdbool.h>
#include <stdint.h>

#define COMPARE_REPLICATIONS_MAX 1000000u
#define COMPARE_FIRST_LOOK_LEAST 5u /* fewer tell little about their spread */

struct compare_options {
    struct frame frame;
    const char **arguments; /* [argument_count] */
    size_t argument_count;
    enum measure_id measures[MEASURE_COUNT]; /* asked for */
    uint32_t measure_count;
    bool all_measures;
    bool all_pairs, power;
    double until;  /* NaN: not said */
    uint32_t most; /* replications; 0: not said */
};

/* The measures to be compared, the objective first. */
struct compare_choice {
    enum measure_id ids[MEASURE_COUNT];
    uint32_t count;
};

/* What was asked for, else what goals name and most people ask first. goals:
   [goal_count]; sides: [side_count], whose values decide what there is. */
void compare_choose(const struct compare_options *options,
                    enum measure_id objective, const struct goal_spec *goals,
                    uint32_t goal_count, const struct compare_side *sides,
                    uint32_t side_count, struct compare_choice *ret);

/* How a comparison is printed, and how a power curve is: the same names in the
   same order, for which it is may be said after the format. */
extern const struct frame_writer compare_formats[], compare_power_formats[];

/* The two kinds of comparison, of a scenario as frame_run() hands it over with
   the options. They return the exit status. */
int compare_scenario(void *options, struct scenario *scenario);
int compare_result_folders(const struct compare_options *options);

#endif
