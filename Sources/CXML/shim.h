#pragma once
#include "../CLinux/library.h"
#include <libxml/HTMLparser.h>

#define FUNCTIONS(use) use(htmlReadMemory) use(xmlDocGetRootElement) use(xmlFreeDoc) use(xmlInitParser)

struct libxml2 {
    FUNCTIONS(DECLARE)
};

// Ready for use by threads: libxml2 must be set up once before ("Thread safety" in its documentation).
static inline struct libxml2 open_libxml2(void) {
    struct libxml2 found;
    void *library = open_library("libxml2.so.2");
    FUNCTIONS(FIND)
    found.xmlInitParser();
    return found;
}
