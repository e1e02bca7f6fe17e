/* The machine's clock and disk as a part of the proof sets them, for every program that is started with it (LD_PRELOAD).
   The file that PROOF_MACHINE names holds three numbers: how many seconds the clock is ahead, whether the disk is full, and
   after how many looks at the clock it is right again (0: never). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int64_t nothing[3];
static volatile int64_t *machine = nothing;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PROOF_MACHINE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(NULL, sizeof nothing, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) machine = map;
    close(file);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FULL_IF(grows) if (machine[1] && (grows)) { errno = ENOSPC; return -1; }

/* The clock. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int status = real(clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += machine[0];
        if (machine[2] > 0 && __atomic_sub_fetch(&machine[2], 1, __ATOMIC_SEQ_CST) == 0) machine[0] = 0;
    }
    return status;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exactly;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exactly);
    now->tv_sec = exactly.tv_sec;
    now->tv_usec = exactly.tv_nsec / 1000;
    return 0;
}

/* The disk: what needs a block or an entry finds no room. */
static int is_file(int file) {
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

static int is_absent(int folder, const char *path) {
    struct stat facts;
    int before = errno, absent = fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) != 0;
    errno = before;
    return absent;
}

#define MODE(flags) mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
#define OPENS(name) int name(const char *path, int flags, ...) { \
    MODE(flags) REAL(name); FULL_IF((flags & O_CREAT) && is_absent(AT_FDCWD, path)) return real(path, flags, mode); }
OPENS(open)
OPENS(open64)
#define OPENS_AT(name) int name(int folder, const char *path, int flags, ...) { \
    MODE(flags) REAL(name); FULL_IF((flags & O_CREAT) && is_absent(folder, path)) return real(folder, path, flags, mode); }
OPENS_AT(openat)
OPENS_AT(openat64)

#define GROWS(type, name, declared, called, grows) type name declared { REAL(name); FULL_IF(grows) return real called; }
GROWS(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), is_file(file))
GROWS(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count), is_file(file))
GROWS(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at), 1)
GROWS(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at), 1)
GROWS(int, mkdir, (const char *path, mode_t mode), (path, mode), is_absent(AT_FDCWD, path))
GROWS(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), is_absent(folder, path))
GROWS(int, symlink, (const char *target, const char *path), (target, path), is_absent(AT_FDCWD, path))
GROWS(int, symlinkat, (const char *target, int folder, const char *path), (target, folder, path), is_absent(folder, path))
GROWS(int, linkat, (int from, const char *path, int to, const char *name, int flags), (from, path, to, name, flags),
      is_absent(to, name))

#define ROOM(name, first, facts_type, free, available) int name(first from, struct facts_type *facts) { \
    REAL(name); int status = real(from, facts); if (status == 0 && machine[1]) facts->free = facts->available = 0; return status; }
ROOM(statvfs, const char *, statvfs, f_bfree, f_bavail)
ROOM(fstatvfs, int, statvfs, f_bfree, f_bavail)
ROOM(statfs, const char *, statfs, f_bfree, f_bavail)
ROOM(fstatfs, int, statfs, f_bfree, f_bavail)
