/*
 * A file in which finished simulations are kept, so that none is run twice: an
 * SQLite database.
 *
 * A row is found by what decides its content and by nothing else: the
 * program (its version and a hash of its own machine code), the scenario
 * (sim/scenario/identity.h: settings that matter to a single run, and the
 * content of its files), the policy with its parameters, the replication, and
 * the warm-up that was cut. So rows of another scenario, another build or a
 * changed trace are never taken for ours; and more replications, other goals
 * or another list of policies still find what was run before.
 *
 * Killed at any moment, the file holds whole rows: those up to a fraction of a
 * second before. It is in write-ahead mode, so for as long as it is open, and
 * after a kill until it is opened again, "FILE-wal" and "FILE-shm" lie beside
 * it and belong to it. Several processes of one machine may share a file.
 *
 * Nothing here is ever on standard output.
 */
#ifndef SIM_EXPERIMENT_STORE_H
#define SIM_EXPERIMENT_STORE_H

#include "sim/experiment/shelf.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

enum store_status {
    STORE_OK,
    STORE_UNFIT, /* no store, one of a later version, or damaged: the user's
                    word is needed */
    STORE_FAILED /* the file system, or memory */
};

/*
 * Opens the file at path, or makes it. fresh: what an existing store holds is
 * given up first, also a damaged one; a file that is no store is not touched,
 * and one that another process has open is UNFIT.
 * Unless OK *ret is NULL and reterr, of size bytes, says why and what to do.
 */
enum store_status store_open(const char *path, bool fresh, struct store **ret,
                             char *reterr, size_t size);

/*
 * A shelf for an experiment with the scenario, whose trace is open; both are
 * needed until the experiment has ended. Ends the former shelf. false:
 * store_error() says why.
 */
bool store_begin(struct store *store, const struct scenario *scenario,
                 struct run_shelf *ret);

/* Notes what was asked for, for people and programs that find the file:
   effective is a scenario as YAML. false: store_error() says why. */
bool store_note(struct store *store, const char *name, const char *effective);

/* Simulations taken from the store, and put into it, since it was opened. */
struct store_counts {
    uint64_t found, kept;
};
struct store_counts store_counts(const struct store *store);

/* The file's name as it was given; and whether no simulation is in it. */
const char *store_path(const struct store *store);
bool store_is_empty(const struct store *store);

/* Why nothing was found, if nothing was although there is something in the
   store: "its 12 simulations are of another build of lbsim". NULL: no reason.
   text holds size bytes. */
const char *store_stranger(const struct store *store, char *text, size_t size);

/* Drops what was there when the store was opened and not found since, and gives
   the room back; nothing while another process has it open. false:
   store_error() says why. */
bool store_prune(struct store *store);

/* Writes what waits to be written; if_due: only when that was not done for a
   fifth of a second. false: store_error() says why. */
bool store_flush(struct store *store);
bool store_flush_if_due(struct store *store);

/* What failed first, as a sentence with the file's name. */
const char *store_error(const struct store *store);

/* Accepts NULL. What was not flushed is lost. */
void store_close(struct store *store);

#endif
