import Apod
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("A file that stands for a link")
struct DesktopFileTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    private func entry(_ lines: String...) -> String {
        "[Desktop Entry]\nIcon=image-jpeg\nName=Link to Orion\nType=Link\n" + lines.joined(separator: "\n") + "\n"
    }

    private func save(_ text: String, as name: String = "Orion.desktop") throws {
        try TestSupport.save(text, to: wall[name])
    }

    @Test(
        "counts by where it leads, and stays as it is",
        arguments: [
            "[$e]=file://ROOT/2026/11/2026-11-20 Orion Rising.jpg",
            "=file://ROOT/2026/11/2026%2d11%2D20%20Orion%20Rising.jpg",
            "=file:ROOT/2026/11/2026-11-20 Orion Rising.jpg",
            " = file://localhostROOT/2026/11/2026-11-20%20Orion%20Rising.json",
            "[$e]=file:///mnt/nas/2026/11/2026-11-20%20Orion%20Rising.png",
            // As KConfig writes what is in the person's home.
            "[$e]=file:$HOME/Pictures/$$5/2026/11/2026-11-20%20Orion%20Rising.jpg",
        ])
    func leads(address: String) async throws {
        let text = entry("URL" + address.replacing("ROOT", with: wall.root))
        try save(text)
        try wall.lookAndSettle(to: ["2026-11-20: Orion.desktop"])
        #expect(try fileText(wall["Orion.desktop"]) == text)
        try wall.remove("Orion.desktop")
        try wall.lookAndSettle(at: "Orion.desktop")
        #expect(try wall.favorites == [])
    }

    @Test(
        "is made again as a link that no file manager takes for a program",
        arguments: [
            ("Orion.desktop", "Orion.jpg"), ("Orion.jpg.desktop", "Orion.jpg"), ("Orion.png.desktop", "Orion.png.jpg"),
        ])
    func restored(name: String, link: String) async throws {
        try save(entry("URL=file://\(wall.orionPath)"), as: name)
        try wall.lookAndSettle()
        try wall.remove(name)
        try wall.lookAndSettle(at: name)
        #expect(try wall.favorites == [])
        #expect(try wall.restore(.days([Wall.orion])) == [link])
        #expect(wall.target(link) == Wall.orionLink && wall.target(name) == nil)
        #expect(try wall.restore(.days([Wall.orion])) == [])
        // Where that name is taken, by something else or by another.
        try wall.remove(link)
        try wall.lookAndSettle(at: link)
        try wall.link(link, to: "/etc/passwd")
        try wall.lookAndSettle()
        #expect(try wall.restore(.days([Wall.orion])) == ["2 \(link)"])
    }

    @Test("asks for no day by where it would lead beside all albums")
    func noWish() async throws {
        try wall.album("a")
        try save(entry("URL=file://\(wall.folder)/2019-04-10"), as: "a/x.desktop")
        try wall.lookAndSettle()
        #expect(try wall.days == [] && wall.unrecognised == ["a/x.desktop"])
    }

    @Test("for a day that is not here is a request, and is made again by the day's name")
    func request() async throws {
        let (day, name) = (Day("2019-04-10")!, "Horizon.desktop")
        try save(entry("URL[$e]=file:///mnt/nas/apod/2019/04/2019-04-10 First Horizon.jpg"), as: name)
        try wall.lookAndSettle()
        #expect(try wall.catalog.dueFavorites(at: day.noon) == [day])
        try wall.remove(name)
        try wall.lookAndSettle(at: name)
        #expect(try wall.restore(.days([day])) == ["Horizon"])
    }

    @Test(
        "to somewhere else is a stranger",
        arguments: [
            "URL=https://example.org/2026/11/2026-11-20.jpg", "URL=file:///etc/passwd", "URL=", "URL=file:", "",
            "URL=2026/11/2026-11-20.jpg", "URL=file:///2026/11/2026-11-20%00.jpg", "Exec=rm -rf /",
            "[Other]\nURL=file:///2026/11/2026-11-20.jpg", "URL=file:///tmp/%4", "URL[$e]=file:$HOME",
            "URL[$e]=file:$HOMEWARD/2026/11/2026-11-20.jpg",
        ])
    func unrecognised(line: String) async throws {
        try save(entry(line))
        try wall.lookAndSettle()
        #expect(try wall.days == [])
        #expect(try wall.unrecognised == ["Orion.desktop"])
    }

    @Test("starts a program and is a stranger")
    func application() async throws {
        let url = "URL=file://\(wall.orionPath)"
        try save("[Desktop Entry]\nType=Application\n\(url)\n")
        try wall.lookAndSettle()
        #expect(try wall.unrecognised == ["Orion.desktop"])
    }

    @Test("is decoded where there are two hexadecimal digits, and nowhere else")
    func digits() {
        let path = "/a%+5%4/%-1%41%4z% 4%zz%2B%4"
        let file = DesktopFile(Array(entry("URL=file://\(path)").utf8))
        #expect(file.map { String(decoding: $0.path, as: UTF8.self) } == "/a%+5%4/%-1A%4z% 4%zz+%4")
    }

    @Test("is none where it is a picture, whatever its name, or longer than any of them")
    func long() async throws {
        let day = Day("2026-10-01")!
        try await wall.shelf.add(day, "Large Picture", bytes: DesktopFile.longest + 1)
        let picture = "2026/10/2026-10-01 Large Picture.jpg"
        try TestSupport.save(try contents("\(wall.root)/\(picture)"), to: wall["copy.desktop"])
        let line = "URL=file://\(wall.orionPath)"
        try save(entry(line, String(repeating: "#", count: DesktopFile.longest)))
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-10-01: copy.desktop"] && wall.unrecognised == ["Orion.desktop"])
        #expect(wall.target("copy.desktop") == "../\(picture)")
    }
}
