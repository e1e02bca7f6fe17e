import Apod
import Files
import Store

/// The thumbnails for file managers of the files in a month's folder.
struct SharedMonth {
    private let month: Folder
    private let repository: SharedRepository
    /// The names of the thumbnails that exist, for each size.
    private let present: [Set<String>]

    /// nil where there is no `.sh_thumbnails`; if `makes`, only where something else has its name.
    init?(_ month: Folder, makes: Bool = false) throws {
        guard let repository = try SharedRepository(in: month, makes: makes) else { return nil }
        self.month = month
        self.repository = repository
        var present: [Set<String>] = []
        for index in repository.folders.indices { present.append(try repository.names(index)) }
        self.present = present
    }

    /// The files of a day that exist, with their modification times. File managers make those of further pictures, as of any
    /// other.
    private func files(of stored: Item.Stored) throws -> [(name: SharedThumbnailName, modified: Int)] {
        var files: [(SharedThumbnailName, Int)] = []
        for file in stored.files where !file.role.isFurther {
            let name = stored.name.with(file)
            guard let facts = try month.facts(of: name), facts.isRegular else { continue }
            files.append((SharedThumbnailName(name), facts.modified))
        }
        return files
    }

    /// The names of the thumbnails that a day should have.
    static func names(of stored: Item.Stored) -> [String] {
        stored.files.filter { !$0.role.isFurther }.flatMap { SharedThumbnailName(stored.name.with($0)).names }
    }

    /// Brings a day's thumbnails to the disk, one of each size, for each of its files.
    func put(_ thumbnails: [[UInt8]], of stored: Item.Stored, through unfinished: Folder) throws {
        for (name, modified) in try files(of: stored) {
            for (index, thumbnail) in thumbnails.enumerated() {
                try repository.put(thumbnail, of: name, modified: modified, index, through: unfinished)
            }
        }
        try repository.sync()
    }

    /// Whether each file of a day has its thumbnails, none of them empty, and with the file's time.
    func isComplete(_ stored: Item.Stored) throws -> Bool {
        for (name, modified) in try files(of: stored) {
            for (folder, present) in zip(repository.folders, present) {
                guard name.names.allSatisfy(present.contains), let facts = try folder.facts(of: name.names[0]),
                    facts.isRegular, facts.bytes > 0, facts.modified == modified
                else { return false }
            }
        }
        return true
    }

    /// Returns the bytes of the thumbnails of a day's image; nil unless this program made one of each size since the day
    /// was stored.
    func bytes(of stored: Item.Stored) throws -> Int? {
        guard let image = stored.image else { return nil }
        let name = SharedThumbnailName(stored.name.with(image)).names[0]
        var bytes = 0
        for folder in repository.folders {
            guard let facts = try folder.facts(of: name), facts.changed >= stored.mirror.fetched,
                try SharedRepository.isOwn(name, in: folder)
            else { return nil }
            bytes += facts.bytes
        }
        return bytes
    }

    /// Removes the thumbnails of files that a day does not have.
    func removeOthers(of name: FileName, besides files: [StoredFile] = []) throws {
        let types = Set(files.filter { !$0.role.isFurther }.map(\.type))
        for type in MediaType.allCases where !types.contains(type) {
            let name = SharedThumbnailName(name.with(type.suffix))
            if present.contains(where: { !$0.isDisjoint(with: name.names) }) { try repository.remove(name) }
        }
    }
}
