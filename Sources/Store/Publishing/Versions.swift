package import Apod
import Files

/// The former versions of days and items, each a folder: `.apod-mirror/replaced/apod/2026-11-20 Orion Rising/1/` holds the
/// JSON of its time and the files that went with it, by their own names. Of corrected texts, it holds the JSON alone.
///
/// A folder without its JSON was cut off, and is no version. `Publication` makes them, `Archive.revert` brings the last one
/// back, and retention deletes their files; their JSON stays, and says so. The numbers are the order in which the upstream
/// had the states: one that comes back keeps its number, and gets it again when it is put aside.
package struct Versions: Sendable {
    static let folder = "replaced"

    /// The mirror's own folder.
    let own: Folder

    init(own: Folder) { self.own = own }

    /// nil if the mirror's own folder cannot be read.
    init?(in root: Folder) {
        guard let own = (try? root.folder(Tree.ownFolder)) ?? nil else { return nil }
        self.own = own
    }

    /// The name of APOD's folder, beside those of other lists.
    package static let apod = "apod"

    /// The folder of an item, or of one of its versions, below the mirror's own.
    private func place(_ name: FileName, _ number: Int? = nil) -> String {
        [Self.folder, name.list?.description ?? Self.apod, name.stem, number.map { "\($0)" }].compactMap(\.self)
            .joined(separator: "/")
    }

    /// The path of a version's folder below the mirror's root.
    func path(_ name: FileName, _ number: Int) -> String { "\(Tree.ownFolder)/\(place(name, number))" }

    func folder(_ name: FileName, _ number: Int? = nil) throws -> Folder? {
        try Tree.existingFolder(place(name, number), in: own)
    }

    /// The same, made where it is missing.
    func made(_ name: FileName, _ number: Int) throws -> Folder {
        try Tree.makeFolder(place(name, number), in: own)
    }

    /// The items that have some, in the order of their keys.
    package func names() throws -> [FileName] {
        let lists = try own.folder(Self.folder)?.folders { $0 == Self.apod || ListName($0) != nil } ?? []
        var names: [FileName] = []
        for (list, folder) in lists {
            names += try folder.names().compactMap { FileName(stem: $0, of: ListName(list)) }
        }
        return names.sorted { ($0.key, $0.stem) < ($1.key, $1.stem) }
    }

    /// The numbers of an item's folders, the newest first.
    func numbers(_ name: FileName) throws -> [Int] {
        let names = try folder(name)?.names() ?? []
        let numbers = names.compactMap { text in Int32(text).flatMap { $0 > 0 && "\($0)" == text ? Int($0) : nil } }
        return numbers.sorted(by: >)
    }

    /// False for a folder that was cut off.
    func hasJSON(_ name: FileName, _ number: Int) throws -> Bool {
        try folder(name, number)?.facts(of: name.with(FileName.json)) != nil
    }

    /// nil for a folder without a JSON of the mirror's that can be read.
    func read(_ name: FileName, _ number: Int) throws -> Version? {
        let document = try Document.ifReadable {
            try folder(name, number).flatMap { folder in try Document(name, in: folder) }
        }
        return document.flatMap { document in
            document.mirror.version.map { Version(number: number, document: document, mark: $0) }
        }
    }

    /// An item's versions that can be read, the newest first, without one that is the present state.
    package func all(_ name: FileName, beside present: Document?) throws -> [Version] {
        var found: [Version] = []
        let numbers = try numbers(name)
        for number in numbers {
            if let version = try read(name, number), !version.isPresent(present, isNewest: number == numbers[0]) {
                found.append(version)
            }
        }
        return found
    }

    /// The same, or none where they cannot be read.
    func found(_ document: Document) -> [Version] { (try? all(document.name, beside: document)) ?? [] }

    /// Keeps the state of an item that is about to be replaced: gives the files that leave a second name or, where they can
    /// have none, moves them. Returns when the names are on the disk. What an attempt that was cut off has kept is used
    /// again.
    func keep(
        _ document: Document, _ leaving: [StoredFile], from month: Folder, at moment: Int, isReverted: Bool,
        staging unfinished: Folder
    ) throws -> Version {
        let name = document.name
        let number = try number(for: document).number
        let folder = try made(name, number)
        for file in leaving.map(name.with) where try folder.facts(of: file) == nil {
            try month.keep(file, in: folder)
        }
        // An attempt that was cut off may have moved some.
        let holds = try Self.files(of: document, in: folder)
        // `revert` brings back what was replaced last, also after a clock that was ahead.
        let last = try all(name, beside: nil).filter { $0.number != number }.map(\.mark.replaced).max()
        let mark = VersionMark(
            replaced: max(moment, last.map { $0 + 1 } ?? moment), holds: holds, isReverted: isReverted)
        var former = document
        (former.mirror.version, former.mirror.number) = (mark, nil)
        former = try former.rewritten()
        try Self.publish(former, in: folder, staging: unfinished)
        return Version(number: number, document: former, mark: mark)
    }

    /// The files of its time that are in a version's folder.
    static func files(of document: Document, in folder: Folder) throws -> Set<String> {
        var files: Set<String> = []
        for file in document.files.map(document.name.with) where try folder.facts(of: file) != nil {
            files.insert(file)
        }
        return files
    }

    static func publish(_ former: Document, in folder: Folder, staging unfinished: Folder) throws {
        try Staged(former.bytes, in: unfinished, as: "\(former.name.key.mark).former")
            .publishDurably(in: folder, as: former.name.with(FileName.json))
    }

    /// The number under which a document is kept, and whether an attempt that was cut off has begun that.
    private func number(for document: Document) throws -> (number: Int, isBegun: Bool) {
        let name = document.name
        let last = try numbers(name).first ?? 0
        let number = document.mirror.number ?? last
        guard let folder = try folder(name, number) else { return (document.mirror.number ?? last + 1, false) }
        return try isBegun(number, in: folder, with: document) ? (number, true) : (last + 1, false)
    }

    private func isBegun(_ number: Int, in folder: Folder, with document: Document) throws -> Bool {
        let name = document.name
        if try hasJSON(name, number) { return try read(name, number)?.isOf(document) ?? false }
        for file in document.files where try folder.facts(of: name.with(file)) != nil {
            if try !folder.has(file, as: name, byContent: true) { return false }
        }
        return true
    }

    /// Whether an attempt that was cut off has kept files of this document that the item has no more.
    func hasBegun(_ document: Document, without new: [StoredFile]) throws -> Bool {
        let name = document.name
        let (number, isBegun) = try number(for: document)
        guard isBegun, let folder = try folder(name, number) else { return false }
        for file in document.files where !new.contains(where: { $0.sha256 == file.sha256 }) {
            if try folder.facts(of: name.with(file)) != nil { return true }
        }
        return false
    }

    /// Whether a version's folder has this file, whole.
    func has(_ file: StoredFile, of version: Version) throws -> Bool {
        let name = version.document.name
        return try folder(name, version.number)?.has(file, as: name, byContent: true) ?? false
    }

    /// A second name or copy of a version's file, to be put back into the tree.
    func staged(_ file: StoredFile, of version: Version, in unfinished: Folder) throws -> Staged? {
        let name = version.document.name
        let (entry, new) = (name.with(file), "\(name.key.mark) back\(file.ending)")
        guard let folder = try folder(name, version.number), let former = try folder.file(entry) else { return nil }
        try unfinished.remove(new)
        do {
            try folder.makeHardLink(entry, in: unfinished, as: new)
        } catch {
            // Not every file system has hard links.
            let copy = try unfinished.makeFile(new)
            try copy.append(former)
            return try Staged(
                copy, in: unfinished, as: new, bytes: file.bytes, modified: try former.facts().modified)
        }
        guard let link = try unfinished.file(new) else { return nil }
        return try Staged(link, in: unfinished, as: new, bytes: file.bytes)
    }

    /// Deletes the files of a version. Its JSON stays, and says so. nil if that cannot be read.
    ///
    /// The JSON comes first, so that it never names a file that is gone; on a full disk it comes when there is room.
    func deleteFiles(_ number: Int, of name: FileName, staging unfinished: Folder) throws -> Version? {
        guard let folder = try folder(name, number), let version = try read(name, number) else { return nil }
        var (document, mark) = (version.document, version.mark)
        mark.isDeleted = true
        document.mirror.version = mark
        document = try document.rewritten()
        var isTold = true
        do { try Self.publish(document, in: folder, staging: unfinished) } catch {
            guard error.problem.isFull else { throw error }
            isTold = false
        }
        for file in version.gone { try folder.remove(name.with(file)) }
        if !isTold { try Self.publish(document, in: folder, staging: unfinished) }
        try folder.sync()
        return Version(number: number, document: document, mark: mark)
    }

    /// Removes a version that is back in the tree; without that, it is no version any more, either. Whatever else lies in its folder stays.
    func remove(_ version: Version) throws {
        let name = version.document.name
        guard let item = try folder(name), let folder = try folder(name, version.number) else { return }
        try folder.remove(name.with(FileName.json))
        try folder.sync()
        for file in version.held { try folder.remove(name.with(file)) }
        try item.removeEmptyFolder("\(version.number)")
        try item.sync()
    }
}

extension Tree {
    package var versions: Versions { Versions(own: own) }

    /// Keeps what stands under a name of the mirror's, and is not its file or is damaged, in `.apod-mirror/set-aside`, where
    /// nothing deletes it. Each has a numbered folder. It gets a second name there or, where it can have none, goes there.
    /// What an attempt that was cut off has kept is not kept again.
    func setAside(_ file: String, in folder: Folder) throws {
        let place = try own.makeFolder(Self.setAside)
        let identity = try folder.facts(of: file)?.identity
        var next = 1
        for number in try place.names().compactMap({ Int($0) }).sorted() {
            let known = try place.folder("\(number)")
            if let found = try known?.facts(of: file)?.identity, found == identity { return }
            next = try known?.names().isEmpty == true ? number : number + 1
        }
        let own = try place.makeFolder("\(next)")
        try folder.keep(file, in: own)
        try own.sync()
    }
}

extension Folder {
    /// Gives a file a second name or, where it can have none, moves it.
    fileprivate func keep(_ file: String, in other: Folder) throws {
        do { try makeHardLink(file, in: other, as: file) } catch {
            if error.problem.isFull || error.problem.isOfProcess { throw error }
            try rename(file, to: other, as: file)
        }
    }
}
