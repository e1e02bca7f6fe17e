internal import CLinux

/// What malloc keeps of what was needed once.
package enum Memory {
    /// To be called while there are few threads: each would keep its own. And what malloc keeps would grow with the largest
    /// that was ever freed, a calendar of all days for example.
    package static func limit() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        mallopt(M_TRIM_THRESHOLD, 512 << 10)
    }

    /// Goes back to the system: there may be hours until the next work.
    package static func trim() { malloc_trim(0) }
}
