import Apod
import Archive
import Configuration
import Fetching
import Files
import TestSupport
import Thumbnails
import Upstream

@testable import Catalog
@testable import Syncing

/// What is known of a day, and what the upstream says of it. Without a change: one that is here with its picture, and whose
/// record says nothing new.
struct DayFacts {
    static let today = november(20)
    static let now = today.noon
    static let other = Day("2026-10-20")!

    var day = today.advanced(by: -3)
    /// What the upstream said before; nil: the day is not here.
    var former: Picture? = record(.image(source("a.jpg")))
    /// What it says now; nil: the same.
    var record: Picture?
    var why = DayPlan.Why.recheck
    var files = [file("a.jpg")]
    /// nil: all of them.
    var whole: [StoredFile]?
    /// nil: nothing is known of the day.
    var state: DayStatus.State? = .mirrored
    var isPaused = false
    var settings = Settings(root: "/")
    var setAside: Set<Digest> = []
    var awaited: Digest?
    var isJSONWhole = true

    static func address(_ name: String) -> WebAddress {
        // Of a rendition, the name begins with an r.
        let folder = name.hasPrefix("r") ? "/dynamicimage/assets/" : "/content/dam/"
        return WebAddress("https://h.example\(folder)\(name.hasPrefix("r") ? String(name.dropFirst()) : name)")!
    }

    static func source(_ names: String...) -> Source { Source(names.map(address))! }

    /// The role by the name: p.jpg is a poster, and so on.
    static func file(
        _ name: String, as role: StoredFile.Role? = nil, bytes: String? = nil, isFormer: Bool = false,
        isKnown: Bool = false
    ) -> StoredFile {
        let type = MediaType.allCases.first { name.hasSuffix(".\($0.suffix)") }!
        let usual: StoredFile.Role =
            switch type.kind {
            case .image: "pq".contains(name.first!) ? .poster : .picture
            case .video: .video
            case .page: .page
            }
        return StoredFile(
            role: role ?? usual, type: type, address: address(name), bytes: 9,
            sha256: Digest(of: Array((bytes ?? name).utf8)), isFormer: isFormer,
            validators: isKnown ? Validators(etag: "\"1\"", modified: nil) : nil)
    }

    static func record(_ media: Media, title: String = "A Title", text: String = "Text.") -> Picture {
        Picture(day: today, title: title, explanation: text, media: media, record: JSONText("{}"))
    }

    static func image(_ names: String..., text: String = "Text.") -> Picture {
        record(.image(Source(names.map(address))!), text: text)
    }

    /// Pictures beside the first.
    static func beside(_ names: String..., text: String = "Text.") -> Picture {
        var picture = image(names[0], text: text)
        picture.further = names.dropFirst().map { FurtherPicture(source($0)) }
        return picture
    }

    static func video(_ name: String, _ poster: String?, text: String = "Text.") -> Picture {
        record(.video(address(name), poster: poster.map { source($0) }), text: text)
    }

    static func page(_ name: String, _ poster: String?, text: String = "Text.") -> Picture {
        record(.embedded(address(name), poster: poster.map { source($0) }), text: text)
    }

    /// A day that is here with a video and its poster.
    mutating func hasVideo() {
        former = Self.video("a.mp4", "p.jpg")
        files = [Self.file("a.mp4"), Self.file("p.jpg")]
    }

    /// A day that is here with a rendition, as the picture could not be had.
    mutating func hasWorseCopy() {
        (former, files) = (Self.image("a.jpg", "ra.jpg"), [Self.file("ra.jpg", as: .picture)])
        state = .downgraded
    }

    /// A day that is here with a second picture.
    mutating func hasSecond() {
        former = Self.beside("a.jpg", "s.jpg")
        files = [Self.file("a.jpg"), Self.file("s.jpg", as: .also(2))]
    }

    /// A day that is here with its first picture, and shows a second.
    mutating func awaitsSecond() { (former, why) = (Self.beside("a.jpg", "s.jpg"), .further) }

    /// A day of which only the text is here.
    mutating func hasText() { (former, files, state) = (Self.record(.none), [], .placeholder) }

    /// A day of which nothing is here.
    mutating func isNew() { (record, former, files, state) = (record ?? former, nil, [], nil) }

    /// Older than `recheck-days`.
    mutating func isOld() { day = Self.today.advanced(by: -30) }

    /// What the record shows was put aside for what is here.
    mutating func isReverted() {
        files = [Self.file("z.jpg")]
        setAside = [Self.image("a.jpg").content, Self.file("a.jpg").sha256]
        (former, record) = (Self.image("z.jpg"), Self.image("a.jpg"))
    }

