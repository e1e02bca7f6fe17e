import Apod
import Decoders
import Files
import Glibc
import Store

/// Thumbnails for screens, in `gallery/`.
extension Thumbnails {
    /// Brings a picture's files to the disk, and returns their paths.
    func publish(_ files: [[UInt8]], of picture: PictureKey) throws -> [String] {
        try tree.root.checkRoom()
        guard let gallery = try GalleryFolder.make(in: tree.root) else {
            throw Problem("write in", tree.root.path(of: GalleryFolder.name), code: EEXIST)
        }
        let folder = try Tree.makeFolder(GallerySize.folder(of: picture.key), in: gallery)
        for (size, bytes) in zip(GallerySize.allCases, files) {
            let name = size.name(of: picture)
            try Staged(bytes, in: tree.unfinished, as: name).publish(in: folder, as: name)
        }
        try folder.sync()
        return GallerySize.paths(of: picture)
    }

    /// The folders with copies that can be opened, by their paths below `gallery`.
    private func folders(in gallery: Folder) throws -> [(path: String, folder: Folder)] {
        try GalleryFolder.years(in: gallery).map { ($0.name, $0.folder) }
            + Tree.listFolders(in: gallery).compactMap { list in
                try Tree.existingFolder(list.path(), in: gallery).map { (list.path(), $0) }
            }
    }

    func removeScreens() throws {
        // Searched, as a new catalog does not know the files.
        guard let found = try filesHere() else { return }
        try removeFiles(of: Set(found.keys))
        if Task.isCancelled { return }
        try forget(.screens, of: Set(try catalog.screenBytes().keys))
        guard let gallery = try openGallery() else { return }
        for (path, _) in try folders(in: gallery) { try gallery.removeEmptyFolder(path) }
        try gallery.removeEmptyFolder(Tree.lists)
        try GalleryFolder.removeIfDone(from: tree.root)
    }

    func tidyScreens() throws {
        guard let found = try filesHere() else { return }
        let before = Set(try catalog.screenBytes().keys)
        // The gallery must begin to show these.
        archive.noteChanges(of: Set(try adopt(found.filter { !before.contains($0.key) }).map(\.key)))
        let known = try catalog.screenBytes()
        try removeFiles(of: Set(found.keys).subtracting(known.keys))
        let incomplete = known.filter { picture, bytes in
            let files = found[picture] ?? []
            return files.count != GallerySize.allCases.count || files.reduce(0) { $0 + $1.bytes } != bytes
        }
        // Files that stay might be adopted by a new catalog.
        let gone = try removeFiles(of: Set(incomplete.keys))
        try forget(.screens, of: gone)
        // The gallery must stop showing these.
        archive.noteChanges(of: Set(gone.map(\.key)))
    }

    /// Records files that the catalog does not know, if they were made since their day was stored. Returns of which pictures.
    private func adopt(_ found: [PictureKey: [File.Facts]]) throws -> [PictureKey] {
        var adopted: [Catalog.ThumbnailState] = []
        for (picture, files) in found where files.count == GallerySize.allCases.count {
            guard let stored = try catalog.item(of: picture.key)?.whole,
                let image = stored.files.image(picture.number),
                files.allSatisfy({ $0.modified >= stored.mirror.fetched && $0.bytes > 0 })
            else { continue }
            adopted.append(
                .init(
                    picture, source: image.sha256, version: Worker.version,
                    screenBytes: files.reduce(0) { $0 + $1.bytes }))
        }
        try catalog.adopt(adopted)
        return adopted.map(\.picture)
    }

    /// The thumbnails of each picture; nil when stopped. Those of what is not known are removed.
    private func filesHere() throws -> [PictureKey: [File.Facts]]? {
        var found: [PictureKey: [File.Facts]] = [:]
        guard let gallery = try openGallery() else { return found }
        for (path, folder) in try folders(in: gallery) {
            for name in try folder.names() {
                if Task.isCancelled { return nil }
                guard let (mark, number) = GallerySize.picture(in: name), let facts = try folder.facts(of: name),
                    facts.isRegular
                else { continue }
                if let key = try catalog.key(marked: mark) {
                    if GallerySize.folder(of: key) == path { found[PictureKey(key, number), default: []].append(facts) }
                } else if Tree.list(ofPath: path) != nil {
                    try folder.remove(name)
                }
            }
        }
        return found
    }

    /// Returns the pictures whose files are gone.
    @discardableResult
    func removeFiles(of pictures: Set<PictureKey>) throws -> Set<PictureKey> {
        guard let gallery = try openGallery() else { return pictures }
        var gone: Set<PictureKey> = []
        let byFolder = Dictionary(grouping: pictures) { GallerySize.folder(of: $0.key) }
        for (path, pictures) in byFolder where !Task.isCancelled {
            let folder = try Tree.existingFolder(path, in: gallery)
            for picture in pictures where !Task.isCancelled {
                for size in GallerySize.allCases { try folder?.remove(size.name(of: picture)) }
                gone.insert(picture)
            }
            // Before the catalog forgets these files.
            try folder?.sync()
        }
        return gone
    }

    func openGallery() throws -> Folder? { try GalleryFolder.own(in: tree.root) }
}
