import Apod
import Files
import Glibc
import Service
import Store
import TestSupport
import Testing

@testable import Configuration

/// The service in a process of its own, in two months that take some forty seconds, with people and faults all the time.
struct SoakTests {
    private static let days = 62
    private static let first = november(20)

    @Test(
        "Two months of favorites and faults leave the service as after one",
        .timeLimit(.minutes(15)))
    func months() async throws {
        let soak = try Soak(Self.first)
        var rested: Soak.Footprint?
        for number in 1...Self.days {
            try await soak.live(Self.first.advanced(by: number))
            if number == Self.days / 2 { rested = try await soak.rest() }
        }
        let before = try #require(rested)
        let after = try await soak.rest(as: before)
        #expect(Double(after.kilobytes) <= 1.1 * Double(before.kilobytes), "\(before) became \(after)")
        #expect(after.threads == before.threads, "\(before) became \(after)")
        #expect(after.files.count == before.files.count, "\(before) became \(after)")
        try await soak.expectAgreement(days: Self.days + 3)
    }
}

/// What goes on around the service.
private final class Soak {
    struct Footprint {
        let kilobytes: Int
        /// What is open.
        let files: [String]
        let threads: Int
    }

    private let nasa: FakeNASA
    private let folder: TemporaryFolder
    private let program: Program
    private let clock: Int32
    private var random = Random(seed: 20_261_120)
    private let root: String
    private var links: Set<String> = []
    private var number = 0
    private var moment: Int
    /// One for all of them: it is read every few milliseconds.
    private var reader: Catalog?

