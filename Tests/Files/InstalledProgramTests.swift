import Testing

@testable import Files

struct InstalledProgramTests {
    @Test(
        "A program that is missing is built again where this one was built, and installed elsewhere",
        arguments: [
            ("/home/anna/apod-mirror/.build/x86_64-unknown-linux-gnu/debug", "`swift build` makes it"),
            ("/home/anna/apod-mirror/.build/release", "`swift build -c release` makes it"),
            ("/usr/bin", "install apod-mirror again"), ("", "install apod-mirror again"),
        ])
    func remedy(folder: String, words: String) { #expect(InstalledProgram.remedy(in: folder) == words) }
}
