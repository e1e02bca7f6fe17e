import Glibc
import TestSupport
import Testing

extension FavoritesFixture {
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
            ])
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    }
}
