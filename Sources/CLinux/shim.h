#pragma once
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// <fcntl.h> declares it only for _GNU_SOURCE, which is not set when this module is read.
static inline long start_writing(int descriptor) {
    return syscall(SYS_sync_file_range, descriptor, 0L, 0L, 2U /* SYNC_FILE_RANGE_WRITE */);
}

// statfs(2) is not visible from Swift beside the initializer of its structure's name.
#include <sys/vfs.h>
static inline long file_system_kind(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? (long)(unsigned int)facts.f_type : 0;
}
