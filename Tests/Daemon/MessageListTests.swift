import Apod
import Archive
import Files
import Synchronization
import Syncing
import TestSupport
import Testing

@testable import Catalog
@testable import Daemon

@Suite("What is told of a change of the favorites that could not be noted")
struct MessageListTests {
    @Test("is not that it is done where nothing can be known of it", arguments: [true, false])
    func unknown(isReadable: Bool) throws {
        let catalog = try Shelf().archive().catalog
        if !isReadable {
            try catalog.database.withLock { database throws(StorageError) in try database.script("DROP TABLE favorite")
            }
        }
        let list = MessageList()
        let day = Day("2026-11-20")!
        list.add(.changed(.removed, day, link: "x"))
        list.add(.changed(.made, day, link: "y"))
        let held = list.whatHolds(in: catalog, asker: "the service")
        let made = Message.warned("favorites/y is there, but not entered yet; the service enters it")
        let removed = Message.warned("favorites/x is gone, but that is not noted yet; the service takes note of it")
        #expect(held == (isReadable ? [.changed(.removed, day, link: "x"), made] : [made, removed]))
    }
}
