/*
 * A library to be preloaded: the allocation numbered $LBSIM_FAIL_AT, from 1,
 * finds no memory; 0 or unset: none does. At its end the process writes how
 * many it asked for to the file $LBSIM_FAIL_COUNT, if that is set.
 *
 * libfyaml's own allocations do not count: it looks at most, but not at all,
 * of what it gets (0.7.12), and the program cannot help that.
 */
/* For dladdr. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc's own names for what is replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_ulong asked;
static unsigned long fail_at;
static atomic_bool counting;
static _Thread_local bool inside;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("LBSIM_FAIL_AT");

    fail_at = at ? strtoul(at, NULL, 10) : 0;
    unsetenv("LD_PRELOAD"); /* processes that it starts are not meant */
    counting = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("LBSIM_FAIL_COUNT");
    FILE *file;

    counting = false;
    if (!path || !(file = fopen(path, "w")))
        return;
    fprintf(file, "%lu\n", (unsigned long)asked);
    fclose(file);
}

/* libfyaml may ask through the C library, with strdup for one. */
static bool is_forgiven(void)
{
    void *callers[6];
    int count = backtrace(callers, 6);
    Dl_info info;

    for (int i = 0; i < count; i++)
        if (dladdr(callers[i], &info) != 0 && info.dli_fname &&
            strstr(info.dli_fname, "libfyaml"))
            return true;
    return false;
}

/* backtrace itself may allocate, so it runs with the count at rest. */
static bool runs_out(void)
{
    bool forgiven;

    if (!counting || inside)
        return false;
    inside = true;
    forgiven = is_forgiven();
    inside = false;
    if (forgiven || ++asked != fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return runs_out() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return runs_out() ? NULL : __libc_realloc(memory, size);
}
