internal import Apod
internal import Files

/// The `.hidden` of a month's folder, which tells file managers what not to show: the JSON of each day of which there is
/// something else to see.
///
/// Lines that somebody else wrote stay, and so does a `.hidden` that is no readable file.
package struct HiddenFile {
    package static let name = ".hidden"
    private static let longest = 1 << 20

    private let folder: Folder
    private let lines: [[UInt8]]
    private let otherLines: [[UInt8]]

    /// nil where it is not one to write in.
    init?(in folder: Folder) throws(StorageError) {
        self.folder = folder
        var lines: [[UInt8]] = []
        if let facts = try folder.facts(of: Self.name) {
            if Self.isForeign(facts.kind, facts.bytes) { return nil }
            let bytes = try folder.file(Self.name)?.contents(atMost: Self.longest) ?? []
            lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false).map(Array.init)
            if lines.last?.isEmpty == true { lines.removeLast() }
        }
        self.lines = lines
        otherLines = lines.filter { !Self.isOwn($0) }
    }

    private static func isForeign(_ kind: File.Kind, _ bytes: Int) -> Bool { kind != .regular || bytes > longest }

    /// Below the root, where there is something that is not one to write in, and where there is one that nobody can change.
    static func obstacles(in root: Folder, _ days: ClosedRange<Day>) -> (occupied: [String], immutable: [String]) {
        let found = paths(of: days).compactMap { path in (try? root.known(path)).map { (path: path, facts: $0) } }
        return (
            found.filter { isForeign($0.facts.kind, $0.facts.bytes) }.map(\.path),
            found.filter(\.facts.isImmutable).map(\.path)
        )
    }

    /// Whether one may be missing in a month that is there.
    static func isMissing(in root: Folder, _ days: ClosedRange<Day>) -> Bool {
        paths(of: days).contains { path in
            // Of the month alone, where the file is not.
            (try? root.facts(of: path)) == .some(nil)
                && (try? root.facts(of: String(path.dropLast(name.count + 1)))).flatMap(\.self) != nil
        }
    }

    /// In the months of these days. Nothing is listed or opened: there are hundreds of months.
    private static func paths(of days: ClosedRange<Day>) -> [String] {
        Day.folders(of: days).map { "\($0)/\(name)" }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Also if somebody's editor has ended it as Windows does.
    private static func isOwn(_ line: [UInt8]) -> Bool {
        let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return FileName(String(decoding: name, as: UTF8.self), suffix: Metadata.suffix) != nil
    }

    /// Lets it name these and no other JSON.
    func write(_ names: [String], through unfinished: Folder, as temporary: String) throws(StorageError) {
        let wanted = otherLines + names.sorted().map { Array($0.utf8) }
        if wanted == lines { return }
        if wanted.isEmpty { return try folder.remove(Self.name) }
        try Staged(wanted.flatMap { $0 + [Self.newline] }, in: unfinished, as: temporary)
            .publish(in: folder, as: Self.name)
    }
}

extension Day {
    /// The folders of the months of some days.
    static func folders(of days: ClosedRange<Day>) -> [String] {
        let numbers = stride(from: days.lowerBound.number, to: days.upperBound.number, by: 28)
        let folders = numbers.compactMap { Day(daysSince1970: $0)?.folder } + [days.upperBound.folder]
        return Set(folders).sorted()
    }
}

extension Tree {
    /// Brings a month's `.hidden` up to date. What is in the way of that is in the way of no day.
    func hideJSON(in month: Folder, _ path: String) { try? updateHiddenFile(in: month, path) }

    func updateHiddenFile(in month: Folder, _ path: String) throws(StorageError) {
        guard let hidden = try HiddenFile(in: month) else { return }
        let names = try namesToHide(in: month)
        try hidden.write(names, through: unfinished, as: "\(path.replacing("/", with: "-"))\(HiddenFile.name)")
    }

    /// A day of which nothing else is left would be out of sight altogether.
    private func namesToHide(in month: Folder) throws(StorageError) -> [String] {
        let names = try month.names()
        let visible = names.compactMap(FileName.parts).filter { $0.suffix != Metadata.suffix }
        let stems = Set(visible.map { Array($0.stem.utf8) })
        return names.filter { name in
            FileName(name, suffix: Metadata.suffix).map { stems.contains(Array($0.stem.utf8)) } ?? false
        }
    }
}
