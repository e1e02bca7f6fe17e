import Apod
import Files

/// The `.hidden` of a folder. File managers do not show what it lists: in a month, sidecars and the JSON of days with
/// other files; in the root, what is there for programs (`Tree.markRoot`).
///
/// Lines of others stay. A `.hidden` that is too large or not a regular file is left alone.
package struct HiddenFile {
    package static let name = ".hidden"
    private static let longest = 1 << 20

    private let folder: Folder
    /// nil: there is none.
    private let bytes: [UInt8]?
    private let lines: [[UInt8]]
    private let otherLines: [[UInt8]]

    /// `isOwn`: whether a name is one that the mirror may have listed. Returns nil if `.hidden` is too large or not a
    /// regular file.
    init?(in folder: Folder, where isOwn: (String) -> Bool) throws {
        self.folder = folder
        if let facts = try folder.facts(of: Self.name), Self.isForeign(facts.kind, facts.bytes) { return nil }
        bytes = try Self.contents(in: folder)
        var lines = (bytes ?? []).split(separator: Self.newline, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
        otherLines = lines.filter { !isOwn(Self.name(in: $0)) }
    }

    private static func contents(in folder: Folder) throws -> [UInt8]? {
        try folder.file(name)?.contents(atMost: longest)
    }

    private static func isForeign(_ kind: File.Kind, _ bytes: Int) -> Bool { kind != .regular || bytes > longest }

    /// Whether a folder's `.hidden` is left alone.
    static func isForeign(in folder: Folder) -> Bool {
        (try? folder.known(name)).map { isForeign($0.kind, $0.bytes) } ?? false
    }

    private static let newline: UInt8 = "\n"

    /// An editor may have ended the line with CR LF.
    private static func name(in line: [UInt8]) -> String {
        (line.last == "\r" ? line.dropLast() : line[...]).text
    }

    /// Replaces all the mirror's own lines by these names. Returns whether the file is another one now: the caller syncs the
    /// folder with what else has changed there. A file that somebody has changed since it was read waits for the next time.
    @discardableResult
    func write(_ names: some Sequence<String>, through unfinished: Folder, as temporary: String) throws
        -> Bool
    {
        let wanted = otherLines + names.sorted().map(\.bytes)
        if wanted == lines { return false }
        let staged =
            wanted.isEmpty ? nil : try Staged(wanted.flatMap { $0 + [Self.newline] }, in: unfinished, as: temporary)
        guard try Self.contents(in: folder) == bytes else {
            staged?.discard()
            return false
        }
        if let staged {
            try staged.publish(in: folder, as: Self.name, replacing: bytes != nil)
        } else {
            try folder.remove(Self.name)
        }
        return true
    }
}

extension Tree {
    /// Brings a month's `.hidden` up to date, also for JSON that is about to come. Errors are ignored: they must not stop a
    /// day.
    func hideFiles(in month: Folder, _ path: String, coming: [String] = []) {
        try? updateHiddenFile(in: month, path, coming)
    }

    func updateHiddenFile(in month: Folder, _ path: String, _ coming: [String] = []) throws {
        let list = Self.list(ofPath: path)
        let hidden = try HiddenFile(in: month) {
            FileName($0, suffix: FileName.json, of: list) != nil || SidecarName($0, of: list) != nil
        }
        guard let hidden else { return }
        let names = Self.namesToHide(among: Set(try month.names()).union(coming), of: list)
        try hidden.write(names, through: unfinished, as: "\(path.replacing("/", with: "-"))\(HiddenFile.name)")
    }

    /// The JSON of items, and of days that have another file; the sidecars of files that are there. Any other day would be
    /// out of sight altogether.
    private static func namesToHide(among names: Set<String>, of list: ListName?) -> Set<String> {
        let visible = names.compactMap(FileName.parts).filter { $0.suffix != FileName.json }
        let stems = Set(visible.map { $0.stem.bytes })
        return names.filter { name in
            FileName(name, suffix: FileName.json, of: list).map {
                list != nil || stems.contains($0.stem.bytes)
            }
                ?? SidecarName(name, of: list).map { names.contains($0.file) } ?? false
        }
    }
}
