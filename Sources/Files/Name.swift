import Glibc

/// A file's name as the disk knows it: bytes, which need not be text.
package struct Name: Hashable, Sendable {
    /// Ends in a zero, as the system wants it.
    private let terminated: [UInt8]

    /// nil for what cannot be the name of anything in a folder.
    package init?(_ bytes: some Collection<UInt8>) { self.init(Array(bytes)) }

    /// The same. Names are made by the hundred thousand, and nothing is generic here: that would be ten times slower.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else { return nil }
        terminated = bytes + [0]
        guard !isDots else { return nil }
    }

    package init?(_ text: String) { self.init(text.utf8) }

    /// From a name that the system gave.
    package init(reading terminated: UnsafePointer<CChar>) {
        let bytes = UnsafeRawBufferPointer(start: terminated, count: strlen(terminated) + 1)
        self.terminated = Array(bytes)
    }

    /// Not a name: the folder itself, or the one above.
    var isDots: Bool { terminated == [0x2e, 0] || terminated == [0x2e, 0x2e, 0] }

    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }
    package var isHidden: Bool { terminated[0] == UInt8(ascii: ".") }
    /// The name as text; nil where it is none.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension Name: CustomStringConvertible {
    /// For people: what is not text is replaced.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// What a folder can be asked for: a name that was read from the disk, or one that was made here.
package protocol Naming: CustomStringConvertible, Sendable {
    func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result
}

extension Name: Naming {
    package func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        terminated.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}

extension String: Naming {
    package func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result { withCString(body) }
}
