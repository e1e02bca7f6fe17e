import Apod
package import Files
import Glibc
package import Store

extension FavoritesLog {
    /// The favorites as they are at this moment, with those that the history does not have yet. Nothing is recorded, so it
    /// is also for those who may only read, and where the disk is full. Throws if the folder cannot be read as far as it
    /// is there. Cancelled, it is incomplete.
    package func now(in root: Folder, _ catalog: Catalog) throws -> KnownFavorites {
        try Listing(root: root, catalog: catalog, favorites: self).favoritesNow()
    }
}

/// A look at one place of the favorites folder.
struct Sighting {
    let place: Place
    /// Set for regular files, and for things to put in order; taken before the thing is examined further.
    var facts: File.Facts?
    /// Set for symbolic links.
    var target: LinkTarget?
    /// The file of the tree of which this is a hard link.
    var original: TreeFile?
    /// A link as the mirror makes it, to a file that is there.
    var isTidy = false
    var finding = Finding.nothing

    enum Finding: Equatable {
        /// A link to a file of a day or of an item, or what counts as one; `file` is nil where it only names the key.
        case favorite(Key, file: String?)
        /// A file that may be a copy of a picture: only its content tells.
        case copy
        /// No favorite, and why.
        case unrecognised(UnrecognisedReason)
        case album
        /// A thing with a temporary name of the mirror's own (`LinkExchange`).
        case leftover
        case nothing
        /// The place cannot be examined.
        case unknown(Problem)
    }

    var key: Key? { if case .favorite(let key, _) = finding { key } else { nil } }
    var file: String? { if case .favorite(_, let file) = finding { file } else { nil } }
    var isLink: Bool { target != nil }

    /// What a link says, unless it has the form that the mirror writes.
    var words: String? { isOwn ? nil : target.map { $0.bytes.text } }

    /// A link to a file of the tree, as the mirror makes it.
    var isOwn: Bool { target?.isOwn(in: place.album.depth) ?? false }
}

/// Finds out what is in the favorites folder. `look` reads no file, `original(of:named:)` whole copies.
struct Listing: Sendable {
    let root: Folder
    let catalog: Catalog
    let favorites: FavoritesLog
    var clock: @Sendable () -> Int = { time(nil) }
    var isStopped: @Sendable () -> Bool = { Task.isCancelled }

    /// Looks at everything in the folder and its albums. `top`: the folder, if that is open already. `unread`: called with
    /// the albums that cannot be read; those that are gone are passed over.
    func lookEverywhere(
        in top: Folder? = nil, _ body: (Sighting, Folder) throws -> Void,
        unread: (Album, Problem) -> Void
    ) throws {
        try Album.walk(in: root, top: top, unless: isStopped) { album, folder in
            do { return try look(into: folder.get(), album, body) } catch {
                guard error.problem.isOfSystem else { throw error }
                if !error.problem.isNoAlbum { unread(album, error.problem) }
                return []
            }
        }
    }

    /// Returns the names of the albums in an album.
    private func look(into folder: Folder, _ album: Album, _ body: (Sighting, Folder) throws -> Void) throws -> [Name] {
        var albums: [Name] = []
        let entries = try folder.entries()
        while !isStopped(), let (name, kind) = try entries.next() {
            var sighting = look(at: Place(name, in: album), in: folder, kind: kind)
            if sighting.finding == .album {
                albums.append(name)
                if let why = whyUnread(sighting.place, in: folder) { sighting.finding = .unrecognised(why) }
            }
            try body(sighting, folder)
        }
        return albums
    }

    /// Why an album is not read; nil for other albums.
    private func whyUnread(_ place: Place, in folder: Folder) -> UnrecognisedReason? {
        if place.album.inner(place.name).depth > Album.deepest { return .tooDeep }
        do { _ = try folder.folderOnSameMount(place.name) } catch {
            if error.problem.isOtherMount { return .mounted }
        }
        return nil
    }

