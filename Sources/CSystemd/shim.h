#pragma once
#include "../CLinux/library.h"
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#define FUNCTIONS(use) use(sd_journal_sendv) use(sd_notify) use(sd_watchdog_enabled)

struct libsystemd {
    FUNCTIONS(DECLARE)
};

static inline struct libsystemd open_libsystemd(void) {
    struct libsystemd found;
    void *library = open_library("libsystemd.so.0");
    FUNCTIONS(FIND)
    return found;
}
