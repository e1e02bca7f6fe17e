internal import Concurrency

/// Answers one request, over its connection. That ends, behind all that was said, when nobody holds this any more.
package final class ResponseWriter: Sendable {
    private let id: Int
    private let loop: ConnectionLoop

    init(_ id: Int, at loop: ConnectionLoop) {
        self.id = id
        self.loop = loop
    }

    deinit { loop.leave(id) }

    package func tell(_ answer: ControlAnswer) { loop.say(answer.line, to: id) }

    /// The last that is said.
    package func end(_ answer: ControlAnswer) {
        tell(answer)
        loop.leave(id)
    }

    package var isThere: Bool { loop.isThere(id) }

    /// Whether all that was said has gone.
    package var isListening: Bool { loop.isListening(id) }

    /// Works until the work is done or the connection is gone.
    package func attended(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task(executorPreference: ThreadExecutor.shared, operation: work)
        loop.onHangUp(of: id) { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
