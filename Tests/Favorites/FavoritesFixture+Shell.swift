import Glibc
import TestSupport
import Testing

extension FavoritesFixture {
    /// Whether a program is there. `Tests/prepare` installs those that the tests use.
    static func has(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

    /// Beside the mirror, and nobody's.
    var outside: String { mirror.folder.appending("outside") }

    /// What a person does at the command line, in the favorites folder; `$ROOT` is the mirror's, `$OUT` a folder
    /// outside of it and the person's home, `$ORION` and `$CLOUDS` are pictures.
    func shell(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        mkdir(outside, 0o755)
        let outcome = try await Program.run(
            "/bin/bash", ["-euc", "cd '\(folder)'\n" + script],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": outside, "LANG": "C.UTF-8", "ROOT": root, "OUT": outside,
                "ORION": "\(root)/\(Self.orionFile)", "CLOUDS": "\(root)/\(Self.cloudsFile)",
                "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
                "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    }
}