    /// What `FavoritesLog.now` says; or without the copies and second names that the history does not have.
    func favoritesNow(withCopies: Bool = true) throws -> KnownFavorites {
        var (state, known, failure) = (FolderState(), favorites.known, Problem?.none)
        let moment = FolderState.Clocks(instant: .now, seconds: clock())
        try lookEverywhere { sighting, folder in
            let links = known.links(at: sighting.place)
            var sighting = sighting
            if !withCopies, !sighting.isLink { return }
            if sighting.finding == .copy, links.allSatisfy(\.isLink), let file = try folder.file(sighting.place.name),
                let original = try original(of: file, named: sighting.place.name)?.original
            {
                sighting.finding = .favorite(original.key, file: original.name)
            }
            for case .record(let line, _) in state.step(sighting, links, isHinted: false, at: moment) {
                known.enter(line)
            }
        } unread: { _, error in
            if !error.isAboutPlace { failure = failure ?? error }
        }
        if let failure { throw failure }
        return known
    }

    /// `kind`, `facts`: if they are known already.
    func look(at place: Place, in folder: Folder, kind: File.Kind? = nil, facts: File.Facts? = nil) -> Sighting {
        var sighting = Sighting(place: place, facts: facts)
        do {
            sighting.finding = try finding(of: &sighting, in: folder, kind: kind ?? facts?.kind)
            if case .favorite(let key, nil) = sighting.finding, isToCome(key) {
                sighting.finding = .unrecognised(.toCome)
            }
        } catch {
            sighting.finding = .unknown(error.problem)
        }
        return sighting
    }

    /// Whether the day is after tomorrow in New York: then nobody can ask for it yet. A clock that is behind counts from
    /// the newest day here.
    func isToCome(_ key: Key) -> Bool {
        guard let day = key.day, day > NewYork.day(at: clock()).advanced(by: 1) else { return false }
        return (try? catalog.newest()).map { day > $0.advanced(by: 1) } ?? true
    }

    private func finding(of sighting: inout Sighting, in folder: Folder, kind: File.Kind?) throws -> Sighting.Finding {
        let name = sighting.place.name
        if LinkExchange.isTemporary(name) { return .leftover }
        // Most things are links: one question to the disk is enough for them.
        if kind == nil || kind == .link, let bytes = try folder.readTarget(of: name) {
            return try link(LinkTarget(bytes), &sighting)
        }
        let found: File.Kind? = if let kind { kind } else { try folder.kind(of: name) }
        switch found {
        case nil, .link: return .nothing
        case .folder where name.text == Tree.sharedThumbnails: return .nothing
        case .folder: return name.isHidden ? .unrecognised(.hiddenFolder) : .album
        case .regular: return try file(&sighting, in: folder)
        case .other: return .unrecognised(.special)
        }
    }

    private func link(_ target: LinkTarget, _ sighting: inout Sighting) throws -> Sighting.Finding {
        if let finding = Self.temporary(sighting.place.name) { return finding }
        sighting.target = target
        if sighting.isOwn, let key = target.key, try isOfTree(key),
            try root.facts(of: key.path(of: target.text))?.isRegular == true
        {
            sighting.isTidy = try meant(by: key, at: sighting.place) == nil
            return .favorite(key, file: Name(target.name)?.text)
        }
        return try finding(of: target, at: sighting.place)
    }

    /// Judges a link by where it leads inside the mirror, any other link by what it says.
    private func finding(of target: LinkTarget, at place: Place) throws -> Sighting.Finding {
        let (file, last) = try end(of: target, from: place.album)
        return if let file { try finding(ofEnd: file) } else { try finding(ofWords: last, at: place) }
    }

    /// Follows a link, and links that it leads to, without leaving the mirror. Returns the file at the end, if there is
    /// one, and the last link, which otherwise counts by what it says.
    private func end(of target: LinkTarget, from album: Album) throws -> (file: File?, last: LinkTarget) {
        var (last, folder) = (target, "\(Name.favorites)/".bytes + album.path)
        for _ in 0..<Self.mostLinks {
            let path: [UInt8]
            if last.isAbsolute {
                guard let inner = last.path(below: root.path) else { return (nil, last) }
                path = inner
            } else {
                path = folder + ["/"] + last.bytes
            }
            guard let file = try root.below(path) else { return (nil, last) }
            if try file.facts().kind != .link { return (file, last) }
            guard let next = file.target else { throw Problem("read the link", file.path) }
            last = LinkTarget(next)
            folder = Array(path[..<(path.lastIndex(of: "/") ?? 0)])
        }
        return (nil, last)
    }

