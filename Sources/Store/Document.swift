package import Apod
package import Files
import Glibc

/// Parses the upstream record in the JSON of this name.
package typealias RecordReader = @Sendable (JSONText, FileName) -> Picture?

/// The JSON file beside a picture, for anybody who can read the tree. A rewrite changes its part `mirror` and carries the
/// rest along unparsed.
package struct Document: Sendable {
    package private(set) var name: FileName
    /// The file as it was read.
    private(set) var bytes: [UInt8]
    /// All but `mirror` and `upstream`, in their order.
    private var members: [(name: String, value: JSON)]
    /// The files that should be in the tree; of a former version, those of its time.
    package internal(set) var files: [StoredFile]
    /// The upstream record, as it came.
    package private(set) var record: JSONText
    package var mirror: MirrorPart

    /// Returns nil if the file is not one of the mirror's. `file`: its name, if it has another one.
    package init?(_ name: FileName, in folder: Folder, as file: String? = nil) throws {
        let file = file ?? name.with(FileName.json)
        guard let facts = try folder.facts(of: file), facts.isRegular, facts.bytes <= JSONText.longestDocument,
            let bytes = try folder.file(file)?.contents(atMost: JSONText.longestDocument)
        else { return nil }
        self.init(bytes, name: name)
    }

    init?(_ bytes: [UInt8], name: FileName) {
        guard let text = try? JSONText(bytes), let all = text.orderedMembers,
            let record = all.last(where: { $0.name == "upstream" })?.value,
            let part = all.last(where: { $0.name == "mirror" })?.value.orderedMembers,
            let files = part.last(where: { $0.name == Self.files })?.value.elements,
            let mirror = MirrorPart(part, besides: Self.files)
        else { return nil }
        let stored = files.compactMap { StoredFile($0, named: name) }
        guard stored.count == files.count, Set(stored.map(\.role)).count == stored.count else { return nil }
        (self.name, self.bytes, self.record) = (name, bytes, record)
        members = all.filter { $0.name != "mirror" && $0.name != "upstream" }.map { ($0.name, .text($0.value)) }
        (self.files, self.mirror) = (stored, mirror)
    }

    private static let files = "files"

    /// A new one: the fields of NASA's old API, then what the mirror knows, then the record as it came. Throws where no
    /// document can hold that.
    package init(
        _ picture: Picture, as name: FileName, files: [StoredFile], _ mirror: MirrorPart
    ) throws(Problem) {
        let item = picture.item
        let (main, image) = (files.main, files.image)
        let thumbnail = files.first { $0.role == .poster } ?? (main?.role == .picture ? nil : image)
        let isCopyrighted = item == nil && picture.copyright != nil ? true : item?.isCopyrighted
        let all: [(String, JSON?)] = [
            ("list", name.list.map { .string("\($0)") }), ("id", item.map { .string($0.id) }),
            ("date", name.key.day.map(JSON.day) ?? item?.date.map(JSON.string)),
            ("title", .string(picture.title)), ("explanation", .string(picture.explanation)),
            ("url", (main?.address ?? image?.address).map { .string("\($0)") }),
            ("hdurl", picture.hdurl(main, mirror.isDowngraded).map { .string("\($0)") }),
            ("media_type", .string(picture.mediaType(main))), ("copyright", picture.copyright.map(JSON.string)),
            ("thumbnail_url", thumbnail.map { .string("\($0.address)") }),
            ("service_version", item == nil ? .string("v1") : nil),
            ("permalink", picture.permalink.map { .string("\($0)") }), ("credit", picture.credit.map(JSON.string)),
            ("licence", item?.licence.map(JSON.string)),
            // Of a day, never false: NASA's records do not say that a picture is nobody's.
            ("copyrighted", isCopyrighted.map(JSON.bool) ?? .null), ("alt", picture.alt.map(JSON.string)),
        ]
        members = all.compactMap { name, value in value.map { (name, $0) } }
        (self.name, bytes, record, self.files, self.mirror) = (name, [], picture.record, files, mirror)
        self = try rewritten()
    }

    /// The same document with what was changed of it, as a file. It is read back, so that none is written that cannot be.
    package func rewritten() throws(Problem) -> Document {
        let mirror = JSON.sparse(mirror.json + [(Self.files, .array(files.map { $0.json(named: name) }))])
        let all = members + [("mirror", mirror), ("upstream", .text(record))]
        let bytes = JSON.object(all).document
        let isTooLong = bytes.count > JSONText.longestDocument
        guard !isTooLong, let document = Document(bytes, name: name) else {
            throw Problem("write", name.path(FileName.json), code: isTooLong ? EFBIG : EINVAL)
        }
        return document
    }
}

extension Document {
    package var title: String { text("title") ?? "" }
    package var explanation: String { text("explanation") ?? "" }
    package var credit: String? { text("credit") ?? text("copyright") }

    package var key: Key { name.key }

    /// Whether it tells of this day, or of an item.
    func isOf(_ key: Key) -> Bool { key.day.map { text("date") == "\($0)" } ?? (text("id") != nil) }

    /// A member of the JSON that is a string.
    package func text(_ name: String) -> String? {
        if case .text(let value) = members.last(where: { $0.name == name })?.value { value.string } else { nil }
    }

