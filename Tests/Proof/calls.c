// Counts a program's calls by kind, and lets one of them fail, come short, stop the process, or meet a link in the place of a
// folder. What libc calls within itself is not seen. calls.py writes and reads the shared file CALLS_FILE.
#include "hook.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The order of KINDS in calls.py.
enum kind {
    OPEN, CREATE, READ, PREAD, WRITE, PWRITE, FSYNC, FDATASYNC, RENAME, LINK, SYMLINK, UNLINK, MKDIR, READLINK, STAT,
    FTRUNCATE, MMAP, THREAD, SPAWN, SOCKET, CONNECT, POLL, SEND, RECV, READDIR, CHANGE, LOCK, DUP, DESCRIPTOR, WATCH, CLOSE,
    ACCEPT, RESOLVE, KINDS
};
#define CHANGES_DISK (1u << FSYNC | 1u << FDATASYNC | 1u << RENAME | 1u << LINK | 1u << SYMLINK | 1u << UNLINK | 1u << MKDIR \
                      | 1u << FTRUNCATE | 1u << CHANGE)
// What a call returns: a count of bytes, of which fewer may come; -1 where it fails; NULL there; the error itself.
enum form { BYTES, STATUS, POINTER, ERROR };
enum mode { COUNT, ONCE, ON, SHORT, STOP, PLANT };
static struct shared {
    _Atomic long mode, kind, nth, error, struck, busy, number;
    _Atomic long counts[KINDS];
    char where[512];
} *shared;
// The mirror's folder, and another one outside of it.
static const char *root, *sentinel;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CALLS_FILE");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *place = (void *)syscall(SYS_mmap, NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (place != MAP_FAILED) shared = place;
    root = getenv("CALLS_ROOT");
    sentinel = getenv("CALLS_SENTINEL");
}

// Says what was called: by its path, or of what the descriptor is.
static void note(const char *name, const char *path, int file) {
    char link[64], target[400] = "";
    if (!path && file >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        long length = REAL(readlink)(link, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
    }
    snprintf(shared->where, sizeof shared->where, "%s %s", name, path ? path : target);
}

// A pipe has no disk that could be full.
static int is_pipe(int file) {
    struct stat facts;
    int saved = errno, answer = REAL(fstat)(file, &facts);
    errno = saved;
    return answer == 0 && S_ISFIFO(facts.st_mode);
}

// Whether this call is the one. 2: it is to come short.
static int strikes(int kind, const char *name, const char *path, int file) {
    if (!shared || kind < 0 || (kind == WRITE && is_pipe(file))) return 0;
    // Before a program begins, Swift looks in /proc for its arguments.
    if (kind == OPEN && path && (!strcmp(path, "/proc/self/maps") || !strcmp(path, "/proc/self/cmdline"))) return 0;
    int saved = errno;
    long number = ++shared->counts[kind], mode = shared->mode;
    if (mode == COUNT || mode == STOP || shared->kind != kind) return 0;
    if (number != shared->nth && !(mode == ON && number > shared->nth)) return 0;
    if (!shared->struck++) note(name, path, file);
    errno = mode == SHORT ? saved : (int)shared->error;
    return mode == SHORT ? 2 : 1;
}

// The whole process stops after a call that changed the disk, until it is told to go on.
static void changed(int kind, const char *name, const char *path, int file) {
    static _Atomic int taken;
    if (!shared || shared->mode != STOP) return;
    int saved = errno;
    // What handles a signal may come here, too, and would wait for its own thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (atomic_exchange(&taken, 1)) sched_yield();
    note(name, path, file);
    shared->kind = kind;
    shared->number++;
    syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP);
    taken = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
}

// Before a path below one of these is resolved, a folder of it changes places with a link to the one of its name in the sentinel:
// the one that the last name is in (`error` 0), or the outermost.
static void resolve(const char *name, word folder, const char *path) {
    static const char *const folders[] = {"favorites", "search", "today", "frame", "lists", "gallery", NULL};
    if (!shared || !root || !path || (shared->mode != COUNT && shared->mode != PLANT)) return;
    char place[8192] = "", link[8192];
    int saved = errno;
    if (path[0] != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", (int)folder);
        long length = REAL(readlink)(link, place, 4096);
        snprintf(place + (length < 0 ? 0 : length), 4096, "/%.4000s", path);
    } else {
        snprintf(place, sizeof place, "%.4000s", path);
    }
    errno = saved;
    size_t length = strlen(root);
    if (strncmp(place, root, length) || place[length] != '/') return;
    for (const char *const *each = folders; *each; each++) {
        char *outer = place + length + 1 + strlen(*each);
        if (strncmp(place + length + 1, *each, strlen(*each)) || *outer != '/') continue;
        long number = ++shared->counts[RESOLVE];
        if (shared->mode != PLANT || number != shared->nth) return;
        *(shared->error ? outer : strrchr(place, '/')) = 0;
        note(name, place, -1);
        char aside[4200];
        snprintf(link, sizeof link, "%s%s", sentinel, place + length);
        snprintf(aside, sizeof aside, "%s.planted", sentinel);
        if (!symlink(link, aside)) shared->struck = !REAL(syscall)(SYS_renameat2, AT_FDCWD, place, AT_FDCWD, aside, 2 /* exchange */);
        errno = saved;
    }
}

