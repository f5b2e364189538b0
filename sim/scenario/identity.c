#include "sim/scenario/identity.h"

#include "sim/scenario/describe.h"
#include "sim/scenario/draft.h"
#include "sim/scenario/sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BLOCK 65536u

static struct hash128 of_xxh(XXH128_hash_t hash)
{
    return (struct hash128){hash.high64, hash.low64};
}

struct hash128 hash128_of(const void *bytes, size_t size)
{
    return of_xxh(XXH3_128bits(bytes, size));
}

static bool hash_stream(FILE *file, XXH3_state_t *state, void *block)
{
    size_t length;

    XXH3_128bits_reset(state);
    while ((length = fread(block, 1, BLOCK, file)) > 0)
        XXH3_128bits_update(state, block, length);
    return !ferror(file);
}

bool hash128_of_file(const char *path, struct hash128 *ret)
{
    FILE *file = fopen(path, "rb");
    XXH3_state_t *state = XXH3_createState();
    void *block = malloc(BLOCK);
    bool fine = file && state && block && hash_stream(file, state, block);
    int cause = !file || (state && block) ? errno : ENOMEM;

    if (fine)
        *ret = of_xxh(XXH3_128bits_digest(state));
    if (file)
        fclose(file);
    XXH3_freeState(state);
    free(block);
    errno = cause;
    return fine;
}

/* Its name only, or the same data in another folder would be other data. */
static bool write_file(struct sheet *sheet, const struct data_file *file)
{
    const char *slash = strrchr(file->path, '/');
    struct hash128 hash = file->hash;

    if (!data_file_is_same(file)) {
        errno = ESTALE;
        return false;
    }
    sheet_print(sheet, "file %s=%016" PRIx64 "%016" PRIx64 "\n",
                slash ? slash + 1 : file->path, hash.high, hash.low);
    return true;
}

char *scenario_run_text(const struct scenario *scenario)
{
    const struct loaded *loaded = scenario->owned;
    struct sheet sheet = {0};
    bool fine = true;
    int cause;

    sheet_add(&sheet, loaded->canonical, loaded->canonical_run_length);
    sheet_print(&sheet, "confidence=%.17g\nreport.node_percentiles=%d\n",
                scenario->confidence, scenario->node_percentiles);
    if (isfinite(scenario_goodput_bound_s(scenario)))
        sheet_print(&sheet, "goals.latency_s=%.17g\n",
                    scenario_goodput_bound_s(scenario));
    for (const struct data_file *f = loaded->files; fine && f; f = f->next)
        fine = write_file(&sheet, f);
    cause = errno;

    char *text = sheet_take(&sheet);
    if (fine && text)
        return text;
    free(text);
    errno = fine ? ENOMEM : cause;
    return NULL;
}

const char *scenario_policy_text(const struct scenario *scenario,
                                 uint32_t policy)
{
    const struct policy_spec *spec = &scenario->policies[policy];
    struct loaded *loaded = scenario->owned;
    const char *text = load_policy_text(&loaded->pool, scenario, spec, true);

    if (!text || !spec->so)
        return text;
    return pool_print(&loaded->pool, "%s so_hash=%016" PRIx64, text,
                      spec->so_hash);
}

const char *scenario_policy_params(const struct scenario *scenario,
                                   uint32_t policy)
{
    struct loaded *loaded = scenario->owned;

    return load_policy_text(&loaded->pool, scenario,
                            &scenario->policies[policy], false);
}