    /// The item while its files are here. `picture`: the record, where it could be read.
    func item(_ picture: Picture?) -> Item {
        var item = Item(key, state, failure: mirror.incomplete?.failure)
        if let list = name.key.item, let id = text("id") {
            item.entry = ItemEntry(
                id: id, name: list, place: mirror.place ?? ItemEntry.place(at: mirror.fetched), came: mirror.came)
        }
        item.stored = stored(picture)
        return item
    }

    private var state: Item.State {
        if mirror.incomplete != nil { return .failed }
        if files.isEmpty { return mirror.isPruned ? .pruned : .placeholder }
        return mirror.isDowngraded ? .downgraded : .mirrored
    }

    /// What is stored of it.
    private func stored(_ picture: Picture?) -> Item.Stored {
        Item.Stored(
            name: name, title: title, hasText: !explanation.isEmpty, files: files, mirror: mirror,
            content: picture?.content, lacks: picture.map(lacks) ?? 0,
            isStandIn: !mirror.isPruned && picture?.isStandIn == true, json: Digest(of: bytes),
            jsonBytes: bytes.count)
    }

    /// Gives each file the validators of another.
    package mutating func borrowValidators(from other: (StoredFile) -> StoredFile?) {
        for (index, file) in files.enumerated() { files[index].validators = other(file)?.validators }
    }

    /// How many further pictures the record shows that are not here.
    package func lacks(_ picture: Picture) -> Int {
        mirror.isPruned ? 0 : max(0, picture.further.count - files.count { $0.role.isFurther && !$0.isFormer })
    }

    /// What a correction of texts changes.
    package static let texts = ["title", "explanation", "credit", "copyright", "alt"]

    /// Tells of the media that another document shows.
    mutating func show(_ other: Document) {
        let media = ["url", "hdurl", "media_type", "thumbnail_url"]
        let place = members.firstIndex { media.contains($0.name) } ?? members.count
        let theirs = other.members.filter { media.contains($0.name) }
        members = members[..<place] + theirs + members[place...].filter { !media.contains($0.name) }
    }

    /// NASA's page of the day, or an item's own; nil only for an item without one.
    package var permalink: String? {
        let known = text("permalink").flatMap { WebAddress($0)?.description }
        return known ?? name.key.day.map { "https://apod.nasa.gov/apod/ap\($0.compact).html" }
    }

    /// The picture, the video or the page that opens it; the poster if there is nothing else.
    package var view: StoredFile? { files.main ?? files.first }

    /// Whether the file is in the tree with its size. Anything else is not shown as the day's.
    package func has(_ file: StoredFile, in root: String) -> Bool {
        guard let folder = try? Tree.existingFolder(key.folder, in: Folder.open(root)) else { return false }
        return (try? folder.has(file, as: name)) ?? false
    }

    package static func of(_ key: Key, root: String) throws -> Document? {
        guard let folder = try Tree.existingFolder(key.folder, in: Folder.open(root)) else { return nil }
        for name in try Tree.days(in: folder, key.folder) where name.key == key {
            if let document = try Document(name, in: folder) { return document }
        }
        return nil
    }

    /// nil also if the day's JSON cannot be read now.
    package static func of(_ name: FileName, in root: Folder) throws -> Document? {
        try ifReadable {
            guard let folder = try Tree.existingFolder(name.folder, in: root) else { return nil }
            return try Document(name, in: folder)
        }
    }

    /// nil also for a JSON that cannot be read now: like a damaged one, it must stop neither its repair nor other days.
    static func ifReadable<Value>(_ read: () throws -> Value?) throws -> Value? {
        do { return try read() } catch {
            if error.problem.isOfProcess { throw error }
            return nil
        }
    }

    /// The day of the newest picture, to which the `latest` links lead.
    package static func latest(root: String) throws -> Day? {
        let folder = try Folder.open(root)
        return LatestLinks.names.firstValue { LatestLinks.day(of: $0, in: folder) }
    }
}

extension Document {
    /// The digest by which `revert` sets the texts aside: the record's or, where that cannot be read, the whole file's.
    func digest(by read: RecordReader) -> Digest { read(record, name)?.content ?? Digest(of: bytes) }

    /// Whether a person put this document and these files of it aside. `aside`: what is set aside in the document that takes
    /// its place.
    func isSetAside(_ files: [StoredFile], _ digest: Digest, by aside: Set<Digest>) -> Bool {
        aside.contains(digest) || !files.isEmpty && files.allSatisfy { aside.contains($0.sha256) }
    }
}

extension Picture {
    fileprivate func hdurl(_ main: StoredFile?, _ downgraded: Bool) -> WebAddress? {
        guard case .image(let source) = media, let main, main.role == .picture else { return nil }
        return downgraded || !source.addresses.contains(main.address) ? main.address : source.best
    }

    /// The type of what is stored, which can be more than the record names.
    fileprivate func mediaType(_ main: StoredFile?) -> String {
        switch (main?.role, media) {
        case (.video, _), (.page, _), (nil, .video), (nil, .embedded): "video"
        case (.picture, _), (nil, .image): "image"
        case (.poster, _), (.also, _), (nil, .none): "other"
        }
    }
}
