package import Apod

/// A former state of an item: what its JSON was, and the files that went with it.
package struct Version: Sendable {
    package let number: Int
    /// The JSON of its time. Its `files` are those of its time; those that went with it are `held`.
    package let document: Document
    let mark: VersionMark

    /// The files that went with it.
    var gone: [StoredFile] { document.files.filter { mark.holds.contains(document.name.with($0)) } }

    /// Those of them that are in the version's folder.
    package var held: [StoredFile] { mark.isDeleted ? [] : gone }

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
