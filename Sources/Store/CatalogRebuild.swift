import Apod
import Files

/// Makes a catalog from the days' JSON files and the file `since`.
struct CatalogRebuild {
    private let root: Folder
    private let own: Folder?
    let read: RecordReader

    init(_ tree: Tree, read: @escaping RecordReader) { self.init(tree.root, own: tree.own, read: read) }

    /// For a tree that is only read.
    init(_ root: Folder, own: Folder?, read: @escaping RecordReader) {
        (self.root, self.own, self.read) = (root, own, read)
    }

    /// Enters all days and items, and `since` last: a catalog without it counts as new. Returns the number of days.
    func enter(into catalog: Catalog) throws -> Int {
        // Also lists of which the mirror's own folder does not know, as in a copy without it.
        let days = try enter(try Tree.folders(in: root), try versions(), into: catalog).compactMap(\.day)
        if let since = own.flatMap(Tree.since(in:)) ?? Self.since(days) {
            try catalog.setFact(.since, since.number)
        }
        return days.count
    }

    /// Enters what is in a list's folder.
    func enter(_ list: ListName, into catalog: Catalog) throws {
        _ = try enter(try Tree.folders(in: root, of: list), [], into: catalog)
    }

    private func enter(
        _ folders: [(path: String, folder: Folder)], _ versions: [FormerVersion], into catalog: Catalog
    ) throws -> [Key] {
        try catalog.fill(from: folders, versions: versions) { month in
            try allowed {
                try self.updates(in: month.folder, month.path) { $0.folder == month.path }
            }
        }
    }

    /// The former versions of all items, without those that cannot be read.
    private func versions() throws -> [FormerVersion] {
        guard let versions = own.map(Versions.init) else { return [] }
        let names = try Document.ifReadable { try versions.names() }
        var found: [FormerVersion] = []
        for name in names ?? [] {
            let all = try Document.ifReadable { [root] in
                try versions.all(name, beside: Document.of(name, in: root))
            }
            found += (all ?? []).map(\.entry)
        }
        return found
    }

    /// The first day of the newest run without a long gap. Older days were asked for by date.
    private static func since(_ days: [Day]) -> Day? {
        let sorted = days.sorted(by: >)
        let gap = zip(sorted, sorted.dropFirst()).first { $1.distance(to: $0) > longestGap }
        return gap?.0 ?? sorted.last
    }

    /// In days. The upstream has a few gaps of its own.
    private static let longestGap = 31

    /// Only for those that have all their files in the tree.
    func find(_ keys: Set<Key>, in folders: Set<String>) throws -> [Catalog.Update] {
        var updates: [Catalog.Update] = []
        for path in folders.sorted() {
            updates += try allowed {
                guard let folder = try Tree.existingFolder(path, in: root) else { return [] }
                return try self.updates(in: folder, path) { keys.contains($0.key) }
            }
        }
        return updates.filter { $0.item.state != .failed || $0.item.failure?.code != .missing }
    }

    /// Skips a month that cannot be read.
    private func allowed(_ look: () throws -> [Catalog.Update]) throws -> [Catalog.Update] {
        do {
            return try look()
        } catch {
            guard error.problem.isAboutPlace else { throw error }
            return []
        }
    }

    private func updates(
        in folder: Folder, _ path: String, where isWanted: (FileName) -> Bool
    ) throws -> [Catalog.Update] {
        var updates: [Catalog.Update] = []
        for name in try Tree.days(in: folder, path) where isWanted(name) {
            if let update = try update(name, in: folder) { updates.append(update) }
        }
        return updates
    }

    /// Returns nil if the file is not one of the mirror's: other files must not stop the rebuild.
    ///
    /// The upstream record is not parsed, as 11,000 of them take longer than all the rest, unless it may show further
    /// pictures or is an item's. `Archive.content` computes its digest on demand.
    private func update(_ name: FileName, in folder: Folder) throws -> Catalog.Update? {
        guard let document = try? Document(name, in: folder), document.isOf(name.key),
            let title = document.text("title"), let explanation = document.text("explanation")
        else { return nil }
        // Only the records of APOD Basic hold the explanation alone.
        let article =
            name.list != nil || document.record["explanation"]?.string != nil ? nil : read(document.record, name)
        var item = document.item(name.list == nil ? nil : read(document.record, name))
        if name.list == nil, !document.mirror.isPruned {
            item.stored?.lacks = lacks(document, article)
            item.stored?.isStandIn = article?.isStandIn == true
        }
        for file in document.files where try !folder.has(file, as: name) {
            (item.state, item.failure) = (.failed, Problem(.missing))
        }
        return Catalog.Update(
            item, title: title, explanation: explanation, speaksOf: article?.speaksOf ?? speaksOf(document))
    }

    private func speaksOf(_ document: Document) -> Set<Day> {
        guard let day = document.name.key.day, let html = document.record["explanation"]?.string else { return [] }
        return LinkedDays.days(in: html, of: day)
    }

    /// How many further pictures the day's record shows that are not here.
    /// `article`: its record, where that is read already.
    private func lacks(_ document: Document, _ article: Picture?) -> Int {
        guard Self.mayShowFurther(document.record), let picture = article ?? read(document.record, document.name) else {
            return 0
        }
        return document.lacks(picture)
    }

    /// Whether a record holds two pictures or a picture and a video, or a script that runs under the pointer.
    private static func mayShowFurther(_ record: JSONText) -> Bool {
        record.bytes.withUnsafeBufferPointer { bytes in
            var count = 0
            // Nearly all letters are neither.
            for place in bytes.indices where bytes[place] == "<" || bytes[place] | 0x20 == "o" {
                let rest = bytes[place...].dropFirst()
                if bytes[place] != "<" {
                    if rest.first.map({ $0 | 0x20 }) == "n", starts(rest, with: "nmouse") { return true }
                } else if media.contains(where: { starts(rest, with: $0) }) {
                    count += 1
                    if count > 1 { return true }
                }
            }
            return false
        }
    }

    private static let media: [StaticString] = ["img", "video", "iframe", "embed", "object"]

    /// Whether bytes start with a word in lower case, whatever case they are in.
    private static func starts(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, with word: StaticString) -> Bool {
        word.withUTF8Buffer { word in bytes.count >= word.count && zip(bytes, word).allSatisfy { $0 | 0x20 == $1 } }
    }

    /// A day's JSON file with its parsed upstream record; nil if either is not valid. `known`: what was parsed of the
    /// record that the upstream sends now, which is the same for most days.
    func document(of stored: Item.Stored, knowing known: Picture? = nil) throws -> (
        document: Document, picture: Picture
    )? {
        let name = stored.name
        // Where storing it was cut off at the end, the files and the catalog are what the JSON that has no name yet says.
        let unfinished = try own?.folder(Tree.unfinishedName).flatMap { folder in
            try Document(name, in: folder, as: name.unfinished).flatMap {
                Digest(of: $0.bytes) == stored.json ? $0 : nil
            }
        }
        let folder = try Tree.existingFolder(name.folder, in: root)
        guard let document = try unfinished ?? folder.flatMap({ try Document(name, in: $0) }) else { return nil }
        let picture = document.record == known?.record ? known : read(document.record, name)
        guard let picture, picture.key == name.key else { return nil }
        return (document, picture)
    }
}
