#define _XOPEN_SOURCE 700 /* mkstemp, fchmod */

#include "sim/report/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(struct whole_file *file, char *reterr, size_t size)
{
    snprintf(reterr, size, "cannot write '%s': %s", file->path,
             strerror(errno));
    whole_file_close(file);
    return false;
}

/* mkstemp keeps others out; a report is as open as any other file. */
static FILE *open_temporary(char *name)
{
    mode_t mask = umask(0);
    int descriptor;
    FILE *out;

    umask(mask);
    descriptor = mkstemp(name);
    if (descriptor < 0)
        return NULL;
    fchmod(descriptor, 0666 & ~mask);
    out = fdopen(descriptor, "w");
    if (!out) {
        close(descriptor);
        unlink(name);
    }
    return out;
}

bool whole_file_open(struct whole_file *file, const char *path, char *reterr,
                     size_t size)
{
    static const char ending[] = ".tmp-XXXXXX";
    size_t length = strlen(path);
    struct stat status;

    *file = (struct whole_file){.path = path};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        file->out = fopen(path, "w");
        return file->out || fail(file, reterr, size);
    }
    file->temporary = malloc(length + sizeof ending);
    if (!file->temporary)
        return fail(file, reterr, size);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, ending, sizeof ending);
    file->out = open_temporary(file->temporary);
    if (file->out)
        return true;
    free(file->temporary);
    file->temporary = NULL;
    return fail(file, reterr, size);
}

/* A full disk may show only when the last bytes leave the buffer. */
bool whole_file_commit(struct whole_file *file, char *reterr, size_t size)
{
    bool fine = !ferror(file->out) && fflush(file->out) == 0;
    int cause = errno;

    if (fclose(file->out) != 0 && fine) {
        cause = errno;
        fine = false;
    }
    file->out = NULL;
    errno = cause;
    if (!fine || (file->temporary && rename(file->temporary, file->path) != 0))
        return fail(file, reterr, size);
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

void whole_file_close(struct whole_file *file)
{
    if (file->out)
        fclose(file->out);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    *file = (struct whole_file){.path = file->path};
}

/* NULL: errno says why. */
static char *read_all(FILE *in, size_t most, size_t *ret_length)
{
    char *text = NULL;
    size_t length = 0, room = 0, got = 1;

    while (got > 0 && length <= most) {
        if (room - length < 2) {
            char *larger = realloc(text, room = 2 * room + 65536);

            if (!larger)
                break;
            text = larger;
        }
        got = fread(text + length, 1, room - length - 1, in);
        length += got;
        text[length] = 0;
    }
    *ret_length = length;
    if (text && !ferror(in) && (got == 0 || length > most))
        return text;
    free(text);
    return NULL;
}

char *whole_file_read(const char *path, size_t most, size_t *ret_length)
{
    FILE *in = fopen(path, "r");
    char *text = in ? read_all(in, most, ret_length) : NULL;
    int cause = errno;

    if (in)
        fclose(in);
    errno = cause;
    return text;
}
