#pragma once
#include <sys/eventfd.h>
#include <sys/xattr.h>

// statfs(2) is not visible from Swift beside the initializer of its structure's name.
#include <sys/vfs.h>
static inline long file_system_kind(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? (long)(unsigned int)facts.f_type : 0;
}
