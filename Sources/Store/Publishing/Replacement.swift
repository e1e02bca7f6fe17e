package import Apod
import Files

/// What the upstream replaced, a file or texts alone, as it is reported to people.
package struct Replacement: Sendable {
    package let day: Day
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
        let versions = (try? Folder.open(root)).flatMap { Versions(in: $0)?.found(document) } ?? []
        return versions.flatMap { of($0, beside: document) }
    }

    /// Those of which status tells.
    package static func last(root: String, _ versions: [FormerVersion], in catalog: Catalog) -> [Replacement] {
        versions.flatMap { entry -> [Replacement] in
            guard let name = try? catalog.status(of: entry.day)?.stored?.name, let folder = try? Folder.open(root),
                let present = (try? Document.of(name, in: folder)) ?? nil,
                let version = (try? Versions(in: folder)?.read(name, entry.number)) ?? nil
            else { return [] }
            return of(version, beside: present)
        }
    }

    private static func of(_ version: Version, beside present: Document) -> [Replacement] {
        if version.mark.isReverted { return [] }
        let files = version.gone.filter { $0.role != .page }
        return (files.isEmpty ? [nil] : files.map(Optional.some)).map { former in
            Replacement(
                day: version.document.name.day, moment: version.mark.replaced, former: former,
                present: former.flatMap { file in
                    present.files.first { $0.role == file.role } ?? present.files.main
                })
        }
    }
}