    /// As many as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// The item to which a link led in another mirror, by its id in the history, where it has another name here; nil for
    /// any other link.
    func meant(by key: Key, at place: Place) throws -> Key? {
        guard key.list != nil,
            favorites.links(at: place).contains(where: { $0.link.key == key })
        else { return nil }
        return try catalog.calledHere(key, id: favorites.id(of: key))
    }

    /// Whether the mirror has, or had, such a day or item: the folder of a list may have other files, too.
    private func isOfTree(_ key: Key) throws -> Bool {
        if key.list == nil || favorites.has(key) { return true }
        return try catalog.item(of: key)?.state != nil
    }

    /// Judges a link whose end is not here: made on another machine, or for a day still to come. A file name that is
    /// not the day's counts only in a known link, which may have asked for the day.
    private func finding(ofWords target: LinkTarget, at place: Place) throws -> Sighting.Finding {
        switch target.tail {
        case .date(let day): return .favorite(.day(day), file: nil)
        case .file(let key):
            // The favorites of a list end with it.
            if let list = key.list, try Tree.hasEnded(list, in: root) { return .unrecognised(.unlike) }
            let stored = key.list == nil ? try catalog.item(of: key)?.stored : nil
            let isOthers =
                if let stored { stored.name.number(inStem: target.stem) == nil } else { try !isOfTree(key) }
            if isOthers, !favorites.links(at: place).contains(where: { $0.link.key == key }) {
                return .unrecognised(.unlike)
            }
            let name = Name(target.name)
            let folder = try Tree.existingFolder(key.folder, in: root)
            let isHere = try name.flatMap { name in try folder?.facts(of: name) }?.isRegular
            return .favorite(key, file: isHere == true ? name?.text : nil)
        case .name, .copy, .other: return .unrecognised(target.saysNoDay ? .noDay : .outside)
        }
    }

    private func stored(marked mark: String) throws -> Item.Stored? {
        try catalog.key(marked: mark).flatMap { try catalog.item(of: $0)?.whole }
    }

    /// Judges the end of a link: it counts if it is the same file as one in the tree, whatever path led there.
    private func finding(ofEnd end: File) throws -> Sighting.Finding {
        let facts = try end.facts()
        if facts.isFolder { return .unrecognised(.linkToFolder) }
        if !facts.isRegular { return .unrecognised(.linkToOther) }
        guard let path = end.truePath else { throw Problem("follow", end.path) }
        let target = LinkTarget(path)
        if case .file(let key) = target.tail, let name = Name(target.name), try isOfTree(key),
            try Tree.existingFolder(key.folder, in: root)?.facts(of: name)?.identity == facts.identity
        {
            return .favorite(key, file: name.text)
        }
        // A smaller copy of a picture.
        if case .copy(let mark, _, _) = target.tail, let made = target.generated,
            try root.facts(of: made)?.identity == facts.identity
        {
            let key = try Day(mark).map(Key.day) ?? stored(marked: mark)?.name.key
            if let key { return .favorite(key, file: nil) }
        }
        if let file = try original(under: facts) { return .favorite(file.key, file: file.name) }
        return .unrecognised(.linkToFile)
    }

    private func file(_ sighting: inout Sighting, in folder: Folder) throws -> Sighting.Finding {
        let name = sighting.place.name
        // A month that is copied here brings it along.
        if name.text == HiddenFile.name { return .nothing }
        if let finding = Self.temporary(name) { return finding }
        if sighting.facts == nil { sighting.facts = try folder.facts(of: name) }
        guard let facts = sighting.facts else { return .nothing }
        sighting.original = try original(under: facts)
        if let file = sighting.original { return .favorite(file.key, file: file.name) }
        return try copied(name, bytes: facts.bytes).isEmpty ? .unrecognised(.file) : .copy
    }

