internal import Control

/// A part of the service. It runs until its task is cancelled, or nothing is left to do.
package struct NamedService: Sendable {
    let name: ServicePart
    let run: @Sendable () async throws -> Void

    init(_ name: ServicePart, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}
