/*
 * What every report is made of. All of it is borrowed for the call.
 *
 * Reports depend on scenario, seed and version alone: no clock, no locale, no
 * width of a terminal, no number of threads. Numbers are finite wherever they
 * are written; what has no value is left out with its reason.
 */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/experiment/experiment.h"
#include "sim/scenario/scenario.h"

#ifndef LBSIM_VERSION
#define LBSIM_VERSION "0.1.0" /* the build hands in that of the project */
#endif

struct report_input {
    const struct scenario *scenario;
    const struct experiment_result *result;
};

#endif
