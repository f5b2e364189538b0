/*
 * A file that is there whole or not at all: written under a temporary name
 * beside its place and renamed when all of it is on its way. Open it before the
 * work whose result it takes: what cannot be written is then known at once.
 *
 * What exists and is no regular file, such as /dev/stderr or a pipe, is written
 * as it goes.
 *
 * And the other way: a file that is read whole.
 */
#ifndef SIM_REPORT_WHOLE_FILE_H
#define SIM_REPORT_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct whole_file {
    const char *path; /* borrowed */
    char *temporary;  /* NULL: written as it goes, or closed */
    FILE *out;
};

/* false: reterr, of size bytes, says why; nothing is to be closed. */
bool whole_file_open(struct whole_file *file, const char *path, char *reterr,
                     size_t size);

/* Puts it in its place. false: reterr says why, and it is gone. */
bool whole_file_commit(struct whole_file *file, char *reterr, size_t size);

/* Removes what was not committed. */
void whole_file_close(struct whole_file *file);

/* The bytes of the file at path, with a 0 behind them; released with free(). Of
   one with more than `most` it reads a few more than that. NULL: errno says
   why. */
char *whole_file_read(const char *path, size_t most, size_t *ret_length);

#endif
