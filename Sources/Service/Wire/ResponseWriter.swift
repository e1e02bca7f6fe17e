import Apod
import Files

/// Writes the answers to one request. When it is released, the connection closes behind the last answer.
final class ResponseWriter: Sendable {
    private let id: Int
    private let loop: ConnectionLoop

    init(_ id: Int, at loop: ConnectionLoop) {
        self.id = id
        self.loop = loop
    }

    deinit { loop.leave(id) }

    /// Begins the answer.
    func begin(_ status: Int) {
        let head = "HTTP/1.1 \(status) \r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
        loop.say(head.bytes, to: id)
    }

    func send(_ status: StatusReport) { loop.say(status.json.compact + ["\n"], to: id) }

    func send(_ answer: ControlAnswer) { loop.say(answer.line, to: id) }

    /// Writes the last answer.
    func end(_ answer: ControlAnswer) {
        send(answer)
        loop.leave(id)
    }

    var isThere: Bool { loop.isThere(id) }

    /// Whether everything written has been sent.
    var isListening: Bool { loop.isListening(id) }

    /// Does the work, and cancels it if the connection breaks.
    func runWhileConnected(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task(executorPreference: ThreadExecutor.shared, operation: work)
        loop.onHangUp(of: id) { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
