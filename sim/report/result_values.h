/*
 * values.csv of a result folder, read back: each measure of each policy in each
 * replication, and how its verdicts were reached.
 */
#ifndef SIM_REPORT_RESULT_VALUES_H
#define SIM_REPORT_RESULT_VALUES_H

#include "sim/measure/measures.h"
#include "sim/report/charts_csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESULT_VALUES_TEXT = 1000 };

struct result_values {
    const char *folder;                /* as given; borrowed */
    char scenario[RESULT_VALUES_TEXT]; /* "quickstart (hash 0123...)" */
    char version[RESULT_VALUES_TEXT];
    char partial[RESULT_VALUES_TEXT]; /* why replications are missing; "" */
    uint64_t seed;
    enum measure_id objective;
    double confidence, min_effect;
    struct charts_csv table;
    struct charts_names policies; /* in order of the experiment */
    uint32_t most;                /* the highest number of a replication */
};

enum result_values_status {
    RESULT_VALUES_OK,
    RESULT_VALUES_BAD, /* no result folder, or not one of ours */
    RESULT_VALUES_NO_MEMORY
};

/* *ret is to be released by result_values_done whatever the status; unless OK
   reterr, of size bytes, says why. folder must outlive *ret. */
enum result_values_status result_values_load(const char *folder,
                                             struct result_values *ret,
                                             char *reterr, size_t size);
void result_values_done(struct result_values *values);

/*
 * A measure of a policy by number of replication: ret[i] is that of i + 1, NaN
 * where there is none, INFINITY where it is beyond all bounds. ret: [count].
 * false: the folder does not have this measure, or not of this policy.
 */
bool result_values_of(const struct result_values *values, const char *policy,
                      enum measure_id measure, double *ret, uint32_t count);

#endif
