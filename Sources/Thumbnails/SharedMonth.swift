internal import Apod
internal import Archive
internal import Catalog
internal import Files

/// The thumbnails for file managers of the files in a month's folder.
struct SharedMonth {
    private let month: Folder
    private let repository: SharedRepository
    /// The names of the thumbnails that exist, for each size.
    private let present: [Set<String>]

    /// nil where there is no `.sh_thumbnails`; if `makes`, only where something else has its name.
    init?(_ month: Folder, makes: Bool = false) throws(StorageError) {
        guard let repository = try SharedRepository(in: month, makes: makes) else { return nil }
        self.month = month
        self.repository = repository
        var present: [Set<String>] = []
        for index in repository.folders.indices { present.append(try repository.names(index)) }
        self.present = present
    }

    /// The files of a day that exist, with their modification times.
    private func files(of stored: StoredDay) throws(StorageError) -> [(name: SharedThumbnailName, modified: Int)] {
        var files: [(SharedThumbnailName, Int)] = []
        for file in stored.files {
            let name = stored.name.with(file.type.suffix)
            guard let facts = try month.facts(of: name), facts.isRegular else { continue }
            files.append((SharedThumbnailName(name), facts.modified))
        }
        return files
    }

    /// The names of the thumbnails that a day should have.
    static func names(of stored: StoredDay) -> [String] {
        stored.files.flatMap { SharedThumbnailName(stored.name.with($0.type.suffix)).names }
    }

    /// Writes a day's thumbnails, one of each size, for each of its files.
    func put(_ thumbnails: [PNG], of stored: StoredDay) throws(StorageError) {
        for (name, modified) in try files(of: stored) {
            for (index, thumbnail) in thumbnails.enumerated() {
                try repository.put(thumbnail, of: name, modified: modified, index)
            }
        }
    }

    /// Gives a day's files without a right thumbnail a copy of another file's. Returns false where there is none.
    ///
    /// `bytes`: the right sizes, without texts.
    func complete(_ stored: StoredDay, _ bytes: [Int]) throws(StorageError) -> Bool {
        let files = try files(of: stored)
        for (index, bytes) in zip(present.indices, bytes) {
            var lacking: [(name: SharedThumbnailName, modified: Int)] = []
            var source: SharedThumbnailName?
            for (name, modified) in files {
                if try isRight(name, bytes, modified: modified, index) {
                    source = name
                } else {
                    lacking.append((name, modified))
                }
            }
            if lacking.isEmpty { continue }
            guard let source, let thumbnail = try repository.thumbnail(of: source, index) else { return false }
            for (name, modified) in lacking { try repository.put(thumbnail, of: name, modified: modified, index) }
        }
        return true
    }

    /// Returns the sizes, without texts, of the thumbnails of a day's image; nil unless this program made one of each
    /// size since the day was stored.
    func sizes(of stored: StoredDay) throws(StorageError) -> [Int]? {
        guard let image = stored.image else { return nil }
        let name = SharedThumbnailName(stored.name.with(image.type.suffix))
        var sizes: [Int] = []
        for (index, folder) in repository.folders.enumerated() {
            guard present[index].contains(name.names[0]), let facts = try folder.facts(of: name.names[0]),
                facts.changed >= stored.fetched, try SharedRepository.isOwn(name.names[0], in: folder),
                let thumbnail = try repository.thumbnail(of: name, index)
            else { return nil }
            sizes.append(thumbnail.size)
        }
        return sizes
    }

    private func isRight(_ name: SharedThumbnailName, _ bytes: Int, modified: Int, _ index: Int) throws(StorageError)
        -> Bool
    {
        guard name.names.allSatisfy(present[index].contains),
            let facts = try repository.folders[index].facts(of: name.names[0])
        else { return false }
        let size = bytes + PNG.size(of: name.texts(modified: modified))
        return facts.isRegular && facts.bytes == size && facts.modified == modified
    }

    /// Removes the thumbnails of files that a day does not have.
    func removeOthers(of name: FileName, besides files: [StoredFile] = []) throws(StorageError) {
        let types = Set(files.map(\.type))
        for type in MediaType.allCases where !types.contains(type) {
            let name = SharedThumbnailName(name.with(type.suffix))
            if present.contains(where: { !$0.isDisjoint(with: name.names) }) { try repository.remove(name) }
        }
    }
}
