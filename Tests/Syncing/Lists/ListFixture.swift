import Apod
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport

@testable import Store

/// A server with a list of pictures, and a mirror that has it as `cats`.
final class ListFixture {
    /// What the server has at the moment. Items are in the list's order.
    struct Served: Sendable {
        struct Item: Sendable {
            let id: String
            var title: String
            var date: String?
            /// Of the picture; nil: it is not there.
            var seed: UInt64?
            /// Names of members that it has not.
            var lacking: [String] = []
            var text = ""

            init(_ title: String, id: String? = nil, date: String? = nil, seed: UInt64? = 1) {
                (self.title, self.id, self.date, self.seed) = (title, id ?? title, date, seed)
            }
        }

        var items: [Item]
        var pageSize = 100
        /// In the place of each page.
        var answer: Response?
        /// The number of a page that the server refuses.
        var refused: Int?
        /// In the place of each picture that is not there.
        var lack = Response.html(404)
        var cover: Response?
        var tag: String?
    }

    let served: Awaited<Served>
    let server: HTTPServer
    let testMirror: TestMirror
    var list: PictureList

    init(_ items: [Served.Item], pageSize: Int = 100, _ change: (inout Settings) -> Void = { _ in }) throws {
        let served = Awaited(Served(items: items, pageSize: pageSize))
        self.served = served
        server = try HTTPServer { request in served.value.response(to: request) }
        testMirror = try TestMirror([]) { settings in
            settings.thumbnails = .no
            change(&settings)
        }
        list = PictureList(name: ListName("cats")!, address: WebAddress("\(server.origin)/cats")!)
    }

    convenience init(_ titles: String...) throws { try self.init(titles.map { Served.Item($0) }) }

    var root: String { testMirror["lists/cats"] }

    /// One round; returns what was told of it, in order of the words: pictures come side by side.
    @discardableResult
    func refresh(isAsked: Bool = false) async throws -> [String] {
        server.forgetRequests()
        testMirror.settings.lists = [list]
        let told = Awaited<[String]>([])
        try await testMirror.mirror { mirror in
            let round = ListRound(mirror, for: isAsked ? SyncOrder() : nil) { event in
                if case .planned = event { return }
                told.update { $0.append([event.words, event.why].compactMap(\.self).joined(separator: ": ")) }
            }
            try await round.refresh([list])
        }
        return told.value.sorted()
    }

    /// The list's folder, without what only file managers read.
    var tree: [String] { listing(root).filter { !$0.hasSuffix("/") && !$0.contains(".hidden") } }

    var pictures: [String] { tree.filter { !$0.hasSuffix(".json") } }

    func json(_ path: String) throws -> JSONText { try JSONText(contents("\(root)/\(path)")) }

    /// What the server was asked for, and how often.
    var pages: [String] { server.requests.map(\.target).filter { $0.hasPrefix("/cats") } }
    var files: Int { server.requests.count { $0.path.hasPrefix("/files/") && $0.headers["if-none-match"] == nil } }
    /// The questions whether a file is another.
    var questions: [String] {
        let asked = server.requests.filter { $0.path.hasPrefix("/files/") && $0.headers["if-none-match"] != nil }
        return asked.map(\.path).sorted()
    }

    /// What `verify` finds.
    func problems() async throws -> [String] {
        let catalog = try Archive.catalogToRead(root: testMirror.root)
        return try await Verification(root: testMirror.root, catalog: catalog!).problems().map { "\($0)" }
    }

    /// The items by the names of their files, the newest last.
    var order: [String] {
        get throws {
            let items = try Archive.catalogToRead(root: testMirror.root)?.storedItems(of: list.name)
            return items?.compactMap(\.stored?.name.stem) ?? []
        }
    }

    /// The items' states, by title.
    func failed() throws -> Int {
        try Archive.catalogToRead(root: testMirror.root)?.summary(of: list.name).failed.count ?? 0
    }
}

extension ListFixture.Served {
    func response(to request: Request) -> Response {
        if request.path == "/cover.jpg" { return cover ?? .html(404) }
        if request.path.hasPrefix("/files/") {
            guard let seed = items.first(where: { request.path == "/files/\($0.id).jpg" })?.seed else {
                return lack
            }
            return .media(Pictures.jpeg(seed: seed), type: "image/jpeg", tag: "\(seed)")
        }
        if let answer { return answer }
        if let tag, request.headers["if-none-match"] == tag { return Response(status: 304) }
        let number = request["page"].flatMap { Int($0) } ?? 0
        if number == refused { return .html(404) }
        var response = Response.json(page(number))
        response[header: "ETag"] = tag
        return response
    }

    private func page(_ number: Int) -> String {
        let start = number * pageSize
        let shown = items.dropFirst(start).prefix(pageSize).map { item in
            let members: [(String, JSON?)] = [
                ("id", .string(item.id)), ("name", .string(item.title)), ("date", item.date.map(JSON.string)),
                ("photo_url", .string("/files/\(item.id).jpg")), ("description", .string(item.text)),
            ]
            return JSON.sparse(members.filter { !item.lacking.contains($0.0) })
        }
        let next = start + pageSize < items.count ? "/cats?page=\(number + 1)" : nil
        return JSON.sparse([("items", .array(shown)), ("next_url", next.map(JSON.string))]).line
    }
}
