/*
 * A result folder: everything that one run leaves behind.
 *
 *     summary.json  policies.csv  values.csv  nodes.csv  series.csv
 *     latency.csv  scenario.yaml  speed.json
 *
 * and runs.sqlite, the store of finished simulations (sim/experiment/store.h),
 * which is there from the beginning of the run and outlives it.
 *
 * What is written goes into a folder beside it, "<folder>.lbsim-new"; when that
 * is whole, the store joins it, and the two folders change places at once. So
 * at any moment, also after a kill, the folder holds one of three things: a
 * whole result with its summary.json, the former one until then; nothing but
 * the store, when there was no former one; or nothing at all. What a kill left
 * beside it goes when the folder is next opened. (File systems that cannot
 * exchange two folders have a moment without either; the former one is then
 * "<folder>.lbsim-old", and is put back.)
 *
 * A former result is replaced; a folder that holds anything else is not
 * touched. One run at a time has it: it is locked until closed. Open it before
 * the run: what cannot be written is then known before an hour of simulating.
 */
#ifndef SIM_REPORT_RESULT_FOLDER_H
#define SIM_REPORT_RESULT_FOLDER_H

#include "sim/report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The store's name in it. */
#define RESULT_FOLDER_STORE "runs.sqlite"

enum result_folder_status {
    RESULT_FOLDER_OK,
    RESULT_FOLDER_NOT_OURS, /* something else stands there, or another run has
                               it: the user's word is needed */
    RESULT_FOLDER_FAILED    /* the file system, or memory */
};

struct result_folder;

/* Makes the folder, the temporary one, and the folders above. Unless OK *ret is
   NULL and reterr, of size bytes, says why. */
enum result_folder_status result_folder_open(const char *path,
                                             struct result_folder **ret,
                                             char *reterr, size_t size);

/* effective: the effective scenario as YAML. false: reterr says why. */
bool result_folder_write(struct result_folder *folder,
                         const struct report_input *input,
                         const char *effective, char *reterr, size_t size);

/* One file more, or of a result of another kind; name is one of those that a
   folder may hold. write: false when there is no memory. */
bool result_folder_add(struct result_folder *folder, const char *name,
                       bool (*write)(const void *context, FILE *out),
                       const void *context, char *reterr, size_t size);

/* Where its store is, or would be. */
const char *result_folder_store(const struct result_folder *folder);

/* Removes the store, which is closed, unless it was there before: for one that
   holds nothing. */
void result_folder_drop_store(const struct result_folder *folder);

/* Puts the result in its place. The store is closed. false: reterr says why. */
bool result_folder_commit(struct result_folder *folder, char *reterr,
                          size_t size);

/* Removes what was not committed, but for the store. NULL is allowed. */
void result_folder_close(struct result_folder *folder);

#endif
