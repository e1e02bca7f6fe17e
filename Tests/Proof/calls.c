// Loaded before libc (ld.so(8), LD_PRELOAD): counts a program's calls by kind, and lets one of them fail, come short, or
// stop the process. What libc calls within itself is not seen. calls.py writes and reads the shared file CALLS_FILE.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The order of KINDS in calls.py.
enum kind {
    OPEN, CREATE, READ, PREAD, WRITE, PWRITE, FSYNC, FDATASYNC, RENAME, LINK, SYMLINK, UNLINK, MKDIR, READLINK, STAT,
    FTRUNCATE, MMAP, THREAD, SPAWN, SOCKET, CONNECT, POLL, SEND, RECV, READDIR, CHANGE, LOCK, DUP, DESCRIPTOR, WATCH, CLOSE,
    ACCEPT, KINDS
};
enum mode { COUNT, ONCE, ON, SHORT, STOP };
static struct shared {
    _Atomic long mode, kind, nth, error, struck, busy, number;
    // Twice: of the program, then of its worker.
    _Atomic long counts[2 * KINDS];
    char where[512];
} *shared;
static int worker;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CALLS_FILE");
    worker = getenv("CALLS_WORKER") != NULL;
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *place = (void *)syscall(SYS_mmap, NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (place != MAP_FAILED) shared = place;
}

#define REAL(name) ({ static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

// Says what was called: by its path, or of what the descriptor is.
static void note(const char *name, const char *path, int descriptor) {
    char link[64], target[400] = "";
    // A worker may call nothing here.
    if (!path && descriptor >= 0 && !worker) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        long length = REAL(readlink)(link, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
    }
    snprintf(shared->where, sizeof shared->where, "%s %s", name, path ? path : target);
}

// Whether this call is the one. 2: it is to come short.
static int strikes(enum kind kind, const char *name, const char *path, int descriptor) {
    if (!shared) return 0;
    int saved = errno, place = worker * KINDS + kind;
    long number = ++shared->counts[place], mode = shared->mode;
    if (mode == COUNT || mode == STOP || shared->kind != place) return 0;
    if (number != shared->nth && !(mode == ON && number > shared->nth)) return 0;
    if (!shared->struck++) note(name, path, descriptor);
    errno = mode == SHORT ? saved : (int)shared->error;
    return mode == SHORT ? 2 : 1;
}

// The whole process stops after a call that changed the disk, until it is told to go on.
static void changed(int kind, const char *name, const char *path, int descriptor) {
    static _Atomic int taken;
    if (!shared || shared->mode != STOP || worker) return;
    int saved = errno;
    while (atomic_exchange(&taken, 1)) sched_yield();
    note(name, path, descriptor);
    shared->kind = kind;
    shared->number++;
    syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP);
    taken = 0;
    errno = saved;
}

