/*
 * shared_policy.h - a policy from a shared object.
 *
 * The object exports lbp_entry alone (policies/lbp.h). Before anything of it
 * is used, the file is looked at, the object is opened by itself
 * (RTLD_LOCAL: two objects may use the same names inside), its version and its
 * table are checked. Opening runs code of the object, as dlopen() does.
 */
#ifndef SIM_SCENARIO_SHARED_POLICY_H
#define SIM_SCENARIO_SHARED_POLICY_H

#include "policies/lbp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARED_POLICY_REASON 400

struct shared_policy {
    void *handle;       /* of dlopen() */
    struct lbp_ops ops; /* a copy, whole at this version */
    uint64_t hash;      /* XXH64 of the file, for results to show */
};

/* Why an object cannot serve, in a user's words. */
struct shared_policy_error {
    char reason[SHARED_POLICY_REASON];
    const char *hint; /* may be NULL */
    bool not_kept;    /* it is an object with lbp_entry, but what it says of
                         itself breaks the contract */
};

/*
 * Opens the object in the file at path. False: reterr says why, and nothing is
 * open. Texts and functions of ops live until shared_policy_close().
 */
bool shared_policy_open(struct shared_policy *shared, const char *path,
                        struct shared_policy_error *reterr);

/* Accepts what is all zero. */
void shared_policy_close(struct shared_policy *shared);

#endif
