import Apod
import Files
import Glibc
package import Store
package import Syncing

/// A command's connection to the running service.
package final class ControlClient: Sendable {
    private let socket: LocalSocket
    private let path: String

    private static let longestLine = 1 << 20
    /// How long the service may take for its first line.
    private static let timeout = Duration.seconds(20)

    private init(_ socket: LocalSocket, at path: String) {
        self.socket = socket
        self.path = path
    }

    /// Connects to the service that keeps this root; nil if none can be reached.
    package static func reach(root: String, timeout: Duration = timeout) throws -> ControlClient? {
        guard let path = Archive.announcement(root: root) else { return nil }
        return try connect(path, timeout)
    }

    /// The same, or connects to the service that waits for this root, and answers jobs with what it waits for.
    package static func reach(
        root: String, environment: [String: String]
    ) throws -> ControlClient? {
        if let client = try reach(root: root) { return client }
        return sockets(environment).firstValue { path -> ControlClient? in
            // The answer ends the connection, so a second one is made.
            guard (try? connect(path, brief))??.status()?.root == root else { return nil }
            return (try? connect(path, timeout)) ?? nil
        }
    }

    private static let brief = Duration.seconds(2)

    /// The sockets in the folders that systemd makes (systemd.exec(5), RuntimeDirectory).
    private static func sockets(_ environment: [String: String]) -> [String] {
        let folders = ["/run"] + (environment["XDG_RUNTIME_DIR"].map { [$0] } ?? [])
        return folders.map { "\($0)/apod-mirror/\(ControlServer.name)" }
    }

    /// nil if nobody listens there.
    static func connect(_ path: String, _ timeout: Duration) throws -> ControlClient? {
        do {
            return ControlClient(try LocalSocket.connected(at: path, timeout: timeout), at: path)
        } catch {
            if error.problem.isRefusal { throw Problem(.closedSocket, owners(of: path), path: path) }
            if error.problem.isBusy { throw Problem(.silent) }
            return nil
        }
    }

    /// Who may use a service's socket.
    private static func owners(of socket: String) -> String {
        guard let owner = FileOwner(of: socket) ?? FileSystem.parent(of: socket).flatMap({ FileOwner(of: $0) }) else {
            return "the mirror's owner, root and members of its group"
        }
        if owner.isPerson { return "\(owner.name) and root" }
        return "\(owner.user == 0 ? "root" : "\(owner.name), root") and members of the group \(owner.groupName)"
    }

    /// The status of the service for this root; nil if it cannot be asked. A service that waits for its mirror is found
    /// in the folders that systemd makes.
    package static func status(root: String, environment: [String: String]) -> StatusReport? {
        if let client = try? reach(root: root, timeout: brief) { return client.status() }
        return services(environment).first { $0.root == root }
    }

    /// The statuses of the services that systemd has started.
    package static func services(_ environment: [String: String]) -> some Sequence<StatusReport> {
        sockets(environment).lazy.compactMap { path in (try? connect(path, brief))??.status() }
    }

    func status() -> StatusReport? {
        var status: StatusReport?
        try? ask(.status) { line in
            status = (try? JSONText(line)).flatMap(StatusReport.init)
            return true
        }
        return status
    }

    /// Has the service do a job. Cancelling the task closes the connection, which cancels the job.
    package func run(_ job: Job, _ report: @escaping EventHandler) async throws {
        try await withTaskCancellationHandler {
            try await blocking { [self] in try ask(job, report) }
        } onCancel: {
            // `ask` then finds that its task is cancelled.
            socket.hangUp()
        }
    }

    func ask(_ job: Job, _ report: EventHandler = { _ in }) throws {
        try ask(.job(job)) { line in
            // A job may take any time.
            socket.setTimeout(.zero)
            switch ControlAnswer(line) {
            case .taken: break
            case .event(let event): report(event)
            case .end(let failure?): throw failure
            case .end(nil): return true
            case .mistake(let why): throw SyncOrder.Contradiction(why)
            case nil: throw Problem(.gibberish)
            }
            return false
        }
    }

    /// Sends a request, and passes on the lines of the answer until `take` returns true.
    private func ask(_ request: ServiceRequest, _ take: ([UInt8]) throws -> Bool) throws {
        do {
            var bytes = request.bytes[...]
            while !bytes.isEmpty {
                let count = try socket.send(bytes)
                if count == 0 { throw Problem("write to", "the service", code: EAGAIN) }
                bytes = bytes.dropFirst(count)
            }
        } catch {
            if Task.isCancelled { throw Problem(.stopped) }
            // A service that hangs up early has sent why: it is read below.
            if error.problem.isBusy { throw Problem(.silent) }
        }
        var heard: ArraySlice<UInt8> = []
        // Versions that speak no HTTP are older.
        if try !nextLine(&heard).starts(with: "HTTP/1.1 ".utf8) { throw Problem(.otherVersion) }
        while try nextLine(&heard) != ["\r"] {}
        while try !take(nextLine(&heard)) {}
    }

    /// Removes the first line from what was heard, and listens until there is one.
    private func nextLine(_ heard: inout ArraySlice<UInt8>) throws -> [UInt8] {
        while true {
            if let end = heard.firstIndex(of: "\n") {
                defer { heard = heard[(end + 1)...] }
                return Array(heard[..<end])
            }
            if heard.count > Self.longestLine { throw Problem(.gibberish) }
            let bytes: [UInt8]?
            do { bytes = try socket.receive() } catch { bytes = [] }
            if Task.isCancelled { throw Problem(.stopped) }
            guard let bytes else { throw Problem(.silent) }
            if bytes.isEmpty { throw Problem(.gone) }
            heard += bytes
        }
    }
}
