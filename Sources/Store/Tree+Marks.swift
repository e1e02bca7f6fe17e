import Apod
package import Files

/// Files in the root that tell other programs what is not for them.
extension Tree {
    /// Brings the files up to date. Errors are ignored: they must not stop a day.
    func markRoot() {
        let isHidden = try? hideInRoot()
        let isListed = try? GeneratedFile.write(Self.ignored, as: ".ppignore", in: root, through: unfinished)
        // A later commit to the catalog must not reach the disk before these names.
        if isHidden == true || isListed == true { try? root.sync() }
    }

    /// The names that PhotoPrism does not index, here and below: copies, links and JSON.
    private static let ignored = Array(
        "\(GeneratedFile.list)\(GalleryFolder.name)\n\(favorites)\n\(search)\n\(today)\n\(frame)\n\(LatestLinks.stem)*\n*.\(FileName.json)\n"
            .utf8)

    /// In a file manager, a person sees the years, `favorites`, `index.html` and `latest.jpg`.
    private func hideInRoot() throws -> Bool {
        let hidden = try HiddenFile(in: root) { Self.forPrograms.contains($0) }
        var names: [String] = []
        for name in Self.forPrograms where try !isForeign(name) { names.append(name) }
        return try hidden?.write(names, through: unfinished, as: "root\(HiddenFile.name)") ?? false
    }

    private static let forPrograms = [favoritesList, feed, changes, GalleryFolder.name] + LatestLinks.hiddenNames

    /// Whether somebody else has taken the name, and would look for it.
    private func isForeign(_ name: String) throws -> Bool {
        switch name {
        case GalleryFolder.name: try !GalleryFolder.isOwn(in: root)
        case Self.feed, Self.changes: try GeneratedFile.isForeign(name, in: root)
        case Self.favoritesList: false
        default: try LatestLinks.isForeign(name, in: root)
        }
    }
}

extension Tree {
    /// Names of things in the root that are in the place of the mirror's links and its `.hidden`.
    package static func occupied(in root: Folder, by catalog: Catalog) -> [String] {
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        return HiddenFile.isForeign(in: root) ? links + [HiddenFile.name] : links
    }
}
