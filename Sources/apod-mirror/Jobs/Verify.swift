import Apod
import Configuration
import Files
import Glibc
import Service
import Store
import Synchronization
import Syncing

/// `apod-mirror verify`
struct Verify {
    static let command = Command(
        name: "verify", summary: "check every file",
        explanation: "Checks the catalog, and every file in it against its SHA-256.",
        options: [Command.Option("repair", "fetch again what is damaged or missing"), .json]
    ) { try await Verify($0, $1).run() }

    private let jobs: JobCommand
    private let repairs: Bool

    private var settings: Settings { jobs.settings }

    init(_ usage: Usage, _ configuration: Configuration) {
        jobs = JobCommand(usage, configuration)
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
    private func check(_ catalog: Catalog, isWriter: Bool = false) async throws -> Findings {
        let findings = Mutex(Findings())
        let bar = Terminal.isInteractive ? ProgressBar() : nil
        defer { bar?.clear() }
        let workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let verification = try Verification(root: settings.root, catalog: catalog)
        let pause = { @Sendable [settings] in
            // A writer publishes files shortly before the catalog has them.
            if !isWriter, Archive.isInUse(root: settings.root) { try? await sleep(for: .seconds(2)) }
        }
        let report = { @Sendable (event: Verification.Progress) in
            findings.withLock { if $0.note(event) { $0.draw(bar) } }
        }
        try await verification.run(workers: workers, pause: pause, report)
        return findings.withLock(\.self)
    }

    /// Stores the findings for `status`. Errors are ignored: the user has seen the findings.
    private func remember(_ findings: Findings, _ catalog: Catalog, on mirror: OpenMirror? = nil) async {
        let found = findings.remembered
        guard found.count > 0 || (try? catalog.verifyFindings()) != nil else { return }
        _ = try? await jobs.run(.remember(found), in: try mirror.map(JobCommand.Runner.here) ?? jobs.place())
    }

    /// Fetches again what is damaged or missing.
    private func repair() async throws -> ExitStatus {
        // `verify` must not begin a mirror.
        if KnownRoots.isEmpty(settings.root) { return try nothingMirrored(in: settings) }
        let place = try jobs.place()
        var mirror: OpenMirror?
        switch place {
        case .service:
            // An empty job: a user whom the service refuses learns it before the long check.
            let status = try await jobs.run(.repair([]), in: place)
            if status != .done { return status }
        case .here(let opened): mirror = opened
        }
        guard let catalog = try mirror?.archive.catalog ?? settings.catalogToRead() else {
            return try nothingMirrored(in: settings)
        }
        let before = try await check(catalog, isWriter: mirror != nil)
        var (status, after) = (ExitStatus.done, before)
        if !before.isGood {
            status = try await mend(before, on: mirror)
            if Signals.isAsked { return status }
            // `catalog` may be an in-memory copy, made from the tree before the repair: it is opened again.
            let known = try mirror?.archive.catalog ?? settings.catalogToRead() ?? catalog
            after = try await check(known, isWriter: mirror != nil)
        }
        report(before, repaired: before.problems.count - after.problems.count, left: after)
        await remember(after, catalog, on: mirror)
        return status == .done && after.isGood ? .done : .incomplete
    }

    private func mend(_ findings: Findings, on mirror: OpenMirror?) async throws -> ExitStatus {
        let fetched = findings.problems.filter(\.isFetched)
        let lists = Set(fetched.compactMap { Tree.list(ofPath: $0.path) })
        let job = Job.repair(fetched.map(\.key).days, lists: lists.sorted())
        // Connects again: the service closes idle connections, and a check takes longer.
        return try await jobs.run(job, in: try mirror.map(JobCommand.Runner.here) ?? jobs.place())
    }

    /// `left`: the findings after a repair.
    private func report(_ findings: Findings, repaired: Int, left: Findings? = nil) {
        let problems = findings.words(repaired: left)
        // The words begin with a path below the root.
        for words in problems.left { Terminal.complain("\(settings.root)/\(words)") }
        if !jobs.asJSON { for words in problems.repaired { Terminal.print("\(settings.root)/\(words)") } }
        if jobs.asJSON {
            Terminal.print(findings.json(repaired: repaired, left: left))
        } else {
            var parts = ["\(findings.checked) files checked, \(Size.text(findings.bytes))"]
            parts.append("\(findings.damaged) damaged")
            parts.append("\(findings.missing) missing")
            if repairs { parts.append("\(repaired) repaired") }
            Terminal.print(parts.joined(separator: ", "))
            let fetched = findings.problems.count(where: \.isFetched)
            if !repairs, fetched > 0 {
                let them = fetched == 1 ? "it" : "them"
                Terminal.complain("`apod-mirror verify --repair` fetches \(them) again")
            }
        }
    }
}

/// The findings of a verification so far.
struct Findings {
    private(set) var problems: [Verification.Damage] = []
    private(set) var checked = 0
    private(set) var bytes = 0
    private var planned = 0
    private var drawn = ContinuousClock.now

    /// Returns whether it is time to redraw the progress.
    mutating func note(_ event: Verification.Progress) -> Bool {
        switch event {
        case .planned(let files): planned += files
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

    var damaged: Int { problems.count - missing }

    var missing: Int { problems.count(where: \.isMissing) }

    var isGood: Bool { problems.isEmpty }

    /// The count to store for `status`.
    var remembered: VerifyFindings { VerifyFindings(problems.count, at: time(nil)) }

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
            ("problems", .strings(words.left + words.repaired)),
        ])
    }
}

extension Verification.Damage {
    private var kind: String { isMissing ? "missing" : "damaged" }

    /// The path comes first.
    var words: String {
        path + (why.map { ": \($0)" } ?? " is \(kind)")
            + (isFormer ? "; NASA has replaced it, so only a backup may have it" : "")
    }

    var wordsWhenLeft: String { isFormer ? words : "\(words); it could not be repaired" }

    var wordsWhenRepaired: String {
        if isFormer { return "\(path) is whole again" }
        return "\(path) \(why == nil ? "was \(kind)" : "could not be read"), and was fetched again"
    }

    /// Whether a repair fetches the day.
    var isFetched: Bool { !isFormer }
}
