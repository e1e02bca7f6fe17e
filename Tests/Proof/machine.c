/* The machine's clock and disk as a part of the proof sets them, for every program that is started with it.
   The file that PROOF_MACHINE names holds three numbers: how many seconds the clock is ahead, whether the disk is full, and
   whether other programs have all instances of inotify. */
#include "hook.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
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

/* The clock. */
HOOK(clock_gettime,
    word status = real(ALL);
    if ((int)status == 0 && ((clockid_t)a == CLOCK_REALTIME || (clockid_t)a == CLOCK_REALTIME_COARSE)) {
        ((struct timespec *)b)->tv_sec += machine[0];
    }
    return status;)

#include "../clock.h"

HOOK(inotify_init, if (machine[2]) { errno = EMFILE; return -1; } return real(ALL);)

/* The disk: what needs a block or an entry finds no room. */
static int is_file(word file) {
    struct stat facts;
    return fstat((int)file, &facts) == 0 && S_ISREG(facts.st_mode);
}

static int is_absent(word folder, word path) {
    struct stat facts;
    int before = errno, absent = fstatat((int)folder, (const char *)path, &facts, AT_SYMLINK_NOFOLLOW) != 0;
    errno = before;
    return absent;
}

#define GROWS(name, grows) TWICE(name, if (machine[1] && (grows)) { errno = ENOSPC; return -1; } return real(ALL);)
GROWS(open, b & O_CREAT && is_absent(AT_FDCWD, a))
GROWS(openat, c & O_CREAT && is_absent(a, b))
GROWS(write, is_file(a))
GROWS(writev, is_file(a))
GROWS(pwrite, 1)
GROWS(mkdir, is_absent(AT_FDCWD, a))
GROWS(mkdirat, is_absent(a, b))
GROWS(symlink, is_absent(AT_FDCWD, b))
GROWS(symlinkat, is_absent(b, c))
GROWS(linkat, is_absent(c, d))

#define ROOM(name, type, available) HOOK(name, \
    word status = real(ALL); \
    if ((int)status == 0 && machine[1]) ((struct type *)b)->available = 0; \
    return status;)
ROOM(statvfs, statvfs, f_bavail)
ROOM(fstatvfs, statvfs, f_bavail)
ROOM(statfs, statfs, f_bavail)
ROOM(fstatfs, statfs, f_bavail)