static word take(function *real, const char *name, int kind, enum form form, word at, word descriptor, word a, word b, word c,
                 word d, word e, word f, word g) {
    const char *path = (const char *)at;
    resolve(name, at == b ? a : at == c ? b : at == d ? c : at == e ? d : AT_FDCWD, path);
    int file = (int)descriptor, strike = strikes(kind, name, path, file);
    if (strike == 2 && form == BYTES) c -= c > 1 ? c / 2 : 0;
    // The descriptor is free, whatever close(2) answers.
    else if (strike && kind != CLOSE) return form == ERROR ? shared->error : form == POINTER ? 0 : -1;
    word result = real(ALL);
    if (strike && kind == CLOSE) {
        errno = (int)shared->error;
        return -1;
    }
    if (kind == WRITE || kind == PWRITE ? result > 0 : kind >= 0 && CHANGES_DISK >> kind & 1 && (int)result == 0)
        changed(kind, name, path, file);
    return result;
}

// `path`, `file`: of the arguments a, b, c …, those that name what is called for.
#define CALL(kind, name, form, path, file) TWICE(name, return take(real, #name, kind, form, path, file, ALL);)
#define PATH(kind, name, path) CALL(kind, name, STATUS, path, -1)
#define OPENED(kind, name, file) CALL(kind, name, STATUS, 0, file)
#define COUNTED(kind, name, file) CALL(kind, name, BYTES, 0, file)
COUNTED(READ, read, a)
COUNTED(PREAD, pread, a)
COUNTED(WRITE, write, a)
COUNTED(PWRITE, pwrite, a)
COUNTED(SEND, send, a)
COUNTED(RECV, recv, a)
OPENED(SEND, sendmsg, a)
OPENED(RECV, recvmsg, a)

CALL(OPEN, fopen, POINTER, a, -1)
CALL(OPEN, opendir, POINTER, a, -1)
CALL(READDIR, fdopendir, POINTER, 0, a)
CALL(READDIR, readdir, POINTER, 0, dirfd((DIR *)a))
// What makes a file is another kind than what opens one.
#define OPENING(flags, name, path) TWICE(name, \
    int kind = flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR) ? CREATE : OPEN; \
    word file = take(real, #name, kind, STATUS, path, -1, ALL); \
    if ((int)file >= 0 && flags & (O_CREAT | O_TRUNC)) changed(CREATE, #name, NULL, (int)file); \
    return file;)
OPENING(b, open, a)
OPENING(c, openat, b)

OPENED(FSYNC, fsync, a)
OPENED(FDATASYNC, fdatasync, a)
PATH(RENAME, rename, b)
PATH(RENAME, renameat, d)
PATH(LINK, linkat, d)
PATH(SYMLINK, symlinkat, c)
PATH(UNLINK, unlink, a)
PATH(UNLINK, unlinkat, b)
PATH(UNLINK, rmdir, a)
PATH(MKDIR, mkdir, a)
PATH(MKDIR, mkdirat, b)
OPENED(FTRUNCATE, ftruncate, a)
OPENED(CHANGE, fchmod, a)
PATH(CHANGE, chmod, a)
OPENED(CHANGE, futimens, a)
OPENED(CHANGE, fsetxattr, a)

PATH(READLINK, readlink, a)
PATH(READLINK, readlinkat, b)
CALL(READLINK, realpath, POINTER, a, -1)
PATH(STAT, stat, a)
PATH(STAT, lstat, a)
OPENED(STAT, fstat, a)
PATH(STAT, fstatat, b)
PATH(STAT, faccessat, b)
PATH(STAT, access, a)
PATH(STAT, statfs, a)
PATH(STAT, statvfs, a)
OPENED(STAT, fstatvfs, a)

OPENED(MMAP, mmap, e)
OPENED(SOCKET, socket, -1)
OPENED(SOCKET, socketpair, -1)
OPENED(SOCKET, bind, a)
OPENED(SOCKET, listen, a)
OPENED(CONNECT, connect, a)
OPENED(POLL, poll, -1)
OPENED(POLL, ppoll, -1)
OPENED(POLL, epoll_wait, a)
OPENED(DESCRIPTOR, epoll_ctl, c)
OPENED(DESCRIPTOR, epoll_create1, -1)
OPENED(DESCRIPTOR, eventfd, -1)
OPENED(DESCRIPTOR, timerfd_create, -1)
OPENED(DESCRIPTOR, signalfd, a)
OPENED(DESCRIPTOR, pipe, -1)
OPENED(DESCRIPTOR, inotify_init, -1)
PATH(WATCH, inotify_add_watch, b)
CALL(THREAD, pthread_create, ERROR, 0, -1)
OPENED(CLOSE, close, a)
CALL(SPAWN, posix_spawn, ERROR, b, -1)

// What the commands of a lock point to begins with its kind. Nothing fails where it is let go of.
static int controlled(int what, word value) {
    int is_lock = (what >= 5 && what <= 7) || (what >= 36 && what <= 38);
    return is_lock && *(short *)value != F_UNLCK ? LOCK : what == F_DUPFD || what == F_DUPFD_CLOEXEC ? DUP : -1;
}
CALL(controlled((int)b, c), fcntl, STATUS, 0, a)

HOOK(syscall,
    switch (a) {
    case SYS_syncfs: return take(real, "syncfs", FSYNC, STATUS, 0, b, ALL);
    case SYS_renameat2: return take(real, "renameat2", RENAME, STATUS, e, -1, ALL);
    case SYS_openat2: return take(real, "openat2", OPEN, STATUS, c, -1, ALL);
    case SYS_statx: return take(real, "statx", STAT, STATUS, c, -1, ALL);
    case SYS_accept4: return take(real, "accept4", ACCEPT, STATUS, 0, b, ALL);
    }
    return real(ALL);)
