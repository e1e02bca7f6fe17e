import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

struct KnownRootsTests {
    private let home: TemporaryFolder
    private let root: String

    init() throws {
        home = try TemporaryFolder()
        root = home.appending("APOD")
    }

    private func environment(_ variables: [String: String]) -> [String: String] {
        variables.mapValues { $0.replacing("~", with: home.path) }
    }

    @Test(
        "Where there are mirrors is remembered in the state folder of the service, or of the person",
        arguments: [
            (["STATE_DIRECTORY": "~/s", "XDG_STATE_HOME": "~/x", "HOME": "~"], "s/roots"),
            (["STATE_DIRECTORY": "~/s:~/t", "HOME": "~"], "s/roots"),
            (["XDG_STATE_HOME": "~/x", "HOME": "~"], "x/apod-mirror/roots"),
            (["STATE_DIRECTORY": "s", "XDG_STATE_HOME": "x", "HOME": "~"], ".local/state/apod-mirror/roots"),
        ])
    func places(variables: [String: String], file: String) throws {
        let environment = environment(variables)
        #expect(!KnownRoots(environment: environment).haveLost(root))
        for _ in 1...2 { KnownRoots(environment: environment).remember(root) }
        #expect(try fileText(home.appending(file)) == "\(root)\n")
        #expect(KnownRoots(environment: environment).haveLost(root))
        #expect(!KnownRoots(environment: environment).haveLost("\(root)/x"))
        _ = try Folder.make("\(root)/\(Tree.ownFolder)")
        #expect(!KnownRoots(environment: environment).haveLost(root))
    }

    @Test("Where there are mirrors is remembered of several, and of none of which a line cannot tell")
    func several() {
        let roots = KnownRoots(environment: environment(["HOME": "~"]))
        for name in ["a", "b", "c\n\(root)", "d"] { roots.remember("\(root)/\(name)") }
        for name in ["a", "b", "d"] { #expect(roots.haveLost("\(root)/\(name)")) }
        for path in ["\(root)/c", "\(root)", "\(root)/c\n\(root)"] { #expect(!roots.haveLost(path)) }
    }

    @Test("Where there are mirrors is not remembered where there is no place for it, and nothing is lost then")
    func nowhere() throws {
        for variables in [[:], ["HOME": "home"], ["HOME": "~/file"]] {
            try save([], to: home.appending("file"))
            let roots = KnownRoots(environment: environment(variables))
            roots.remember(root)
            #expect(!roots.haveLost(root))
        }
    }
}
