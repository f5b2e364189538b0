#include "workloads/formats/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define INPUT_SIZE 65536

/* Where one step of unpacking writes to. */
struct output {
    unsigned char *bytes;
    size_t size, used;
};

struct source {
    int fd;
    enum source_kind kind;
    struct stat status;
    bool failed, file_ended;
    bool inside;          /* a gzip member or zstd frame that has begun */
    unsigned char *input; /* [INPUT_SIZE], as stored in the file */
    size_t input_size, input_used;
    uint64_t read_bytes, unpacked_bytes;
    z_stream gzip;
    ZSTD_DStream *zstd;
    char error[SOURCE_ERROR_SIZE];
};

/* What people also have lying about; recognised to say so. */
static const struct {
    const char *name;
    unsigned char length, magic[6];
} strangers[] = {
    {"xz data", 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
    {"bzip2 data", 3, {'B', 'Z', 'h'}},
    {"a zip archive", 4, {'P', 'K', 3, 4}},
    {"a Parquet file", 4, {'P', 'A', 'R', '1'}},
    {"UTF-16 text", 2, {0xff, 0xfe}},
    {"UTF-16 text", 2, {0xfe, 0xff}},
};

__attribute__((format(printf, 2, 3))) static void fail(struct source *source,
                                                       const char *format, ...)
{
    va_list arguments;

    source->failed = true;
    va_start(arguments, format);
    vsnprintf(source->error, sizeof source->error, format, arguments);
    va_end(arguments);
}

static const char *kind_name(const struct source *source)
{
    return source->kind == SOURCE_GZIP ? "gzip" : "zstd";
}

/* Bytes of the file itself. 0: its end, or an error. */
static size_t read_file(struct source *source, void *bytes, size_t size)
{
    ssize_t got;

    do
        got = read(source->fd, bytes, size);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        fail(source, "cannot be read after %" PRIu64 " bytes: %s",
             source->read_bytes, strerror(errno));
        return 0;
    }
    if (got == 0)
        source->file_ended = true;
    source->read_bytes += (uint64_t)got;
    return (size_t)got;
}

static bool has_input(struct source *source)
{
    if (source->input_used < source->input_size)
        return true;
    if (source->file_ended || source->failed)
        return false;
    source->input_used = 0;
    source->input_size = read_file(source, source->input, INPUT_SIZE);
    return source->input_size > 0;
}

/* A pipe may hand out the first bytes one by one. */
static void read_first_bytes(struct source *source)
{
    while (source->input_size < sizeof strangers[0].magic) {
        size_t got = read_file(source, source->input + source->input_size,
                               INPUT_SIZE - source->input_size);

        if (got == 0)
            return;
        source->input_size += got;
    }
}

static bool starts_with(const struct source *source, const void *magic,
                        size_t length)
{
    return source->input_size >= length &&
           memcmp(source->input, magic, length) == 0;
}

static bool prepare(struct source *source)
{
    size_t count = sizeof strangers / sizeof *strangers;

    read_first_bytes(source);
    for (size_t i = 0; i < count && !source->failed; i++)
        if (starts_with(source, strangers[i].magic, strangers[i].length))
            fail(source, "holds %s, expected text, gzip or zstd",
                 strangers[i].name);
    if (starts_with(source, "\x1f\x8b", 2)) {
        source->kind = SOURCE_GZIP;
        if (inflateInit2(&source->gzip, MAX_WBITS + 16) != Z_OK)
            fail(source, "cannot be unpacked: out of memory");
    } else if (starts_with(source, "\x28\xb5\x2f\xfd", 4)) {
        source->kind = SOURCE_ZSTD;
        source->zstd = ZSTD_createDStream();
        if (!source->zstd)
            fail(source, "cannot be unpacked: out of memory");
    }
    return !source->failed;
}

static bool open_file(struct source *source, const char *path)
{
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0 || fstat(source->fd, &source->status) != 0) {
        fail(source, "cannot be opened: %s", strerror(errno));
        return false;
    }
    if (S_ISDIR(source->status.st_mode)) {
        fail(source, "is a directory, expected a file");
        return false;
    }
    return true;
}

struct source *source_open(const char *path,
                           char reterr_text[SOURCE_ERROR_SIZE])
{
    struct source *source = calloc(1, sizeof *source);

    if (source) {
        source->fd = -1;
        source->input = malloc(INPUT_SIZE);
    }
    if (!source || !source->input) {
        snprintf(reterr_text, SOURCE_ERROR_SIZE,
                 "cannot be opened: out of memory");
        goto failed;
    }
    if (!open_file(source, path) || !prepare(source)) {
        memcpy(reterr_text, source->error, SOURCE_ERROR_SIZE);
        goto failed;
    }
    return source;

failed:
    source_close(source);
    return NULL;
}

