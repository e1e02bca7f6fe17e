internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Finds out what a thing in the favorites folder is. `look` reads no file, `original(of:named:)` whole copies.
struct LinkResolver {
    let root: Folder
    let catalog: Catalog
    let favorites: FavoritesLog
    var clock: @Sendable () -> Int = { time(nil) }

    /// `kind`, `facts`: if they are known already.
    func look(at place: Place, in folder: Folder, kind: File.Kind? = nil, facts: File.Facts? = nil) -> Sighting {
        var sighting = Sighting(place: place, facts: facts)
        do throws(StorageError) {
            sighting.finding = try finding(of: &sighting, in: folder, kind: kind ?? facts?.kind)
            if case .favorite(let subject, nil) = sighting.finding, isToCome(subject.day) {
                sighting.finding = .unrecognised(.toCome)
            }
        } catch {
            sighting.finding = .unknown(error)
        }
        return sighting
    }

    /// Whether the day is after tomorrow in New York: then nobody can ask for it yet. A clock that is behind counts from
    /// the newest day here.
    func isToCome(_ day: Day) -> Bool {
        let tomorrow = NewYork.day(at: clock()).advanced(by: 1)
        guard day > tomorrow else { return false }
        return (try? catalog.newest()).map { day > $0.advanced(by: 1) } ?? true
    }

