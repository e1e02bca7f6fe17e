import CCurl
import Files
import Glibc
import Synchronization

/// The one thread on which libcurl runs. It starts with the first transfer, as that opens the library.
final class CurlLoop: Sendable {
    private let files: Int
    private let started = Mutex<(shared: Shared, thread: pthread_t)?>(nil)

    /// `files`: the most files at once; others wait here, so that the next begins as soon as one ends.
    init(files: Int) { self.files = files }

    deinit {
        guard let (shared, thread) = started.withLock(\.self) else { return }
        shared.stop()
        pthread_join(thread, nil)
    }

    private var shared: Shared {
        started.withLock { started in
            if let started { return started.shared }
            let shared = Shared(files: files)
            started = (shared, startThreadToJoin { shared.run() })
            return shared
        }
    }

    /// Throws `.cancelled` as soon as the task is cancelled.
    func perform(_ request: Transfer.Want, into receiver: any ResponseReceiver) async throws(FetchError)
        -> AnswerHead
    {
        let shared = shared
        let begun = Mutex<Transfer?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(request, into: receiver) { continuation.resume(returning: $0) }
                begun.withLock { $0 = transfer }
                if Task.isCancelled { transfer.cancelled.store(true, ordering: .relaxed) }
                shared.add(transfer)
            }
        } onCancel: {
            guard let transfer = begun.withLock(\.self) else { return }
            transfer.cancelled.store(true, ordering: .relaxed)
            shared.wake()
        }
        return try result.get()
    }
}

/// `@unchecked Sendable`: only the thread in `run` uses `multi` and the lists.
private final class Shared: @unchecked Sendable {
    private struct Inbox {
        var transfers: [Transfer] = []
        var isStopped = false
    }

    private let multi: UnsafeMutableRawPointer
    /// In the place of `curl_multi_wakeup`, which fails where memory is short: then a transfer would wait for another one.
    private let wakeUp = EventFD()
    private let inbox = Mutex(Inbox())
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var waiting: [Transfer] = []
    private var freeForFiles: Int

    init(files: Int) {
        freeForFiles = files
        _ = curl.curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        multi = curl.curl_multi_init()!
    }

    deinit { _ = curl.curl_multi_cleanup(multi) }

    func add(_ transfer: Transfer) {
        inbox.withLock { $0.transfers.append(transfer) }
        wake()
    }

    func stop() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    func wake() { wakeUp.wake() }

    func run() {
        while true {
            let isStopped = takeIn()
            dropCancelled()
            startWaiting()
            if isStopped, running.isEmpty { return }
            var count: Int32 = 0
            _ = curl.curl_multi_perform(multi, &count)
            if !finishCompleted() { wait() }
        }
    }

    private func wait() {
        var source = curl_waitfd(fd: wakeUp.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        if curl.curl_multi_poll(multi, &source, 1, 60_000, nil) != CURLM_OK { pauseAfterFailure() }
        if source.revents != 0 { wakeUp.reset() }
    }

    private func takeIn() -> Bool {
        inbox.withLock { inbox in
            waiting += inbox.transfers
            inbox.transfers = []
            return inbox.isStopped
        }
    }

    private func startWaiting() {
        waiting.removeAll { transfer in
            guard !transfer.isFile || freeForFiles > 0 else { return false }
            guard transfer.mayBegin() else { return true }
            if transfer.isFile { freeForFiles -= 1 }
            let easy = transfer.prepare()
            running[easy] = transfer
            _ = curl.curl_multi_add_handle(multi, easy)
            return true
        }
    }

    private func dropCancelled() {
        for (easy, transfer) in running where transfer.cancelled.load(ordering: .relaxed) {
            remove(easy)
            transfer.cancel()
        }
        waiting.removeAll { transfer in
            guard transfer.cancelled.load(ordering: .relaxed) else { return false }
            transfer.cancel()
            return true
        }
    }

    /// Returns whether any transfer had ended.
    private func finishCompleted() -> Bool {
        var left: Int32 = 0
        var found = false
        while let message = curl.curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            let transfer = running[easy]
            remove(easy)
            transfer?.finish(code)
            found = true
        }
        return found
    }

    private func remove(_ easy: UnsafeMutableRawPointer) {
        _ = curl.curl_multi_remove_handle(multi, easy)
        if running.removeValue(forKey: easy)?.isFile == true { freeForFiles += 1 }
    }
}
