import Files
import Store
import Synchronization
import Syncing

/// Shows the events of a job as they come, and redraws the progress bar.
final class JobDisplay: Sendable {
    typealias Running = @Sendable (@escaping EventHandler) async throws -> Void

    private let report: Mutex<JobReport>

    init(_ report: JobReport) { self.report = Mutex(report) }

    /// Throws the error that ended the work, unless the report has shown it.
    func run(_ work: @escaping Running, endsBySignal: Bool) async throws -> ExitStatus {
        // The stream is unbounded: the work does not wait for the display.
        let (events, next) = AsyncStream<Event>.makeStream()
        let task = Task(executorPreference: ThreadExecutor.shared) {
            defer { next.finish() }
            try await work { next.yield($0) }
        }
        if endsBySignal { Signals.onFirst { task.cancel() } }
        defer { if endsBySignal { Signals.release() } }
        await withTaskGroup { group in
            if Terminal.isInteractive { group.addTask { await self.draw() } }
            for await event in events { report.withLock { $0.enter(event) } }
            group.cancelAll()
        }
        do {
            try await task.value
            report.withLock { _ = $0.end() }
        } catch {
            guard report.withLock({ $0.end(by: error) }) else { throw error }
        }
        return report.withLock(\.status)
    }

    private func draw() async {
        repeat { report.withLock { $0.draw() } } while (try? await sleep(for: .milliseconds(200))) != nil
    }
}