    init(_ first: Day) throws {
        nasa = try FakeNASA(Entry.days(3, newest: first, bytes: 3_000))
        folder = try TemporaryFolder()
        root = folder.appending("APOD")
        moment = first.noon
        clock = open(folder.appending("clock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        pwrite(clock, &moment, MemoryLayout<Int>.size, 0)
        program = try Program(
            Places.built("soak-service"),
            [root, nasa.origin, "\(first.advanced(by: -2))", folder.appending("clock")],
            limit: .seconds(900))
    }

    deinit { close(clock) }

    /// A day: people do things in the favorites folder, something goes wrong, and a new picture comes.
    func live(_ day: Day) async throws {
        let here = day.advanced(by: -1)
        if links.isEmpty { try await until { exists("\(root)/favorites") && newest == here } }
        for _ in 1...14 { try change(Int.random(in: 0..<8, using: &random), here) }
        let fault = day.number % 30 == 0 ? Fault.silence : Fault.brief.randomElement(using: &random)!
        nasa.intercept = fault.interception(of: nasa)
        if fault != .late { nasa.add(Entry(day, bytes: 3_000)) }
        if fault == .correction { nasa[here]?.title = "Corrected \(number)" }
        for attempt in 1...40 where newest != day {
            try await ask()
            if attempt == 2 {
                nasa.intercept = nil
                nasa.add(Entry(day, bytes: 3_000))
            }
        }
        try #require(newest == day, "\(day) did not come; the last words: \(program.outcome.output.suffix(500))")
        nasa.server.forgetRequests()
    }

    private func set(_ new: Int) {
        moment = new
        pwrite(clock, &moment, MemoryLayout<Int>.size, 0)
    }

    /// Sets the clock to when the service wants to ask, and waits until it has asked.
    private func ask() async throws {
        set(max(moment + 1, next ?? 0))
        try await until { self.next ?? 0 > self.moment }
    }

    /// When the service will ask again.
    private var next: Int? {
        ControlClient.status(root: root, environment: [:])?.nextRefresh
    }

    private func change(_ choice: Int, _ day: Day) throws {
        number += 1
        let favorites = "\(root)/favorites"
        let old = links.sorted().randomElement(using: &random)
        switch choice {
        case 0...3:
            guard let status = try catalog().item(of: .day(day)), let entry = status.stored else { return }
            let name = "link \(number)"
            if symlink("../\(day.folder)/\(entry.main)", "\(favorites)/\(name)") == 0 { links.insert(name) }
        case 4...6: if let old, unlink("\(favorites)/\(old)") == 0 { links.remove(old) }
        default:
            // A worse copy may be replaced before it is recognised.
            let status = try catalog().item(of: .day(day))
            guard status?.state == .mirrored, let entry = status?.stored else { return }
            let bytes = try contents("\(root)/\(day.folder)/\(entry.main)")
            try save(bytes, to: "\(favorites)/copy \(number).jpg")
            links.insert("copy \(number).jpg")
        }
    }

    private func catalog() throws -> Catalog {
        if let reader { return reader }
        let catalog = try #require(try Archive.catalogToRead(root: root))
        reader = catalog
        return catalog
    }

    private var known: Set<String> {
        get throws {
            try Set(FavoritesLog(toRead: Folder.open(root)).favorites.flatMap { $0.links.map(\.description) })
        }
    }

    private var newest: Day? { (try? catalog().newest()).flatMap(\.self) }

    private func until(_ holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while try !holds() {
            try #require(.now < deadline && program.outcome.end == nil, "\(program.outcome.output.suffix(1000))")
            try await sleep(for: .milliseconds(10))
        }
    }

    /// What it takes up when it has nothing to do; on a busy machine it is there some time after the last change.
    func rest(as before: Footprint? = nil) async throws -> Footprint {
        try await until { try isQuiet(footprint()) }
        try await sleep(for: .seconds(13))
        let deadline = ContinuousClock.now + .seconds(180)
        while true {
            let now = try footprint()
            let isSame = before.map { now.files.count == $0.files.count && now.threads == $0.threads } ?? true
            if isQuiet(now) && isSame || .now > deadline { return now }
            try await sleep(for: .milliseconds(500))
        }
    }

    /// Whether no picture is read, and no page of the gallery written.
    private func isQuiet(_ footprint: Footprint) -> Bool {
        !footprint.files.contains { $0.hasPrefix("\(root)/") && !$0.hasPrefix("\(root)/.apod-mirror") }
    }

    private func footprint() throws -> Footprint {
        let status = try fileText("/proc/\(program.id)/status")
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        let descriptors = try Folder.open("/proc/\(program.id)/fd")
        let files = try descriptors.names().compactMap { descriptors.target(of: "\($0)") }
        return Footprint(kilobytes: value("VmRSS"), files: files.sorted(), threads: value("Threads"))
    }

    func expectAgreement(days: Int) async throws {
        // The last copies may still be compared.
        try? await until { try known == links }
        #expect(try known.symmetricDifference(links) == [])
        program.send(SIGTERM)
        _ = try await program.finished()
        let catalog = try catalog()
        #expect(try catalog.storedDays().count == days)
        #expect(try await Verification(root: root, catalog: catalog).problems().isEmpty)
    }
}

private enum Fault: CaseIterable {
    case none, late, busy, cut, nonsense, wrongPicture, correction, silence

    static let brief = allCases.filter { $0 != .silence }

    func interception(of nasa: FakeNASA) -> (@Sendable (Request) -> Response?)? {
        let isPicture: @Sendable (Request) -> Bool = { $0.path.hasPrefix(Entry.originals) }
        switch self {
        case .none, .late, .correction: return nil
        case .busy: return { _ in Response(status: 503) }
        case .cut:
            return { [weak nasa] request in
                guard isPicture(request), var response = nasa?.usual(request) else { return nil }
                response.ending = .close(after: 1_000)
                return response
            }
        case .nonsense: return { request in isPicture(request) ? nil : Response.json("[{\"x\":") }
        case .wrongPicture: return { request in isPicture(request) ? Response.html(200) : nil }
        case .silence: return { request in isPicture(request) ? .hanging : nil }
        }
    }
}
