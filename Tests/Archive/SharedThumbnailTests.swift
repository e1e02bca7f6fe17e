import Archive
import Testing

struct SharedThumbnailTests {
    @Test("A file manager's thumbnail is called as GLib writes the file's name in an address")
    func names() {
        let name = "2026-11-20 A (B) & C's, 50% #1; é!$*+=@:[]{}~^`|.jpg"
        let digests = ["46ad12c5c2df819cce519a53d9f019f1", "1ca8baa2b94d0d7417254e705d1692a2"]
        #expect(SharedThumbnail.digests(of: name.utf8) == digests)
    }
}
