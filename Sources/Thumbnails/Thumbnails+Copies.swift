internal import Apod
internal import Archive
internal import Catalog
internal import Files

extension Thumbnails {
    /// Returns what this version made of the same picture for another day, so that it is not decoded again; nil if a
    /// file lacks its recorded size.
    func copies(of image: StoredFile, for uses: ThumbnailUses) throws(StorageError) -> MadeFiles? {
        guard let other = try catalog.thumbnail(of: image.sha256, for: uses, version: Worker.version) else {
            return nil
        }
        do throws(StorageError) {
            let screens = uses.contains(.screens) ? try self.screens(other) : []
            let shared = uses.contains(.fileManagers) ? try self.shared(other) : []
            guard let screens, let shared else { return nil }
            return MadeFiles(screens: screens, shared: shared)
        } catch {
            // Files that cannot be read are made anew.
            return nil
        }
    }

    private func screens(_ other: Catalog.ThumbnailState) throws(StorageError) -> [[UInt8]]? {
        guard let folder = try openGallery()?.folder("\(other.day.year)") else { return nil }
        var files: [[UInt8]] = []
        for size in GallerySize.allCases {
            guard let file = try folder.file(size.name(of: other.day)) else { return nil }
            files.append(try file.contents(atMost: other.bytes))
        }
        guard files.reduce(0, { $0 + $1.count }) == other.bytes else { return nil }
        return ThumbnailUses.screens.sorted(files)?.screens
    }

    private func shared(_ other: Catalog.ThumbnailState) throws(StorageError) -> [PNG]? {
        guard let stored = try catalog.status(of: other.day)?.whole, let image = stored.image,
            let month = try Tree.existingFolder(of: other.day, in: tree.root),
            let repository = try SharedRepository(in: month)
        else { return nil }
        let name = SharedThumbnailName(stored.name.with(image.type.suffix))
        var files: [PNG] = []
        for index in SharedSize.allCases.indices {
            guard let file = try repository.thumbnail(of: name, index) else { return nil }
            files.append(file)
        }
        return files.map(\.size) == other.sharedBytes ? files : nil
    }
}
