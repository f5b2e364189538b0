/*
 * Result folders as sides of a comparison: each policy of the first with the
 * same one in the others, or else with that of its name whose parameters
 * differ, the first of several with the first. Where each folder has one
 * policy, these are compared whatever their names.
 *
 * Results of one seed are pairs, replication by replication, whatever else
 * differs between them: that is what is compared, and it is named. Results of
 * other seeds are independent series.
 */
#ifndef SIM_REPORT_COMPARE_FOLDERS_H
#define SIM_REPORT_COMPARE_FOLDERS_H

#include "sim/core/arena.h"
#include "sim/experiment/compare.h"
#include "sim/report/notes.h"
#include "sim/report/result_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compare_folders {
    struct result_values *results; /* [count]; the first one's objective,
                                      confidence and min_effect count */
    size_t count;
    struct compare_side *sides; /* [side_count], labels "policy in folder" */
    uint32_t side_count;
    struct compare_pair *pairs; /* [pair_count] */
    uint32_t pair_count;
    uint32_t replications; /* values of each side, present or not */
    bool unpaired;
    struct notes notes; /* what the folders are, and in what they differ */
    struct arena arena;
};

/* folders: [count], two or more; they must outlive *ret. *ret is to be
   released by compare_folders_done whatever the status; unless OK reterr, of
   size bytes, says why. */
enum result_values_status compare_folders_load(const char *const *folders,
                                               size_t count,
                                               struct compare_folders *ret,
                                               char *reterr, size_t size);
void compare_folders_done(struct compare_folders *folders);

#endif
