import Apod
import Glibc
import Store
import TestSupport
import Testing

@testable import Thumbnails

enum Thunar {
    static let isInstalled =
        geteuid() == 0
        && ["Xvfb", "thunar", "import", "dbus-run-session"].allSatisfy { (name: String) in
            access("/usr/bin/\(name)", X_OK) == 0
        }
}

extension ThumbnailTests {
    @Suite(.enabled(if: Thunar.isInstalled, "needs root, Xvfb, thunar, imagemagick and dbus-daemon"))
    struct Window {
        @Test("In Thunar the pictures have the mirror's thumbnails, and their JSON is out of sight")
        func look() async throws {
            let fixture = try ThumbnailsFixture()
            fixture.uses = .fileManagers
            let days = (0..<3).map { ThumbnailsFixture.newest.advanced(by: -2 + $0) }
            try await fixture.put("green.jpg", on: days[0], role: .poster, beside: [(.video, .mp4)])
            try await fixture.put("blue.jpg", on: days[1])
            try await fixture.put("red.jpg", on: days[2])
            try await fixture.makeAll(3)
            let script = "chmod 755 \"$(dirname \"$1\")\" . && mkdir plain && cp 2026/11/*.jpg plain"
            #expect(try await fixture.shell(script).status == 0)
            var windows = ["2026/11", "green,green,blue,red", "+plain", "green,blue,red"]
            if ["/usr/bin/sshfs", "/dev/fuse"].allSatisfy(exists) { windows += ["@2026/11", "green,green,blue,red"] }
            let program = "\(Places.packageRoot)/Tests/Clients/thumbnails.py"
            let outcome = try await Program.run(
                "/usr/bin/python3", [program, fixture.root] + windows, limit: .seconds(180))
            #expect(outcome.output.isEmpty && outcome.status == 0, "\(outcome.output)\(outcome.errors.suffix(2000))")
        }
    }
}