    /// The file of the tree of which this is a hard link.
    func original(under facts: File.Facts) throws -> TreeFile? {
        guard facts.links > 1 else { return nil }
        for file in try catalog.files(ofSize: facts.bytes) {
            let folder = try Tree.existingFolder(file.key.folder, in: root)
            if try folder?.facts(of: file.name)?.identity == facts.identity { return file }
        }
        return nil
    }

    /// What a file may be a copy of.
    struct Copied: Equatable {
        let original: TreeFile
        /// The path of the smaller copy, below the root, where it is one, as a browser saves it from the gallery.
        var copy: String?
    }

    /// What a file may be a copy of, by its size. A smaller copy has a name that begins with its day's or item's key.
    func copied(_ name: Name, bytes: Int) throws -> [Copied] {
        try catalog.files(ofSize: bytes).map { Copied(original: $0) } + smaller(name, bytes: bytes)
    }

    private func smaller(_ name: Name, bytes: Int) throws -> [Copied] {
        guard let mark = GallerySize.mark(atStartOf: name.bytes), let stored = try stored(marked: mark) else {
            return []
        }
        var found: [Copied] = []
        for image in stored.files.images {
            let original = TreeFile(image, of: stored.name)
            let paths = GallerySize.paths(of: PictureKey(stored.name.key, image.role.number))
            for copy in paths where try root.facts(of: copy)?.bytes == bytes {
                found.append(Copied(original: original, copy: copy))
            }
        }
        return found
    }

    private func isSame(_ copied: Copied, as digest: Digest) throws -> Bool {
        guard let copy = copied.copy else { return copied.original.sha256 == digest }
        let original = copied.original
        // Only what is not lost with the file that is replaced.
        guard try Tree.existingFolder(original.key.folder, in: root)?.facts(of: original.name)?.isRegular == true,
            let made = try root.file(copy)
        else { return false }
        return try Digest(of: made, unless: isStopped) == digest
    }

    /// What has the same content. Of several, it is one whose file is missing in the tree, or else the one like which the
    /// name begins.
    func original(of file: File, named name: Name) throws -> Copied? {
        let facts = try file.facts()
        let digest = try Digest(of: file, unless: isStopped)
        // Somebody is still writing to it, and an event will follow.
        guard try file.facts().isSame(as: facts) else { return nil }
        var same: [Copied] = []
        for copied in try copied(name, bytes: facts.bytes) where try isSame(copied, as: digest) { same.append(copied) }
        if same.count < 2 { return same.first }
        for copied in same {
            let folder = try Tree.existingFolder(copied.original.key.folder, in: root)
            if try folder?.facts(of: copied.original.name) == nil { return copied }
        }
        return same.first { name.bytes.starts(with: $0.original.key.front.utf8) } ?? same.first
    }

    /// What a thing that a kill left leads to; nil if it may be the only one of its kind.
    func key(ofNameless name: Name, in folder: Folder, _ album: Album) throws -> Key? {
        if let bytes = try folder.readTarget(of: name) {
            let target = LinkTarget(bytes)
            if target.isOwn(in: album.depth) { return target.key }
            let finding = try finding(of: target, at: Place(name, in: album))
            return if case .favorite(let key, _) = finding { key } else { nil }
        }
        return try wholeOriginal(ofCopy: name, in: folder)?.key
    }

    /// The file of the tree with the same content; nil if it is damaged or missing, so that the copy is the only one.
    func wholeOriginal(ofCopy name: Name, in folder: Folder) throws -> TreeFile? {
        guard let copy = try folder.file(name), let original = try original(of: copy, named: name)?.original,
            let there = try Tree.existingFolder(original.key.folder, in: root),
            try there.has(original.name, bytes: original.bytes, sha256: original.sha256, unless: isStopped)
        else { return nil }
        return original
    }

    /// The finding for a name that programs give to unfinished files; nil for other names.
    private static func temporary(_ name: Name) -> Sighting.Finding? {
        if name.isHidden { return .unrecognised(.hidden) }
        return ["~", ".part", ".swp", ".tmp", ".crdownload"].contains(where: name.hasSuffix)
            ? .unrecognised(.temporary) : nil
    }
}
