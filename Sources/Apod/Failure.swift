/// Why something could not be had or done: a code to go by, and what a person is told.
package struct Failure: Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        /// The program ended while it replaced the day's files.
        case replacing
        /// The program ended while it deleted the day's files.
        case deleting
        /// A file of the day was gone when the catalog was made anew.
        case missing
        /// A picture that is here does not decode.
        case undecodable
        /// No connection can be made.
        case unreachable
        /// The server answers that it has no such thing, or that it may not be had.
        case refused
        /// It did not come, or not all of it.
        case transfer
        /// It came, and may not be taken.
        case unfit
        /// The server answers with something else than records.
        case records
        /// Several files in a row could not be had.
        case files
        /// The disk is full.
        case full
        /// The file or folder at `path` does not let it be done; `number` says why (errno(3)).
        case folder
        /// There is no mirror at `path` any more.
        case away
        /// Whoever asks may not look into `path`.
        case hidden
        /// The mirror at `path` is somebody else's.
        case foreign
        /// Whoever asks may not write at `path`, which is to be the mirror's.
        case closed
        /// What is at `path` is not the mirror's.
        case nameTaken = "name-taken"
        /// The system's limit named `path` is reached.
        case limit
        /// Somebody has stopped it.
        case stopped
        case other
    }

    package let code: Code
    package let words: String
    /// Where it was asked for.
    package let address: WebAddress?
    /// Of a file or folder that it is about.
    package let path: String?
    /// The system's reason (errno(3)).
    package let number: Int?

    package init(
        _ code: Code, _ words: String = "", at address: WebAddress? = nil, path: String? = nil, number: Int? = nil
    ) {
        (self.code, self.words, self.address, self.path, self.number) = (code, words, address, path, number)
    }

    /// The day is asked for again as if it had never come, and nobody is told of a failure.
    package var isInterruption: Bool { Self.interruptions.contains(code) }

    package static let interruptions: Set<Code> = [.replacing, .deleting, .missing]

    /// Both have the same cause, whatever was asked for.
    package func hasCause(of other: Failure) -> Bool {
        guard code == other.code else { return false }
        if let address { return address.host == other.address?.host }
        return code == .full || words == other.words
    }
}

extension Failure: CustomStringConvertible {
    package var description: String { address.map { "\(words): \($0)" } ?? words }
}

extension Failure {
    package var members: [(String, JSON)] {
        let others: [(String, JSON?)] = [
            ("address", address.map { .string($0.description) }), ("path", path.map { .string($0) }),
            ("number", number.map { .integer($0) }),
        ]
        return [("code", .string(code.rawValue)), ("reason", .string(words))]
            + others.compactMap { name, value in value.map { (name, $0) } }
    }

    package var json: JSON { .object(members) }

    package init?(_ text: JSONText?) {
        guard let words = text?["reason"]?.string else { return nil }
        self.init(
            text?["code"]?.string.flatMap(Code.init) ?? .other, words,
            at: text?["address"]?.string.flatMap { WebAddress($0) }, path: text?["path"]?.string,
            number: text?["number"]?.integer)
    }
}
