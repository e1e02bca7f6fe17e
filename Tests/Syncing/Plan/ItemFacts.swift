import Apod
import Configuration
import Fetching
import Files
import TestSupport
import Thumbnails
import Upstream

@testable import Store
@testable import Syncing

/// What is known of an item, and what the upstream says of it. Without a change: a day that is here with its picture, and
/// whose record says nothing new.
struct ItemFacts {
    static let today = november(20)
    static let now = today.noon

    var day = today.advanced(by: -3)
    /// What the upstream said before; nil: nothing is here.
    var former: Picture? = image("a.jpg")
    /// What it says now; nil: the same.
    var record: Picture?
    var why = Plan.Why.recheck
    var files = [file("a.jpg")]
    /// nil: all of them.
    var whole: [StoredFile]?
    /// nil: nothing is known of the item.
    var state: Item.State? = .mirrored
    var isPaused = false
    var settings = Settings(root: "/")
    var setAside: Set<Digest> = []
    var awaited: Digest?
    var isJSONWhole = true

    init(_ change: (inout ItemFacts) -> Void = { _ in }) { change(&self) }

    static func address(_ name: String) -> WebAddress {
        // The name of a rendition begins with an r, and one that is no original with an x.
        let folder = ["r": "/dynamicimage/assets/", "x": "/"][name.first!] ?? "/content/dam/"
        return WebAddress("https://h.example\(folder)\(name.hasPrefix("r") ? String(name.dropFirst()) : name)")!
    }

    static func source(_ names: String...) -> Source { Source(names.map(address))! }

    /// p.jpg is a poster, and so on.
    static func file(_ name: String, as role: StoredFile.Role? = nil, bytes: String? = nil, isKnown: Bool = false)
        -> StoredFile
    {
        let address = address(name)
        let type = MediaType.allCases.first { address.pathExtension == $0.suffix }!
        let usual: StoredFile.Role =
            switch type.kind {
            case .image: "pq".contains(name.first!) ? .poster : .picture
            case .video: .video
            case .page: .page
            }
        return StoredFile(
            role: role ?? usual, type: type, address: address, bytes: 9,
            sha256: Digest(of: Array((bytes ?? name).utf8)),
            validators: isKnown ? Validators(etag: "\"1\"", modified: nil) : nil)
    }

    static func record(_ media: Media, _ text: String = "Text.") -> Picture {
        Picture(day: today, title: "A Title", explanation: text, media: media, record: JSONText("{}"))
    }

    static func image(_ names: String..., text: String = "Text.") -> Picture {
        record(.image(Source(names.map(address))!), text)
    }

    /// Pictures beside the first.
    static func beside(_ names: String..., text: String = "Text.") -> Picture {
        var picture = image(names[0], text: text)
        picture.further = names.dropFirst().map { FurtherPicture(source($0)) }
        return picture
    }

    static func video(_ name: String, _ poster: String, text: String = "Text.") -> Picture {
        record(.video(address(name), poster: source(poster)), text)
    }

    static func page(_ name: String, _ poster: String, text: String = "Text.") -> Picture {
        record(.embedded(address(name), poster: source(poster)), text)
    }

    mutating func says(_ record: Picture) { self.record = record }
    mutating func saysNew() { record = Self.image("b.jpg", text: "New.") }
    mutating func saysNewText() { record = Self.image("a.jpg", text: "New.") }
    mutating func isNew(_ picture: Picture) { (record, former, files, state) = (picture, nil, [], nil) }
    mutating func isKnown() { files = [Self.file("a.jpg", isKnown: true)] }
    mutating func isOld() { day = Self.today.advanced(by: -30) }
    mutating func hasVideo() {
        (former, files) = (Self.video("a.mp4", "p.jpg"), [Self.file("a.mp4"), Self.file("p.jpg")])
    }
    mutating func hasSecond() {
        (former, files) = (Self.beside("a.jpg", "s.jpg"), files + [Self.file("s.jpg", as: .also(2))])
    }
    mutating func lacksSecond() { (former, why) = (Self.beside("a.jpg", "s.jpg"), .new) }
    /// Here with a rendition, as the picture could not be had.
    mutating func hasWorseCopy() {
        (former, files) = (Self.image("a.jpg", "ra.jpg"), [Self.file("ra.jpg", as: .picture)])
        state = .downgraded
    }
    mutating func hasText() { (former, files, state) = (Self.record(.none), [], .placeholder) }
    mutating func waits() { (state, isPaused) = (.failed, true) }
    mutating func isDeleted(_ why: Plan.Why) { (state, self.why) = (.pruned, why) }
    /// `revert` brought z.jpg back, and set aside what the record shows.
    mutating func isReverted(from name: String = "z.jpg") {
        files = [Self.file(name, bytes: "z")]
        setAside = [Self.image("a.jpg").content, Self.file("a.jpg").sha256]
        (former, record) = (Self.image(name), Self.image("a.jpg"))
    }

