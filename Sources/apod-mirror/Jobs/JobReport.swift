import Apod
import Configuration
import Service
import Store
import Syncing
import Thumbnails

/// Shows a job's events: as a progress bar on a terminal and a line for each result, or as a growing JSON array.
struct JobReport {
    private let job: Job
    private let root: String
    private let asJSON: Bool
    /// Whether the service does the job.
    private let isServed: Bool
    private(set) var status = ExitStatus.done
    private var warned: Set<String> = []
    /// The elements of the JSON array so far.
    private var elements = 0
    private var bar: ProgressBar?
    /// nil while no refresh runs.
    private var refresh: RefreshTally?
    /// Requests without an answer, shown at the end unless the refresh failed: then its failure says the same.
    private var unanswered: [Event] = []
    private var thumbnails = (done: 0, made: 0, planned: 0)
    private var bytes = 0
    /// The bytes from before the refresh went on with other days.
    private var bytesBefore = 0
    /// Why the upstream's answer is late.
    private var delay: Problem?

    init(of job: Job, in root: String, asJSON: Bool, isServed: Bool = false) {
        self.job = job
        self.root = root
        self.asJSON = asJSON
        self.isServed = isServed
    }

    mutating func enter(_ event: Event) {
        refresh?.count(event)
        let named = refresh?.named ?? []
        switch event {
        case .mirrored: if bar == nil { say(event.description) }
        case .rediscovered, .said: say(event.description)
        case .absent(let day) where !named.contains(day): break
        case .notYet(let key) where key.day.map(named.contains) != true: break
        case .absent(let day): warn("\(event); \(advice(onAbsent: day))")
        case .replaced(_, let isMuchSmaller):
            isMuchSmaller ? warn(event.description) : say(event.description)
        case .failed(let key, let why, _):
            warn(event.description + (key.list == nil ? why.advice(in: root) : ""))
        case .kept, .notYet, .noted, .listFailed, .held, .linksWent: warn(event.description)
        case .deleted(let words, _, let why): why == nil ? say(words) : complain(words)
        case .complained(let words): complain(words)
        case .unanswered: unanswered.append(event)
        case .refreshBegan(let named):
            delay = nil
            bytesBefore = bytes
            if refresh != nil { return refresh!.goOn(named: named) }
            refresh = RefreshTally(named: named)
            begin()
        case .received(let bytes): self.bytes = bytesBefore + bytes
        case .delayed(let why): delay = why
        case .refreshEnded(let failure): endRefresh(failure)
        case .thumbnailsBegan(let count):
            thumbnails = (0, 0, count)
            begin()
        case .thumbnail(let thumbnail): enter(thumbnail)
        case .changed(let change, let key, let link): enter(change, key, link)
        // What the service alone tells, in its journal.
        case .planned, .unchanged, .ready, .reloaded, .settingsRefused, .stopping, .waiting, .workFailed, .trouble,
            .refreshed, .backfilling, .backfilled, .withoutCopy, .asked, .watching, .recovered, .favoritesKnown,
            .favoritesSettled:
            break
        }
    }

    private mutating func begin() {
        (bytes, bytesBefore) = (0, 0)
        bar = Terminal.isInteractive ? ProgressBar() : nil
    }

    func draw() {
        if let refresh, delay != nil || refresh.ended == 0 && bytes == 0 {
            bar?.draw(
                askingFor: refresh.planned, delay: delay?.words)
        } else if let refresh {
            bar?.draw(done: refresh.ended, of: refresh.planned, bytes: bytes, unit: job.isForDays ? "days" : "pictures")
        } else {
            bar?.draw(done: thumbnails.done, of: thumbnails.planned, bytes: bytes, unit: "pictures")
        }
    }

    private mutating func enter(_ change: Event.Making, _ key: Key, _ link: String?) {
        add(key.members() + [("link", .optional(link)), ("change", .string(change.rawValue))])
        say(link.map { "\(change) \(Text.shown("\(Tree.favorites)/\($0)"))" } ?? "\(change) \(key)")
    }

    private func advice(onAbsent day: Day) -> String {
        if case .sync(let order) = job, order.days.contains(day) { return "some days have none; leave this one out" }
        return "`apod-mirror favorites remove \(day)` deletes the link that asks for it"
    }