    private func finding(
        of sighting: inout Sighting, in folder: Folder, kind: File.Kind?
    ) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        if LinkExchange.isTemporary(name) { return .leftover }
        let found: File.Kind? = if let kind { kind } else { try folder.kind(of: name) }
        switch found {
        case nil: return .nothing
        case .link: return try link(&sighting, in: folder)
        case .folder where name.text == Tree.sharedThumbnails: return .nothing
        case .folder: return name.isHidden ? .unrecognised(.hiddenFolder) : .album
        case .regular: return try file(&sighting, in: folder)
        case .other: return .unrecognised(.special)
        }
    }

    private func link(_ sighting: inout Sighting, in folder: Folder) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        guard let bytes = try folder.readTarget(of: name) else { return .nothing }
        if let finding = Self.temporary(name) { return finding }
        let target = LinkTarget(bytes)
        sighting.target = target
        if sighting.isOwn, let subject = target.subject, try isOfTree(subject),
            try root.facts(of: subject.path(of: target.text))?.isRegular == true
        {
            sighting.isTidy = try meant(by: subject, at: sighting.place) == nil
            return .favorite(subject, file: Name(target.name)?.text)
        }
        return try finding(of: target, at: sighting.place)
    }

    /// Judges a link by where it leads inside the mirror, any other link by what it says.
    private func finding(of target: LinkTarget, at place: Place) throws(StorageError) -> Sighting.Finding {
        let (file, last) = try end(of: target, from: place.album)
        return if let file { try finding(ofEnd: file) } else { try finding(ofWords: last, at: place) }
    }

    /// Follows a link, and links that it leads to, without leaving the mirror. Returns the file at the end, if there is
    /// one, and the last link, which otherwise counts by what it says.
    private func end(
        of target: LinkTarget, from album: Album
    ) throws(StorageError) -> (file: File?, last: LinkTarget) {
        var (last, folder) = (target, Array("\(Name.favorites)/".utf8) + album.path)
        for _ in 0..<Self.mostLinks {
            let path: [UInt8]
            if last.isAbsolute {
                guard let inner = last.path(below: root.path) else { return (nil, last) }
                path = inner
            } else {
                path = folder + [UInt8(ascii: "/")] + last.bytes
            }
            guard let file = try root.below(path) else { return (nil, last) }
            if try file.facts().kind != .link { return (file, last) }
            guard let next = file.target else { throw StorageError("read the link", file.path) }
            last = LinkTarget(next)
            folder = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        }
        return (nil, last)
    }

    /// As many as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// The item to which a link led in another mirror, by its id in the history, where it has another name here; nil for
    /// any other link.
    func meant(by subject: Subject, at place: Place) throws(StorageError) -> Subject? {
        guard subject.list != nil,
            let known = favorites.links(at: place).first(where: { $0.link.subject == subject })?.link.subject,
            let here = try catalog.calledHere(known), here != known
        else { return nil }
        return here
    }

    /// Whether the mirror has, or had, such a day or item: the folder of a list may have other files, too.
    private func isOfTree(_ subject: Subject) throws(StorageError) -> Bool {
        if subject.list == nil || favorites.has(subject) { return true }
        return try catalog.status(of: subject) != nil
    }

    /// Judges a link whose end is not here: made on another machine, or for a day still to come. A file name that is
    /// not the day's counts only in a known link, which may have asked for the day.
    private func finding(ofWords target: LinkTarget, at place: Place) throws(StorageError) -> Sighting.Finding {
        switch target.tail {
        case .date(let day): return .favorite(Subject(day), file: nil)
        case .file(let subject):
            let stored = subject.list == nil ? try catalog.status(of: subject)?.stored : nil
            let isOthers =
                if let stored { stored.name.number(inStem: target.stem) == nil } else { try !isOfTree(subject) }
            if isOthers, !favorites.links(at: place).contains(where: { $0.link.subject == subject }) {
                return .unrecognised(.unlike)
            }
            return .favorite(subject, file: try file(Name(target.name), of: subject))
        case .name, .copy, .thumbnail, .other: return .unrecognised(target.saysNoDay ? .noDay : .outside)
        }
    }

    /// Judges a link to a thumbnail or another smaller copy of a picture.
    private func finding(ofGenerated target: LinkTarget) throws(StorageError) -> Sighting.Finding? {
        switch target.tail {
        case .copy(let picture, of: nil): return .favorite(Subject(picture.day), file: nil)
        case .copy(let picture, of: let list):
            return try stored(picture.day, of: list).map { .favorite(Subject($0.name, of: list), file: nil) }
        case .thumbnail(let thumbnail): return try finding(of: thumbnail)
        case .file, .date, .name, .other: return nil
        }
    }

    private func stored(_ day: Day, of list: ListName?) throws(StorageError) -> StoredDay? {
        try catalog.statuses(in: day...day, of: list).first?.whole
    }

    private func finding(of thumbnail: SharedThumbnail) throws(StorageError) -> Sighting.Finding? {
        for stored in try catalog.statuses(in: thumbnail.days, of: thumbnail.list).compactMap(\.stored) {
            let names = stored.files.map(stored.name.with)
            guard let name = names.first(where: thumbnail.isOf) else { continue }
            let subject = Subject(stored.name, of: thumbnail.list)
            if subject.folder == thumbnail.folder { return .favorite(subject, file: try file(Name(name), of: subject)) }
        }
        return nil
    }

    /// Returns the name, if there is a file of this name in the subject's folder.
    private func file(_ name: Name?, of subject: Subject) throws(StorageError) -> String? {
        guard let name,
            try Tree.existingFolder(subject.folder, in: root)?.facts(of: name)?.isRegular == true
        else { return nil }
        return name.text
    }

    /// Judges the end of a link: it counts if it is the same file as one in the tree, whatever path led there.
    private func finding(ofEnd end: File) throws(StorageError) -> Sighting.Finding {
        let facts = try end.facts()
        if facts.isFolder { return .unrecognised(.linkToFolder) }
        if !facts.isRegular { return .unrecognised(.linkToOther) }
        guard let path = end.truePath else { throw StorageError("follow", end.path) }
        let target = LinkTarget(path)
        if case .file(let subject) = target.tail, let name = Name(target.name), try isOfTree(subject),
            try Tree.existingFolder(subject.folder, in: root)?.facts(of: name)?.identity == facts.identity
        {
            return .favorite(subject, file: name.text)
        }
        if let made = target.generated, try root.facts(of: made)?.identity == facts.identity {
            return try finding(ofGenerated: target) ?? .unrecognised(.linkToThumbnail)
        }
        if let file = try original(under: facts) { return .favorite(file.subject, file: file.name) }
        return .unrecognised(.linkToFile)
    }

    private func file(_ sighting: inout Sighting, in folder: Folder) throws(StorageError) -> Sighting.Finding {
        let name = sighting.place.name
        // A month that is copied here brings it along.
        if name.text == HiddenFile.name { return .nothing }
        if let finding = Self.temporary(name) { return finding }
        if sighting.facts == nil { sighting.facts = try folder.facts(of: name) }
        guard let facts = sighting.facts else { return .nothing }
        sighting.original = try original(under: facts)
        if let file = sighting.original { return .favorite(file.subject, file: file.name) }
        return try copied(name, bytes: facts.bytes).isEmpty ? .unrecognised(.file) : .copy
    }

    /// The file of the tree of which this is a hard link.
    func original(under facts: File.Facts) throws(StorageError) -> TreeFile? {
        guard facts.links > 1 else { return nil }
        for file in try catalog.files(ofSize: facts.bytes) {
            let folder = try Tree.existingFolder(file.subject.folder, in: root)
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
    func copied(_ name: Name, bytes: Int) throws(StorageError) -> [Copied] {
        try catalog.files(ofSize: bytes).map { Copied(original: $0) } + smaller(name, bytes: bytes)
    }

    private func smaller(_ name: Name, bytes: Int) throws(StorageError) -> [Copied] {
        guard let day = GallerySize.day(atStartOf: name.bytes) else { return [] }
        let lists: [ListName?] = day.isItem ? Archive.lists(root: root.path) : [nil]
        var found: [Copied] = []
        for list in lists { found += try smaller(day, of: list, bytes: bytes) }
        return found
    }

    private func smaller(_ day: Day, of list: ListName?, bytes: Int) throws(StorageError) -> [Copied] {
        guard let stored = try stored(day, of: list) else { return [] }
        let subject = Subject(stored.name, of: list)
        var found: [Copied] = []
        for image in stored.files.images {
            let paths = GallerySize.paths(of: DayPicture(day, image.role.number), in: list)
            for copy in paths where try root.facts(of: copy)?.bytes == bytes {
                found += try catalog.files(ofSize: image.bytes).filter {
                    $0.subject == subject && $0.sha256 == image.sha256
                }.map { Copied(original: $0, copy: copy) }
            }
        }
        return found
    }

    private func isSame(_ copied: Copied, as digest: Digest) throws(StorageError) -> Bool {
        guard let copy = copied.copy else { return copied.original.sha256 == digest }
        let original = copied.original
        // Only what is not lost with the file that is replaced.
        guard try Tree.existingFolder(original.subject.folder, in: root)?.facts(of: original.name)?.isRegular == true,
            let made = try root.file(copy)
        else { return false }
        return try Digest(of: made, unless: { Task.isCancelled }) == digest
    }

    /// What has the same content. Of several, it is one whose file is missing in the tree, or else the one like which the
    /// name begins.
    func original(of file: File, named name: Name) throws(StorageError) -> Copied? {
        let facts = try file.facts()
        let digest = try Digest(of: file, unless: { Task.isCancelled })
        // Somebody is still writing to it, and an event will follow.
        guard try file.facts().isSame(as: facts) else { return nil }
        var same: [Copied] = []
        for copied in try copied(name, bytes: facts.bytes) where try isSame(copied, as: digest) { same.append(copied) }
        if same.count < 2 { return same.first }
        for copied in same {
            let folder = try Tree.existingFolder(copied.original.subject.folder, in: root)
            if try folder?.facts(of: copied.original.name) == nil { return copied }
        }
        return same.first { name.bytes.starts(with: $0.original.subject.front.utf8) } ?? same.first
    }

    /// What a `LeftoverLink` leads to; nil if it may be the only one of its kind.
    func subject(ofNameless name: Name, in folder: Folder, _ album: Album) throws(StorageError) -> Subject? {
        if let bytes = try folder.readTarget(of: name) {
            let target = LinkTarget(bytes)
            if target.isOwn(in: album.depth) { return target.subject }
            let finding = try finding(of: target, at: Place(name, in: album))
            return if case .favorite(let subject, _) = finding { subject } else { nil }
        }
        return try wholeOriginal(ofCopy: name, in: folder)?.subject
    }

    /// The file of the tree with the same content; nil if it is damaged or missing, so that the copy is the only one.
    func wholeOriginal(ofCopy name: Name, in folder: Folder) throws(StorageError) -> TreeFile? {
        guard let copy = try folder.file(name), let original = try original(of: copy, named: name)?.original,
            let there = try Tree.existingFolder(original.subject.folder, in: root),
            try there.has(original.name, bytes: original.bytes, sha256: original.sha256, unless: { Task.isCancelled })
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
