/* For siginfo_t's si_syscall. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _DEFAULT_SOURCE
#include "sim/conformance/cage.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Two rules: if it is this call, let it pass; else skip that. */
#define ALLOWED(call)                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* A handler has no context; this process has one cage. */
static long *told_to;

static void note_call(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    *told_to = info->si_syscall;
    cage_end();
}

static bool catch_calls(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = note_call;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSYS, &action, NULL) == 0;
}

bool cage_close(long *ret_call)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOWED(SYS_exit_group),
        ALLOWED(SYS_mmap),
        ALLOWED(SYS_munmap),
        ALLOWED(SYS_mprotect),
        ALLOWED(SYS_mremap),
        ALLOWED(SYS_madvise),
        ALLOWED(SYS_brk),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = {
        .len = (unsigned short)(sizeof rules / sizeof *rules),
        .filter = rules,
    };

    told_to = ret_call;
    return catch_calls() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

const char *cage_call_name(long call)
{
    static const struct {
        long call;
        const char *name;
    } names[] = {
        {SYS_getrandom, "getrandom"},
        {SYS_clock_gettime, "clock_gettime"},
        {SYS_clock_nanosleep, "clock_nanosleep"},
        {SYS_nanosleep, "nanosleep"},
        {SYS_getpid, "getpid"},
        {SYS_getppid, "getppid"},
        {SYS_gettid, "gettid"},
        {SYS_futex, "futex"},
        {SYS_read, "read"},
        {SYS_write, "write"},
        {SYS_openat, "openat"},
        {SYS_close, "close"},
        {SYS_fstat, "fstat"},
        {SYS_lseek, "lseek"},
        {SYS_ioctl, "ioctl"},
        {SYS_sched_yield, "sched_yield"},
        {SYS_getcpu, "getcpu"},
        {SYS_rt_sigaction, "rt_sigaction"},
        {SYS_rt_sigprocmask, "rt_sigprocmask"},
        {SYS_tgkill, "tgkill"},
        {SYS_kill, "kill"},
        {SYS_exit, "exit"},
        {SYS_clone, "clone"},
        {SYS_wait4, "wait4"},
        {SYS_pipe2, "pipe2"},
        {SYS_poll, "poll"},
        {SYS_socket, "socket"},
        {SYS_connect, "connect"},
        {SYS_sendto, "sendto"},
        {SYS_recvfrom, "recvfrom"},
        {SYS_getrusage, "getrusage"},
        {SYS_prctl, "prctl"},
        {SYS_sysinfo, "sysinfo"},
        {SYS_uname, "uname"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].call == call)
            return names[i].name;
    return NULL;
}

_Noreturn void cage_end(void)
{
    for (;;)
        syscall(SYS_exit_group, 0);
}
