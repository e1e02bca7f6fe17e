internal import Apod
internal import Archive
internal import Files

/// Puts what is in the favorites folder in order: links become relative, copies become links, and a picture that was
/// moved here goes back to its place. Does not touch what it does not understand.
struct Adoption {
    let tree: Tree
    let catalog: Catalog
    let recognition: Recognition
    /// Otherwise, only the tree is put in order.
    let isAllowed: Bool
    let isStopped: @Sendable () -> Bool

    struct Order {
        /// What files turned out to be, by their content.
        var recognised: [(place: Place, meaning: Meaning, identity: File.Identity)] = []
        /// Files that somebody may still be writing.
        var later: Set<Place> = []
        /// Folders in which nothing can be put in order: their other links need not be tried.
        fileprivate var refusing: Set<Album> = []
    }

    /// In seconds. Who has just written a file may yet set its time by its name.
    private static let rest = 2

    func run(_ hints: Hints, at moment: Int) throws(ArchiveError) -> Order {
        var order = Order()
        switch hints {
        case .places(let places):
            for (album, places) in Dictionary(grouping: places, by: \.album) {
                guard let folder = try? tree.favorites(album) else { continue }
                for place in places { try put(place, in: folder, &order, at: moment) }
            }
        case .everywhere:
            if let top = try? tree.favorites(.top) { try walk(.top, top, &order, at: moment) }
        }
        return order
    }

    private func walk(_ album: Album, _ folder: Folder, _ order: inout Order, at moment: Int) throws(ArchiveError) {
        var names: [Name] = []
        var inner: [Name] = []
        let depth = album.depth
        try? folder.visit { name, kind in
            if kind == .folder, !name.isHidden { inner.append(name) }
            if kind != .folder, !isInOrder(name, in: folder, depth: depth) { names.append(name) }
        }
        for name in names { try put(Place(name, in: album), in: folder, &order, at: moment) }
        guard depth < Scan.deepest else { return }
        for name in inner {
            guard let folder = try? folder.folder(name) else { continue }
            try walk(album.inner(name), folder, &order, at: moment)
        }
    }

    /// A link as the mirror makes it, to something that is there.
    private func isInOrder(_ name: Name, in folder: Folder, depth: Int) -> Bool {
        guard let target = folder.targetBytes(of: name) else { return false }
        return Target(target).isOwn(in: depth) && (try? folder.facts(of: name, following: true)) != nil
    }

    /// Some folders cannot be written to, and some file systems have no links: there, things stay as they are.
    private func put(_ place: Place, in folder: Folder, _ order: inout Order, at moment: Int) throws(ArchiveError) {
        do throws(DiskError) {
            guard !isStopped(), !order.refusing.contains(place.album), let facts = try folder.facts(of: place.name)
            else { return }
            switch facts.kind {
            case .link: try putLink(place, in: folder, facts)
            case .regular: try putFile(place, in: folder, facts, &order, at: moment)
            case .folder, .other: break
            }
        } catch {
            if error.isFull { throw .disk(error) }
            if error.isAboutFolder { order.refusing.insert(place.album) }
        }
    }

    private func putLink(_ place: Place, in folder: Folder, _ facts: File.Facts) throws(DiskError) {
        let depth = place.album.depth
        guard isAllowed, !isInOrder(place.name, in: folder, depth: depth),
            let day = recognition.look(at: place.name, in: folder, depth: depth, kind: .link).day,
            let bytes = folder.targetBytes(of: place.name), let file = try file(for: Target(bytes), of: day)
        else { return }
        let target = Target.own(file, of: day, in: depth)
        if Array(target.utf8) != bytes { try replace(place.name, in: folder, facts.identity, byLinkTo: target) }
    }

    /// The file that a link names, if the day has it; otherwise the one to look at. nil while there is none.
    private func file(for target: Target, of day: Day) throws(DiskError) -> String? {
        guard let entry = (try? catalog.standing(of: day))?.entry else { return nil }
        if case .file = target.tail, let name = Name(target.name), let text = name.text,
            try Tree.existingFolder(of: day, in: tree.root)?.facts(of: name)?.isRegular == true
        {
            return text
        }
        return entry.main
    }

    private func putFile(
        _ place: Place, in folder: Folder, _ facts: File.Facts, _ order: inout Order, at moment: Int
    ) throws(DiskError) {
        if Recognition.isTemporary(place.name) { return }
        let depth = place.album.depth
        var file = try recognition.original(under: facts)
        if file == nil, recognition.look(at: place.name, in: folder, depth: depth, kind: .regular) == .sameSize {
            file = try recognition.original(of: place.name, in: folder)
            order.recognised.append((place, file.map { .day($0.day) } ?? Recognition.foreign, facts.identity))
            if let file { try putBack(file, from: place.name, in: folder) }
            if file != nil, 0..<Self.rest ~= moment - facts.changed {
                order.later.insert(place)
                return
            }
        }
        guard let file, isAllowed else { return }
        try replace(place.name, in: folder, facts.identity, byLinkTo: Target.own(file.name, of: file.day, in: depth))
    }

    /// Where a picture was moved away, its place in the tree gets it again.
    private func putBack(_ file: TreeFile, from name: Name, in folder: Folder) throws(DiskError) {
        let month = try tree.folder(of: file.day)
        guard try month.facts(of: file.name) == nil, let moved = try folder.file(name) else { return }
        let copy = try tree.unfinished.makeFile("back \(file.name)")
        try copy.append(moved)
        guard try Digest(of: copy) == file.sha256 else { return try tree.unfinished.remove("back \(file.name)") }
        let bytes = try copy.facts().bytes
        try Staged(copy, in: tree.unfinished, as: "back \(file.name)", bytes: bytes, modified: file.day.noon)
            .publish(in: month, as: file.name)
        try month.sync()
    }

    /// Puts a link in a thing's place at once, if that is still what was looked at.
    private func replace(
        _ name: Name, in folder: Folder, _ identity: File.Identity, byLinkTo target: String
    ) throws(DiskError) {
        let temporary = "link to \(target.split(separator: "/").last ?? "")"
        try tree.unfinished.remove(temporary)
        try tree.unfinished.makeLink(temporary, to: target)
        do throws(DiskError) {
            try tree.unfinished.exchange(temporary, with: folder, name)
            if try tree.unfinished.facts(of: temporary)?.identity != identity {
                // Somebody was quicker: what was not looked at goes back.
                try tree.unfinished.exchange(temporary, with: folder, name)
            }
            try tree.unfinished.remove(temporary)
        } catch {
            // What the link was exchanged with must not be lost here.
            guard tree.unfinished.target(of: temporary) == target else { throw error }
            defer { try? tree.unfinished.remove(temporary) }
            // NFS and sshfs cannot exchange, but look again and replace.
            guard error.isUnsupported, try folder.facts(of: name)?.identity == identity else { throw error }
            try tree.unfinished.rename(temporary, to: folder, as: name)
        }
    }
}
