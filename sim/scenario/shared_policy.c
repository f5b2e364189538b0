#include "sim/scenario/shared_policy.h"

#include "policies/table.h"
#include "sim/core/child.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOOK_LIMIT_NS 10000000000

typedef const struct lbp_ops *entry_function(uint32_t host_abi);

static const char how_to_build[] =
    "build it so: cc -std=c17 -O2 -fPIC -shared -DLBP_SHARED -I DIR -o my.so "
    "my.c, with DIR/policies/lbp.h";

/* Always false, so that a step can end with it. */
__attribute__((format(printf, 3, 4))) static bool
refuse(struct shared_policy_error *error, const char *hint, const char *format,
       ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->reason, sizeof error->reason, format, arguments);
    va_end(arguments);
    error->hint = hint;
    return false;
}

/* The hash of a file that is open; ret_start gets its first four bytes. */
static bool hash_file(FILE *file, char ret_start[4], uint64_t *ret_hash)
{
    XXH64_state_t *state = XXH64_createState();
    char bytes[4096];
    size_t length;
    bool first = true;

    if (!state)
        return false;
    XXH64_reset(state, 0);
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0) {
        if (first && length >= 4)
            memcpy(ret_start, bytes, 4);
        first = false;
        XXH64_update(state, bytes, length);
    }
    *ret_hash = XXH64_digest(state);
    XXH64_freeState(state);
    return !ferror(file);
}

/* dlopen() would say "file too short" of an empty file, open a folder, and
   wait for somebody to write into a pipe. */
static bool look_at_file(const char *path, uint64_t *ret_hash,
                         struct stat *ret_about,
                         struct shared_policy_error *reterr)
{
    char start[4] = {0};
    FILE *file;
    bool read;

    if (stat(path, ret_about) == 0 && !S_ISREG(ret_about->st_mode))
        return refuse(reterr, NULL, "'%s' is no file", path);
    file = fopen(path, "rb");
    if (!file)
        return refuse(reterr, NULL, "cannot read the shared object '%s': %s",
                      path, strerror(errno));
    read = hash_file(file, start, ret_hash);
    fclose(file);
    if (!read)
        return refuse(reterr, NULL, "cannot read the shared object '%s'", path);
    if (memcmp(start, "\177ELF", sizeof start) != 0)
        return refuse(reterr, how_to_build, "'%s' is not a shared object",
                      path);
    return true;
}

/* It is opened by its name: whether that is still of the file that was hashed.
 */
static bool is_still(const char *path, const struct stat *about)
{
    struct stat now;

    return stat(path, &now) == 0 && now.st_dev == about->st_dev &&
           now.st_ino == about->st_ino && now.st_size == about->st_size &&
           now.st_mtim.tv_sec == about->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == about->st_mtim.tv_nsec;
}

/* The loader's own words, without the path that it puts in front. */
static bool refuse_with_loader(struct shared_policy_error *reterr,
                               const char *path)
{
    const char *said = dlerror();
    size_t length = strlen(path);

    if (said && strncmp(said, path, length) == 0 && said[length] == ':')
        said += length + 1 + strspn(said + length + 1, " ");
    return refuse(reterr,
                  said && strstr(said, "undefined symbol")
                      ? "link all that the policy uses into the object"
                      : NULL,
                  "cannot load '%s': %s", path, said ? said : "no reason");
}

/* A path without a slash would be looked for among the system's libraries. */
static void *open_object(const char *path)
{
    char *copy;
    void *handle;

    if (strchr(path, '/'))
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    copy = malloc(strlen(path) + sizeof "./");
    if (!copy)
        return NULL;
    memcpy(copy, "./", 2);
    memcpy(copy + 2, path, strlen(path) + 1);
    handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
    free(copy);
    return handle;
}

static bool refuse_table(struct shared_policy_error *reterr, const char *path,
                         const char *why)
{
    reterr->not_kept = true;
    return refuse(reterr, "policies/lbp.h says what a policy tells of itself",
                  "'%s' breaks the contract: %s", path, why);
}

/* What says of itself that it ends may not: who reads on then may die. */
struct look {
    const struct lbp_ops *ops;
};

static void look_at_table(void *context)
{
    const struct look *look = context;
    struct lbp_ops ops;
    char why[SHARED_POLICY_REASON / 2];

    if (lbp_table_adopt(look->ops, &ops, why, sizeof why))
        lbp_table_check(&ops, why, sizeof why);
}

/* In a process of its own first. */
static bool try_table(const struct lbp_ops *ops, const char *path,
                      struct shared_policy_error *reterr)
{
    struct look look = {ops};
    char how[100];
    enum child_end end =
        child_run(look_at_table, &look, LOOK_LIMIT_NS, how, sizeof how);

    if (end == CHILD_RETURNED || end == CHILD_NOT_MADE)
        return true;
    reterr->not_kept = true;
    return refuse(reterr,
                  "does its table of parameters end with {0}, and its list of "
                  "terms with NULL?",
                  "'%s' breaks the contract: who reads what it says of itself "
                  "%s",
                  path, how);
}

static bool enter(struct shared_policy *shared, const char *path,
                  struct shared_policy_error *reterr)
{
    void *symbol = dlsym(shared->handle, "lbp_entry");
    const struct lbp_ops *ops;
    entry_function *entry;
    char why[SHARED_POLICY_REASON / 2];

    if (!symbol)
        return refuse(reterr,
                      "end the source with LBP_ENTRY(your_ops) and compile it "
                      "with -DLBP_SHARED",
                      "'%s' does not export lbp_entry", path);
    memcpy(&entry, &symbol, sizeof entry);
    ops = entry(LBP_ABI);
    if (!ops) {
        reterr->not_kept = true;
        return refuse(reterr, "build it against this version's policies/lbp.h",
                      "'%s' cannot serve version %u of the contract", path,
                      LBP_ABI);
    }
    if (!try_table(ops, path, reterr))
        return false;
    if (!lbp_table_adopt(ops, &shared->ops, why, sizeof why) ||
        !lbp_table_check(&shared->ops, why, sizeof why))
        return refuse_table(reterr, path, why);
    return true;
}

bool shared_policy_open(struct shared_policy *shared, const char *path,
                        struct shared_policy_error *reterr)
{
    *shared = (struct shared_policy){0};
    *reterr = (struct shared_policy_error){0};
    struct stat about = {0};
    if (!look_at_file(path, &shared->hash, &about, reterr))
        return false;
    shared->handle = open_object(path);
    if (!shared->handle)
        return refuse_with_loader(reterr, path);
    if (!is_still(path, &about)) {
        shared_policy_close(shared);
        return refuse(reterr, "is it being built? then run again",
                      "'%s' changed while it was loaded", path);
    }
    if (enter(shared, path, reterr))
        return true;
    shared_policy_close(shared);
    return false;
}

void shared_policy_close(struct shared_policy *shared)
{
    if (shared->handle)
        dlclose(shared->handle);
    *shared = (struct shared_policy){0};
}
