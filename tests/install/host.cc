// A host in C++, of somebody else's: finds a policy, reads and writes its
// parameters, looks at its table.
#include "policies/hash.h"
#include "policies/lbp.h"
#include "policies/params.h"
#include "policies/registry.h"
#include "policies/table.h"

#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "ring_hash";
    const lbp_ops *found = lbp_registry_find(name, std::strlen(name));
    char text[200] = "";
    lbp_ops ops;

    if (!found || !lbp_table_adopt(found, &ops, text, sizeof text) ||
        !lbp_table_check(&ops, text, sizeof text))
        return 1;
    std::vector<unsigned char> config(ops.config_size + 1);
    lbp_params_preset(&ops, config.data());
    for (const lbp_param *row = ops.params; row && row->name; row++) {
        lbp_params_write(row, config.data(), text, sizeof text);
        std::printf("%s=%s\n", row->name, text);
    }
    std::printf("crc32 %08x\n",
                static_cast<unsigned>(lbp_hash_crc32("123456789", 9)));
    return 0;
}
