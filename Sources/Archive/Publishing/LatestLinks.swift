internal import Apod
internal import Catalog
internal import Files

/// The links in the root that lead to the newest picture and to its JSON.
///
/// `latest.jpg` is for programs that go by a file's suffix. Other things with one of these names stay.
struct LatestLinks {
    private let root: Folder
    /// The links that there should be, and where they lead.
    private let targets: [(name: String, target: String)]

    private static let stem = "latest"
    static let names =
        [stem, "\(stem).\(Metadata.suffix)"]
        + MediaType.allCases.filter { $0.kind == .image }.map { "\(stem).\($0.suffix)" }

    init(in root: Folder, by catalog: Catalog) throws(StorageError) {
        self.root = root
        guard let (stored, image) = try Tree.newestImage(in: root, by: catalog) else {
            targets = []
            return
        }
        let picture = "\(stored.name.folder)/\(stored.name.with(image.type.suffix))"
        let metadata = "\(stored.name.folder)/\(stored.name.with(Metadata.suffix))"
        targets = [
            (Self.stem, picture), ("\(Self.stem).\(image.type.suffix)", picture),
            ("\(Self.stem).\(Metadata.suffix)", metadata),
        ]
    }

    /// Makes the links, and removes those with other suffixes. Renaming leaves no moment without a link.
    func point(through own: Folder) throws(StorageError) {
        var isChanged = false
        for (name, target) in targets where root.target(of: name) != target {
            guard try !isForeign(name) else { continue }
            let temporary = "\(name).new"
            try own.remove(temporary)
            try own.makeLink(temporary, to: target)
            try own.rename(temporary, to: root, as: name)
            isChanged = true
        }
        for name in Self.names where !targets.contains(where: { $0.name == name }) && isOwn(name) {
            try root.remove(name)
            isChanged = true
        }
        if isChanged { try root.sync() }
    }

    /// The names that something else has taken.
    func occupied() throws(StorageError) -> [String] {
        var names: [String] = []
        for (name, _) in targets where try isForeign(name) { names.append(name) }
        return names
    }

    private func isForeign(_ name: String) throws(StorageError) -> Bool {
        try root.facts(of: name) != nil && !isOwn(name)
    }

    private func isOwn(_ name: String) -> Bool { Self.day(of: name, in: root) != nil }

    /// The day to whose file a link leads; nil for anything but the mirror's own links.
    static func day(of name: String, in root: Folder) -> Day? {
        let slash = UInt8(ascii: "/")
        guard let target = root.targetBytes(of: name), let end = target.lastIndex(of: slash),
            let file = FileName.parts(of: String(decoding: target[(end + 1)...], as: UTF8.self)),
            let name = FileName(stem: file.stem), target[..<end].elementsEqual(name.folder.utf8)
        else { return nil }
        return name.day
    }
}

extension Tree {
    func pointLatest(by catalog: Catalog) throws(StorageError) {
        let links = try LatestLinks(in: root, by: catalog)
        try links.point(through: own)
    }

    /// The newest picture whose file and JSON are in the tree.
    static func newestImage(
        in root: Folder, by catalog: Catalog
    ) throws(StorageError) -> (stored: StoredDay, image: StoredFile)? {
        var limit: Day?
        while true {
            let newest = try catalog.newestImage(before: limit)
            guard let newest else { return nil }
            limit = newest.day
            guard let stored = newest.stored, let image = stored.files.first(where: \.isImage) else { continue }
            let isThere = try has(stored, image, in: root)
            if isThere { return (stored, image) }
        }
    }

    /// A month that cannot be read counts as missing.
    private static func has(_ stored: StoredDay, _ image: StoredFile, in root: Folder) throws(StorageError) -> Bool {
        do throws(StorageError) {
            guard let folder = try existingFolder(of: stored.name.day, in: root) else { return false }
            let picture = try folder.facts(of: stored.name.with(image.type.suffix))
            let metadata = try folder.facts(of: stored.name.with(Metadata.suffix))
            return picture?.isRegular == true && metadata?.isRegular == true
        } catch {
            guard error.isAboutPlace else { throw error }
            return false
        }
    }
}
