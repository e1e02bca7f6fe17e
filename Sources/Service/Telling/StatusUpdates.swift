import Files
import Store
import Syncing

/// Publishes the status (`StatusReport`) whenever it may have changed.
struct StatusUpdates: Sendable {
    let context: ServiceContext
    let control: ControlServer

    /// A burst of changes is published once.
    private static let distance = Duration.seconds(5)

    /// Runs until the task is cancelled. Changes of days, of links and of `Activity` wake it.
    func run() async throws {
        let changes = context.statusChanges
        context.activity.onChange { changes.signal() }
        defer { context.activity.onChange(nil) }
        try await publish()
        while (try? await changes.changed()) != nil {
            do throws(CancellationError) { try await sleep(for: Self.distance) } catch {
                // What changed in the last seconds is true for as long as the service is stopped.
                try? await publish()
                return
            }
            changes.take()
            try await publish()
        }
    }

    private func publish() async throws {
        let (mirror, now) = (context.mirror, context.time.now)
        try await blocking { [control] in
            let report = try StatusReport(
                mirror.settings, mirror.archive.catalog, mirror.archive.favorites, control.status, at: now)
            try report.publish(in: mirror.archive.tree, at: now)
        }
        await context.releaseMemory()
    }
}
