package import Apod

/// A former state of an item: what its JSON was, and the files that went with it.
package struct Version: Sendable {
    package let number: Int
    /// The JSON of its time. Its `files` are those of its time; those that went with it are `held`.
    package let document: Document
    let mark: Mark

    /// The files that went with it.
    var gone: [StoredFile] { document.files.filter { mark.holds.contains(document.name.with($0)) } }

    /// Those of them that are in the version's folder.
    package var held: [StoredFile] { mark.isDeleted ? [] : gone }

    /// What the JSON of a version says of it, in `mirror.version`.
    struct Mark: Sendable, Equatable {
        /// When another took its place; seconds since 1970.
        let replaced: Int
        /// The names of the files that went with it. The others stayed in the tree.
        let holds: Set<String>
        /// By a person (`revert`), not by the upstream.
        var isReverted = false
        /// `keep` or `max-total` deleted its files.
        var isDeleted = false

        var json: JSON {
            .sparse([
                ("replaced", .moment(replaced)), ("holds", .strings(holds.sorted())),
                ("reverted", isReverted ? .bool(true) : nil), ("deleted", isDeleted ? .bool(true) : nil),
            ])
        }

        init(replaced: Int, holds: Set<String>, isReverted: Bool = false, isDeleted: Bool = false) {
            (self.replaced, self.holds, self.isReverted, self.isDeleted) = (replaced, holds, isReverted, isDeleted)
        }

        init?(_ text: JSONText?) {
            guard let text, let replaced = text["replaced"]?.moment, let holds = text["holds"]?.elements else {
                return nil
            }
            self.init(
                replaced: replaced, holds: Set(holds.compactMap(\.string)), isReverted: text["reverted"]?.bool ?? false,
                isDeleted: text["deleted"]?.bool ?? false)
        }
    }

    /// As the catalog lists it.
    package var entry: FormerVersion {
        FormerVersion(
            key: document.name.key, number: number, replaced: mark.replaced,
            kinds: held.map { $0.type.kind == .image ? "picture" : $0.type.kind.rawValue },
            bytes: held.reduce(0) { $0 + $1.bytes }, jsonBytes: document.bytes.count, isReverted: mark.isReverted,
            isDeleted: mark.isDeleted)
    }

    /// Whether it was made of this document.
    func isOf(_ other: Document) -> Bool {
        func state(_ document: Document) -> [UInt8]? {
            var document = document
            (document.mirror.version, document.mirror.number, document.mirror.incomplete) = (nil, nil, nil)
            document.mirror.setAside = []
            document.files = document.files.map(\.told)
            return try? document.rewritten().bytes
        }
        return state(document).map { $0 == state(other) } ?? false
    }

    /// Whether it is the item as it is here: one that came back (`revert`), or the newest, where what should take its place
    /// could not be stored after all.
    func isPresent(_ present: Document?, isNewest: Bool) -> Bool {
        guard let present else { return false }
        return present.mirror.number.map { $0 == number } ?? (isNewest && isOf(present))
    }
}
