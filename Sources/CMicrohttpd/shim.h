#pragma once
#include <arpa/inet.h>
#include <sys/socket.h>
#include <microhttpd.h>

// Swift cannot call functions with variable arguments.
static inline struct MHD_Daemon *start_daemon(
    unsigned flags, MHD_AcceptPolicyCallback accept, void *context, MHD_AccessHandlerCallback handle,
    struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, accept, context, handle, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline const struct sockaddr *peer_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

// An IPv4 address that came through an IPv6 socket counts as itself (RFC 4291, 2.5.5.2), a socket in the file system as
// this machine. Returns the length.
static inline int address_bytes(const struct sockaddr *address, unsigned char bytes[16]) {
    if (address && address->sa_family == AF_UNIX) {
        __builtin_memcpy(bytes, "\x7f\0\0\1", 4);
        return 4;
    }
    if (address && address->sa_family == AF_INET) {
        __builtin_memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return 4;
    }
    if (!address || address->sa_family != AF_INET6) return 0;
    const struct in6_addr *inner = &((const struct sockaddr_in6 *)address)->sin6_addr;
    int mapped = IN6_IS_ADDR_V4MAPPED(inner);
    __builtin_memcpy(bytes, inner->s6_addr + (mapped ? 12 : 0), mapped ? 4 : 16);
    return mapped ? 4 : 16;
}

static inline int connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// This machine's own address on a connection.
static inline int own_address_bytes(struct MHD_Connection *connection, unsigned char bytes[16]) {
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (getsockname(connection_socket(connection), (struct sockaddr *)&own, &length)) return 0;
    return address_bytes((struct sockaddr *)&own, bytes);
}

// Swift's names of these enumerations' members are cut in odd places.
static inline struct MHD_Response *response_with_copy(size_t count, const void *bytes) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
static inline int is_new_connection(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// strptime(3) is not in what Swift sees of libc.
#include <time.h>
static inline long http_date(const char *text) {
    extern char *strptime(const char *, const char *, struct tm *);
    struct tm parts = {0};
    const char *end = strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return end && !*end ? timegm(&parts) : -1;
}
