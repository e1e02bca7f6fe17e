package import Apod
package import Files

/// A difference between two states of an item that followed each other at the upstream: which words went and came, and which
/// files. Two states without one are no change, for whoever asks.
package struct Change: Sendable {
    package let name: FileName
    /// Its title now.
    package let title: String
    /// Seconds since 1970.
    package let moment: Int
    private let words: [(field: String, former: String, present: String)]
    /// The files that went, but for pages made here, each with the file in its place; nil if there is none.
    package let files: [(former: StoredFile, present: StoredFile?)]
    /// The paths of a picture before and after, below the root; none unless another came, and both are here.
    package let pictures: [String]
    /// False for what a person put aside (`revert`).
    package let isApplied: Bool

    /// The texts that are others, and which words of them; to find these takes a while.
    package var texts: [(field: String, changes: WordChanges)] {
        words.map { ($0.field, WordChanges(from: $0.former, to: $0.present)) }
    }

    /// All of an item, the newest first.
    package static func all(of document: Document, in root: Folder) -> [Change] {
        guard let folders = Versions(in: root) else { return [] }
        var places: [Digest: String] = [:]
        let versions = folders.found(document)
        for version in versions {
            let name = version.document.name
            let folder = (try? folders.folder(name, version.number)) ?? nil
            for file in version.held where ((try? folder?.facts(of: name.with(file))) ?? nil) != nil {
                places[file.sha256] = "\(folders.path(name, version.number))/\(name.with(file))"
            }
        }
        for file in document.files { places[file.sha256] = document.name.path(file) }
        let place = document.place(among: versions)
        let (newer, older) = (versions.filter { $0.number >= place }, versions.filter { $0.number < place })
        let states = newer.map(State.init) + [State(document: document)] + older.map(State.init)
        return zip(states, states.dropFirst()).enumerated().compactMap { index, pair in
            Change(from: pair.1, to: pair.0, of: document, in: places, isApplied: index >= newer.count)
        }
    }

    /// nil: there is no difference.
    private init?(
        from before: State, to after: State, of document: Document, in places: [Digest: String], isApplied: Bool
    ) {
        let (old, new) = (before.document, after.document)
        words = Document.texts.filter { old.text($0) != new.text($0) }.map { field in
            (field, old.text(field) ?? "", new.text(field) ?? "")
        }
        // What is deleted (`keep`) tells of no files.
        let had = new.mirror.isPruned ? before.version?.gone ?? [] : old.files
        files = had.filter { file in
            file.role != .page
                && !new.files.contains { $0.sha256 == file.sha256 && $0.role.number == file.role.number }
        }.map { file in (file, new.files.first { $0.role == file.role } ?? new.files.main) }
        if words.isEmpty, files.isEmpty { return nil }
        let pair = files.first { $0.former.isImage && $0.present?.isImage == true }
        let found = [pair?.former, pair?.present].compactMap { $0.flatMap { places[$0.sha256] } }
        pictures = found.count == 2 ? found : []
        (name, title, self.isApplied) = (document.name, document.title, isApplied)
        // A state that was deleted and fetched again is an older one.
        let replaced = before.version.flatMap { $0.mark.isReverted ? nil : $0.mark.replaced }
        moment = min(replaced ?? new.mirror.fetched, new.mirror.fetched)
    }

    /// The newest of some items. Cancelled, it leaves some out.
    package static func newest(_ count: Int, of names: [FileName], in root: Folder) throws -> [Change] {
        let changes = try names.flatMap { name -> [Change] in
            try Task.isCancelled ? [] : Document.of(name, in: root).map { all(of: $0, in: root) } ?? []
        }
        return Array(changes.sorted { ($0.moment, $0.name.key) > ($1.moment, $1.name.key) }.prefix(count))
    }

    /// How an item was at a time: the present state, or a version.
    private struct State {
        let document: Document
        var version: Version?

        init(document: Document) { self.document = document }
        init(_ version: Version) { (document, self.version) = (version.document, version) }
    }
}

extension Document {
    /// Its number among the item's versions, the newest of which comes first.
    fileprivate func place(among versions: [Version]) -> Int {
        // Without a number, as older programs left it, the times of the fetches tell.
        let isBack = versions.first.map {
            !mirror.setAside.isEmpty && $0.mark.isReverted && mirror.fetched < $0.document.mirror.fetched
        }
        return mirror.number ?? (isBack == true ? versions[0].number : .max)
    }
}
