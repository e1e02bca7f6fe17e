package import Apod
internal import Archive
internal import Catalog
internal import Files

/// The part of the gallery that another list has: `gallery/data/lists/cats`, which the page loads when the list is opened.
extension Gallery {
    private func existingData(_ list: ListName) throws -> Folder? {
        let data = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data)
        return try data.flatMap { data in try Tree.existingFolder(list.path(), in: data) }
    }

    func isThere(_ list: ListName) throws -> Bool {
        try existingData(list)?.facts(of: ListScript.name) != nil
    }

    /// Newest first.
    func volumes(of list: ListName) throws -> [Volume] {
        Volume.all(of: list, try catalog.storedItems(of: list))
    }

    /// Writes what has changed of all of it.
    func write(_ list: ListName) throws {
        let volumes = try volumes(of: list)
        guard let all = try folders()?.data else { return try writeIndex(of: list, volumes) }
        let data = try Tree.makeFolder(list.path(), in: all)
        let copies = try catalog.screenCopies(in: Day.all(of: list))
        let replaced = try catalog.versions(in: Day.all(of: list))
        var isChanged = false
        for volume in volumes where !Task.isCancelled {
            isChanged = try write(volume, copies, replaced, in: data) || isChanged
        }
        let cover = try catalog.status(of: FileName.cover(of: list).day) ?? volumes.first?.days.last
        let script = ListScript.bytes(list, volumes, cover: cover, copies: copies)
        isChanged = try put(script, ListScript.name, in: data) || isChanged
        if isChanged { try data.sync() }
        try removeIndex(of: list, besides: volumes)
    }

    /// Writes the published index of the list alone.
    func writeIndex(of list: ListName, _ volumes: [Volume]) throws {
        for volume in volumes where !Task.isCancelled { try writeIndex(volume, [:]) }
        try removeIndex(of: list, besides: volumes)
    }

    /// Removes the index of years of which nothing is here any more. The page does not look for their data.
    private func removeIndex(of list: ListName, besides volumes: [Volume]) throws {
        let names = volumes.map { IndexedYear.name($0.year) }
        guard let folder = try Tree.existingFolder(list.path(IndexedYear.folder), in: tree.own) else { return }
        for name in try folder.names() where !names.contains(name) { try folder.remove(name) }
    }

    /// Deletes the list's data.
    func remove(_ list: ListName) throws {
        guard let gallery = try GalleryFolder.own(in: tree.root) else { return }
        if let data = try existingData(list) {
            try Self.removeScripts(in: data)
            let place = GalleryFolder.data
            for path in ["\(place)/\(list.path())", "\(place)/\(Tree.lists)", place] {
                try gallery.removeEmptyFolder(path)
            }
        }
        try GalleryFolder.removeIfDone(from: tree.root)
    }
}

/// The other lists that the page leads to.
extension Gallery {
    static func folders(ofListsIn data: Folder) throws -> [(name: String, folder: Folder)] {
        try data.folder(Tree.lists)?.folders { ListName($0) != nil } ?? []
    }

    static func lists(in data: Folder) throws -> [ListName] {
        var lists: [ListName] = []
        for (name, folder) in try folders(ofListsIn: data) where try folder.facts(of: ListScript.name) != nil {
            if let list = ListName(name) { lists.append(list) }
        }
        return lists.sorted()
    }

    /// Leads from the page to all other lists, if it does not yet.
    package func showLists(wanted: ClosedRange<Day>?) throws {
        guard let data = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data),
            let page = try GeneratedFile.contents(IndexPage.name, in: tree.root)
        else { return }
        let link = IndexPage.link(to: try Self.lists(in: data))
        if !String(decoding: page, as: UTF8.self).contains(link) { try write(.days([]), wanted: wanted) }
    }
}
