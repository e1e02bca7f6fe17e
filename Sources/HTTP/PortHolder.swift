import Apod
import Files

/// The process that listens at a port of this machine, as far as `/proc` shows it: to root all, to others their own.
package struct PortHolder {
    package let process: Int32
    package let name: String

    /// nil if none can be seen.
    package init?(of port: UInt16) {
        let sockets = Set(["tcp", "tcp6"].flatMap { Self.sockets(listeningAt: port, in: "/proc/net/\($0)") })
        let processes = ((try? Folder.open("/proc").names()) ?? []).compactMap(Int32.init)
        let holder = processes.sorted().first { process in
            guard let open = try? Folder.open("/proc/\(process)/fd"), let names = try? open.names() else {
                return false
            }
            return names.contains { open.target(of: $0).map(sockets.contains) ?? false }
        }
        guard let holder else { return nil }
        (process, name) = (
            holder, Self.text("/proc/\(holder)/comm").split(separator: "\n").first.map(String.init) ?? ""
        )
    }

    /// By a table of sockets (proc_pid_net(5)), as links in `/proc/PID/fd` name them.
    private static func sockets(listeningAt port: UInt16, in table: String) -> [String] {
        text(table).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A",
                let own = fields[1].split(separator: ":").last, UInt16(own, radix: 16) == port
            else { return nil }
            return "socket:[\(fields[9])]"
        }
    }

    private static func text(_ path: String) -> String {
        ((try? File.reading(path).stream()) ?? []).text
    }
}
