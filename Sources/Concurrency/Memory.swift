internal import CLinux

/// What malloc keeps of what was needed once.
package enum Memory {
    /// Each thread would keep its own. To be called while there are few.
    package static func limitArenas() { mallopt(M_ARENA_MAX, 2) }

    /// Goes back to the system: there may be hours until the next work.
    package static func trim() { malloc_trim(0) }
}
