#pragma once
#include <zlib.h>

// deflateInit2 is a macro. 16 more window bits: in gzip's form (zlib.h).
static inline int begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
