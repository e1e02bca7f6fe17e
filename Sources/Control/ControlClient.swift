internal import Apod
internal import Archive
internal import Concurrency
internal import Files
import Glibc
import Synchronization
package import Syncing

/// A connection to the service that runs, from a command's side.
package final class ControlClient: Sendable {
    private let socket: LocalSocket
    private let path: String
    private let isCancelled = Atomic(false)

    private static let longestLine = 1 << 20
    /// Until the service says something at all.
    private static let timeout = Duration.seconds(20)

    private init(_ socket: LocalSocket, at path: String) {
        self.socket = socket
        self.path = path
    }

    /// The service that keeps this root; nil if there is none that could be asked.
    package static func reach(root: String, timeout: Duration = timeout) throws(ControlError) -> ControlClient? {
        guard let path = Archive.announcement(root: root) else { return nil }
        return try connect(path, timeout)
    }

    /// The same; or the one that waits for this root, which says then what it waits for.
    package static func reach(
        root: String, environment: [String: String]
    ) throws(ControlError) -> ControlClient? {
        if let client = try reach(root: root) { return client }
        return sockets(environment).lazy.compactMap { path in
            // An answer ends the conversation.
            guard (try? connect(path, brief))??.status()?.root == root else { return nil }
            return (try? connect(path, timeout)) ?? nil
        }.first
    }

    private static let brief = Duration.seconds(2)

    /// In the folders that systemd makes.
    private static func sockets(_ environment: [String: String]) -> [String] {
        let folders = ["/run"] + (environment["XDG_RUNTIME_DIR"].map { [$0] } ?? [])
        return folders.map { "\($0)/apod-mirror/\(ControlServer.name)" }
    }

    /// nil if nobody listens there.
    private static func connect(_ path: String, _ timeout: Duration) throws(ControlError) -> ControlClient? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        do throws(StorageError) {
            let folder = try Folder.open(slash == path.startIndex ? "/" : String(path[..<slash]))
            let name = String(path[path.index(after: slash)...])
            return ControlClient(try LocalSocket.connected(to: name, in: folder, timeout: timeout), at: path)
        } catch {
            if error.isRefusal { throw .refused(socket: path) }
            if error.isBusy { throw .silent }
            return nil
        }
    }

    /// What the service says of itself; nil if it cannot be asked. Where it keeps no mirror at the moment, it is looked
    /// for in the folders that systemd makes.
    package static func status(root: String, environment: [String: String]) -> ServiceStatus? {
        if let client = try? reach(root: root, timeout: brief) { return client.status() }
        return services(environment).first { $0.root == root }
    }

    /// The same, with those services that were asked for it and keep other mirrors.
    package static func survey(
        root: String, environment: [String: String]
    ) -> (service: ServiceStatus?, others: [ServiceStatus]) {
        if let client = try? reach(root: root, timeout: brief) { return (client.status(), []) }
        let all = Array(services(environment))
        return (all.first { $0.root == root }, all.filter { $0.root != root })
    }

    /// What those services say of themselves that systemd has started.
    package static func services(_ environment: [String: String]) -> some Sequence<ServiceStatus> {
        sockets(environment).lazy.compactMap { path in (try? connect(path, brief))??.status() }
    }

    private func status() -> ServiceStatus? {
        var status: ServiceStatus?
        try? ask(.status) { if case .status(let answer) = $0 { status = answer } }
        return status
    }

    /// Has it done by the service, until the task is cancelled.
    package func run(_ job: Job, _ report: @escaping MessageHandler) async throws {
        try await withTaskCancellationHandler {
            try await blocking { [self] () throws(ControlError) in
                try ask(.job(job)) { if case .message(let message) = $0 { report(message) } }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Hands on all that the service answers. Returns at the end; throws if that does not come, or brings an error.
    package func ask(_ request: ControlRequest, _ take: (ControlAnswer) -> Void) throws(ControlError) {
        do throws(StorageError) {
            var line = request.line[...]
            while !line.isEmpty {
                let count = try socket.send(line)
                if count == 0 { throw StorageError("write to", "the service", code: EAGAIN) }
                line = line.dropFirst(count)
            }
        } catch {
            if isCancelled.load(ordering: .relaxed) { throw .cancelled }
            // Whoever is sent away before asking is told why.
            if error.isBusy { throw .silent }
        }
        var lines = Lines()
        while true {
            let line = try next(&lines)
            // Whatever it does may take any time.
            if request != .status { socket.setTimeout(.zero) }
            guard let answer = ControlAnswer(line) else { throw .nonsense }
            switch answer {
            case .end(let failure?): throw .failed(failure)
            case .end(nil): return
            case .mistake(let why): throw .mistake(why)
            case .otherVersion: throw .otherVersion
            default: take(answer)
            }
        }
    }

    private func next(_ lines: inout Lines) throws(ControlError) -> [UInt8] {
        while true {
            if let line = lines.next() { return line }
            if lines.pending > Self.longestLine { throw .nonsense }
            let bytes: [UInt8]?
            do throws(StorageError) { bytes = try socket.receive() } catch { bytes = [] }
            if isCancelled.load(ordering: .relaxed) { throw .cancelled }
            guard let bytes else { throw .silent }
            if bytes.isEmpty { throw .gone }
            lines.add(bytes)
        }
    }

    /// Nobody waits any more for what was asked.
    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        socket.hangUp()
    }
}

/// Takes what comes apart.
private struct Lines {
    private var bytes: [UInt8] = []
    private var start = 0
    /// So far, there is no end of a line.
    private var searched = 0

    var pending: Int { bytes.count - start }

    mutating func add(_ more: [UInt8]) {
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += more
    }

    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return Array(bytes[start..<end])
    }
}
