#pragma once
// The library's header only announces `struct inotify_event`.
#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>
