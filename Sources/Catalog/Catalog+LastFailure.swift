package import Apod
package import Files

/// What kept the last refresh for all that is new from its end.
package struct LastFailure: Sendable, Equatable {
    package let failure: Failure
    /// Seconds since 1970.
    package let moment: Int
    /// Who was asked, where it is that one's failure.
    package let upstream: String?

    package init(_ failure: Failure, at moment: Int, of upstream: String? = nil) {
        (self.failure, self.moment, self.upstream) = (failure, moment, upstream)
    }
}

extension Catalog {
    package func lastFailure() throws(StorageError) -> LastFailure? {
        guard let text = try remark(.lastFailure), let json = try? JSONText(Array(text.utf8)),
            let failure = Failure(json), let moment = json["at"]?.integer
        else { return nil }
        return LastFailure(failure, at: moment, of: json["upstream"]?.string)
    }

    /// nil: it has come to its end.
    package func setLastFailure(_ failure: LastFailure?) throws(StorageError) {
        let json = failure.map { failure in
            JSON.object(
                failure.failure.members
                    + [("at", .integer(failure.moment)), ("upstream", .optional(failure.upstream))])
        }
        try setRemark(.lastFailure, json.map { String(decoding: $0.compact, as: UTF8.self) })
    }
}
