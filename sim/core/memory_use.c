#include "sim/core/memory_use.h"

#include <stdio.h>
#include <unistd.h>

uint64_t memory_use_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long total = 0;
    unsigned long resident = 0;
    long page = sysconf(_SC_PAGESIZE);

    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &total, &resident) != 2)
        resident = 0;
    fclose(file);
    return (uint64_t)resident * (uint64_t)(page > 0 ? page : 4096);
}
