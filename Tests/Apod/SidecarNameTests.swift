import Apod
import Testing

struct SidecarNameTests {
    private static let day = Day("2026-11-20")!

    @Test(
        "The name of a sidecar is the picture's or the video's with a suffix, and is read back, whatever the title",
        arguments: ["Night", "", "a.jpg", "e\u{301}", "Sky\u{d4e}", String(repeating: "星", count: 300)])
    func title(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        for type in MediaType.allCases {
            let file = StoredFile(
                role: .picture, type: type, address: WebAddress("https://a.example/x")!, bytes: 1,
                sha256: Digest([UInt8](repeating: 0, count: 32))!)
            guard let sidecar = SidecarName(of: file, named: name) else {
                #expect(type == .html)
                continue
            }
            #expect(type != .html && sidecar.file == name.with(type.suffix) && sidecar.name.day == Self.day)
            let text = "\(sidecar)"
            #expect(text.utf8.elementsEqual("\(name.with(type.suffix)).xmp".utf8) && text.utf8.count <= 255)
            #expect(SidecarName(text) == sidecar)
        }
    }

    @Test(
        "The name of a sidecar is no other name",
        arguments: [
            "2026-11-20 A.xmp", "2026-11-20 A.html.xmp", "2026-11-20 A.JPG.xmp", "2026-11-20 A.jpg.XMP",
            "2026-11-20 A.jpg", "2026-11-20 A.jpg.xmp.xmp", "A.jpg.xmp", "2026-13-20 A.jpg.xmp", ".xmp", "",
            "2026-11-20 A?.jpg.xmp", "2026-11-20 A.jpg.\u{301}xmp",
        ])
    func other(text: String) { #expect(SidecarName(text) == nil) }
}
