internal import CCurl
import Glibc
import Synchronization

/// The one thread on which libcurl runs.
final class CurlLoop: Sendable {
    private let shared = Shared()
    private let thread: pthread_t

    init() {
        var thread = pthread_t()
        let shared = Unmanaged.passRetained(shared).toOpaque()
        let code = pthread_create(&thread, nil, { Unmanaged<Shared>.fromOpaque($0!).takeRetainedValue().run() }, shared)
        precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
        self.thread = thread
    }

    deinit {
        shared.stop()
        pthread_join(thread, nil)
    }

    func add(_ transfer: Transfer) { shared.add(transfer) }

    func cancel(_ transfer: Transfer) {
        transfer.cancelled.store(true, ordering: .relaxed)
        shared.wake()
    }
}

/// `@unchecked Sendable`: `multi` is used by the thread in `run` alone, but for `curl_multi_wakeup`, which any thread
/// may call.
private final class Shared: @unchecked Sendable {
    private struct Inbox {
        var transfers: [Transfer] = []
        var isStopped = false
    }

    private let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]

    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        multi = curl_multi_init()
    }

    deinit { curl_multi_cleanup(multi) }

    func add(_ transfer: Transfer) {
        inbox.withLock { $0.transfers.append(transfer) }
        wake()
    }

    func stop() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    func wake() { curl_multi_wakeup(multi) }

    func run() -> UnsafeMutableRawPointer? {
        while true {
            let isStopped = takeIn()
            dropCancelled()
            if isStopped, running.isEmpty { return nil }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            finishCompleted()
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func takeIn() -> Bool {
        let (transfers, isStopped) = inbox.withLock { inbox in
            defer { inbox.transfers = [] }
            return (inbox.transfers, inbox.isStopped)
        }
        for transfer in transfers {
            let easy = transfer.prepare()
            running[easy] = transfer
            curl_multi_add_handle(multi, easy)
        }
        return isStopped
    }

    private func dropCancelled() {
        for (easy, transfer) in running where transfer.cancelled.load(ordering: .relaxed) {
            remove(easy)
            transfer.cancel()
        }
    }

    private func finishCompleted() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            let transfer = running[easy]
            remove(easy)
            transfer?.finish(code)
        }
    }

    private func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, easy)
        running[easy] = nil
    }
}

extension CurlLoop {
    /// Ends early, with `.cancelled`, when the task is cancelled.
    func perform(_ request: Transfer.Request, into receiver: any Receiver) async throws(FetchError) -> Head {
        let started = Mutex<Transfer?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(request, into: receiver) { continuation.resume(returning: $0) }
                started.withLock { $0 = transfer }
                if Task.isCancelled { transfer.cancelled.store(true, ordering: .relaxed) }
                add(transfer)
            }
        } onCancel: {
            if let transfer = started.withLock({ $0 }) { cancel(transfer) }
        }
        return try result.get()
    }
}
