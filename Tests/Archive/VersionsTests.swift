import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct VersionsTests {
    private let date = november(20)
    private let stem = "2026-11-20 Orion Rising"

    /// With a day that has a JPEG of 1000 bytes.
    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        // Otherwise, the catalog is made again whenever it is opened.
        _ = try fixture.archive().firstDay(orChoose: date)
        try await fixture.add(date, "Orion Rising", "Old words.")
    }

    private func path(_ place: String) -> String { fixture[".apod-mirror/replaced/apod/\(stem)/\(place)"] }
    private func tree(_ suffix: String) -> String { fixture["2026/11/\(stem).\(suffix)"] }
    private func words(_ path: String) throws -> String? { try JSONText(contents(path))["explanation"]?.string }

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
        listing(fixture[".apod-mirror/set-aside"]).compactMap { entry in
            entry.hasSuffix("/") ? nil : entry.split(separator: "/").last.map(String.init)
        }
    }

    private func revert() async throws -> Archive.Reverted { try await fixture.archive().revert(date, at: 5_000_000) }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test("A correction keeps the former JSON and the files that went with it, once, and status counts it")
    func kept() async throws {
        try await replace("Old words.", bytes: 1000)
        #expect(versions() == [])
        let old = inode(tree("jpg"))
        try await replace()
        try await replace("Newest words.", .png, bytes: 3000)
        try await replace("Last words.", .png, bytes: 3000)
        #expect(versions() == ["1: jpg json", "2: jpg json", "3: json"])
        #expect(inode(path("1/\(stem).jpg")) == old)
        #expect(
            try (1...3).map { try words(path("\($0)/\(stem).json")) } == ["Old words.", "New words.", "Newest words."])
        #expect(fixture.tree.filter { $0.hasSuffix("jpg") && $0.hasPrefix("2") } == [])
        let known = try fixture.openCatalog.versions()[date]
        #expect(known?.map(\.kinds) == [["picture"], ["picture"], []] && known?.map(\.bytes) == [1000, 2000, 0])
        try await fixture.forget()
        #expect(try fixture.openCatalog.versions()[date] == known)
        try await fixture.expectNoProblems()
    }

    @Test("A mark of the mirror's own makes no version, before and after the catalog is lost")
    func marks() async throws {
        for _ in 1...2 {
            try await fixture.add(date, "Orion Rising", "Old words.", downgraded: true)
            #expect(versions() == [])
            try await fixture.forget()
        }
    }

    @Test(
        "Reverting exchanges the day with its newest version and, said again, changes back",
        arguments: [(MediaType.jpeg, 1000), (.jpeg, 2000), (.png, 2000)])
    func reverted(type: MediaType, bytes: Int) async throws {
        try await replace("New words.", type, bytes: bytes)
        for (text, suffix, size) in [
            ("Old words.", "jpg", 1000), ("New words.", type.suffix, bytes), ("Old words.", "jpg", 1000),
        ] {
            #expect(try await revert() == .done)
            #expect(try words(tree("json")) == text && contents(tree(suffix)).count == size)
            #expect(try JSONText(contents(tree("json")))["mirror"]?["version"] == nil)
            #expect(versions().count == 1)
            let aside = try JSONText(contents(tree("json")))["mirror"]?["set_aside"]?.elements?.count
            #expect(aside == (bytes == 1000 ? 1 : 2))
            #expect(try fixture.openCatalog.lastReplaced(atMost: 3).isEmpty)
            try await fixture.expectNoProblems()
        }
        #expect(listing(fixture[".apod-mirror/unfinished"]) == [])
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
        try await fixture.expectNoProblems()
        // Its files were deleted and fetched again meanwhile.
        try await replace("New words.", bytes: 1000)
        try await fixture.prune([date])
        try await replace("New words.", bytes: 1000)
        try await fixture.expectNoProblems()
        #expect(try await revert() == .done)
        #expect(try words(tree("json")) == "Old words.")
    }

    @Test("Reverting refuses what is damaged, missing or deleted, and changes nothing")
    func refused() async throws {
        #expect(try await revert() == .nothing)
        #expect(try await fixture.archive().revert(date.advanced(by: -1), at: 0) == .absent)
        try await replace()
        let (json, picture) = (try contents(tree("json")), path("1/\(stem).jpg"))
        let name = ".apod-mirror/replaced/apod/\(stem)/1/\(stem)"
        try save([UInt8](repeating: 9, count: 1000), to: picture)
        #expect(try await fixture.problems() == ["damaged former \(name).jpg"])
        #expect(try await revert() == .damaged(path: "\(name).jpg"))
        unlink(picture)
        #expect(try await fixture.problems() == ["missing former \(name).jpg"])
        #expect(try await revert() == .damaged(path: "\(name).jpg"))
        let archive = try fixture.archive()
        #expect(try await archive.prune(try archive.catalog.versionsWithFiles()) { _ in false }.gone.count == 1)
        #expect(try await revert() == .deleted)
        try await fixture.expectNoProblems()
        try save("{", to: "\(path("1"))/\(stem).json")
        #expect(try await fixture.problems() == ["damaged former \(name).json"])
        #expect(try await revert() == .damaged(path: "\(name).json"))
        #expect(try contents(tree("json")) == json && listing(fixture[".apod-mirror/unfinished"]) == [])
    }

    @Test("A version whose correction was not stored after all is no version, and is used again")
    func notStored() async throws {
        let document = try #require(try Document.of(Subject(date), root: fixture.root))
        for moment in 1...2 {
            let tree = try fixture.archive().tree
            let month = try #require(try Tree.existingFolder(of: date, in: tree.root))
            _ = try tree.versions.keep(
                document, document.files, from: month, at: moment, isReverted: false, staging: tree.unfinished)
            #expect(versions() == ["1: jpg json"])
        }
        #expect(try await revert() == .nothing)
        #expect(Replacement.all(root: fixture.root, of: document).isEmpty)
        try await fixture.forget()
        #expect(try fixture.openCatalog.countVersions() == 0)
    }

    @Test("Show tells of texts and files that were replaced, and not of what a person put aside")
    func told() async throws {
        func told() throws -> [String] {
            let document = try #require(try Document.of(Subject(date), root: fixture.root))
            return Replacement.all(root: fixture.root, of: document).map { $0.former?.role.word ?? "text" }
        }
        try await replace("New words.", bytes: 1000)
        #expect(try told() == ["text"])
        _ = try await revert()
        #expect(try told() == [])
        try await replace("Newest words.")
        #expect(try told() == ["picture"])
    }

    @Test(
        "What has a name of the mirror's and is damaged or a person's own is set aside, whatever takes its place",
        arguments: [
            (nil, "png", [1, 2, 3], true), (nil, "json", Array("{\"mine\": 1}".utf8), true), (nil, "json", [], true),
            (nil, "jpg", [1, 2, 3], true), ("nowhere", "png", nil, false), ("nowhere", "json", nil, false),
            (nil, "png", [UInt8](repeating: UInt8(november(20).number & 255), count: 1000), false),
        ] as [(target: String?, suffix: String, bytes: [UInt8]?, isSetAside: Bool)])
    func inTheWay(target: String?, suffix: String, bytes: [UInt8]?, isSetAside: Bool) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(date.advanced(by: -1))
        let path = fixture["2026/11/\(stem).\(suffix)"]
        if let bytes { try save(bytes, to: path) } else { #expect(symlink(target!, path) == 0) }
        try await fixture.add(date, "Orion Rising", "New words.", [(.picture, suffix == "png" ? .png : .jpeg)])
        if suffix != "json" { #expect(try contents(path).count == 1000) }
        try await fixture.expectNoProblems()
        let place = fixture[".apod-mirror/set-aside"]
        #expect(listing(place) == (isSetAside ? ["1/", "1/\(stem).\(suffix)"] : []))
        if isSetAside { #expect(try contents("\(place)/1/\(stem).\(suffix)") == bytes) }
    }

    @Test("A folder with one of its names stops a day alone", arguments: ["json", "jpg"])
    func folderInTheWay(suffix: String) async throws {
        mkdir(fixture["2026/11/2026-11-21 Orion Rising.\(suffix)"], 0o755)
        let error = await #expect(throws: Problem.self) {
            try await fixture.add(date.advanced(by: 1), "Orion Rising")
        }
        #expect(error?.isGeneral == false && error?.number == Int(EISDIR))
    }

    @Test("A damaged file is set aside, and nobody wants it back", arguments: [10, 1000], [1000, 2000])
    func damaged(cut: Int, size: Int) async throws {
        let bytes = [UInt8](repeating: 7, count: cut)
        try save(bytes, to: tree("jpg"))
        let arrival = try fixture.arrival(date, "Orion Rising", "Old words.", bytes: size)
        try await fixture.archive().add(arrival.day(damaged: [".jpg"]))
        #expect(versions() == [] && setAside() == ["\(stem).jpg"])
        #expect(try await revert() == .nothing)
    }

    @Test("A day that is replaced gives up its former files and nothing that lies beside them")
    func strangers() async throws {
        let day = november(19)
        try await fixture.add(day, "Film", "Old words.", [(.video, .mp4), (.poster, .jpeg)])
        let mine = MediaType.allCases.map(\.suffix).filter { !["mp4", "jpg", "gif"].contains($0) } + ["xcf"]
        for suffix in mine { try save(suffix, to: fixture["2026/11/2026-11-19 Film.\(suffix)"]) }
        unlink(fixture["2026/11/2026-11-19 Film.jpg"])
        #expect(symlink("../../mine.jpg", fixture["2026/11/2026-11-19 Film.jpg"]) == 0)
        try await fixture.add(day, "Film", "New words.", [(.picture, .gif)])
        let left = fixture.tree.filter { $0.hasPrefix("2026/11/2026-11-19") }.map { $0.split(separator: ".").last! }
        #expect(left.map(String.init) == (mine + ["gif", "jpg", "json"]).sorted())
        #expect(target(of: fixture["2026/11/2026-11-19 Film.jpg"]) == "../../mine.jpg")
    }

    @Test("A deletion takes a version's files, but no favorite's, and its JSON says so")
    func deleted() async throws {
        let wanted = date.advanced(by: -1)
        for bytes in [1000, 2000] { try await fixture.add(wanted, "Orion Rising", "Old words.", bytes: bytes) }
        try await replace()
        let archive = try fixture.archive()
        let before = try archive.catalog.bytes()
        let outcome = try await archive.prune(try archive.catalog.versionsWithFiles()) { $0.day == wanted }
        #expect(outcome.gone.map(\.day) == [date] && outcome.refused.isEmpty)
        #expect(versions() == ["1: json"])
        #expect(try JSONText(contents(path("1/\(stem).json")))["mirror"]?["version"]?["deleted"]?.bool == true)
        #expect(900..<1001 ~= before - (try archive.catalog.bytes()))
        #expect(try archive.catalog.countVersions() == 1)
    }

    @Test(
        "A version that cannot be deleted stays alone",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
    func fixed() async throws {
        let other = date.advanced(by: -1)
        for bytes in [5000, 2000] { try await fixture.add(other, "Orion Rising", "Old words.", bytes: bytes) }
        try await replace()
        let archive = try fixture.archive()
        let file = try ImmutableFolder(path("1/\(stem).jpg"))
        let outcome = try await archive.prune(try archive.catalog.versionsWithFiles()) { _ in false }
        #expect(outcome.refused.map(\.day) == [date] && outcome.gone.map(\.day) == [other])
        withExtendedLifetime(file) {}
    }

    @Test(
        "A version is deleted on a full disk, which makes room",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func fullDisk() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let fixture = try ArchiveFixture(root: disk.path + "/APOD")
        for bytes in [100_000, 2000] { try await fixture.add(date, "Orion Rising", "Old words.", bytes: bytes) }
        let archive = try fixture.archive()
        let going = try archive.catalog.versionsWithFiles()
        try disk.fill(with: "film")
        #expect(try await archive.prune(going) { _ in false }.gone.count == 1)
        #expect(listing(fixture[".apod-mirror/replaced/apod/\(stem)/1"]) == ["\(stem).json"])
    }

    // MARK: - Cut off between two steps

    /// What a correction has done, each step with those before it.
    enum Step: Int, CaseIterable { case staged, fileKept, moved, jsonKept, placed, dropped, recorded }

    @Test(
        "A correction that was cut off behind any step is completed from what is there",
        arguments: Step.allCases,
        [(.jpeg, "New words."), (.png, "New words."), (nil, "New words."), (.jpeg, "Old words.")]
            as [(MediaType?, String)])
    func completed(last: Step, to new: (type: MediaType?, text: String)) async throws {
        let (type, text) = new
        let old = inode(tree("jpg"))
        let arrival = try fixture.arrival(
            date, "Orion Rising", text, [(.picture, type ?? .jpeg)], bytes: type == nil ? 1000 : 2000)
        if type == nil { for file in arrival.staged.values { file.discard() } }
        let day = StagedDay(arrival.metadata, staged: type == nil ? [:] : arrival.staged, status: arrival.status)
        let ready = try day.ready(in: fixture.archive().tree.unfinished)
        func has(_ step: Step) -> Bool { step.rawValue <= last.rawValue }
        let kept = path("1/\(stem).jpg")
        if has(.fileKept) {
            for folder in ["replaced", "replaced/apod", "replaced/apod/\(stem)", "replaced/apod/\(stem)/1"] {
                mkdir(fixture[".apod-mirror/\(folder)"], 0o755)
            }
        }
        if let type {
            if has(.fileKept) { #expect(link(tree("jpg"), kept) == 0) }
            // Where there are no hard links.
            if last == .moved { #expect(unlink(tree("jpg")) == 0) }
            if has(.placed) {
                #expect(rename(fixture[".apod-mirror/unfinished/\(date).\(type.suffix)"], tree(type.suffix)) == 0)
            }
            if has(.dropped), type != .jpeg { #expect(unlink(tree("jpg")) == 0) }
        }
        if has(.jsonKept) {
            var document = try #require(try Document.of(Subject(date), root: fixture.root))
            document.version = Version.Mark(replaced: 1, holds: type == nil ? [] : ["\(stem).jpg"])
            try save(document.rewritten.bytes, to: path("1/\(stem).json"))
        }
        if has(.recorded) { try fixture.openCatalog.record([.init(ready.status, day)]) }
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(try words(tree("json")) == text)
        #expect(try contents(tree(type?.suffix ?? "jpg")).count == (type == nil ? 1000 : 2000))
        #expect(versions() == [type == nil ? "1: json" : "1: jpg json"])
        #expect(inode(type == nil ? tree("jpg") : kept) == old)
        #expect(listing(fixture[".apod-mirror/unfinished"]) == [])
        #expect(try fixture.openCatalog.countVersions() == 1)
        try await fixture.expectNoProblems()
        #expect(try await revert() == .done)
        #expect(try words(tree("json")) == "Old words." && inode(tree("jpg")) == old)
    }

    @Test(
        "A correction of which something lacks is dropped, and the day stays as it was",
        arguments: ["no file", "no JSON", "torn JSON", "another day's"])
    func incomplete(lack: String) async throws {
        let unfinished = fixture[".apod-mirror/unfinished"]
        let (json, staged) = ("\(unfinished)/\(stem).json", "\(unfinished)/\(date).jpg")
        let day = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 2000)
        _ = try day.day().ready(in: fixture.archive().tree.unfinished)
        switch lack {
        case "no file": unlink(staged)
        case "no JSON": unlink(json)
        case "torn JSON": truncate(json, 100)
        default: rename(json, "\(unfinished)/2026-11-19 Orion Rising.json")
        }
        let (words, picture) = (try contents(tree("json")), inode(tree("jpg")))
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(try contents(tree("json")) == words && inode(tree("jpg")) == picture && versions() == [])
        try await fixture.expectNoProblems()
    }

    // MARK: - Flat files of an older form

    /// How far a conversion came before it was cut off.
    enum Conversion: CaseIterable { case notBegun, fileMoved, jsonWritten, done }

    @Test("Flat files of an older form get folders, wherever a conversion was cut off", arguments: Conversion.allCases)
    func flat(_ step: Conversion) async throws {
        try await replace()
        let (json, picture) = (path("1/\(stem).json"), path("1/\(stem).jpg"))
        let before = try fixture.openCatalog.versions()[date]
        let version = try contents(json)
        var document = try #require(Document(version, name: FileName(day: date, title: "Orion Rising")))
        let moment = try #require(document.version?.replaced)
        document.version = nil
        let flat = fixture[".apod-mirror/replaced/\(stem)"]
        try await fixture.close()
        if step != .done {
            try save(document.rewritten.bytes, to: "\(flat).1.json")
            let times = [timeval(tv_sec: moment, tv_usec: 0), timeval(tv_sec: moment, tv_usec: 0)]
            #expect(utimes("\(flat).1.json", times) == 0)
        }
        if step == .notBegun { #expect(rename(picture, "\(flat).1.jpg") == 0) }
        if step == .notBegun || step == .fileMoved { #expect(unlink(json) == 0) }
        // What was damaged then, a version without its JSON, and a person's own.
        try save([1], to: "\(flat).1.damaged.jpg")
        try save([2], to: "\(flat).3.jpg")
        try save([3], to: fixture[".apod-mirror/replaced/notes.txt"])
        fixture.removeCatalog()
        #expect(try fixture.openCatalog.versions()[date] == before)
        #expect(try contents(json) == version && setAside().sorted() == ["\(stem).1.damaged.jpg", "\(stem).3.jpg"])
        let kept = listing(fixture[".apod-mirror/replaced"])
        #expect(kept.filter { !$0.contains("/") } == ["notes.txt"] && kept.count == 6)
        try await fixture.expectNoProblems()
        #expect(try await revert() == .done)
    }
}
