package import Apod
package import Catalog
package import Files

/// A day as it would be if its kept record were read today.
extension Archive {
    /// The page that opens what is at an address.
    package typealias PageMaker = @Sendable (_ title: String, WebAddress) -> [UInt8]

    /// nil where today's reader finds no more in the record than the JSON tells, and would make the same page; also
    /// where the JSON is not what the mirror wrote: what is damaged is fetched again.
    package func renewed(_ status: DayStatus, page: PageMaker) throws(StorageError) -> StagedDay? {
        guard status.state != .failed, let stored = status.stored else { return nil }
        guard let folder = try Tree.existingFolder(of: status.day, in: tree.root),
            let (kept, picture, document) = try CatalogRebuild(tree, read: read).kept(stored.name, in: folder),
            let former = (try? JSONText(document))?.members
        else { return nil }
        guard Digest(of: document) != stored.json else {
            return try renewed(status, kept, picture, former, page)
        }
        // Written when the program was killed, before the catalog knew of it.
        let metadata = Metadata(stored.name, picture, kept, kept.files, former)
        return metadata.document == document ? StagedDay(metadata, staged: [:], status: status) : nil
    }

    private func renewed(
        _ status: DayStatus, _ kept: StoredMetadata, _ picture: Picture, _ former: [String: JSONText],
        _ page: PageMaker
    ) throws(StorageError) -> StagedDay? {
        let told = former["explanation"]?.string ?? ""
        let tellsMore = picture.explanation.utf8.count > told.utf8.count
        let pages = kept.files.filter { $0.role == .page }.map { ($0, page(picture.title, $0.address)) }
            .filter { Digest(of: $1) != $0.sha256 }
        guard tellsMore || !pages.isEmpty, let name = status.stored?.name else { return nil }
        var picture = picture
        if !tellsMore { picture.explanation = told }
        var files = kept.files
        var staged: [String: Staged] = [:]
        for (file, document) in pages {
            files[files.firstIndex(of: file)!] = file.with(document)
            staged[file.type.suffix] = try Staged(
                document, in: tree.unfinished, as: "\(status.day).html", modified: status.day.noon)
        }
        return StagedDay(Metadata(name, picture, kept, files, former), staged: staged, status: status)
    }
}

extension Metadata {
    fileprivate init(
        _ name: FileName, _ picture: Picture, _ kept: StoredMetadata, _ files: [StoredFile],
        _ former: [String: JSONText]
    ) {
        self.init(
            name: name, picture: picture, files: files, downgraded: kept.downgraded, fetched: kept.fetched,
            isPruned: kept.isPruned, incomplete: kept.incomplete, setAside: kept.setAside, former: former)
    }
}

extension StoredFile {
    fileprivate func with(_ content: [UInt8]) -> StoredFile {
        StoredFile(role: role, type: type, address: address, bytes: content.count, sha256: Digest(of: content))
    }
}
