/*
 * A result folder: everything that one run leaves behind.
 *
 *     summary.json  policies.csv  values.csv  nodes.csv  series.csv
 *     latency.csv  scenario.yaml  speed.json
 *
 * It is written under a temporary name beside its place and renamed when
 * whole, so a folder of that name is always a whole one. A former result is
 * replaced; a folder that holds anything else is not touched. Open it before
 * the run: what cannot be written is then known before an hour of simulating.
 */
#ifndef SIM_REPORT_RESULT_FOLDER_H
#define SIM_REPORT_RESULT_FOLDER_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stddef.h>

enum result_folder_status {
    RESULT_FOLDER_OK,
    RESULT_FOLDER_NOT_OURS, /* something else stands there: the user's word */
    RESULT_FOLDER_FAILED    /* the file system, or memory */
};

struct result_folder;

/* Makes the temporary folder, and the folders above it. Unless OK *ret is NULL
   and reterr, of size bytes, says why. */
enum result_folder_status result_folder_open(const char *path,
                                             struct result_folder **ret,
                                             char *reterr, size_t size);

/* effective: the effective scenario as YAML. false: reterr says why. */
bool result_folder_write(struct result_folder *folder,
                         const struct report_input *input,
                         const char *effective, char *reterr, size_t size);

/* Puts the folder in its place. false: reterr says why. */
bool result_folder_commit(struct result_folder *folder, char *reterr,
                          size_t size);

/* Removes what was not committed. NULL is allowed. */
void result_folder_close(struct result_folder *folder);

#endif
