package import Apod
internal import Concurrency
import Synchronization
package import Syncing

/// A sync, or a repair, that the service does.
package final class RemoteSync: Sendable {
    /// What happens one after the other.
    package enum Stage: Sendable {
        /// `named`: days that were asked for by their dates.
        case refresh(Refresh.Running, named: Set<Day>)
        case message(Message)
    }

    /// Ends with what kept it from its end, unless a stage has said that.
    package let stages: AsyncThrowingStream<Stage, any Error>
    private let next: AsyncThrowingStream<Stage, any Error>.Continuation
    private let client: ControlClient
    private let bytes = Atomic(0)

    /// Begins at once.
    package init(_ request: ControlRequest, by client: ControlClient) {
        self.client = client
        (stages, next) = AsyncThrowingStream.makeStream()
        // As much as comes is read, however slowly it is shown: the service does not wait.
        startThread { [self] in ask(request) }
    }

    /// How much of files has come so far.
    package var received: Int { bytes.load(ordering: .relaxed) }

    package func cancel() { client.cancel() }

    private func ask(_ request: ControlRequest) {
        var stage: AsyncThrowingStream<Refresh.Event, any Error>.Continuation?
        do throws(ControlError) {
            try client.ask(request) { answer in
                switch answer {
                case .stage(let named): stage = begin(named)
                case .event(let event): stage?.yield(event)
                case .received(let count): bytes.store(count, ordering: .relaxed)
                case .stageEnded(let why):
                    stage?.finish(throwing: why.map(ControlError.failed))
                    stage = nil
                case .message(let message): next.yield(.message(message))
                case .status, .taken, .end, .mistake, .refused, .otherVersion: break
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
        next.yield(.refresh(Refresh.Running(events: events, cancel: { [self] in cancel() }), named: named))
        return continuation
    }
}
