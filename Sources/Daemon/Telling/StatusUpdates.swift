internal import Archive
internal import Concurrency
internal import Control
internal import Files
internal import Syncing

/// Publishes how the mirror stands, whenever that becomes another.
struct StatusUpdates: Sendable {
    let context: ServiceContext
    let control: ControlServer

    /// What comes in a burst is published once.
    private static let distance = Duration.seconds(5)

    /// Until the task is cancelled. Rung for days, for links and for what the service does.
    func run() async throws(StorageError) {
        let changes = context.statusChanges
        context.activity.onChange { changes.signal() }
        defer { context.activity.onChange(nil) }
        try await publish()
        for await _ in changes.signals {
            do throws(CancellationError) { try await sleep(for: Self.distance) } catch { return }
            _ = changes.take()
            try await publish()
        }
    }

    private func publish() async throws(StorageError) {
        let (mirror, now) = (context.mirror, context.time.now)
        try await blocking { [control] () throws(StorageError) in
            let report = try StatusReport(
                mirror.settings, mirror.archive.catalog, control.status.published, at: now)
            try PublishedStatus.publish(report, in: mirror.archive.tree, at: now)
        }
        await context.releaseMemory()
    }
}
