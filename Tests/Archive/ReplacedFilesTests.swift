import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct ReplacedFilesTests {
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

    private func path(_ name: String) -> String { fixture[".apod-mirror/replaced/\(name)"] }
    private func tree(_ suffix: String) -> String { fixture["2026/11/\(stem).\(suffix)"] }
    private func replaced() -> [String] { listing(path("")).sorted() }
    private func words(_ path: String) throws -> String? { try JSONText(contents(path))["explanation"]?.string }
    private func replace(_ type: MediaType = .jpeg) async throws {
        try await fixture.add(date, "Orion Rising", "New words.", [(.picture, type)], bytes: 2000)
    }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test(
        "What was replaced is kept with the JSON of its time, whatever the suffix of the new one, and the numbers go on"
    )
    func kept() async throws {
        let old = inode(tree("jpg"))
        try await replace()
        #expect(replaced() == ["\(stem).1.jpg", "\(stem).1.json"])
        #expect(inode(path("\(stem).1.jpg")) == old)
        #expect(try words(path("\(stem).1.json")) == "Old words.")
        try await fixture.add(date, "Orion Rising", "Newest words.", [(.picture, .png)], bytes: 3000)
        #expect(replaced().suffix(2) == ["\(stem).2.jpg", "\(stem).2.json"])
        #expect(fixture.tree.filter { $0.hasSuffix("jpg") && $0.hasPrefix("2") } == [])
        #expect(try words(path("\(stem).2.json")) == "New words.")
        #expect(try fixture.openCatalog.fact(.replaced) == 2)
        try await fixture.expectNoProblems()
    }

    @Test("What was replaced is not what comes with the same bytes, nor what stays")
    func same() async throws {
        try await fixture.add(date, "Orion Rising", "Old words.")
        #expect(replaced() == [])
    }

    // MARK: - Texts alone

    @Test("What was replaced of texts is the JSON alone, and each change of them is kept once")
    func texts() async throws {
        for (number, text) in ["B", "C", "C", "B"].enumerated() {
            try await fixture.add(date, "Orion Rising", text)
            #expect(try words(tree("json")) == text)
            let versions = number == 0 ? 1 : number == 3 ? 3 : 2
            #expect(replaced() == (1...versions).map { "\(stem).\($0).json" })
        }
        #expect(try (1...3).map { try words(path("\(stem).\($0).json")) } == ["Old words.", "B", "C"])
        #expect(try fixture.openCatalog.fact(.replaced) == 3)
        try await fixture.expectNoProblems()
    }

    @Test("What was replaced of texts is kept by a new catalog, too, and not for a mark of the mirror's own")
    func textsAfterLoss() async throws {
        try await fixture.forget()
        try await fixture.add(date, "Orion Rising", "Old words.", downgraded: true)
        #expect(replaced() == [])
        try await fixture.forget()
        try await fixture.add(date, "Orion Rising", "New words.")
        #expect(replaced() == ["\(stem).1.json"])
    }

    @Test("What was replaced of texts comes back, again and again; the picture stays the same file")
    func textsReverted() async throws {
        try await fixture.add(date, "Orion Rising", "New words.")
        let file = inode(tree("jpg"))
        for text in ["Old words.", "New words.", "Old words."] {
            #expect(try await fixture.archive().revert(date, at: 5_000_000) == .done)
            #expect(try words(tree("json")) == text && replaced().count == 1)
            #expect(try JSONText(contents(tree("json")))["mirror"]?["set_aside"]?.elements?.count == 2)
            #expect(inode(tree("jpg")) == file)
            try await fixture.expectNoProblems()
        }
    }

    @Test("What was replaced of texts comes back, though the picture of that time is gone or came later")
    func textsWithoutPicture() async throws {
        let later = date.advanced(by: 1)
        try await fixture.add(later, "Orion Rising", "Old words.", [], state: .placeholder)
        try await fixture.add(later, "Orion Rising", "New words.")
        #expect(try await fixture.archive().revert(later, at: 0) == .done)
        let json = try JSONText(contents(fixture["2026/11/2026-11-21 Orion Rising.json"]))
        #expect(json["explanation"]?.string == "Old words." && json["mirror"]?["files"]?.elements?.count == 1)
        try await fixture.expectNoProblems()
    }

    @Test("What was replaced of texts is kept once, though its day could be stored at the second try only")
    func secondTryOfTexts() throws {
        let archive = try fixture.archive()
        let month = try #require(try Tree.existingFolder(of: date, in: archive.tree.root))
        let leaving = ReplacedFiles.NewVersion(
            name: FileName(day: date, title: "Orion Rising"), month: month, moment: 0, files: [:])
        for _ in 1...2 {
            try ReplacedFiles(in: archive.tree.own).keep([leaving], staging: archive.tree.unfinished)
            #expect(replaced() == ["\(stem).1.json"])
        }
    }

    @Test("What was replaced is told of by nobody and does not come back where its day could not be stored after all")
    func notStored() async throws {
        let archive = try fixture.archive()
        let month = try #require(try Tree.existingFolder(of: date, in: archive.tree.root))
        let name = FileName(day: date, title: "Orion Rising")
        let leaving = ReplacedFiles.NewVersion(name: name, month: month, moment: 0, files: [".jpg": false])
        try ReplacedFiles(in: archive.tree.own).keep([leaving], staging: archive.tree.unfinished)
        #expect(replaced() == ["\(stem).1.jpg", "\(stem).1.json"])
        #expect(Replacement.all(root: fixture.root, of: Subject(date)).isEmpty)
        #expect(try await archive.revert(date, at: 0) == .nothing)
    }

    @Test(
        "What was replaced is kept once, though its day could be stored at the second try only",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func secondTry() async throws {
        try await fixture.expectStop(at: tree("json")) { try await replace() }
        // The JSON of the first try was what stopped it.
        try await replace()
        #expect(try contents(tree("jpg")).count == 2000)
        #expect(replaced() == ["\(stem).1.damaged.json", "\(stem).1.jpg", "\(stem).2.json"])
        #expect(try contents(path("\(stem).1.jpg")).count == 1000)
    }

    @Test(
        "What was replaced and was damaged is kept, but nobody wants it back, whatever came in its place",
        arguments: [true, false], [1000, 2000])
    func damaged(isCut: Bool, size: Int) async throws {
        let bytes = [UInt8](repeating: 7, count: isCut ? 10 : 1000)
        try save(bytes, to: tree("jpg"))
        let arrival = try fixture.arrival(date, "Orion Rising", "Old words.", bytes: size)
        try await fixture.archive().add(
            StagedDay(arrival.metadata, staged: arrival.staged, status: arrival.status, damaged: [".jpg"]))
        #expect(replaced() == ["\(stem).1.damaged.jpg", "\(stem).1.json"])
        #expect(try contents(path("\(stem).1.damaged.jpg")) == bytes)
        #expect(try await fixture.archive().revert(date, at: 0) == .nothing)
        #expect(try fixture.openCatalog.fact(.replaced) ?? 0 == 0)
    }

    @Test("What was replaced and is damaged now is named: it does not come back, and verify finds it")
    func damagedLater() async throws {
        try await replace()
        try await fixture.expectNoProblems()
        let (json, picture) = (try contents(tree("json")), try contents(tree("jpg")))
        var bytes = try contents(path("\(stem).1.jpg"))
        bytes[500] ^= 1
        try save(bytes, to: path("\(stem).1.jpg"))
        #expect(try await fixture.problems() == ["damaged former .apod-mirror/replaced/\(stem).1.jpg"])
        let reverted = try await fixture.archive().revert(date, at: 0)
        #expect(reverted == .damaged(path: ".apod-mirror/replaced/\(stem).1.jpg"))
        #expect(try contents(tree("json")) == json && contents(tree("jpg")) == picture)
        #expect(listing(fixture[".apod-mirror/unfinished"]) == [])
        // No other is mistaken for it where it is gone.
        unlink(path("\(stem).1.jpg"))
        #expect(try await fixture.problems() == ["missing former .apod-mirror/replaced/\(stem).1.jpg"])
        #expect(try await fixture.archive().revert(date, at: 0) == reverted)
        for text in ["{", ""] {
            try save(text, to: path("\(stem).1.json"))
            #expect(try await fixture.problems() == ["damaged former .apod-mirror/replaced/\(stem).1.json"])
            let unread = try await fixture.archive().revert(date, at: 0)
            #expect(unread == .damaged(path: ".apod-mirror/replaced/\(stem).1.json"))
        }
        #expect(try contents(tree("json")) == json && contents(tree("jpg")) == picture)
    }

    @Test("What was replaced is what came before, said again what came before that, and then the newest")
    func further() async throws {
        // A smaller picture, then a corrected text.
        try await replace()
        try await fixture.add(date, "Orion Rising", "Newest words.", bytes: 2000)
        // A person's own beside a version stays.
        try save("mine", to: path("\(stem).2.png"))
        for (text, bytes) in [
            ("New words.", 2000), ("Old words.", 1000), ("Newest words.", 2000), ("New words.", 2000),
        ] {
            #expect(try await fixture.archive().revert(date, at: 5_000_000) == .done)
            #expect(try words(tree("json")) == text && contents(tree("jpg")).count == bytes)
            try await fixture.expectNoProblems()
        }
        #expect(replaced().contains("\(stem).2.png"))
    }

    @Test("What was replaced is told of where texts or a file differ, and not where it was set aside")
    func told() async throws {
        func told() -> [String] {
            Replacement.all(root: fixture.root, of: Subject(date)).map { $0.former?.role.word ?? "text" }
        }
        try await fixture.add(date, "Orion Rising", "New words.")
        #expect(told() == ["text"])
        _ = try await fixture.archive().revert(date, at: 0)
        #expect(told() == [] && replaced().count == 1)
        try await fixture.add(date, "Orion Rising", "Newest words.", bytes: 2000)
        #expect(told() == ["picture", "text"])
        #expect(Replacement.all(root: fixture.root).map { $0.former?.bytes } == [1000])
    }

    @Test(
        "What was replaced loses its files by retention, but not what was damaged, changed by a person, or a person's own"
    )
    func own() async throws {
        let (new, foreign) = (date.advanced(by: 1), date.advanced(by: 2))
        // A person's own have the names of pictures that come.
        try save("mine", to: fixture["2026/11/2026-11-21 Orion Rising.jpg"])
        try save("mine", to: fixture["2026/11/2026-11-22 Orion Rising.json"])
        for day in [new, foreign] {
            try await fixture.add(day, "Orion Rising", "Old words.")
            try await fixture.add(day, "Orion Rising", "New words.", bytes: 2000)
        }
        // As a former program called a foreign JSON.
        try save("mine", to: path("\(stem).1.json"))
        try save("changed", to: path("\(stem).2.damaged.jpg"))
        try save("mine", to: path("2026-11-21 Orion Rising.2.damaged.png"))
        let mine = [
            "\(stem).1.json", "\(stem).2.damaged.jpg", "2026-11-21 Orion Rising.1.damaged.jpg",
            "2026-11-21 Orion Rising.2.damaged.png",
            "2026-11-22 Orion Rising.1.damaged.json",
        ]
        #expect(Set(replaced()).subtracting(mine).count == 4)
        let archive = try fixture.archive()
        let replacedFiles = ReplacedFiles(in: archive.tree.own)
        var going: [ReplacedFiles.Version] = []
        for version in try replacedFiles.versions().values.joined() where try replacedFiles.isOfCorrection(version) {
            going.append(version)
        }
        #expect(Set(going.map(\.name.day)) == [new, foreign])
        #expect(try await archive.prune(going) { _ in false }.gone.count == 2)
        let left = ["2026-11-21 Orion Rising.2.json", "2026-11-22 Orion Rising.2.json"]
        #expect(replaced() == (mine + left).sorted())
        for name in left { #expect(try JSONText(contents(path(name)))["mirror"]?["pruned"]?.bool == true) }
        // Their texts still come back, and what was not the mirror's is not judged by verify, but an unread JSON.
        #expect(try await archive.revert(new, at: 0) == .done)
        #expect(try await fixture.problems() == ["damaged former .apod-mirror/replaced/\(stem).1.json"])
    }

    @Test("What was replaced without its JSON was replaced when its file last changed")
    func withoutItsJSON() async throws {
        try await replace()
        func moment() throws -> Int? {
            try ReplacedFiles(in: fixture.archive().tree.own).versions()[date]?.first?.moment
        }
        let now = Int(time(nil))
        #expect(try moment() ?? now < now - 90 * 86_400)
        #expect(unlink(path("\(stem).1.json")) == 0)
        // As the system tells it, which is not the same where the clock is shifted (libfaketime).
        let changed = try fixture.archive().tree.own.folder("replaced")?.facts(of: "\(stem).1.jpg")?.changed
        #expect(try moment() == changed && changed != nil)
    }

    @Test(
        "What was replaced stays where its day is a favorite or was reverted meanwhile, and is not said to be deleted")
    func spared() async throws {
        let (reverted, wanted) = (date.advanced(by: -1), date.advanced(by: -2))
        for bytes in [1000, 2000] {
            for day in [date, reverted, wanted] {
                try await fixture.add(day, "Orion Rising", "Old words.", bytes: bytes)
            }
        }
        let archive = try fixture.archive()
        let versions = try ReplacedFiles(in: archive.tree.own).versions().values.flatMap(\.self)
        _ = try await archive.revert(reverted, at: 0)
        let removed = try await archive.prune(versions) { $0.day == wanted }.gone
        #expect(versions.count == 3 && removed.map(\.name.day) == [date])
        let files = replaced().filter { !$0.hasSuffix("json") }
        #expect(Set(files.map { String($0.prefix(10)) }) == ["\(wanted)", "\(reverted)"])
    }

    private func versions(_ archive: Archive) throws -> [ReplacedFiles.Version] {
        try ReplacedFiles(in: archive.tree.own).versions().values.flatMap(\.self).sorted { $0.name.day > $1.name.day }
    }

    @Test(
        "What was replaced stays alone where it cannot be deleted, which is told and counted",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
    func fixed() async throws {
        let other = date.advanced(by: -1)
        for bytes in [5000, 2000] { try await fixture.add(other, "Orion Rising", "Old words.", bytes: bytes) }
        try await replace()
        let archive = try fixture.archive()
        let file = try ImmutableFolder(path("\(stem).1.jpg"))
        let outcome = try await archive.prune(try versions(archive)) { _ in false }
        #expect(outcome.refused.map(\.day) == [date] && outcome.gone.map(\.name.day) == [other])
        #expect(replaced().filter { $0.hasSuffix("jpg") } == ["\(stem).1.jpg"])
        #expect(1000..<5000 ~= (try archive.catalog.fact(.replacedBytes) ?? 0))
        withExtendedLifetime(file) {}
    }

    @Test(
        "What was replaced is deleted on a full disk, which makes room",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"))
    func fullDisk() async throws {
        let disk = try Disk("tmpfs", "size=8m")
        let fixture = try ArchiveFixture(root: disk.path + "/APOD")
        for bytes in [100_000, 2000] { try await fixture.add(date, "Orion Rising", "Old words.", bytes: bytes) }
        let archive = try fixture.archive()
        let going = try versions(archive)
        try disk.fill(with: "film")
        #expect(try await archive.prune(going) { _ in false }.gone.count == 1)
        let folder = fixture[".apod-mirror/replaced"]
        #expect(listing(folder) == ["\(stem).1.json"])
        #expect(try JSONText(contents("\(folder)/\(stem).1.json"))["mirror"]?["pruned"]?.bool == true)
    }

    @Test("What was replaced changes places with what is here, again and again, texts and all")
    func reverted() async throws {
        try await replace(.png)
        for (number, suffix, text) in [(2, "png", "Old words."), (3, "jpg", "New words."), (4, "png", "Old words.")] {
            #expect(try await fixture.archive().revert(date, at: 5_000_000) == .done)
            #expect(replaced() == ["\(stem).\(number).json", "\(stem).\(number).\(suffix)"].sorted())
            #expect(try words(tree("json")) == text)
            let json = try JSONText(contents(tree("json")))
            #expect(json["mirror"]?["set_aside"]?.elements?.count == 3)
            try await fixture.expectNoProblems()
        }
        #expect(listing(fixture[".apod-mirror/unfinished"]) == [])
    }

    @Test("What was replaced is nothing of a day that is as it came, or that is not here")
    func nothing() async throws {
        #expect(try await fixture.archive().revert(date, at: 0) == .nothing)
        #expect(try await fixture.archive().revert(date.advanced(by: -1), at: 0) == .absent)
    }

    // MARK: - Cut off between two steps

    /// What a correction has done, each step with those before it.
    enum Step: Int, CaseIterable { case staged, jsonKept, fileKept, placed, removed, recorded }

    /// Stops a correction behind a step, and opens the mirror again.
    private func cutOff(behind last: Step, _ ready: StagedDay.Ready, to type: MediaType?) async throws {
        func steps(through step: Step) -> Bool { step.rawValue <= last.rawValue }
        let (json, picture) = (path("\(stem).1.json"), path("\(stem).1.jpg"))
        if steps(through: .jsonKept) {
            mkdir(path(""), 0o755)
            try save(contents(tree("json")), to: json)
        }
        if let type {
            if steps(through: .fileKept) { #expect(link(tree("jpg"), picture) == 0) }
            let staged = fixture[".apod-mirror/unfinished/\(date).\(type.suffix)"]
            if steps(through: .placed) { #expect(rename(staged, tree(type.suffix)) == 0) }
            if steps(through: .removed), type != .jpeg { #expect(unlink(tree("jpg")) == 0) }
        }
        if steps(through: .recorded) {
            try fixture.openCatalog.record([.init(ready.status, ready.stagedDay.metadata.picture)])
        }
        try await fixture.close()
        try fixture.archive().tidy()
    }

    @Test(
        "What was replaced is completed behind each step, from what is there",
        arguments: Step.allCases, [MediaType.jpeg, .png, nil] as [MediaType?])
    func completed(step: Step, type: MediaType?) async throws {
        let old = inode(tree("jpg"))
        // No program has named it.
        try save([1], to: tree("gif"))
        let arrival = try fixture.arrival(
            date, "Orion Rising", "New words.", [(.picture, type ?? .jpeg)], bytes: type == nil ? 1000 : 2000)
        if type == nil { for file in arrival.staged.values { file.discard() } }
        let validators = Validators(etag: "\"new\"", modified: nil)
        var metadata = arrival.metadata
        metadata.files[0].validators = validators
        let day = StagedDay(metadata, staged: type == nil ? [:] : arrival.staged, status: arrival.status)
        let ready = try day.ready(in: fixture.archive().tree.unfinished)
        try await cutOff(behind: step, ready, to: type)
        let status = try #require(try fixture.openCatalog.status(of: date))
        #expect(status.state == .mirrored && status.stored?.json == ready.status.stored?.json)
        #expect(step != .recorded || status.stored?.files[0].validators == validators)
        #expect(try words(tree("json")) == "New words.")
        let suffix = type?.suffix ?? "jpg"
        let stems = ["gif", "json", suffix].sorted().map { "2026/11/\(stem).\($0)" }
        #expect(fixture.tree.filter { $0.hasPrefix("2026/11/\(stem)") } == stems)
        #expect(try contents(tree(suffix)).count == (type == nil ? 1000 : 2000))
        #expect(replaced() == (type == nil ? [] : ["\(stem).1.jpg"]) + ["\(stem).1.json"])
        #expect(inode(type == nil ? tree("jpg") : path("\(stem).1.jpg")) == old)
        #expect(try fixture.openCatalog.fact(.replaced) == 1)
        #expect(listing(fixture[".apod-mirror/unfinished"]) == [])
        try await fixture.expectNoProblems()
        #expect(try await fixture.archive().revert(date, at: 5_000_000) == .done)
        #expect(try words(tree("json")) == "Old words." && inode(tree("jpg")) == old)
    }

    @Test("What was replaced is completed where the former file was moved, as there are no hard links")
    func moved() async throws {
        let ready = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 2000)
            .ready(in: fixture.archive().tree.unfinished)
        mkdir(path(""), 0o755)
        #expect(rename(tree("jpg"), path("\(stem).1.jpg")) == 0)
        try await cutOff(behind: .jsonKept, ready, to: nil)
        #expect(try contents(tree("jpg")).count == 2000 && words(tree("json")) == "New words.")
        #expect(replaced() == ["\(stem).1.jpg", "\(stem).1.json"])
        try await fixture.expectNoProblems()
    }

    @Test("What was replaced waits for a start at which its month can be opened")
    func refused() async throws {
        let (month, away) = (fixture["2026/11"], fixture["2026/away"])
        let ready = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 2000)
            .ready(in: fixture.archive().tree.unfinished)
        #expect(rename(month, away) == 0)
        try save([1], to: month)
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(unlink(month) == 0 && rename(away, month) == 0)
        try await cutOff(behind: .staged, ready, to: nil)
        #expect(try contents(tree("jpg")).count == 2000 && words(tree("json")) == "New words.")
        #expect(replaced() == ["\(stem).1.jpg", "\(stem).1.json"])
    }

    @Test(
        "What was replaced is nothing where not all of the new day is there",
        arguments: ["no file", "no JSON", "torn JSON", "another day's", "another name"])
    func incomplete(lack: String) async throws {
        let unfinished = fixture[".apod-mirror/unfinished"]
        let (json, staged) = ("\(unfinished)/\(stem).json", "\(unfinished)/\(date).jpg")
        let day = try fixture.arrival(date, "Orion Rising", "New words.", bytes: 2000)
        _ = try day.ready(in: fixture.archive().tree.unfinished)
        switch lack {
        case "no file": unlink(staged)
        case "no JSON": unlink(json)
        case "torn JSON": truncate(json, 100)
        case "another day's": rename(json, "\(unfinished)/2026-11-19 Orion Rising.json")
        default:
            unlink(json)
            let other = FileName(day: date, title: "Orion")
            let metadata = Metadata(
                name: other, picture: day.metadata.picture, files: [], downgraded: false, fetched: 0)
            _ = try StagedDay(metadata, staged: [:], status: day.status).ready(in: fixture.archive().tree.unfinished)
        }
        let (words, picture) = (try contents(tree("json")), inode(tree("jpg")))
        try await fixture.close()
        try fixture.archive().tidy()
        #expect(try contents(tree("json")) == words && inode(tree("jpg")) == picture && replaced() == [])
        #expect(listing(unfinished).filter { $0.hasSuffix("json") } == [])
        #expect(try fixture.openCatalog.status(of: date)?.state == .mirrored)
        try await fixture.expectNoProblems()
    }
}
