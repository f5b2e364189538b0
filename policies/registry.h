/*
 * registry.h - the policies that are built in.
 *
 * Nothing else knows a policy by name. A policy from a shared object is not
 * listed here; it is found by its symbol lbp_entry (lbp.h).
 */
#ifndef POLICIES_REGISTRY_H
#define POLICIES_REGISTRY_H

#include "policies/lbp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The policy of that name, of length bytes, or NULL. */
const struct lbp_ops *lbp_registry_find(const char *name, size_t length);

/* All of them, *ret_count in number, in the order of the documentation. */
const struct lbp_ops *const *lbp_registry_list(uint32_t *ret_count);

/*
 * The policy that is meant by a name of another proxy, paper or habit: "p2c",
 * "lc", "Round-Robin", "consistent_hash". For hints alone, so that everything
 * written has one name. NULL: no such policy is built in.
 */
const char *lbp_registry_meant(const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
