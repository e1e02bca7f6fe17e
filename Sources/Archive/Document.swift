package import Apod
import Catalog
package import Files

/// Parses the upstream record in the JSON of this name.
package typealias RecordReader = @Sendable (JSONText, FileName) -> Picture?

/// The JSON file beside a picture, for anybody who can read the tree. A rewrite changes its part `mirror` and carries the
/// rest along unparsed.
package struct Document: Sendable {
    package let name: FileName
    /// The file as it was read.
    let bytes: [UInt8]
    /// All but `mirror` and `upstream`, in their order.
    private var members: [(name: String, value: JSONText)]
    /// The files that should be in the tree; of a former version, those of its time.
    package internal(set) var files: [StoredFile]
    /// The upstream record, as it came.
    package let record: JSONText
    let fetched: Int
    let downgraded: Bool
    /// Whether `keep` or `max-total` deleted its files.
    package internal(set) var isPruned: Bool
    var incomplete: Incomplete?
    /// The files and records that a person does not want (`revert`).
    var setAside: Set<Digest>
    /// Only of a former version.
    var version: Version.Mark?

    /// In bytes. The upstream's answers are at most half as long.
    static let longest = 64 << 20

    /// Returns nil if the file is not one of the mirror's. `file`: its name, if it has another one.
    package init?(_ name: FileName, in folder: Folder, as file: String? = nil) throws {
        let file = file ?? name.with(Metadata.suffix)
        guard let facts = try folder.facts(of: file), facts.isRegular, facts.bytes <= Self.longest,
            let bytes = try folder.file(file)?.contents(atMost: Self.longest)
        else { return nil }
        self.init(bytes, name: name)
    }

    init?(_ bytes: [UInt8], name: FileName) {
        guard let text = try? JSONText(bytes), let all = text.orderedMembers,
            let record = all.last(where: { $0.name == "upstream" })?.value,
            let mirror = all.last(where: { $0.name == "mirror" })?.value.members,
            let files = mirror["files"]?.elements, let fetched = mirror["fetched"]?.moment
        else { return nil }
        let stored = files.compactMap { StoredFile($0, named: name) }
        guard stored.count == files.count, Set(stored.map(\.role)).count == stored.count else { return nil }
        (self.name, self.bytes, self.record) = (name, bytes, record)
        members = all.filter { $0.name != "mirror" && $0.name != "upstream" }
        self.files = stored
        self.fetched = fetched
        downgraded = mirror["downgraded"]?.bool ?? false
        isPruned = mirror["pruned"]?.bool ?? false
        incomplete = Incomplete(mirror["incomplete"])
        setAside = Set(mirror["set_aside"]?.elements?.compactMap(\.digest) ?? [])
        version = Version.Mark(mirror["version"])
    }

    init(_ metadata: Metadata) {
        self.init(metadata.document, name: metadata.name)!
    }

    /// The same document with what was changed of it, as a file.
    var rewritten: Document {
        let mirror = JSON.sparse([
            ("fetched", .moment(fetched)), ("downgraded", .bool(downgraded)),
            ("pruned", isPruned ? .bool(true) : nil), ("incomplete", incomplete?.json),
            ("set_aside", setAside.isEmpty ? nil : .strings(setAside.map(\.description).sorted())),
            ("version", version?.json), ("files", .array(files.map { $0.json(named: name) })),
        ])
        let rest = members.map { ($0.name, JSON.text($0.value)) }
        return Document(JSON.object(rest + [("mirror", mirror), ("upstream", .text(record))]).document, name: name)!
    }
}

extension Document {
    package var title: String { text("title") ?? "" }
    package var explanation: String { text("explanation") ?? "" }

    package var subject: Subject { Subject(name, id: text("id")) }

    /// Whether it tells of this day, or of an item.
    func isOf(_ day: Day) -> Bool { day.isItem ? text("id") != nil : text("date") == "\(day)" }

    /// A member of the JSON that is a string.
    package func text(_ name: String) -> String? { members.last { $0.name == name }?.value.string }

    /// The day's status while its files are here, but without `stored`.
    var status: DayStatus {
        if let incomplete { return DayStatus(day: name.day, state: .failed, failure: incomplete.failure) }
        let placeholder: DayStatus.State = isPruned ? .pruned : .placeholder
        return DayStatus(day: name.day, state: files.isEmpty ? placeholder : downgraded ? .downgraded : .mirrored)
    }

    /// What is stored of the day. `picture`: the record, where it could be read.
    func stored(_ picture: Picture?) -> StoredDay {
        StoredDay(
            name: name, title: title, hasText: !explanation.isEmpty, files: files, fetched: fetched,
            content: picture?.content,
            lacks: isPruned ? 0 : picture.map { Metadata(self, $0).lacksFurther } ?? 0,
            isStandIn: !isPruned && picture?.isStandIn == true, json: Digest(of: bytes),
            jsonBytes: bytes.count)
    }

    /// What a correction of texts changes.
    var texts: [String?] { ["title", "explanation", "credit", "copyright", "alt"].map(text) }

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
        return known ?? (name.day.isItem ? nil : "https://apod.nasa.gov/apod/ap\(name.day.compact).html")
    }

    /// The picture, the video or the page that opens it; the poster if there is nothing else.
    package var view: StoredFile? { files.main ?? files.first }

    /// Whether the file is in the tree with its size. Anything else is not shown as the day's.
    package func has(_ file: StoredFile, in root: String) -> Bool {
        guard let folder = try? Tree.existingFolder(subject.folder, in: Folder.open(root)) else { return false }
        return (try? folder.has(file, as: name)) ?? false
    }

    package static func of(_ subject: Subject, root: String) throws -> Document? {
        guard let folder = try Tree.existingFolder(subject.folder, in: Folder.open(root)) else { return nil }
        for name in try Tree.days(in: folder, subject.folder) where name.day == subject.day {
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

extension Metadata {
    init(_ document: Document, _ picture: Picture) {
        self.init(
            name: document.name, picture: picture, files: document.files, downgraded: document.downgraded,
            fetched: document.fetched,
            isPruned: document.isPruned, incomplete: document.incomplete, setAside: document.setAside)
    }
}
