import Archive
import Testing

struct SharedThumbnailTests {
    @Test("A file manager's thumbnail is called as GLib writes the file's name in an address")
    func names() {
        let name = "2026-11-20 A (B) & C's, 50% #1; é!$*+=@:[]{}~^`|.jpg"
        let digests = ["46ad12c5c2df819cce519a53d9f019f1", "1ca8baa2b94d0d7417254e705d1692a2"]
        #expect(SharedThumbnail.digests(of: name.utf8) == digests)
    }

    @Test("A file manager's thumbnail is known by the end of its path, in each size", arguments: ["normal", "large"])
    func path(size: String) throws {
        let md5 = try #require(SharedThumbnail.digests(of: "a.jpg".utf8).first)
        let path = "2026/02/.sh_thumbnails/\(size)/\(md5).png"
        for start in ["", "/", "../", "/srv/apod/"] {
            let thumbnail = try #require(SharedThumbnail(path: Array((start + path).utf8)))
            #expect(thumbnail.path == path && thumbnail.isOf("a.jpg") && !thumbnail.isOf("b.jpg"))
        }
        let others = [
            path.replacing("png", with: "jpg"), path.replacing("2026/02", with: "2026/13"), "\(path)/",
            path.replacing(size, with: "small"), path.replacing(".sh_", with: "sh_"),
            "02/.sh_thumbnails/\(size)/\(md5).png",
            path.replacing(md5, with: "0\(md5)"), path.replacing(md5, with: "\(md5.dropLast())"),
        ]
        for other in others { #expect(SharedThumbnail(path: Array(other.utf8)) == nil, "\(other)") }
    }
}
