import Apod
import Files
import Glibc
import Store
import Syncing
import TestSupport
import Testing

@testable import Favorites

struct FavoritesOrderTests {
    private let fixture: ArchiveFixture
    private let day = Day("2019-04-10")!

    init() throws { fixture = try ArchiveFixture() }

    private var folder: String { fixture["favorites"] }

    private func messages(_ action: FavoritesOrder.Action, album: String? = nil) throws -> [Event] {
        let editor = try FavoritesEditor(
            root: fixture.root, catalog: fixture.openCatalog, favorites: fixture.favorites)
        var messages: [Event] = []
        let order = FavoritesOrder(action, [.day(day)], album: album.flatMap(AlbumName.init))
        _ = try order.run(by: editor) { messages.append($0) }
        return messages
    }

    @Test(
        "A favorite is made of a day whatever NASA said of it, and the day is asked for anew",
        arguments: [nil, .failed, .absent] as [Item.State?])
    func absent(state: Item.State?) async throws {
        let archive = try fixture.archive()
        if let state { try await archive.record(Item(.day(day), state, retryAfter: day.noon + 60)) }
        _ = try messages(.add)
        #expect(target(of: "\(folder)/\(day)") == "\(day)")
        try Keeper(archive, clock: { [day] in day.noon }).look(.everywhere)
        // A failure has its pause.
        #expect(try archive.catalog.due(among: [day], at: day.noon) == (state == .failed ? [] : [day]))
    }

    @Test("No favorites folder is made where one is lost; all its links come back together")
    func lost() throws {
        let other = day.advanced(by: 1)
        try fixture.favorites.favor([day, other], at: 0)
        rmdir(folder)
        for action in [FavoritesOrder.Action.add, .remove] {
            guard case .complained(let words)? = try messages(action).last else { throw SystemError("nothing said") }
            #expect(words.contains("is missing; all favorites stay") && !exists(folder))
        }
        _ = try messages(.restore)
        #expect(try Folder.open(folder).names().sorted() == [day, other].map(\.description))
    }

    @Test("A day comes into albums and out of them, and stays a favorite until it is removed")
    func albums() throws {
        func links() throws -> [String] {
            let folders = ["", "Comets", "Red ones"].filter { exists("\(folder)/\($0)") }
            return try folders.flatMap { album in
                try Folder.open("\(folder)/\(album)").names().filter { $0 == "\(day)" }.map { "\(album)/\($0)" }
            }
        }
        let steps: [(FavoritesOrder.Action, String?, [String])] = [
            (.add, "Comets", ["Comets"]), (.add, "Red ones", ["Comets", "Red ones"]), (.remove, "Comets", ["Red ones"]),
            (.remove, "Red ones", [""]), (.add, "Comets", ["", "Comets"]), (.remove, "Comets", [""]),
            (.add, "Red ones", ["", "Red ones"]), (.remove, nil, []),
        ]
        for (action, album, expected) in steps {
            _ = try messages(action, album: album)
            #expect(try links() == expected.map { "\($0)/\(day)" }, "\(action) \(album ?? "")")
        }
        let complaint = Event.complained("\(day) has no link in favorites/Comets")
        #expect(try messages(.remove, album: "Comets") == [complaint])
        // What a person has put in the place of a link is not the favorite's.
        try fixture.favorites.favor([day], at: 0)
        try save("mine", to: "\(folder)/\(day)")
        #expect(try messages(.remove) == [.complained("\(day) has no link in favorites")])
        #expect(try fileText("\(folder)/\(day)") == "mine")
    }

    @Test("No album is made beside a hundred others")
    func full() throws {
        _ = try Folder.open(fixture.archive().tree.root.path).makeFolder("favorites")
        for number in 1...100 { #expect(mkdir("\(folder)/\(number)", 0o755) == 0) }
        let complaint = Event.complained("there are too many albums for another one")
        #expect(try messages(.add, album: "Comets") == [complaint])
        #expect(try messages(.add, album: "100").count == 2)
        #expect(target(of: "\(folder)/100/\(day)") == "\(day)")
    }
}
