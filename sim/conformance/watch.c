/* For dladdr1() and RTLD_DEFAULT. NOLINTNEXTLINE(bugprone-reserved-identifier)
 */
#define _GNU_SOURCE
#include "sim/conformance/watch.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- what was called ---- */

struct tally {
    uint64_t count;
    const char *first;
};

/* One process checks one policy, so one of these is enough; a function of the
   library has no room for a context. */
static struct {
    struct tally tallies[WATCH_KINDS];
    uint32_t inside;
} watch;

static void note(enum watch_kind kind, const char *name)
{
    struct tally *tally = &watch.tallies[kind];

    if (watch.inside == 0)
        return;
    if (tally->count++ == 0)
        tally->first = name;
}

void watch_enter(void)
{
    watch.inside++;
}

void watch_leave(void)
{
    watch.inside--;
}

void watch_forget(void)
{
    memset(watch.tallies, 0, sizeof watch.tallies);
}

uint64_t watch_count(enum watch_kind kind, const char **ret_name)
{
    *ret_name = watch.tallies[kind].first;
    return watch.tallies[kind].count;
}

/* ---- functions that note, and do what was asked ---- */

/* kind, type of the result, name, parameters, arguments */
#define PASSED_ON(X)                                                           \
    X(MEMORY, void *, malloc, (size_t a), (a))                                 \
    X(MEMORY, void *, calloc, (size_t a, size_t b), (a, b))                    \
    X(MEMORY, void *, realloc, (void *a, size_t b), (a, b))                    \
    X(MEMORY, void *, aligned_alloc, (size_t a, size_t b), (a, b))             \
    X(MEMORY, int, posix_memalign, (void **a, size_t b, size_t c), (a, b, c))  \
    X(MEMORY, char *, strdup, (const char *a), (a))                            \
    X(MEMORY, char *, strndup, (const char *a, size_t b), (a, b))              \
    X(OUTSIDE, time_t, time, (time_t * a), (a))                                \
    X(OUTSIDE, clock_t, clock, (void), ())                                     \
    X(OUTSIDE, int, clock_gettime, (clockid_t a, struct timespec * b), (a, b)) \
    X(OUTSIDE, int, gettimeofday, (struct timeval * a, void *b), (a, b))       \
    X(OUTSIDE, int, timespec_get, (struct timespec * a, int b), (a, b))        \
    X(OUTSIDE, int, nanosleep, (const struct timespec *a, struct timespec *b), \
      (a, b))                                                                  \
    X(OUTSIDE, int, usleep, (useconds_t a), (a))                               \
    X(OUTSIDE, unsigned, sleep, (unsigned a), (a))                             \
    X(OUTSIDE, int, sched_yield, (void), ())                                   \
    X(OUTSIDE, int, pthread_mutex_lock, (pthread_mutex_t * a), (a))            \
    X(OUTSIDE, int, pthread_mutex_trylock, (pthread_mutex_t * a), (a))         \
    X(OUTSIDE, int, pthread_mutex_unlock, (pthread_mutex_t * a), (a))          \
    X(OUTSIDE, int, pthread_rwlock_rdlock, (pthread_rwlock_t * a), (a))        \
    X(OUTSIDE, int, pthread_rwlock_wrlock, (pthread_rwlock_t * a), (a))        \
    X(OUTSIDE, int, pthread_rwlock_unlock, (pthread_rwlock_t * a), (a))        \
    X(OUTSIDE, int, puts, (const char *a), (a))                                \
    X(OUTSIDE, int, putchar, (int a), (a))                                     \
    X(OUTSIDE, int, fputs, (const char *a, FILE *b), (a, b))                   \
    X(OUTSIDE, int, fputc, (int a, FILE *b), (a, b))                           \
    X(OUTSIDE, size_t, fwrite, (const void *a, size_t b, size_t c, FILE *d),   \
      (a, b, c, d))                                                            \
    X(OUTSIDE, int, fflush, (FILE * a), (a))                                   \
    X(OUTSIDE, FILE *, fopen, (const char *a, const char *b), (a, b))          \
    X(OUTSIDE, ssize_t, write, (int a, const void *b, size_t c), (a, b, c))    \
    X(OUTSIDE, ssize_t, read, (int a, void *b, size_t c), (a, b, c))           \
    X(OUTSIDE, char *, getenv, (const char *a), (a))                           \
    X(OUTSIDE, pid_t, getpid, (void), ())

/* The same for functions that stand still: kind, type, name, parameters, what
   they yield. Unused parameters have no name. */
#define STOOD_STILL(X)                                     \
    X(CHANCE, int, rand, (void), 4)                        \
    X(CHANCE, int, rand_r, (unsigned *a), ((int)(*a = 4))) \
    X(CHANCE, long, random, (void), 4)                     \
    X(CHANCE, double, drand48, (void), 0.5)                \
    X(CHANCE, long, lrand48, (void), 4)                    \
    X(CHANCE, long, mrand48, (void), 4)                    \
    X(CHANCE, uint32_t, arc4random, (void), 4)             \
    X(CHANCE, uint32_t, arc4random_uniform, (uint32_t a), (a > 4 ? 4 : 0))

/* Everything that the tables below know, as indices. */
#define NAME_PASSED(kind, type, name, parameters, arguments) REAL_##name,
#define NAME_STILL(kind, type, name, parameters, result) REAL_##name,
enum {
    PASSED_ON(NAME_PASSED) STOOD_STILL(NAME_STILL) REAL_free,
    REAL_printf,
    REAL_fprintf,
    REAL_srand,
    REAL_srandom,
    REAL_COUNT
};

/* The functions themselves, found before the first is replaced. */
static void *real[REAL_COUNT];