    var plan: Plan {
        var record = (record ?? former)!
        record.key = .day(day)
        var known = Known(item: item, whole: whole ?? item?.stored?.files ?? [], isJSONWhole: isJSONWhole)
        if let former, let stored = item?.stored {
            known.record = former
            known.document = try! Document(former, as: stored.name, files: stored.files, stored.mirror)
        }
        return Plan(record, why, knowing: known, by: settings, at: Self.now)
    }

    var item: Item? {
        guard let state else { return nil }
        let stored = former.map { former in
            var mirror = MirrorPart(fetched: 0)
            (mirror.isDowngraded, mirror.setAside) = (state == .downgraded, setAside)
            mirror.incomplete = awaited.map { Incomplete("before", awaited: $0) }
            let lacks = former.further.count - files.count { $0.role.isFurther }
            return Item.Stored(
                name: FileName(day: day, title: "First Title"), title: former.title, hasText: true,
                files: state == .pruned ? [] : files, mirror: mirror, content: former.content,
                lacks: state == .pruned ? 0 : max(0, lacks), isStandIn: former.isStandIn, json: Digest(of: []),
                jsonBytes: 0)
        }
        return Item(
            .day(day), state, retryAfter: isPaused ? Self.now + 60 : nil, attempts: state == .mirrored ? 0 : 2,
            failure: state == .failed ? "before" : nil, stored: stored)
    }
}

/// What comes of one file.
enum Answer {
    case same
    /// From this of its addresses; nil: the bytes are those that come from there usually.
    case came(_ address: Int = 0, bytes: String? = nil, judgement: PictureCheck.Judgement? = nil)
    case not(Problem)

    static let gone = not(.status(404, retryAfter: nil))
    static let busy = not(.status(503, retryAfter: nil))
    static let cut = not(Problem(.broken, "5 of 9 bytes"))

    func came(_ wanted: WantedFile) -> Arrival {
        switch self {
        case .same: Arrival(wanted: wanted, result: .success(nil))
        case .came(let index, let bytes, let judgement):
            Arrival(
                wanted: wanted,
                result: .success(
                    ItemFacts.file(wanted.addresses[index].name, as: wanted.role, bytes: bytes, isKnown: true)),
                judgement: judgement)
        case .not(let reason):
            Arrival(wanted: wanted, result: .failure(reason))
        }
    }
}

extension Problem {
    static func status(_ status: Int, retryAfter pause: Int? = nil) -> Problem {
        Problem(.refused, pause.map(String.init), at: ItemFacts.address("x"), number: status)
    }
}

// MARK: - Decisions, in words

extension WebAddress {
    var name: String {
        (isRendition ? "r" : "") + path.split(separator: "/").last! + (query.map { "?\($0)" } ?? "")
    }
}

extension StoredFile.Role {
    /// `picture`, `also 2`
    var words: String { isFurther ? "\(word) \(number)" : word }
}

extension Plan {
    /// With `if other` behind what the server is only asked for if it has another, and a star where a neighbour may have it.
    var words: String {
        switch step {
        case .notYet: "not yet"
        case .nothing: "nothing"
        case .texts: "texts"
        case .fetch(let files):
            files.map { file in
                let names = file.addresses.map(\.name).joined(separator: " or ")
                return "\(file.role.words) \(names)\(file.known == nil ? "" : " if other")\(isShared(file) ? "*" : "")"
            }.joined(separator: ", ")
        }
    }
}

extension Plan.Step {
    var files: [WantedFile] { if case .fetch(let files) = self { files } else { [] } }
}

extension Outcome {
    /// What is there then, with a star where it is new; what gives way; how the item counts.
    var words: String {
        var parts: [String] = []
        if let document {
            let files = document.files.map { file in
                let isNew = new.contains { $0.sha256 == file.sha256 && $0.role.number == file.role.number }
                let name = "\(file.role.words) \(file.address.name)\(isNew ? "*" : "")"
                return name + (file.alt.map { " “\($0)”" } ?? "") + (file.isFormer ? " (former)" : "")
            }
            parts.append(files.isEmpty ? "text" : files.joined(separator: ", "))
            parts.append(document.explanation)
            if document.mirror.incomplete != nil { parts.append("marked") }
            if document.mirror.fetched != ItemFacts.now { parts.append("as old") }
            if !document.mirror.setAside.isEmpty { parts.append("aside") }
        }
        if !replaced.isEmpty { parts.append("replaced: \(replaced.map(\.address.name).joined(separator: ", "))") }
        if let item {
            let later = item.retryAfter.map { $0 > ItemFacts.now } == true ? ", later" : ""
            parts.append("\(item.state?.rawValue ?? "nothing")\(later)")
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }
}