    var plan: DayPlan {
        var picture = (record ?? former)!
        picture.day = day
        let files = known?.stored?.files ?? []
        var day = KnownDay(status: known, whole: whole ?? files)
        day.isJSONWhole = isJSONWhole
        if let former, state != nil {
            var metadata = Metadata(
                name: FileName(day: self.day, title: "First Title"), picture: former, files: files,
                downgraded: state == .downgraded, fetched: 0)
            metadata.setAside = setAside
            metadata.incomplete = awaited.map { Incomplete("before", awaited: $0) }
            day.metadata = metadata
        }
        return DayPlan(known: day, record: picture, why: why, settings: settings, now: Self.now)
    }

    var known: DayStatus? {
        guard let state else { return nil }
        let stored = former.map {
            StoredDay(
                name: FileName(day: day, title: "First Title"), title: $0.title, hasText: !$0.explanation.isEmpty,
                files: state == .pruned ? [] : files, fetched: 0, content: $0.content, json: Digest(of: []),
                jsonBytes: 0)
        }
        return DayStatus(
            day: day, state: state, retryAfter: isPaused ? Self.now + 60 : nil,
            attempts: state == .mirrored ? 0 : 2, failure: state == .failed ? "before" : nil, stored: stored)
    }
}

/// What comes of one file.
enum Answer {
    case same
    /// From this of its addresses; nil: the bytes are those that come from there usually.
    case came(_ address: Int = 0, bytes: String? = nil, finding: PictureCheck.Finding? = nil, other: Day? = nil)
    case not(FetchError)

    static let gone = not(.status(404, retryAfter: nil))
    static let busy = not(.status(503, retryAfter: nil))
    static let cut = not(.cutShort("5 of 9 bytes"))

    func came(_ wanted: WantedFile) -> FileResult {
        switch self {
        case .same: FileResult(wanted: wanted, result: .success(nil))
        case .came(let index, let bytes, let finding, let other):
            FileResult(
                wanted: wanted,
                result: .success(DayFacts.file(wanted.addresses[index].name, as: wanted.role, bytes: bytes)),
                finding: finding, other: other)
        case .not(let reason):
            FileResult(wanted: wanted, result: .failure(FetchFailure(wanted.addresses[0], reason)))
        }
    }
}

// MARK: - Decisions, in words

extension WebAddress {
    var name: String { (isRendition ? "r" : "") + path.split(separator: "/").last.map(String.init)! }
}

extension StoredFile.Role {
    /// `picture`, `also 2`
    var words: String { isFurther ? "\(word) \(number)" : word }
}

extension DayPlan.Step {
    /// With a question mark behind what the server is only asked for if it has another.
    var words: String {
        switch self {
        case .notYet: "not yet"
        case .nothing: "nothing"
        case .texts: "texts"
        case .fetch(let files):
            files.map { file in
                let names = file.addresses.map(\.name).joined(separator: " or ")
                return "\(file.role.words) \(names)\(file.known == nil ? "" : "?")"
            }.joined(separator: ", ")
        }
    }

    var files: [WantedFile] { if case .fetch(let files) = self { files } else { [] } }
}

extension DayUpdate {
    /// What is there then, with a star where it is new; what gives way; how the day counts.
    var words: String {
        var parts: [String] = []
        if let metadata {
            let files = metadata.files.map { file in
                let isNew = new.contains { $0.sha256 == file.sha256 && $0.role.number == file.role.number }
                return
                    "\(file.role.words) \(file.address.name)\(isNew ? "*" : "")\(file.isFormer ? " (former)" : "")"
            }
            parts.append(files.isEmpty ? "text" : files.joined(separator: ", "))
            parts.append(metadata.picture.explanation)
            if metadata.incomplete != nil { parts.append("marked") }
            if metadata.fetched != DayFacts.now { parts.append("as old") }
            if !metadata.setAside.isEmpty {
                let names = ["a.jpg", "b.jpg"].filter { metadata.setAside.contains(DayFacts.file($0).sha256) }
                parts.append("aside: \(names.joined(separator: ", "))")
            }
        }
        if !replaced.isEmpty { parts.append("replaced: \(replaced.map(\.address.name).joined(separator: ", "))") }
        if let status {
            parts.append("\(status.state)\(status.retryAfter.map { $0 > DayFacts.now } == true ? ", later" : "")")
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }
}
