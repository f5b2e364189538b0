#include "sim/report/charts_gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

extern char **environ;

enum { ARGS_MAX = 24 };

/* Variables that would change what gnuplot draws or where it looks. */
static bool misleads(const char *variable)
{
    static const char *const prefixes[] = {
        "DISPLAY=", "GNUTERM=", "GNUPLOT_", "LC_", "LANG=", "GNUFITLOG="};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* The environment without what misleads; free() the array. NULL: no memory. */
static char **clean_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    char **clean;

    while (environ[count])
        count++;
    clean = calloc(count + 2, sizeof *clean);
    if (!clean)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!misleads(environ[i]))
            clean[kept++] = environ[i];
    clean[kept] = locale;
    return clean;
}

/* Exit status of the program, or -errno when it could not be started. */
static int run(char *const *argv, const char *log)
{
    posix_spawn_file_actions_t files;
    char **environment = clean_environment();
    pid_t child;
    int error = environment ? posix_spawn_file_actions_init(&files) : ENOMEM;
    int status = -1;

    if (error) {
        free(environment);
        return -error;
    }
    error =
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(
            &files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (!error)
        error = posix_spawnp(&child, argv[0], &files, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    if (error)
        return -error;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether a line is a complaint. Fontconfig grumbles when it may not write its
 * cache, which harms no picture. */
static bool complains(const char *line)
{
    return line[strspn(line, " \t^")] != '\0' &&
           strncmp(line, "Fontconfig", 10) != 0;
}

/*
 * The last line that says something: gnuplot first repeats the statement that
 * it stumbled over, then says where and why. False: there is none.
 */
static bool last_words(const char *log, char *ret_line, size_t size)
{
    FILE *file = fopen(log, "r");
    char line[400];
    bool found = false;

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!complains(line))
            continue;
        snprintf(ret_line, size, "%s", line);
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

enum charts_gnuplot_found charts_gnuplot_find(const char *log,
                                              char *ret_version, size_t size)
{
    char gnuplot[] = "gnuplot", version[] = "--version", line[200];
    char *argv[] = {gnuplot, version, NULL};
    int major = 0, minor = 0;
    int status;

    errno = 0;
    status = run(argv, log);
    if (status == -ENOMEM || errno == ENOMEM)
        return GNUPLOT_UNKNOWN;
    if (status != 0 || !last_words(log, line, sizeof line) ||
        sscanf(line, "gnuplot %d.%d", &major, &minor) != 2)
        return GNUPLOT_ABSENT;
    if (major > CHARTS_GNUPLOT_MAJOR ||
        (major == CHARTS_GNUPLOT_MAJOR && minor >= CHARTS_GNUPLOT_MINOR))
        return GNUPLOT_READY;
    snprintf(ret_version, size, "%d.%d", major, minor);
    return GNUPLOT_OLD;
}

bool charts_gnuplot_run(const char *script, const char *const *args,
                        const char *log, char *reterr_text, size_t size)
{
    char *argv[ARGS_MAX] = {"gnuplot", "-d", "-c", (char *)script};
    size_t count = 4;
    int status;

    for (size_t i = 0; args[i] && count + 1 < ARGS_MAX; i++)
        argv[count++] = (char *)args[i]; /* exec does not write to them */
    status = run(argv, log);
    if (last_words(log, reterr_text, size))
        return false;
    if (status < 0)
        snprintf(reterr_text, size, "gnuplot: %s", strerror(-status));
    else if (status > 0)
        snprintf(reterr_text, size, "gnuplot ended with status %d", status);
    return status == 0;
}

bool charts_font_has(uint32_t letter, const char *log)
{
    char program[] = "fc-list", pattern[32], field[] = "family", line[200];
    char *argv[] = {program, pattern, field, NULL};

    snprintf(pattern, sizeof pattern, ":charset=%" PRIx32, letter);
    return run(argv, log) == 0 && last_words(log, line, sizeof line);
}