    /// Shows the results of the refresh, and what to do.
    private mutating func endRefresh(_ failure: Problem?) {
        guard let tally = refresh else { return }
        refresh = nil
        endBar()
        if failure == nil { for event in unanswered { warn(event.description) } }
        unanswered = []
        if let failure { warn(Signals.words(for: failure, in: root)) }
        // After Ctrl-C, it is clear that there is more.
        let left = failure == nil || Signals.isAsked ? tally.unanswered : max(tally.unanswered, tally.left)
        let isWell = tally.failed + left == 0 && !tally.isUnanswered && failure == nil
        let isNothing = tally.mirrored + tally.items == 0 && isWell
        var parts = [isNothing ? "nothing new" : "\(tally.mirrored + tally.items) fetched"]
        if tally.failed > 0 { parts.append("\(tally.failed) failed") }
        if left > 0 { parts.append("\(left) still missing") }
        if tally.unchanged > 0 { parts.append("\(tally.unchanged) unchanged") }
        var words = parts.joined(separator: ", ")
        let isRemembered = left == 0 && !tally.isUnanswered
        if tally.failed > 0 || !isRemembered { words += "; \(again(isRemembered: isRemembered))" }
        if !tally.isGood || failure != nil { status = .incomplete }
        let isPlaceTold = if case .sync = job { tally.mirrored + tally.items > 0 } else { false }
        say((isPlaceTold ? "in \(Text.shown(root)): " : "") + words)
    }

    /// Says what tries again. Failed days are remembered, days without an answer are not: a service asks again only for
    /// those in its own range.
    private func again(isRemembered: Bool) -> String {
        switch job {
        case .sync(let order) where !isRemembered && (order.isByName || isServed && order.since != nil):
            "the same command tries again"
        case .repair: "`apod-mirror verify --repair` tries again"
        default: "the \(isServed ? "service" : "next sync") tries again"
        }
    }

    private mutating func enter(_ thumbnail: Thumbnail) {
        let (state, paths, bytes, reason) = thumbnail.facts
        self.bytes += bytes
        thumbnails.done += 1
        let files = paths.map { "\(root)/\($0)" }
        add([
            ("date", thumbnail.key.day.map(JSON.day)), ("state", .string(state)),
            ("files", .strings(files)), ("reason", .optional(reason)),
        ])
        let isAsked = if case .thumbnails = job { true } else { false }
        if let reason {
            let lack = state == "refused" ? "no thumbnail can be made" : "no thumbnail was made"
            warn("\(lack) of the picture of \(thumbnail.key): \(reason)")
            if isAsked { status = .incomplete }
        } else {
            thumbnails.made += 1
        }
        if isAsked, !asJSON { print { for file in files { Terminal.print(path: file) } } }
        if thumbnails.done < thumbnails.planned { return }
        endBar()
        if !isAsked, thumbnails.made > 0 {
            say("\(Picture.count(thumbnails.made)) got thumbnails")
        }
    }

    /// Adds a line to the JSON array.
    private mutating func add(_ members: [(String, JSON?)]) {
        guard asJSON else { return }
        elements += 1
        let opening = elements == 1 ? "[\n" : ","
        print { Terminal.print(part: opening + JSON.sparse(members).line) }
    }

    private func say(_ words: String) { if !asJSON { print { Terminal.print(words) } } }

    /// Warns once: a full disk stops several things.
    private mutating func warn(_ words: String) {
        if warned.insert(words).inserted { print { Terminal.complain(words) } }
    }

    private mutating func complain(_ words: String) {
        warn(words)
        status = .incomplete
    }

    private func print(_ text: () -> Void) { if let bar { bar.clear(for: text) } else { text() } }

    private mutating func endBar() {
        bar?.clear()
        bar = nil
    }

    /// Ends the output. Returns whether the error was shown.
    @discardableResult
    mutating func end(by error: (any Error)? = nil) -> Bool {
        let isTold = error != nil && refresh != nil
        endRefresh(error.map { Problem($0, in: Settings(root: root)) })
        endBar()
        // `FavoritesChange` then does it, with its own report.
        if error?.problem.code == .closedSocket, case .favorites = job { return false }
        switch job {
        case .favorites, .thumbnails: if asJSON { Terminal.print(part: elements == 0 ? "[]" : "]") }
        case .sync, .revert, .prune, .repair, .remember: break
        }
        return isTold
    }
}
