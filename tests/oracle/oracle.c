/*
 * oracle NAME [SUITE]: runs tests/oracle/NAME.c, which is compiled with its
 * main() named like the file. All are linked once, as the slow link of an
 * optimised build takes longer than most of them.
 */
#include <stdio.h>
#include <string.h>

#define ORACLE(name) int name(int argc, char **argv);
#include "oracle/programs.def"
#undef ORACLE

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} programs[] = {
#define ORACLE(name) {#name, name},
#include "oracle/programs.def"
#undef ORACLE
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: oracle NAME [SUITE]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(argv[1], programs[i].name) == 0)
            return programs[i].run(argc - 1, argv + 1);
    fprintf(stderr, "no program '%s'\n", argv[1]);
    return 2;
}
