import Apod
import Glibc
import TestSupport
import Testing

extension ServiceSandbox {
    /// It watches the favorites of a mirror of two days.
    static func watching() async throws -> ServiceSandbox {
        let mirror = try await ServiceSandbox(days: 2)
        try await mirror.start()
        return mirror
    }

    /// As a person does it, in the favorites folder.
    func shell(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await sandbox.shell(
            """
            set -eu; cd '\(folder)'
            OLD='\(root)/\(try picture(1))'; NEW='\(root)/\(try picture(0))'
            \(script)
            """
        ).succeeds(sourceLocation: sourceLocation)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// What favorites.json says: `2019-04-30: album/name, name`.
    func list() throws -> [String] {
        guard let bytes = try? contents("\(root)/favorites.json") else { return [] }
        return try #require(try JSONText(bytes).elements).filter { $0["ended"] == nil }.map { favorite in
            let links = favorite["links"]?.elements?.compactMap(\.string) ?? []
            return "\(favorite["date"]?.string ?? ""): \(links.joined(separator: ", "))"
        }
    }

    func listSays(_ favorites: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually(sourceLocation: sourceLocation) { try list() == favorites }
    }
}
