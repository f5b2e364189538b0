/*
 * A library to be preloaded: the process kills itself with SIGKILL, which
 * nothing can catch, at a step of a kind, such as LBSIM_KILL_AT=commit:12 for
 * the twelfth. Steps are done by half: of what is to be written, the first
 * half.
 *
 *     commit      a write within a transaction of the store: SQLite writes its
 *                 log, in write-ahead mode, at no other time; the frame that
 *                 makes the transaction valid is then not written whole
 *     checkpoint  a write while the log is copied into the file
 *     folder      a folder is made, or a name moved: before or after it
 *
 * $LBSIM_KILL_LOG is a file that gets a line: the kind at the kill; and at an
 * end without one, how many steps of each kind there were.
 */
/* For dlsym's RTLD_NEXT. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_HEADER 32 /* bytes before the first frame */

typedef ssize_t pwrite_function(int, const void *, size_t, off_t);

enum kind { COMMIT, CHECKPOINT, FOLDER, KINDS };

static const char *const kinds[KINDS] = {"commit", "checkpoint", "folder"};
static atomic_ulong steps[KINDS];
static unsigned long kill_at[KINDS]; /* 0: not at all */

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("LBSIM_KILL_AT");

    for (int i = 0; at && i < KINDS; i++) {
        size_t length = strlen(kinds[i]);

        if (strncmp(at, kinds[i], length) == 0 && at[length] == ':')
            kill_at[i] = strtoul(at + length + 1, NULL, 10);
    }
    unsetenv("LD_PRELOAD"); /* processes that it starts are not meant */
}

/* Without buffers, or a fork would say it twice. */
static void say(const char *what)
{
    const char *path = getenv("LBSIM_KILL_LOG");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;

    if (fd < 0 || write(fd, what, strlen(what)) < 0 || write(fd, "\n", 1) < 0)
        abort();
    close(fd);
}

__attribute__((destructor)) static void end(void)
{
    char text[100];

    snprintf(text, sizeof text, "%lu %lu %lu", (unsigned long)steps[COMMIT],
             (unsigned long)steps[CHECKPOINT], (unsigned long)steps[FOLDER]);
    say(text);
}

static bool is_the_one(enum kind kind)
{
    return atomic_fetch_add(&steps[kind], 1) + 1 == kill_at[kind];
}

static void die(enum kind kind)
{
    say(kinds[kind]);
    kill(getpid(), SIGKILL);
}

static void step_of_folder(void)
{
    if (is_the_one(FOLDER))
        die(FOLDER);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), least = strlen(end);

    return length >= least && strcmp(text + length - least, end) == 0;
}

/* What a write to the file is; KINDS: nothing of a store. */
static enum kind kind_of(int fd, off_t offset)
{
    char name[40], path[4096];
    ssize_t length;

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    if (ends_with(path, ".sqlite-wal"))
        return offset < LOG_HEADER ? KINDS : COMMIT;
    return ends_with(path, ".sqlite") ? CHECKPOINT : KINDS;
}

static ssize_t write_or_die(const char *name, int fd, const void *bytes,
                            size_t size, off_t offset)
{
    pwrite_function *real;
    enum kind kind = kind_of(fd, offset);

    *(void **)&real = dlsym(RTLD_NEXT, name);
    if (kind < KINDS && is_the_one(kind)) {
        real(fd, bytes, size / 2, offset);
        die(kind);
    }
    return real(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    return write_or_die("pwrite", fd, bytes, size, offset);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
    return write_or_die("pwrite64", fd, bytes, size, offset);
}

int mkdir(const char *path, mode_t mode)
{
    int (*real)(const char *, mode_t);

    *(void **)&real = dlsym(RTLD_NEXT, "mkdir");
    int status = real(path, mode);
    step_of_folder();
    return status;
}

int link(const char *from, const char *to)
{
    int (*real)(const char *, const char *);

    *(void **)&real = dlsym(RTLD_NEXT, "link");
    int status = real(from, to);
    step_of_folder();
    return status;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to,
              unsigned flags)
{
    int (*real)(int, const char *, int, const char *, unsigned);

    step_of_folder();
    *(void **)&real = dlsym(RTLD_NEXT, "renameat2");
    int status = real(from_folder, from, to_folder, to, flags);
    step_of_folder();
    return status;
}
