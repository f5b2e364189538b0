/*
 * A folder of this process for targets that read files; in memory where the
 * machine has such a place. It goes when the process ends as it should.
 */
#ifndef TESTS_FUZZ_SCRATCH_H
#define TESTS_FUZZ_SCRATCH_H

#include <stddef.h>

/* The folder's path, made at the first call. Ends the process on failure. */
const char *scratch_folder(void);

/* Writes FOLDER/name anew and returns its path, valid until the next call. */
const char *scratch_write(const char *name, const void *bytes, size_t size);

#endif
