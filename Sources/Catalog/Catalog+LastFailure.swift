package import Files
import Synchronization

/// What kept the last refresh from its end.
package struct LastFailure: Sendable, Equatable {
    package let words: String
    /// Seconds since 1970; nil where an earlier program noted it.
    package let moment: Int?
    /// Who was asked, where it is that one's failure.
    package let upstream: String?

    package init(_ words: String, at moment: Int?, of upstream: String? = nil) {
        self.words = words
        self.moment = moment
        self.upstream = upstream
    }
}

extension Catalog {
    package func lastFailure() throws(StorageError) -> LastFailure? {
        guard let words = try remark(.lastFailure) else { return nil }
        return LastFailure(words, at: try fact(.failedAt), of: try remark(.failedUpstream))
    }

    /// nil: it has come to its end.
    package func setLastFailure(_ failure: LastFailure?) throws(StorageError) {
        try changing { database throws(StorageError) in
            try Self.set(Remark.lastFailure.rawValue, failure.map { .text($0.words) }, in: database)
            try Self.set(Remark.failedUpstream.rawValue, failure?.upstream.map { .text($0) }, in: database)
            try Self.set(Fact.failedAt.rawValue, failure?.moment.map { .integer($0) }, in: database)
        }
    }
}
