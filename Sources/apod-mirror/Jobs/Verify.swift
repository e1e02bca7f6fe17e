import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Files
import Gallery
import Glibc
import Synchronization
import Syncing

/// `apod-mirror verify`
struct Verify {
    private let jobs: JobCommand
    private let settings: Settings
    private let asJSON: Bool
    private let repairs: Bool

    init(_ usage: Usage, _ configuration: Configuration) {
        jobs = JobCommand(usage, configuration)
        settings = configuration.settings
        asJSON = usage.has("json")
        repairs = usage.has("repair")
    }

    func run() async throws -> ExitStatus {
        if repairs { return try await repair() }
        guard let catalog = try settings.catalogToRead() else { return try nothingMirrored(in: settings) }
        let findings = try await check(catalog)
        report(findings, repaired: 0)
        await remember(findings, catalog)
        return findings.isGood ? .done : .incomplete
    }

    /// `isWriter`: whether this process has the mirror open for writing.
    private func check(_ catalog: Catalog, isWriter: Bool = false) async throws(StorageError) -> Findings {
        let findings = Mutex(Findings())
        let bar = Terminal.isInteractive ? ProgressBar() : nil
        defer { bar?.clear() }
        let workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let verification = try Verification(root: settings.root, catalog: catalog)
        let pause = { @Sendable [settings] in
            // A writer publishes files shortly before the catalog has them.
            if !isWriter, Archive.isInUse(root: settings.root) { try? await sleep(for: .seconds(2)) }
        }
        let report = { @Sendable (event: Verification.Event) in
            findings.withLock { if $0.take(event) { $0.draw(bar) } }
        }
        try await verification.run(workers: workers, pause: pause, report)
        if settings.sidecars == .yes {
            try await SidecarCheck(root: settings.root, catalog: catalog).run(pause: pause, report)
        }
        return findings.withLock(\.self)
    }

    /// Stores the findings for `status`. Errors are ignored: the user has seen the findings.
    private func remember(_ findings: Findings, _ catalog: Catalog) async {
        let found = findings.remembered
        guard found.count > 0 || (try? catalog.verifyFindings()) != nil else { return }
        if let service = try? ControlClient.reach(root: settings.root, environment: Environment.current) {
            try? await service.run(.remember(found)) { _ in }
        } else {
            try? OpenMirror.begin(settings).archive.catalog.setVerifyFindings(found)
        }
    }

    /// Fetches again what is damaged or missing, and enters what the catalog does not know.
    private func repair() async throws -> ExitStatus {
        // `verify` must not begin a mirror.
        if KnownRoots.isEmpty(settings.root) { return try nothingMirrored(in: settings) }
        var mirror: OpenMirror?
        if let service = try jobs.service() {
            // An empty job: a user whom the service refuses learns it before the long check.
            let status = try await jobs.run(.repair([], entering: []), by: service)
            if status != .done { return status }
        } else {
            mirror = try OpenMirror.begin(settings)
        }
        guard let catalog = try mirror?.archive.catalog ?? settings.catalogToRead() else {
            return try nothingMirrored(in: settings)
        }
        let before = try await check(catalog, isWriter: mirror != nil)
        if Signals.isAsked { return .incomplete }
        let job = Job.repair(
            Set(before.problems.compactMap(\.dayToFetch)), entering: Set(before.problems.compactMap(\.dayToEnter)))
        let status = try await job == .repair([], entering: []) ? .done : run(job, on: mirror)
        if Signals.isAsked { return .incomplete }
        // `catalog` may be an in-memory copy, made from the tree before the repair: it is opened again.
        let known = before.isGood ? catalog : try mirror?.archive.catalog ?? settings.catalogToRead() ?? catalog
        let after = before.isGood ? before : try await check(known, isWriter: mirror != nil)
        report(before, repaired: before.damagedOrMissing - after.damagedOrMissing, left: after)
        if let mirror {
            try? mirror.archive.catalog.setVerifyFindings(after.remembered)
        } else {
            await remember(after, catalog)
        }
        return status == .done && after.isGood ? .done : .incomplete
    }

    /// Connects again: the service closes idle connections, and a check takes longer.
    private func run(_ job: Job, on mirror: OpenMirror?) async throws -> ExitStatus {
        if let mirror { return try await jobs.run(job, on: mirror) }
        guard let service = try jobs.service() else { throw ControlError.gone }
        return try await jobs.run(job, by: service)
    }

    /// `left`: the findings after a repair.
    private func report(_ findings: Findings, repaired: Int, left: Findings? = nil) {
        let problems = findings.words(repaired: left)
        // The words begin with a path below the root.
        for words in problems.left { Terminal.complain("\(settings.root)/\(words)") }
        if !asJSON { for words in problems.repaired { Terminal.print("\(settings.root)/\(words)") } }
        if asJSON {
            Terminal.print(findings.json(repaired: repaired, left: left))
        } else {
            var parts = ["\(findings.checked) files checked, \(Size.text(findings.bytes))"]
            parts.append("\(findings.damaged) damaged")
            parts.append("\(findings.missing) missing")
            if repairs { parts.append("\(repaired) repaired") }
            Terminal.print(parts.joined(separator: ", "))
            if !repairs, findings.damagedOrMissing > 0 {
                let them = findings.damagedOrMissing == 1 ? "it" : "them"
                let does = findings.problems.contains { $0.dayToFetch != nil } ? "fetches" : "makes"
                Terminal.complain("`apod-mirror verify --repair` \(does) \(them) again")
            }
        }
    }
}

