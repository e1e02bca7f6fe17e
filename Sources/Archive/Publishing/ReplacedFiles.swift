package import Apod
package import Files

/// `.apod-mirror/replaced`: the former versions of days. A version is a day's JSON and the files that were replaced with
/// it, as `2026-11-20 Orion Rising.1.json`, `….1.jpg` and, of a further picture, `….1 (2).jpg`; of corrected texts, the
/// JSON alone. Each replacement of a day has its number.
///
/// What was not the day's own file as it came is called `….1.damaged.jpg`: it was damaged, changed by a person, or
/// somebody's own under that name. Nothing deletes it. Retention deletes the files of a version, and its JSON says so, as
/// that of a day does.
package struct ReplacedFiles: Sendable {
    package static let folder = "replaced"
    /// Below the root.
    static let path = "\(Tree.ownFolder)/\(folder)"
    private static let damaged = ".damaged"
    private static let json = ".\(Metadata.suffix)"

    /// What was replaced of a day at one time.
    package struct Version: Sendable {
        package let name: FileName
        package let number: Int
        /// When it was replaced: the time of its JSON file or, without one, of the last change to its files; seconds
        /// since 1970.
        package fileprivate(set) var moment = 0
        /// By the endings of their names in the tree.
        package fileprivate(set) var files: [String: Entry] = [:]
        /// The size of the files that are not damaged.
        package fileprivate(set) var bytes = 0
        fileprivate(set) var jsonBytes = 0
        fileprivate(set) var hasJSON = false

        package init(name: FileName, number: Int) { (self.name, self.number) = (name, number) }

        package struct Entry: Sendable {
            let name: String
            let identity: File.Identity
            package let isDamaged: Bool
        }

        /// Whether texts or a whole file were replaced, and the JSON of that time is there.
        package var isCorrection: Bool { hasJSON && (files.isEmpty || hasWholeFile) }

        package var hasWholeFile: Bool { files.values.contains { !$0.isDamaged } }

        var json: String { ReplacedFiles.name(name, number, ReplacedFiles.json) }
    }

    let own: Folder
    /// Whether they are those of items in another list.
    let hasItems: Bool

    package init(in own: Folder, ofItems hasItems: Bool = false) { (self.own, self.hasItems) = (own, hasItems) }

    private var existing: Folder? { get throws(StorageError) { try own.folder(Self.folder) } }

    private static func name(_ name: FileName, _ number: Int, _ ending: String, isDamaged: Bool = false) -> String {
        name.with(ending: ".\(number)\(isDamaged ? damaged : "")\(ending)")
    }

    /// Returns nil for a name that the mirror does not use there.
    private func parts(of file: String) -> (name: FileName, number: Int, ending: String, isDamaged: Bool)? {
        guard let stem = FileName.parts(of: file)?.stem else { return nil }
        let front = FileName.splitting(stem).front
        let damaged = Self.damaged.utf8
        let isDamaged = front.utf8.reversed().starts(with: damaged.reversed())
        let numbered = isDamaged ? String(decoding: front.utf8.dropLast(damaged.count), as: UTF8.self) : front
        guard let (stem, digits) = FileName.parts(of: numbered), let number = Int(digits), number > 0,
            "\(number)" == digits, let name = FileName(stem: stem, isItem: hasItems)
        else { return nil }
        return (name, number, String(decoding: file.utf8.dropFirst(front.utf8.count), as: UTF8.self), isDamaged)
    }

    /// The versions of the wanted days; of each day, the oldest first.
    package func versions(of isWanted: (Day) -> Bool = { _ in true }) throws(StorageError) -> [Day: [Version]] {
        guard let folder = try existing else { return [:] }
        var found: [Day: [Int: Version]] = [:]
        for file in try folder.names() {
            guard let parts = parts(of: file), isWanted(parts.name.day), let facts = try folder.facts(of: file),
                facts.isRegular
            else { continue }
            var version = found[parts.name.day]?[parts.number] ?? Version(name: parts.name, number: parts.number)
            if parts.ending == Self.json, !parts.isDamaged {
                (version.hasJSON, version.jsonBytes) = (true, facts.bytes)
                version.moment = facts.modified
            } else {
                if !version.hasJSON { version.moment = max(version.moment, facts.changed) }
                if !parts.isDamaged { version.bytes += facts.bytes }
                // Of a whole and a damaged one, the whole one counts.
                if !parts.isDamaged || version.files[parts.ending] == nil {
                    version.files[parts.ending] = .init(
                        name: file, identity: facts.identity, isDamaged: parts.isDamaged)
                }
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

    /// Whether the version has no texts and no whole file but those of the day: what should take the day's place could
    /// not be stored after all.
    func isSame(_ version: Version, _ former: DayDocument, as present: DayDocument?) -> Bool {
        former.texts == present?.texts
            && former.files.allSatisfy { file in
                version.files[file.ending]?.isDamaged != false
                    || present?.files.contains { $0.ending == file.ending && $0.sha256 == file.sha256 } == true
            }
    }

    /// Whether a correction has put the version's files here, so that retention may delete them. After a deletion that
    /// was cut off, the JSON does not name them any more.
    package func isOfCorrection(_ version: Version) throws(StorageError) -> Bool {
        guard version.hasWholeFile, let former = try former(version) else { return false }
        let whole = version.files.filter { !$0.value.isDamaged }.keys
        return former.isPruned || whole.allSatisfy { ending in former.files.contains { $0.ending == ending } }
    }

    /// Deletes the files of a version. Its JSON stays, and says so. Returns false if that cannot be read.
    ///
    /// The JSON comes first, so that it never names a file that is gone; on a full disk it comes when there is room.
    func prune(_ version: Version, staging unfinished: Folder, read: RecordReader) throws(StorageError) -> Bool {
        guard let folder = try existing, let former = try former(version),
            let picture = read(former.record, version.name)
        else { return false }
        let metadata = Metadata(
            name: version.name, picture: picture, files: [], downgraded: former.downgraded, fetched: former.fetched,
            isPruned: true, setAside: former.setAside)
        func publish() throws(StorageError) {
            try Staged(metadata.document, in: unfinished, as: "\(version.name.day).replaced", modified: version.moment)
                .publishDurably(in: folder, as: version.json)
        }
        var isTold = true
        do throws(StorageError) { try publish() } catch {
            guard error.isFull else { throw error }
            isTold = false
        }
        for entry in version.files.values where !entry.isDamaged { try folder.remove(entry.name) }
        if !isTold { try publish() }
        try folder.sync()
        return true
    }

    /// A version as its JSON tells of it; `former` is nil if that cannot be read.
    struct Told {
        let version: Version
        let former: DayDocument?
        /// Files that went here with the version and are nowhere now, with their names here.
        let lost: [(name: String, file: StoredFile)]
        /// The whole files of all versions of the day.
        let held: [Digest: Version.Entry]
    }

    /// Reads a day's versions that have their JSON, the newest first. `present`: the day as it is.
    func read(_ versions: [Version], beside present: DayDocument?) throws(StorageError) -> [Told] {
        var found: [(version: Version, former: DayDocument?)] = []
        var known = Set(present?.files.map(\.sha256) ?? [])
        var held: [Digest: Version.Entry] = [:]
        for version in versions.reversed() where version.hasJSON {
            let former = try former(version)
            found.append((version, former))
            for file in former?.files ?? [] {
                guard let entry = version.files[file.ending] else { continue }
                known.insert(file.sha256)
                if !entry.isDamaged { held[file.sha256] = entry }
            }
        }
        // A file went along if the day was without it afterwards. Retention has left no trace of its own.
        var next = present
        return found.map { version, former in
            defer { next = former }
            let isPruned = former?.isPruned ?? true || next?.isPruned ?? true
            let lost = (isPruned ? [] : former?.files ?? []).filter { file in
                !known.contains(file.sha256) && next?.files.contains { $0.sha256 == file.sha256 } == false
            }
            return Told(
                version: version, former: former,
                lost: lost.map { (Self.name(version.name, version.number, $0.ending), $0) }, held: held)
        }
    }

    /// Removes a version and its files.
    func remove(_ told: Told) throws(StorageError) {
        guard let folder = try existing else { return }
        let named = told.former?.files.map(\.ending) ?? []
        for (ending, entry) in told.version.files where !entry.isDamaged && named.contains(ending) {
            try folder.remove(entry.name)
        }
        try folder.remove(told.version.json)
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

    /// Whether what is kept as `entry` is this file.
    func has(_ file: StoredFile, in entry: Version.Entry) throws(StorageError) -> Bool {
        try existing?.has(entry.name, bytes: file.bytes, sha256: file.sha256) ?? false
    }

    /// The day as it was; nil if there is no JSON of the mirror's, or none that can be read now.
    func former(_ version: Version) throws(StorageError) -> DayDocument? {
        try DayDocument.ifReadable { () throws(StorageError) in
            let bytes = try existing?.file(version.json)?.contents(atMost: DayDocument.longest)
            return bytes.flatMap { DayDocument($0, name: version.name) }
        }
    }
}

extension Tree {
    package var replaced: ReplacedFiles { ReplacedFiles(in: own, ofItems: hasItems) }
}

/// Keeps what is about to be replaced.
extension ReplacedFiles {
    struct NewVersion {
        let name: FileName
        let month: Folder
        let moment: Int
        /// The endings of names, and whether the file is damaged.
        let files: [String: Bool]
        /// Another JSON takes its place: it may be moved where it can be neither read nor linked.
        var isJSONReplaced = true
    }

    /// Gives files a second name here, or moves them. Returns when the names are on the disk. What an attempt that was cut
    /// off has kept stays.
    func keep(_ new: [NewVersion], staging unfinished: Folder) throws(StorageError) {
        if new.isEmpty { return }
        let folder = try own.makeFolder(Self.folder)
        let days = Set(new.map(\.name.day))
        let known = try versions(of: days.contains)
        for version in new {
            let last = known[version.name.day]?.last
            var number = (last?.number ?? 0) + 1
            let json = version.name.with(Metadata.suffix)
            // The JSON is kept whatever it says, like any other file where it cannot be read.
            let bytes: [UInt8]?
            do throws(StorageError) {
                bytes = try version.month.file(json)?.contents(atMost: DayDocument.longest)
            } catch {
                if error.isOfProcess { throw error }
                let name = Self.name(version.name, number, Self.json, isDamaged: true)
                if version.isJSONReplaced { try Self.keep(json, of: version.month, in: folder, as: name) }
                bytes = nil
            }
            let isBegun = try has(begun: last, with: bytes, version)
            if isBegun {
                number -= 1
            } else if let bytes {
                let name = Self.name(
                    version.name, number, Self.json, isDamaged: DayDocument(bytes, name: version.name) == nil)
                try Staged(bytes, in: unfinished, as: "\(version.name.day).replaced", modified: version.moment)
                    .publish(in: folder, as: name)
            }
            for (ending, isDamaged) in version.files {
                let file = version.name.with(ending: ending)
                let name = Self.name(version.name, number, ending, isDamaged: isDamaged)
                if isBegun, last?.files[ending] != nil { continue }
                try Self.keep(file, of: version.month, in: folder, as: name)
            }
        }
        try folder.sync()
        try own.sync()
    }

    /// By a second name or, where it can have none, by a move.
    private static func keep(
        _ file: String, of month: Folder, in folder: Folder, as name: String
    ) throws(StorageError) {
        do throws(StorageError) {
            try month.makeHardLink(file, in: folder, as: name)
        } catch {
            if error.isFull || error.isOfProcess { throw error }
            try month.rename(file, to: folder, as: name)
        }
    }

    /// Whether an attempt that was cut off has begun this version, the last: with the same JSON, and with no other file
    /// under a name that is needed.
    private func has(begun version: Version?, with json: [UInt8]?, _ new: NewVersion) throws(StorageError) -> Bool {
        guard let version, let json, try former(version)?.bytes == json else { return false }
        for ending in new.files.keys {
            guard let entry = version.files[ending] else { continue }
            let file = try new.month.facts(of: new.name.with(ending: ending))
            if file?.identity != entry.identity { return false }
        }
        return true
    }
}