#define PLAIN(kind, result, name, parameters, path, descriptor, failure, ...) \
    result name parameters { \
        return strikes(kind, #name, path, descriptor) ? (result)failure : REAL(name)(__VA_ARGS__); \
    }
#define DISK(kind, name, parameters, path, descriptor, ...) \
    int name parameters { \
        if (strikes(kind, #name, path, descriptor)) return -1; \
        int result = REAL(name)(__VA_ARGS__); \
        if (result == 0) changed(kind, #name, path, descriptor); \
        return result; \
    }
// A pipe has no disk that could be full.
static int is_pipe(int file) {
    struct stat facts;
    int saved = errno, answer = REAL(fstat)(file, &facts);
    errno = saved;
    return answer == 0 && S_ISFIFO(facts.st_mode);
}

#define BYTES(kind, name, parameters, ...) \
    ssize_t name parameters { \
        int how = kind == WRITE && is_pipe(file) ? 0 : strikes(kind, #name, NULL, file); \
        if (how == 1) return -1; \
        if (how == 2 && count > 1) count /= 2; \
        ssize_t done = REAL(name)(__VA_ARGS__); \
        if (done > 0 && (kind == WRITE || kind == PWRITE)) changed(kind, #name, NULL, file); \
        return done; \
    }

BYTES(READ, read, (int file, void *bytes, size_t count), file, bytes, count)
BYTES(PREAD, pread, (int file, void *bytes, size_t count, off_t at), file, bytes, count, at)
BYTES(PREAD, pread64, (int file, void *bytes, size_t count, off64_t at), file, bytes, count, at)
BYTES(WRITE, write, (int file, const void *bytes, size_t count), file, bytes, count)
BYTES(PWRITE, pwrite, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
BYTES(PWRITE, pwrite64, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
BYTES(SEND, send, (int file, const void *bytes, size_t count, int flags), file, bytes, count, flags)
BYTES(RECV, recv, (int file, void *bytes, size_t count, int flags), file, bytes, count, flags)
PLAIN(SEND, ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), NULL, file, -1, file, message, flags)
PLAIN(RECV, ssize_t, recvmsg, (int file, struct msghdr *message, int flags), NULL, file, -1, file, message, flags)

// What makes a file is another kind than what opens one.
#define OPENING(name, parameters, path, flags, mode, ...) \
    int name parameters { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        int kind = flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR) ? CREATE : OPEN; \
        if (strikes(kind, #name, path, -1)) return -1; \
        int result = REAL(name)(__VA_ARGS__); \
        if (result >= 0 && flags & (O_CREAT | O_TRUNC)) changed(kind, #name, NULL, result); \
        return result; \
    }
OPENING(open, (const char *path, int flags, ...), path, flags, mode, path, flags, mode)
OPENING(open64, (const char *path, int flags, ...), path, flags, mode, path, flags, mode)
OPENING(openat, (int folder, const char *path, int flags, ...), path, flags, mode, folder, path, flags, mode)
OPENING(openat64, (int folder, const char *path, int flags, ...), path, flags, mode, folder, path, flags, mode)
// Before a program begins, Swift looks in /proc for its arguments.
#define BEFORE(path) (!strcmp(path, "/proc/self/maps") || !strcmp(path, "/proc/self/cmdline"))
FILE *fopen(const char *path, const char *how) {
    return !BEFORE(path) && strikes(OPEN, "fopen", path, -1) ? NULL : REAL(fopen)(path, how);
}
PLAIN(OPEN, FILE *, fopen64, (const char *path, const char *how), path, -1, NULL, path, how)
PLAIN(OPEN, DIR *, opendir, (const char *path), path, -1, NULL, path)
PLAIN(READDIR, DIR *, fdopendir, (int file), NULL, file, NULL, file)
PLAIN(READDIR, struct dirent *, readdir, (DIR *folder), NULL, dirfd(folder), NULL, folder)
PLAIN(READDIR, struct dirent64 *, readdir64, (DIR *folder), NULL, dirfd(folder), NULL, folder)

DISK(FSYNC, fsync, (int file), NULL, file, file)
DISK(FDATASYNC, fdatasync, (int file), NULL, file, file)
DISK(RENAME, rename, (const char *from, const char *to), to, -1, from, to)
DISK(RENAME, renameat, (int folder, const char *from, int other, const char *to), to, -1, folder, from, other, to)
DISK(LINK, linkat, (int folder, const char *from, int other, const char *to, int flags), to, -1, folder, from, other, to, flags)
DISK(SYMLINK, symlinkat, (const char *target, int folder, const char *path), path, -1, target, folder, path)
DISK(UNLINK, unlink, (const char *path), path, -1, path)
DISK(UNLINK, unlinkat, (int folder, const char *path, int flags), path, -1, folder, path, flags)
DISK(UNLINK, rmdir, (const char *path), path, -1, path)
DISK(MKDIR, mkdir, (const char *path, mode_t mode), path, -1, path, mode)
DISK(MKDIR, mkdirat, (int folder, const char *path, mode_t mode), path, -1, folder, path, mode)
DISK(FTRUNCATE, ftruncate, (int file, off_t size), NULL, file, file, size)
DISK(FTRUNCATE, ftruncate64, (int file, off64_t size), NULL, file, file, size)
DISK(CHANGE, fchmod, (int file, mode_t mode), NULL, file, file, mode)
DISK(CHANGE, chmod, (const char *path, mode_t mode), path, -1, path, mode)
DISK(CHANGE, futimens, (int file, const struct timespec times[2]), NULL, file, file, times)
int fsetxattr(int, const char *, const void *, size_t, int);
DISK(CHANGE, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags), NULL, file, file, name, value,
     size, flags)

PLAIN(READLINK, ssize_t, readlink, (const char *path, char *target, size_t room), path, -1, -1, path, target, room)
PLAIN(READLINK, ssize_t, readlinkat, (int folder, const char *path, char *target, size_t room), path, -1, -1, folder, path, target,
      room)
PLAIN(READLINK, char *, realpath, (const char *path, char *room), path, -1, NULL, path, room)
PLAIN(STAT, int, stat, (const char *path, struct stat *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, stat64, (const char *path, struct stat64 *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, lstat, (const char *path, struct stat *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, lstat64, (const char *path, struct stat64 *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, fstat, (int file, struct stat *facts), NULL, file, -1, file, facts)
PLAIN(STAT, int, fstat64, (int file, struct stat64 *facts), NULL, file, -1, file, facts)
PLAIN(STAT, int, fstatat, (int folder, const char *path, struct stat *facts, int flags), path, -1, -1, folder, path, facts, flags)
PLAIN(STAT, int, faccessat, (int folder, const char *path, int how, int flags), path, -1, -1, folder, path, how, flags)
PLAIN(STAT, int, access, (const char *path, int how), path, -1, -1, path, how)
struct statfs;
struct statvfs;
int statfs(const char *, struct statfs *), statvfs(const char *, struct statvfs *), fstatvfs(int, struct statvfs *);
PLAIN(STAT, int, statfs, (const char *path, struct statfs *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, statvfs, (const char *path, struct statvfs *facts), path, -1, -1, path, facts)
PLAIN(STAT, int, fstatvfs, (int file, struct statvfs *facts), NULL, file, -1, file, facts)

PLAIN(MMAP, void *, mmap, (void *at, size_t size, int how, int flags, int file, off_t from), NULL, file, MAP_FAILED, at, size, how,
      flags, file, from)
PLAIN(MMAP, void *, mmap64, (void *at, size_t size, int how, int flags, int file, off64_t from), NULL, file, MAP_FAILED, at, size,
      how, flags, file, from)
PLAIN(SOCKET, int, socket, (int domain, int type, int protocol), NULL, -1, -1, domain, type, protocol)
PLAIN(SOCKET, int, socketpair, (int domain, int type, int protocol, int both[2]), NULL, -1, -1, domain, type, protocol, both)
PLAIN(SOCKET, int, bind, (int file, const struct sockaddr *to, socklen_t size), NULL, file, -1, file, to, size)
PLAIN(SOCKET, int, listen, (int file, int count), NULL, file, -1, file, count)
PLAIN(CONNECT, int, connect, (int file, const struct sockaddr *to, socklen_t size), NULL, file, -1, file, to, size)
struct pollfd;
int poll(struct pollfd *, unsigned long, int), ppoll(struct pollfd *, unsigned long, const struct timespec *, const sigset_t *);
PLAIN(POLL, int, poll, (struct pollfd *files, unsigned long count, int time), NULL, -1, -1, files, count, time)
PLAIN(POLL, int, ppoll, (struct pollfd *files, unsigned long count, const struct timespec *time, const sigset_t *mask), NULL,
      -1, -1, files, count, time, mask)
PLAIN(POLL, int, epoll_wait, (int file, struct epoll_event *events, int room, int time), NULL, file, -1, file, events, room, time)
PLAIN(DESCRIPTOR, int, epoll_ctl, (int file, int what, int of, struct epoll_event *event), NULL, of, -1, file, what, of, event)
PLAIN(DESCRIPTOR, int, epoll_create1, (int flags), NULL, -1, -1, flags)
int eventfd(unsigned, int), timerfd_create(int, int), signalfd(int, const sigset_t *, int);
PLAIN(DESCRIPTOR, int, eventfd, (unsigned count, int flags), NULL, -1, -1, count, flags)
PLAIN(DESCRIPTOR, int, timerfd_create, (int clock, int flags), NULL, -1, -1, clock, flags)
PLAIN(DESCRIPTOR, int, signalfd, (int file, const sigset_t *signals, int flags), NULL, -1, -1, file, signals, flags)
PLAIN(DESCRIPTOR, int, pipe, (int both[2]), NULL, -1, -1, both)
PLAIN(DESCRIPTOR, int, inotify_init, (void), NULL, -1, -1, )
PLAIN(WATCH, int, inotify_add_watch, (int file, const char *path, uint32_t what), path, -1, -1, file, path, what)
PLAIN(THREAD, int, pthread_create, (pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with), NULL, -1,
      shared->error, thread, how, run, with)

// The descriptor is free, whatever close(2) answers.
int close(int file) {
    int strike = strikes(CLOSE, "close", NULL, file), result = REAL(close)(file);
    if (!strike) return result;
    errno = (int)shared->error;
    return -1;
}

static int controlled(int (*real)(int, int, ...), int file, int what, long value) {
    // What the commands of a lock point to begins with its kind. Nothing fails where it is let go of.
    int is_lock = ((what >= 5 && what <= 7) || (what >= 36 && what <= 38)) && *(short *)value != F_UNLCK;
    int is_copy = what == F_DUPFD || what == F_DUPFD_CLOEXEC;
    if ((is_lock && strikes(LOCK, "fcntl", NULL, file)) || (is_copy && strikes(DUP, "fcntl", NULL, file))) return -1;
    return real(file, what, value);
}
#define CONTROL(name) \
    int name(int file, int what, ...) { \
        va_list rest; \
        va_start(rest, what); \
        long value = va_arg(rest, long); \
        va_end(rest); \
        return controlled(REAL(name), file, what, value); \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (int index = 0; index < 6; index++) a[index] = va_arg(rest, long);
    va_end(rest);
    int kind = -1, file = -1;
    const char *path = NULL, *name = "syscall";
    switch (number) {
    case SYS_syncfs: kind = FSYNC, name = "syncfs", file = (int)a[0]; break;
    case SYS_renameat2: kind = RENAME, name = "renameat2", path = (const char *)a[3]; break;
    case 437: kind = OPEN, name = "openat2", path = (const char *)a[1]; break;
    case SYS_statx: kind = STAT, name = "statx", path = (const char *)a[1]; break;
    case SYS_accept4: kind = ACCEPT, name = "accept4", file = (int)a[0]; break;
    }
    if (kind >= 0 && strikes(kind, name, path, file)) return -1;
    long result = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result == 0 && (kind == FSYNC || kind == RENAME)) changed(kind, name, path, file);
    return result;
}

// A worker is given an environment of its own; this library comes along.
int posix_spawn(pid_t *id, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
                char *const words[], char *const environment[]) {
    if (strikes(SPAWN, "posix_spawn", path, -1)) return (int)shared->error;
    char library[512], file[512], *all[64];
    int count = 0;
    while (environment && environment[count] && count < 60) all[count] = environment[count], count++;
    snprintf(library, sizeof library, "LD_PRELOAD=%s", getenv("LD_PRELOAD") ?: "");
    snprintf(file, sizeof file, "CALLS_FILE=%s", getenv("CALLS_FILE") ?: "");
    if (shared) all[count++] = library, all[count++] = file, all[count++] = (char *)"CALLS_WORKER=1";
    all[count] = NULL;
    return REAL(posix_spawn)(id, path, actions, how, words, all);
}
