import Apod
import CLinux
import Glibc
import HTTP
import Serving
import Synchronization

/// The mirror on the web, which `apod-mirror serve` becomes: `apod-server ROOT [--listen ADDRESS] [--host NAME]…
/// [--unknown-host ADVICE] [--allow NETWORK]… [--idle SECONDS] [--parent PROCESS]`.
///
/// A program of its own, so that the service and the commands load none of its libraries. It opens nothing to write.
@main
struct Main {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        guard let order = Order(CommandLine.arguments.dropFirst()) else {
            fail("usage: apod-server ROOT [OPTION VALUE]…", 2)
        }
        // The service that started it is gone.
        if let parent = order.parent, end_with_parent(parent) == 0 { exit(1) }
        let networks = order.networks.map { text in
            guard let network = Network(text) else { fail("“\(text)” is not a network like 203.0.113.0/24.", 2) }
            return network
        }
        let signals = StopSignals()
        let inherited = ListeningSocket.inherited
        let socket = inherited ?? ownSocket(order)
        let site = Site(root: order.root)
        let server = Mutex<HTTPServer?>(nil)
        do throws(HTTPServer.NotStarted) {
            let started = try HTTPServer(
                on: socket, hosts: Hosts(others: order.hosts + nasa, advice: order.advice), others: networks,
                events: site.events
            ) { request in
                site.answer(request, requests: server.withLock { $0?.requests ?? 0 })
            }
            server.withLock { $0 = started }
        } catch {
            fail("The server cannot start; there may be too little memory.", 1)
        }
        guard let running = server.withLock({ $0 }) else { return }
        wait(for: running, signals, idle: order.idle ?? (inherited == nil ? nil : usualIdle))
        exit(0)
    }

    /// Seconds without a connection or a request, after which systemd's socket is left to systemd.
    private static let usualIdle = 300

    /// The names that a person may lead here by DNS.
    private static let nasa = [
        "apod.nasa.gov", "api.nasa.gov", "science.nasa.gov", "assets.science.nasa.gov", "www.science.nasa.gov",
    ]

    /// Returns when the server is to end: at a signal, or when nobody was connected for `idle` seconds.
    private static func wait(for server: HTTPServer, _ signals: StopSignals, idle: Int?) {
        var former = -1
        while !signals.come(within: idle) {
            defer { former = server.requests }
            guard server.connections == 0, server.requests == former else { continue }
            // Who comes from now on waits in the socket, and systemd starts the next server.
            server.stopAccepting()
            while server.connections > 0, !signals.come(within: 1) {}
            return
        }
        server.stopAccepting()
    }

    private static func ownSocket(_ order: Order) -> Int32 {
        do throws(ListeningSocket.Failure) {
            let socket = try ListeningSocket.open(order.address)
            say("http://\(order.address)/")
            return socket
        } catch {
            switch error {
            case .notAnAddress(let text): fail("“\(text)” is not an address like 127.0.0.1:8095.", 2)
            case .refused(let text, let code):
                fail("Cannot listen at \(text): \(reason(text, code) ?? String(cString: strerror(code))).", 1)
            }
        }
    }

    /// Who listens at the address already; nil after other errors.
    private static func reason(_ address: String, _ code: Int32) -> String? {
        guard code == EADDRINUSE, let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            return nil
        }
        let holder = PortHolder(of: port)
        let name = holder.map { "\($0.name) (process \($0.process))" } ?? "another program"
        let unit = "apod-mirror-web.socket"
        // systemd holds the sockets of its units.
        let maybe =
            holder.map { $0.name == "systemd" }
            ?? ["/usr/lib/systemd/system/\(unit)", "/run/systemd/system"].allSatisfy { (path: String) in
                access(path, F_OK) == 0
            }
        let answer = "If that is \(unit), the mirror answers at http://\(address)/ already"
        return "\(name) listens there. \(maybe ? answer : "Name another port with --listen")"
    }

    private static func say(_ words: String) {
        let line = "\(words)\n".bytes
        _ = write(2, line, line.count)
    }

    private static func fail(_ words: String, _ status: Int32) -> Never {
        say(words)
        exit(status)
    }
}

/// What the server was asked for.
struct Order {
    let root: String
    private(set) var address = "127.0.0.1:8095"
    private(set) var hosts: [String] = []
    private(set) var advice = ""
    private(set) var networks: [String] = []
    private(set) var idle: Int?
    /// The process with which the server ends.
    private(set) var parent: Int32?

    init?(_ words: ArraySlice<String>) {
        var words = words
        guard let root = words.popFirst(), root.hasPrefix("/") else { return nil }
        self.root = root
        while let option = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch option {
            case "--listen": address = value
            case "--host": hosts.append(value)
            case "--unknown-host": advice = value
            case "--allow": networks.append(value)
            case "--idle":
                guard let seconds = Int(value), seconds > 0 else { return nil }
                idle = seconds
            case "--parent":
                guard let process = Int32(value) else { return nil }
                parent = process
            default: return nil
            }
        }
    }
}

/// SIGTERM and SIGINT, waited for instead of handled. Made before any thread, which inherits the mask.
struct StopSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one; false after so many seconds. Without a number, for ever.
    func come(within seconds: Int?) -> Bool {
        var set = set
        guard let seconds else {
            // It fails whenever the machine wakes up, or the program after SIGSTOP (signal(7)).
            while sigwaitinfo(&set, nil) < 0 {}
            return true
        }
        var time = timespec(tv_sec: seconds, tv_nsec: 0)
        return sigtimedwait(&set, nil, &time) > 0
    }
}
