#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions.
static inline CURLcode set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline int system_error(CURL *easy) {
    long code = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &code);
    return (int)code;
}
static inline CURLcode set_data_function(
    CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(easy, option, function);
}
static inline CURLcode set_socket_function(
    CURL *easy, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

// struct sockaddr stands at the end of curl_sockaddr and may be longer than its declared type.
#include <sys/socket.h>
static inline curl_socket_t open_socket(struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
