import Apod
import Configuration
import Files
import Glibc
import Synchronization
import Syncing

/// The socket where commands reach the running service, whether its mirror is open or not; and that of the web, which
/// may ask for less.
///
/// A `ControlClient` sends a `ServiceRequest` over a `LocalSocket`. `ConnectionLoop` reads it, on a thread of its own,
/// and keeps a `Connection` for each client (`Connections`). `ControlRequest` says what it asks for, `Asker` who may. The
/// status (`StatusReport`) is answered here; jobs go to the handler of the open mirror, which sends each `ControlAnswer`
/// through a `ResponseWriter`.
final class ControlServer: Sendable {
    private struct State {
        /// The folder of the listening socket; nil without one.
        var folder: Folder?
        var handler: Handler?
    }

    /// Takes a job for the open mirror. Returns false if no more jobs are taken.
    typealias Handler = @Sendable (ResponseWriter, ControlRequest) -> Bool

    /// Learns who asks for which job, and whether they may.
    typealias JobNote = @Sendable (Asker, Job, _ isAllowed: Bool) -> Void

    static let name = "control"
    private static let webName = "web"

    private let state = Mutex(State())
    private let loop = Mutex<ConnectionLoop?>(nil)
    /// The service's own folder, if it was given one (systemd.exec(5), RUNTIME_DIRECTORY).
    private let home: String?
    private let version: String
    private let activity: Activity
    private let timeout: Duration
    private let isOfWeb: Bool
    private let note: JobNote

    private var name: String { isOfWeb ? Self.webName : Self.name }

    /// `timeout`: how long a client may take to send its request. `isOfWeb`: everyone may connect.
    init(
        home: String?, version: String, activity: Activity, timeout: Duration = .seconds(5), isOfWeb: Bool = false,
        note: @escaping JobNote = { _, _, _ in }
    ) {
        self.note = note
        self.timeout = timeout
        self.isOfWeb = isOfWeb
        self.home = home
        self.version = version
        self.activity = activity
    }

    /// What the service says of itself.
    var status: StatusReport { StatusReport(of: activity.now, version: version) }

    /// Listens in the service's own folder, if there is one.
    func listenAtHome() throws { if let home { _ = try listen(in: home) } }

    /// Listens at home or else in this folder, and returns the socket's path.
    func listen(beside folder: String) throws -> String { try listen(in: home ?? folder) }

    /// Stops listening, except at home: the open folder would keep its disk from being unmounted.
    func leave() { if home == nil { stopListening() } }

    private func listen(in path: String) throws -> String {
        let folder = try state.withLock { state -> Folder in
            if let folder = state.folder, folder.path == path { return folder }
            takeAway(&state)
            let folder = try Folder.open(path)
            // Another service was started with the same folder.
            if (try? LocalSocket.connected(to: name, in: folder, timeout: .seconds(1))) != nil {
                throw Problem("listen at", folder.path(of: name), code: EADDRINUSE)
            }
            open(try LocalSocket.listening(as: name, in: folder, forEveryone: isOfWeb))
            state.folder = folder
            return folder
        }
        return folder.path(of: name)
    }

    private func open(_ socket: LocalSocket) {
        let loop = loop.withLock { loop in
            let open =
                loop
                ?? ConnectionLoop(timeout: timeout) { [weak self] loop, id, user, request in
                    self?.hear(ResponseWriter(id, at: loop), user, request)
                }
            loop = open
            return open
        }
        loop.open(socket)
    }

    /// Stops listening. Open connections stay.
    func stopListening() { state.withLock { takeAway(&$0) } }

    private func takeAway(_ state: inout State) {
        guard let folder = state.folder else { return }
        state.folder = nil
        loop.withLock { $0?.open(nil) }
        try? folder.remove(name)
    }

    /// Stops listening, and closes all connections.
    func close() {
        stopListening()
        loop.withLock { loop in
            loop?.close()
            loop = nil
        }
    }

    /// Returns when the loop's thread has answered, for the watchdog.
    func answer() async { await loop.withLock(\.self)?.answer() }

    /// Sets what takes jobs; nil while the mirror is not open.
    func handle(by handler: Handler?) { state.withLock { $0.handler = handler } }

    private func hear(_ writer: ResponseWriter, _ user: UInt32, _ asked: ServiceRequest) {
        do throws(Problem) {
            let request = try ControlRequest(asked)
            let asker = Asker(user, isOfWeb: isOfWeb)
            let isAllowed = asker.may(request)
            if case .job(let job) = request { note(asker, job, isAllowed) }
            writer.begin(isAllowed ? 200 : 403)
            if !isAllowed {
                writer.end(.end(asker.refusal))
            } else if request == .status {
                writer.send(status)
            } else if state.withLock({ $0.handler?(writer, request) }) != true {
                writer.end(.end(activity.now.waiting ?? Problem(.busy)))
            }
        } catch {
            writer.begin(error.code == .nonsense ? 400 : 404)
            writer.end(.end(error))
        }
    }
}
