#pragma once
#include "../CLinux/library.h"
#include <curl/curl.h>

#define FUNCTIONS(use) \
    use(curl_easy_cleanup) use(curl_easy_getinfo) use(curl_easy_init) use(curl_easy_setopt) use(curl_easy_strerror) \
    use(curl_getdate) use(curl_global_init) use(curl_multi_add_handle) use(curl_multi_cleanup) \
    use(curl_multi_info_read) use(curl_multi_init) use(curl_multi_perform) use(curl_multi_poll) \
    use(curl_multi_remove_handle) use(curl_slist_append) use(curl_slist_free_all)

struct libcurl {
    FUNCTIONS(DECLARE)
};

static inline struct libcurl open_libcurl(void) {
    struct libcurl found;
    void *library = open_library("libcurl.so.4");
    FUNCTIONS(FIND)
    return found;
}

// Swift cannot call variadic functions. curl.h has macros of their names.
static inline CURLcode set_long(struct libcurl curl, CURL *easy, CURLoption option, long value) {
    return (curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode set_text(struct libcurl curl, CURL *easy, CURLoption option, const char *value) {
    return (curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode set_pointer(struct libcurl curl, CURL *easy, CURLoption option, void *value) {
    return (curl.curl_easy_setopt)(easy, option, value);
}
static inline int system_error(struct libcurl curl, CURL *easy) {
    long code = 0;
    (curl.curl_easy_getinfo)(easy, CURLINFO_OS_ERRNO, &code);
    return (int)code;
}
static inline CURLcode set_data_function(
    struct libcurl curl, CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
    return (curl.curl_easy_setopt)(easy, option, function);
}
static inline CURLcode set_socket_function(
    struct libcurl curl, CURL *easy, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *)) {
    return (curl.curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

// struct sockaddr stands at the end of curl_sockaddr and may be longer than its declared type.
#include <sys/socket.h>
static inline curl_socket_t open_socket(struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
