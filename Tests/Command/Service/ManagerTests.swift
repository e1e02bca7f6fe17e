import Apod
import Files
import Glibc
import TestSupport
import Testing

struct ManagerTests {
    /// The socket of one, or of the journal, and what it was told.
    private final class Manager {
        let folder: TemporaryFolder
        let path: String
        private let socket: Int32

        init() throws {
            folder = try TemporaryFolder()
            path = folder.appending("notify")
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard code == 0 else { throw SystemError("bind \(path)") }
        }

        deinit { close(socket) }

        /// All that has been said up to a line that fits.
        func lines(until fits: @escaping @Sendable (String) -> Bool) async throws -> [String] {
            try await lines(untilAll: { $0.contains(where: fits) })
        }

        /// All that has been said as soon as it fits.
        func lines(untilAll fits: @escaping @Sendable ([String]) -> Bool) async throws -> [String] {
            let socket = socket
            return try await blocking {
                var lines: [String] = []
                var buffer = nulls(4096)
                while !fits(lines) {
                    var source = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                    guard poll(&source, 1, 20_000) > 0 else { throw SystemError("wait for news; so far \(lines)") }
                    let count = recv(socket, &buffer, buffer.count, 0)
                    lines += buffer[..<max(count, 0)].text.split(separator: "\n").map(
                        String.init)
                }
                return lines
            }
        }
    }

    @Test("systemd is told when the service is ready, reloads, lives and stops, and what it does")
    func news() async throws {
        let manager = try Manager()
        let sandbox = try await CommandSandbox(days: 3).synced()
        let program = try sandbox.start(
            "run", with: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"], limit: .seconds(180))
        // In any order: that it watches, and when it asks for the next day, is found out side by side.
        _ = try await manager.lines(untilAll: { lines in
            lines.contains("READY=1") && lines.contains { $0.hasPrefix("STATUS=") && $0.contains("next refresh") }
        })
        // Who is ready watches.
        #expect(try await sandbox.json("status")["watching"]?.string == "inotify")
        _ = try await manager.lines { $0 == "WATCHDOG=1" }
        program.send(SIGHUP)
        let reload = try await manager.lines { $0 == "READY=1" }
        let reloading = try #require(reload.firstIndex(of: "RELOADING=1"))
        #expect(reload[reloading + 1].hasPrefix("MONOTONIC_USEC="))
        program.send(SIGTERM)
        _ = try await manager.lines { $0 == "STOPPING=1" }
        try await program.finished().succeeds()
    }

    /// The folders of a machine as nobody else sees them, with the user of its service.
    private static func machine(_ folders: String) -> String {
        """
        for folder in \(folders); do mount -t tmpfs none $folder; done
        printf 'root:x:0:0::/:\\napod-mirror:x:4321:4321::/:\\n' >/etc/passwd
        printf 'root:x:0:\\napod-mirror:x:4321:\\n' >/etc/group
        """
    }

    @Test(
        "The journal names commands as a person types them",
        .disks)
    func journal() async throws {
        let journal = try Manager()
        let sandbox = try await CommandSandbox(days: 12).synced()
        try sandbox.set(sandbox.settings + "keep = 3d\n")
        let script = """
            \(Self.machine("/etc /run /usr/lib/systemd"))
            mkdir /usr/lib/systemd/system && touch /usr/lib/systemd/system/apod-mirror.service
            mkdir -p /run/systemd/journal && ln -s '\(journal.path)' /run/systemd/journal/socket
            chmod 711 '\(journal.folder.path)' && chmod 666 '\(journal.path)' && chown -R 4321 '\(sandbox.folder.path)'
            export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2)
            exec setpriv --reuid 4321 --regid 4321 --clear-groups "$@"
            """
        let program = try Program(
            "/usr/bin/unshare",
            ["--mount", "/bin/bash", "-c", script, "bash", CommandSandbox.program] + sandbox.words(["run"]),
            environment: sandbox.environment)
        let prune = "`sudo apod-mirror prune --config \(sandbox.configuration)`"
        _ = try await journal.lines { $0.hasPrefix("MESSAGE=") && $0.contains("until you run \(prune); ") }
        program.send(SIGTERM)
        try await program.finished().succeeds()
    }

    @Test(
        "Without systemd, the service's folders are made, but none inside of others",
        .disks, arguments: ["state", "APOD/state"])
    func byHand(state: String) async throws {
        let sandbox = try CommandSandbox()
        let (folder, systemd) = (sandbox.folder.appending(state), "\(Places.packageRoot)/systemd")
        let bin = sandbox.folder.appending("bin")
        // What would become the service ends at once.
        let script = """
            \(Self.machine("/etc /run /var/lib /usr/libexec"))
            printf 'root = %s\\nstate = %s\\n' '\(sandbox.root)' '\(folder)' >/etc/apod-mirror.conf
            mkdir /usr/libexec/apod-mirror && cp '\(systemd)/make-folder' /usr/libexec/apod-mirror
            mkdir '\(bin)' && ln -s "$1" '\(bin)/apod-mirror' && ln -s /bin/true '\(bin)/setpriv'
            PATH='\(bin)':$PATH sh '\(systemd)/run' && stat -c '%U %a %n' '\(sandbox.root)' '\(folder)'
            """
        let isMade = state == "state"
        let made = (isMade ? [sandbox.root, folder] : [sandbox.root]).map { "apod-mirror 2755 \($0)\n" }
        let outcome = try await sandbox.privately(script, [])
        #expect(outcome.output == made.joined() && outcome.status == (isMade ? 0 : 1), "\(outcome)")
    }
}
