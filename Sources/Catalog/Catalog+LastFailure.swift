package import Apod
package import Files

/// Why the last refresh for all new days failed.
package struct LastFailure: Sendable, Equatable {
    package let failure: Failure
    /// Seconds since 1970.
    package let moment: Int
    /// The upstream's address, where the failure is the upstream's.
    package let upstream: String?

    package init(_ failure: Failure, at moment: Int, of upstream: String? = nil) {
        (self.failure, self.moment, self.upstream) = (failure, moment, upstream)
    }
}

extension Catalog {
    package func lastFailure() throws(StorageError) -> LastFailure? {
        guard let json = try condition(.lastFailure), let failure = Failure(json), let moment = json["at"]?.integer
        else { return nil }
        return LastFailure(failure, at: moment, of: json["upstream"]?.string)
    }

    /// Notes the failure; nil: the refresh succeeded.
    package func setLastFailure(_ failure: LastFailure?) throws(StorageError) {
        try setCondition(
            .lastFailure,
            failure.map { last in
                .sparse(
                    last.failure.members + [("at", .integer(last.moment)), ("upstream", JSON.optional(last.upstream))])
            })
    }
}
