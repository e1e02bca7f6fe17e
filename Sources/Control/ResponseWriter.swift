internal import Concurrency

/// Somebody who has asked the service for something, and waits. Gone when nobody serves them any more.
package final class ResponseWriter: Sendable {
    private let id: Int
    private let reception: ConnectionLoop
    /// Who may do nothing but read.
    package let mayOnlyRead: Bool

    init(_ id: Int, at reception: ConnectionLoop, mayOnlyRead: Bool) {
        self.id = id
        self.mayOnlyRead = mayOnlyRead
        self.reception = reception
    }

    deinit { reception.leave(id) }

    package func tell(_ answer: ControlAnswer) { reception.say(answer.line, to: id) }

    /// The last that is said.
    package func end(_ answer: ControlAnswer) {
        tell(answer)
        reception.leave(id)
    }

    package var isThere: Bool { reception.isThere(id) }

    /// Whether all that was said has gone.
    package var isListening: Bool { reception.isListening(id) }

    /// Works until the work is done or the visitor has left.
    package func attended(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task(executorPreference: ThreadExecutor.shared, operation: work)
        reception.onHangUp(of: id) { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
