/// A file that the day's record names could not be fetched.
package struct Incomplete: Sendable, Equatable {
    package let failure: Failure
    /// `Picture.content` of a newer record than the one in the JSON, if its files are still to come.
    package let awaited: Digest?

    package init(_ failure: Failure, awaited: Digest? = nil) { (self.failure, self.awaited) = (failure, awaited) }

    package init?(_ text: JSONText?) {
        guard let failure = Failure(text) else { return nil }
        self.init(failure, awaited: text?["record"]?.digest)
    }

    package var json: JSON {
        .sparse(failure.members + [("record", awaited.map { JSON.string("\($0)") })])
    }
}
