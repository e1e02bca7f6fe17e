import Apod
import Testing

@testable import Upstream

struct RenditionTests {
    @Test(
        "Renditions and originals tell of each other on any host",
        arguments: [
            ("http://127.0.0.1:81/dynamicimage/assets/x/A%20b.PNG?w=5", "http://127.0.0.1:81/content/dam/x/A%20b.PNG"),
            ("https://h.example/content/dam/a.jpg?w=5&h=6", "https://h.example/content/dam/a.jpg"),
            ("https://h.example/content/dam/a.jpg", "https://h.example/content/dam/a.jpg"),
            ("https://h.example/x/dynamicimage/assets/a.jpg", nil),
            ("https://h.example/a.jpg?w=5", nil),
        ])
    func originals(rendition: String, original: String?) {
        #expect(address(rendition).original == original.map(address))
    }

    @Test("Renditions and originals can be asked for no larger than a screen, but not of GIFs")
    func screen() {
        let rendition = address("http://h:8/dynamicimage/assets/a.jpg?w=3840&h=3840&fit=clip")
        #expect(address("http://h:8/content/dam/a.jpg?w=9").rendition(longest: 3840) == rendition)
        #expect(address("http://h:8/dynamicimage/assets/a.jpg").rendition(longest: 3840) == rendition)
        #expect(address("http://h:8/content/dam/a.GIF").rendition(longest: 3840) == nil)
        #expect(address("http://h:8/a.jpg").rendition(longest: 3840) == nil)
    }

    @Test(
        "Renditions and originals are asked for of the first address that has one, but for no GIF, nor where the picture is no larger"
    )
    func first() {
        let addresses = ["http://h/content/dam/a.jpg"]
        #expect(source(addresses, 3840, 100)?.screen(longest: 3840) == nil)
        #expect(source(addresses, 3841, 100)?.screen(longest: 3840) != nil)
        #expect(source(addresses)?.screen(longest: 3840) != nil)
        let rendition = address("http://h/dynamicimage/assets/a.jpg?w=9&h=9&fit=clip")
        #expect(source(["http://h/b.jpg", "http://h/content/dam/a.jpg"])?.screen(longest: 9) == rendition)
        #expect(source(["http://h/b.gif", "http://h/content/dam/a.jpg"])?.screen(longest: 9) == nil)
    }

    @Test("Renditions and originals make one list, the first original in front and nothing twice")
    func list() {
        let given = ["http://h/dynamicimage/assets/a.jpg?w=1", "http://h/b.jpg", "http://h/content/dam/c.jpg?w=0&h=2"]
        let all = ["http://h/content/dam/a.jpg"] + given + ["http://h/content/dam/c.jpg"]
        let candidates = (given + given).map(address)
        #expect(Source(candidates: candidates) == source(all))
        #expect(Source(candidates: candidates, sizedBy: candidates[2]) == source(all))
        #expect(Source(candidates: []) == nil)
    }

    @Test(
        "Renditions and originals have sizes only where these are known",
        arguments: ["", "?w=0&h=0", "?w=5", "?w=-5&h=5", "?w=99999999999999999999&h=5", "?w=a&h=b"])
    func sizes(query: String) {
        #expect(address("http://h/a.jpg\(query)").size == nil)
    }

    @Test(
        "Renditions and originals are not stand-ins",
        arguments: [
            ("https://h/x/news-thumbnail.png?w=1", true), ("https://h/nasa-meatball-small.jpg", true),
            ("https://h/a/NASA-Logo@2x.png", true),
            ("https://h/wp-content/uploads/a.jpg", true), ("https://h/the-nasa-logo.png", false),
            ("https://h/news-thumbnail.png/a.jpg", false), ("https://h/", false),
        ])
    func placeholders(text: String, isPlaceholder: Bool) {
        #expect(address(text).isPlaceholder == isPlaceholder)
    }
}
