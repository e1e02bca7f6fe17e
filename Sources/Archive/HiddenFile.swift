internal import Apod
internal import Catalog
internal import Concurrency
internal import Files

/// The `.hidden` of a month's folder, which tells file managers what not to show: the JSON of each day of which there is
/// something else to see.
///
/// Lines that somebody else wrote stay, and so does a `.hidden` that is no readable file.
struct HiddenFile {
    static let name = ".hidden"
    private static let longest = 1 << 20

    private let folder: Folder
    private let lines: [[UInt8]]
    private let otherLines: [[UInt8]]

    /// nil where it is not one to write in.
    init?(in folder: Folder) throws(DiskError) {
        self.folder = folder
        if try folder.facts(of: Self.name) == nil {
            lines = []
        } else {
            guard let file = try? folder.file(Self.name), let bytes = try? file.contents(atMost: Self.longest) else {
                return nil
            }
            lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        }
        otherLines = lines.filter { FileName(String(decoding: $0, as: UTF8.self), suffix: Metadata.suffix) == nil }
    }

    /// Lets it name these and no other JSON.
    func write(_ names: [String], through unfinished: Folder, as temporary: String) throws(DiskError) {
        let wanted = otherLines + names.sorted().map { Array($0.utf8) }
        if wanted == lines { return }
        if wanted.isEmpty { return try folder.remove(Self.name) }
        try Staged(wanted.flatMap { $0 + [UInt8(ascii: "\n")] }, in: unfinished, as: temporary)
            .publish(in: folder, as: Self.name)
    }
}

extension Tree {
    /// Brings a month's `.hidden` up to date. What is in the way of that is in the way of no day.
    func hideJSON(in month: Folder, _ path: String) { try? updateHiddenFile(in: month, path) }

    fileprivate func updateHiddenFile(in month: Folder, _ path: String) throws(DiskError) {
        guard let hidden = try HiddenFile(in: month) else { return }
        let names = hidesJSON ? try namesToHide(in: month) : []
        try hidden.write(names, through: unfinished, as: "\(path.replacing("/", with: "-"))\(HiddenFile.name)")
    }

    /// A day of which nothing else is left would be out of sight altogether.
    private func namesToHide(in month: Folder) throws(DiskError) -> [String] {
        let names = try month.names()
        let json = ".\(Metadata.suffix)"
        let visible = Set(names.filter { !$0.hasSuffix(json) }.map { $0[..<($0.lastIndex(of: ".") ?? $0.startIndex)] })
        return names.filter { name in
            name.hasSuffix(json) && visible.contains(name.dropLast(json.count))
                && FileName(name, suffix: Metadata.suffix) != nil
        }
    }
}

extension Archive {
    /// Brings the `.hidden` of all months up to date, once after the setting has changed.
    package func hideJSON() async throws(ArchiveError) {
        try await blocking { [self] () throws(ArchiveError) in
            let setting = tree.hidesJSON ? 1 : 0
            let isDone = try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.fact(.hidesJSON) == setting
            }
            if isDone { return }
            let months = try ArchiveError.wrapping { () throws(DiskError) in try Tree.months(in: tree.root) }
            var isComplete = true
            for (path, month) in months {
                do throws(DiskError) {
                    try whileFilesStay { () throws(DiskError) in
                        try tree.updateHiddenFile(in: month, path)
                        try month.sync()
                    }
                } catch { isComplete = false }
            }
            guard isComplete else { return }
            try ArchiveError.wrapping { () throws(CatalogError) in try catalog.setFact(.hidesJSON, setting) }
        }
    }
}
