#include "sim/cli/command.h"

#include "sim/cli/options.h"
#include "sim/report/report.h"

#include <stdio.h>

int command_version(int argc, char **argv)
{
    if (argc > 1)
        options_parse_plain(argc, argv, NULL, "Print the version.", 0);
    puts("lbsim " LBSIM_VERSION);
    return EXIT_DONE;
}
