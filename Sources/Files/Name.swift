import Apod
import Glibc

/// A file's name as the disk knows it: bytes, which need not be text.
package struct Name: Hashable, Sendable {
    /// Ends in a zero, as the system wants it.
    private let terminated: [UInt8]

    /// nil for what cannot be the name of an entry.
    package init?(_ bytes: some Collection<UInt8>) { self.init(Array(bytes)) }

    /// Not generic, which would be ten times slower: names are made by the hundred thousand.
    package init?(_ bytes: [UInt8]) {
        guard 1...255 ~= bytes.count, !bytes.contains(0), !bytes.contains("/") else { return nil }
        terminated = bytes + [0]
        guard !isDots else { return nil }
    }

    package init?(_ text: String) { self.init(text.utf8) }

    /// A name that the system gave.
    package init(reading terminated: UnsafePointer<CChar>) {
        let bytes = UnsafeRawBufferPointer(start: terminated, count: strlen(terminated) + 1)
        self.terminated = Array(bytes)
    }

    /// True for `.` and `..`: the folder itself, and the one above.
    var isDots: Bool { terminated == [0x2e, 0] || terminated == [0x2e, 0x2e, 0] }

    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }
    package var isHidden: Bool { terminated[0] == "." }
    /// The name as text; nil if it is not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
}

/// By all bytes at once: names are looked up by the hundred thousand.
extension Name {
    package static func == (one: Name, other: Name) -> Bool { one.terminated.isSame(as: other.terminated) }
    package func hash(into hasher: inout Hasher) { terminated.hashAll(into: &hasher) }
}

extension [UInt8] {
    package func isSame(as other: [UInt8]) -> Bool {
        count == other.count
            && withUnsafeBytes { one in
                other.withUnsafeBytes { one.isEmpty || memcmp(one.baseAddress!, $0.baseAddress!, one.count) == 0 }
            }
    }

    package func hashAll(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Name: CustomStringConvertible {
    /// The name for people: bytes that are not UTF-8 are replaced.
    package var description: String { bytes.text }
}

/// A name that `Folder` takes: a `Name` from the disk, or a `String` made here.
package protocol Naming: CustomStringConvertible, Sendable {
    func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result
}

extension Name: Naming {
    package func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        terminated.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes and a zero behind them.
    package func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
}

extension String: Naming {
    package func withTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result { withCString(body) }
}
