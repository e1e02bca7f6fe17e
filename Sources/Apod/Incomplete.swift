/// Something that the day's record names could not be had.
package struct Incomplete: Sendable, Equatable {
    package let failure: Failure
    /// `Picture.content` of the record that is waited for, where the day's JSON tells of the one before it.
    package let awaited: Digest?

    package init(_ failure: Failure, awaited: Digest? = nil) { (self.failure, self.awaited) = (failure, awaited) }

    package init?(_ text: JSONText?) {
        guard let failure = Failure(text) else { return nil }
        self.init(failure, awaited: (text?["record"]?.string).flatMap(Digest.init(hexadecimal:)))
    }

    package var json: JSON {
        .object(failure.members + (awaited.map { [("record", .string("\($0)"))] } ?? []))
    }
}
