import TestSupport

/// A client that knows HTTP better than we do.
enum Curl {
    static func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(
            "/usr/bin/env", ["curl", "--silent", "--noproxy", "*"] + arguments, limit: .seconds(20))
    }
}
