/* lbsim compares load-balancing policies on a model of nodes and traffic. */
#include "sim/cli/command.h"

int main(int argc, char **argv)
{
    return command_main(argc, argv);
}
