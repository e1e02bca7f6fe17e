import Glibc
import TestSupport
import Testing

@testable import Gallery

enum Browser {
    static let python = "\(Places.packageRoot)/.build/python/bin/python3"
    static let isInstalled = ["/usr/bin/chromium", python].allSatisfy { (path: String) in access(path, X_OK) == 0 }
}

@Suite(.enabled(if: Browser.isInstalled, "chromium or Playwright is missing: see Tests/prepare"))
struct BrowserTests {
    @Test("In Chromium the gallery opens, is walked through and searched, and does nothing hostile")
    func walk() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let script = "\(Places.packageRoot)/Tests/Clients/gallery.py"
        let outcome = try await Program.run(Browser.python, [script, "walk", fixture.root], limit: .seconds(1800))
        let wrong = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(wrong.isEmpty && outcome.status == 0, "\(outcome.output)\(outcome.errors.suffix(2000))")
    }
}
