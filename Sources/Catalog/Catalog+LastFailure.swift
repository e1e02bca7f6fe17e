package import Apod
package import Files

/// Why the last refresh for all new days failed.
package struct LastFailure: Sendable, Equatable {
    package let failure: Failure
    /// Seconds since 1970.
    package let moment: Int

    package init(_ failure: Failure, at moment: Int) { (self.failure, self.moment) = (failure, moment) }
}

extension Catalog {
    package func lastFailure() throws(StorageError) -> LastFailure? {
        guard let json = try condition(.lastFailure), let failure = Failure(json), let moment = json["at"]?.integer
        else { return nil }
        return LastFailure(failure, at: moment)
    }

    /// Notes the failure; nil: the refresh succeeded.
    package func setLastFailure(_ failure: LastFailure?) throws(StorageError) {
        try setCondition(
            .lastFailure,
            failure.map { .sparse($0.failure.members + [("at", .integer($0.moment))]) })
    }
}
