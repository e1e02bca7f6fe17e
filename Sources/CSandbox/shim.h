#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// prctl(2) and syscall(2) take any number of arguments, which Swift cannot give.

static inline void set_resource_limit(int resource, unsigned long limit) {
    struct rlimit both = {limit, limit};
    setrlimit((__rlimit_resource_t)resource, &both);
}

static inline void run_in_background(void) {
    setpriority(PRIO_PROCESS, 0, 10);
    syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, 0, 3 << 13 /* IOPRIO_CLASS_IDLE */);
}

// Where memory is short (proc(5), oom_score_adj).
static inline void be_first_to_go(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)!write(file, "1000", 4);
    close(file);
}

static inline void give_up_privileges(void) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// landlock(7): no file can be opened any more, and no network used. -1 where the kernel has none of it.
static inline int deny_files_and_network(void) {
    struct { unsigned long files, network, scope; } rules = {0, 0, 0};
    long version = syscall(444 /* landlock_create_ruleset */, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version < 1) return -1;
    rules.files = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
    if (version >= 4) rules.network = 3;
    if (version >= 6) rules.scope = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int set = (int)syscall(444, &rules, size, 0);
    if (set < 0) return -1;
    int code = (int)syscall(446 /* landlock_restrict_self */, set, 0);
    close(set);
    return code;
}

static inline void *wait_for_end(void *socket) {
    struct pollfd end = {(int)(long)socket, 0, 0};
    while (ppoll(&end, 1, NULL, NULL) < 1) {}
    _exit(0);
}

// Whoever asks may go while a picture is decoded. PR_SET_PDEATHSIG would tell of the end of a thread.
static inline int end_with_socket(int socket) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    int code = pthread_create(&thread, &attributes, wait_for_end, (void *)(long)socket);
    pthread_attr_destroy(&attributes);
    return code;
}

// seccomp(2), for all threads that there are.
static inline int filter_system_calls(const struct sock_filter *instructions, unsigned short count) {
    struct sock_fprog program = {count, (struct sock_filter *)instructions};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
