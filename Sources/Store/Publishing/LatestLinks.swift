package import Apod
package import Files

/// The links in the root that lead to the newest picture and to its JSON.
///
/// `latest.jpg` is always a JPEG: where the newest picture is none, its `LatestCopy` or, until that is made, the newest
/// JPEG. Other things with one of these names stay.
struct LatestLinks {
    private let root: Folder
    /// The links that there should be, and where they lead.
    private let targets: [(name: String, target: String)]
    /// The copy for `latest.jpg`; nil if the newest picture is a JPEG.
    private let copy: LatestCopy?

    static let stem = "latest"
    static let jpeg = "\(stem).\(MediaType.jpeg.suffix)"
    private static let json = "\(stem).\(FileName.json)"
    /// The links that are there for programs.
    static let hiddenNames = [stem, json]
    static let names = hiddenNames + [jpeg]

    init(in root: Folder, by catalog: Catalog) throws {
        self.root = root
        guard let (stored, image) = try Tree.newestImage(in: root, by: catalog) else {
            (targets, copy) = ([], nil)
            return
        }
        copy = LatestCopy(of: image, named: stored.name)
        let picture = stored.name.path(image)
        let jpeg = if let copy { try Self.path(of: copy, in: root, by: catalog) } else { Optional(picture) }
        targets =
            [(Self.stem, picture), (Self.json, stored.name.path(FileName.json))]
            + (jpeg.map { [(Self.jpeg, $0)] } ?? [])
    }

    /// Until the copy is there, the newest JPEG, if there is one.
    private static func path(of copy: LatestCopy, in root: Folder, by catalog: Catalog) throws -> String? {
        if try copy.isThere(in: root) { return copy.path }
        return try Tree.newestImage(in: root, by: catalog, type: .jpeg).map { newest in
            newest.stored.name.path(newest.image)
        }
    }

    /// Makes the links, and removes those that lead nowhere. Renaming leaves no moment without a link.
    func point(through own: Folder) throws {
        var isChanged = false
        for (name, target) in targets where root.target(of: name) != target {
            guard try !Self.isForeign(name, in: root) else { continue }
            let temporary = "\(name).new"
            try own.remove(temporary)
            try own.makeLink(temporary, to: target)
            try own.rename(temporary, to: root, as: name)
            isChanged = true
        }
        for name in Self.names where !targets.contains(where: { $0.name == name }) && Self.isOwn(name, in: root) {
            try root.remove(name)
            isChanged = true
        }
        if isChanged { try root.sync() }
        try LatestCopy.removeOthers(than: copy, from: own)
    }

    /// The names that something else has taken.
    func occupied() throws -> [String] {
        var names: [String] = []
        for (name, _) in targets where try Self.isForeign(name, in: root) { names.append(name) }
        return names
    }

    static func isForeign(_ name: String, in root: Folder) throws -> Bool {
        try root.facts(of: name) != nil && !isOwn(name, in: root)
    }

    private static func isOwn(_ name: String, in root: Folder) -> Bool { day(of: name, in: root) != nil }

    /// The day to whose file a link leads; nil for anything but the mirror's own links.
    static func day(of name: String, in root: Folder) -> Day? {
        let slash: UInt8 = "/"
        guard let target = try? root.readTarget(of: name), let end = target.lastIndex(of: slash),
            let file = FileName.parts(of: (target[(end + 1)...]).text)
        else { return nil }
        if target[..<end].elementsEqual(LatestCopy.folder.utf8) {
            return LatestCopy(name: "\(file.stem).\(file.suffix)")?.day
        }
        guard let name = FileName(stem: file.stem), target[..<end].elementsEqual(name.folder.utf8)
        else { return nil }
        return name.key.day
    }
}

extension Tree {
    func pointLatest(by catalog: Catalog) throws {
        let links = try LatestLinks(in: root, by: catalog)
        try links.point(through: own)
    }

    /// The newest picture, of one type if that is given, whose file and JSON are in the tree.
    package static func newestImage(
        in root: Folder, by catalog: Catalog, type: MediaType? = nil
    ) throws -> (stored: Item.Stored, image: StoredFile)? {
        var limit: Day?
        while true {
            let newest = try catalog.newestImage(before: limit, type: type)
            guard let newest else { return nil }
            limit = newest.key.day
            guard let stored = newest.stored,
                let image = stored.files.first(where: { file in
                    !file.role.isFurther && (type == nil ? file.isImage : file.type == type)
                })
            else { continue }
            let isThere = try has(stored, image, in: root)
            if isThere { return (stored, image) }
        }
    }

    /// A month that cannot be read counts as missing.
    private static func has(_ stored: Item.Stored, _ image: StoredFile, in root: Folder) throws -> Bool {
        do {
            guard let folder = try existingFolder(stored.name.folder, in: root) else { return false }
            let picture = try folder.facts(of: stored.name.with(image))
            let metadata = try folder.facts(of: stored.name.with(FileName.json))
            return picture?.isRegular == true && metadata?.isRegular == true
        } catch {
            guard error.problem.isAboutPlace else { throw error }
            return false
        }
    }
}
