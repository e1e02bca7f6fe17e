import CLinux

/// Limits the memory that malloc keeps after use (mallopt(3)).
package enum Memory {
    /// To be called before many threads start: each may get an arena. Without set thresholds, malloc raises them to the
    /// largest block that was ever freed.
    package static func limit() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        mallopt(M_TRIM_THRESHOLD, 512 << 10)
    }

    /// Returns free memory to the system: the next work may be hours away.
    package static func trim() { malloc_trim(0) }
}
