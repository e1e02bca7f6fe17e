#pragma once
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>

// statfs(2) is not visible from Swift beside the initializer of its structure's name.
#include <sys/vfs.h>
static inline long file_system_kind(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? (long)(unsigned int)facts.f_type : 0;
}

// In Swift, flock(2) hides the structure of its name, and fcntl(2) takes no such argument. The locks belong to the open
// file, not to the process (fcntl_locking(2)); their numbers are not in what Swift sees of libc.
#include <fcntl.h>
static inline int lock_file(int descriptor, int shared) {
    struct flock all = {.l_type = shared ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, 37 /* F_OFD_SETLK */, &all);
}

static inline int file_is_locked(int descriptor) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, 36 /* F_OFD_GETLK */, &all) == 0 && all.l_type != F_UNLCK;
}

// O_PATH, renameat2(2) and statx(2) are not in what Swift sees of libc, and the kernel's header for the last cannot
// stand beside libc's. The layout is that of statx(2).
static const int path_only = 010000000;

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int sync_disk(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }
static inline int exchange_files(int folder, const char *name, int other_folder, const char *other_name) {
    return (int)syscall(SYS_renameat2, folder, name, other_folder, other_name, 2 /* RENAME_EXCHANGE */);
}

// openat2(2) is in no header here. Another mount is not entered (EXDEV); nor is what lies outside the folder.
static inline int open_resolving(int folder, const char *path, int flags, unsigned long resolve) {
    struct { unsigned long flags, mode, resolve; } how = {(unsigned)flags, 0, resolve};
    return (int)syscall(437, folder, path, &how, sizeof how);
}
enum { NO_OTHER_MOUNT = 1, NO_MAGIC_LINKS = 2, BENEATH = 8 };
static inline int open_on_same_mount(int folder, const char *path, int flags) {
    return open_resolving(folder, path, flags, NO_OTHER_MOUNT);
}
// EAGAIN: something was renamed anywhere on the system while the way led through "..", which says nothing about the path.
// The next try mostly ends it; a third was seen once in 200,000, beside two threads that do nothing but rename.
static inline int open_below(int folder, const char *path, int flags) {
    int opened, tries = 100;
    do opened = open_resolving(folder, path, flags, NO_OTHER_MOUNT | NO_MAGIC_LINKS | BENEATH);
    while (opened < 0 && errno == EAGAIN && --tries);
    return opened;
}

static inline int rename_to_new(int folder, const char *name, int other_folder, const char *new_name) {
    return (int)syscall(SYS_renameat2, folder, name, other_folder, new_name, 1 /* RENAME_NOREPLACE */);
}

struct extended_facts {
    unsigned mask, block_size;
    unsigned long attributes;
    unsigned links, user, group;
    unsigned short mode, spare;
    unsigned long inode, size, blocks, attributes_mask;
    struct { long seconds; unsigned nanoseconds; int spare; } accessed, born, changed, modified;
    unsigned special_major, special_minor, device_major, device_minor;
    unsigned long rest[14];
};

static inline int birth_of_file(int descriptor, unsigned long *inode, long *seconds, unsigned *nanoseconds) {
    enum { AT_EMPTY = 0x1000, INODE = 0x100, BIRTH = 0x800 };
    struct extended_facts facts = {0};
    if (syscall(SYS_statx, descriptor, "", AT_EMPTY, INODE | BIRTH, &facts) != 0) return -1;
    *inode = facts.inode;
    *seconds = facts.mask & BIRTH ? facts.born.seconds : 0;
    *nanoseconds = facts.mask & BIRTH ? facts.born.nanoseconds : 0;
    return 0;
}

// What the system knows of a thing.
#include <sys/sysmacros.h>
static inline unsigned long device_number(unsigned major, unsigned minor) { return makedev(major, minor); }

static inline int known_facts(int folder, const char *name, struct extended_facts *facts) {
    enum { AT_NO_FOLLOW = 0x100, AT_NO_AUTOMATIC_MOUNT = 0x800, AT_DO_NOT_ASK = 0x4000 };
    enum { TYPE = 1, INODE = 0x100, SIZE = 0x200 };
    int flags = AT_NO_FOLLOW | AT_NO_AUTOMATIC_MOUNT | AT_DO_NOT_ASK;
    return (int)syscall(SYS_statx, folder, name, flags, TYPE | INODE | SIZE, facts);
}

// SO_PEERCRED needs _GNU_SOURCE for its struct (unix(7)). The highest number belongs to nobody.
static inline unsigned user_at_socket(int descriptor) {
    enum { SOCKET_LEVEL = 1, PEER_CREDENTIALS = 17 };
    struct { int process; unsigned user, group; } peer = {0, ~0u, ~0u};
    unsigned size = sizeof peer;
    syscall(SYS_getsockopt, descriptor, SOCKET_LEVEL, PEER_CREDENTIALS, &peer, &size);
    return peer.user;
}

// accept4(2) is not in what Swift sees of libc, either.
static inline int accept_connection(int descriptor) {
    return (int)syscall(SYS_accept4, descriptor, 0, 0, 02000000 | 04000 /* SOCK_CLOEXEC | SOCK_NONBLOCK */);
}

// Sends bytes with one open descriptor, or receives them; cmsg(3) is made of macros. -1 in `other` if none has come.
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
// A program that is started so has no descriptor from this one on; glibc's header shows it to programs for GNU alone.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
// prctl(2) has variable arguments. The process may have been orphaned before.
#include <signal.h>
#include <sys/prctl.h>
static inline int end_with_parent(int parent) {
    return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent;
}

static inline int close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline ssize_t send_with_descriptor(int socket, const void *bytes, size_t count, int other) {
    struct iovec part = {(void *)bytes, count};
    union { char room[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = {{0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    control.header.cmsg_len = CMSG_LEN(sizeof other);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &other, sizeof other);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static inline ssize_t receive_with_descriptor(int socket, void *bytes, size_t room, int *other) {
    struct iovec part = {bytes, room};
    union { char room[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    *other = -1;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(other, CMSG_DATA(header), sizeof *other);
    return received;
}

// Another process is ended by the system (SIGXCPU) when it has worked for so many seconds more and, if it does not want to
// hear that, a second after so many in all. That cannot be taken back. Returns for how many it has worked.
#include <sys/resource.h>
#include <time.h>
static inline int limit_work(pid_t process, int seconds, int all) {
    clockid_t clock;
    struct timespec used;
    struct { unsigned long soft, hard; } limit = {0, all + 1UL};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return -1;
    limit.soft = used.tv_sec + seconds;
    if (limit.soft > limit.hard) limit.soft = limit.hard;
    if (syscall(SYS_prlimit64, process, RLIMIT_CPU, &limit, NULL) != 0) return -1;
    return (int)used.tv_sec;
}
