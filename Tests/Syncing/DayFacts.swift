import Apod
import Archive
import Configuration
import Fetching
import Files

@testable import Catalog
@testable import Syncing

/// What is known of a day. Without a change: one that is here with its picture, and whose record says nothing new.
struct DayFacts {
    static let today = Day("2026-11-20")!
    static let now = today.noon
    static let other = Day("2026-10-20")!

    var day = today.advanced(by: -30)
    /// What the upstream said before; nil: the day is not here.
    var former: Picture? = record(.image(source("a.jpg")))
    /// What it says now; nil: the same.
    var record: Picture?
    var files = [file("a.jpg")]
    /// nil: all of them.
    var good: [StoredFile]?
    /// nil: nothing is known of the day.
    var state: DayStatus.State? = .mirrored
    var retryAfter: Int?
    var keepsToPauses = true
    var isAgain = false
    var isRefused = false
    var settings = Settings(root: "/")
    /// The other day has the same title and text.
    var hasTwin = false
    /// The catalog has no explanation of this one.
    var isUnexplained = false
    /// Of all of them, those that are not to be had any more.
    var lost: [StoredFile] = []
    /// The decoder has found these pictures to be damaged.
    var damaged: [StoredFile] = []

    static func address(_ name: String) -> WebAddress { WebAddress("https://h.example/content/dam/\(name)")! }

    static func source(_ names: String...) -> Source { Source(names.map(address))! }

    /// The role by the name: p.jpg is a poster, and so on. `width`: and three quarters of it is the height.
    static func file(
        _ name: String, as role: StoredFile.Role? = nil, bytes: String? = nil, size: Int? = nil, width: Int? = nil
    ) -> StoredFile {
        let type = MediaType.allCases.first { name.hasSuffix(".\($0.suffix)") }!
        let usual: StoredFile.Role =
            switch type.kind {
            case .image: "pq".contains(name.first!) ? .poster : .picture
            case .video: .video
            case .page: .page
            }
        return StoredFile(
            role: role ?? usual, type: type, address: address(name), bytes: size ?? width ?? 9,
            sha256: Digest(of: Array((bytes ?? name).utf8)), width: width, height: width.map { $0 / 4 * 3 })
    }

    static func record(_ media: Media, title: String = "A Title", text: String = "Text.") -> Picture {
        Picture(
            day: today, title: title, explanation: text, media: media,
            kind: { if case .image = media { .image } else { nil } }(), record: JSONText("{}"))
    }

    static func video(_ name: String, _ poster: String?) -> Picture {
        record(.video(address(name), poster: poster.map { source($0) }))
    }

    static func page(_ name: String, _ poster: String?) -> Picture {
        record(.embedded(address(name), poster: poster.map { source($0) }))
    }

    /// A day that is here with a video and its poster.
    mutating func hasVideo() {
        former = Self.video("a.mp4", "p.jpg")
        files = [Self.file("a.mp4"), Self.file("p.jpg")]
    }

    /// A day that is here with a page that opens a video, and its poster.
    mutating func hasPage() {
        former = Self.page("a.html", "p.jpg")
        files = [Self.file("a.html"), Self.file("p.jpg")]
    }

    /// A day of which only the text is here.
    mutating func hasText() {
        former = Self.record(.none)
        files = []
        state = .placeholder
    }

    /// A day of which nothing is here.
    mutating func isNew() {
        (record, former, files, state) = (record ?? former, nil, [], nil)
    }

    var update: DayUpdate {
        var picture = (record ?? former)!
        picture.day = day
        var update = DayUpdate(
            picture: picture, known: known, keepsToPauses: keepsToPauses, isAgain: isAgain, settings: settings,
            isRefused: isRefused, good: good ?? known?.stored?.files ?? [],
            twin: hasTwin ? (Self.other, isUnexplained ? nil : former?.explanation) : nil, lost: lost)
        for file in damaged { update.damaged[file.sha256] = .init(why: "cut off", pixels: file.pixels) }
        return update
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
            day: day, state: state, retryAfter: retryAfter, attempts: state == .mirrored ? 0 : 2,
            reason: state == .failed ? "before" : nil, stored: stored)
    }
}

