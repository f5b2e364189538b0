#include "sim/cli/command.h"

#include "sim/report/report.h"
#include "workloads/diag.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    {"run", "simulate a scenario with all its policies", command_run},
    {"advise", "say which policies to compare and why, then whether it held",
     command_advise},
    {"diagnose", "find nodes that are hot or idle for long, and the cause",
     command_diagnose},
    {"compare", "say which policy, build or result is better, and how sure",
     command_compare},
    {"plan", "find the fewest or cheapest nodes that meet the goals",
     command_plan},
    {"merge", "join the shards of a command into its result", command_merge},
    {"sweep", "vary settings, and find where the ranking of policies flips",
     command_sweep},
    {"baseline", "keep what a scenario yields, to compare with",
     command_baseline},
    {"check", "tell whether a scenario is worse than its baseline",
     command_check},
    {"lint", "check a scenario without running it", command_lint},
    {"policies", "list the policies, explain or check one", command_policies},
    {"settings", "list the settings of a scenario, or explain some",
     command_settings},
    {"schema", "print the JSON Schema of scenarios, for editors",
     command_schema},
    {"trace", "profile a trace: rates, sizes, reuse", command_trace},
    {"plot", "draw the charts of a result folder", command_plot},
    {"version", "print the version", command_version},
    {"help", "explain a command", command_help},
    {0},
};

void command_complain(const char *format, ...)
{
    va_list arguments;

    fputs("lbsim: error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    if (argp_parse(argp, argc, argv, 0, NULL, input) == 0)
        return;
    command_complain("out of memory");
    exit(EXIT_FAILED);
}

void command_tell(const struct diag *diag)
{
    if (diag->text)
        fputs(diag->text, stderr);
    if (diag->no_memory && (!diag->text || !strstr(diag->text, "of memory")))
        command_complain("out of memory");
}

int command_load_status(const struct diag *diag)
{
    return diag->no_memory ? EXIT_FAILED : EXIT_BAD_INPUT;
}

const struct command *command_find(const char *name)
{
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static int complain_unknown(const char *name)
{
    const char *names[sizeof commands / sizeof *commands]; /* NULL at its end,
                                                              as there */

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        names[i] = commands[i].name;

    const char *nearest = diag_nearest(name, strlen(name), names);
    command_complain("unknown command '%s'", name);
    if (nearest)
        fprintf(stderr, "  hint: did you mean '%s'?\n", nearest);
    else
        fputs("  hint: 'lbsim help' lists the commands\n", stderr);
    return EXIT_BAD_INPUT;
}

static void print_commands(FILE *out)
{
    fputs("Usage: lbsim COMMAND [OPTION...] [ARGUMENT...]\n"
          "\n"
          "Compares load-balancing policies on a model of your nodes and "
          "traffic.\n"
          "\n",
          out);
    for (const struct command *command = commands; command->name; command++)
        fprintf(out, "  %-10s%s\n", command->name, command->summary);
    fputs("\n"
          "'lbsim help COMMAND' explains one. Exit status: 0 done, 1 a check "
          "failed, no\n"
          "plan is enough, or diagnose --fail found something, 2 bad input "
          "or usage,\n"
          "3 failed (files, memory, a limit), 4 no baseline, 5 inconclusive "
          "(plan,\n"
          "check --strict), 130 interrupted with partial results.\n",
          out);
}

int command_call(const struct command *command, int argc, char **argv)
{
    char name[40];

    snprintf(name, sizeof name, "lbsim %s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

int command_help(int argc, char **argv)
{
    if (argc < 2) {
        print_commands(stdout);
        return EXIT_DONE;
    }

    const struct command *command = command_find(argv[1]);
    char option[] = "--help";
    char *arguments[] = {argv[0], option, NULL};

    if (!command)
        return complain_unknown(argv[1]);
    if (command->run == command_help) {
        print_commands(stdout);
        return EXIT_DONE;
    }
    return command_call(command, 2, arguments);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_commands(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return command_help(1, argv);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return command_version(1, argv);

    const struct command *command = command_find(argv[1]);
    return command ? command_call(command, argc - 1, argv + 1)
                   : complain_unknown(argv[1]);
}

/*
 * A standard stream that the caller closed would lend its number to the next
 * file we open, and results would land in it. What takes its place here fails
 * at the first byte instead.
 */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

bool command_output_fails(void)
{
    /* A stream that failed before may have lost the reason since. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return false;
    command_complain("cannot write to standard output%s%s", errno ? ": " : "",
                     errno ? strerror(errno) : "");
    return true;
}

/* Simulations come one after the other and take the same memory: given back to
   the system in between, its pages would be cleared and mapped each time, which
   costs a small one as much as it takes to run. */
static void keep_some_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

int command_main(int argc, char **argv)
{
    hold_standard_streams();
    keep_some_memory();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is told as any other failure */
    /* One character set whatever the user's: results are the same bytes
       everywhere. Numbers stay in the C locale. */
    setlocale(LC_CTYPE, "C.UTF-8");
    argp_program_version = "lbsim " LBSIM_VERSION;
    argp_err_exit_status = EXIT_BAD_INPUT;

    errno = 0;
    int status = dispatch(argc, argv);
    if (status != EXIT_FAILED && command_output_fails())
        status = EXIT_FAILED;
    return status;
}
