#pragma once
#include <zlib.h>

// deflateInit2 is a macro. Negative window bits: raw, without a header or a checksum.
static inline int begin_raw_deflate(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

// 16 more: in gzip's form (zlib.h).
static inline int begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
