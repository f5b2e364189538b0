/*
 * The shared objects: each exports one symbol, refuses hosts of another
 * version, and decides like its built-in twin.
 */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#include <dlfcn.h>
#include <unistd.h>

typedef const struct lbp_ops *entry_function(uint32_t host_abi);

/* Objects stand in policies/ of the build folder, this program in tests/. */
static void *open_object(const char *name)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 100);

    if (length < 0)
        return NULL;
    while (length > 0 && path[length - 1] != '/')
        length--;
    snprintf(path + length, sizeof path - (size_t)length, "../policies/%s.so",
             name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static entry_function *find_entry(void *object)
{
    void *symbol = dlsym(object, "lbp_entry");
    entry_function *entry;

    memcpy(&entry, &symbol, sizeof entry);
    return entry;
}

/* A checksum of 2000 steps of dispatches and answers. */
static uint64_t life_of(const struct lbp_ops *ops)
{
    struct world *world = world_create(21);
    uint64_t sum = 0, chance = 11;
    char key[WORLD_KEY];

    for (uint32_t slot = 0; slot < 21; slot++)
        world->nodes[slot].weight = 1 + slot % 3;
    world_start(world, ops, "");
    for (uint32_t step = 0; step < 2000; step++) {
        uint32_t slot = (uint32_t)(world_next(&chance) % 21);

        snprintf(key, sizeof key, "k%u", step % 300);
        world->key = key;
        world_set_eligible(world, slot, step % 3 > 0);
        world->nodes[slot].gpu_use = (double)(step % 7) / 7;
        world->nodes[slot].reported_at_ns = 0;
        if (world->in_flight[slot] > 0)
            world_finish(world, slot, LBP_OK);
        sum = sum * 1000003 + world_dispatch(world);
    }
    world_destroy(world);
    return sum;
}

static void objects_decide_like_the_library(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    for (uint32_t i = 0; i < count; i++) {
        void *object = open_object(list[i]->name);
        const struct lbp_ops *ops;

        CHECK(object != NULL);
        if (!object)
            continue;
        ops = find_entry(object)(LBP_ABI);
        CHECK(ops && ops != list[i]);
        CHECK_TEXT(ops->name, list[i]->name);
        CHECK_UINT(life_of(ops), life_of(list[i]));
        dlclose(object);
    }
}

static void objects_refuse_hosts_of_another_version(void)
{
    void *object = open_object("round_robin");

    CHECK(object && find_entry(object)(LBP_ABI + 1) == NULL);
    if (object)
        dlclose(object);
}

static void objects_export_their_entry_only(void)
{
    void *object = open_object("ring_hash");

    CHECK(object && dlsym(object, "lbp_hash_md5") == NULL);
    CHECK(object && dlsym(object, "policy_ring_hash") == NULL);
    if (object)
        dlclose(object);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"objects decide like the library", objects_decide_like_the_library},
        {"objects refuse hosts of another version",
         objects_refuse_hosts_of_another_version},
        {"objects export their entry only", objects_export_their_entry_only},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("shared objects", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
