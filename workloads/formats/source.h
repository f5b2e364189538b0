/*
 * The bytes of a file, unpacked: plain text, gzip or zstd.
 *
 * Which of the three it is, the first bytes tell and never the name. Memory
 * does not grow with the file, however much a small compressed one unpacks
 * to. Data that ends too early or is damaged is an error and never a short
 * file: what was unpacked before is still delivered, then source_error speaks.
 */
#ifndef WORKLOADS_FORMATS_SOURCE_H
#define WORKLOADS_FORMATS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_kind { SOURCE_PLAIN, SOURCE_GZIP, SOURCE_ZSTD };

#define SOURCE_ERROR_SIZE 200

/* Says whether a file is still the one that was read before. */
struct source_identity {
    uint64_t device, inode, size;
    int64_t changed_ns;
};

struct source;

/* NULL: reterr_text says why, as the end of a sentence about the file. */
struct source *source_open(const char *path,
                           char reterr_text[SOURCE_ERROR_SIZE]);
void source_close(struct source *source);

/* Unpacked bytes, at most size, which is above 0. 0: the end, or an error. */
size_t source_read(struct source *source, void *bytes, size_t size);

/* NULL: no error so far. */
const char *source_error(const struct source *source);

enum source_kind source_kind(const struct source *source);

/* True for a regular file: it may be opened again. A pipe may not. */
bool source_rereadable(const struct source *source);

/* Continues at a byte of a plain regular file. false: cannot. */
bool source_seek(struct source *source, uint64_t offset);

struct source_identity source_identity(const struct source *source);
bool source_identity_equal(const struct source_identity *a,
                           const struct source_identity *b);

#endif
