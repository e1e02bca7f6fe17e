import Archive
import Catalog
import Files
import TestSupport
import Testing

@testable import Favorites

struct FolderEventTests {
    private func change(_ name: String?, _ mask: Inotify.Mask, _ subject: WatchedFolder?) -> FolderEvent {
        FolderEvent(
            Inotify.Event(watch: subject == nil ? -1 : 1, mask: mask, name: name.flatMap { Name($0) }), to: subject)
    }

    @Test("A name in an album is a place")
    func place() {
        #expect(change("x", .created, .album(.top)) == .place("x"))
        #expect(change(".x", .written, .album(.top)) == .place(".x"))
    }

    @Test("In the root, only the favorites matter")
    func root() {
        #expect(change("2026", [.created, .folder], .root) == .none)
        #expect(change("favorites", .created, .root) == .folders)
        #expect(change("favorites", [.attributes, .folder], .root) == .folders)
    }

    @Test("The mirror's own folder in an album means nothing, but anything else of that name does")
    func own() {
        let name = ".sh_thumbnails"
        for mask in [Inotify.Mask.created, .deleted, .attributes, .movedHere] {
            #expect(change(name, [mask, .folder], .album(.top)) == .none)
        }
        #expect(change(name, .created, .album(.top)) == .place(Place(Name(name)!, in: .top)))
    }

    @Test("Folders that come, go or change, and events that were lost, are no places")
    func folders() {
        #expect(change("a", [.attributes, .folder], .album(.top)) == .folders)
        #expect(change(".a", [.created, .folder], .album(.top)) == .place(".a"))
        let subjects = [WatchedFolder.root, .album(.top)]
        #expect(subjects.allSatisfy { change(nil, .selfDeleted, $0) == .folders })
        #expect(change(nil, [], nil) == .folders)
    }
}

/// Bits of inotify(7).
extension Inotify.Mask {
    static let attributes = Inotify.Mask(rawValue: 0x4)
    static let movedHere = Inotify.Mask(rawValue: 0x80)
    static let created = Inotify.Mask(rawValue: 0x100)
    static let deleted = Inotify.Mask(rawValue: 0x200)
    static let selfDeleted = Inotify.Mask(rawValue: 0x400)
}
