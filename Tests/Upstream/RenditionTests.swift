import Apod
import TestSupport
import Testing

@testable import Upstream

struct RenditionTests {
    @Test(
        "An address has an original, and a rendition of a screen's size, but no GIF has one",
        arguments: [
            ("http://h:81/dynamicimage/assets/x/A%20b.PNG?w=5", "/content/dam/x/A%20b.PNG", true),
            ("http://h:81/content/dam/a.jpg?w=5&h=6", "/content/dam/a.jpg", true),
            ("http://h:81/content/dam/a.GIF", "/content/dam/a.GIF", false),
            ("http://h:81/x/dynamicimage/assets/a.jpg", nil, false), ("http://h:81/a.jpg?w=5", nil, false),
        ])
    func originals(text: String, original: String?, hasRendition: Bool) {
        #expect(address(text).original == original.map { address("http://h:81\($0)") })
        let name = (original ?? "").replacing("/content/dam/", with: "")
        let rendition = "http://h:81/dynamicimage/assets/\(name)?w=3840&h=3840&fit=clip"
        #expect(address(text).rendition(longest: 3840) == (hasRendition ? address(rendition) : nil))
    }

    @Test("A screen's rendition is that of the first address that has one, where the picture is larger")
    func first() {
        let (plain, dam) = ("http://h/b.jpg", "http://h/content/dam/a.jpg")
        let rendition = address("http://h/dynamicimage/assets/a.jpg?w=9&h=9&fit=clip")
        for (addresses, width, isThere) in [
            ([plain, dam], nil, true), ([dam], 9, false), ([dam], 10, true), (["http://h/b.gif", dam], nil, false),
        ] as [([String], Int?, Bool)] {
            #expect(source(addresses, width, width.map { _ in 1 })?.screen(longest: 9) == (isThere ? rendition : nil))
        }
    }

    @Test(
        "A size is known only where both sides are",
        arguments: ["?w=5", "?w=-5&h=5", "?w=99999999999999999999&h=5"])
    func sizes(query: String) { #expect(address("http://h/a.jpg\(query)").size == nil) }

    @Test(
        "NASA's stand-ins are no pictures",
        arguments: [
            ("x/news-thumbnail.png?w=1", true), ("nasa-meatball-small.jpg", true), ("the-nasa-logo.png", false),
            ("news-thumbnail.png/a.jpg", false),
        ])
    func placeholders(path: String, isPlaceholder: Bool) {
        #expect(address("https://h/\(path)").isPlaceholder == isPlaceholder)
    }
}
