package import Apod
internal import Files
import Synchronization

/// A sync, or a repair, that the service does.
package final class RemoteSync: Sendable {
    /// One refresh of it.
    package struct Stage: Sendable {
        /// Days that were asked for by their dates.
        package let named: Set<Day>
        package let running: Refresh.Running
    }

    /// Ends with what kept it from its end, unless a stage has said that.
    package let stages: AsyncThrowingStream<Stage, any Error>
    private let next: AsyncThrowingStream<Stage, any Error>.Continuation
    private let client: ControlClient
    private let note: @Sendable (String) -> Void
    private let bytes = Atomic(0)

    /// Begins at once. `note` is given what there is to know while waiting.
    package init(_ request: ControlRequest, by client: ControlClient, note: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.note = note
        (stages, next) = AsyncThrowingStream.makeStream()
        // As much as comes is read, however slowly it is shown: the service does not wait.
        startThread { [self] in ask(request) }
    }

    /// How much of files has come so far.
    package var received: Int { bytes.load(ordering: .relaxed) }

    package func cancel() { client.cancel() }

    private func ask(_ request: ControlRequest) {
        var stage: AsyncThrowingStream<Refresh.Event, any Error>.Continuation?
        do throws(ControlFailure) {
            try client.ask(request) { answer in
                switch answer {
                case .stage(let named): stage = begin(named)
                case .event(let event): stage?.yield(event)
                case .received(let count): bytes.store(count, ordering: .relaxed)
                case .stageEnded(let why):
                    stage?.finish(throwing: why.map(ControlFailure.failed))
                    stage = nil
                case .note(let words): note(words)
                case .status, .entry, .end, .mistake, .otherVersion: break
                }
            }
            next.finish()
        } catch {
            if let stage { stage.finish(throwing: error) }
            next.finish(throwing: stage == nil ? error : nil)
        }
    }

    private func begin(_ named: Set<Day>) -> AsyncThrowingStream<Refresh.Event, any Error>.Continuation {
        bytes.store(0, ordering: .relaxed)
        let (events, continuation) = AsyncThrowingStream<Refresh.Event, any Error>.makeStream()
        next.yield(Stage(named: named, running: Refresh.Running(events: events, cancel: { [self] in cancel() })))
        return continuation
    }
}
