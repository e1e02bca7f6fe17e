package import Apod
import Files

/// What the upstream replaced, a file or texts alone, as it is reported to people.
package struct Replacement: Sendable {
    package let key: Key
    /// Seconds since 1970.
    package let moment: Int
    /// nil: texts alone were replaced.
    package let former: StoredFile?
    /// The file in its place; nil if there is none.
    package let present: StoredFile?

    package var isMuchSmaller: Bool {
        if let present, let former { present.isMuchSmaller(than: former) } else { false }
    }

    /// All of a day or an item, newest first. What a person put aside (`revert`) is none.
    package static func all(root: String, of document: Document) -> [Replacement] {
        guard let folder = try? Folder.open(root) else { return [] }
        return Change.all(of: document, in: folder).filter(\.isApplied).flatMap(\.replacements)
    }

    /// The last of so many items, of which status tells. `versions`: one of each item, the newest first.
    package static func last(
        _ count: Int, root: String, _ versions: [FormerVersion], in catalog: Catalog
    ) -> [Replacement] {
        guard let folder = try? Folder.open(root) else { return [] }
        var changes: [Change] = []
        for version in versions where changes.count < count {
            guard let name = try? catalog.item(of: version.key)?.stored?.name,
                let present = (try? Document.of(name, in: folder)) ?? nil,
                let change = Change.all(of: present, in: folder).first(where: \.isApplied)
            else { continue }
            changes.append(change)
        }
        return changes.sorted { $0.moment > $1.moment }.flatMap(\.replacements)
    }
}

extension Change {
    package var replacements: [Replacement] {
        let files = files.isEmpty ? [(nil, nil)] : files.map { ($0.former as StoredFile?, $0.present) }
        return files.map { Replacement(key: name.key, moment: moment, former: $0, present: $1) }
    }
}
