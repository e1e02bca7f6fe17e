package import Apod
package import Files

/// `.apod-mirror/replaced`: files that others have taken the place of, each with the JSON of its time, as
/// `2026-11-20 Orion Rising.1.jpg` and `2026-11-20 Orion Rising.1.json`. The numbers go on. One that was found damaged is
/// called `….1.damaged.jpg`.
package struct ReplacedFiles: Sendable {
    package static let folder = "replaced"
    private static let damaged = ".damaged"

    /// What was replaced at once.
    package struct Version: Sendable {
        package let name: FileName
        package let number: Int
        /// When that was: the time of its JSON, in seconds since 1970.
        package fileprivate(set) var moment = 0
        /// By suffix.
        package fileprivate(set) var files: [String: Entry] = [:]
        /// With its JSON.
        package fileprivate(set) var bytes = 0
        fileprivate(set) var hasJSON = false

        package struct Entry: Sendable {
            let name: String
            let identity: File.Identity
            package let isDamaged: Bool
        }

        /// Another file was whole in the place of one of these.
        package var isCorrection: Bool { hasJSON && files.values.contains { !$0.isDamaged } }

        var json: String { ReplacedFiles.name(name, number, Metadata.suffix) }
    }

    let own: Folder

    package init(in own: Folder) { self.own = own }

    private var existing: Folder? { get throws(StorageError) { try own.folder(Self.folder) } }

    private static func name(_ name: FileName, _ number: Int, _ suffix: String, isDamaged: Bool = false) -> String {
        name.with("\(number)\(isDamaged ? damaged : "").\(suffix)")
    }

    /// nil for what the mirror did not put there.
    private static func parts(of file: String) -> (name: FileName, number: Int, suffix: String, isDamaged: Bool)? {
        guard let (front, suffix) = FileName.parts(of: file) else { return nil }
        let isDamaged = front.utf8.reversed().starts(with: damaged.utf8.reversed())
        let numbered = isDamaged ? String(decoding: front.utf8.dropLast(damaged.utf8.count), as: UTF8.self) : front
        guard let (stem, digits) = FileName.parts(of: numbered), let number = Int(digits), number > 0,
            "\(number)" == digits, let name = FileName(stem: stem)
        else { return nil }
        return (name, number, suffix, isDamaged)
    }

    /// All of them, or those of some days; of each day, the oldest first.
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
                version.files[parts.suffix] = .init(
                    name: file, identity: facts.identity, isDamaged: parts.isDamaged)
            }
            found[parts.name.day, default: [:]][parts.number] = version
        }
        return found.mapValues { $0.values.sorted { $0.number < $1.number } }
    }

    package func remove(_ versions: [Version]) throws(StorageError) {
        guard !versions.isEmpty, let folder = try existing else { return }
        for version in versions {
            for entry in version.files.values { try folder.remove(entry.name) }
            try folder.remove(version.json)
        }
        try folder.sync()
    }

    /// One of them, to be put back. It stays where it is.
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

    /// The JSON of its time.
    func document(of version: Version) throws(StorageError) -> [UInt8]? {
        try existing?.file(version.json)?.contents(atMost: StoredMetadata.longest)
    }

    /// Puts a file of the tree and one of these in each other's place.
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

/// Files of some days that are about to be replaced.
extension ReplacedFiles {
    struct Leaving {
        let name: FileName
        let month: Folder
        let moment: Int
        /// By suffix, and whether they are damaged.
        let files: [String: Bool]
    }

    /// Gives them their second place. When this returns, they have it on the disk.
    func keep(_ leaving: [Leaving], staging unfinished: Folder) throws(StorageError) {
        if leaving.isEmpty { return }
        let folder = try own.makeFolder(Self.folder)
        let days = Set(leaving.map(\.name.day))
        let known = try versions(of: days.contains)
        for leaving in leaving {
            let number = (known[leaving.name.day]?.last?.number ?? 0) + 1
            let json = leaving.name.with(Metadata.suffix)
            // Whatever it says, and where it cannot be read, nothing.
            if let bytes = try? leaving.month.file(json)?.contents(atMost: StoredMetadata.longest) {
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
