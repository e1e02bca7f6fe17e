internal import Apod
internal import Archive
internal import Catalog
internal import Files
internal import Watching

/// Finds out what something in the favorites folder is. Reads no file but small ones that stand for links.
struct LinkResolver {
    let root: Folder
    let catalog: Catalog
    let follower: LinkFollower
    let isStopped: @Sendable () -> Bool

    init(
        root: Folder, catalog: Catalog, follower: LinkFollower? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.root = root
        self.catalog = catalog
        self.follower = follower ?? LinkFollower(root: root)
        self.isStopped = isStopped
    }

    /// `kind`, `facts`: of it, if they are known.
    func look(at place: Place, in folder: Folder, kind: File.Kind? = nil, facts: File.Facts? = nil) -> Sighting {
        var sighting = Sighting(place: place, facts: facts)
        do throws(StorageError) {
            sighting.finding = try finding(of: &sighting, in: folder, kind: kind ?? facts?.kind)
        } catch {
            sighting.finding = .unknown(error)
        }
        return sighting
    }

    private func finding(
        of sighting: inout Sighting, in folder: Folder, kind: File.Kind?
    ) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        if Replacement.isTemporary(name) { return .nothing }
        let found: File.Kind? = if let kind { kind } else { try folder.kind(of: name) }
        switch found {
        case nil: return .nothing
        case .link: return try link(&sighting, in: folder)
        case .folder where name.text == Tree.sharedThumbnails: return .nothing
        case .folder: return name.isHidden ? .meaning(.unrecognised("a hidden folder")) : .album
        case .regular: return try file(&sighting, in: folder)
        case .other: return .meaning(.unrecognised("neither a file nor a link"))
        }
    }

    private func link(_ sighting: inout Sighting, in folder: Folder) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        guard let bytes = try folder.readTarget(of: name) else { return .nothing }
        if Self.isTemporary(name) { return Self.temporary(name) }
        let target = LinkTarget(bytes)
        sighting.target = target
        if sighting.isOwn, case .file(let day) = target.tail {
            return .meaning(.day(day, file: Name(target.name)?.text, isLink: true))
        }
        return .meaning(try meaning(of: target, at: name, in: folder, &sighting, isLink: true).asLink)
    }

    /// `sighting`: of what leads there. `isLink`: it is no file that stands for a link, and may ask for a day by where it would
    /// lead.
    private func meaning(
        of target: LinkTarget, at path: some Naming, in folder: Folder, _ sighting: inout Sighting, isLink: Bool = false
    ) throws(StorageError) -> Meaning {
        do throws(StorageError) {
            let end = try follower.end(of: path, to: target.bytes, in: folder)
            let meaning = try meaning(ofEnd: end)
            if target.mayNameDay, Self.elsewhere.contains(meaning), try !isFormer(end, target, at: sighting.place) {
                sighting.elsewhere = try news(target.memory(at: sighting.place))
            }
            return meaning
        } catch {
            guard error.isDeadEnd || error.isAway else { throw error }
            if let own = try somebodys(target, in: folder, &sighting, after: error) {
                return error.isAway ? Self.waiting : own
            }
            guard error.isDeadEnd else { throw error }
            let wish = isLink ? target.wish(from: sighting.place.album, in: root.path) : nil
            return try dangling(target) ?? wish.map { .day($0) }
                ?? .unrecognised(target.whyNoDay ?? "a link that leads nowhere, and names no day")
        }
    }

    /// What a link is that leads nowhere now, if it may be somebody's own; nil if it counts for what it says.
    ///
    /// It counts if it speaks of this mirror, or is known as a day's. Any other must be called as the day's picture is, and
    /// nothing like it may ever have led out of the mirror, as far as all of that is remembered.
    private func somebodys(
        _ target: LinkTarget, in folder: Folder, _ sighting: inout Sighting, after error: StorageError
    ) throws(StorageError) -> Meaning? {
        guard target.mayNameDay else { return nil }
        let place = sighting.place
        let isKnown = try catalog.meaning(of: place)?.day != nil
        // What a relative link says leads to other things from other places.
        if isKnown, !target.isAbsolute { return nil }
        if try !neighbourNamesDay(target, at: place, in: folder) { return Self.outside }
        let memory = target.memory(at: place)
        if try catalog.ledElsewhere(memory) { return Self.outside }
        let claim = try target.claim(at: place, in: root.path, isRoot: catalog.isRoot)
        sighting.isGuess = claim == .unknown
        if claim == .here || isKnown { return nil }
        if claim == .beside { return Self.outside }
        // A disk that does not answer is here, and no other machine's.
        let isUnsure = if error.isAway { true } else { try catalog.isForgetful }
        if isUnsure {
            sighting.elsewhere = memory
            return Self.outside
        }
        guard let day = target.day, let stored = (try? catalog.status(of: day))?.stored, !target.mayMean(stored.name)
        else { return nil }
        return error.isRefusal ? Self.closed : Self.unlike
    }

    /// A link that says no more than the name of another one beside it means what that one does.
    private func neighbourNamesDay(_ target: LinkTarget, at place: Place, in folder: Folder) throws(StorageError)
        -> Bool
    {
        var (target, name) = (target, place.name)
        for _ in 0..<8 {
            guard let next = target.neighbour, next != name, let bytes = try folder.readTarget(of: next) else {
                if name == place.name { return true }
                var sighting = Sighting(place: Place(name, in: place.album))
                return try meaning(of: target, at: name, in: folder, &sighting, isLink: true).day != nil
            }
            (target, name) = (LinkTarget(bytes), next)
        }
        return false
    }

    /// Only what is not remembered yet.
    private func news(_ memory: [UInt8]) throws(StorageError) -> [UInt8]? {
        try catalog.ledElsewhere(memory) ? nil : memory
    }

    /// Whether a link leads to a day's file in a folder that the mirror was moved from: when that is gone, it counts for what
    /// it says.
    private func isFormer(_ end: LinkEnd, _ target: LinkTarget, at place: Place) throws(StorageError) -> Bool {
        guard case .file(let day) = target.tail,
            try target.claim(at: place, in: root.path, isRoot: catalog.isRoot) == .here,
            let stored = (try? catalog.status(of: day))?.stored, target.stem == stored.name.stem
        else { return false }
        return (stored.files.map(\.bytes) + [stored.jsonBytes]).contains(end.facts.bytes)
    }

    /// A link whose end is not here: made on another machine, or for a day that is still to come.
    private func dangling(_ target: LinkTarget) throws(StorageError) -> Meaning? {
        switch target.tail {
        case .date(let day): return .day(day)
        case .file(let day): return .day(day, file: try file(Name(target.name), of: day))
        case .name(let day): return try file(Name(target.name), of: day).map { .day(day, file: $0) }
        case .copy(let day): return .day(day)
        case .thumbnail(let thumbnail): return try meaning(of: thumbnail)
        case .other: return nil
        }
    }

    /// Its file may have been deleted: the catalog knows it still.
    private func meaning(of thumbnail: SharedThumbnail) throws(StorageError) -> Meaning? {
        let month = thumbnail.month.advanced(by: -27)...thumbnail.month.advanced(by: 3)
        for stored in (try? catalog.statuses(in: month))?.compactMap(\.stored) ?? [] {
            let names = stored.files.map { stored.name.with($0.type.suffix) }
            guard let name = names.first(where: thumbnail.isOf) else { continue }
            return .day(stored.name.day, file: try file(Name(name), of: stored.name.day))
        }
        return nil
    }

    /// The file of the day that has this name here.
    private func file(_ name: Name?, of day: Day) throws(StorageError) -> String? {
        guard let name,
            try Tree.existingFolder(of: day, in: root)?.facts(of: name)?.isRegular == true
        else { return nil }
        return name.text
    }

    /// Whatever path led there: it is the mirror's if it is the same file as one in the tree.
    private func meaning(ofEnd end: LinkEnd) throws(StorageError) -> Meaning {
        let facts = end.facts
        if facts.isFolder { return Self.toFolder }
        guard facts.isRegular, let path = end.path else { return Self.toNoFile }
        let target = LinkTarget(path)
        if case .file(let day) = target.tail, let name = Name(target.name),
            try Tree.existingFolder(of: day, in: root)?.facts(of: name)?.identity == facts.identity
        {
            return .day(day, file: name.text)
        }
        if let made = target.generated, try root.facts(of: made)?.identity == facts.identity {
            return try dangling(target) ?? .unrecognised("a thumbnail of a file that is not the mirror's")
        }
        if let meaning = try meaning(ofThumbnailAt: path, facts) { return meaning }
        if let file = try original(under: facts) { return .day(file.day, file: file.name) }
        return Self.outside
    }

    /// What the link means of which a file manager's thumbnail in the favorites folder is.
    private func meaning(ofThumbnailAt path: [UInt8], _ facts: File.Facts) throws(StorageError) -> Meaning? {
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard let repository = parts.indices.dropLast(2).last,
            parts[repository].elementsEqual(Tree.sharedThumbnails.utf8), let size = Name(parts[repository + 1]),
            let name = Name(parts[repository + 2])
        else { return nil }
        for index in parts.indices where index < repository && parts[index].elementsEqual(Tree.favorites.utf8) {
            guard let album = Album(Array(parts[(index + 1)..<repository].joined(separator: [UInt8(ascii: "/")]))),
                let folder = try root.favorites(album)?.folder(Tree.sharedThumbnails)?.folder(size),
                try folder.facts(of: name)?.identity == facts.identity
            else { continue }
            let links = (try? catalog.meanings(in: album)) ?? [:]
            return links.first { link, meaning in
                meaning.day != nil
                    && SharedThumbnail.digests(of: link.bytes).contains { "\($0).png" == name.text }
            }?.value
        }
        return nil
    }

    private func file(_ sighting: inout Sighting, in folder: Folder) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        // It comes along with a month, and tells file managers what not to show.
        if name.text == HiddenFile.name { return .nothing }
        if Self.isTemporary(name) { return Self.temporary(name) }
        if sighting.facts == nil { sighting.facts = try folder.facts(of: name) }
        guard let facts = sighting.facts else { return .nothing }
        if try isInTree(name, folder) { return .meaning(Self.treesOwn) }
        sighting.original = try original(under: facts)
        if let file = sighting.original { return .meaning(.day(file.day, file: file.name)) }
        if name.bytes.suffix(8).elementsEqual(DesktopFile.suffix), facts.bytes <= DesktopFile.longest {
            return .meaning(try desktopFile(name, in: folder, &sighting))
        }
        return .file(mayBeCopy: !files(ofSize: facts.bytes).isEmpty)
    }

    /// Whether the folder is a month of the tree itself, mounted among the favorites: a link must not take the place of what
    /// it is to lead to.
    private func isInTree(_ name: Name, _ folder: Folder) throws(StorageError) -> Bool {
        guard let day = LinkTarget(Array(name.bytes)).day, let month = try Tree.existingFolder(of: day, in: root) else {
            return false
        }
        return try month.identity() == folder.identity()
    }

    private func desktopFile(
        _ name: Name, in folder: Folder, _ sighting: inout Sighting
    ) throws(StorageError) -> Meaning {
        guard let bytes = try folder.file(name)?.contents(atMost: DesktopFile.longest), let file = DesktopFile(bytes)
        else {
            return .unrecognised("not a link to a file")
        }
        let path = String(decoding: file.path, as: UTF8.self)
        return try meaning(of: LinkTarget(file.path), at: path, in: folder, &sighting)
    }

    /// The file of the tree that this is under another name.
    func original(under facts: File.Facts) throws(StorageError) -> TreeFile? {
        guard facts.links > 1 else { return nil }
        for file in files(ofSize: facts.bytes) {
            let month = try Tree.existingFolder(of: file.day, in: root)
            if try month?.facts(of: file.name)?.identity == facts.identity { return file }
        }
        return nil
    }

    /// The file of the tree that another has the content of. Where several have it, it is the one that is missing in
    /// the tree, or the one whose day the name begins with.
    func original(of file: File, named name: Name) throws(StorageError) -> TreeFile? {
        let facts = try file.facts()
        let digest = try Digest(of: file, unless: isStopped)
        // Somebody writes to it still, and there will be word of that.
        guard try file.facts().isSame(as: facts) else { return nil }
        let same = files(ofSize: facts.bytes).filter { $0.sha256 == digest }
        if same.count < 2 { return same.first }
        for file in same where try Tree.existingFolder(of: file.day, in: root)?.facts(of: file.name) == nil {
            return file
        }
        return same.first { name.bytes.starts(with: "\($0.day)".utf8) } ?? same.first
    }

    /// The day of what a kill left without its name; nil if it may be the only one of its kind.
    func day(ofNameless name: Name, in folder: Folder, _ album: Album) throws(StorageError) -> Day? {
        if let bytes = try folder.readTarget(of: name) {
            let target = LinkTarget(bytes)
            var sighting = Sighting(place: Place(name, in: album))
            if target.isOwn(in: album.depth) { return target.day }
            return try meaning(of: target, at: name, in: folder, &sighting).day
        }
        guard let file = try folder.file(name), let original = try original(of: file, named: name) else { return nil }
        return try isWhole(original) ? original.day : nil
    }

    /// Whether the tree has it to the last byte, so that a copy of it is not the only one.
    func isWhole(_ original: TreeFile) throws(StorageError) -> Bool {
        guard let file = try Tree.existingFolder(of: original.day, in: root)?.file(original.name) else { return false }
        return try Digest(of: file, unless: isStopped) == original.sha256
    }

    func files(ofSize bytes: Int) -> [TreeFile] { (try? catalog.files(ofSize: bytes)) ?? [] }

    static let undecided = Meaning.unrecognised("still to be compared with the mirror's pictures")
    static let waiting = Meaning.unrecognised("its disk does not answer; it is looked at again when that does")
    static let treesOwn = Meaning.unrecognised("the mirror's own: its folder is mounted here")
    static let outside = Meaning.unrecognised("a link out of the mirror")
    private static let toFolder = Meaning.unrecognised("a link to a folder")
    private static let toNoFile = Meaning.unrecognised("a link to something that is no file")
    private static let closed = Meaning.unrecognised(
        "a link to where the service may not look, and no picture is called so")
    private static let unlike = Meaning.unrecognised("a link that leads nowhere, and no picture is called so")
    private static let elsewhere = [outside, toFolder, toNoFile]
    static let foreign = Meaning.unrecognised("not one of the mirror's pictures")

    private static func temporary(_ name: Name) -> Sighting.Finding {
        .meaning(.unrecognised(name.isHidden ? "hidden" : "a temporary file"))
    }

    /// What programs put down on their way to something else.
    static func isTemporary(_ name: Name) -> Bool {
        name.isHidden || name.bytes.last == UInt8(ascii: "~")
            || [".part", ".swp", ".tmp", ".crdownload"].contains {
                name.bytes.suffix($0.utf8.count).elementsEqual($0.utf8)
            }
    }
}