void source_close(struct source *source)
{
    if (!source)
        return;
    if (source->kind == SOURCE_GZIP)
        inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    if (source->fd >= 0)
        close(source->fd);
    free(source->input);
    free(source);
}

static size_t read_plain(struct source *source, void *bytes, size_t size)
{
    size_t waiting = source->input_size - source->input_used;

    if (waiting == 0)
        return source->file_ended ? 0 : read_file(source, bytes, size);
    if (waiting > size)
        waiting = size;
    memcpy(bytes, source->input + source->input_used, waiting);
    source->input_used += waiting;
    return waiting;
}

/* gzip files may hold several members, and zeros as padding behind them. */
static bool begin_member(struct source *source)
{
    while (source->input_used < source->input_size &&
           source->input[source->input_used] == 0)
        source->input_used++;
    if (source->input_used == source->input_size)
        return false;
    if (source->input[source->input_used] != 0x1f) {
        fail(source, "holds other bytes behind its gzip data");
        return false;
    }
    inflateReset(&source->gzip);
    source->inside = true;
    return true;
}

static void step_gzip(struct source *source, struct output *output)
{
    z_stream *gzip = &source->gzip;
    size_t room = output->size - output->used;

    if (!source->inside && !begin_member(source))
        return;
    if (room > UINT_MAX)
        room = UINT_MAX;
    gzip->next_in = source->input + source->input_used;
    gzip->avail_in = (uInt)(source->input_size - source->input_used);
    gzip->next_out = output->bytes + output->used;
    gzip->avail_out = (uInt)room;

    int status = inflate(gzip, Z_NO_FLUSH);

    source->input_used = source->input_size - gzip->avail_in;
    output->used += room - gzip->avail_out;
    if (status == Z_STREAM_END)
        source->inside = false;
    else if (status != Z_OK && status != Z_BUF_ERROR)
        fail(source,
             "holds damaged gzip data (%s), good for %" PRIu64
             " unpacked bytes",
             gzip->msg ? gzip->msg : zError(status),
             source->unpacked_bytes + output->used);
}

static void step_zstd(struct source *source, struct output *output)
{
    ZSTD_inBuffer from = {source->input, source->input_size,
                          source->input_used};
    ZSTD_outBuffer to = {output->bytes, output->size, output->used};
    size_t status = ZSTD_decompressStream(source->zstd, &to, &from);

    source->input_used = from.pos;
    output->used = to.pos;
    source->inside = status != 0;
    if (ZSTD_isError(status))
        fail(source,
             "holds damaged zstd data (%s), good for %" PRIu64
             " unpacked bytes",
             ZSTD_getErrorName(status), source->unpacked_bytes + to.pos);
}

static size_t unpack(struct source *source, void *bytes, size_t size)
{
    struct output output = {.bytes = bytes, .size = size};

    while (output.used < size && !source->failed) {
        bool more = has_input(source);
        size_t before = output.used;

        if (source->failed || (!more && !source->inside))
            break;
        if (source->kind == SOURCE_GZIP)
            step_gzip(source, &output);
        else
            step_zstd(source, &output);

        /* At the end of the file one step more may bring out what the
           decoder still holds; if nothing comes, the file was cut. */
        if (!more && source->inside && output.used == before)
            fail(source,
                 "is cut off: its %s data ends too early, after %" PRIu64
                 " bytes of the file and %" PRIu64 " unpacked",
                 kind_name(source), source->read_bytes,
                 source->unpacked_bytes + output.used);
    }
    return output.used;
}

size_t source_read(struct source *source, void *bytes, size_t size)
{
    size_t got;

    if (source->failed)
        return 0;
    if (source->kind == SOURCE_PLAIN)
        got = read_plain(source, bytes, size);
    else
        got = unpack(source, bytes, size);
    source->unpacked_bytes += got;
    return got;
}

const char *source_error(const struct source *source)
{
    return source->failed ? source->error : NULL;
}

enum source_kind source_kind(const struct source *source)
{
    return source->kind;
}

bool source_rereadable(const struct source *source)
{
    return S_ISREG(source->status.st_mode);
}

bool source_seek(struct source *source, uint64_t offset)
{
    if (source->kind != SOURCE_PLAIN || source->failed || offset > INT64_MAX ||
        lseek(source->fd, (off_t)offset, SEEK_SET) != (off_t)offset)
        return false;
    source->input_used = source->input_size = 0;
    source->file_ended = false;
    source->read_bytes = source->unpacked_bytes = offset;
    return true;
}

struct source_identity source_identity(const struct source *source)
{
    const struct stat *status = &source->status;

    return (struct source_identity){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = (uint64_t)status->st_size,
        .changed_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 +
                      status->st_mtim.tv_nsec,
    };
}

bool source_identity_equal(const struct source_identity *a,
                           const struct source_identity *b)
{
    return a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->changed_ns == b->changed_ns;
}
