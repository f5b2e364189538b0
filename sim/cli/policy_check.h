/*
 * policy_check.h - 'lbsim policies --check': the conformance kit as a command.
 */
#ifndef SIM_CLI_POLICY_CHECK_H
#define SIM_CLI_POLICY_CHECK_H

#include "policies/lbp.h"
#include "sim/cli/options.h"

#include <stdint.h>

#define POLICY_CHECK_LIMIT_NS 10000000000

struct policy_check {
    struct texts params; /* "name=value" */
    int64_t limit_ns;    /* for each promise */
};

/* Both print a line for each promise and return an exit status. Of a shared
   object, path is its file; of a built-in policy, file is NULL. */
int policy_check_object(const struct policy_check *check, const char *path);
int policy_check_ops(const struct policy_check *check,
                     const struct lbp_ops *ops, const char *file);

#endif
