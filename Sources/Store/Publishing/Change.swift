package import Apod
package import Files

/// What NASA corrected of an item, also where a person put that aside: which words went and came, and its picture before
/// and after.
package struct Change: Sendable {
    package let name: FileName
    /// Its title now.
    package let title: String
    /// Seconds since 1970.
    package let moment: Int
    package let texts: [(field: String, changes: WordChanges)]
    /// The paths of both, below the root; none unless another picture came, and both are here.
    package let pictures: [String]

    /// Those of an item, the newest first.
    package static func all(of document: Document, in root: Folder) -> [Change] {
        guard let folders = Versions(in: root) else { return [] }
        var places: [Digest: String] = [:]
        for file in document.files { places[file.sha256] = document.name.path(file) }
        let versions = folders.found(document)
        for version in versions {
            let name = version.document.name
            let folder = (try? folders.folder(name, version.number)) ?? nil
            for file in version.held where ((try? folder?.facts(of: name.with(file))) ?? nil) != nil {
                places[file.sha256] = "\(folders.path(name, version.number))/\(name.with(file))"
            }
        }
        // As NASA had them: what a person put aside (`revert`) may be the newest.
        let states = ([document] + versions.map(\.document)).reversed().sorted { $0.fetched < $1.fetched }
        return zip(states, states.dropFirst()).reversed().map { before, after in
            let texts = Document.texts.filter { before.text($0) != after.text($0) }.map { field in
                (field, WordChanges(from: before.text(field) ?? "", to: after.text(field) ?? ""))
            }
            let images = [before, after].compactMap(\.files.image?.sha256)
            let pictures = images.first == images.last ? [] : images.compactMap { places[$0] }
            return Change(
                name: document.name, title: document.title, moment: after.fetched, texts: texts,
                pictures: pictures.count == 2 ? pictures : [])
        }
    }

    /// The newest of some items. Cancelled, it leaves some out.
    package static func newest(_ count: Int, of names: [FileName], in root: Folder) throws -> [Change] {
        let changes = try names.flatMap { name -> [Change] in
            try Task.isCancelled ? [] : Document.of(name, in: root).map { all(of: $0, in: root) } ?? []
        }
        return Array(changes.sorted { ($0.moment, $0.name.day) > ($1.moment, $1.name.day) }.prefix(count))
    }
}
