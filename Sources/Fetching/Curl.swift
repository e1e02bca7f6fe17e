import CCurl

/// The functions of libcurl, which is opened when the first of them is called. `nonisolated(unsafe)`: nobody changes them.
nonisolated(unsafe) let curl = open_libcurl()
