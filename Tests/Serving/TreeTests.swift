import Apod
import Files
import Glibc
import HTTP
import Serving
import TestSupport
import Testing

struct TreeTests {
    private let mirror: ServedMirror
    private let picture = "picture of 2026-11-20".bytes
    private let path = "/2026/11/2026-11-20%20Orion%20Rising.jpg"

    init() async throws { mirror = try await ServedMirror("2026-11-19", "2026-11-20") }

    private func missing(_ paths: [String]) throws {
        for path in paths { #expect(try mirror.status(path) == 404, "\(path)") }
    }

    private func link(_ target: String, _ path: String) {
        #expect(symlink(target, "\(mirror.root)/\(path)") == 0)
    }

    @Test("The served folder has the files with their types, sizes and tags")
    func files() async throws {
        let digest = "\(Digest(of: picture))"
        let file = try mirror.answer(path)
        #expect(try file.content == picture && file.type == "image/jpeg" && file.modified == 1)
        #expect(file.entityTag == digest && file.caching == .minutes)
        let json = try mirror.answer(path.replacing(".jpg", with: ".json"))
        #expect(json.type == "application/json; charset=utf-8")
        #expect(json.entityTag == "\(Digest(of: try json.content))")
        for (path, type) in [
            ("/", "text/html; charset=utf-8"), ("/feed.xml", "application/atom+xml; charset=utf-8"),
            ("/gallery/gallery.css", "text/css; charset=utf-8"), ("/gallery/icon.svg", "image/svg+xml"),
            ("/latest.jpg", "image/jpeg"), ("/latest.json", "application/json; charset=utf-8"),
        ] {
            let answer = try mirror.answer(path)
            #expect(answer.status == 200 && answer.type == type && answer.entityTag != nil, "\(path)")
            let policy = answer.headers.first { $0.name == "Content-Security-Policy" }?.value
            #expect((policy != nil) == (type.hasPrefix("text/html") || type == "image/svg+xml"), "\(path)")
        }
        #expect(try mirror.answer("/latest").headers.first?.value == path)
        // An address that names the content may be kept for good, and no other.
        #expect(try mirror.answer("\(path)?sha256=\(digest)").caching == .forever)
        for query in ["", "?sha256=", "?sha256=\(digest.dropLast())0x", "?v=\(digest)"] {
            #expect(try mirror.answer(path + query).caching == .minutes)
        }
        // A file that is not the one in the index has a tag of its own.
        try mirror.put("another", "2026/11/2026-11-20 Orion Rising.jpg")
        let other = try mirror.answer("\(path)?sha256=\(digest)")
        #expect(other.caching == .minutes && other.entityTag != digest)
    }

    @Test("What is published within the clock's last tick is served")
    func tick() async throws {
        let mirror = try ServedMirror()
        let tick = timespec(tv_sec: time(nil) + 3600, tv_nsec: 0)
        for date in ["2026-11-19", "2026-11-20"] {
            try await mirror.add(date)
            try mirror.publish()
            // The folder of the index has the time that it had before.
            #expect(utimensat(AT_FDCWD, "\(mirror.root)/.apod-mirror/days", [tick, tick], 0) == 0)
            #expect(try mirror.text("/apod.rss").contains("ap\(day(date).compact).html"))
        }
    }

    @Test("The served folder compresses its texts for who takes them so, under a tag of their own")
    func compressed() async throws {
        for (path, accepted, isText) in [
            ("/", "gzip, deflate, br", true), ("/gallery/gallery.js", "br;q=1.0, gzip;q=0.8", true),
            ("/latest.jpg", "gzip", false), ("/gallery/icon.svg", "gzip", false),
        ] {
            let plain = try mirror.answer(path)
            let packed = try mirror.answer(path, headers: ["accept-encoding": accepted])
            let fields = [plain, packed].map { Dictionary($0.headers.map { ($0.name, $0.value) }) { $1 } }
            #expect(
                fields.map { $0["Vary"] } == (isText ? ["Accept-Encoding", "Accept-Encoding"] : [nil, nil]), "\(path)")
            #expect(fields.map { $0["Content-Encoding"] } == [nil, isText ? "gzip" : nil], "\(path)")
            #expect(fields[0]["Content-Security-Policy"] == fields[1]["Content-Security-Policy"], "\(path)")
            #expect((packed.entityTag == plain.entityTag) == !isText, "\(path)")
            guard isText else { continue }
            #expect(try inflated(packed.content) == plain.content, "\(path)")
        }
        for refused in ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"] {
            let answer = try mirror.answer("/index.html", headers: ["accept-encoding": refused])
            #expect(answer.headers.allSatisfy { $0.name != "Content-Encoding" }, "\(refused)")
        }
        // What was compressed before is not shown for what is there later.
        let before = try mirror.answer("/index.html", headers: ["accept-encoding": "gzip"]).content
        try mirror.put("<!-- later -->", "later.html")
        let root = try Folder.open(mirror.root)
        try root.rename("later.html", to: root, as: "index.html")
        let after = try mirror.answer("/index.html", headers: ["accept-encoding": "gzip"]).content
        #expect(before != after && inflated(after) == "<!-- later -->".bytes)
    }

    @Test("The served folder hides what is hidden, and what lies outside")
    func hidden() async throws {
        try mirror.put("secret", "../outside.txt")
        for (target, path) in [
            ("../outside.txt", "out.txt"), (".apod-mirror", "own"), ("loop", "loop"), ("/proc/self", "proc"),
        ] { link(target, path) }
        #expect(mkfifo("\(mirror.root)/pipe", 0o666) == 0)
        try missing([
            "/.apod-mirror/days/2026.json", "/gallery/.nomedia", "/out.txt", "/own/days/2026.json", "/loop",
            "/proc/environ", "/pipe", "/content/dam/..%5coutside.txt", "/2026/11/.sh_thumbnails/",
            "/%0d%0aSet-Cookie:%20a=b", "\(path)/", "/index.html/x",
        ])
        // What its owner put beside the pictures is there, unless that is hidden.
        for path in ["notes.txt", "2026/11/notes.txt", ".notes.txt", "2026/11/.notes.txt"] {
            try mirror.put("mine", path)
            #expect(try mirror.status("/\(path)") == (path.contains("/.") || path.first == "." ? 404 : 200))
        }
    }

    @Test("The served folder lists folders without an index, and nothing hidden")
    func lists() async throws {
        try mirror.put("x", "2026/11/<b>&\"'.txt")
        let list = try mirror.text("/2026/11/")
        #expect(list.contains("<a href=\"./2026-11-20%20Orion%20Rising.jpg\">2026-11-20 Orion Rising.jpg</a>"))
        #expect(list.contains("<a href=\"../\">") || list.contains("<a href=\"./../\">"))
        #expect(list.contains("./%3Cb%3E%26%22%27.txt\">&lt;b&gt;&amp;&quot;&#39;.txt</a>"))
        #expect(!list.contains(".hidden") && !list.contains(".sh_thumbnails"))
        let redirect = try mirror.answer("/2026")
        #expect(redirect.status == 302 && redirect.headers.first?.value == "/2026/")
        #expect(try mirror.answer("//2026").headers.first?.value == "/2026/")
    }

    @Test("The served folder judges what was opened by where it is, however it was asked for")
    func places() async throws {
        for folder in ["favorites", "favorites/Album", "favorites/Private", "FAVORITES"] {
            mkdir("\(mirror.root)/\(folder)", 0o755)
        }
        let target = "2026/11/2026-11-20 Orion Rising.jpg"
        link("../\(target)", "favorites/a.jpg")
        link("../../\(target)", "favorites/Album/K\u{f6}ln.jpg")
        link("../photo.jpg", "favorites/Private/d.jpg")
        link(".", "favorites/Private/loop")
        try mirror.put(#"[{"date":"2026-11-20","links":["a.jpg"]}]"#, "favorites.json")
        try mirror.put("photo", "favorites/photo.jpg")
        try mirror.put("photo", "favorites/Private/photo.jpg")
        // On some disks, it would be the same folder.
        for folder in ["FAVORITES", "search", "search/Mine", "today", "frame"] {
            mkdir("\(mirror.root)/\(folder)", 0o755)
            try mirror.put("photo", "\(folder)/photo.jpg")
        }
        // Equal as text, and another file.
        try mirror.put("photo", "favorites/Album/Ko\u{308}ln.jpg")
        try mirror.put(#"{"title":"photo","explanation":"photo"}"#, "favorites/photo.json")
        // The mirror's own names may be led there, too.
        for (target, path) in [
            ("favorites", "mine"), ("../favorites/photo.jpg", "2026/index.html"), (".apod-mirror", "favorites/own"),
            ("../../favorites/photo.jpg", "2026/11/2026-11-19 Orion Rising.jpg"),
            ("../../favorites/photo.json", "2026/11/2026-11-19 Orion Rising.json"),
            ("favorites/photo.jpg", "latest.jpg"), ("favorites/photo.json", "latest.json"),
            ("../../favorites/photo.json", "gallery/data/favorites.js"),
        ] {
            unlink("\(mirror.root)/\(path)")
            link(target, path)
        }
        try missing([
            "/favorites/Private/", "/favorites/Private/d.jpg", "/favorites/nothing", "/mine/photo.jpg",
            "/mine/Private/photo.jpg", "/mine/own/", "/2026/index.html", path.replacing("-20", with: "-19"),
            path.replacing("-20%20Orion%20Rising.jpg", with: "-19%20Orion%20Rising.json"),
            "/latest.json", "/gallery/data/favorites.js", "/favorites/Album/Ko%CC%88ln.jpg", "/FAVORITES/photo.jpg",
            "/search/Mine/", "/search/Mine/photo.jpg", "/today/photo.jpg", "/frame/photo.jpg",
            "/content/dam/science/cds/apod/apod/2026/month/Pic%202026-11-19.jpg",
            "/apod/image/2611/Pic%202026-11-19.jpg",
        ])
        for path in [
            "/latest.jpg", "/latest.jpg?width=10", "/random.jpg", "/planetary/apod?date=2026-11-19", "/2026/",
            "/planetary/apod?start_date=2026-11-01", "/wp-json/wp/v2/apod-basic/261119", "/apod/ap261119.html",
            "/mine/", "/mine/Album/", "/favorites/",
        ] {
            #expect(try !mirror.text(path).contains("photo"), "\(path)")
        }
        for path in [
            "/favorites/a.jpg", "/mine/a.jpg", "/mine/Album/K%C3%B6ln.jpg", "/favorites/random.jpg",
        ] { #expect(try mirror.answer(path).content == picture, "\(path)") }
        let list = try mirror.text("/favorites/")
        #expect(list.contains("a.jpg") && list.contains("Album/") && !list.contains("Private"))
        #expect(try mirror.answer("/mine").headers.first?.value == "/mine/")
    }

    @Test("Albums are looked into no deeper than the service looks", arguments: [32, 33])
    func depth(depth: Int) throws {
        var album = "favorites"
        mkdir("\(mirror.root)/\(album)", 0o755)
        for _ in 0..<depth {
            album += "/a"
            mkdir("\(mirror.root)/\(album)", 0o755)
        }
        let up = String(repeating: "../", count: depth + 1)
        link("\(up)2026/11/2026-11-20 Orion Rising.jpg", "\(album)/a.jpg")
        #expect(try mirror.text("/favorites/").contains("a/") == (depth == 32))
        #expect(try mirror.status("/\(album)/") == (depth == 32 ? 200 : 404))
    }

    @Test("What a correction of a list replaced is served, whatever the list is called", arguments: ["cats", "today"])
    func replaced(list: String) throws {
        let path = ".apod-mirror/replaced/\(list)/Mittens/1"
        _ = try Folder.make("\(mirror.root)/\(path)")
        try mirror.put("former", "\(path)/Mittens.jpg")
        #expect(try mirror.text("/\(path)/Mittens.jpg") == "former")
    }

    @Test("The served folder holds nothing of the folder between two requests")
    func unmountable() async throws {
        // The test has the mirror open, too.
        func open() throws -> [String] {
            try Folder.open("/proc/self/fd").names().compactMap { name in
                (try? File.reading("/proc/self/fd/\(name)").truePath).flatMap { $0 }
                    .map(\.text)
            }.filter { $0.hasPrefix(mirror.root) }.sorted()
        }
        let before = try open()
        for path in [
            "/", "/2026/11/", "/2026/11/2026-11-20%20Orion%20Rising.jpg", "/planetary/apod", "/latest.jpg", "/health",
            "/latest.jpg?width=10", "/metrics", "/favorites/", "/apod/", "/events", "/nothing",
        ] { _ = try mirror.answer(path).status }
        #expect(try open() == before)
    }

    @Test("The served folder is the gallery's own page before the first day, and says why there is none")
    func empty() async throws {
        let mirror = try ServedMirror()
        try mirror.publish()
        let page = try mirror.answer("/")
        #expect(page.status == 200 && page.type == "text/html; charset=utf-8")
        #expect(try mirror.answer("/gallery/gallery.js").status == 200)
        #expect(try mirror.text("/gallery/data/favorites.js").contains("apod.serve();"))
        for path in ["/planetary/apod", "/latest.jpg", "/wp-json/wp/v2/apod-basic", "/apod/", "/nothing"] {
            let answer = try mirror.answer(path)
            #expect(answer.status == 503 && answer.headers.contains { $0.name == "Retry-After" }, "\(path)")
        }
        #expect(try mirror.answer("/health").status == 503)
        #expect(try mirror.json("/health")["status"]?.string == "empty")
        #expect(try mirror.json("/health")["why"] == nil)
        try mirror.put(
            """
            {"published":"2026-11-20T00:00:00Z","conditions":[
            {"code":"unrecognised","link":"photo.jpg","reason":"other"},
            {"code":"unfinished","failure":{"code":"unreachable","detail":"no route","reason":"as said then",
            "address":"https://nasa.example/x"},"at":"2026-11-20T00:00:00Z"}]}
            """, ".apod-mirror/status.json")
        #expect(try mirror.json("/health")["why"]?.string == "nasa.example: cannot be reached (no route)")
        try await mirror.add("2026-11-20")
        try mirror.publish()
        #expect(try mirror.answer("/planetary/apod").status == 200)
        #expect(try mirror.json("/health")["status"]?.string == "stale" && mirror.answer("/health").status == 503)
        let now = Time.text(Int(time(nil)))
        try mirror.put(
            #"{"conditions":[{"code":"unfinished"}],"last_refresh":"\#(now)"}"#, ".apod-mirror/status.json")
        #expect(try mirror.json("/health")["status"]?.string == "ok" && mirror.json("/health")["why"] == nil)
    }

    /// The newest day is of the 20th of November 2026, and so is the site's time.
    @Test(
        "A mirror is stale two days after a service's last sign, unless a command brings the days",
        arguments: [
            ("2026-11-16T00:00:00Z", "2026-11-16", "stale"), ("2026-11-19T00:00:00Z", "2026-11-16", "ok"),
            ("2026-11-16T00:00:00Z", "2026-11-20", "ok"), (nil, "2026-11-16", "ok"),
        ])
    func silence(written: String?, newest: String, state: String) async throws {
        let mirror = try await ServedMirror(newest)
        let text = written.map { #"{"conditions":[],"published":"\#($0)","last_refresh":"\#($0)"}"# } ?? "{}"
        try mirror.put(text, ".apod-mirror/status.json")
        let health = try mirror.json("/health")
        #expect(health["status"]?.string == state && (health["why"] != nil) == (state == "stale"))
    }

    @Test("The served folder is away without a folder or an index, and back when it is back")
    func away() async throws {
        #expect(try mirror.answer("/").status == 200)
        rename(mirror.root, "\(mirror.root).gone")
        for path in ["/", "/planetary/apod", "/latest.jpg", "/health"] {
            #expect(try mirror.answer(path).status == 503, "\(path)")
        }
        #expect(try mirror.text("/metrics").contains("apod_mirror_up 0"))
        rename("\(mirror.root).gone", mirror.root)
        #expect(try mirror.answer("/").status == 200)
        let metrics = try mirror.text("/metrics")
        #expect(metrics.contains("apod_mirror_up 1") && metrics.contains("apod_mirror_http_requests_total 0"))
        #expect(try mirror.json("/health")["newest"]?.string == "2026-11-20")
    }
}
