package import Apod
package import Files
import Synchronization

/// Fetches documents into memory and files into a folder.
///
/// Each attempt runs through `Redirects`, which makes one `Transfer` of each step for `CurlLoop`, libcurl's thread.
/// `DocumentBody` or the resumable `PartialDownload` takes the answer in; `MediaInspector` checks that a file is
/// whole. `AddressPolicy` permits connections, `RateLimiter` spaces documents, `HostCooldowns` spares hosts.
package final class Fetcher: Sendable {
    let settings: FetchSettings
    private let redirects: Redirects
    private let rateLimiter: RateLimiter
    private let documents = AsyncSemaphore(2)
    private let files: AsyncSemaphore
    private let counter = Counter()
    private let failed = Mutex<Problem?>(nil)
    private let upstream: String
    /// Each with connections of its own, so that a slow one holds up nobody else.
    private let neighbours: [Fetcher]

    package init(_ settings: FetchSettings, upstream: WebAddress) {
        neighbours = settings.neighbours.map { Fetcher(settings.ofNeighbour, upstream: $0) }
        self.upstream = String(upstream.origin)
        self.settings = settings
        rateLimiter = RateLimiter(settings.distance)
        redirects = Redirects(
            settings: settings, places: AddressPolicy(upstream: upstream), loop: CurlLoop(files: settings.connections),
            rateLimiter: rateLimiter)
        // More than connections, so that none is ever idle. Who waits for a neighbour asks NASA once it fails.
        files = AsyncSemaphore(settings.connections + (settings.isNeighbour ? 0 : 8))
    }

    /// The bytes of files that have come so far.
    package var received: Int { neighbours.reduce(counter.bytes.load(ordering: .relaxed)) { $0 + $1.received } }

    /// Changes whenever bytes come or an attempt ends, so that a stall shows.
    package var signs: Int {
        neighbours.reduce(counter.bytes.load(ordering: .relaxed) + counter.otherSigns.load(ordering: .relaxed)) {
            $0 + $1.signs
        }
    }

    /// Whether somebody waits for a document or a file.
    package var isAsking: Bool { counter.asking.load(ordering: .relaxed) > 0 || neighbours.contains(where: \.isAsking) }

    /// Why the last attempt at a document failed, while it is tried again.
    package var problem: Problem? { failed.withLock(\.self) }

    package struct Received: Sendable {
        package let status: Int
        package let bytes: [UInt8]
        /// Names in lower case.
        package let fields: [String: String]

        package var validators: Validators? { Validators(etag: fields["etag"], modified: fields["last-modified"]) }
    }

    /// Fetches a page, a list or an API's answer. `limit` is for status 200; other answers must be short. `known`: asks
    /// for another one than that which is known, and may be answered 304.
    package func document(
        _ address: WebAddress, limit: Int = 32 << 20, statuses: Set<Int> = [200], known: Validators? = nil
    ) async throws -> Received {
        let statuses = known == nil ? statuses : statuses.union([304])
        defer { failed.withLock { $0 = nil } }
        return try await withRetries(address) { () async throws(FetchError) in
            try await self.documents.holding { () async throws(FetchError) in
                let body = DocumentBody(limit: limit, statuses: statuses) { [counter = self.counter] in
                    counter.otherSigns.add($0, ordering: .relaxed)
                }
                return try await self.attemptDocument(address, known, body)
            }
        }
    }

    private func attemptDocument(
        _ address: WebAddress, _ known: Validators?, _ body: DocumentBody
    ) async throws(FetchError) -> Received {
        do { try await rateLimiter.wait() } catch { throw .cancelled }
        let head = try await redirects.follow(address, fields: known?.condition ?? [], isFile: false, into: body)
        guard body.statuses.contains(head.status) else { throw .status(head.status, retryAfter: head.retryAfter) }
        var bytes = body.bytes
        if head.fields[MediaAddresses.mark] != nil {
            settings.mirrors.insert(upstream)
            bytes = MediaAddresses.ledBack(from: upstream, bytes[...])
        }
        return Received(status: head.status, bytes: bytes, fields: head.fields)
    }

    /// Fetches a picture or video into the folder of unfinished downloads, and resumes what broke off before. Returns
    /// nil where the known file is still the same.
    package func file(_ wanted: Download, in folder: Folder) async throws -> Fetched? {
        if wanted.isShared, let shared = await neighboursFile(wanted, in: folder) { return shared }
        let came = try await withRetries(wanted.address, insisting: false) {
            () async throws(FetchError) -> Result<Fetched, FetchError>? in
            let partial = try await self.files.holding(rank: wanted.key.day?.number ?? 0) {
                () async throws(FetchError) in
                try await self.attemptInTurn(wanted, in: folder)
            }
            guard let partial else { return nil }
            do throws(FetchError) { return .success(try await self.finished(partial)) } catch {
                // What came as the server has it would come so again.
                if partial.isDoubtful { throw error }
                return .failure(error)
            }
        }
        do throws(FetchError) { return try came?.get() } catch { throw error.problem(at: wanted.address) }
    }

    /// The file as another mirror has it; nil where none has it whole, as its tag and `digest` say, and as long as NASA's,
    /// where NASA answers. A mirror that fails or lies is left alone for a while.
    private func neighboursFile(_ wanted: Download, in folder: Folder) async -> Fetched? {
        for neighbour in neighbours {
            guard let there = wanted.led(to: neighbour.upstream) else { continue }
            let start = ContinuousClock.now
            guard let came = (try? await neighbour.file(there, in: folder)) ?? nil else { continue }
            let digest = came.facts.sha256
            let isTrue = came.validators?.etag == "\"\(digest)\""
            let nasa = isTrue && wanted.digest == nil ? try? await head(of: wanted.address) : nil
            let isAsLong = nasa?.length.map { $0 == came.facts.bytes } ?? true
            if isTrue, isAsLong, wanted.digest.map({ $0 == digest }) ?? true {
                let (tag, date) = (nasa?.fields["etag"], nasa?.fields["last-modified"])
                return Fetched(
                    address: wanted.address, staged: came.staged, facts: came.facts,
                    validators: Validators(etag: tag, modified: date), isOfNeighbour: true)
            }
            came.staged.discard()
            if !isTrue || !isAsLong { neighbour.leave(.cutShort("the last file was another"), since: start) }
        }
        return nil
    }

    /// What the server says of a file, without the file; nil where that is no whole answer.
    private func head(of address: WebAddress) async throws(FetchError) -> AnswerHead? {
        let none = DocumentBody(limit: 0, statuses: []) { _ in }
        let head = try await head(of: address, [], isHead: true, into: none)
        return head.status == 200 ? head : nil
    }

    /// Keeps its place during a short pause of the host: the next file would have to wait, too.
    private func attemptInTurn(_ wanted: Download, in folder: Folder) async throws(FetchError) -> PartialDownload? {
        while true {
            do throws(FetchError) { return try await attemptFile(wanted, in: folder) } catch {
                guard case .leftAlone(_, let left?) = error else { throw error }
                // Files that waited ask all at once: those that are refused again use up no attempt.
                do { try await sleep(for: left) } catch { throw .cancelled }
            }
        }
    }

    private func attemptFile(_ wanted: Download, in folder: Folder) async throws(FetchError) -> PartialDownload? {
        if Task.isCancelled { throw .cancelled }
        let start = ContinuousClock.now
        let partial = try onDisk {
            try PartialDownload(wanted, in: folder) { [counter] in counter.bytes.add($0, ordering: .relaxed) }
        }
        do throws(FetchError) {
            let fields = partial.isEmpty ? wanted.condition : try await resumption(of: partial)
            let head = try await head(of: wanted.address, fields, into: partial)
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
            // Nobody goes on with a neighbour's: NASA's is another file.
            if settings.isNeighbour || partial.isEmpty || error.isPermanent && error != .cancelled { partial.discard() }
            if settings.isNeighbour, ![.status(404, retryAfter: nil), .cancelled].contains(error) {
                leave(error, since: start)
            }
            throw error
        }
    }

    /// A host that failed is asked for no file for a while.
    private func leave(_ why: FetchError, since start: ContinuousClock.Instant) {
        settings.cooldowns.failed(upstream, why, since: start)
    }

    /// Asks a mirror first. NASA may have what it lacks.
    private func head(
        of address: WebAddress, _ fields: [String], isHead: Bool = false, into receiver: any ResponseReceiver
    ) async throws(FetchError) -> AnswerHead {
        if settings.mirrors.contains(upstream), let led = MediaAddresses.led(to: upstream, address) {
            let head = try await redirects.follow(
                led, fields: fields, isFile: true, isHead: isHead, into: receiver)
            if head.status != 404 { return head }
        }
        return try await redirects.follow(address, fields: fields, isFile: true, isHead: isHead, into: receiver)
    }

    private func resumption(of partial: PartialDownload) async throws(FetchError) -> [String] {
        try await blocking { () throws(FetchError) in
            try onDisk { try partial.resumption() }
        }
    }

    /// Holds no place in the queue: the next file is transferred while this one is written to the disk.
    private func finished(_ partial: PartialDownload) async throws(FetchError) -> Fetched {
        do throws(FetchError) {
            return try await blocking { () throws(FetchError) in try partial.fetched() }
        } catch {
            partial.discard()
            throw error
        }
    }

    /// Repeats an attempt after a passing failure; after one of the whole host only when `insisting`.
    private func withRetries<Value>(
        _ address: WebAddress, insisting: Bool = true, _ attempt: () async throws(FetchError) -> Value
    ) async throws -> Value {
        var backoff = Backoff(settings.pause, atMost: settings.longestPause)
        var count = 1
        counter.asking.add(1, ordering: .relaxed)
        defer { counter.asking.subtract(1, ordering: .relaxed) }
        while true {
            do throws(FetchError) {
                defer { counter.otherSigns.add(1, ordering: .relaxed) }
                return try await attempt()
            } catch {
                let pause = max(error.requestedPause ?? .zero, backoff.next() * Double.random(in: 0.75...1.25))
                let isHopeless = error.isPermanent || !insisting && error.isOfHost
                guard !isHopeless, count < settings.attempts, pause <= settings.longestPause else {
                    throw error.problem(at: address)
                }
                if insisting { failed.withLock { $0 = error.problem(at: address) } }
                do { try await sleep(for: pause) } catch { throw error.problem }
            }
            count += 1
        }
    }
}

/// Apart from `Fetcher`, which libcurl's thread must not keep alive: `CurlLoop.deinit` would join its own thread.
private final class Counter: Sendable {
    let bytes = Atomic(0)
    /// The bytes of documents, plus the attempts that have ended, well or not.
    let otherSigns = Atomic(0)
    let asking = Atomic(0)
}

extension FetchError {
    /// Whether the host would fail another request at once, too.
    fileprivate var isOfHost: Bool {
        switch self {
        case .unreachable, .leftAlone: true
        default: false
        }
    }

    fileprivate var requestedPause: Duration? {
        guard case .status(_, let seconds?) = self else { return nil }
        return .seconds(seconds)
    }
}
