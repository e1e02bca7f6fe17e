import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Store

struct VersionsTests {
    private let date = november(20)
    private let stem = "2026-11-20 Orion Rising"

    /// With a day that has a JPEG of 1000 bytes.
    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        // Otherwise, the catalog is made again whenever it is opened.
        _ = try fixture.archive().firstDay(orChoose: date)
        try await replace("Old words.", bytes: 1000)
    }

    private func path(_ place: String) -> String { fixture[".apod-mirror/replaced/apod/\(stem)/\(place)"] }
    private func tree(_ suffix: String) -> String { fixture["2026/11/\(stem).\(suffix)"] }
    private func words(_ path: String) throws -> String? { try JSONText(contents(path))["explanation"]?.string }
    private var unfinished: [String] { listing(fixture[".apod-mirror/unfinished"]) }

    private func replace(_ text: String = "New words.", _ type: MediaType = .jpeg, bytes: Int = 2000) async throws {
        try await fixture.add(date, "Orion Rising", text, [(.picture, type)], bytes: bytes)
    }

    /// The folders of versions, each with the suffixes of its files.
    private func versions() -> [String] {
        let entries = listing(path(""))
        return entries.filter { $0.hasSuffix("/") }.map { folder in
            let files = entries.filter { $0 != folder && $0.hasPrefix(folder) }
            return "\(folder.dropLast()): " + files.map { $0.split(separator: ".").last! }.joined(separator: " ")
        }
    }

    /// What was set aside, by name.
    private func setAside() -> [String] {
        listing(fixture[".apod-mirror/set-aside"]).filter { !$0.hasSuffix("/") }
            .map { String($0.split(separator: "/").last!) }.sorted()
    }

    private func revert() async throws -> Archive.Reverted { try await fixture.archive().revert(date, at: 5_000_000) }

    private func reopen() async throws {
        try await fixture.close()
        try fixture.archive().tidy()
    }

    private func inode(_ path: String) -> UInt { Facts(path)?.inode ?? 0 }

    @Test("A correction keeps the former JSON and the files that went with it, once")
    func kept() async throws {
        try await fixture.add(date, "Orion Rising", "Old words.", downgraded: true)
        try await replace("Old words.", bytes: 1000)
        #expect(versions() == [])
        let old = inode(tree("jpg"))
        try await replace()
        try await replace("Newest words.", .png, bytes: 3000)
        // As an attempt with another file leaves it.
        mkdir(path("3"), 0o755)
        try save([7], to: path("3/\(stem).png"))
        try await replace("Last words.", .png, bytes: 3000)
        let all = ["1: jpg json", "2: jpg json", "3: png", "4: json"]
        #expect(versions() == all && inode(path("1/\(stem).jpg")) == old)
        let texts = try [1, 2, 4].map { try words(path("\($0)/\(stem).json")) }
        #expect(texts == ["Old words.", "New words.", "Newest words."] && !exists(tree("jpg")))
        let known = try fixture.openCatalog.versions(of: date)
        #expect(known.map(\.kinds) == [["picture"], ["picture"], []] && known.map(\.bytes) == [1000, 2000, 0])
        try await fixture.forget()
        #expect(try fixture.openCatalog.versions(of: date) == known)
        try await fixture.expectNoProblems()
    }

    @Test("A day's JSON gets its name when those of its files are on the disk, and all are when the day is stored")
    func order() async throws {
        let (month, october) = (fixture["2026/10"], day("2026-10-01"))
        try await fixture.add(day("2026-10-02"))
        Syncs.watch(month)
        for type in [.jpeg, .png] as [MediaType] { try await fixture.add(october, "A", "", [(.picture, type)]) }
        let synced = Syncs.of(month).map { names in
            names.filter { $0.contains("10-01") }.map { String($0.suffix(4)) }.joined(separator: " ")
        }
        #expect(synced == [".jpg", ".jpg json", ".jpg json .png", "json .png", "json .png"])
    }

    @Test("A text comes back, though the picture of its time is gone or came later")
    func textWithoutPicture() async throws {
        let later = date.advanced(by: 1)
        try await fixture.add(later, "Orion Rising", "Old words.", [], state: .placeholder)
        try await fixture.add(later, "Orion Rising", "New words.")
        #expect(try await fixture.archive().revert(later, at: 0) == .done)
        let json = try JSONText(contents(fixture["2026/11/2026-11-21 Orion Rising.json"]))
        #expect(json["explanation"]?.string == "Old words." && json["mirror"]?["files"]?.elements?.count == 1)
        #expect(json["media_type"]?.string == "image" && json["url"]?.string != nil)
        // Its files were deleted and fetched again meanwhile.
        try await replace(bytes: 1000)
        try await fixture.prune([date])
        try await replace(bytes: 1000)
        #expect(try await revert() == .done)
        #expect(try words(tree("json")) == "Old words.")
        try await fixture.expectNoProblems()
    }

    @Test(
        "What is damaged or a person's own under a name of the mirror's is set aside",
        arguments: [
            ("png", [1, 2, 3], true), ("json", "{\"mine\": 1}".bytes, true), ("json", [], true),
            ("jpg", [1, 2, 3], true), ("png", nil, false), ("json", nil, false),
            ("png", [UInt8](repeating: UInt8(november(20).number & 255), count: 1000), false),
        ] as [(suffix: String, bytes: [UInt8]?, isSetAside: Bool)])
    func inTheWay(suffix: String, bytes: [UInt8]?, isSetAside: Bool) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(date.advanced(by: -1))
        let path = fixture["2026/11/\(stem).\(suffix)"]
        if let bytes { try save(bytes, to: path) } else { #expect(symlink("nowhere", path) == 0) }
        try await fixture.add(date, "Orion Rising", "New words.", [(.picture, suffix == "png" ? .png : .jpeg)])
        if suffix != "json" { #expect(try contents(path).count == 1000) }
        try await fixture.expectNoProblems()
        let place = fixture[".apod-mirror/set-aside"]
        #expect(listing(place) == (isSetAside ? ["1/", "1/\(stem).\(suffix)"] : []))
        if isSetAside { #expect(try contents("\(place)/1/\(stem).\(suffix)") == bytes) }
    }

    @Test("A damaged file is set aside, and nobody wants it back", arguments: [10, 1000], [1000, 2000])
    func damaged(cut: Int, size: Int) async throws {
        // Twice: neither takes the other's place.
        for byte in [7, 8] as [UInt8] {
            try save([UInt8](repeating: byte, count: cut), to: tree("jpg"))
            let arrival = try fixture.arrival(date, "Orion Rising", "Old words.", bytes: size)
            try await fixture.archive().add(arrival.day(damaged: [".jpg"]))
        }
        #expect(versions() == [] && setAside() == ["\(stem).jpg", "\(stem).jpg"])
        #expect(try await revert() == .nothing)
    }

    @Test(
        "A file that a person has changed stays where it is, and its day as it was, unless its mending was asked for",
        arguments: [MediaType.jpeg, .png], [false, true])
    func edited(type: MediaType, isAsked: Bool) async throws {
        try save("mine", to: tree("jpg"))
        let arrival = try fixture.arrival(date, "Orion Rising", "New words.", [(.picture, type)], bytes: 2000)
        let other = try fixture.arrival(november(19), "Moon")
        var problem: Problem?
        // Together, so that they may be one batch.
        do {
            let archive = try fixture.archive()
            async let beside: Void = archive.add(other.day())
            do { try await archive.add(arrival.day(damaged: isAsked ? [".jpg"] : [])) } catch {
                problem = error.problem
            }
            try await beside
        }
        #expect(problem == (isAsked ? nil : Problem(.edited, path: tree("jpg"))))
        if isAsked { return #expect(setAside() == ["\(stem).jpg"] && unfinished.isEmpty) }
        #expect(try fileText(tree("jpg")) == "mine" && words(tree("json")) == "Old words." && versions() == [])
        // Nor by the next start.
        try await reopen()
        #expect(try fileText(tree("jpg")) == "mine" && setAside() == [])
        #expect(try fixture.openCatalog.item(of: november(19)) != nil)
    }

    @Test("A day that is replaced gives up its former files and nothing that lies beside them")
    func strangers() async throws {
        let day = november(19)
        try await fixture.add(day, "Film", "Old words.", film)
        let mine = MediaType.allCases.map(\.suffix).filter { !["mp4", "jpg", "gif"].contains($0) } + ["xcf"]
        for suffix in mine { try save(suffix, to: fixture["2026/11/2026-11-19 Film.\(suffix)"]) }
        let poster = fixture["2026/11/2026-11-19 Film.jpg"]
        unlink(poster)
        #expect(symlink("../../mine.jpg", poster) == 0)
        try await fixture.add(day, "Film", "New words.", [(.picture, .gif)])
        let left = fixture.tree.filter { $0.hasPrefix("2026/11/2026-11-19") }.map { $0.split(separator: ".").last! }
        #expect(left.map(String.init) == (mine + ["gif", "jpg", "json"]).sorted())
        #expect(target(of: poster) == "../../mine.jpg")
    }

    @Test("A deletion takes a version's files, but no favorite's, and its JSON says so")
    func deleted() async throws {
        let (wanted, fixed) = (date.advanced(by: -1), date.advanced(by: -2))
        for bytes in [1000, 2000] {
            try await fixture.add(wanted, "Orion Rising", "Old words.", bytes: bytes)
            try await fixture.add(fixed, "Orion Rising", "Old words.", film, bytes: bytes)
        }
        try await replace()
        let archive = try fixture.archive()
        let before = try archive.catalog.bytes()
        // One that cannot be deleted stays alone, and no JSON names what went before it.
        let place = fixture[".apod-mirror/replaced/apod/\(fixed) Orion Rising/1/\(fixed) Orion Rising.jpg"]
        let file = ImmutableFolder.canBeMade ? try ImmutableFolder(place) : nil
        let going = try archive.catalog.versionsWithFiles().filter { $0.day != fixed || file != nil }
        let outcome = try await archive.prune(going) { $0.day == wanted }
        #expect(outcome.gone.map(\.day) == [date] && outcome.refused.map(\.key) == (file == nil ? [] : [.day(fixed)]))
        #expect(try await revert() == .deleted && versions() == ["1: json"])
        #expect(try JSONText(contents(path("1/\(stem).json")))["mirror"]?["version"]?["deleted"]?.bool == true)
        #expect(900..<1001 ~= before - (try archive.catalog.bytes()))
        try await fixture.expectNoProblems()
        withExtendedLifetime(file) {}
    }

    @Test(
        "A correction of which something lacks is dropped, and the day stays as it was",
        arguments: ["no file", "no JSON", "torn JSON", "another day's"])
    func incomplete(lack: String) async throws {
        let unfinished = fixture[".apod-mirror/unfinished"]
        let json = "\(unfinished)/\(stem).json"
        let day = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 2000)
        _ = try day.day().ready(in: fixture.archive().tree.unfinished)
        switch lack {
        case "no file": unlink("\(unfinished)/\(date).jpg")
        case "no JSON": unlink(json)
        case "torn JSON": truncate(json, 100)
        default: rename(json, "\(unfinished)/2026-11-19 Orion Rising.json")
        }
        let before = (try contents(tree("json")), inode(tree("jpg")))
        try await reopen()
        #expect(try (contents(tree("json")), inode(tree("jpg"))) == before && versions() == [])
        try await fixture.expectNoProblems()
    }

    @Test("A correction that was cut off is made by the next start, with what the server said of its file")
    func cutOff() async throws {
        let validators = Validators(etag: "\"1\"", modified: nil)
        let arrival = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 1000)
        var file = arrival.document.files[0]
        file.validators = validators
        let document = try Document(
            arrival.picture, as: arrival.document.name, files: [file], arrival.document.mirror)
        let day = StagedDay(document, arrival.picture, staged: arrival.staged, item: arrival.item)
        _ = try day.ready(in: fixture.archive().tree.unfinished)
        try await reopen()
        #expect(try words(tree("json")) == "New words." && versions() == ["1: json"])
        #expect(try fixture.openCatalog.item(of: date)?.stored?.files.map(\.validators) == [validators])
    }

    // MARK: - A month that refuses

    @Test(
        "A month that cannot be changed costs no day of another, and its own days nothing but the time",
        .firmFolders)
    func refusedMonth() async throws {
        let bad = day("2026-10-30")
        try await fixture.add(bad)
        let (archive, before) = (try fixture.archive(), listing(fixture["2026/10"]))
        var folder: ImmutableFolder? = try ImmutableFolder(fixture["2026/10"])
        let days = (0..<8).flatMap { [november(10).advanced(by: -$0), bad.advanced(by: -$0)] }
        let arrivals = try days.map { try fixture.arrival($0, bytes: 700) }
        let errors = await withTaskGroup(of: Problem?.self, returning: [Problem?].self) { group in
            for arrival in arrivals {
                group.addTask {
                    do { try await archive.add(arrival.day()) } catch { return error.problem }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count(where: { $0 == nil }) == 8)
        for error in errors.compactMap(\.self) {
            #expect(!error.isGeneral && error.number == Int(EPERM) && error.path == fixture["2026/10"])
        }
        #expect(listing(fixture["2026/10"]) == before && listing(fixture[".apod-mirror/replaced"]).isEmpty)
        try await fixture.expectNoProblems()
        _ = folder.take()
        try await fixture.add(bad, bytes: 700)
        #expect(listing(fixture[".apod-mirror/replaced"]).count == 5)
        // A folder with one of its names stops a day alone.
        mkdir(fixture["2026/10/2026-10-29 A Title.jpg"], 0o755)
        let error = await #expect(throws: Problem.self) { try await fixture.add(bad.advanced(by: -1)) }
        #expect(error?.isGeneral == false && error?.number == Int(EISDIR))
    }
}
