internal import Apod
internal import Catalog
internal import Files

/// Albums that could not be brought to the disk: their new links stay out of the catalog, and are tried again.
struct Unsynced {
    var failures: [Album: StorageError] = [:]
    /// The days of the links left out. Their other links may have been moved into these albums, so none of them ends.
    var days: Set<Day> = []

    mutating func add(_ other: Unsynced) {
        failures.merge(other.failures) { _, new in new }
        days.formUnion(other.days)
    }
}
