package import Apod
internal import Concurrency
package import Files
import Synchronization

/// Fetches from the web: politely, again if need be, and only what it was asked for.
package final class Fetcher: Sendable {
    let settings: FetchSettings
    private let redirects: Redirects
    private let rateLimiter: RateLimiter
    private let documents = AsyncSemaphore(2)
    private let files: AsyncSemaphore
    private let counter = Counter()
    private let failed = Mutex<FetchFailure?>(nil)

    package init(_ settings: FetchSettings, upstream: WebAddress, environment: [String: String]) {
        self.settings = settings
        // As a fetcher before this one was told. What wants more is asked when others decide.
        let requestedPause = settings.cooldowns.requestedPauseLeft(String(upstream.origin))
        rateLimiter = RateLimiter(
            settings.distance, after: requestedPause <= settings.longestPause ? requestedPause : .zero)
        redirects = Redirects(
            settings: settings, places: AddressPolicy(upstream: upstream), proxy: Proxy(environment: environment),
            loop: CurlLoop(files: settings.connections), rateLimiter: rateLimiter)
        // Some more are made ready, so that no connection is ever idle.
        files = AsyncSemaphore(settings.connections + 8)
    }

    /// How much of files has come so far, in all.
    package var received: Int { counter.bytes.load(ordering: .relaxed) }

    /// Another number than before when something has come of what was asked: bytes, or the end of an attempt.
    package var signs: Int { received + counter.otherSigns.load(ordering: .relaxed) }

    /// What has kept the last document from coming, as long as it is tried again.
    package var failure: FetchFailure? { failed.withLock(\.self) }

    package struct Document: Sendable {
        package let status: Int
        package let bytes: [UInt8]
        /// Names in lower case.
        package let fields: [String: String]
    }

    /// A page, a feed or an API's answer. What is said with any other of the `statuses` than 200 is expected to be short.
    package func document(
        _ address: WebAddress, limit: Int = 32 << 20, statuses: Set<Int> = [200]
    ) async throws(FetchFailure) -> Document {
        defer { failed.withLock { $0 = nil } }
        return try await withRetries(address) { () async throws(FetchError) in
            try await self.documents.holding { () async throws(FetchError) in
                let body = DocumentBody(limit: limit, statuses: statuses) { [counter = self.counter] in
                    counter.otherSigns.add($0, ordering: .relaxed)
                }
                return try await self.attemptDocument(address, body)
            }
        }
    }

    private func attemptDocument(_ address: WebAddress, _ body: DocumentBody) async throws(FetchError) -> Document {
        do { try await rateLimiter.wait() } catch { throw .cancelled }
        let head = try await redirects.follow(address, fields: [], isFile: false, into: body)
        guard body.statuses.contains(head.status) else { throw .status(head.status, retryAfter: head.retryAfter) }
        return Document(status: head.status, bytes: body.bytes, fields: head.fields)
    }

    /// A picture or video, into a folder for unfinished ones; what broke off before is gone on with.
    /// nil where the one that is known is still the same.
    package func file(_ wanted: Download, in folder: Folder) async throws(FetchFailure) -> Fetched? {
        try await withRetries(wanted.address, insisting: false) { () async throws(FetchError) in
            let partial = try await self.files.holding(rank: wanted.day.number) { () async throws(FetchError) in
                try await self.attemptInTurn(wanted, in: folder)
            }
            guard let partial else { return nil }
            return try await self.finished(partial)
        }
    }

    /// While a host is left alone for a moment, no other file takes the place of this one: it would not be asked for either.
    private func attemptInTurn(_ wanted: Download, in folder: Folder) async throws(FetchError) -> PartialDownload? {
        while true {
            do throws(FetchError) { return try await attemptFile(wanted, in: folder) } catch {
                guard case .leftAlone(_, let left?) = error else { throw error }
                // All ask at the same moment: what some of them are refused is not held against the others.
                do { try await sleep(for: left) } catch { throw .cancelled }
            }
        }
    }

    private func attemptFile(_ wanted: Download, in folder: Folder) async throws(FetchError) -> PartialDownload? {
        if Task.isCancelled { throw .cancelled }
        let partial = try onDisk { () throws(StorageError) in
            try PartialDownload(wanted, in: folder) { [counter] in counter.bytes.add($0, ordering: .relaxed) }
        }
        do throws(FetchError) {
            let fields = partial.isEmpty ? wanted.condition : try await resumption(of: partial)
            let head = try await redirects.follow(wanted.address, fields: fields, isFile: true, into: partial)
            if head.status == 304, wanted.known != nil {
                partial.discard()
                return nil
            }
            guard [200, 206, 416].contains(head.status) else { throw .status(head.status, retryAfter: head.retryAfter) }
            try partial.write()
            try partial.checkLength()
            return partial
        } catch {
            try? partial.write()
            if partial.isEmpty || error.isPermanent && !error.isPassingHere { partial.discard() }
            throw error
        }
    }

    private func resumption(of partial: PartialDownload) async throws(FetchError) -> [String] {
        try await blocking { () throws(FetchError) in
            try onDisk { () throws(StorageError) in try partial.resumption() }
        }
    }

    /// While the disk is waited for, the place in the queue already serves the next one.
    private func finished(_ partial: PartialDownload) async throws(FetchError) -> Fetched {
        do throws(FetchError) {
            return try await blocking { () throws(FetchError) in try partial.fetched() }
        } catch {
            partial.discard()
            throw error
        }
    }

    /// Repeats what may go better the next time; where a host cannot be reached, is left alone or sends next to nothing,
    /// only if that is insisted on.
    private func withRetries<Value>(
        _ address: WebAddress, insisting: Bool = true, _ attempt: () async throws(FetchError) -> Value
    ) async throws(FetchFailure) -> Value {
        var backoff = Backoff(settings.pause, atMost: settings.longestPause)
        var count = 1
        while true {
            do throws(FetchError) {
                defer { counter.otherSigns.add(1, ordering: .relaxed) }
                return try await attempt()
            } catch {
                let pause = max(error.requestedPause ?? .zero, backoff.next() * Double.random(in: 0.75...1.25))
                let isHopeless = error.isPermanent || !insisting && error.isOfHost
                guard !isHopeless, count < settings.attempts, pause <= settings.longestPause else {
                    throw FetchFailure(address, error)
                }
                if insisting { failed.withLock { $0 = FetchFailure(address, error) } }
                try await wait(pause, for: address)
            }
            count += 1
        }
    }

    private func wait(_ pause: Duration, for address: WebAddress) async throws(FetchFailure) {
        do { try await sleep(for: pause) } catch { throw FetchFailure(address, .cancelled) }
    }
}

/// Apart from the fetcher, which libcurl's thread must not keep alive: it would end on the thread that it waits for.
private final class Counter: Sendable {
    let bytes = Atomic(0)
    /// Bytes of documents, and attempts that have ended, well or not.
    let otherSigns = Atomic(0)
}

extension FetchError {
    /// What has come is of use the next time.
    fileprivate var isPassingHere: Bool {
        if case .disk(let error) = self { error.isOfProcess } else { self == .cancelled }
    }

    /// To ask the host again at once would end like this, too.
    fileprivate var isOfHost: Bool {
        switch self {
        case .unreachable, .leftAlone, .slow: true
        default: false
        }
    }

    /// How long the server asks to be left alone.
    fileprivate var requestedPause: Duration? {
        guard case .status(_, let seconds?) = self else { return nil }
        return .seconds(seconds)
    }
}
