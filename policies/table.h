/*
 * table.h - whether a policy's table of itself makes sense.
 *
 * A host reads struct lbp_ops, the table of parameters and the names of terms
 * before it calls anything. Those of a built-in policy are right because they
 * are tested; those of a shared object are somebody else's, and one wrong
 * offset there would have the host write into memory that is not the config's.
 * So hosts that load objects look here first.
 */
#ifndef POLICIES_TABLE_H
#define POLICIES_TABLE_H

#include "policies/lbp.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copies the table that an object's lbp_entry has given into *ret, which is a
 * whole one at this version whatever size the object knows: what it has beyond
 * is left out, what it lacks is NULL. False when abi or size rule it out;
 * reterr, of reterr_size bytes, says why.
 */
bool lbp_table_adopt(const struct lbp_ops *theirs, struct lbp_ops *ret,
                     char *reterr, size_t reterr_size);

/*
 * Looks at all that can be seen without a call: callbacks that must be there,
 * texts, needs, terms, and of each parameter its name, kind, place in the
 * config, range and preset. False: reterr names the first thing that is wrong.
 * Takes strings for ended and tables for ended within 256 rows.
 */
bool lbp_table_check(const struct lbp_ops *ops, char *reterr,
                     size_t reterr_size);

/* Whether this host knows all that is needed: what ops.needs says, or
   ops.also_needs of a config. False: reterr says what it does not. */
bool lbp_table_check_needs(uint32_t needs, char *reterr, size_t reterr_size);

/* Whether a text may name a policy or a parameter: a letter, then letters,
   digits, '_', '-' or '.', at most 60 bytes. */
bool lbp_table_is_name(const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
