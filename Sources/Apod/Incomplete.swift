/// Something that the day's record names could not be had.
package struct Incomplete: Sendable, Equatable {
    package let reason: String
    /// `Picture.content` of the record that is waited for, where the day's JSON tells of the one before it.
    package let awaited: Digest?

    package init(reason: String, awaited: Digest? = nil) { (self.reason, self.awaited) = (reason, awaited) }

    package init?(_ text: JSONText?) {
        guard let reason = text?["reason"]?.string else { return nil }
        self.init(reason: reason, awaited: (text?["record"]?.string).flatMap(Digest.init(hexadecimal:)))
    }

    package var json: JSON {
        .object([("reason", .string(reason))] + (awaited.map { [("record", .string("\($0)"))] } ?? []))
    }
}
