/// The reason why something could not be done: a code for the program, and words for a person.
package struct Failure: Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        /// The program ended while it replaced the day's files.
        case replacing
        /// A file of the day was missing when the catalog was rebuilt.
        case missing
        /// No connection can be made.
        case unreachable
        /// The server answers with an error status, such as 404 or 503.
        case refused
        /// The transfer broke off, or the disk has no room for the file.
        case transfer
        /// The file is cut off or does not decode.
        case broken
        /// The file is larger than `max-file`.
        case large
        /// The answer is of the wrong type, or at a forbidden address.
        case unfit
        /// The server answers with something else than records.
        case records
        /// The mirror that is asked does not have the day itself.
        case elsewhere
        /// Several files in a row could not be fetched.
        case files
        /// The disk is full.
        case full
        /// A step on the file or folder at `path` failed.
        case folder
        /// There is no mirror at `path` any more.
        case away
        /// No permission to look into `path`.
        case hidden
        /// The mirror at `path` belongs to another user.
        case foreign
        /// No permission to write at `path`, where the mirror is to be.
        case closed
        /// The system's limit is reached; `path` is its sysctl(8) name.
        case limit
        /// The work was stopped on request.
        case stopped
        case other
    }

    package let code: Code
    package let words: String
    package let address: WebAddress?
    /// The file, folder or limit concerned.
    package let path: String?
    /// The errno(3), if any.
    package let number: Int?

    package init(
        _ code: Code, _ words: String = "", at address: WebAddress? = nil, path: String? = nil, number: Int? = nil
    ) {
        (self.code, self.words, self.address, self.path, self.number) = (code, words, address, path, number)
    }

    /// True if the day is fetched again as if it were new, and is not reported as failed.
    package var isInterruption: Bool { Self.interruptions.contains(code) }

    package static let interruptions: Set<Code> = [.replacing, .missing]

    /// True if both have the same cause: the same server, the same words, or a full disk.
    package func hasCause(of other: Failure) -> Bool {
        guard code == other.code else { return false }
        if let address { return address.host == other.address?.host }
        return code == .full || words == other.words
    }
}

extension Failure: CustomStringConvertible {
    package var description: String { address.map { "\(words): \(Text.brief("\($0)"))" } ?? words }

    /// The words with the server alone: an address makes a row wider than a terminal.
    package var narrow: String { address.map { "\(words): \($0.host)" } ?? words }
}

extension Failure {
    package var members: [(String, JSON?)] {
        [
            ("code", .string(code.rawValue)), ("reason", .string(words)),
            ("address", address.map { .string($0.description) }), ("path", path.map(JSON.string)),
            ("number", number.map(JSON.integer)),
        ]
    }

    package var json: JSON { .sparse(members) }

    package init?(_ text: JSONText?) {
        guard let words = text?["reason"]?.string else { return nil }
        self.init(
            text?["code"]?.string.flatMap(Code.init) ?? .other, words,
            at: text?["address"]?.string.flatMap { WebAddress($0) }, path: text?["path"]?.string,
            number: text?["number"]?.integer)
    }
}
