/// One of the services that make up the service. It runs until its task is cancelled.
package struct Duty: Sendable {
    package enum Name: String, Sendable, CaseIterable {
        case favorites, wishes, refresh, backfill, retention, mending, control
    }

    let name: Name
    let run: @Sendable () async throws -> Void

    init(_ name: Name, _ run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}
