internal import Apod
internal import Catalog
internal import Files

/// What could not be brought to the disk does not come into the catalog. It holds up nothing else, and is tried again.
struct Unsynced {
    var failures: [Album: StorageError] = [:]
    /// What was left out stands for these. Their other links may have been moved there: none of them is removed.
    var days: Set<Day> = []

    mutating func add(_ other: Unsynced) {
        failures.merge(other.failures) { _, new in new }
        days.formUnion(other.days)
    }
}