#define DEFINE_PASSED(kind, type, name, parameters, arguments)  \
    static type noted_##name parameters                         \
    {                                                           \
        type(*function) parameters;                             \
                                                                \
        note(WATCH_##kind, #name);                              \
        memcpy(&function, &real[REAL_##name], sizeof function); \
        return function arguments;                              \
    }
#define DEFINE_STILL(kind, type, name, parameters, result) \
    static type noted_##name parameters                    \
    {                                                      \
        note(WATCH_##kind, #name);                         \
        return result;                                     \
    }
PASSED_ON(DEFINE_PASSED)
STOOD_STILL(DEFINE_STILL)

static void noted_free(void *memory)
{
    void (*function)(void *);

    if (memory) /* free(NULL) does nothing, and says nothing of the policy */
        note(WATCH_MEMORY, "free");
    memcpy(&function, &real[REAL_free], sizeof function);
    function(memory);
}

__attribute__((format(printf, 1, 2))) static int
noted_printf(const char *format, ...)
{
    va_list arguments;
    int length;

    note(WATCH_OUTSIDE, "printf");
    va_start(arguments, format);
    length = vprintf(format, arguments);
    va_end(arguments);
    return length;
}

__attribute__((format(printf, 2, 3))) static int
noted_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    int length;

    note(WATCH_OUTSIDE, "fprintf");
    va_start(arguments, format);
    length = vfprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

static void noted_srand(unsigned seed)
{
    (void)seed;
    note(WATCH_CHANCE, "srand");
}

static void noted_srandom(unsigned seed)
{
    (void)seed;
    note(WATCH_CHANCE, "srandom");
}

/* ---- the table of imports ---- */

typedef void any_function(void);

/* cppcheck does not see the machines that use it. */
struct replacement {
    // cppcheck-suppress unusedStructMember
    const char *name;
    // cppcheck-suppress unusedStructMember
    any_function *function;
};

#define ROW_PASSED(kind, type, name, parameters, arguments) \
    {#name, (any_function *)noted_##name},
#define ROW_STILL(kind, type, name, parameters, result) \
    {#name, (any_function *)noted_##name},
static const struct replacement replacements[REAL_COUNT] = {
    PASSED_ON(ROW_PASSED)
        STOOD_STILL(ROW_STILL){"free", (any_function *)noted_free},
    {"printf", (any_function *)noted_printf},
    {"fprintf", (any_function *)noted_fprintf},
    {"srand", (any_function *)noted_srand},
    {"srandom", (any_function *)noted_srandom},
};

#if defined(__x86_64__)
#define IS_IMPORT(type) \
    ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_IMPORT(type) \
    ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

#ifdef IS_IMPORT

/* The parts of an object that lead to its imports. */
struct imports {
    const Elf64_Rela *tables[2];
    size_t counts[2];
    const Elf64_Sym *symbols;
    const char *names;
};

/* What the loader has left in place may be relative to the object. */
static const void *address_of(const struct link_map *map, Elf64_Addr at)
{
    return (const void *)(at < map->l_addr ? at + map->l_addr : at);
}

static bool find_imports(const struct link_map *map, struct imports *ret)
{
    *ret = (struct imports){0};
    for (const Elf64_Dyn *row = map->l_ld; row->d_tag != DT_NULL; row++) {
        switch (row->d_tag) {
        case DT_JMPREL:
            ret->tables[0] = address_of(map, row->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            ret->counts[0] = row->d_un.d_val / sizeof(Elf64_Rela);
            break;
        case DT_RELA:
            ret->tables[1] = address_of(map, row->d_un.d_ptr);
            break;
        case DT_RELASZ:
            ret->counts[1] = row->d_un.d_val / sizeof(Elf64_Rela);
            break;
        case DT_SYMTAB:
            ret->symbols = address_of(map, row->d_un.d_ptr);
            break;
        case DT_STRTAB:
            ret->names = address_of(map, row->d_un.d_ptr);
            break;
        default:
            break;
        }
    }
    return ret->symbols && ret->names;
}

/* The table may have been made read-only since it was filled. */
static bool put(void *place, any_function *function)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *start = (char *)place - (uintptr_t)place % page;

    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    memcpy(place, &function, sizeof function);
    return true;
}

static bool replace_import(const struct link_map *map,
                           const struct imports *imports,
                           const Elf64_Rela *relocation)
{
    const char *name =
        imports->names +
        imports->symbols[ELF64_R_SYM(relocation->r_info)].st_name;

    for (size_t i = 0; i < REAL_COUNT; i++)
        if (strcmp(name, replacements[i].name) == 0)
            return put((char *)map->l_addr + relocation->r_offset,
                       replacements[i].function);
    return true;
}

static bool replace_all(const struct link_map *map)
{
    struct imports imports;
    bool fine = find_imports(map, &imports);

    for (size_t table = 0; fine && table < 2; table++)
        for (size_t i = 0; imports.tables[table] && i < imports.counts[table];
             i++)
            if (IS_IMPORT(ELF64_R_TYPE(imports.tables[table][i].r_info)))
                fine =
                    replace_import(map, &imports, &imports.tables[table][i]) &&
                    fine;
    return fine;
}

bool watch_install(const struct lbp_ops *ops)
{
    struct link_map *map = NULL;
    Dl_info about;
    void *code;

    for (size_t i = 0; i < REAL_COUNT; i++)
        real[i] = dlsym(RTLD_DEFAULT, replacements[i].name);
    memcpy(&code, &ops->pick, sizeof code);
    return dladdr1(code, &about, (void **)(void *)&map, RTLD_DL_LINKMAP) != 0 &&
           map && replace_all(map);
}

#else

bool watch_install(const struct lbp_ops *ops)
{
    (void)ops;
    return false;
}

#endif
