import Apod
import Testing

struct GallerySizeTests {
    private static let day = DayPicture(Day("2026-09-16")!)
    private static let item = DayPicture(FileName(itemWithTitle: "Mittens", date: nil, of: ListName("cats")!).day)

    @Test("The names of smaller copies lead back to the picture, in a year's folder or in that of a list")
    func names() {
        #expect(GallerySize.small.path(of: Self.day) == "gallery/2026/2026-09-16-480.webp")
        #expect(GallerySize.large.name(of: DayPicture(Self.day.day, 2)) == "2026-09-16-2-1280.jpg")
        let name = GallerySize.large.name(of: Self.item)
        #expect(name.utf8.count == 16 + 9 && GallerySize.picture(in: name) == Self.item)
        #expect(GallerySize.large.path(of: Self.item, in: ListName("cats")) == "gallery/lists/cats/\(name)")
        #expect(GallerySize.picture(in: "2026-09-16-480.webp") == Self.day)
    }

    @Test(
        "The names of smaller copies are no other names",
        arguments: [
            "", "480.webp", "2026-09-16-481.webp", "2026-09-16 480.webp", "c0ffee-480.webp",
            "00C0FFEE00c0ffee-480.webp",
            "+0c0ffee00c0ffee-480.webp", "-0c0ffee00c0ffee-480.webp", "7fffffffffffffff-480.webp",
            "0000000000000000-480.webp", "00c0ffee00c0ffee-481.webp",
        ])
    func others(name: String) {
        #expect(GallerySize.picture(in: name) == nil)
    }
}
