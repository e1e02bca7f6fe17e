import Apod
import Files
import Store

/// The parts of a generated file, one for each item. A comment in its first lines tells what each was made from, in their
/// order, so that a part is made again only where that is another.
struct Parts {
    private var former: [Substring: ArraySlice<UInt8>] = [:]
    private(set) var made: [ArraySlice<UInt8>] = []
    private var sources: [String] = []

    /// `mark`: begins the comment. `divide`: finds the parts in what follows it.
    init(
        of name: String, in folder: Folder, mark: String, divide: (ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
    ) throws {
        guard var rest = try GeneratedFile.contents(name, in: folder)?[...] else { return }
        let beginning = "\(mark) \(Volume.version) ".bytes
        for _ in 0..<3 {
            let line = rest.prefix { $0 != "\n" }
            rest = rest[line.endIndex...].dropFirst()
            guard line.starts(with: beginning) else { continue }
            let words = line.dropFirst(beginning.count).text.split(separator: " ")
            former = Dictionary(zip(words, divide(rest))) { first, _ in first }
        }
    }

    /// What a part is made from: the JSON file, and what else its maker adds to it.
    static func source(_ stored: Item.Stored, _ more: String = "") -> String {
        Digest.hexadecimal(Array(stored.json.bytes.prefix(8))) + more
    }

    static func comment(_ sources: [String]) -> String { ([" \(Volume.version)"] + sources).joined(separator: " ") }

    /// The comment, without its marks.
    var comment: String { Self.comment(sources) }

    /// Adds a part. nil: it cannot be made now, and is left out until the next time.
    mutating func add(from source: String, _ make: () throws -> [UInt8]?) rethrows {
        guard let part = try former[Substring(source)] ?? make()?[...] else { return }
        made.append(part)
        sources.append(source)
    }
}