/// The findings of a verification so far.
struct Findings {
    private(set) var problems: [Verification.Problem] = []
    private(set) var checked = 0
    private(set) var bytes = 0
    private var planned = 0
    private var drawn = ContinuousClock.now

    /// Returns whether it is time to redraw the progress.
    mutating func take(_ event: Verification.Event) -> Bool {
        switch event {
        case .planned(let files, _): planned += files
        case .checked(let bytes):
            checked += 1
            self.bytes += bytes
        case .found(let problem): problems.append(problem)
        }
        guard ContinuousClock.now - drawn > .milliseconds(200) else { return false }
        drawn = .now
        return true
    }

    func draw(_ bar: ProgressBar?) { bar?.draw(done: checked, of: planned, bytes: bytes, unit: "files") }

    var damaged: Int {
        problems.count {
            switch $0 {
            case .damaged, .undecodable, .unreadable, .sidecar(_, _, isMissing: false): true
            case .missing, .unlisted, .sidecar: false
            }
        }
    }

    var missing: Int {
        problems.count {
            switch $0 {
            case .missing, .sidecar(_, _, isMissing: true): true
            default: false
            }
        }
    }

    var damagedOrMissing: Int { damaged + missing }

    var isGood: Bool { problems.isEmpty }

    /// The count to store for `status`.
    var remembered: VerifyFindings { VerifyFindings(damagedOrMissing, at: time(nil)) }

    /// The words for problems that are left, and for those that a repair has mended.
    func words(repaired after: Findings?) -> (left: [String], repaired: [String]) {
        guard let after else { return (problems.map(\.words), []) }
        let left = Set(after.problems.map(\.path))
        let before = Set(problems.map(\.path))
        return (
            problems.filter { left.contains($0.path) }.map(\.wordsWhenLeft)
                + after.problems.filter { !before.contains($0.path) }.map(\.words),
            problems.filter { !left.contains($0.path) }.map(\.wordsWhenRepaired)
        )
    }

    func json(repaired: Int, left: Findings?) -> JSON {
        let words = words(repaired: left)
        return .object([
            ("checked", .integer(checked)),
            ("damaged", .integer(damaged)),
            ("missing", .integer(missing)),
            ("repaired", .integer(repaired)),
            ("bytes", .integer(bytes)),
            ("problems", .array(words.left.map(JSON.string) + words.repaired.map(JSON.string))),
        ])
    }
}

extension Verification.Problem {
    var words: String {
        switch self {
        case .damaged(_, let path): "\(path) is damaged"
        case .undecodable(_, let path, let why): "\(path) is cut off or damaged: \(why)"
        case .missing(_, let path): "\(path) is missing"
        case .unlisted(_, let path): "\(path) is not in the catalog; `apod-mirror verify --repair` enters it"
        case .unreadable(_, let path, let why): "\(path): \(why)"
        case .sidecar(_, let path, let isMissing): "\(path) is \(isMissing ? "missing" : "out of date")"
        }
    }

    var path: String {
        switch self {
        case .damaged(_, let path), .missing(_, let path), .unlisted(_, let path), .unreadable(_, let path, _),
            .undecodable(_, let path, _), .sidecar(_, let path, _):
            path
        }
    }

    var wordsWhenLeft: String {
        if case .unlisted(_, let path) = self { return "\(path) is not in the catalog and could not be entered" }
        return "\(words); it could not be repaired"
    }

    var wordsWhenRepaired: String {
        switch self {
        case .damaged(_, let path): "\(path) was damaged, and was fetched again"
        case .undecodable(_, let path, _): "\(path) was cut off or damaged, and another was fetched"
        case .missing(_, let path): "\(path) was missing, and was fetched again"
        case .unlisted(_, let path): "\(path) was not in the catalog, and was entered"
        case .unreadable(_, let path, _): "\(path) could not be read, and was fetched again"
        case .sidecar(_, let path, _): "\(path) was made again"
        }
    }

    var dayToFetch: Day? {
        switch self {
        case .damaged(let day, _), .missing(let day, _), .unreadable(let day, _, _), .undecodable(let day, _, _): day
        case .unlisted, .sidecar: nil
        }
    }

    /// A day to enter in the catalog, or whose sidecars are to be made again.
    var dayToEnter: Day? {
        switch self {
        case .unlisted(let day, _), .sidecar(let day, _, _): day
        case .damaged, .missing, .unreadable, .undecodable: nil
        }
    }
}
