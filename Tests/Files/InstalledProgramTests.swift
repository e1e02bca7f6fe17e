import Testing

@testable import Files

@Suite("A program that is missing")
struct InstalledProgramTests {
    @Test(
        "is built again where this one was built, and installed elsewhere",
        arguments: [
            ("/home/anna/apod-mirror/.build/x86_64-unknown-linux-gnu/debug", "`swift build` makes it"),
            ("/home/anna/apod-mirror/.build/release", "`swift build -c release` makes it"),
            ("/usr/bin", "install apod-mirror again"), ("", "install apod-mirror again"),
        ])
    func remedy(folder: String, words: String) { #expect(InstalledProgram.remedy(in: folder) == words) }
}
