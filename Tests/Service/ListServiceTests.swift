import Apod
import Configuration
import Glibc
import Service
import Store
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite(.patience)
struct ListServiceTests {
    private let server: HTTPServer
    private let isUp: Awaited<Bool>
    /// Whether the picture does not come when it is asked for next.
    private let hangs: Awaited<Bool>

    init() throws {
        let (isUp, hangs) = (Awaited(true), Awaited(false))
        (self.isUp, self.hangs) = (isUp, hangs)
        server = try HTTPServer { request in
            if request.path == "/cats/1.jpg" {
                let isHanging = hangs.update { hangs in
                    defer { hangs = false }
                    return hangs
                }
                return isHanging ? .hanging : .media(Pictures.jpeg(), type: "image/jpeg")
            }
            return isUp.value
                ? .json("[{\"id\": 1, \"name\": \"Mittens\", \"photo_url\": \"/cats/1.jpg\"}]") : .html(404)
        }
    }

    private var lists: [PictureList] {
        [PictureList(name: ListName("cats")!, address: WebAddress("\(server.origin)/cats.json")!)]
    }

    private func service(_ change: (inout Settings) -> Void = { _ in }) throws -> TestService {
        try TestService(days: 2) { settings in
            settings.lists = lists
            change(&settings)
        }
    }

    private var questions: Int { server.requests.count { $0.path == "/cats.json" } }

    @Test("Lists come once a day, and again after a restart only when that is over")
    func daily() async throws {
        let testService = try service()
        let start = testService.time.now
        try await testService.start(until: .mirrored, "cats: Mittens")
        try await testService.time.awaited(exactly: start + 86_400 - 1800)
        await testService.stop()
        testService.time.set(start + 80_000)
        testService.start()
        try await testService.time.awaited(exactly: start + 86_400 - 1800)
        #expect(questions == 1)
        testService.time.set(start + 86_400 - 1800)
        try await testService.time.awaited(exactly: start + 2 * (86_400 - 1800))
        #expect(questions == 2)
        #expect(testService.status?.conditions.isEmpty == true)
        await testService.stop()
    }

    @Test("Lists are asked for at once when their settings are others, though a pause goes on")
    func otherSettings() async throws {
        isUp.update { $0 = false }
        let testService = try service()
        mkdir(testService.root, 0o755)
        try save([], to: testService["lists"])
        try await testService.start(until: .refreshFailed, "lists: ")
        await testService.stop()
        unlink(testService["lists"])
        try await testService.start(until: .refreshFailed, "cats: ")
        try await testService.time.awaited(from: testService.time.now + 3600)
        await testService.stop()
        isUp.update { $0 = true }
        testService.settings.lists[0].rules[.title] = FieldRule("name")
        try await testService.start(until: .mirrored, "cats: Mittens")
        await testService.stop()
    }

    @Test("Lists give way to a person's command, and go on after it")
    func giveWay() async throws {
        hangs.update { $0 = true }
        let testService = try service { $0.lists[0].keep = 5 }
        testService.start()
        try await server.request { $0.path == "/cats/1.jpg" }
        let client = try #require(try ControlClient.reach(root: testService.root))
        try await client.run(.repair([], lists: [ListName("cats")!])) { _ in }
        try await testService.told(.mirrored, "cats: Mittens")
        #expect(questions == 2)
        await testService.stop()
    }

    @Test("Lists whose line and folder are deleted are gone at once, with their links, and begin anew")
    func ended() async throws {
        let testService = try service()
        for path in ["", "search", "search/mittens"] { mkdir(testService[path], 0o755) }
        func links(_ search: String = "mittens") -> [String] { listing(testService["search/\(search)"]) }
        testService.start()
        try await testService.eventually { links().count == 1 }
        #expect(symlink("../lists/cats/Mittens.jpg", testService["favorites/a.jpg"]) == 0)
        try await testService.eventually { try testService.log.favorites.count == 1 }
        testService.settings.lists = []
        testService.reload()
        try await testService.told(.reloaded)
        // When this is filled, nothing else is due.
        mkdir(testService["search/cats:"], 0o755)
        try await testService.eventually { links("cats:").count == 1 }
        #expect(links().count == 1)
        rename(testService["lists/cats"], testService.folder.appending("cats"))
        try await testService.eventually {
            try links().isEmpty && testService.catalog.lists().isEmpty && testService.log.favorites.isEmpty
        }
        testService.settings.lists = lists
        testService.reload()
        try await testService.told(.mirrored, "cats: Mittens", times: 2)
        await testService.stop()
    }

    @Test(
        "Lists have a gallery, copies and sidecars, which go with a reload where none is wanted"
    )
    func shown() async throws {
        let testService = try service { ($0.gallery, $0.thumbnails, $0.sidecars) = (.yes, .yes, .yes) }
        let (data, copies) = ("gallery/data/lists/cats", "gallery/lists/cats")
        func text(_ path: String) -> String { (try? fileText("\(testService.root)/\(path)")) ?? "" }
        func names(_ path: String) -> [String] { listing("\(testService.root)/\(path)") }
        testService.start()
        try await testService.eventually {
            text("\(data)/0.js").contains("\"copies\":1") && text("index.html").contains("data-names=\"cats\"")
        }
        let all = names(copies)
        #expect(all.count == 2 && all.allSatisfy { $0.hasSuffix("-480.webp") || $0.hasSuffix("-1280.jpg") })
        #expect(names(data) == ["0-text.js", "0.js", "list.js"])
        try await testService.eventually { !text("lists/cats/Mittens.jpg.xmp").isEmpty }
        #expect(!names("lists/cats/.sh_thumbnails").isEmpty)
        // Its favorites have their stars when it is looked at again.
        #expect(symlink("../lists/cats/Mittens.jpg", "\(testService.root)/favorites/a.jpg") == 0)
        try await testService.eventually { text("favorites.json").contains("Mittens") }
        await testService.stop()
        testService.start()
        try await testService.eventually { text("lists/cats/Mittens.jpg.xmp").contains("<xmp:Rating>5<") }
        (testService.settings.gallery, testService.settings.thumbnails) = (.no, .no)
        testService.settings.sidecars = .no
        testService.reload()
        try await testService.eventually {
            names("").allSatisfy { !$0.hasPrefix("gallery") && !$0.hasSuffix(".xmp") && !$0.contains(".sh_") }
        }
        #expect(!names(".apod-mirror/lists/cats/days").isEmpty)
        await testService.stop()
    }

    @Test(
        "Lists that fail are asked for after growing pauses; after three days it is a condition"
    )
    func silence() async throws {
        isUp.update { $0 = false }
        let testService = try service()
        let start = testService.time.now
        try await testService.start(until: .refreshFailed, "cats: ")
        var asked = start
        for pause in [3600, 3600, 7200, 14_400, 28_800, 57_600, 84_600, 84_600] {
            try await testService.time.awaited(exactly: asked + pause)
            asked += pause
            testService.time.set(asked)
        }
        try await testService.time.awaited(from: asked + 84_600)
        let report = try StatusReport(
            testService.settings, testService.catalog, testService.log, at: testService.time.now)
        let silent = report.conditions.contains { condition in
            if case .listSilent(_, Moment(start), _) = condition { true } else { false }
        }
        #expect(silent)
        var others = testService.settings
        others.lists = []
        let without = try StatusReport(others, testService.catalog, testService.log, at: testService.time.now)
        #expect(without.conditions.isEmpty && without.lists.count == 1)
        isUp.update { $0 = true }
        testService.time.set(asked + 84_600)
        try await testService.told(.mirrored, "cats: Mittens")
        await testService.stop()
    }
}
