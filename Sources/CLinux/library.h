#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// A library that is opened when its first function is called, as most commands call none of it: mapping libcurl and the
// thirty libraries below it takes longer than the rest of a start. A program that lacks it ends as one that is linked
// with it does.
static inline void *open_library(const char *name) {
    void *library = dlopen(name, RTLD_NOW);
    if (!library) {
        dprintf(2, "%s\n", dlerror());
        _exit(127);
    }
    return library;
}

static inline void *find_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) {
        dprintf(2, "%s\n", dlerror());
        _exit(127);
    }
    return function;
}

// For a list of functions, in a struct that has each by its name.
#define DECLARE(name) __typeof__(name) *name;
#define FIND(name) found.name = (__typeof__(name) *)find_function(library, #name);
