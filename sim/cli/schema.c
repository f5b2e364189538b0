#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/scenario/schema.h"

#include <stdio.h>
#include <stdlib.h>

int command_schema(int argc, char **argv)
{
    options_parse_plain(argc, argv, NULL,
                        "Print the JSON Schema of scenarios: editors complete "
                        "and check with it.",
                        0);

    char *text = scenario_schema();
    if (!text) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}
