internal import Control

/// One part of the service, by its name. It runs until its task is cancelled.
package struct NamedService: Sendable {
    let name: ServicePart
    let run: @Sendable () async throws -> Void

    init(_ name: ServicePart, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}