/// What comes of one file.
enum Answer {
    /// Without asking.
    case here
    /// From this of its addresses; nil: the bytes are those that come from there usually.
    case came(_ address: Int = 0, bytes: String? = nil, size: Int? = nil, width: Int? = nil)
    case not(FetchError)

    static let gone = not(.status(404, retryAfter: nil))
    static let busy = not(.status(503, retryAfter: nil))

    func result(_ wanted: WantedFile) -> FileResult {
        func had(_ file: StoredFile, at address: WebAddress, isNew: Bool) -> FileResult {
            FileResult(
                wanted: wanted, outcome: .success(.init(file: file, isNew: isNew, isWorse: wanted.isWorse(address))))
        }
        func failure(_ reason: FetchError) -> FileResult {
            FileResult(wanted: wanted, outcome: .failure(FetchFailure(wanted.addresses[0], reason)))
        }
        return switch self {
        case .here:
            wanted.staying.first.map { had($0, at: $0.address, isNew: false) }
                ?? failure(.connection("nothing is here"))
        case .came(let index, let bytes, let size, let width):
            had(
                DayFacts.file(wanted.addresses[index].name, as: wanted.role, bytes: bytes, size: size, width: width),
                at: wanted.addresses[index], isNew: true)
        case .not(let reason): failure(reason)
        }
    }
}

// MARK: - Decisions, in words

extension WebAddress {
    fileprivate var name: String { path.split(separator: "/").last.map(String.init)! }
}

extension WantedFile {
    /// Where it is looked for; in brackets what is not asked for, with a star what is as good as can be.
    fileprivate var words: String {
        let names = addresses.map { address in
            let isStaying = staying.contains { $0.address == address }
            return (isStaying ? "[\(address.name)]" : address.name) + (isWorse(address) ? "" : "*")
        }
        return "\(role.rawValue) \(names.joined(separator: " or "))"
    }
}

extension DayUpdate.Plan {
    var words: String {
        switch self {
        case .unchanged: "unchanged"
        case .notYet: "not yet"
        case .keep(let why, let status): "keep, \(why)" + status.words
        case .fetch(let files): "fetch \(files.map(\.words).joined(separator: ", "))"
        }
    }

    var files: [WantedFile] { if case .fetch(let files) = self { files } else { [] } }
}

extension DayUpdate.Conclusion {
    var words: String {
        switch self {
        case .store(let metadata, let status, let new, let brings):
            "store \(metadata.files.map { "\($0.role.rawValue) \($0.address.name)\(new.contains($0) ? " (new)" : "")" }.joined(separator: ", "))"
                + (metadata.downgraded ? ", worse" : "") + (brings.isEmpty ? "" : ", brings \(brings.count)")
                + Optional(status).words
        case .compare(let new, let here):
            "compare \(new.count)" + (here.isEmpty ? "" : " with \(here.map(\.address.name).joined(separator: ", "))")
        case .keep(let why, let status): "keep, \(why)" + status.words
        case .fail(let why, let isPassing, let status):
            "fail\(isPassing ? " for now" : ""), \(why)" + status.words
        case .stop(let error, let status): "stop, \(error)" + status.words
        case .planAgain(let update): "again: \(update.plan(at: DayFacts.now).words)"
        }
    }

    /// What is to be remembered, where nothing is stored.
    var status: DayStatus? {
        switch self {
        case .keep(_, let status), .fail(_, _, let status), .stop(_, let status): status
        case .store, .compare, .planAgain: nil
        }
    }
}

extension DayStatus? {
    /// The state, how often it was tried, and whether it is left alone for some time.
    fileprivate var words: String {
        guard let self else { return "" }
        return "; \(self.state)" + (self.attempts > 0 ? " ×\(self.attempts)" : "")
            + (self.retryAfter.map { $0 > DayFacts.now } == true ? ", later" : "")
            + (self.reason.map { ", \($0)" } ?? "")
    }
}
