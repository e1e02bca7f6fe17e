package import Apod
package import Files

/// `.apod-mirror/replaced`: files that were replaced, with the JSON of their time, as `2026-11-20 Orion Rising.1.jpg`
/// and `….1.json`. Each replacement of a day has its number. A damaged file is called `….1.damaged.jpg`.
package struct ReplacedFiles: Sendable {
    package static let folder = "replaced"
    private static let damaged = ".damaged"

    /// The files of a day that were replaced together.
    package struct Version: Sendable {
        package let name: FileName
        package let number: Int
        /// When it was replaced: the time of its JSON file or, without one, of the last change to its files; seconds
        /// since 1970.
        package fileprivate(set) var moment = 0
        /// By suffix.
        package fileprivate(set) var files: [String: Entry] = [:]
        /// The size of all files, the JSON included.
        package fileprivate(set) var bytes = 0
        fileprivate(set) var hasJSON = false

        package struct Entry: Sendable {
            let name: String
            let identity: File.Identity
            package let isDamaged: Bool
        }

        /// Whether a whole file was replaced, and its JSON is there.
        package var isCorrection: Bool { hasJSON && files.values.contains { !$0.isDamaged } }

        var json: String { ReplacedFiles.name(name, number, Metadata.suffix) }
    }

    let own: Folder

    package init(in own: Folder) { self.own = own }

    private var existing: Folder? { get throws(StorageError) { try own.folder(Self.folder) } }

    private static func name(_ name: FileName, _ number: Int, _ suffix: String, isDamaged: Bool = false) -> String {
        name.with("\(number)\(isDamaged ? damaged : "").\(suffix)")
    }

    /// Returns nil for a name that the mirror does not use there.
    private static func parts(of file: String) -> (name: FileName, number: Int, suffix: String, isDamaged: Bool)? {
        guard let (front, suffix) = FileName.parts(of: file) else { return nil }
        let isDamaged = front.utf8.reversed().starts(with: damaged.utf8.reversed())
        let numbered = isDamaged ? String(decoding: front.utf8.dropLast(damaged.utf8.count), as: UTF8.self) : front
        guard let (stem, digits) = FileName.parts(of: numbered), let number = Int(digits), number > 0,
            "\(number)" == digits, let name = FileName(stem: stem)
        else { return nil }
        return (name, number, suffix, isDamaged)
    }

    /// The versions of the wanted days; of each day, the oldest first.
    package func versions(of isWanted: (Day) -> Bool = { _ in true }) throws(StorageError) -> [Day: [Version]] {
        guard let folder = try existing else { return [:] }
        var found: [Day: [Int: Version]] = [:]
        for file in try folder.names() {
            guard let parts = Self.parts(of: file), isWanted(parts.name.day), let facts = try folder.facts(of: file),
                facts.isRegular
            else { continue }
            var version = found[parts.name.day]?[parts.number] ?? Version(name: parts.name, number: parts.number)
            version.bytes += facts.bytes
            if parts.suffix == Metadata.suffix {
                version.hasJSON = true
                version.moment = facts.modified
            } else {
                if !version.hasJSON { version.moment = max(version.moment, facts.changed) }
                version.files[parts.suffix] = .init(
                    name: file, identity: facts.identity, isDamaged: parts.isDamaged)
            }
            found[parts.name.day, default: [:]][parts.number] = version
        }
        return found.mapValues { $0.values.sorted { $0.number < $1.number } }
    }

    /// Whether the version is as it was listed.
    func has(_ version: Version) throws(StorageError) -> Bool {
        guard let folder = try existing else { return false }
        for entry in version.files.values where try folder.facts(of: entry.name)?.identity != entry.identity {
            return false
        }
        return try folder.facts(of: version.json)?.modified == (version.hasJSON ? version.moment : nil)
    }

    /// Removes all versions of some days.
    func remove(of days: Set<Day>) throws(StorageError) {
        try remove(try versions(of: days.contains).values.flatMap(\.self))
    }

    package func remove(_ versions: [Version]) throws(StorageError) {
        guard !versions.isEmpty, let folder = try existing else { return }
        for version in versions {
            for entry in version.files.values { try folder.remove(entry.name) }
            try folder.remove(version.json)
        }
        try folder.sync()
    }

    /// A second name or copy of a file, to be put back into the tree.
    func staged(_ entry: Version.Entry, in unfinished: Folder, as name: String) throws(StorageError) -> Staged? {
        guard let folder = try existing, let file = try folder.file(entry.name) else { return nil }
        try unfinished.remove(name)
        do throws(StorageError) {
            try folder.makeHardLink(entry.name, in: unfinished, as: name)
        } catch {
            // Not every file system has hard links.
            let facts = try file.facts()
            let copy = try unfinished.makeFile(name)
            try copy.append(file)
            return try Staged(copy, in: unfinished, as: name, bytes: facts.bytes, modified: facts.modified)
        }
        guard let link = try unfinished.file(name) else { return nil }
        return try Staged(link, in: unfinished, as: name, bytes: try link.facts().bytes)
    }

    func digest(of entry: Version.Entry) throws(StorageError) -> Digest? {
        try existing?.file(entry.name).map { file throws(StorageError) in try Digest(of: file) }
    }

    func document(of version: Version) throws(StorageError) -> [UInt8]? {
        try existing?.file(version.json)?.contents(atMost: DayDocument.longest)
    }

    /// Swaps a replaced file with the one in the tree, or moves it there if there is none.
    func exchange(_ entry: Version.Entry, with month: Folder, _ name: String) throws(StorageError) {
        guard let folder = try existing else { return }
        if try month.facts(of: name) == nil {
            try folder.rename(entry.name, to: month, as: name)
        } else {
            try folder.exchange(entry.name, with: month, name)
        }
        try folder.sync()
        try month.sync()
    }
}

/// Keeps files that are about to be replaced.
extension ReplacedFiles {
    struct Leaving {
        let name: FileName
        let month: Folder
        let moment: Int
        /// Suffixes, and whether the file is damaged.
        let files: [String: Bool]
    }

    /// Gives files a second name here, or moves them. Returns when the names are on the disk.
    func keep(_ leaving: [Leaving], staging unfinished: Folder) throws(StorageError) {
        if leaving.isEmpty { return }
        let folder = try own.makeFolder(Self.folder)
        let days = Set(leaving.map(\.name.day))
        let known = try versions(of: days.contains)
        for leaving in leaving {
            let number = (known[leaving.name.day]?.last?.number ?? 0) + 1
            let json = leaving.name.with(Metadata.suffix)
            // The JSON is kept whatever it says.
            if let bytes = try? leaving.month.file(json)?.contents(atMost: DayDocument.longest) {
                try Staged(bytes, in: unfinished, as: "\(leaving.name.day).replaced", modified: leaving.moment)
                    .publish(in: folder, as: Self.name(leaving.name, number, Metadata.suffix))
            }
            for (suffix, isDamaged) in leaving.files {
                let file = leaving.name.with(suffix)
                let name = Self.name(leaving.name, number, suffix, isDamaged: isDamaged)
                do throws(StorageError) {
                    try leaving.month.makeHardLink(file, in: folder, as: name)
                } catch {
                    if error.isFull || error.isOfProcess { throw error }
                    try leaving.month.rename(file, to: folder, as: name)
                }
            }
        }
        try folder.sync()
        try own.sync()
    }
}
